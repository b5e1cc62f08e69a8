"""A rule file becomes rules. Its shape has been checked before; what is read here is the meaning of each part."""

from ..errors import Problem
from .condition import All, tests_of
from .condition_reader import parse_condition
from .document import Cursor
from .example_reader import parse_examples
from .report import report
from .rule import Rule
from .shapes import is_list, is_map
from .statement_reader import parse_statements

__all__ = ["MAX_TESTS", "parse_rule_file"]

MAX_TESTS = 500

_ALWAYS = All(items=())


def parse_rule_file(cursor: Cursor, problems: list[Problem]) -> tuple[Rule, ...]:
    """The rules of one file, in its order; each has the file's ``given``.

    What cannot be read adds to ``problems``; a rule without a usable ``id`` is left out.
    """
    given_at = cursor.get("given")
    given = _ALWAYS if given_at is None else parse_condition(given_at, problems)
    listed = cursor.get("rules")
    if listed is None or not is_list(listed.raw):
        return ()
    rules = [_rule(item, given, problems) for item in listed.each()]
    return tuple(rule for rule in rules if rule is not None)


def _rule(cursor: Cursor, given: All, problems: list[Problem]) -> Rule | None:
    id_at = cursor.get("id") if is_map(cursor.raw) else None
    if id_at is None or not isinstance(id_at.raw, str):
        report(problems, cursor.place, "a rule has no `id`")
        return None
    when_at = cursor.get("when")
    then_at = cursor.get("then")
    examples_at = cursor.get("examples")
    condition = _ALWAYS if when_at is None else parse_condition(when_at, problems)
    tests = len(tests_of(given)) + len(tests_of(condition))
    if tests > MAX_TESTS:
        cause = f"the rule has {tests} tests; {MAX_TESTS} are possible"
        report(problems, id_at.place, cause, "name a part of them by a derived name", id_at.raw)
        return None
    return Rule(
        id=id_at.raw,
        title=_text(cursor, "title") or "",
        why=_text(cursor, "why"),
        source=_texts(cursor, "source"),
        for_each=_text(cursor, "for_each"),
        given=given,
        condition=condition,
        statements=() if then_at is None else parse_statements(then_at, problems),
        overrides=_texts(cursor, "overrides"),
        examples=() if examples_at is None else parse_examples(examples_at, problems),
        place=id_at.place,
    )


def _text(cursor: Cursor, key: str) -> str | None:
    raw = cursor.raw.get(key)
    return raw if isinstance(raw, str) else None


def _texts(cursor: Cursor, key: str) -> tuple[str, ...]:
    raw: object = cursor.raw.get(key)
    return tuple(item for item in raw if isinstance(item, str)) if is_list(raw) else ()
