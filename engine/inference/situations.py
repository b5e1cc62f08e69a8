"""Situations and plans: which statements take effect for one pattern of answers, worked out once and remembered.

The rules that hold depend only on the answers to a stage's tests, its situation. A plan says for that situation which
statements win, which lose and why, and which cannot tell; arithmetic is left to every evaluation.
"""

import threading
from functools import partial
from typing import cast

from ..language.condition import All, Test, tests_of
from ..language.dnf import to_dnf
from ..language.expression import Constant, Value
from ..language.rule import Advice, Write
from ..record import Record
from .layout import Layout, Rows
from .leaves import answer, holds
from .matcher import Matcher, make_matcher
from .source import Source, component
from .stages import Entry, Stage, term_reads
from .terms import Lookup, evaluate_term

__all__ = ["Plan", "Situations", "ask"]

REMEMBERED = 4096
"""Plans kept for one stage in each of two generations; the older one is dropped when the younger is full."""


class Plan(Record, eq=False):
    """What a stage does in one situation.

    ``winners`` maps a name to the entries that give it a value (several only if their rules agree or conflict);
    ``losers`` are held entries that lose, with the reason; ``lacking`` cannot tell; ``open`` are the names that
    stay without the value that a lacking entry might have given; ``advice`` are denials and warnings that hold.
    """

    stage: Stage
    winners: dict[str, tuple[Entry, ...]]
    losers: tuple[tuple[Entry, str], ...]
    lacking: tuple[Entry, ...]
    open: tuple[str, ...]
    advice: tuple[Entry, ...]

    @property
    def speaks(self) -> bool:
        """Whether there is anything to report beyond the values."""
        return bool(self.advice or self.lacking)


class _Clause:
    """A condition with the names that must be known besides, shared by the statements of a rule that need the same."""

    __slots__ = ("condition", "entries", "indexes", "known")

    def __init__(self, condition: All, known: tuple[str, ...]) -> None:
        self.condition = condition
        self.known = known
        self.entries: list[Entry] = []
        self.indexes: list[int] = []


class Situations:
    """The plans of one stage. Safe from many threads: a plan is made under a lock and read without one."""

    __slots__ = ("_clauses", "_layout", "_leaves", "_lock", "_matcher", "_matcher_name", "_tests", "stage")

    def __init__(self, stage: Stage, layout: Layout, matcher: str) -> None:
        self.stage = stage
        self._layout = layout
        self._matcher_name = matcher
        self._matcher: Matcher | None = None
        self._lock = threading.Lock()
        self._leaves: dict[tuple[str, str, str], int] = {}
        self._tests: list[Test] = []
        self._clauses: list[_Clause] = []
        by_content: dict[tuple[int, tuple[str, ...]], _Clause] = {}
        for entry in stage.entries:
            known = tuple(name for name in entry.known if not layout.always_known(name))
            condition = All(items=(entry.rule.given, entry.rule.condition))
            clause = by_content.get((id(entry.rule), known))
            if clause is None:
                clause = by_content[id(entry.rule), known] = _Clause(condition, known)
                self._clauses.append(clause)
            clause.entries.append(entry)

    def key(self, source: Source) -> str:
        """Code for the key of a situation: one class for each name that tests look at."""
        by_name: dict[str, list[Test]] = {}
        parts: list[str] = []
        for clause in self._clauses:
            for test in tests_of(clause.condition):
                if isinstance(test.operand, Constant):
                    by_name.setdefault(test.name, []).append(test)
                else:
                    self._leaf(test)
            for name in clause.known:
                by_name.setdefault(name, [])
        for name, tests in by_name.items():
            if tests or not self._layout.always_known(name):
                parts.append(component(source, self._layout, name, tests))
        rows = "".join(f"r{depth}, " for depth in range(len(self._layout.vocabulary.chain(self.stage.entity)) + 1))
        parts += [f"{source.use(partial(ask, test, layout=self._layout))}(({rows}))" for test in self._tests]
        if len(parts) == 1:
            return parts[0]
        return f"({', '.join(parts)})"

    def _leaf(self, test: Test) -> int:
        """The number of a test; tests of the same content share one."""
        content = (test.name, test.word, repr(test.operand))
        number = self._leaves.get(content)
        if number is None:
            number = self._leaves[content] = len(self._leaves)
            if not isinstance(test.operand, Constant):
                self._tests.append(test)
        return number

    def plan(self, rows: Rows) -> Plan:
        """Work out the plan for the situation that these rows are in, by the matcher."""
        answers: dict[tuple[str, str, str], bool | None] = {}
        lookup = self._layout.lookup(rows)
        for clause in self._clauses:
            for test in tests_of(clause.condition):
                content = (test.name, test.word, repr(test.operand))
                if content not in answers:
                    answers[content] = ask(test, rows, self._layout)
            for name in clause.known:
                answers[name, "known", ""] = lookup(name) is not None or None
        held: list[Entry] = []
        lacking: list[Entry] = []
        # Closing waits for this, so a plan is never made by half a matcher.
        with self._lock:
            matcher = self._matcher or self._make_matcher()
            leaves = self._leaves
            matched = matcher.match(
                [2 * leaves[content] + (not yes) for content, yes in answers.items() if yes is not None]
            )
            for clause in self._clauses:
                if not matched.isdisjoint(clause.indexes):
                    held += clause.entries
                    continue
                yes = holds(clause.condition, lambda test: answers[test.name, test.word, repr(test.operand)])
                if yes is None or (yes and any(answers[name, "known", ""] is None for name in clause.known)):
                    lacking += clause.entries
        held.sort(key=lambda entry: entry.number)
        lacking.sort(key=lambda entry: entry.number)
        return make_plan(self.stage, held, lacking, self._layout)

    def _make_matcher(self) -> Matcher:
        conjunctions: list[frozenset[int]] = []
        for clause in self._clauses:
            known = [2 * self._known_leaf(name) for name in clause.known]
            # A test beside an `any` without items is in no conjunction.
            for test in tests_of(clause.condition):
                self._leaf(test)
            clause.indexes.clear()
            for conjunction in to_dnf(clause.condition):
                clause.indexes.append(len(conjunctions))
                conjunctions.append(
                    frozenset([*known, *(2 * self._leaf(t) + (not wanted) for t, wanted in conjunction)])
                )
        self._matcher = make_matcher(self._matcher_name, conjunctions)
        return self._matcher

    def _known_leaf(self, name: str) -> int:
        return self._leaves.setdefault((name, "known", ""), len(self._leaves))

    def close(self) -> None:
        """Free the matcher; the next new situation would make it again."""
        with self._lock:
            matcher, self._matcher = self._matcher, None
            if matcher is not None:
                matcher.close()


