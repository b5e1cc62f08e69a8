"""YAML values become terms: constants as they are, ``${…}`` as expressions, text around it as templates."""

from typing import TYPE_CHECKING

from ..errors import Place, Problem
from .expression import Constant, Entries, Items, Reference, Template, Term, Value
from .expression_parser import ExpressionError, parse_expression
from .functions import LARGEST, SMALLEST
from .report import report

if TYPE_CHECKING:
    from .yaml_source import Cursor

__all__ = ["MAX_VALUE_DEPTH", "UNREADABLE", "parse_term", "parse_value"]

MAX_VALUE_DEPTH = 32

UNREADABLE = Reference(name="")
"""Stands where a value could not be read, which is a problem already; checks pass over it."""


def parse_term(cursor: "Cursor", problems: list[Problem]) -> Term:
    """The term that a YAML value stands for; what cannot be read adds to ``problems`` and becomes UNREADABLE."""
    return _term(cursor, problems, 1)


def parse_value(cursor: "Cursor", problems: list[Problem]) -> Value | None:
    """A YAML value taken as it is, ``${`` and all; None when it cannot be a value, which adds to ``problems``."""
    raw = cursor.raw
    if isinstance(raw, str):
        return raw
    before = len(problems)
    term = _term(cursor, problems, 1, literal=True)
    return term.value if isinstance(term, Constant) and len(problems) == before else None


def _term(cursor: "Cursor", problems: list[Problem], depth: int, *, literal: bool = False) -> Term:
    raw = cursor.raw
    if isinstance(raw, str):
        return Constant(value=raw) if literal or "${" not in raw else _text(cursor, raw, problems)
    if isinstance(raw, bool):
        return Constant(value=raw)
    if isinstance(raw, int):
        if SMALLEST <= raw <= LARGEST:
            return Constant(value=raw)
        return _refuse(cursor, problems, "an integer outgrows 64 bits", None)
    if isinstance(raw, list | dict):
        if depth > MAX_VALUE_DEPTH:
            return _refuse(cursor, problems, f"a value is nested deeper than {MAX_VALUE_DEPTH} levels", None)
        if isinstance(raw, list):
            return _items(cursor, problems, depth, literal=literal)
        return _entries(cursor, problems, depth, literal=literal)
    if raw is None:
        return _refuse(
            cursor, problems, "there is no null in the language", "leave it out, or write a value; absent is absent"
        )
    if isinstance(raw, float):
        return _refuse(cursor, problems, f"`{raw}` is not an integer", "write a whole number, or text in quotes")
    return _refuse(cursor, problems, f"`{raw}` is no value of the language", "write text in quotes")


def _refuse(cursor: "Cursor", problems: list[Problem], cause: str, help_: str | None) -> Term:
    report(problems, cursor.place, cause, help_)
    return UNREADABLE


def _items(cursor: "Cursor", problems: list[Problem], depth: int, *, literal: bool) -> Term:
    terms = tuple(_term(item, problems, depth + 1, literal=literal) for item in cursor.each())
    constants = [term.value for term in terms if isinstance(term, Constant)]
    return Constant(value=constants) if len(constants) == len(terms) else Items(items=terms)


def _entries(cursor: "Cursor", problems: list[Problem], depth: int, *, literal: bool) -> Term:
    entries: list[tuple[str, Term]] = []
    for key, member in cursor.items():
        if "${" in key and not literal:
            cause = f"the key `{key}` holds an expression"
            report(problems, member.key_place, cause, "keys are written out; only values are computed")
        entries.append((key, _term(member, problems, depth + 1, literal=literal)))
    constants = {key: term.value for key, term in entries if isinstance(term, Constant)}
    return Constant(value=constants) if len(constants) == len(entries) else Entries(entries=tuple(entries))


def _text(cursor: "Cursor", text: str, problems: list[Problem]) -> Term:
    """Text with ``${…}`` in it; all its faults are collected."""
    parts: list[str | Term] = []
    before = len(problems)
    position = 0
    while True:
        start = text.find("${", position)
        if start < 0:
            parts.append(text[position:])
            break
        if start > position and text[start - 1] == "$":
            parts.append(text[position : start - 1] + "${")
            position = start + 2
            continue
        parts.append(text[position:start])
        end = text.find("}", start)
        if end < 0:
            _fault(cursor, problems, ExpressionError("`${` is never closed", start, "write `$${` for a plain `${`"))
            break
        expression = text[start + 2 : end]
        try:
            if "{" in expression:
                at = expression.index("{")
                raise ExpressionError("no brace can stand inside `${…}`", at, "close the expression with `}` first")  # noqa: TRY301
            parts.append(parse_expression(expression))
        except ExpressionError as error:
            error.offset += start + 2
            _fault(cursor, problems, error)
        position = end + 1
    if len(problems) > before:
        return UNREADABLE
    return _joined(parts)


def _joined(parts: list[str | Term]) -> Term:
    """The term itself when there is nothing around it, a constant when there is no term, else a template."""
    merged: list[str | Term] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    if len(merged) == 1:
        only = merged[0]
        return Constant(value=only) if isinstance(only, str) else only
    return Template(parts=tuple(merged))


def _fault(cursor: "Cursor", problems: list[Problem], error: ExpressionError) -> None:
    report(problems, _inside(cursor, error.offset), error.cause, error.help)


def _inside(cursor: "Cursor", offset: int) -> Place:
    return cursor.place
