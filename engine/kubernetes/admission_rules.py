"""Checks that span several members of an object (B-80). Which members, and which values, is data."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from .validation import Check, Fault, Trail, path_of

__all__ = ["rule_check"]


def rule_check(rule: Mapping[str, Any]) -> Check:
    """The check that an entry of a schema's ``rules`` describes; it looks at an admitted object and returns None.

    ``atMostOne``
        ``of`` names members of which one may be there.
    ``apart``
        While the member at ``of`` is ``equals``, the ``list`` must be there and no item of it may have ``without``.
    ``name``
        ``metadata.name`` must match ``pattern`` within ``maxLength``; the finding is about the object as a whole.
    """
    return _KINDS[rule["rule"]](rule)


def _at_most_one(rule: Mapping[str, Any]) -> Check:
    names: list[str] = rule["of"]

    def check(value: Any, trail: Trail, faults: list[Fault]) -> None:
        found = [name for name in names if name in value]
        if len(found) > 1:
            listed = ", ".join(f"`{name}`" for name in found)
            faults.append((trail, f"may hold only one of {listed}", rule["help"]))

    return check


def _apart(rule: Mapping[str, Any]) -> Check:
    of: str = rule["of"]
    first, _, second = of.partition(".")

    def check(value: Any, trail: Trail, faults: list[Fault]) -> None:
        holder: Mapping[str, Any] = value.get(first) or {}
        if holder.get(second) != rule["equals"]:
            return
        items = value.get(rule["list"])
        if items is None:
            faults.append((trail, f"has {second} `{rule['equals']}` but no `{rule['list']}`", f"add `{rule['list']}`"))
            return
        found = [item.get("name") for item in items if item is not None and rule["without"] in item]
        if found:
            listed = ", ".join(f"`{name}`" for name in found)
            cause = f"has {second} `{rule['equals']}`, so no item of `{rule['list']}` may have `{rule['without']}`: "
            faults.append((trail, cause + listed, rule["help"]))

    return check


_NAME: Final = (("metadata",), ("metadata", "name"))


def _name(rule: Mapping[str, Any]) -> Check:
    form: re.Pattern[str] = re.compile(rule["pattern"])

    def check(value: Any, trail: Trail, faults: list[Fault]) -> None:
        metadata: Mapping[str, Any] = value.get("metadata") or {}
        name: str | None = metadata.get("name")
        if name is None:
            # A name that is no text has been found already.
            if not any(path_of(found) in _NAME for found, _, _ in faults):
                faults.append((trail, "has no `metadata.name`", "give it a name"))
        elif len(name) > rule["maxLength"]:
            faults.append(
                (trail, f"has a name of {len(name)} characters, of at most {rule['maxLength']}", "shorten the name")
            )
        elif not form.fullmatch(name):
            faults.append((trail, f"has the name `{name}`", f"the name must be {rule['form']}"))

    return check


_KINDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Check]]] = {
    "atMostOne": _at_most_one,
    "apart": _apart,
    "name": _name,
}
