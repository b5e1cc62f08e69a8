"""The words of tests: which there are, and when each holds for a value and its right side."""

from collections.abc import Callable
from typing import Any

from .expression import Value

__all__ = ["WORDS"]


def _same(value: Value, operand: Value) -> bool:
    # In Python 1 equals True; in a rule a number is never a boolean.
    if isinstance(value, list) and isinstance(operand, list):
        return len(value) == len(operand) and all(map(_same, value, operand))
    if isinstance(value, dict) and isinstance(operand, dict):
        return value.keys() == operand.keys() and all(_same(value[key], operand[key]) for key in value)
    return value == operand and isinstance(value, bool) is isinstance(operand, bool)


def _in(value: Value, items: list[Value]) -> bool:
    # Text is the same as nothing but text; lists of names are long where there are many jobs.
    return value in items if isinstance(value, str) else any(_same(value, item) for item in items)


def _has_form(value: str, form: str) -> bool:
    # Imported here: forms cost time to prepare, and few rules ask for one.
    from ..values.names import FORMS

    return FORMS[form](value)


# Any: loading has checked that both sides have the types that the word needs.
WORDS: dict[str, Callable[[Any, Any], bool]] = {
    "equals": _same,
    "not_equals": lambda value, operand: not _same(value, operand),
    "at_least": lambda value, operand: value >= operand,
    "at_most": lambda value, operand: value <= operand,
    "greater_than": lambda value, operand: value > operand,
    "less_than": lambda value, operand: value < operand,
    "one_of": _in,
    "none_of": lambda value, operand: not _in(value, operand),
    "present": lambda value, operand: (value is not None) is operand,
    "empty": lambda value, operand: (len(value) == 0) is operand,
    "contains": lambda value, operand: _in(operand, value),
    "contains_any": lambda value, operand: any(_in(item, value) for item in operand),
    "starts_with": lambda value, operand: value.startswith(operand),
    "ends_with": lambda value, operand: value.endswith(operand),
    "has_form": _has_form,
}
