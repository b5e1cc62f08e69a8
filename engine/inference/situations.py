"""Situations and plans: which statements take effect for one pattern of answers, worked out once and remembered.

The rules that hold depend only on the answers to a stage's tests, its situation. A plan says for that situation which
statements win, which lose and why, and which cannot tell; arithmetic is left to every evaluation.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Literal, cast

from ..language.condition import All, Test, tests_of
from ..language.dnf import to_dnf
from ..language.expression import Constant, Reference, Value
from ..language.functions import EvaluationError
from ..language.rule import Advice, Write
from ..language.words import WORDS
from ..record import Record
from .layout import Layout, Rows
from .leaves import answer, holds
from .matcher import Matcher, matcher_class
from .memory import Memory
from .source import Source, component
from .stages import Entry, Stage, term_reads
from .terms import Lookup, evaluate_term

__all__ = ["OperandError", "Plan", "Situations", "ask_rows"]

Answer = bool | None | Literal["fails"]
_FAILS: Literal["fails"] = "fails"


class OperandError(EvaluationError):
    """A right side of a test has no value; ``entry`` is the statement that needs it."""

    def __init__(self, entry: Entry, error: EvaluationError) -> None:
        super().__init__(error.cause, error.help)
        self.entry = entry


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

    def __init__(self, condition: All, known: tuple[int, ...]) -> None:
        self.condition = condition
        self.known = known
        self.entries: list[Entry] = []
        self.indexes: list[int] = []


class Situations:
    """The plans of one stage. Safe from many threads: a plan is made under a lock and read without one.

    What can be answered is numbered: first the tests, those of the same content once, then the names that must be
    known. The key for a yes is twice the number, the key for a no is one more.
    """

    __slots__ = (
        "_clauses",
        "_known",
        "_layout",
        "_lock",
        "_matcher",
        "_matcher_class",
        "_numbers",
        "_plans",
        "_tests",
        "stage",
    )

    def __init__(self, stage: Stage, layout: Layout, matcher: str) -> None:
        self.stage = stage
        self._layout = layout
        self._matcher_class = matcher_class(matcher)
        self._matcher: Matcher | None = None
        self._lock = threading.Lock()
        self._plans = Memory(self._make_plan)
        self._tests: list[Test] = []
        self._numbers: dict[int, int] = {}
        contents: dict[tuple[object, ...], int] = {}
        needed: dict[int, tuple[str, ...]] = {}
        for entry in stage.entries:
            needed[entry.number] = tuple(name for name in entry.known if not layout.always_known(name))
            for test in (*tests_of(entry.rule.given), *tests_of(entry.rule.condition)):
                number = contents.setdefault(_content(test), len(contents))
                if number == len(self._tests):
                    self._tests.append(test)
                self._numbers[id(test)] = number
        self._known = list(dict.fromkeys(name for names in needed.values() for name in names))
        places = {name: len(self._tests) + index for index, name in enumerate(self._known)}
        clauses: dict[tuple[int, tuple[str, ...]], _Clause] = {}
        for entry in stage.entries:
            names = needed[entry.number]
            clause = clauses.get((id(entry.rule), names))
            if clause is None:
                condition = All(items=(entry.rule.given, entry.rule.condition))
                clause = _Clause(condition, tuple(places[name] for name in names))
                clauses[id(entry.rule), names] = clause
            clause.entries.append(entry)
        self._clauses = list(clauses.values())

    def key(self, source: Source) -> str:
        """Code for the key of a situation: one class for each name that tests look at."""
        by_name: dict[str, list[Test]] = {}
        for test in self._tests:
            if isinstance(test.operand, Constant):
                by_name.setdefault(test.name, []).append(test)
        for name in self._known:
            by_name.setdefault(name, [])
        parts = [component(source, self._layout, name, tests) for name, tests in by_name.items()]
        parts += [self._answer(source, test) for test in self._tests if not isinstance(test.operand, Constant)]
        if len(parts) == 1:
            return parts[0]
        return f"({', '.join(parts)})"

    def _answer(self, source: Source, test: Test) -> str:
        """Code for the answer to a test whose right side is computed."""
        if isinstance(test.operand, Reference):
            # The usual case, and one that cannot fail: both sides are there or not.
            names = (test.name, test.operand.name)
            code = f"{source.use(WORDS[test.word])}({', '.join(source.name(name) for name in names)})"
            missing = [f"{source.name(name)} is None" for name in names if not self._layout.always_known(name)]
            return f"(None if {' or '.join(missing)} else {code})" if missing else code
        rows = "".join(f"r{depth}, " for depth in range(len(self._layout.vocabulary.chain(self.stage.entity)) + 1))
        return f"{source.use(partial(_answered_rows, test, self._layout))}(({rows}))"

    def plan(self, rows: Rows) -> Plan:
        """The plan for the situation that these rows are in; worked out by the matcher when it is a new one.

        Raises:
            OperandError: a right side has no value, and the other tests of its rule leave it to that one.
        """
        lookup = self._layout.lookup(rows)
        answers: tuple[Answer, ...] = (
            *(_answered(test, lookup, self._layout) for test in self._tests),
            *(True if lookup(name) is not None else None for name in self._known),
        )
        return self._plans.young.get(answers) or self._plans.find(answers, answers, rows)

    def _make_plan(self, answers: tuple[Answer, ...], rows: Rows) -> Plan:
        held: list[Entry] = []
        lacking: list[Entry] = []
        # Closing waits for this, so a plan is never made by half a matcher.
        with self._lock:
            matcher = self._matcher or self._make_matcher()
            keys = [2 * number + (not yes) for number, yes in enumerate(answers) if isinstance(yes, bool)]
            matched = matcher.match(keys)
            for clause in self._clauses:
                if not matched.isdisjoint(clause.indexes):
                    held += clause.entries
                    continue
                yes = holds(clause.condition, lambda test: _told(answers[self._numbers[id(test)]]))
                if yes is None:
                    self._check(clause, answers, rows)
                if yes is None or (yes and any(answers[number] is None for number in clause.known)):
                    lacking += clause.entries
        held.sort(key=lambda entry: entry.number)
        lacking.sort(key=lambda entry: entry.number)
        return make_plan(self.stage, held, lacking, self._layout)

    def _check(self, clause: _Clause, answers: tuple[Answer, ...], rows: Rows) -> None:
        for test in tests_of(clause.condition):
            if answers[self._numbers[id(test)]] == _FAILS:
                try:
                    ask(test, self._layout.lookup(rows), self._layout)
                except EvaluationError as error:
                    raise OperandError(clause.entries[0], error) from error

    def _make_matcher(self) -> Matcher:
        conjunctions: list[frozenset[int]] = []
        for clause in self._clauses:
            known = [2 * number for number in clause.known]
            clause.indexes.clear()
            for conjunction in to_dnf(clause.condition):
                clause.indexes.append(len(conjunctions))
                keys = (2 * self._numbers[id(test)] + (not wanted) for test, wanted in conjunction)
                conjunctions.append(frozenset([*known, *keys]))
        self._matcher = self._matcher_class(conjunctions)
        return self._matcher

    def close(self) -> None:
        """Free the matcher; the next new situation would make it again."""
        with self._lock:
            matcher, self._matcher = self._matcher, None
            if matcher is not None:
                matcher.close()


def _content(test: Test) -> tuple[object, ...]:
    """Equal for tests that are the same question."""
    if isinstance(test.operand, Constant) and isinstance(test.operand.value, str | int):
        # The class tells 1 from true.
        return test.name, test.word, test.operand.value.__class__, test.operand.value
    return test.name, test.word, repr(test.operand)


def ask_rows(test: Test, layout: Layout, rows: Rows) -> bool | None:
    """The answer for the item with these rows; None also when the right side has no value."""
    return _told(_answered_rows(test, layout, rows))


def _answered_rows(test: Test, layout: Layout, rows: Rows) -> Answer:
    return _answered(test, layout.lookup(rows), layout)


def _answered(test: Test, lookup: Callable[[str], Value | None], layout: Layout) -> Answer:
    try:
        return ask(test, lookup, layout)
    except EvaluationError:
        # No failure yet: another test of the rule may make this one needless, ``empty: false`` before ``first``.
        return _FAILS


def _told(answer: Answer) -> bool | None:
    return answer if isinstance(answer, bool) else None


def ask(test: Test, lookup: Callable[[str], Value | None], layout: Layout) -> bool | None:
    """The answer to a test about the values that a lookup gives; None when it cannot tell.

    Raises:
        EvaluationError: the right side has no value.
    """
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
        beaten: dict[int, str] = {}
        for entry in entries:
            by = next((other for other in entries if entry.rule.id in other.rule.overrides), None)
            if by is not None:
                beaten[entry.number] = by.rule.id
        if len(beaten) == len(entries):
            # Rules that override each other in a circle: none of them wins.
            beaten = {}
        losers += [(entry, f"overridden by `{beaten[entry.number]}`") for entry in entries if entry.number in beaten]
        left = [entry for entry in entries if entry.number not in beaten]
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
