"""YAML under ``then`` becomes statements, each with the place of the name that it writes."""

from typing import Literal, get_args

from ..errors import Place, Problem
from ..values.nearest import nearest_name
from .document import Cursor
from .expression import Term
from .expression_reader import UNREADABLE, parse_term
from .report import report
from .rule import Advice, Create, Order, Repeat, Statement, Write
from .shapes import is_list, is_map

__all__ = ["STATEMENTS", "parse_statements"]

_WriteKind = Literal["define", "default", "set", "merge", "upsert", "append"]
_AdviceKind = Literal["deny", "warn"]

_WRITES: dict[str, _WriteKind] = {kind: kind for kind in get_args(_WriteKind)}
_ADVICE: dict[str, _AdviceKind] = {kind: kind for kind in get_args(_AdviceKind)}

STATEMENTS = (*_WRITES, "order", "create", *_ADVICE)
"""The words that ``then`` may hold."""


def parse_statements(cursor: Cursor, problems: list[Problem]) -> tuple[Statement, ...]:
    """The statements of a rule, in the order they are written; what cannot be read adds to ``problems``."""
    if not is_map(cursor.raw):
        report(problems, cursor.place, "`then` is a map of statements", _known())
        return ()
    statements: list[Statement] = []
    for word, inner in cursor.items():
        if word in _ADVICE:
            statements += _advice(_ADVICE[word], inner, problems)
        elif word not in STATEMENTS:
            near = nearest_name(word, STATEMENTS)
            report(problems, inner.key_place or inner.place, f"unknown statement `{word}`", near or _known())
        elif not is_map(inner.raw):
            report(problems, inner.place, f"`{word}` is a map from names to values", None)
        elif word == "order":
            statements += [order for name, at in inner.items() for order in _order(name, at, problems)]
        elif word == "create":
            statements += [
                Create(object=name, manifest=parse_term(at, problems), place=_place(at)) for name, at in inner.items()
            ]
        else:
            statements += [_write(_WRITES[word], name, at, problems) for name, at in inner.items()]
    return tuple(statements)


def _write(kind: _WriteKind, name: str, cursor: Cursor, problems: list[Problem]) -> Write:
    repeats = kind == "append" and is_map(cursor.raw) and "repeat" in cursor.raw
    value = _repeat(cursor, problems) if repeats else parse_term(cursor, problems)
    return Write(kind=kind, name=name, value=value, place=_place(cursor))


def _repeat(cursor: Cursor, problems: list[Problem]) -> Term | Repeat:
    before = len(problems)
    for key, inner in cursor.items():
        if key not in ("repeat", "text"):
            report(
                problems,
                inner.key_place or inner.place,
                f"unknown key `{key}` beside `repeat`",
                "a repeat has `repeat` and `text`",
            )
    loops_at, text_at = cursor.get("repeat"), cursor.get("text")
    loops: list[tuple[str, Term]] = []
    if loops_at is None or not is_list(loops_at.raw) or not loops_at.raw:
        report(problems, cursor.place, "`repeat` is a list of loops", 'write it like `[{number: "${COUNT}"}]`')
    else:
        for loop in loops_at.each():
            if not is_map(loop.raw) or len(loop.raw) != 1:
                report(
                    problems, loop.place, "a loop is one name with its number of rounds", "write it like `{number: 3}`"
                )
                continue
            loops += [(name, parse_term(bound, problems)) for name, bound in loop.items()]
    if text_at is None:
        report(problems, cursor.place, "`repeat` lacks its `text`", None)
        return UNREADABLE
    text = parse_term(text_at, problems)
    return Repeat(loops=tuple(loops), text=text) if len(problems) == before else UNREADABLE


def _order(name: str, cursor: Cursor, problems: list[Problem]) -> list[Order]:
    match cursor.raw:
        case {"first": str() as first, "then": str() as then, **others} if not others:
            return [Order(name=name, first=first, then=then, place=_place(cursor))]
        case _:
            report(
                problems,
                cursor.place,
                f"the order of `{name}` names what comes `first` and what comes `then`",
                "write it like `{first: A, then: B}`",
            )
            return []


def _advice(kind: _AdviceKind, cursor: Cursor, problems: list[Problem]) -> list[Advice]:
    if not is_map(cursor.raw):
        report(problems, cursor.place, f"`{kind}` is a map with `about`, `message` and `help`", None)
        return []
    about: object = cursor.raw.get("about")
    message_at, help_at = cursor.get("message"), cursor.get("help")
    if not isinstance(about, str) or message_at is None:
        report(problems, cursor.place, f"`{kind}` needs `about` and `message`", None)
        return []
    message = parse_term(message_at, problems)
    help_ = None if help_at is None else parse_term(help_at, problems)
    return [Advice(kind=kind, about=about, message=message, help=help_, place=_place(cursor))]


def _place(cursor: Cursor) -> Place:
    return cursor.key_place or cursor.place


def _known() -> str:
    return "the statements are " + ", ".join(f"`{word}`" for word in STATEMENTS)
