"""Vocabulary files become a vocabulary: entities first, since all other entries may belong to one."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..errors import Problem
from ..record import replace
from ..values.nearest import nearest_name
from .document import Cursor
from .expression_reader import parse_term
from .functions import RESERVED
from .location import LocationFault, parse_location, parse_steps
from .name_reader import DOCUMENTS, Scope, member, read_derived, read_fact, read_setting
from .report import report
from .vocabulary import Each, Entity, Location, Name, ObjectKind, Parameter, Setting, Vocabulary

__all__ = ["declared_names", "read_vocabulary"]

_T = TypeVar("_T", Entity, ObjectKind)


def read_vocabulary(
    files: Sequence[Cursor], parameters: Iterable[Parameter], uses: dict[str, set[str]], problems: list[Problem]
) -> Vocabulary:
    """All names of a rule set.

    :param files: vocabulary files whose shape has been checked
    :param parameters: with the values in force; they share the names' space
    :param uses: the kinds of statement that rules have for each name
    """
    scope = Scope(entities=_entities(files, problems), uses=uses, problems=problems)
    names: dict[str, Name] = {}
    for parameter in parameters:
        _add(parameter, names, problems)
    for section, read in _SECTIONS:
        for name, cursor in _entries(files, section):
            entry = read(name, cursor, scope)
            if entry is not None:
                _add(entry, names, problems)
    _check_orders(scope.entities, names, problems)
    objects = _unique(
        (_object(name, cursor, problems) for name, cursor in _entries(files, "objects")), "object", problems
    )
    return Vocabulary(names=names, entities=scope.entities, objects=objects)


def declared_names(files: Sequence[Cursor]) -> set[str]:
    """The names that vocabulary files declare, whether they could be read or not."""
    return {name for section, _ in _SECTIONS for name, _ in _entries(files, section)}


_SECTIONS: tuple[tuple[str, Callable[[str, Cursor, Scope], Name | None]], ...] = (
    ("facts", read_fact),
    ("derived", read_derived),
    ("settings", read_setting),
)


def _entries(files: Sequence[Cursor], section: str) -> Iterable[tuple[str, Cursor]]:
    for file in files:
        found = file.get(section)
        if found is not None:
            yield from found.items()


def _add(entry: Name, names: dict[str, Name], problems: list[Problem]) -> None:
    if entry.name in RESERVED:
        report(problems, entry.place, f"`{entry.name}` is the name of a function", "choose another name")
    other = names.setdefault(entry.name, entry)
    if other is not entry:
        report(problems, entry.place, f"the name `{entry.name}` is taken", f"it is declared at {other.place}")


def _unique(entries: Iterable[_T], noun: str, problems: list[Problem]) -> dict[str, _T]:
    found: dict[str, _T] = {}
    for entry in entries:
        other = found.setdefault(entry.name, entry)
        if other is not entry:
            report(problems, entry.place, f"the {noun} `{entry.name}` is taken", f"it is declared at {other.place}")
    return found


def _entities(files: Sequence[Cursor], problems: list[Problem]) -> dict[str, Entity]:
    read = [_entity(name, cursor, problems) for name, cursor in _entries(files, "entities")]
    found = _unique((entity for entity in read if entity is not None), "entity", problems)
    for name, entity in tuple(found.items()):
        chain = [name]
        while (parent := found[chain[-1]].of) is not None and parent in found and parent not in chain:
            chain.append(parent)
        if parent is None:
            continue
        if parent in chain:
            report(
                problems, entity.place, f"entities belong to each other in a circle: {' of '.join([*chain, parent])}"
            )
        else:
            report(problems, found[chain[-1]].place, f"unknown entity `{parent}` in `of`", nearest_name(parent, found))
        # The rest is read as if the entity stood alone, so that the one fault is told once.
        found[name] = replace(entity, of=None, each=replace(entity.each, document="jobSet"))
    return found


def _entity(name: str, cursor: Cursor, problems: list[Problem]) -> Entity | None:
    of: str | None = cursor.raw.get("of")
    each = member(cursor, "each")
    try:
        location = parse_location(each.raw, of)
    except LocationFault as fault:
        report(problems, each.place, fault.cause, fault.help)
        return None
    if of is not None and location.document != of:
        cause = f"`{name}` belongs to `{of}`, so its items are not in `{location.document}`"
        report(problems, each.place, cause, "the path starts at an item of the parent")
    elif of is None and location.document not in DOCUMENTS:
        hint = nearest_name(location.document, DOCUMENTS)
        report(problems, each.place, f"unknown document `{location.document}`", hint)
        return None
    if any(isinstance(step, Each) for step in location.steps):
        report(
            problems, each.place, f"`{name}` is read from several lists at once", "name the list itself, without `[]`"
        )
    return Entity(
        name=name,
        each=location,
        of=of,
        key=cursor.raw["key"],
        order=cursor.raw.get("order"),
        waits=_waits(name, cursor, problems),
        meaning=cursor.raw["meaning"],
        place=cursor.key_place or cursor.place,
    )


def _waits(name: str, cursor: Cursor, problems: list[Problem]) -> Location | None:
    waits = cursor.get("waits")
    if waits is None:
        return None
    try:
        steps = parse_steps(waits.raw)
    except LocationFault as fault:
        report(problems, waits.place, fault.cause, fault.help)
        return None
    if not any(isinstance(step, Each) for step in steps):
        cause = f"`{waits.raw}` is no list of what an item waits for"
        report(problems, waits.place, cause, "write it like `dependsOn[].name`")
    return Location(document=name, steps=steps, text=f"{name}/{waits.raw}")


def _check_orders(entities: dict[str, Entity], names: dict[str, Name], problems: list[Problem]) -> None:
    """The setting that orders an entity is the very list that its items are in."""
    for entity in entities.values():
        if entity.order is None:
            continue
        setting = names.get(entity.order)
        if not isinstance(setting, Setting):
            settings = [name for name, entry in names.items() if isinstance(entry, Setting)]
            hint = nearest_name(entity.order, settings)
            report(problems, entity.place, f"unknown setting `{entity.order}` in `order` of `{entity.name}`", hint)
        elif [(to.document, to.steps) for to in setting.to] != [(entity.each.document, entity.each.steps)]:
            cause = f"`{setting.name}` is not the list that `{entity.name}` is read from"
            report(problems, entity.place, cause, f"let it write `{entity.each.text}`")
        elif setting.write != "order":
            cause = f"`{setting.name}` orders `{entity.name}`, so it cannot be written by `{setting.write}`"
            report(problems, setting.place, cause, "say `write: order`")


def _object(name: str, cursor: Cursor, problems: list[Problem]) -> ObjectKind:
    raw = cursor.raw
    return ObjectKind(
        name=name,
        api_version=raw["apiVersion"],
        kind=raw["kind"],
        metadata_name=parse_term(member(cursor, "name"), problems),
        owner=raw.get("owner"),
        generate=tuple(raw.get("generate", {}).items()),
        meaning=raw["meaning"],
        place=cursor.key_place or cursor.place,
    )