def ask(test: Test, rows: Rows, layout: Layout) -> bool | None:
    """The answer to a test for the item with these rows; None when it cannot tell.

    Raises:
        EvaluationError: the right side has no value.
    """
    lookup = layout.lookup(rows)
    operand: Value | None = None
    if isinstance(test.operand, Constant):
        operand = test.operand.value
    elif all(lookup(name) is not None for name in term_reads(test.operand, layout.vocabulary)):
        operand = evaluate_term(test.operand, cast("Lookup", lookup), layout.vocabulary.objects)
    return answer(test.word, lookup(test.name), operand)


def make_plan(stage: Stage, held: list[Entry], lacking: list[Entry], layout: Layout) -> Plan:
    """Decide between rivals: a listed rule loses to the one that overrides it, a default to any other value."""
    by_name: dict[str, list[Entry]] = {}
    for entry in held:
        if entry.target is not None:
            by_name.setdefault(entry.target, []).append(entry)
    winners: dict[str, tuple[Entry, ...]] = {}
    losers: list[tuple[Entry, str]] = []
    for name, entries in by_name.items():
        if not is_single(name, layout):
            winners[name] = tuple(entries)
            continue
        left: list[Entry] = []
        for entry in entries:
            by = next((other for other in entries if entry.rule.id in other.rule.overrides), None)
            if by is None:
                left.append(entry)
            else:
                losers.append((entry, f"overridden by `{by.rule.id}`"))
        if any(not is_default(entry) for entry in left):
            losers += [(entry, "a default, and another rule gives a value") for entry in left if is_default(entry)]
            left = [entry for entry in left if not is_default(entry)]
        winners[name] = tuple(left)
    maybe = dict.fromkeys(entry.target for entry in lacking if entry.target is not None)
    return Plan(
        stage=stage,
        winners=winners,
        losers=tuple(losers),
        lacking=tuple(lacking),
        open=tuple(name for name in maybe if name not in winners or not is_single(name, layout)),
        advice=tuple(entry for entry in held if isinstance(entry.statement, Advice)),
    )


def is_default(entry: Entry) -> bool:
    """Whether a statement only gives a value that any other rule may replace."""
    return isinstance(entry.statement, Write) and entry.statement.kind == "default"


def is_single(name: str, layout: Layout) -> bool:
    """Whether rules for a name or manifest are rivals for one value, as opposed to building a list or map together."""
    return name.startswith("object:") or (name in layout.vocabulary.names and name not in layout.appended)
