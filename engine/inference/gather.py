"""Lists and maps that several rules build together: who gives which key, and where rules disagree."""

from operator import itemgetter
from typing import cast

from ..language.expression import Value
from ..language.vocabulary import Setting
from ..record import Record
from .layout import Layout
from .plan_code import differ
from .stages import Entry

__all__ = ["Contribution", "Given", "agreed", "gather", "gathered_value", "ordered"]

Contribution = tuple[tuple[int, ...], int, Value]
"""Position of the item whose rule gave it, number of the entry, and the value."""


class Given(Record):
    """One key of a map or keyed list: its value, the entries credited, those that lost, and those that disagree."""

    key: str
    value: Value
    numbers: tuple[int, ...]
    lost: tuple[tuple[int, Value], ...] = ()
    conflict: tuple[tuple[int, Value], ...] = ()


def gather(contributions: list[Contribution], key: str | None, entries: tuple[Entry, ...]) -> list[Given]:
    """Join contributions of one map (``key`` None) or keyed list, in the order entity by entity, then rule by rule.

    Two entries that give one key different values conflict, unless the rule of one overrides the other's.
    """
    rivals: dict[str, list[tuple[int, Value]]] = {}
    for _, number, value in ordered(contributions):
        if key is None:
            pairs = [*cast("dict[str, Value]", value).items()]
        else:
            pairs = [(cast("str", item[key]), item) for item in cast("list[dict[str, Value]]", value)]
        for name, member in pairs:
            rivals.setdefault(name, []).append((number, member))
    return [_decide(name, given, entries) for name, given in rivals.items()]


def agreed(
    contributions: list[Contribution], key: str | None, entries: tuple[Entry, ...]
) -> dict[str, tuple[int, Value]] | None:
    """The same, short: the value of each key with the number of an entry that gave it; None when entries disagree."""
    found: dict[str, tuple[int, Value]] = {}
    size = 0
    for _, number, value in contributions if len(contributions) == 1 else ordered(contributions):
        size += len(value)  # type: ignore[arg-type]
        if key is None:
            for name, member in value.items():  # type: ignore[union-attr]
                found[name] = (number, member)
        else:
            for item in value:  # type: ignore[union-attr]
                found[item[key]] = (number, item)  # type: ignore[index, call-overload]
    if len(found) == size:
        return found
    # Some key has rivals.
    given = gather(contributions, key, entries)
    return None if any(one.conflict for one in given) else {one.key: (one.numbers[0], one.value) for one in given}


def _decide(name: str, given: list[tuple[int, Value]], entries: tuple[Entry, ...]) -> Given:
    if len(given) == 1:
        return Given(key=name, value=given[0][1], numbers=(given[0][0],))
    overridden = {rule for number, _ in given for rule in entries[number].rule.overrides}
    # Of rules that override each other in a circle none wins.
    left = [(number, value) for number, value in given if entries[number].rule.id not in overridden] or given
    lost = tuple(pair for pair in given if pair not in left)
    value = left[0][1]
    others = tuple((number, other) for number, other in left[1:] if differ(value, other))
    return Given(
        key=name,
        value=value,
        numbers=tuple(dict.fromkeys(number for number, _ in left)),
        lost=lost,
        conflict=(left[0], *others) if others else (),
    )


def ordered(contributions: list[Contribution]) -> list[Contribution]:
    """Entity by entity in document order, within one in the order of the rule set."""
    return sorted(contributions, key=_PLACE)


_PLACE = itemgetter(0, 1)


def gathered_value(
    name: str, contributions: list[Contribution], layout: Layout, entries: tuple[Entry, ...]
) -> Value | None:
    """What a reader of the name sees once all its rules have spoken; a setting that none of them wrote is missing."""
    setting = layout.vocabulary.names[name]
    if isinstance(setting, Setting) and not contributions:
        return None
    if isinstance(setting, Setting) and setting.write in ("merge", "upsert"):
        given = gather(contributions, setting.key if setting.write == "upsert" else None, entries)
        return {one.key: one.value for one in given} if setting.write == "merge" else [one.value for one in given]
    if isinstance(setting, Setting) and setting.write == "order":
        return [list(pair) for _, _, pair in ordered(contributions)]  # type: ignore[arg-type]
    return [item for _, _, value in ordered(contributions) for item in cast("list[Value]", value)]
