"""The operators and functions of expressions: what they take, what they give, and how they compute it."""

import json
from collections.abc import Callable
from typing import Any

from ..record import Record
from .expression import Value

__all__ = ["FUNCTIONS", "RESERVED", "EvaluationError", "Function", "to_text"]

LARGEST = 2**63 - 1
SMALLEST = -(2**63)


class EvaluationError(Exception):
    """A function has no answer for these values; ``cause`` and ``help`` are worded like those of a Problem."""

    def __init__(self, cause: str, help: str | None = None) -> None:  # noqa: A002 - named as in Problem
        self.cause = cause
        self.help = help
        super().__init__(cause)


class Function(Record):
    """One function.

    ``accepts`` has the types that each argument may have: ``integer``, ``text``, ``boolean``, ``map``, ``list``,
    ``list of text``, ``list of integer``. ``result`` is a type, ``element`` (an element of the first argument) or
    ``list`` (a list like the first argument). A ``variadic`` one also takes two or more integers in place of its list.
    """

    name: str
    call: Callable[..., Value]
    accepts: tuple[tuple[str, ...], ...]
    result: str
    variadic: bool = False


def to_text(value: Value) -> str:
    """A value inside text: booleans read ``true`` and ``false``, lists and maps cannot stand there.

    Raises:
        EvaluationError: the value is a list or a map.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    raise EvaluationError("a list or a map cannot stand in text", "put a single value there, for example with join")


def _bounded(value: int) -> int:
    # Integers are those of 64 bits, as in CEL and in the Kubernetes API; beyond them is a problem, never a wrap.
    if SMALLEST <= value <= LARGEST:
        return value
    raise EvaluationError("an integer outgrows 64 bits", "bound the values that are added or multiplied")


def _add(left: int, right: int) -> int:
    return _bounded(left + right)


def _subtract(left: int, right: int) -> int:
    return _bounded(left - right)


def _multiply(left: int, right: int) -> int:
    return _bounded(left * right)


def _extreme(name: str, choose: Callable[[list[int]], int]) -> Callable[..., Value]:
    def extreme(*arguments: Any) -> Value:
        numbers: list[int] = arguments[0] if len(arguments) == 1 else list(arguments)
        if not numbers:
            raise EvaluationError(f"`{name}` of an empty list", "test first that the list is not empty")
        return choose(numbers)

    return extreme


def _join(items: list[str], between: str) -> str:
    return between.join(items)


def _first(items: list[Value]) -> Value:
    if not items:
        raise EvaluationError("`first` of an empty list", "test first that the list is not empty")
    return items[0]


def _identity(value: Value) -> str:
    """Equal for values that are equal in a rule, where 1 is not true."""
    return json.dumps(value, sort_keys=True)


def _common(left: list[Value], right: list[Value]) -> list[Value]:
    """What both lists hold, each once, in the order of the first."""
    wanted = {_identity(item) for item in right}
    found: dict[str, Value] = {}
    for item in left:
        identity = _identity(item)
        if identity in wanted:
            found.setdefault(identity, item)
    return list(found.values())


def _quantity(amounts: dict[str, Value], containing: str) -> int:
    """The one amount whose name contains the text, upper and lower case alike, rounded up; 0 when there is none."""
    # Imported here: quantities cost time to import, and only rules that count resources need them.
    from ..values.quantity import integer_value

    names = [name for name in amounts if containing.lower() in name.lower()]
    if len(names) > 1:
        listed = ", ".join(f"`{name}`" for name in names)
        raise EvaluationError(f"`quantity` finds more than one name that contains `{containing}`: {listed}", "keep one")
    if not names:
        return 0
    amount = amounts[names[0]]
    try:
        return integer_value(amount)  # type: ignore[arg-type]
    except ValueError as error:
        raise EvaluationError(f"`{names[0]}` is no quantity: `{amount}`", "write it like `2` or `500m`") from error


_NUMBERS = (("integer",), ("integer",))

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function(name="+", call=_add, accepts=_NUMBERS, result="integer"),
        Function(name="-", call=_subtract, accepts=_NUMBERS, result="integer"),
        Function(name="*", call=_multiply, accepts=_NUMBERS, result="integer"),
        Function(
            name="min", call=_extreme("min", min), accepts=(("list of integer",),), result="integer", variadic=True
        ),
        Function(
            name="max", call=_extreme("max", max), accepts=(("list of integer",),), result="integer", variadic=True
        ),
        Function(name="len", call=len, accepts=(("list", "map", "text"),), result="integer"),
        Function(name="join", call=_join, accepts=(("list of text",), ("text",)), result="text"),
        Function(name="first", call=_first, accepts=(("list",),), result="element"),
        Function(name="common", call=_common, accepts=(("list",), ("list",)), result="list"),
        Function(name="text", call=to_text, accepts=(("integer", "boolean", "text"),), result="text"),
        Function(name="quantity", call=_quantity, accepts=(("map",), ("text",)), result="integer"),
    )
}

RESERVED = frozenset(name for name in FUNCTIONS if name.isalpha()) | {"name"}
"""Names that no fact, setting, parameter or loop may have."""
