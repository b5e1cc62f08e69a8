"""Tests: the answer to one (yes, no, cannot tell), and the class of values that one answers alike."""

from collections.abc import Callable
from typing import Any, assert_never

from ..language.condition import All, AnyOf, Condition, Not, Test
from ..language.expression import Value

__all__ = ["WORDS", "answer", "holds"]


def answer(word: str, value: Value | None, operand: Value | None) -> bool | None:
    """Whether a test holds; None when it cannot tell because the value or its right side is missing.

    ``present`` and ``empty`` take a boolean operand; ``present`` always can tell.
    """
    if word == "present":
        return (value is not None) is operand
    if value is None or operand is None:
        return None
    return WORDS[word](value, operand)


def _same(value: Value, operand: Value) -> bool:
    # In Python 1 equals True; in a rule a number is never a boolean.
    return value == operand and isinstance(value, bool) is isinstance(operand, bool)


def _in(value: Value, operand: Value) -> bool:
    return any(_same(value, item) for item in operand)  # type: ignore[union-attr]


WORDS: dict[str, Callable[[Any, Any], bool]] = {
    "equals": _same,
    "not_equals": lambda value, operand: not _same(value, operand),
    "at_least": lambda value, operand: value >= operand,
    "at_most": lambda value, operand: value <= operand,
    "greater_than": lambda value, operand: value > operand,
    "less_than": lambda value, operand: value < operand,
    "one_of": _in,
    "none_of": lambda value, operand: not _in(value, operand),
    "empty": lambda value, operand: (len(value) == 0) is operand,
    "contains": lambda value, operand: _in(operand, value) if isinstance(value, list) else operand in value,
    "contains_any": lambda value, operand: any(_in(item, value) for item in operand),
    "starts_with": lambda value, operand: value.startswith(operand),
    "ends_with": lambda value, operand: value.endswith(operand),
}


def holds(condition: Condition, answers: Callable[[Test], bool | None]) -> bool | None:
    """Join answers: in ``all`` a no beats cannot-tell beats yes, ``any`` mirrors it, ``not`` keeps cannot-tell."""
    match condition:
        case Test():
            return answers(condition)
        case Not():
            inner = holds(condition.item, answers)
            return None if inner is None else not inner
        case All():
            results = [holds(item, answers) for item in condition.items]
            return False if False in results else None if None in results else True
        case AnyOf():
            results = [holds(item, answers) for item in condition.items]
            return True if True in results else None if None in results else False
        case _:
            assert_never(condition)
