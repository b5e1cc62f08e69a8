"""Answers: yes, no or cannot tell to one test, and joined through all, any and not."""

from collections.abc import Callable
from typing import assert_never

from ..language.condition import All, AnyOf, Condition, Not, Test
from ..language.expression import Value
from ..language.words import WORDS

__all__ = ["answer", "holds"]


def answer(word: str, value: Value | None, operand: Value | None) -> bool | None:
    """Whether a test holds; None when it cannot tell because the value or its right side is missing.

    ``present`` and ``empty`` take a boolean operand; ``present`` always can tell.
    """
    if word != "present" and (value is None or operand is None):
        return None
    return WORDS[word](value, operand)


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
