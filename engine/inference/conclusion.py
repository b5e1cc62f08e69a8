"""Conclusions: decisions on facts that are given by name, without any manifest."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

from ..errors import Problem
from ..language.expression import Value
from ..language.functions import EvaluationError
from ..outcome import Outcome, outcome_of
from .decide import Mark, Program, left_open
from .execute import gathered_conflicts
from .findings import failed, findings, unmet
from .gather import Contribution, gathered_value
from .items import Items
from .layout import Row, Rows
from .rows import named_rows
from .terms import copy_value
from .whole_plan import whole_decision

__all__ = ["Conclusion", "concluder", "decided_value"]


class Conclusion(NamedTuple):
    """What rules conclude: the values of the names that they decide, or problems. A value that is not there is open."""

    values: dict[str, Value]
    outcome: Outcome = Outcome.DECIDED
    problems: tuple[Problem, ...] = ()


def concluder(program: Program) -> Callable[[Mapping[str, Value]], Conclusion]:
    """A function from facts to a conclusion.

    There is one item of each entity that one of the given names belongs to. A name that is not given takes the default
    of the vocabulary, else it is missing.
    """
    otherwise = partial(_conclude, program)
    return whole_decision(program, Conclusion, (Outcome.DECIDED, ()), otherwise) or otherwise


def _decided(program: Program) -> list[str]:
    names = program.layout.vocabulary.names
    return sorted({entry.target for entry in program.entries if entry.target is not None and entry.target in names})


def _conclude(program: Program, facts: Mapping[str, Value]) -> Conclusion:
    """The same for rule sets that order lists or build them together, and where there is something to report."""
    row, items = named_rows(program, facts)
    try:
        moves = program.run(row, items)
    except EvaluationError:
        return _careful(program, facts)
    if _conflicts(program, row, items):
        return _careful(program, facts)
    problems = (*findings(row[-1], program.layout, items, {}), *unmet(moves, program.entries))  # type: ignore[arg-type]
    outcome = outcome_of(problems)
    values: dict[str, Value] = {}
    if outcome in (Outcome.DECIDED, Outcome.UNDECIDED):
        for name in _decided(program):
            for rows in _rows_of(name, program, row, items):
                value = decided_value(name, rows, program)
                if value is not None:
                    values[name] = copy_value(value)
    return Conclusion(values, outcome, problems)


def decided_value(name: str, rows: Rows, program: Program) -> Value | None:
    """What rules decided for a name, as a reader sees it once they all have spoken; None when it is open."""
    layout = program.layout
    slot = layout.slots[name]
    value = rows[slot.depth][slot.index]
    if name not in layout.gathered:
        return value
    # A name of the whole TrainJob stands in the first row, whichever item asks.
    if left_open(name, rows[: slot.depth + 1], cast("list[Mark]", rows[0][-1])):
        return None
    return gathered_value(name, cast("list[Contribution]", value), layout, program.entries)


def _rows_of(name: str, program: Program, row: Row, items: Items) -> list[tuple[Row, ...]]:
    entity = program.layout.vocabulary.scope(name)
    return [(row,)] if entity is None else [item.rows for item in items.get(entity, ())]


def _conflicts(program: Program, row: Row, items: Items) -> list[Any]:
    return [
        failure
        for name in sorted(program.layout.gathered)
        for rows in _rows_of(name, program, row, items)
        for failure in gathered_conflicts(name, rows, program.layout, program.entries)
    ]


def _careful(program: Program, facts: Mapping[str, Value]) -> Conclusion:
    row, items = named_rows(program, facts)
    trace, moves = program.trace(row, items)
    said = findings(row[-1], program.layout, items, {}, trace.failures)  # type: ignore[arg-type]
    failures = [*trace.failures, *_conflicts(program, row, items)]
    if outcome_of(said) is Outcome.DENIED:
        # A denial makes conflicts moot; a rule that failed is told all the same.
        failures = [failure for failure in failures if failure.rival is None]
    problems = [*said, *failed(failures), *unmet(moves, program.entries)]
    return Conclusion({}, outcome_of(problems), tuple(problems))
