"""Decided settings, written into a JobSet: the base becomes the result."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, assert_never, cast

from ..inference.gather import Contribution, agreed, ordered
from ..inference.items import Item, Items
from ..inference.layout import Layout, Row
from ..inference.selection import select
from ..inference.stages import Entry
from ..inference.terms import copy_value
from ..language.expression import Call, Constant, Entries, ObjectName, Reference, Template, Term, Value
from ..language.expression import Items as Terms
from ..language.functions import FUNCTIONS
from ..language.rule import Repeat, Write
from ..language.vocabulary import Location, Member, Setting, Step

if TYPE_CHECKING:
    from ..inference.source import Source

__all__ = ["ConflictError", "SettingsWriter", "TargetError"]


_SCALARS = ("integer", "boolean", "text")
_PLAIN_WRITES = 3
"""So many JobSets are written step by step before the writers are compiled, which a single one would not repay."""

_Writer = Callable[[dict[str, Any], Row], None]


class ConflictError(Exception):
    """Rules give one key of a map or list different values."""


class TargetError(Exception):
    """A setting leads to an item that the JobSet does not have."""


class SettingsWriter:
    """Writes the values that a run left in the rows into a JobSet, in place."""

    __slots__ = ("_chains", "_compiled", "_entries", "_fresh", "_layout", "_orders", "_settings", "_writes")

    def __init__(self, layout: Layout, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        self._layout = layout
        self._compiled: dict[str | None, _Writer] | None = None
        self._writes = 0
        vocabulary = layout.vocabulary
        self._fresh = frozenset(entry.number for entry in entries if _is_fresh(entry, layout))
        self._settings: dict[str | None, list[tuple[Setting, int]]] = {}
        for entity in (None, *vocabulary.entities):
            settings = [
                (setting, index)
                for index, name in enumerate(layout.names.get(entity, ()))
                if isinstance(setting := vocabulary.names.get(name), Setting) and setting.write != "order"
            ]
            if settings:
                self._settings[entity] = settings
        self._chains = {
            entity: [_names(vocabulary.entities[name].each) for name in vocabulary.chain(entity)]
            for entity in vocabulary.entities
        }
        self._orders = [entity for entity in vocabulary.entities.values() if entity.order in layout.slots]

    def write(self, job_set: dict[str, Any], row: Row, items: Items) -> None:
        """Write all decided settings, then put lists into their decided order.

        Raises:
            ConflictError: two rules give one key different values.
            TargetError: a setting selects an item that is not there.
        """
        for entity, writer in (self._compiled or self._make_writers()).items():
            if entity is None:
                writer(job_set, row)
                continue
            chain = self._chains[entity]
            for item in items.get(entity, ()):
                writer(_target(job_set, chain, item), item.rows[-1])
        for ordering in self._orders:
            here = items.get(ordering.name, ())
            if any(item.position != item.origin for item in here):
                members: Any = job_set
                for name in _names(ordering.each):
                    members = members[name]
                members[:] = [members[item.origin[-1]] for item in here]

    def _make_writers(self) -> "dict[str | None, _Writer]":
        self._writes += 1
        if self._writes <= _PLAIN_WRITES:
            return {entity: partial(self._write_plainly, settings) for entity, settings in self._settings.items()}
        self._compiled = {entity: self._writer(settings) for entity, settings in self._settings.items()}
        return self._compiled

    def _write_plainly(self, settings: list[tuple[Setting, int]], target: dict[str, Any], row: Row) -> None:
        """What a compiled writer does, step by step."""
        for setting, index in settings:
            value: Any = row[index]
            if setting.write != "set" and value:
                value = self._joined(setting)(value)
            if value is None or (setting.write != "set" and not value):
                continue
            for place in setting.to:
                parent = target
                for step in place.steps[:-1]:
                    parent = _below(parent, step, place)
                name = cast("Member", place.steps[-1]).name
                if setting.write == "set" and setting.type in _SCALARS:
                    parent[name] = value
                    continue
                # Two places never share a list or map.
                own = value if place is setting.to[0] else copy_value(value)
                _PUT[setting.write](parent, name, own, setting.key)

    def _writer(self, settings: list[tuple[Setting, int]]) -> _Writer:
        """One function for all settings of an entity: ``(target, row)``."""
        from ..inference.source import Source

        source = Source(self._layout)
        for setting, index in settings:
            source.line(f"value = row[{index}]")
            if setting.write == "set":
                source.line("if value is not None:")
            else:
                source.line(f"if value and (value := {source.use(self._joined(setting))}(value)):")
            for place in setting.to:
                parent = _parent(source, place)
                name = source.use(cast("Member", place.steps[-1]).name)
                if setting.write == "set" and setting.type in _SCALARS:
                    source.line(f"{parent}[{name}] = value", 2)
                    continue
                # Two places never share a list or map.
                value = "value" if place is setting.to[0] else f"{source.use(copy_value)}(value)"
                key = source.use(setting.key)
                source.line(f"{source.use(_PUT[setting.write])}({parent}, {name}, {value}, {key})", 2)
        return source.compile("def write(target, row):")

    def _joined(self, setting: Setting) -> Callable[[list[Contribution]], Any]:
        """What several rules gave, as one value that shares nothing with the rules or the documents."""
        entries, fresh = self._entries, self._fresh
        key = setting.key if setting.write == "upsert" else None

        def by_key(contributions: list[Contribution]) -> dict[str, Value]:
            given = agreed(contributions, key, entries)
            if given is None:
                raise ConflictError(setting.name)
            return {name: value if by in fresh else copy_value(value) for name, (by, value) in given.items()}

        def one_by_one(contributions: list[Contribution]) -> list[Value]:
            return [copy_value(item) for _, _, items in ordered(contributions) for item in cast("list[Value]", items)]

        return one_by_one if setting.write == "append" else by_key


def _names(location: Location) -> tuple[str, ...]:
    return tuple(cast("Member", step).name for step in location.steps)


def _target(job_set: dict[str, Any], chain: list[tuple[str, ...]], item: Item) -> dict[str, Any]:
    """The item's map in the JobSet, by the index that it has before any order."""
    content: Any = job_set
    for names, at in zip(chain, item.origin, strict=True):
        for name in names:
            content = content[name]
        content = content[at]
    return cast("dict[str, Any]", content)


