"""Checks of single values against a type and its bounds, as the API server makes them (B-80).

A check takes a value, the trail to it and the list of faults; it returns the value as it is stored, or adds a fault
and returns None. Trails are linked pairs because most are never looked at.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeGuard

__all__ = ["Check", "Fault", "Trail", "is_list", "is_map", "no_map", "path_of", "plain_text", "scalar_check", "wording"]

Trail: TypeAlias = "tuple[Trail, str | int] | None"
"""The way to a value: the way to its parent, and its name or index there. None is the document itself."""

Fault: TypeAlias = tuple[Trail, str, str]
"""Where, what is wrong (a clause that the field's name goes before), and what helps."""

Check: TypeAlias = Callable[[Any, Trail, list[Fault]], Any]

_SHOWN: Final = 40
_RANGES: Final = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_INSTANT: Final = (
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def is_map(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a map; callers may hand in other maps than ``dict``."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value is a list, or a tuple in its place."""
    return isinstance(value, list | tuple)


def plain_text(value: str) -> str:
    """The text itself: readers of YAML that keep comments hand in text of classes of their own."""
    return str.__str__(value)


def path_of(trail: Trail) -> tuple[str | int, ...]:
    """The trail from the document on."""
    steps: list[str | int] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))


def wording(value: object) -> str:
    """The value as a message shows it: ``text `3```, ``a list``."""
    match value:
        case None:
            return "null"
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f"text `{_shortened(value)}`"
        case int() | float():
            return _spelled(value)
        case _ if is_map(value):
            return "a map"
        case _ if is_list(value):
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def _spelled(value: float) -> str:
    try:
        return f"`{_shortened(str(value))}`"
    except ValueError:  # Python spells no numbers of thousands of digits
        return "a very large number"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def no_map(value: object, trail: Trail) -> Fault:
    """The fault of a value that should be a map."""
    return trail, f"must be a map, not {wording(value)}", "write its members below it, each as `name: value`"


def scalar_check(kind: str, bounds: Mapping[str, Any]) -> Check:
    """The check of one scalar type with the bounds of a member.

    :raises KeyError: for a type that is no scalar
    """
    if kind in _RANGES:
        return _integer(kind, bounds)
    if kind == "text":
        return _text(bounds)
    return _PLAIN[kind]


def _integer(kind: str, bounds: Mapping[str, Any]) -> Check:
    low, high = _RANGES[kind]
    low, high = bounds.get("min", low), bounds.get("max", high)

    def check(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        number = value if value.__class__ is int else _whole(value)
        if number is None:
            faults.append((trail, f"must be an integer, not {wording(value)}", _unquoted(value)))
        elif low <= number <= high:
            return number
        else:
            bound = f"at least {low}" if number < low else f"at most {high}"
            faults.append((trail, f"must be {bound}, not {wording(number)}", f"write a number from {low} to {high}"))
        return None

    return check


def _whole(value: object) -> int | None:
    """A JSON number without a fraction is an integer, however it is written; a boolean is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _unquoted(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,19}", value):
        return f"write {int(value)}, without quotes"
    return "write a whole number"


def _text(bounds: Mapping[str, Any]) -> Check:
    shortest, longest = bounds.get("minLength", 0), bounds.get("maxLength")
    options: list[str] | None = bounds.get("oneOf")
    pattern: str | None = bounds.get("pattern")

    def check(value: Any, trail: Trail, faults: list[Fault]) -> Any:
        if not isinstance(value, str):
            shown = wording(value)
            # Not with the value: what stands in the file may be `007` or `n`.
            help_text = "put it in quotes" if shown.startswith("`") else "write one text there"
            faults.append((trail, f"must be text, not {shown}", help_text))
            return None
        known = len(faults)
        if options is not None and value not in options:
            faults.append((trail, f"must be {_listed(options)}, not `{_shortened(value)}`", _near(value, options)))
        if len(value) < shortest:
            faults.append((trail, "must not be empty", "write a value"))
        if longest is not None and len(value) > longest:
            faults.append(
                (trail, f"has {len(value)} characters, of at most {longest}", f"take out {len(value) - longest}")
            )
        if pattern is not None and not re.fullmatch(pattern, value):
            faults.append((trail, f"must be {bounds['form']}, not `{_shortened(value)}`", "write it in that form"))
        return plain_text(value) if len(faults) == known else None

    return check


def _listed(options: list[str]) -> str:
    return " or ".join(f"`{option}`" if option else "empty" for option in options)


def _near(value: str, options: list[str]) -> str:
    from ..values.nearest import nearest_name  # only a mistake needs it

    help_text = nearest_name(value, [option for option in options if option])
    return help_text if help_text and help_text.startswith("did you mean") else "write one of these"


def _boolean(value: Any, trail: Trail, faults: list[Fault]) -> Any:
    if isinstance(value, bool):
        return value
    help_text = "write it without quotes" if value in ("true", "false") else "write `true` or `false`"
    faults.append((trail, f"must be true or false, not {wording(value)}", help_text))
    return None


def _quantity(value: Any, trail: Trail, faults: list[Fault]) -> Any:
    from ..values.quantity import is_quantity  # most TrainJobs have no quantities

    whole = None if isinstance(value, str) else _whole(value)
    amount = value if whole is None else whole
    if is_quantity(amount):
        return plain_text(amount) if isinstance(amount, str) else amount
    help_text = 'write a fraction in quotes, as in "0.5"' if isinstance(value, float) else "write it like `2` or `500m`"
    faults.append((trail, f"must be a quantity, not {wording(value)}", help_text))
    return None


_INT_OR_TEXT_NUMBER: Final = _integer("int32", {})


def _int_or_text(value: Any, trail: Trail, faults: list[Fault]) -> Any:
    if isinstance(value, str):
        return plain_text(value)
    if _whole(value) is not None:
        return _INT_OR_TEXT_NUMBER(value, trail, faults)
    faults.append((trail, f"must be an integer or text, not {wording(value)}", "write a whole number, or a name"))
    return None


def _instant(value: Any, trail: Trail, faults: list[Fault]) -> Any:
    found = re.fullmatch(_INSTANT, value) if isinstance(value, str) else None
    if found is not None and _is_date(found["date"]):
        return plain_text(value)
    faults.append(
        (trail, f"must be a date and time, not {wording(value)}", "write it like `2026-01-31T12:00:00Z`, in quotes")
    )
    return None


def _is_date(text: str) -> bool:
    from datetime import date  # few manifests hold a time

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _any(value: Any, _trail: Trail, _faults: list[Fault]) -> Any:
    return plain_text(value) if isinstance(value, str) else value


_PLAIN: Final[Mapping[str, Check]] = {
    "boolean": _boolean,
    "quantity": _quantity,
    "intOrText": _int_or_text,
    "instant": _instant,
    "any": _any,
}
