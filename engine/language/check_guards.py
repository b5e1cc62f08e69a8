"""Presence: a rule uses a fact only where the fact is sure to be there."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from ..errors import Place
from .check_context import Context, always_known
from .check_terms import references
from .condition import Test
from .dnf import Alternative
from .expression import Constant, Term
from .rule import Advice, Create, Order, Repeat, Rule, Statement, Write
from .vocabulary import Fact

__all__ = ["check_guards", "read_values"]


def read_values(rule: Rule, context: Context) -> Iterator[tuple[str, Place]]:
    """Names that the values of a rule read, without its loops, each with the place of its statement."""
    for statement in rule.statements:
        terms, loops = _values(statement)
        for term in terms:
            yield from ((name, statement.place) for name in references(term, context) if name not in loops)


def _values(statement: Statement) -> tuple[tuple[Term, ...], frozenset[str]]:
    """The terms of a statement, and the names that its loops give."""
    match statement:
        case Write():
            value = statement.value
            if not isinstance(value, Repeat):
                return (value,), frozenset()
            return (*(bound for _, bound in value.loops), value.text), frozenset(name for name, _ in value.loops)
        case Create():
            return (statement.manifest,), frozenset()
        case Advice():
            return (statement.message,) if statement.help is None else (statement.message, statement.help), frozenset()
        case Order():
            return (), frozenset()
        case _:
            assert_never(statement)


def check_guards(rule: Rule, alternatives: tuple[Alternative, ...], context: Context) -> None:
    """Report each fact that an alternative uses without testing that it is there."""
    guarded = [frozenset(_present(alternative)) for alternative in alternatives]
    reported: set[tuple[str, Place]] = set()
    for alternative, present in zip(alternatives, guarded, strict=True):
        for test, _ in alternative:
            names = [test.name] if test.word != "present" else []
            for name in [*names, *references(test.operand, context)]:
                if name not in present and (name, test.place) not in reported and _needs_guard(name, context):
                    reported.add((name, test.place))
                    _report(name, test.place, len(alternatives), context)
    everywhere = guarded[0].intersection(*guarded) if guarded else frozenset[str]()
    for name, place in read_values(rule, context):
        if name not in everywhere and (name, place) not in reported and _needs_guard(name, context):
            reported.add((name, place))
            _report(name, place, len(alternatives), context)


def _present(alternative: Iterable[tuple[Test, bool]]) -> Iterator[str]:
    for test, wanted in alternative:
        if test.word == "present" and isinstance(test.operand, Constant) and test.operand.value is wanted:
            yield test.name


def _needs_guard(name: str, context: Context) -> bool:
    entry = context.vocabulary.names.get(name)
    return isinstance(entry, Fact) and not always_known(entry)


def _report(name: str, place: Place, alternatives: int, context: Context) -> None:
    where = " in every alternative that uses it" if alternatives > 1 else ""
    context.report(
        place,
        f"the fact `{name}` may be missing",
        f"test `{{fact: {name}, present: true}}`{where}, or give it a default",
    )
