"""Decided settings, written into a JobSet: the base becomes the result."""

from collections.abc import Callable
from typing import Any, cast

from ..inference.gather import Contribution, Given, gather, ordered
from ..inference.items import Item, Items
from ..inference.layout import Layout, Row
from ..inference.stages import Entry
from ..inference.terms import copy_value
from ..language.expression import Value
from ..language.vocabulary import Location, Member, Select, Setting

__all__ = ["ConflictError", "SettingsWriter", "TargetError", "decided"]


class ConflictError(Exception):
    """Rules give one key of a map or list different values."""


class TargetError(Exception):
    """A setting leads to an item that the JobSet does not have."""


class SettingsWriter:
    """Writes the values that a run left in the rows into a JobSet, in place."""

    __slots__ = ("_entries", "_layout", "_orders", "_settings")

    def __init__(self, layout: Layout, entries: tuple[Entry, ...]) -> None:
        self._layout = layout
        self._entries = entries
        names = layout.vocabulary.names
        self._settings: dict[str | None, list[tuple[Setting, int]]] = {}
        for entity, members in layout.names.items():
            for index, name in enumerate(members):
                setting = names.get(name)
                if isinstance(setting, Setting) and setting.write != "order":
                    self._settings.setdefault(entity, []).append((setting, index))
        self._orders = [entity for entity in layout.vocabulary.entities.values() if entity.order in layout.slots]

    def write(self, job_set: dict[str, Any], row: Row, items: Items) -> None:
        """Write all decided settings, then put lists into their decided order.

        Raises:
            ConflictError: two rules give one key different values.
            TargetError: a setting selects an item that is not there.
        """
        found: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = {}
        for setting, index in self._settings.get(None, ()):
            self._write(setting, row[index], job_set)
        vocabulary = self._layout.vocabulary
        for entity in vocabulary.entities:
            settings = self._settings.get(entity)
            if settings:
                for item in items.get(entity, ()):
                    target = self._find(entity, item, job_set, found)
                    own = item.rows[-1]
                    for setting, index in settings:
                        if own[index] or (own[index] is not None and setting.write == "set"):
                            self._write(setting, own[index], target)
        for ordering in self._orders:
            here = items.get(ordering.name, ())
            if any(item.position != item.origin for item in here):
                members: Any = job_set
                for step in ordering.each.steps:
                    members = members[cast("Member", step).name]
                members[:] = [members[item.origin[-1]] for item in here]

    def _find(
        self, entity: str, item: Item, job_set: dict[str, Any], found: dict[tuple[str, tuple[int, ...]], dict[str, Any]]
    ) -> dict[str, Any]:
        """The item's map in the JobSet, by the index that it has before any order."""
        known = found.get((entity, item.origin))
        if known is not None:
            return known
        content: Any = job_set
        for depth, name in enumerate(self._layout.vocabulary.chain(entity)):
            for step in self._layout.vocabulary.entities[name].each.steps:
                content = content[cast("Member", step).name]
            content = content[item.origin[depth]]
        found[entity, item.origin] = content
        return cast("dict[str, Any]", content)

    def _write(self, setting: Setting, value: Value | None, target: dict[str, Any]) -> None:
        if value is None or (setting.write != "set" and not value):
            return
        for location in setting.to:
            parent, name = _parent(target, location)
            _WRITERS[setting.write](parent, name, value, setting, self._entries)


def _parent(target: dict[str, Any], location: Location) -> tuple[dict[str, Any], str]:
    """The map that holds the field, made on the way where it is missing, and the field's name."""
    content: Any = target
    for step in location.steps[:-1]:
        match step:
            case Member():
                content = content.setdefault(step.name, {})
            case Select():
                content = next((item for item in content if item.get(step.key) == step.value), None)
            case _:
                content = None
        if content is None:
            raise TargetError(f"`{location.text}` does not exist")
    return content, cast("Member", location.steps[-1]).name


def _set(parent: dict[str, Any], name: str, value: Value, _: Setting, __: tuple[Entry, ...]) -> None:
    if value == []:
        parent.pop(name, None)
    else:
        parent[name] = value if value.__class__ in (int, str, bool) else copy_value(value)


def decided(contributions: Value, setting: Setting, entries: tuple[Entry, ...]) -> list[Given]:
    """Key by key what rules gave to a map or keyed list."""
    return gather(
        cast("list[Contribution]", contributions), setting.key if setting.write == "upsert" else None, entries
    )


def _checked(contributions: Value, setting: Setting, entries: tuple[Entry, ...]) -> list[Given]:
    given = decided(contributions, setting, entries)
    if any(one.conflict for one in given):
        raise ConflictError(setting.name)
    return given


def _merge(parent: dict[str, Any], name: str, value: Value, setting: Setting, entries: tuple[Entry, ...]) -> None:
    given = _checked(value, setting, entries)
    if given:
        parent.setdefault(name, {}).update((one.key, copy_value(one.value)) for one in given)


def _upsert(parent: dict[str, Any], name: str, value: Value, setting: Setting, entries: tuple[Entry, ...]) -> None:
    given = _checked(value, setting, entries)
    if not given:
        return
    here: list[dict[str, Any]] = parent.setdefault(name, [])
    places: dict[Any, int] = {}
    for index, item in enumerate(here):
        places.setdefault(item.get(cast("str", setting.key)), index)
    for one in given:
        item = cast("dict[str, Any]", copy_value(one.value))
        if one.key in places:
            here[places[one.key]] = item
        else:
            places[one.key] = len(here)
            here.append(item)


def _append(parent: dict[str, Any], name: str, value: Value, _: Setting, __: tuple[Entry, ...]) -> None:
    added = [item for _, _, items in ordered(cast("list[Contribution]", value)) for item in cast("list[Value]", items)]
    if added:
        parent.setdefault(name, []).extend(copy_value(item) for item in added)


_WRITERS: dict[str, Callable[[dict[str, Any], str, Value, Setting, tuple[Entry, ...]], None]] = {
    "set": _set,
    "merge": _merge,
    "upsert": _upsert,
    "append": _append,
}
