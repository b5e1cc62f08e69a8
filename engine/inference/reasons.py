"""Reasons: a careful run, turned into decisions that a person can follow."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ..decision import Decision, Loser, Near, Target
from ..errors import Place
from ..language.expression import Value
from ..language.functions import EvaluationError
from ..language.vocabulary import Derived, Setting
from .decide import Program, Trace
from .execute import entry_value
from .facts import select
from .gather import Contribution, Given, gather, ordered
from .grounds import Grounds
from .items import Item, Items
from .layout import Row, Rows
from .situations import Plan
from .stages import Entry
from .target_path import location_text, member_text
from .terms import Lookup

__all__ = ["Reasons"]

_Step = tuple[Plan, Item | None, Rows]


class Reasons:
    """All decisions of one run, each with the tests, values, losers and near misses behind it."""

    __slots__ = ("_base", "_grounds", "_items", "_layout", "_origins", "_program", "_row", "_steps", "_trace")

    def __init__(
        self,
        program: Program,
        trace: Trace,
        row: Row,
        items: Items,
        documents: Mapping[str, Any],
        given: Mapping[str, Any],
    ) -> None:
        self._program = program
        self._layout = program.layout
        self._trace = trace
        self._row = row
        self._items = items
        self._base = documents["jobSet"]
        self._origins: dict[tuple[str, tuple[int, ...]], tuple[tuple[str, ...], Place]] = {}
        self._grounds = Grounds(program.layout, documents, given, self._origins)
        self._steps: dict[tuple[int, tuple[int, ...]], _Step] = {}
        for step in trace.steps:
            plan, item, _ = step
            position = item.position if item else ()
            for entry in plan.stage.entries:
                self._steps[entry.number, position] = step
            for name, entries in plan.winners.items():
                owner = position[: self._depth(name)]
                rules, place = self._origins.get((name, owner), ((), entries[0].statement.place))
                credited = tuple(dict.fromkeys((*rules, *(entry.rule.id for entry in entries))))
                self._origins[name, owner] = (credited, place)

    def decisions(self) -> tuple[tuple[Decision, ...], tuple[Decision, ...]]:
        """Decisions on settings and objects in the order of the document, then those on derived names in turn."""
        settings: list[tuple[tuple[Any, ...], Decision]] = []
        derived: list[tuple[int, Decision]] = []
        for step, (plan, item, rows) in enumerate(self._trace.steps):
            for name, entries in plan.winners.items():
                entry = self._layout.vocabulary.names.get(name)
                if name in self._layout.appended or name.startswith("object:"):
                    continue
                decision = self._single(name, entries, plan, item, rows)
                if decision is None:
                    continue
                if isinstance(entry, Derived):
                    derived.append((step, decision))
                else:
                    settings.append(((item.position if item else (), name, 0), decision))
        for name in sorted(self._layout.appended):
            for key, decision in self._built(name):
                if isinstance(self._layout.vocabulary.names[name], Derived):
                    derived.append((self._last_step(name), decision))
                else:
                    settings.append((key, decision))
        settings += self._objects()
        settings.sort(key=lambda pair: pair[0])
        derived.sort(key=lambda pair: pair[0])
        return tuple(decision for _, decision in settings), tuple(decision for _, decision in derived)

    def _last_step(self, name: str) -> int:
        return max(index for index, (plan, _, _) in enumerate(self._trace.steps) if name in plan.winners)

    def _depth(self, name: str) -> int:
        vocabulary = self._layout.vocabulary
        return len(vocabulary.chain(vocabulary.scope(name))) if name in vocabulary.names else 0

    def _single(
        self, name: str, entries: tuple[Entry, ...], plan: Plan, item: Item | None, rows: Rows
    ) -> Decision | None:
        slot = self._layout.slots[name]
        value = rows[slot.depth][slot.index]
        if value is None:
            return None
        setting = self._layout.vocabulary.names[name]
        old = self._old(setting, item) if isinstance(setting, Setting) else None
        new = None if isinstance(setting, Setting) and value == [] else value
        losers = self._losers(name, plan, item, rows)
        if isinstance(setting, Setting) and old is not None and old != new:
            losers = (*losers, _base_loser(old))
        return self._decision(
            Target(
                name=name,
                entity=self._entity(name, item),
                document="jobSet" if isinstance(setting, Setting) else None,
                paths=self._paths(setting, item) if isinstance(setting, Setting) else (),
            ),
            old,
            new,
            entries,
            (plan, item, rows),
            losers,
        )

    def _decision(
        self,
        target: Target,
        old: Value | None,
        new: Value | None,
        entries: tuple[Entry, ...],
        step: _Step,
        losers: tuple[Loser, ...],
    ) -> Decision:
        plan, item, rows = step
        first = entries[0]
        told = {loser.rule for loser in losers} | {entry.rule.id for entry in entries}
        near: list[Near] = []
        for entry in plan.stage.entries:
            if entry.target == first.target and entry.rule.id not in told:
                test = self._grounds.near(entry, item, rows)
                if test is not None:
                    near.append(Near(rule=entry.rule.id, place=entry.rule.place, test=test))
        return Decision(
            target=target,
            old=old,
            new=new,
            rule=first.rule.id,
            rules=tuple(dict.fromkeys(entry.rule.id for entry in entries)),
            place=first.statement.place,
            because=self._grounds.because(first, item, rows),
            reads=self._grounds.reads(first, item, rows),
            shadowed=losers,
            near=tuple(near),
        )

    def _losers(self, name: str, plan: Plan, item: Item | None, rows: Rows) -> tuple[Loser, ...]:
        losers = [
            Loser(rule=entry.rule.id, place=entry.statement.place, value=self._would(entry, rows), reason=reason)
            for entry, reason in plan.losers
            if entry.target == name
        ]
        held = {entry.number for entries in plan.winners.values() for entry in entries}
        held |= {entry.number for entry, _ in plan.losers}
        for entry in plan.stage.entries:
            if entry.target == name and entry.number not in held and self._grounds.only_absence(entry, rows):
                missing = self._grounds.near(entry, item, rows)
                reason = f"`{missing.fact}` is present" if missing else "a name that it wants absent is present"
                losers.append(
                    Loser(
                        rule=entry.rule.id, place=entry.statement.place, value=self._would(entry, rows), reason=reason
                    )
                )
        return tuple(losers)

    def _would(self, entry: Entry, rows: Rows) -> Value | None:
        try:
            return entry_value(entry, cast("Lookup", self._layout.lookup(rows)), self._layout)
        except EvaluationError:
            return None

    def _owners(self, name: str) -> list[tuple[Item | None, Rows]]:
        entity = self._layout.vocabulary.scope(name)
        if entity is None:
            return [(None, (self._row,))]
        return [(item, item.rows) for item in self._items.get(entity, ())]

    def _built(self, name: str) -> Iterator[tuple[tuple[Any, ...], Decision]]:
        """Decisions on a name that rules build together: one for each key, or one for the whole list."""
        setting = self._layout.vocabulary.names[name]
        slot = self._layout.slots[name]
        for item, rows in self._owners(name):
            given = cast("Any", rows[slot.depth][slot.index])
            position = item.position if item else ()
            if not given:
                continue
            if isinstance(setting, Setting) and setting.write in ("merge", "upsert"):
                joined = gather(given, setting.key if setting.write == "upsert" else None, self._program.entries)
                for number, one in enumerate(joined):
                    yield (position, name, number), self._keyed(setting, one, given, item)
            elif isinstance(setting, Setting) and setting.write == "order":
                yield (position, name, 0), self._order(setting, given)
            else:
                yield (position, name, 0), self._list(name, given, item)

    def _keyed(self, setting: Setting, one: Given, given: list[Contribution], item: Item | None) -> Decision:
        old = self._old(setting, item)
        if isinstance(old, list):
            old = next(
                (
                    member
                    for member in old
                    if isinstance(member, dict) and member.get(cast("str", setting.key)) == one.key
                ),
                None,
            )
        elif isinstance(old, dict):
            old = old.get(one.key)
        key = f"[{setting.key}={one.key}]" if setting.write == "upsert" else member_text(one.key)
        losers = tuple(
            Loser(
                rule=self._program.entries[number].rule.id,
                place=self._program.entries[number].statement.place,
                value=value,
                reason="overridden by `" + self._program.entries[one.numbers[0]].rule.id + "`",
            )
            for number, value in one.lost
        )
        if old is not None and old != one.value:
            losers = (*losers, _base_loser(old))
        entries = tuple(self._program.entries[number] for number in one.numbers)
        position = next(at for at, number, _ in given if number == one.numbers[0])
        return self._decision(
            Target(
                name=setting.name,
                entity=self._entity(setting.name, item),
                key=one.key,
                document="jobSet",
                paths=tuple(path + key for path in self._paths(setting, item)),
            ),
            old,
            one.value,
            entries,
            self._steps[entries[0].number, position],
            losers,
        )

    def _order(self, setting: Setting, given: list[Contribution]) -> Decision:
        entity = next(one for one in self._layout.vocabulary.entities.values() if one.order == setting.name)
        items = self._items.get(entity.name, [])
        before: list[Value] = [item.key for item in sorted(items, key=lambda item: item.origin)]
        after: list[Value] = [item.key for item in items]
        entries = tuple(self._program.entries[number] for _, number, _ in given)
        paths = self._paths(setting, None) if before != after else ()
        target = Target(name=setting.name, document="jobSet", paths=paths)
        losers = (_base_loser(before),) if before != after else ()
        return self._decision(target, before, after, entries, self._steps[given[0][1], given[0][0]], losers)

    def _list(self, name: str, given: Any, item: Item | None) -> Decision:
        setting = self._layout.vocabulary.names[name]
        steps = [
            (entry, step)
            for (number, at), step in self._steps.items()
            for entry in (self._program.entries[number],)
            if entry.target == name
            and at[: self._depth(name)] == (item.position if item else ())
            and _won(entry, step[0])
        ]
        steps.sort(key=lambda pair: (pair[1][1].position if pair[1][1] else (), pair[0].number))
        added = (
            [one for _, _, value in ordered(given) for one in cast("list[Value]", value)]
            if name in self._layout.gathered
            else list(given)
        )
        is_setting = isinstance(setting, Setting)
        old = self._old(setting, item) if isinstance(setting, Setting) else None
        return self._decision(
            Target(
                name=name,
                entity=self._entity(name, item),
                document="jobSet" if is_setting else None,
                paths=self._paths(setting, item) if isinstance(setting, Setting) else (),
            ),
            old,
            [*cast("list[Value]", old or []), *added],
            tuple(entry for entry, _ in steps),
            steps[0][1],
            (),
        )

    def _objects(self) -> Iterator[tuple[tuple[Any, ...], Decision]]:
        for name in sorted(self._layout.vocabulary.objects):
            slot = self._layout.slots.get(f"object:{name}")
            given = cast("list[Contribution]", self._row[slot.index]) if slot else []
            if given:
                entries = tuple(self._program.entries[number] for _, number, _ in ordered(given))
                step = self._steps[entries[0].number, ordered(given)[0][0]]
                # Objects stand behind everything of the JobSet.
                key = ((2**31,), name, 0)
                yield key, self._decision(Target(name=name, document=name), None, given[0][2], entries, step, ())

    def _entity(self, name: str, item: Item | None) -> tuple[tuple[str, str], ...]:
        chain = self._layout.vocabulary.chain(self._layout.vocabulary.scope(name))
        if item is None:
            return ()
        return tuple((entity, self._key(entity, item)) for entity in chain)

    def _key(self, entity: str, item: Item) -> str:
        depth = len(self._layout.vocabulary.chain(entity))
        return next(one.key for one in self._items[entity] if one.position == item.position[:depth])

    def _paths(self, setting: Setting, item: Item | None) -> tuple[str, ...]:
        prefix = ""
        for entity in self._layout.vocabulary.chain(setting.entity):
            each = self._layout.vocabulary.entities[entity]
            prefix += (
                location_text(each.each, first=not prefix) + f"[{each.key}={self._key(entity, cast('Item', item))}]"
            )
        return tuple(prefix + location_text(location, first=not prefix) for location in setting.to)

    def _old(self, setting: Setting, item: Item | None) -> Value | None:
        source = item.source if item is not None else self._base
        return cast("Value | None", select(source, setting.to[0].steps))


def _won(entry: Entry, plan: Plan) -> bool:
    return entry in plan.winners.get(entry.target or "", ())


def _base_loser(value: Value) -> Loser:
    return Loser(rule=None, place=None, value=value, reason="the runtime's template")
