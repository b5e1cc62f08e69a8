"""Terms: the right sides of rules, from a plain constant to ``${max(numNodes - 1, minWorkers)}``."""

from typing import Literal as OneOf
from typing import TypeAlias, assert_never

from ..record import Record

__all__ = ["Call", "Constant", "Entries", "Items", "ObjectName", "Reference", "Template", "Term", "Value", "children"]

Value: TypeAlias = bool | int | str | list["Value"] | dict[str, "Value"]
"""A value of the rule language. There is no null: absent is absent, and never false."""


class Constant(Record):
    """A value written out; ``value`` holds no term inside."""

    value: Value


class Reference(Record):
    """The value of a name: fact, derived name, setting, parameter or loop name."""

    name: str


class Call(Record):
    """An operator or function applied to terms; ``function`` is ``+ - *`` or a function's name."""

    function: str
    arguments: "tuple[Term, ...]"


class ObjectName(Record):
    """``name(object)``: the metadata.name of a manifest that the vocabulary declares under ``objects``."""

    object: str


class Template(Record):
    """Text with terms put into it; parts are text or terms."""

    parts: "tuple[str | Term, ...]"


class Items(Record):
    """A list with at least one term inside."""

    items: "tuple[Term, ...]"


class Entries(Record):
    """A map with at least one term among its values; keys are always constant."""

    entries: "tuple[tuple[str, Term], ...]"


Term: TypeAlias = Constant | Reference | Call | ObjectName | Template | Items | Entries
TypeName: TypeAlias = OneOf["integer", "boolean", "text", "list", "map"]


def children(term: Term) -> tuple[Term, ...]:
    """The terms that a term is made of, in the order they are written."""
    match term:
        case Constant() | Reference() | ObjectName():
            return ()
        case Call():
            return term.arguments
        case Template():
            return tuple(part for part in term.parts if not isinstance(part, str))
        case Items():
            return term.items
        case Entries():
            return tuple(value for _, value in term.entries)
        case _:
            assert_never(term)
