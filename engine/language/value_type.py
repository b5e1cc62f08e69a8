"""Types of values: what a name holds, what a constant is, and which fits which."""

from ..record import Record
from .expression import TypeName, Value
from .vocabulary import Name

__all__ = ["ValueType", "element_fits", "element_type", "parse_type", "type_of_name", "type_of_value"]


class ValueType(Record):
    """``of`` is the type of the elements of a list or of the values of a map; None when that is not known."""

    kind: TypeName
    of: str | None = None

    def __str__(self) -> str:
        if self.of is None:
            return self.kind if self.kind == "text" else f"{'an' if self.kind == 'integer' else 'a'} {self.kind}"
        return f"a {self.kind} of {self.of}"

    def fits(self, wanted: "ValueType") -> bool:
        """Whether a value of this type may stand where the other is wanted; what is not known may."""
        return self.kind == wanted.kind and element_fits(self.of, wanted.of)


_PLAIN: dict[str, ValueType] = {
    "integer": ValueType(kind="integer"),
    "boolean": ValueType(kind="boolean"),
    "text": ValueType(kind="text"),
    "list": ValueType(kind="list"),
    "map": ValueType(kind="map"),
    # A quantity is read as text in its normal form.
    "quantity": ValueType(kind="text"),
}

_AMOUNTS = frozenset({"quantity", "integer", "text"})


def element_type(of: str | None) -> ValueType | None:
    """The type of one element; an item type that only the vocabulary knows is a map."""
    return None if of is None else _PLAIN.get(of, _PLAIN["map"])


def element_fits(of: str | None, wanted: str | None) -> bool:
    """Whether elements of the first type may stand among those of the second."""
    if of is None or wanted is None or of == wanted:
        return True
    if "quantity" in (of, wanted):
        return {of, wanted} <= _AMOUNTS
    # ``envVar`` is a map with a name of its own; two such names are different things.
    return "map" in (of, wanted) and not {of, wanted} & (_PLAIN.keys() - {"map"})


def parse_type(text: str) -> ValueType:
    """``list of text`` as a type."""
    kind, _, of = text.partition(" of ")
    return ValueType(kind=_PLAIN[kind].kind, of=of or None)


def type_of_name(entry: Name) -> ValueType:
    """What a name of the vocabulary holds."""
    return ValueType(kind=entry.type, of=getattr(entry, "of", None))


def type_of_value(value: Value) -> ValueType:
    """What a constant is; elements that differ in type leave ``of`` open."""
    if isinstance(value, list | dict):
        inner = {type_of_value(item).kind for item in (value.values() if isinstance(value, dict) else value)}
        kind: TypeName = "map" if isinstance(value, dict) else "list"
        return ValueType(kind=kind, of=inner.pop() if len(inner) == 1 else None)
    if isinstance(value, bool):
        return _PLAIN["boolean"]
    return _PLAIN["integer" if isinstance(value, int) else "text"]
