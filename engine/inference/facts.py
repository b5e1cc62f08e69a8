"""Facts: the values that rules see, read from documents into rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Problem, ProblemKind
from ..language.expression import Value
from ..language.vocabulary import Each, Entity, Fact, Keep, Location, Member, Select, Step
from .items import Item, Items
from .layout import Layout, Row, Rows
from .terms import copy_value

__all__ = ["FactError", "FactReader", "Reading", "select"]

_TYPES: dict[str, type] = {"integer": int, "boolean": bool, "text": str, "list": list, "map": dict}


class FactError(Exception):
    """A document holds a value of another type than the vocabulary says; ``problem`` names the field."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def select(value: Any, steps: tuple[Step, ...]) -> Any:  # documents are JSON of any shape
    """What a path leads to; None when nothing is there. A path with ``[]`` always gives a list, maybe empty."""
    for number, step in enumerate(steps):
        match step:
            case Member():
                value = value.get(step.name) if isinstance(value, dict) else None
            case Select():
                value = next((item for item in _maps(value) if item.get(step.key) == step.value), None)
            case Each():
                found = [select(item, steps[number + 1 :]) for item in value] if isinstance(value, list) else []
                nested = any(isinstance(later, Each) for later in steps[number + 1 :])
                return [one for item in found for one in item] if nested else [one for one in found if one is not None]
        if value is None:
            return [] if any(isinstance(later, Each) for later in steps[number + 1 :]) else None
    return value


def _maps(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """How one fact gets into its row."""

    fact: Fact
    index: int

    def read(self, document: Mapping[str, Any], row: Row) -> None:
        """Read the fact, if it is there.

        Raises:
            FactError: the value is of another type than the vocabulary says.
        """
        fact = self.fact
        value = select(document, fact.at.steps)
        if value is None:
            return
        if value.__class__ is not _TYPES[fact.type]:
            raise FactError(_mistyped(fact, value))
        if fact.keep is not None:
            value = _kept_items(value, fact.keep)
        elif fact.of == "quantity":
            value = _canonical(value)
        row[self.index] = value


def _canonical(value: Any) -> Any:
    from ..values.quantity import canonical  # most TrainJobs have no quantities

    if isinstance(value, dict):
        return {key: canonical(amount) for key, amount in value.items()}
    return [canonical(amount) for amount in value]


def _mistyped(fact: Fact, value: Value) -> Problem:
    path = tuple(step.name for step in fact.at.steps if isinstance(step, Member))
    return Problem(
        kind=ProblemKind.INVALID,
        cause=f"`{fact.at.text}` should be {_a(fact.type)}, not `{value}`",
        help=f"the rules read it as `{fact.name}`",
        document=fact.at.document if fact.entity is None else "jobSet",
        path=path,
    )


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}" if kind != "text" else "text"


def _kept_items(value: Any, keep: tuple[Keep, ...]) -> Any:
    if isinstance(value, list):
        return [_kept(item, keep) if isinstance(item, dict) else item for item in value]
    return _kept(value, keep)


def _kept(item: dict[str, Any], keep: tuple[Keep, ...]) -> dict[str, Any]:
    """The members of an item that survive, parents included, in the order of the vocabulary."""
    result: dict[str, Any] = {}
    for entry in keep:
        if entry.unless is not None and select(item, _members(entry.unless)) is not None:
            continue
        for depth in range(1, len(entry.path)):
            if isinstance(select(item, _members(entry.path[:depth])), dict):
                _put(result, entry.path[:depth], {}, replace=False)
        parent = select(item, _members(entry.path[:-1]))
        if not isinstance(parent, dict):
            continue
        value = parent.get(entry.path[-1], entry.default)
        if value is not None:
            _put(result, entry.path, copy_value(value), replace=True)
    return result


def _members(path: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(Member(name=name) for name in path)


def _put(target: dict[str, Any], path: tuple[str, ...], value: Value, *, replace: bool) -> None:
    for name in path[:-1]:
        target = target.setdefault(name, {})
    if replace:
        target[path[-1]] = value
    else:
        target.setdefault(path[-1], value)


class FactReader:
    """Reads the facts that a program uses: those of whole documents, and those of each item of each entity."""

    __slots__ = ("_entities", "_layout", "_readings")

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        vocabulary = layout.vocabulary
        self._readings: dict[str, list[Reading]] = {}
        for entity, names in layout.names.items():
            for index, name in enumerate(names):
                fact = vocabulary.names.get(name)
                if isinstance(fact, Fact):
                    self._readings.setdefault(entity or fact.at.document, []).append(Reading(fact=fact, index=index))
        used = [name for name in layout.names if name is not None]
        self._entities = sorted(
            (vocabulary.entities[name] for name in used), key=lambda one: (len(vocabulary.chain(one.name)), one.name)
        )

    def read(
        self, document: str, content: Mapping[str, Any], row: Row, wanted: Callable[[Location], bool] | None = None
    ) -> list[Problem]:
        """Read the facts of one document (``trainJob``, ``runtime``, ``jobSet`` or an entity's item) into a row.

        ``wanted`` can leave facts out by their place. Returns a problem for each value of a wrong type.
        """
        problems: list[Problem] = []
        for reading in self._readings.get(document, ()):
            if wanted is None or wanted(reading.fact.at):
                try:
                    reading.read(content, row)
                except FactError as error:
                    problems.append(error.problem)
        return problems

    def items(
        self, documents: Mapping[str, Mapping[str, Any]], row: Row, new_row: Callable[[str | None], Row]
    ) -> tuple[Items, list[Problem]]:
        """The items of all entities, each with a row that holds its facts."""
        items: Items = {}
        problems: list[Problem] = []
        for entity in self._entities:
            found = items[entity.name] = []
            if entity.of is None:
                parents: list[tuple[Item | None, Any, Rows]] = [(None, documents.get(entity.each.document, {}), (row,))]
            else:
                parents = [(item, item.source, item.rows) for item in items[entity.of]]
            for parent, content, rows in parents:
                for index, member in enumerate(_maps(select(content, entity.each.steps))):
                    own = new_row(entity.name)
                    problems += self.read(entity.name, member, own)
                    item = _item(entity, member, (*rows, own), parent, index)
                    found.append(item)
        return items, problems


def _item(entity: Entity, member: dict[str, Any], rows: Rows, parent: Item | None, index: int) -> Item:
    waits = select(member, entity.waits.steps) if entity.waits is not None else None
    item = Item(
        rows,
        (*(parent.position if parent else ()), index),
        str(member.get(entity.key, "")),
        tuple(str(name) for name in waits) if isinstance(waits, list) else (),
        member,
    )
    if parent is not None:
        parent.children.append(item)
    return item
