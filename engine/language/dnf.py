"""Disjunctive normal form: a condition as alternatives, each a plain list of tests that are wanted true or false."""

from math import prod
from typing import TypeAlias, assert_never

from ..errors import InvalidRules, Place, Problem, ProblemKind
from .condition import All, AnyOf, Condition, Not, Test

__all__ = ["MAX_ALTERNATIVES", "Alternative", "to_dnf"]

MAX_ALTERNATIVES = 512

Alternative: TypeAlias = tuple[tuple[Test, bool], ...]
"""Tests that must all be answered as wanted; an empty one always holds."""


def to_dnf(condition: Condition) -> tuple[Alternative, ...]:
    """The alternatives of a condition, in the order they are written; ``not`` is pushed down to the tests.

    Raises:
        InvalidRules: there are more than 512 alternatives; the problem's place is that of the first test.
    """
    count = _count(condition, wanted=True)
    if count > MAX_ALTERNATIVES:
        raise InvalidRules(
            [
                Problem(
                    kind=ProblemKind.INVALID,
                    cause=f"the conditions have {_about(count)} alternatives; {MAX_ALTERNATIVES} are possible",
                    help="name a part of them by a derived name",
                    place=_first(condition),
                )
            ]
        )
    return _expand(condition, wanted=True)


def _about(count: int) -> str:
    # A number with hundreds of digits helps nobody.
    return str(count) if count < 10**9 else "more than a thousand million"


def _first(condition: Condition) -> Place | None:
    """The place of the first test, for a condition as a whole has none."""
    match condition:
        case Test():
            return condition.place
        case Not():
            return _first(condition.item)
        case All() | AnyOf():
            return next((place for place in map(_first, condition.items) if place is not None), None)
        case _:
            assert_never(condition)


def _count(condition: Condition, *, wanted: bool) -> int:
    """How many alternatives expanding would give, counted before any of them is made."""
    match condition:
        case Test():
            return 1
        case Not():
            return _count(condition.item, wanted=not wanted)
        case All() | AnyOf():
            counts = [_count(item, wanted=wanted) for item in condition.items]
            # At least 1 each: an alternative that never holds must not hide how many others there are.
            return max(prod(counts) if isinstance(condition, All) is wanted else sum(counts), 1)
        case _:
            assert_never(condition)


def _expand(condition: Condition, *, wanted: bool) -> tuple[Alternative, ...]:
    match condition:
        case Test():
            return (((condition, wanted),),)
        case Not():
            return _expand(condition.item, wanted=not wanted)
        case All() | AnyOf():
            parts = [_expand(item, wanted=wanted) for item in condition.items]
            if isinstance(condition, All) is not wanted:
                return tuple(alternative for part in parts for alternative in part)
            joined: tuple[Alternative, ...] = ((),)
            for part in parts:
                joined = tuple(start + end for start in joined for end in part)
            return joined
        case _:
            assert_never(condition)
