"""YAML values become terms: constants as they are, ``${…}`` as expressions, text around it as templates."""

from ..errors import Problem
from .document import Cursor
from .expression import Constant, Entries, Items, Reference, Template, Term, Value
from .expression_parser import ExpressionError, parse_expression
from .functions import LARGEST, SMALLEST
from .report import report

__all__ = ["MAX_VALUE_DEPTH", "UNREADABLE", "parse_term", "parse_value"]

MAX_VALUE_DEPTH = 32
_SHOWN = 80

UNREADABLE = Reference(name="")
"""Stands where a value could not be read, which is a problem already; checks pass over it."""


def parse_term(cursor: Cursor, problems: list[Problem]) -> Term:
    """The term that a YAML value stands for; what cannot be read adds to ``problems`` and becomes UNREADABLE."""
    return _term(cursor, problems, 1)


def parse_value(cursor: Cursor, problems: list[Problem]) -> Value | None:
    """A YAML value taken as it is, ``${`` and all; None when it cannot be a value, which adds to ``problems``."""
    before = len(problems)
    term = _term(cursor, problems, 1, literal=True)
    return term.value if isinstance(term, Constant) and len(problems) == before else None


def _term(cursor: Cursor, problems: list[Problem], depth: int, *, literal: bool = False) -> Term:
    raw = cursor.raw
    match raw:
        case str():
            return Constant(value=raw) if literal or "${" not in raw else _text(cursor, raw, problems)
        case bool():
            return Constant(value=raw)
        case int() if SMALLEST <= raw <= LARGEST:
            return Constant(value=raw)
        case list() if depth <= MAX_VALUE_DEPTH:
            return _items(cursor, problems, depth, literal=literal)
        case dict() if depth <= MAX_VALUE_DEPTH:
            return _entries(cursor, problems, depth, literal=literal)
        case _:
            report(problems, cursor.place, *_no_value(raw))
            return UNREADABLE


def _no_value(raw: object) -> tuple[str, str | None]:
    """Why something is no value of the language, and what helps."""
    match raw:
        case None:
            return "there is no null in the language", "leave it out, or write a value; absent is absent"
        case list() | dict():
            return f"a value is nested deeper than {MAX_VALUE_DEPTH} levels", None
        case int():
            return "an integer outgrows 64 bits", None
        case _:
            return f"`{raw}` is no value of the language", "write text in quotes"


def _items(cursor: Cursor, problems: list[Problem], depth: int, *, literal: bool) -> Term:
    terms = tuple(_term(item, problems, depth + 1, literal=literal) for item in cursor.each())
    constants = [term.value for term in terms if isinstance(term, Constant)]
    return Constant(value=constants) if len(constants) == len(terms) else Items(items=terms)


def _entries(cursor: Cursor, problems: list[Problem], depth: int, *, literal: bool) -> Term:
    entries: list[tuple[str, Term]] = []
    for key, member in cursor.items():
        if "${" in key and not literal:
            cause = f"the key `{key}` holds an expression"
            report(problems, member.key_place, cause, "keys are written out; only values are computed")
        entries.append((key, _term(member, problems, depth + 1, literal=literal)))
    constants = {key: term.value for key, term in entries if isinstance(term, Constant)}
    return Constant(value=constants) if len(constants) == len(entries) else Entries(entries=tuple(entries))


def _text(cursor: Cursor, text: str, problems: list[Problem]) -> Term:
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


def _fault(cursor: Cursor, problems: list[Problem], error: ExpressionError) -> None:
    """Quotes, escapes and folded lines hide the column of a character, so the message counts within the text."""
    text: str = cursor.raw
    whole = f"`{text}`" if len(text) <= _SHOWN and text.isprintable() else "the text"
    report(problems, cursor.place, f"{error.cause} (character {error.offset + 1} of {whole})", error.help)
