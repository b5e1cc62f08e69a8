"""The vocabulary: what every name in a rule means, where it is read and what it may be."""

from typing import Literal, TypeAlias

from ..errors import Place
from ..record import Record
from .expression import Term, TypeName, Value

__all__ = [
    "Derived",
    "Each",
    "Entity",
    "Fact",
    "Keep",
    "Location",
    "Member",
    "Name",
    "ObjectKind",
    "Parameter",
    "Select",
    "Setting",
    "Step",
    "Vocabulary",
]


class Member(Record):
    """``.name`` or ``["odd/name"]``: one member of a map."""

    name: str


class Select(Record):
    """``[name=node]``: the first item of a list of maps whose member has this text."""

    key: str
    value: str


class Each(Record):
    """``[]``: every item of a list; what follows is read from each, and the whole is always a list, maybe empty."""


Step: TypeAlias = Member | Select | Each


class Location(Record):
    """``document/path``: document is trainJob, runtime, jobSet or an entity."""

    document: str
    steps: tuple[Step, ...]
    text: str


class Keep(Record):
    """One member of a list item (or map) that survives reading, by path below the item; nothing else does.

    ``default`` is written when the member is missing but its parent is there; ``unless`` names a member whose presence
    drops this one. A member ``of`` quantity is normalised.
    """

    path: tuple[str, ...]
    of: Literal["quantity"] | None = None
    default: Value | None = None
    unless: tuple[str, ...] | None = None


class Entity(Record):
    """Any list of any document: ``each`` says which; ``of`` is the parent entity."""

    name: str
    each: Location
    of: str | None
    key: str
    order: str | None
    waits: Location | None
    meaning: str
    place: Place


class Fact(Record):
    """A value read from a document before policy. ``entity`` is None for a fact of the whole TrainJob."""

    name: str
    at: Location
    type: TypeName
    of: str | None
    required: bool
    default: Value | None
    minimum: int | None
    maximum: int | None
    keep: tuple[Keep, ...] | None
    unit: str | None
    meaning: str
    entity: str | None
    place: Place


class Derived(Record):
    """A name that rules give a value; ``entity`` is its scope, None for one value for the whole TrainJob."""

    name: str
    type: TypeName
    of: str | None
    default: Value | None
    minimum: int | None
    maximum: int | None
    unit: str | None
    meaning: str
    entity: str | None
    place: Place


class Setting(Record):
    """A field that rules may write; ``write`` is the one kind of statement that may do so (``set`` allows default)."""

    name: str
    to: tuple[Location, ...]
    type: TypeName
    of: str | None
    key: str | None
    write: Literal["set", "merge", "upsert", "append", "order"]
    minimum: int | None
    maximum: int | None
    unit: str | None
    meaning: str
    entity: str | None
    place: Place


class Parameter(Record):
    """A reviewed knob with its value in force: the default, a profile's, or the caller's."""

    name: str
    type: TypeName
    value: Value
    default: Value
    minimum: int | None
    maximum: int | None
    unit: str | None
    meaning: str
    place: Place


class ObjectKind(Record):
    """A manifest beside the JobSet. ``name`` is a term over global names; ``generate`` maps data keys to key kinds."""

    name: str
    api_version: str
    kind: str
    metadata_name: Term
    owner: str | None
    generate: tuple[tuple[str, str], ...]
    meaning: str
    place: Place


Name: TypeAlias = Fact | Derived | Setting | Parameter


class Vocabulary(Record):
    """All names of one rule set, by name; entities and objects have name spaces of their own."""

    names: dict[str, Name]
    entities: dict[str, Entity]
    objects: dict[str, ObjectKind]

    def scope(self, name: str) -> str | None:
        """The entity that a name belongs to, or None when there is one value for the whole TrainJob."""
        entry = self.names[name]
        return None if isinstance(entry, Parameter) else entry.entity

    def chain(self, entity: str | None) -> tuple[str, ...]:
        """The entity and its parents, outermost first: ``("job", "container")`` for ``container``."""
        chain: list[str] = []
        while entity is not None and entity not in chain:
            chain.append(entity)
            entity = self.entities[entity].of
        return tuple(reversed(chain))
