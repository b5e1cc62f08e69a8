"""Where the value of each name stands: one row for the TrainJob, one for each item of each entity.

A row is a plain list; None stands for a missing value. Rows of an item are passed around together with those of its
parents, outermost first: ``(global, job, container)``.
"""

from collections.abc import Callable

from ..language.expression import ObjectName, Value
from ..language.rule import Create, Write
from ..language.vocabulary import Derived, Each, Fact, Parameter, Setting, Vocabulary
from ..record import Record
from .stages import Stage, term_reads
from .terms import parameters_of

__all__ = ["Layout", "Row", "Rows", "Slot", "make_layout"]

Row = list[Value | None]
Rows = tuple[Row, ...]


class Slot(Record):
    """Position of a name: ``depth`` counts rows from the outermost, ``index`` is the place within the row."""

    depth: int
    index: int


class Layout(Record, eq=False):
    """Slots of all names that the rules in force use, and what a row holds before anything is decided."""

    vocabulary: Vocabulary
    slots: dict[str, Slot]
    names: dict[str | None, tuple[str, ...]]
    parameters: dict[str, Value]
    appended: frozenset[str]
    """Names that rules build together, item by item, instead of being rivals for one value."""
    gathered: frozenset[str]
    """Those of them whose slot holds contributions ``(position, entry number, value)`` until their last stage."""

    def reading(self, name: str) -> Slot:
        """Where the value of a name is read: beside the contributions for what is gathered."""
        return self.slots[f"value of {name}" if name in self.gathered else name]

    def lookup(self, rows: Rows) -> Callable[[str], Value | None]:
        """Reads the value of a name from the rows of an item; None when it is missing."""
        parameters = self.parameters

        def look(name: str) -> Value | None:
            if name in parameters:
                return parameters[name]
            slot = self.reading(name)
            return rows[slot.depth][slot.index]

        return look

    def empty(self, entity: str | None) -> Row:
        """A row with the defaults of the vocabulary; lists that rules fill are new each time."""
        return [self.default(name) for name in self.names.get(entity, ())]

    def lists(self, entity: str | None) -> tuple[int, ...]:
        """Where a row holds lists that rules fill, which no two runs may share."""
        return tuple(
            index
            for index, name in enumerate(self.names.get(entity, ()))
            if name in self.appended or name.startswith("object:")
        )

    def default(self, name: str) -> Value | None:
        """The value of a name that neither a document nor a rule gives."""
        entry = self.vocabulary.names.get(name)
        match entry:
            case Fact():
                return [] if entry.default is None and is_collected(entry) else entry.default
            case Derived():
                return [] if entry.type == "list" and entry.default is None else entry.default
            case Setting():
                return [] if name in self.appended else None
            case _:
                return None if name.startswith("value of ") else []

    def always_known(self, name: str) -> bool:
        """Whether a name has a value whatever the documents say."""
        entry = self.vocabulary.names[name]
        match entry:
            case Fact():
                return entry.default is not None or is_collected(entry)
            case Parameter():
                return True
            case _:
                return False


def is_collected(fact: Fact) -> bool:
    """Whether a fact is read through ``[]`` and so is always a list."""
    return any(isinstance(step, Each) for step in fact.at.steps)


def make_layout(stages: tuple[Stage, ...], vocabulary: Vocabulary) -> Layout:
    """Give a slot to every name that an entry of a stage reads or writes."""
    used: set[str] = set()
    read: set[str] = set()
    entities: set[str | None] = {None}
    for entry in (entry for stage in stages for entry in stage.entries):
        read |= entry.reads
        if entry.target is not None:
            used.add(entry.target)
        entities.add(entry.rule.for_each)
        if isinstance(entry.statement, Create):
            used |= term_reads(ObjectName(object=entry.statement.object), vocabulary)
    used |= read
    appended: set[str] = set()
    for entry in (entry for stage in stages for entry in stage.entries):
        # A setting that no rule writes is missing, however it would be written.
        setting = vocabulary.names.get(entry.target or "")
        if isinstance(setting, Setting) and setting.write != "set":
            appended.add(setting.name)
        elif isinstance(entry.statement, Write) and entry.statement.kind == "append":
            appended.add(entry.statement.name)
    gathered = _gathered(stages, vocabulary, appended)
    used |= {f"value of {name}" for name in gathered & read}
    members: dict[str | None, list[str]] = {}
    for name in sorted(used):
        members.setdefault(_entity(name, vocabulary), []).append(name)
    # Items are moved even if no rule visits them.
    entities |= members.keys() | {name for name, entity in vocabulary.entities.items() if entity.order in used}
    for entity in [name for name in entities if name is not None]:
        entities.update(vocabulary.chain(entity))
    names = {entity: tuple(members.get(entity, ())) for entity in entities}
    slots: dict[str, Slot] = {}
    for owner, listed in names.items():
        depth = len(vocabulary.chain(owner))
        for index, name in enumerate(listed):
            slots[name] = Slot(depth=depth, index=index)
    return Layout(
        vocabulary=vocabulary,
        slots=slots,
        names=names,
        parameters=parameters_of(vocabulary),
        appended=frozenset(appended),
        gathered=gathered,
    )


def _gathered(stages: tuple[Stage, ...], vocabulary: Vocabulary, appended: set[str]) -> frozenset[str]:
    """Settings that several rules build together, and derived lists that more than one stage adds to."""
    writers: dict[str, int] = {}
    for stage in stages:
        for target in {entry.target for entry in stage.entries if entry.target is not None}:
            writers[target] = writers.get(target, 0) + 1
    several = {target for target, count in writers.items() if count > 1}
    return frozenset(
        name for name in appended & writers.keys() if isinstance(vocabulary.names[name], Setting) or name in several
    )


def _entity(name: str, vocabulary: Vocabulary) -> str | None:
    name = name.removeprefix("value of ")
    return vocabulary.scope(name) if name in vocabulary.names else None
