"""Values, terms, conditions and places in words."""

import json
from typing import TYPE_CHECKING, assert_never

from trainpolicy.engine import (
    All,
    AnyOf,
    Call,
    Constant,
    Entries,
    Items,
    Not,
    ObjectName,
    Reference,
    Template,
    Test,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainpolicy.engine import Condition, Place, Term, Value

__all__ = ["condition_lines", "place_text", "short", "term_text", "value_text"]

_OPERATORS = frozenset("+-*")
_LONGEST = 60


def value_text(value: "Value | None") -> str:
    """The value as it would stand in a rule; text that could be read as something else is quoted."""
    if value is None:
        return "absent"
    if isinstance(value, str):
        plain = value and value.isprintable() and value == value.strip() and value not in {"true", "false", "absent"}
        return value if plain and not value.lstrip("-").isdigit() else json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)


def short(value: "Value | None") -> str:
    """The value in words, cut where it would fill a line of its own."""
    text = value_text(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def place_text(place: "Place") -> str:
    """File and line; the column matters to editors only."""
    return place.file if place.line is None else f"{place.file}:{place.line}"


def term_text(term: "Term") -> str:
    """The term as it stands in a rule: a constant, or an expression in ``${…}``."""
    match term:
        case Constant():
            return value_text(term.value)
        case Template():
            return "".join(part if isinstance(part, str) else f"${{{_expression(part, 0)}}}" for part in term.parts)
        case Items():
            return "[" + ", ".join(term_text(item) for item in term.items) + "]"
        case Entries():
            return "{" + ", ".join(f"{key}: {term_text(item)}" for key, item in term.entries) + "}"
        case Reference() | Call() | ObjectName():
            return f"${{{_expression(term, 0)}}}"
        case _:
            assert_never(term)


def _expression(term: "Term", binding: int) -> str:
    match term:
        case Constant():
            return repr(term.value) if isinstance(term.value, str) else value_text(term.value)
        case Reference():
            return term.name
        case ObjectName():
            return f"name({term.object})"
        case Call() if term.function in _OPERATORS:
            strength = 2 if term.function == "*" else 1
            first, *rest = term.arguments
            text = f" {term.function} ".join(
                # What stands right of an operator of the same strength needs its own brackets.
                [_expression(first, strength), *(_expression(argument, strength + 1) for argument in rest)]
            )
            if not rest:
                text = term.function + text
            return f"({text})" if strength < binding else text
        case Call():
            return f"{term.function}({', '.join(_expression(argument, 0) for argument in term.arguments)})"
        case Template() | Items() | Entries():
            return term_text(term)
        case _:
            assert_never(term)


def condition_lines(condition: "Condition", indent: str = "") -> "Iterator[str]":
    """One line a test; ``all``, ``any`` and ``not`` as headings of what they hold."""
    match condition:
        case Test():
            yield f"{indent}{condition.name} {condition.word} {term_text(condition.operand)}"
        case All():
            yield from _group("all of", condition.items, indent)
        case AnyOf():
            yield from _group("any of", condition.items, indent)
        case Not():
            yield f"{indent}not"
            yield from condition_lines(condition.item, indent + "  ")
        case _:
            assert_never(condition)


def _group(heading: str, items: "tuple[Condition, ...]", indent: str) -> "Iterator[str]":
    yield indent + heading
    for item in items:
        yield from condition_lines(item, indent + "  ")
