"""YAML under ``examples`` becomes examples; their values are taken as they are, without expressions."""

from typing import Literal, TypeAlias, get_args

from ..errors import Problem
from .document import Cursor
from .expression import Value
from .expression_reader import parse_value
from .report import report
from .rule import Example
from .shapes import is_list, is_map

__all__ = ["parse_examples"]

_Word: TypeAlias = Literal["none", "deny", "warn"]
_Then: TypeAlias = dict[str, Value] | _Word | None

_WORDS: dict[str, _Word] = {word: word for word in get_args(_Word)}


def parse_examples(cursor: Cursor, problems: list[Problem]) -> tuple[Example, ...]:
    """The examples of a rule, in their order; what cannot be read adds to ``problems`` and is left out."""
    if not isinstance(cursor.raw, list):
        report(problems, cursor.place, "`examples` is a list")
        return ()
    return tuple(example for item in cursor.each() for example in _example(item, problems))


def _example(cursor: Cursor, problems: list[Problem]) -> list[Example]:
    raw: object = cursor.raw
    name: object = raw.get("name") if is_map(raw) else None
    if not isinstance(name, str):
        report(problems, cursor.place, "an example has no `name`")
        return []
    facts_at, then_at = cursor.get("facts"), cursor.get("then")
    facts = {} if facts_at is None else _values(facts_at, problems)
    if then_at is None:
        report(problems, cursor.place, f"the example `{name}` does not say what comes out", "add `then`")
        return []
    before = len(problems)
    then, lacking = _expectation(then_at, problems)
    if len(problems) > before:
        return []
    return [Example(name=name, facts=facts, then=then, cannot_tell=lacking, place=cursor.place)]


def _expectation(cursor: Cursor, problems: list[Problem]) -> tuple[_Then, tuple[str, ...] | None]:
    raw: object = cursor.raw
    if isinstance(raw, str) and raw in _WORDS:
        return _WORDS[raw], None
    if is_map(raw) and raw:
        if "cannot_tell" not in raw:
            return _values(cursor, problems), None
        names: object = raw["cannot_tell"]
        if len(raw) == 1 and is_list(names) and all(isinstance(name, str) for name in names):
            return None, tuple(names)
    words = ", ".join(f"`{word}`" for word in _WORDS)
    help_ = f"write values, {words} or `{{cannot_tell: [FACT]}}`"
    report(problems, cursor.place, "`then` of an example cannot be read", help_)
    return None, None


def _values(cursor: Cursor, problems: list[Problem]) -> dict[str, Value]:
    if not is_map(cursor.raw):
        report(problems, cursor.place, "an example has a map from names to values")
        return {}
    values: dict[str, Value] = {}
    for name, inner in cursor.items():
        value = parse_value(inner, problems)
        if value is not None:
            values[name] = value
    return values
