"""A plan as one Python function over rows: what every evaluation runs."""

from collections.abc import Callable
from typing import Any

from ..language.expression import Call, Constant, Entries, Items, Template, Term, Value
from ..language.functions import LARGEST, SMALLEST
from ..language.rule import Create, Order, Repeat, Write
from ..language.vocabulary import Derived, Setting
from .layout import Layout
from .situations import Plan
from .source import Source, fail
from .stages import Entry

__all__ = ["bounds", "compile_plan", "statement_term", "value_code"]


def compile_plan(plan: Plan, layout: Layout) -> Callable[..., None]:
    """A function ``(at, r0, r1, …)`` that writes the plan's values into the rows.

    ``at`` is the position of the item among its siblings, one number for each level. The function raises
    EvaluationError when a value cannot be given; the careful evaluation then finds out which.
    """
    source = Source(layout)
    for name, entries in plan.winners.items():
        if name in layout.appended or name.startswith("object:"):
            for entry in entries:
                _add(source, layout, name, entry)
        else:
            _assign(source, layout, name, entries)
    for name in plan.open:
        if name not in layout.appended and not name.startswith("object:"):
            slot = layout.slots[name]
            source.line(f"r{slot.depth}[{slot.index}] = None")
    rows = ", ".join(f"r{depth}" for depth in range(len(layout.vocabulary.chain(plan.stage.entity)) + 1))
    if plan.speaks or plan.open:
        source.line(f"r0[-1].append(({source.use(plan)}, at, ({rows},)))")
    return source.compile(f"def plan(at, {rows}):")


def _add(source: Source, layout: Layout, name: str, entry: Entry) -> None:
    slot = layout.slots[name]
    place = f"r{slot.depth}[{slot.index}]"
    statement = entry.statement
    if isinstance(statement, Order):
        value = source.use((statement.first, statement.then))
    elif isinstance(statement, Write) and isinstance(statement.value, Repeat):
        value = source.repeat(statement.value)
    else:
        value = source.term(statement_term(entry))
    if name in layout.gathered or name.startswith("object:"):
        source.line(f"{place}.append((at, {entry.number}, {value}))")
    else:
        source.line(f"{place} += {value}")


def _assign(source: Source, layout: Layout, name: str, entries: tuple[Entry, ...]) -> None:
    slot = layout.slots[name]
    source.line(f"r{slot.depth}[{slot.index}] = {value_code(source, layout, name, entries)}")


def value_code(source: Source, layout: Layout, name: str, entries: tuple[Entry, ...]) -> str:
    """Add code for the value that entries give a name, with its bounds; returns the local variable that holds it."""
    value = source.local()
    limits = bounds(name, layout)
    source.line(f"{value} = {source.term(statement_term(entries[0]), bounded=limits is not None)}")
    for rival in entries[1:]:
        source.line(f"if {source.use(differ)}({value}, {source.term(statement_term(rival))}): {source.use(fail)}()")
    if limits is not None and any(_needs_check(statement_term(entry), layout, name) for entry in entries):
        low, high = (source.constant(limit) for limit in limits)
        source.line(f"if not {low} <= {value} <= {high}: {source.use(fail)}()")
    return value


def statement_term(entry: Entry) -> Term:
    """The one term of a statement that gives a value; not for repeats, orders and advice."""
    match entry.statement:
        case Write(value=value) if not isinstance(value, Repeat):
            return value
        case Create(manifest=manifest):
            return manifest
        case _:
            raise AssertionError(entry.statement)


def differ(first: Value, second: Value) -> bool:
    """Whether two values are not the same to the API; a number is never a boolean, however deep."""
    if first != second or type(first) is not type(second):
        return True
    if isinstance(first, list):
        return any(differ(a, b) for a, b in zip(first, second, strict=True))  # type: ignore[arg-type]
    if isinstance(first, dict):
        return any(differ(value, second[key]) for key, value in first.items())  # type: ignore[index, call-overload]
    return False


def bounds(name: str, layout: Layout) -> tuple[int, int] | None:
    """The bounds of a number that is written to this name; None for what is no number."""
    entry: Any = layout.vocabulary.names[name]
    if not isinstance(entry, Derived | Setting) or entry.type != "integer":
        return None
    return (
        SMALLEST if entry.minimum is None else entry.minimum,
        LARGEST if entry.maximum is None else entry.maximum,
    )


def _needs_check(term: Term, layout: Layout, name: str) -> bool:
    """Constants were checked when loading; without bounds of its own a name only has to fear arithmetic."""
    match term:
        case Constant():
            return False
        case Call():
            return True
        case Template() | Items() | Entries():
            return False
        case _:
            entry: Any = layout.vocabulary.names[name]
            return entry.minimum is not None or entry.maximum is not None
