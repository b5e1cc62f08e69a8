"""The decision: all stages in turn, over rows of facts, leaving the values of derived names and settings in them."""

from collections.abc import Callable
from typing import Any, cast

from ..language.expression import Value
from ..language.ruleset import RuleSet
from .execute import Failure, execute
from .gather import gathered_value
from .items import Item, Items, Reordering, reorder
from .layout import Layout, Row, Rows, make_layout
from .memory import Memory
from .plan_code import compile_plan
from .situations import OperandError, Plan, Situations
from .source import Source
from .stages import Entry, Stage, make_stages

__all__ = ["Mark", "Program", "Trace", "left_open"]

Mark = tuple[Plan, tuple[int, ...], Rows]
"""A plan with something to say beyond its values, the position of its item and the rows it saw."""


class Trace:
    """A careful run: each plan in turn with the rows it saw, and every statement that could not give its value."""

    __slots__ = ("failures", "steps")

    def __init__(self) -> None:
        self.steps: list[tuple[Plan, Item | None, Rows]] = []
        self.failures: list[Failure] = []


class Program:
    """A rule set, compiled: what stays the same over all evaluations. Safe from many threads.

    So many evaluations as ``patience`` says are carried out step by step before the stages are compiled: a process
    that evaluates one TrainJob is done sooner.

    Raises:
        InvalidRules: when made from rules whose names depend on each other in a circle.
    """

    def __init__(self, rule_set: RuleSet, matcher: str = "durable", *, patience: int = 3) -> None:
        self.rule_set = rule_set
        self.stages = make_stages(rule_set.rules, rule_set.vocabulary)
        self.layout: Layout = make_layout(self.stages, rule_set.vocabulary)
        self.entries: tuple[Entry, ...] = tuple(
            sorted((entry for stage in self.stages for entry in stage.entries), key=lambda entry: entry.number)
        )
        self._situations = [Situations(stage, self.layout, matcher) for stage in self.stages]
        self._memories = [self._memory(situations) for situations in self._situations]
        self._drive: Callable[[Row, Items, list[Reordering]], None] | None = None
        self._patience = patience

    def _memory(self, situations: Situations) -> Memory[Callable[..., None]]:
        def make(rows: Rows) -> Callable[..., None]:
            return compile_plan(situations.plan(rows), self.layout)

        return Memory(make)

    def new_row(self, entity: str | None) -> Row:
        """A row for one item; the row of the TrainJob has the marks of the run as its last element."""
        row = self.layout.empty(entity)
        if entity is None:
            row.append([])
        return row

    def run(self, row: Row, items: Items) -> list[Reordering]:
        """Decide everything; the rows hold the values afterwards, the last element of ``row`` the marks.

        Returns the order constraints that could not be met.

        Raises:
            EvaluationError: some value cannot be given; ``trace`` on fresh rows tells which.
        """
        reorderings: list[Reordering] = []
        if self._drive is None:
            if self._patience > 0:
                self._patience -= 1
                trace, reorderings = self.trace(row, items)
                if trace.failures:
                    raise trace.failures[0].error
                return reorderings
            self._drive = self._driver()
        self._drive(row, items, reorderings)
        return reorderings

    def trace(self, row: Row, items: Items) -> tuple[Trace, list[Reordering]]:
        """The same, step by step, gathering every failure; slower, for reasons and problems."""
        trace = Trace()
        reorderings: list[Reordering] = []
        for situations in self._situations:
            stage = situations.stage
            visited: list[Item | None] = [None] if stage.entity is None else list(items.get(stage.entity, ()))
            for item in visited:
                rows = (row,) if item is None else item.rows
                try:
                    plan = situations.plan(rows)
                except OperandError as error:
                    trace.failures.append(Failure(entry=error.entry, error=error))
                    continue
                trace.steps.append((plan, item, rows))
                position = () if item is None else item.position
                trace.failures += execute(plan, position, rows, self.layout)
                if plan.speaks or plan.open:
                    row[-1].append((plan, position, rows))  # type: ignore[union-attr, arg-type]
            self._complete(stage, row, items, reorderings)
        return trace, reorderings

    def close(self) -> None:
        """Free the matchers."""
        for situations in self._situations:
            situations.close()

    def _driver(self) -> Callable[[Row, Items, list[Reordering]], None]:
        """All stages unrolled into one function: look the situation up, run its plan."""
        source = Source(self.layout)
        for number, stage in enumerate(self.stages):
            if stage.entity is None:
                self.visit(source, number, "()", indent=1)
            else:
                rows = ", ".join(f"r{depth}" for depth in range(len(self.layout.vocabulary.chain(stage.entity)) + 1))
                source.line(f"for i in items.get({source.use(stage.entity)}, ()):")
                source.line(f"{rows} = i.rows", 2)
                self.visit(source, number, "i.position", indent=2)
            if stage.orders or any(self._needs_completion(name) for name in stage.completes):
                source.line(f"{source.use(self._complete)}({source.use(stage)}, r0, items, reorderings)")
            elif any(name in self.layout.appended for name in stage.completes):
                source.line(f"if r0[-1]: {source.use(self._complete)}({source.use(stage)}, r0, items, reorderings)")
        return source.compile("def drive(r0, items, reorderings):")

    def visit(self, source: Source, number: int, at: str, *, indent: int) -> None:
        """Add the code that carries out one stage for the item whose rows are ``r0, r1, …``."""
        situations = self._situations[number]
        memory = self._memories[number]
        rows = ", ".join(f"r{depth}" for depth in range(len(self.layout.vocabulary.chain(situations.stage.entity)) + 1))
        source.line(f"k = {situations.key(source)}", indent)
        find = f"{source.use(memory.find)}(k, ({rows},))"
        source.line(f"({source.use(memory.young.get)}(k) or {find})({at}, {rows})", indent)

    def _needs_completion(self, name: str) -> bool:
        return name in self.layout.gathered and f"value of {name}" in self.layout.slots

    def _complete(self, stage: Stage, row: Row, items: Items, reorderings: list[Reordering]) -> None:
        """What is left to do when the last rule for a name has spoken: give readers their value, move items."""
        marks = cast("list[Mark]", row[-1])
        for name in stage.completes:
            if name not in self.layout.appended:
                continue
            entity = self.layout.vocabulary.scope(name)
            for rows in [(row,)] if entity is None else [item.rows for item in items.get(entity, ())]:
                self._settle(name, rows, is_open=left_open(name, rows, marks))
        for name in stage.orders:
            entity = next(key for key, entry in self.layout.vocabulary.entities.items() if entry.order == name)
            slot = self.layout.slots[name]
            given: Any = row[slot.index]
            constraints = [(number, pair) for _, number, pair in given]
            if entity in items:
                reorderings += reorder(entity, items, constraints, self.layout.vocabulary)

    def _settle(self, name: str, rows: Rows, *, is_open: bool) -> None:
        if name in self.layout.gathered:
            if not self._needs_completion(name):
                return
            raw = self.layout.slots[name]
            value: Value | None = gathered_value(name, rows[raw.depth][raw.index], self.layout, self.entries)  # type: ignore[arg-type]
            slot = self.layout.reading(name)
            rows[slot.depth][slot.index] = None if is_open else value
        elif is_open:
            slot = self.layout.slots[name]
            rows[slot.depth][slot.index] = None


def left_open(name: str, rows: Rows, marks: list[Mark]) -> bool:
    """Whether a rule that builds this name, for this item or further in, could not tell."""
    own = rows[-1]
    return any(name in plan.open and any(row is own for row in seen) for plan, _, seen in marks)
