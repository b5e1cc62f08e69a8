"""YAML under ``when`` and ``given`` becomes a condition."""

from ..errors import Problem
from ..values.nearest import nearest_name
from .condition import All, AnyOf, Condition, Not, Test
from .document import Cursor
from .expression import Constant
from .expression_reader import UNREADABLE, parse_term
from .report import report
from .shapes import is_list, is_map
from .words import WORDS

__all__ = ["MAX_DEPTH", "parse_condition"]

MAX_DEPTH = 32

_JOINS = ("all", "any", "not")


def parse_condition(cursor: Cursor, problems: list[Problem]) -> All:
    """The condition under ``when`` or ``given``: a list means all of it.

    What cannot be read adds to ``problems``; a test on no name stands in its place.
    """
    if is_list(cursor.raw):
        return All(items=_several(cursor, problems, 1))
    condition = _condition(cursor, problems, 1)
    return condition if isinstance(condition, All) else All(items=(condition,))


def _several(cursor: Cursor, problems: list[Problem], depth: int) -> tuple[Condition, ...]:
    return tuple(_condition(item, problems, depth) for item in cursor.each())


def _unreadable(cursor: Cursor) -> Test:
    """Keeps the place of a condition that could not be read, so that what is around it keeps its meaning."""
    return Test(name=UNREADABLE.name, word="present", operand=UNREADABLE, place=cursor.place)


def _condition(cursor: Cursor, problems: list[Problem], depth: int) -> Condition:
    raw: object = cursor.raw
    if depth > MAX_DEPTH:
        report(
            problems,
            cursor.place,
            f"conditions are nested deeper than {MAX_DEPTH} levels",
            "name a part of them by a derived name",
        )
        return _unreadable(cursor)
    if not is_map(raw):
        report(
            problems,
            cursor.place,
            "a condition is a test, or one of `all`, `any`, `not`",
            "write it like `{fact: NAME, equals: VALUE}`",
        )
        return _unreadable(cursor)
    joins = [key for key in raw if key in _JOINS]
    if not joins:
        return _test(cursor, raw, problems)
    if len(raw) > 1:
        others = ", ".join(f"`{key}`" for key in raw if key != joins[0])
        report(
            problems,
            cursor.place,
            f"`{joins[0]}` stands beside {others}",
            "one map holds one of `all`, `any`, `not` or one test",
        )
        return _unreadable(cursor)
    return _join(joins[0], cursor, problems, depth)


def _join(word: str, cursor: Cursor, problems: list[Problem], depth: int) -> Condition:
    inner = cursor.get(word)
    if inner is None:
        return _unreadable(cursor)
    if word == "not":
        if is_list(inner.raw):
            report(problems, inner.place, "`not` takes one condition, not a list", "put `all` or `any` between them")
            return _unreadable(inner)
        return Not(item=_condition(inner, problems, depth + 1))
    if not is_list(inner.raw):
        report(problems, inner.place, f"`{word}` takes a list of conditions", None)
        return _unreadable(inner)
    if not inner.raw:
        report(problems, inner.place, f"`{word}` needs one condition at least", None)
        return _unreadable(inner)
    items = _several(inner, problems, depth + 1)
    return All(items=items) if word == "all" else AnyOf(items=items)


def _test(cursor: Cursor, raw: dict[str, object], problems: list[Problem]) -> Test:
    name = raw.get("fact")
    words = [key for key in raw if key in WORDS]
    unknown = [key for key in raw if key != "fact" and key not in WORDS]
    for key in unknown:
        at = cursor.get(key)
        near = nearest_name(key, [*WORDS, "fact", *_JOINS])
        place = at.key_place if at is not None and at.key_place is not None else cursor.place
        report(problems, place, f"unknown word `{key}`", near or _known_words())
    if not isinstance(name, str):
        if not unknown or "fact" in raw:
            report(problems, cursor.place, "a test names one `fact`", "write it like `{fact: NAME, equals: VALUE}`")
        return _unreadable(cursor)
    if len(words) != 1:
        if words or not unknown:
            found = "has " + " and ".join(f"`{word}`" for word in words) if words else "has no word"
            report(problems, cursor.place, f"the test on `{name}` {found}; it takes exactly one", _known_words())
        return _unreadable(cursor)
    word = words[0]
    right = cursor.get(word)
    operand = UNREADABLE if right is None else parse_term(right, problems)
    if word in ("present", "empty") and operand is not UNREADABLE and not _is_boolean(operand):
        place = right.place if right is not None else cursor.place
        report(problems, place, f"`{word}` takes `true` or `false`", None)
        operand = UNREADABLE
    return Test(name=name, word=word, operand=operand, place=cursor.place)


def _is_boolean(operand: object) -> bool:
    return isinstance(operand, Constant) and isinstance(operand.value, bool)


def _known_words() -> str:
    return "the words are " + ", ".join(f"`{word}`" for word in WORDS)
