"""One entry of a vocabulary at a time: facts, derived names, settings and parameters."""

from typing import Any, Literal, cast

from ..errors import Place, Problem
from ..record import Record
from ..values.nearest import nearest_name
from .document import Cursor
from .expression import TypeName, Value
from .expression_reader import parse_value
from .location import LocationFault, parse_location, parse_steps
from .report import report
from .value_type import ValueType, type_of_value
from .vocabulary import Derived, Each, Entity, Fact, Keep, Location, Member, Parameter, Setting, Step

__all__ = ["DOCUMENTS", "Scope", "member", "misfit", "read_derived", "read_fact", "read_parameter", "read_setting"]

DOCUMENTS = ("trainJob", "runtime", "jobSet")
"""The documents that paths start in, besides the items of entities."""
_SYNONYMS = {"envVar": "map"}

_WriteKind = Literal["set", "merge", "upsert", "append", "order"]


class Scope(Record):
    """What entries are read against.

    ``uses`` are the statements that rules have for a name; they decide how a list without a key is written when the
    vocabulary does not say.
    """

    entities: dict[str, Entity]
    uses: dict[str, set[str]]
    problems: list[Problem]


def read_fact(name: str, cursor: Cursor, scope: Scope) -> Fact | None:
    """The fact, or None when its path cannot be read."""
    at_cursor = member(cursor, "at")
    at = _location(at_cursor, scope)
    if at is None:
        return None
    common = _common(name, cursor, scope)
    required = cursor.raw.get("required", False)
    if required and common["default"] is not None:
        report(scope.problems, _place(cursor), f"`{name}` is required and has a default", "a fact has one of the two")
    if any(isinstance(step, Each) for step in at.steps) and common["type"] != "list":
        report(scope.problems, member(cursor, "type").place, f"`{name}` is read through `[]`, so its type is `list`")
    keep = cursor.get("keep")
    if keep is not None and common["type"] not in ("list", "map"):
        report(scope.problems, keep.place, f"`{name}` has no members to keep", "`keep` is for lists and maps")
    return Fact(
        **common,
        at=at,
        required=required,
        keep=None if keep is None else tuple(kept for item in keep.each() for kept in _keep(item, scope)),
        entity=at.document if at.document in scope.entities else None,
    )


def read_derived(name: str, cursor: Cursor, scope: Scope) -> Derived:
    """The derived name; one whose scope does not exist is read as global."""
    entity = cursor.get("scope")
    known = entity is None or entity.raw in scope.entities
    if entity is not None and not known:
        hint = nearest_name(entity.raw, scope.entities)
        report(scope.problems, entity.place, f"unknown entity `{entity.raw}`", hint)
    return Derived(**_common(name, cursor, scope), entity=None if entity is None or not known else entity.raw)


def read_setting(name: str, cursor: Cursor, scope: Scope) -> Setting | None:
    """The setting, or None when nothing can be written where it points."""
    to = member(cursor, "to")
    locations = [_location(one, scope) for one in (to.each() if isinstance(to.raw, list) else (to,))]
    if not all(location is not None and _writable(location, to, scope) for location in locations):
        return None
    found = tuple(location for location in locations if location is not None)
    if len({location.document for location in found}) > 1:
        report(scope.problems, to.place, f"`{name}` writes fields of several documents", "a setting belongs to one")
        return None
    common = _common(name, cursor, scope)
    del common["default"]
    key = cursor.get("key")
    if key is not None and common["type"] != "list":
        report(scope.problems, key.place, f"`{name}` is no list, so its items have no key")
    document = found[0].document
    return Setting(
        **common,
        to=found,
        key=None if key is None else key.raw,
        write=_write(name, cursor, common["type"], scope),
        entity=document if document in scope.entities else None,
    )


def read_parameter(name: str, cursor: Cursor, problems: list[Problem]) -> Parameter | None:
    """The parameter with its default in force; None when the default cannot be read."""
    common = _common(name, cursor, Scope(entities={}, uses={}, problems=problems))
    del common["of"]
    default = common["default"]
    return None if default is None else Parameter(**common, value=default)


def member(cursor: Cursor, key: str) -> Cursor:
    """A member that the shape of the file guarantees."""
    inner = cursor.get(key)
    if inner is None:
        raise AssertionError(key)
    return inner


def misfit(name: str, value: Value, entry: dict[str, Any] | Parameter) -> str | None:
    """Why a value cannot be one of the name's; None when it can. ``entry`` is a parameter, or what will be an entry."""
    if isinstance(entry, Parameter):
        entry = {"type": entry.type, "minimum": entry.minimum, "maximum": entry.maximum}
    wanted, found = ValueType(kind=entry["type"], of=entry.get("of")), type_of_value(value)
    low, high = entry["minimum"], entry["maximum"]
    if not found.fits(wanted):
        return f"`{name}` is {wanted}, not {found}"
    if isinstance(value, int) and not isinstance(value, bool):
        if low is not None and value < low:
            return f"`{value}` is below the minimum {low} of `{name}`"
        if high is not None and value > high:
            return f"`{value}` is above the maximum {high} of `{name}`"
    return None


