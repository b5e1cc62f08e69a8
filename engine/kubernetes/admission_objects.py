"""Checks of objects, lists and maps, made from shapes: prune, drop nulls, fill defaults, validate (B-1, B-80).

A check is made when a value first needs it, so a manifest pays only for the members that it has.
"""

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from .admission_rules import rule_check
from .shape import Member, MemberForm, is_required, member, members, rules
from .validation import Check, Fault, Trail, is_list, is_map, no_map, plain_text, scalar_check, wording

__all__ = ["object_check"]

_PLAIN: Final[Mapping[str, type]] = {"text": str, "boolean": bool}
"""Types whose values need no look beyond their class, when no bounds are set."""


class _Members(dict[str, tuple[str, type | None, Check | None]]):
    """Name to itself as plain text, a class that needs no check, and the check for all else; others have none."""

    __slots__ = ("_forms",)

    def __init__(self, forms: Mapping[str, MemberForm]) -> None:
        super().__init__()
        self._forms = forms

    def __missing__(self, name: str) -> tuple[str, type | None, Check | None]:
        form = self._forms.get(name)
        if form is None:
            return name, None, None
        read = member(form)
        plain = _PLAIN.get(read.type) if read.plural == "one" and not (read.bounds.keys() & _LIMITS) else None
        name = plain_text(name)
        self[name] = found = name, plain, _check(read)
        return found


_LIMITS: Final = frozenset({"minLength", "maxLength", "oneOf", "pattern"})


def _check(of: Member) -> Check:
    if of.plural == "map":
        return _map_check(of.type)
    if of.plural == "one" and of.is_shape:
        return object_check(of.type, of.bounds.get("minMembers", 0))
    if of.plural == "one":
        return scalar_check(of.type, of.bounds)
    if of.is_shape:
        item = object_check(of.type)
    else:
        longest = of.bounds.get("itemMaxLength")
        item = scalar_check(of.type, {} if longest is None else {"maxLength": longest})
    return _list_check(item, of.bounds)


_REPEATED: Final = frozenset({"container"})
"""Shapes whose objects are large and come again and again: one runtime's containers, in every JobSet that it makes."""
_REMEMBERED: Final = 1000


@lru_cache(maxsize=512)
def object_check(shape: str, fewest: int = 0) -> Check:
    """The check of an object of that shape with at least so many members.

    :raises KeyError: for a shape that does not exist
    """
    check = _object_check(shape, fewest)
    return _remembering(check) if shape in _REPEATED else check


def _remembering(check: Check) -> Check:
    """The same check, which knows again what passed it unchanged before."""
    passed: set[bytes] = set()

    def again(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        try:
            # Tells 1 from true and from 1.0, and the order of members, as equality does not.
            content = marshal.dumps(value, 2)
        except ValueError:  # not made of plain data, or far too deep; the check says so
            return check(value, trail, faults)
        if content in passed:
            return marshal.loads(content)  # noqa: S302  # made here, of data
        before = len(faults)
        result = check(value, trail, faults)
        if len(faults) == before and marshal.dumps(result, 2) == content:
            if len(passed) >= _REMEMBERED:
                passed.clear()
            passed.add(content)
        return result

    return again


def _object_check(shape: str, fewest: int) -> Check:
    forms = members(shape)
    known = _Members(forms)
    required = [name for name, form in forms.items() if is_required(form)]
    defaults = [
        (name, form["default"]) for name, form in forms.items() if not isinstance(form, str) and "default" in form
    ]
    between = [rule_check(rule) for rule in rules(shape)]
    if fewest:
        between.append(_at_least(fewest))

    def check(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        if value.__class__ is not dict and not is_map(value):
            faults.append(no_map(value, trail))
            return None
        result: dict[str, Any] = {}
        for name, item in value.items():
            if item is None:
                continue
            text, plain, inner = known[name]
            if item.__class__ is plain:
                result[text] = item
            elif inner is not None and (checked := inner(item, (trail, text), faults)) is not None:
                result[text] = checked
        for name in required:
            if name not in result:
                _missing(value, name, trail, faults)
        for name, default in defaults:
            result.setdefault(name, default)
        for rule in between:
            rule(result, trail, faults)
        return result

    return check


def _missing(value: Mapping[str, Any], name: str, trail: Trail, faults: list[Fault]) -> None:
    # What is there and is wrong has its fault already.
    if value.get(name) is None:
        faults.append(((trail, name), "is missing", f"add `{name}`"))


def _at_least(fewest: int) -> Check:
    def check(value: Any, trail: Trail, faults: list[Fault]) -> None:
        if len(value) < fewest:
            faults.append((trail, "must not be empty", "add a member"))

    return check


def _list_check(inner: Check, bounds: Mapping[str, Any]) -> Check:
    fewest, most = bounds.get("minItems", 0), bounds.get("maxItems")
    keys: tuple[str, ...] = tuple(bounds.get("keys", ()))
    apart: Callable[[list[Any], Trail, list[Fault]], None] | None = None
    if keys:
        apart = _keys_apart(keys)
    elif bounds.get("unique"):
        apart = _values_apart

    def check(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        if value.__class__ is not list and not is_list(value):
            faults.append((trail, f"must be a list, not {wording(value)}", "write its items below it, each after `- `"))
            return None
        size = len(value)
        if size < fewest:
            faults.append((trail, f"has {size} items, of at least {fewest}", "add what is missing"))
        if most is not None and size > most:
            faults.append((trail, f"has {size} items, of at most {most}", f"take out {size - most}"))
            return None
        result = [inner(item, (trail, index), faults) for index, item in enumerate(value)]
        if size > 1 and apart is not None:
            apart(result, trail, faults)
        return result

    return check


def _keys_apart(keys: tuple[str, ...]) -> Callable[[list[Any], Trail, list[Fault]], None]:
    def check(items: list[Any], trail: Trail, faults: list[Fault]) -> None:
        seen: dict[tuple[Any, ...], int] = {}
        for index, item in enumerate(items):
            if item is None:
                continue
            # Two items without the key are the same to the API server.
            key = tuple([item.get(name) for name in keys])
            first = seen.setdefault(key, index)
            if first != index:
                parts = zip(keys, key, strict=True)
                said = ", ".join(_key_wording(name, part) for name, part in parts)
                faults.append(((trail, index), f"has {said}, as item {first} has", "keep one of the two"))

    return check


def _key_wording(name: str, part: object) -> str:
    if part is None:
        return f"no {name}"
    return f"{name} `{part}`" if part != "" else f"an empty {name}"


def _values_apart(items: list[Any], trail: Trail, faults: list[Fault]) -> None:
    seen: dict[Any, int] = {}
    for index, item in enumerate(items):
        first = seen.setdefault(item, index)
        if first != index and item is not None:
            faults.append(((trail, index), f"repeats item {first}", "keep one of the two"))


def _map_check(kind: str) -> Check:
    inner = scalar_check(kind, {})
    plain = _PLAIN.get(kind)

    def check(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        if value.__class__ is not dict and not is_map(value):
            faults.append(no_map(value, trail))
            return None
        result: dict[str, Any] = {}
        for name, item in value.items():
            if not isinstance(name, str):
                faults.append(
                    (
                        (trail, str(name)),
                        f"must have a name that is text, not {wording(name)}",
                        "put the name in quotes",
                    )
                )
            elif item.__class__ is plain:
                result[plain_text(name)] = item
            elif item is not None:
                result[plain_text(name)] = inner(item, (trail, name), faults)
        return result

    return check
