"""Conclusions: decisions on facts that are given by name, without any manifest."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from ..errors import Problem
from ..language.expression import Value
from ..language.functions import EvaluationError
from ..outcome import Outcome, outcome_of
from .decide import Mark, Program, left_open
from .execute import gathered_conflicts
from .findings import failed, findings, unmet
from .gather import Contribution, gathered_value
from .items import Item, Items
from .layout import Row, Rows
from .source import Source
from .terms import copy_value

__all__ = ["Conclusion", "concluder", "decided_value", "named_rows"]


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
    if layout.gathered or any(stage.orders for stage in program.stages):
        return lambda facts: _conclude(program, facts)
    source = Source(layout)
    source.line("get = facts.get")
    source.line("m = []")
    source.line(f"r0 = {_row(source, program, None)}")
    guards = {entity: _fill_rows(source, program, entity) for entity in _entities(program)}
    source.line("try:")
    for number, stage in enumerate(program.stages):
        if stage.entity is None:
            program.visit(source, number, "()", indent=2)
        else:
            chain = layout.vocabulary.chain(stage.entity)
            source.line(f"if {guards[stage.entity]} is not None:", 2)
            for depth, entity in enumerate(chain, start=1):
                source.line(f"r{depth} = {guards[entity]}", 3)
            program.visit(source, number, source.use((0,) * len(chain)), indent=3)
    # Nothing is completed here, so a list that stays open may have been read as if it were whole.
    source.line(f"except {source.use(EvaluationError)}: return {source.use(_conclude)}({source.use(program)}, facts)")
    source.line(f"if m: return {source.use(_conclude)}({source.use(program)}, facts)")
    source.line("values = {}")
    for name in _decided(program):
        _collect(source, program, name, guards)
    source.line(f"return {source.use(Conclusion)}({source.use(Outcome.DECIDED)}, values, ())")
    decide: Callable[[Mapping[str, Value]], Conclusion] = source.compile("def decide(facts):")
    return decide


def _entities(program: Program) -> list[str]:
    vocabulary = program.layout.vocabulary
    return sorted(
        (name for name in program.layout.names if name is not None),
        key=lambda name: (len(vocabulary.chain(name)), name),
    )


def _members(entity: str, program: Program) -> frozenset[str]:
    """All names whose being given means that there is an item of the entity."""
    vocabulary = program.layout.vocabulary
    inside = {other for other in vocabulary.entities if entity in vocabulary.chain(other)}
    return frozenset(name for name in vocabulary.names if vocabulary.scope(name) in inside)


def _fill_rows(source: Source, program: Program, entity: str) -> str:
    """Code that makes the row of the one item of an entity, or None; returns the variable that holds it."""
    variable = source.local()
    absent = f"{source.use(_members(entity, program).isdisjoint)}(facts)"
    source.line(f"{variable} = None if {absent} else {_row(source, program, entity)}")
    return variable


def _collect(source: Source, program: Program, name: str, guards: dict[str, str]) -> None:
    slot = program.layout.slots[name]
    entity = program.layout.vocabulary.scope(name)
    row = "r0" if entity is None else guards[entity]
    found = "" if entity is None else f"{row} and "
    value = source.local()
    given = value
    if program.layout.vocabulary.names[name].type in ("list", "map"):
        # The caller owns what it gets; constants of rules stay as they are.
        given = f"{source.use(copy_value)}({value})"
    source.line(f"if {found}({value} := {row}[{slot.index}]) is not None: values[{source.use(name)}] = {given}")


def _decided(program: Program) -> list[str]:
    names = program.layout.vocabulary.names
    return sorted({entry.target for entry in program.entries if entry.target is not None and entry.target in names})


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
    return f"[{', '.join([*cells, *(['m'] if entity is None else [])])}]"


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
    return Conclusion(outcome, values, problems)


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
    return Conclusion(outcome_of(problems), {}, tuple(problems))


def named_rows(program: Program, facts: Mapping[str, Value]) -> tuple[Row, Items]:
    """Rows for facts by name, for a careful run."""
    layout = program.layout
    row = program.new_row(None)
    _fill(row, layout.names.get(None, ()), facts)
    items: Items = {}
    for entity in sorted(layout.vocabulary.entities, key=lambda name: (len(layout.vocabulary.chain(name)), name)):
        chain = layout.vocabulary.chain(entity)
        if _members(entity, program).isdisjoint(facts):
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