def _common(name: str, cursor: Cursor, scope: Scope) -> dict[str, Any]:
    """What all entries have; whatever is wrong with it adds a problem."""
    raw = cursor.raw
    kind: TypeName = raw["type"]
    of = raw.get("of")
    common: dict[str, Any] = {
        "name": name,
        "type": kind,
        "of": _SYNONYMS.get(of, of),
        "minimum": raw.get("minimum"),
        "maximum": raw.get("maximum"),
        "unit": raw.get("unit"),
        "meaning": raw["meaning"],
        "place": _place(cursor),
        "default": None,
    }
    problems = scope.problems
    if of is not None and kind not in ("list", "map"):
        report(problems, member(cursor, "of").place, f"`{name}` has no elements, so it has no `of`")
    for bound in ("minimum", "maximum"):
        at = cursor.get(bound)
        if at is not None and kind != "integer":
            report(problems, at.place, f"`{name}` is no integer, so it has no `{bound}`")
            common[bound] = None
    low, high = common["minimum"], common["maximum"]
    if low is not None and high is not None and low > high:
        report(problems, member(cursor, "minimum").place, f"the minimum {low} of `{name}` is above its maximum {high}")
        common["minimum"] = common["maximum"] = None
    default = cursor.get("default")
    if default is not None:
        common["default"] = parse_value(default, problems)
        fault = None if common["default"] is None else misfit(name, common["default"], common)
        if fault is not None:
            report(problems, default.place, f"the default does not fit: {fault}")
    return common


def _location(cursor: Cursor, scope: Scope) -> Location | None:
    """A path whose document exists; None, with a problem, otherwise."""
    try:
        location = parse_location(cursor.raw)
    except LocationFault as fault:
        report(scope.problems, cursor.place, fault.cause, fault.help)
        return None
    if location.document in DOCUMENTS or location.document in scope.entities:
        return location
    known = (*DOCUMENTS, *scope.entities)
    report(
        scope.problems, cursor.place, f"unknown document `{location.document}`", nearest_name(location.document, known)
    )
    return None


def _keep(cursor: Cursor, scope: Scope) -> list[Keep]:
    """``path`` or ``{member: path, of: quantity, default: value, unless: path}``."""
    if isinstance(cursor.raw, str):
        path = _members(cursor, scope)
        return [] if path is None else [Keep(path=path)]
    path = _members(member(cursor, "member"), scope)
    unless, default = cursor.get("unless"), cursor.get("default")
    if path is None:
        return []
    return [
        Keep(
            path=path,
            of=cursor.raw.get("of"),
            default=None if default is None else parse_value(default, scope.problems),
            unless=None if unless is None else _members(unless, scope),
        )
    ]


def _members(cursor: Cursor, scope: Scope) -> tuple[str, ...] | None:
    """A path of members alone."""
    try:
        steps = parse_steps(cursor.raw)
    except LocationFault as fault:
        report(scope.problems, cursor.place, fault.cause, fault.help)
        return None
    names = tuple(step.name for step in steps if isinstance(step, Member))
    if len(names) < len(steps):
        report(scope.problems, cursor.place, f"`{cursor.raw}` selects items; `keep` names members only")
        return None
    return names


def _writable(location: Location, cursor: Cursor, scope: Scope) -> bool:
    document: str | None = location.document
    while document in scope.entities:
        entity = scope.entities[document]
        document = entity.of or entity.each.document
    last: Step = location.steps[-1]
    if document != "jobSet":
        cause = f"`{location.text}` is not part of the JobSet"
        report(scope.problems, cursor.place, cause, "only fields of the JobSet can be written")
    elif not isinstance(last, Member) or any(isinstance(step, Each) for step in location.steps):
        report(scope.problems, cursor.place, f"`{location.text}` is not one field", "a setting ends in a member")
    else:
        return True
    return False


def _write(name: str, cursor: Cursor, kind: TypeName, scope: Scope) -> _WriteKind:
    """The one way to write a setting: as the vocabulary says, else by its type, and by the rules for plain lists."""
    said, keyed = cursor.get("write"), "key" in cursor.raw
    possible: tuple[_WriteKind, ...]
    match kind:
        case "map":
            possible = ("merge",)
        case "list" if keyed:
            possible = ("upsert", "order")
        case "list":
            possible = ("set", "append")
        case _:
            possible = ("set",)
    if said is not None:
        if said.raw not in possible:
            what = f"a {'keyed' if keyed else 'keyless'} list" if kind == "list" else str(ValueType(kind=kind))
            cause = f"`{name}` is {what} and cannot be written by `{said.raw}`"
            report(scope.problems, said.place, cause, f"it can by {' or '.join(f'`{one}`' for one in possible)}")
        return cast("_WriteKind", said.raw)
    if keyed:
        return "order" if any(entity.order == name for entity in scope.entities.values()) else "upsert"
    if "append" not in possible or "append" not in scope.uses.get(name, ()):
        return possible[0]
    if scope.uses[name] - {"append"}:
        cause = f"`{name}` is written by `set` in one rule and by `append` in another"
        report(scope.problems, _place(cursor), cause, "say which by `write`")
    return "append"


def _place(cursor: Cursor) -> Place:
    return cursor.key_place or cursor.place
