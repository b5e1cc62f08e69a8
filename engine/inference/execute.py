"""A plan carried out statement by statement: slower than its compiled twin, but it goes on after a failure."""

import json
from typing import Any, cast

from ..language.expression import Value
from ..language.functions import EvaluationError
from ..language.rule import Order, Repeat, Write
from ..language.vocabulary import Setting
from ..record import Record
from .gather import gather
from .layout import Layout, Rows
from .plan_code import bounds, differ, statement_term
from .situations import Plan
from .stages import Entry
from .terms import Lookup, evaluate_repeat, evaluate_term

__all__ = ["Failure", "entry_value", "execute"]


class Failure(Record):
    """A statement that should have given a value and could not; ``rival`` is the other side of a conflict."""

    entry: Entry
    error: EvaluationError
    rival: Entry | None = None


def execute(plan: Plan, position: tuple[int, ...], rows: Rows, layout: Layout) -> list[Failure]:
    """Write the plan's values into the rows; a name whose value cannot be given is left missing."""
    failures: list[Failure] = []
    lookup = cast("Lookup", layout.lookup(rows))
    for name, entries in plan.winners.items():
        slot = layout.slots[name]
        values: list[tuple[Entry, Value]] = []
        for entry in entries:
            try:
                values.append((entry, entry_value(entry, lookup, layout)))
            except EvaluationError as error:
                failures.append(Failure(entry=entry, error=error))
        place: Any = rows[slot.depth]
        if name in layout.gathered or name.startswith("object:"):
            place[slot.index] += [(position, entry.number, value) for entry, value in values]
        elif name in layout.appended:
            for _, value in values:
                place[slot.index] += cast("list[Value]", value)
        else:
            found = [_checked(name, entry, value, layout) for entry, value in values]
            failures += [failure for failure in found if failure is not None]
            clash = _conflict(values)
            failures += [clash] if clash else []
            good = values and len(values) == len(entries) and not any(found) and clash is None
            place[slot.index] = values[0][1] if good else None
    for name in plan.open:
        if name not in layout.appended and not name.startswith("object:"):
            slot = layout.slots[name]
            rows[slot.depth][slot.index] = None
    return failures


def entry_value(entry: Entry, lookup: Lookup, layout: Layout) -> Value:
    """The value that a statement gives, or would give.

    Raises:
        EvaluationError: it cannot give one.
    """
    statement = entry.statement
    objects = layout.vocabulary.objects
    if isinstance(statement, Order):
        return cast("Value", (statement.first, statement.then))
    if isinstance(statement, Write) and isinstance(statement.value, Repeat):
        return evaluate_repeat(statement.value, lookup, objects)
    return evaluate_term(statement_term(entry), lookup, objects)


def _checked(name: str, entry: Entry, value: Value, layout: Layout) -> Failure | None:
    limits = bounds(name, layout)
    if limits is None or not isinstance(value, int) or limits[0] <= value <= limits[1]:
        return None
    error = EvaluationError(
        f"`{name}` would be {value}, outside {limits[0]} to {limits[1]}", "lower the numbers that it is computed from"
    )
    return Failure(entry=entry, error=error)


def _conflict(values: list[tuple[Entry, Value]]) -> Failure | None:
    for entry, value in values[1:]:
        if differ(values[0][1], value):
            return conflict(values[0], (entry, value))
    return None


def conflict(first: tuple[Entry, Value], second: tuple[Entry, Value], key: str | None = None) -> Failure:
    """Two rules that give one field different values."""
    name = first[0].target or ""
    what = f"`{name.removeprefix('object:')}`" + (f" key `{key}`" if key is not None else "")
    error = EvaluationError(
        f"rules `{first[0].rule.id}` and `{second[0].rule.id}` give {what} different values: "
        f"{brief(first[1])} and {brief(second[1])}",
        "let one of them override the other, or let their conditions exclude each other",
    )
    return Failure(entry=first[0], error=error, rival=second[0])


def brief(value: Value) -> str:
    """A value in a message, cut short when it is long."""
    text = f"`{value}`" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."  # noqa: PLR2004


def gathered_conflicts(name: str, rows: Rows, layout: Layout, entries: tuple[Entry, ...]) -> list[Failure]:
    """Conflicts between the contributions to one map or keyed list, key by key."""
    setting = layout.vocabulary.names[name]
    if not isinstance(setting, Setting) or setting.write not in ("merge", "upsert"):
        return []
    slot = layout.slots[name]
    given = gather(
        cast("Any", rows[slot.depth][slot.index]), setting.key if setting.write == "upsert" else None, entries
    )
    return [
        conflict((entries[one.conflict[0][0]], one.conflict[0][1]), (entries[other], value), one.key)
        for one in given
        for other, value in one.conflict[1:]
    ]
