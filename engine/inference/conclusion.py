"""Conclusions: decisions on facts that are given by name, without any manifest."""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import Problem
from ..language.expression import Value
from ..language.functions import EvaluationError
from ..outcome import Outcome, outcome_of
from .decide import Program
from .execute import gathered_conflicts
from .findings import failed, findings, unmet
from .gather import gathered_value
from .items import Item, Items, Reordering
from .layout import Row
from .source import Source

__all__ = ["Conclusion", "concluder"]


class Conclusion:
    """What rules conclude: the values of the names that they decide, or problems. A value that is not there is open."""

    __slots__ = ("outcome", "problems", "values")

    def __init__(self, outcome: Outcome, values: dict[str, Value], problems: tuple[Problem, ...]) -> None:
        self.outcome = outcome
        self.values = values
        self.problems = problems

    def __repr__(self) -> str:
        return f"<Conclusion {self.outcome.value} {self.values}>"


def concluder(program: Program) -> Callable[[Mapping[str, Value]], Conclusion]:
    """A function from facts to a conclusion.

    There is one item of each entity that one of the given names belongs to. A name that is not given takes the default
    of the vocabulary, else it is missing.
    """
    layout = program.layout
    vocabulary = layout.vocabulary
    source = Source(layout)
    entities = sorted((name for name in layout.names if name is not None), key=lambda name: (len(vocabulary.chain(name)), name))
    source.line("get = facts.get")
    source.line(f"r = {_row(source, program, None)}")
    source.line("items = {}")
    for entity in entities:
        inside = {other for other in vocabulary.entities if entity in vocabulary.chain(other)}
        members = frozenset(name for name in vocabulary.names if vocabulary.scope(name) in inside)
        chain = vocabulary.chain(entity)
        variable = f"i{entities.index(entity)}"
        parent = f"i{entities.index(chain[-2])}" if len(chain) > 1 else None
        rows = f"(*{parent}.rows, {_row(source, program, entity)})" if parent else f"(r, {_row(source, program, entity)})"
        source.line(f"if not {source.use(members.isdisjoint)}(facts):")
        position = source.use((0,) * len(chain))
        source.line(f"{variable} = {source.use(Item)}({rows}, {position}, '', (), None)", 2)
        source.line(f"items[{source.use(entity)}] = [{variable}]", 2)
    source.line("moves = []")
    source.line(f"return {source.use(_finish(program))}(facts, r, items, moves)")
    fill: Callable[[Mapping[str, Value]], Any] = source.compile("def fill(facts):")
    return fill


def _row(source: Source, program: Program, entity: str | None) -> str:
    layout = program.layout
    lists = set(layout.lists(entity))
    cells: list[str] = []
    for index, name in enumerate(layout.names.get(entity, ())):
        default = layout.default(name)
        if index in lists:
            cells.append("[]")
        elif default is None:
            cells.append(f"get({source.use(name)})")
        else:
            cells.append(f"get({source.use(name)}, {source.constant(default)})")
    return f"[{', '.join([*cells, *(['[]'] if entity is None else [])])}]"


def _finish(program: Program) -> Callable[[Mapping[str, Value], Row, Items, list[Reordering]], Conclusion]:
    layout = program.layout
    drive = program.drive
    targets = sorted({entry.target for entry in program.entries if entry.target in layout.vocabulary.names})
    plain = [(name, layout.slots[name].index, layout.vocabulary.scope(name)) for name in targets if name not in layout.gathered]
    gathered = [name for name in targets if name in layout.gathered]

    def finish(facts: Mapping[str, Value], row: Row, items: Items, moves: list[Reordering]) -> Conclusion:
        try:
            drive(row, items, moves)
        except EvaluationError:
            return _careful(program, facts)
        values: dict[str, Value] = {}
        for name, index, entity in plain:
            if entity is None:
                value = row[index]
            elif entity in items:
                value = items[entity][0].rows[-1][index]
            else:
                continue
            if value is not None:
                values[name] = value
        if gathered or row[-1] or moves:
            return _whole(program, facts, row, items, moves, values)
        return Conclusion(Outcome.DECIDED, values, ())

    return finish


def _whole(
    program: Program, facts: Mapping[str, Value], row: Row, items: Items, moves: list[Reordering], values: dict[str, Value]
) -> Conclusion:
    problems = findings(row[-1], program.layout, items, {}) + unmet(moves, program.entries)  # type: ignore[arg-type]
    if any(_conflicts(program, row, items)):
        return _careful(program, facts)
    values |= _gathered(program, row, items)
    outcome = outcome_of(problems)
    return Conclusion(outcome, values, tuple(problems))


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


def _gathered(program: Program, row: Row, items: Items) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name in sorted(program.layout.gathered):
        for rows in _rows_of(name, program, row, items):
            slot = program.layout.slots[name]
            given: Any = rows[slot.depth][slot.index]
            if given:
                values[name] = gathered_value(name, given, program.layout, program.entries)
    return values


def _careful(program: Program, facts: Mapping[str, Value]) -> Conclusion:
    row, items = named_rows(program, facts)
    trace, moves = program.trace(row, items)
    said = findings(row[-1], program.layout, items, {})  # type: ignore[arg-type]
    failures = [*trace.failures, *_conflicts(program, row, items)]
    if outcome_of(said) is Outcome.DENIED:
        # A denial makes conflicts moot; a rule that failed is told all the same.
        failures = [failure for failure in failures if failure.rival is None]
    problems = [*said, *failed(failures), *unmet(moves, program.entries)]
    return Conclusion(outcome_of(problems), {}, tuple(problems))


def named_rows(program: Program, facts: Mapping[str, Value]) -> tuple[Row, Items]:
    """Rows for facts by name, for a careful run."""
    layout = program.layout
    row = program.new_row(None)
    _fill(row, layout.names.get(None, ()), facts)
    items: Items = {}
    for entity in sorted(layout.vocabulary.entities, key=lambda name: (len(layout.vocabulary.chain(name)), name)):
        chain = layout.vocabulary.chain(entity)
        inside = {name for name in layout.vocabulary.entities if entity in layout.vocabulary.chain(name)}
        if all(name not in layout.vocabulary.names or layout.vocabulary.scope(name) not in inside for name in facts):
            continue
        parent = items[chain[-2]][0] if len(chain) > 1 else None
        own = program.new_row(entity)
        _fill(own, layout.names.get(entity, ()), facts)
        item = Item((*(parent.rows if parent else (row,)), own), (0,) * len(chain), "", (), None)
        if parent:
            parent.children.append(item)
        items[entity] = [item]
    return row, items


def _fill(row: Row, names: tuple[str, ...], facts: Mapping[str, Value]) -> None:
    for index, name in enumerate(names):
        if name in facts:
            row[index] = facts[name]