def _below(parent: dict[str, Any], step: Step, place: Location) -> dict[str, Any]:
    """The map that a step leads to, made where it is missing and can be."""
    if isinstance(step, Member):
        found: Any = parent.get(step.name)
        if found is None:
            found = parent[step.name] = {}
        return cast("dict[str, Any]", found)
    found = select(parent, (step,))
    return _no_target(place.text) if found is None else cast("dict[str, Any]", found)


def _parent(source: "Source", place: Location) -> str:
    """Code that finds the map that holds the field, made on the way where it is missing."""
    parent = "target"
    for step in place.steps[:-1]:
        value = source.local()
        if isinstance(step, Member):
            name = source.use(step.name)
            source.line(f"if ({value} := {parent}.get({name})) is None: {value} = {parent}[{name}] = {{}}", 2)
        else:
            source.line(f"{value} = {source.use(select)}({parent}, {source.use((step,))})", 2)
            source.line(f"if {value} is None: {source.use(_no_target)}({source.use(place.text)})", 2)
        parent = value
    return parent


def _no_target(text: str) -> NoReturn:
    raise TargetError(f"`{text}` does not exist")


def _is_fresh(entry: Entry, layout: Layout) -> bool:
    """Whether a statement makes a new value each time, of which nothing belongs to a rule or a document."""
    statement = entry.statement
    if not isinstance(statement, Write) or isinstance(statement.value, Repeat):
        return False

    def fresh(term: Term) -> bool:
        match term:
            case Reference():
                return layout.vocabulary.names[term.name].type in _SCALARS
            case Call():
                return FUNCTIONS[term.function].result in _SCALARS
            case Constant() | ObjectName() | Template():
                return True
            case Terms():
                return all(fresh(item) for item in term.items)
            case Entries():
                return all(fresh(value) for _, value in term.entries)
            case _:
                assert_never(term)

    return fresh(statement.value)


def _set(parent: dict[str, Any], name: str, value: Value, _: str | None) -> None:
    if value == []:
        parent.pop(name, None)
    else:
        parent[name] = copy_value(value)


def _merge(parent: dict[str, Any], name: str, value: dict[str, Value], _: str | None) -> None:
    here = parent.setdefault(name, value)
    if here is not value:
        here.update(value)


def _upsert(parent: dict[str, Any], name: str, value: dict[str, Value], key: str | None) -> None:
    here: list[Any] = parent.setdefault(name, [])
    places: dict[Any, int] = {}
    for index, item in enumerate(here):
        places.setdefault(item.get(key), index)
    for own, item in value.items():
        if own in places:
            here[places[own]] = item
        else:
            here.append(item)


def _append(parent: dict[str, Any], name: str, value: list[Value], _: str | None) -> None:
    parent.setdefault(name, []).extend(value)


_PUT: dict[str, Callable[[dict[str, Any], str, Any, str | None], None]] = {
    "set": _set,
    "merge": _merge,
    "upsert": _upsert,
    "append": _append,
}
