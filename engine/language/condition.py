"""Conditions: tests on facts, joined by all, any and not."""

from typing import TypeAlias, assert_never

from ..errors import Place
from ..record import Record
from .expression import Term

__all__ = ["All", "AnyOf", "Condition", "Not", "Test", "tests_of"]


class Test(Record):
    """One fact and one word, for example ``{fact: numNodes, at_least: 2}``.

    ``name`` is any name of the vocabulary that can be read. For ``present`` and ``empty`` the operand is a Constant
    holding a boolean.
    """

    name: str
    word: str
    operand: Term
    place: Place


class All(Record):
    """Holds when every item holds; an empty one always holds."""

    items: "tuple[Condition, ...]"


class AnyOf(Record):
    """Holds when one item holds."""

    items: "tuple[Condition, ...]"


class Not(Record):
    """Holds when its item does not; what cannot tell stays so."""

    item: "Condition"


Condition: TypeAlias = Test | All | AnyOf | Not


def tests_of(condition: Condition) -> list[Test]:
    """All tests of a condition, in the order they are written."""
    match condition:
        case Test():
            return [condition]
        case All() | AnyOf():
            return [test for item in condition.items for test in tests_of(item)]
        case Not():
            return tests_of(condition.item)
        case _:
            assert_never(condition)
