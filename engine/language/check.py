"""Everything about rules that can be known without running them, all at once."""

from collections.abc import Iterable

from ..errors import InvalidRules, Problem
from ..values.nearest import nearest_name
from .check_context import Context, make_context
from .check_examples import check_examples
from .check_guards import check_guards
from .check_objects import check_objects
from .check_satisfiable import check_satisfiable
from .check_statements import check_statements
from .check_tests import check_tests
from .condition import All
from .dnf import to_dnf
from .report import report
from .rule import Rule, Write
from .vocabulary import Derived, Vocabulary

__all__ = ["check_rules"]


def check_rules(rules: Iterable[Rule], vocabulary: Vocabulary) -> list[Problem]:
    """Problems of all rules, sorted by place; none when they may be compiled.

    ``rules`` are those in force and those that the profile switches off, so that ``overrides`` may name either.
    """
    listed = tuple(rules)
    problems: list[Problem] = []
    check_objects(vocabulary, problems)
    for rule in listed:
        _check_rule(rule, make_context(rule, vocabulary, problems))
    _check_ids(listed, problems)
    _check_overrides(listed, problems)
    _check_lists(listed, vocabulary, problems)
    return _sorted(problems)


def _check_rule(rule: Rule, context: Context) -> None:
    before = len(context.problems)
    check_tests(rule.given, context)
    check_tests(rule.condition, context)
    sound = len(context.problems) == before
    try:
        alternatives = to_dnf(All(items=(rule.given, rule.condition)))
    except InvalidRules as error:
        context.problems.extend(error.problems)
    else:
        # A condition that could not be read may be the very guard that seems to be missing.
        if all(test.name for alternative in alternatives for test, _ in alternative):
            check_guards(rule, alternatives, context)
            if sound:
                check_satisfiable(rule, alternatives, context)
    check_statements(rule, context)
    check_examples(rule, context)


def _check_ids(rules: tuple[Rule, ...], problems: list[Problem]) -> None:
    first: dict[str, Rule] = {}
    for rule in rules:
        other = first.setdefault(rule.id, rule)
        if other is not rule:
            cause = f"the rule id `{rule.id}` is taken"
            report(problems, rule.place, cause, f"it is used at {other.place}", rule.id)


def _check_overrides(rules: tuple[Rule, ...], problems: list[Problem]) -> None:
    known = {rule.id: rule for rule in rules}
    for rule in rules:
        for other in rule.overrides:
            if other == rule.id:
                report(problems, rule.place, f"the rule `{rule.id}` overrides itself", None, rule.id)
            elif other not in known:
                hint = nearest_name(other, known)
                report(problems, rule.place, f"unknown rule `{other}` in `overrides`", hint, rule.id)
            elif rule.id in known[other].overrides:
                cause = f"the rules `{rule.id}` and `{other}` override each other"
                report(problems, rule.place, cause, "decide which one gives way", rule.id)


def _check_lists(rules: tuple[Rule, ...], vocabulary: Vocabulary, problems: list[Problem]) -> None:
    """A derived list is filled by ``append`` or given as a whole, not both."""
    whole: dict[str, str] = {}
    appended: list[tuple[Write, Rule]] = []
    for rule in rules:
        for statement in rule.statements:
            if isinstance(statement, Write) and isinstance(vocabulary.names.get(statement.name), Derived):
                if statement.kind == "append":
                    appended.append((statement, rule))
                else:
                    whole.setdefault(statement.name, rule.id)
    for write, rule in appended:
        entry = vocabulary.names[write.name]
        if isinstance(entry, Derived) and entry.default is not None:
            cause = f"`{write.name}` is filled by `append` and has a default in the vocabulary"
            report(problems, write.place, cause, "leave the default out; a list without items is empty", rule.id)
        if write.name in whole:
            cause = f"`{write.name}` is filled by `append` here and given as a whole by the rule `{whole[write.name]}`"
            report(problems, write.place, cause, "use one of the two for a list", rule.id)


def _sorted(problems: list[Problem]) -> list[Problem]:
    """Each fault once (rules of one file share their ``given``), in the order of files and lines."""
    once = {(problem.place, problem.cause): problem for problem in reversed(problems)}

    def key(problem: Problem) -> tuple[str, int, int, str]:
        place = problem.place
        return (
            ("", 0, 0, problem.cause)
            if place is None
            else (place.file, place.line or 0, place.column or 0, problem.cause)
        )

    return sorted(once.values(), key=key)
