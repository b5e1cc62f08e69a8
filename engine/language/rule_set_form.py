"""Rule sets as JSON, and back.

A record is a map of one member, ``{"Place": ["a.yaml", 3, 1]}``; so are a tuple, ``{"()": [...]}``, and a map of
values, ``{"{}": [key, value, ...]}``. Reading makes them while the text is parsed, innermost first. The examples of a
rule are text inside the text, since hardly any process looks at them.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, cast, overload

from ..errors import Place
from ..record import Record, fields, maker
from .condition import All, AnyOf, Not, Test
from .expression import Call, Constant, Entries, Items, ObjectName, Reference, Template
from .rule import Advice, Create, Example, Order, Repeat, Rule, Write
from .ruleset import RuleSet
from .vocabulary import (
    Derived,
    Each,
    Entity,
    Fact,
    Keep,
    Location,
    Member,
    ObjectKind,
    Parameter,
    Select,
    Setting,
    Vocabulary,
)
from .waiver import Waiver

__all__ = ["from_json", "to_json"]

_TUPLE, _MAP, _LATER = "()", "{}", "later"


class LaterExamples(Sequence[Example]):
    """The examples of a rule that has been checked before, read when somebody looks at them."""

    __slots__ = ("_read", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: tuple[Example, ...] | None = None

    def _examples(self) -> tuple[Example, ...]:
        read = self._read
        if read is None:
            read = self._read = cast("tuple[Example, ...]", from_json(self.text))
        return read

    @overload
    def __getitem__(self, index: int) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Example]: ...
    def __getitem__(self, index: int | slice) -> Example | Sequence[Example]:
        return self._examples()[index]

    def __len__(self) -> int:
        return len(self._examples())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | LaterExamples) and self._examples() == tuple(cast("Sequence[Example]", other))

    def __hash__(self) -> int:
        return hash(self._examples())

    def __repr__(self) -> str:
        return repr(self._examples())


_KINDS: dict[str, type[Record]] = {
    kind.__name__: kind
    for kind in (
        *(Advice, All, AnyOf, Call, Constant, Create, Derived, Each, Entity, Entries, Example, Fact, Items, Keep),
        *(Location, Member, Not, ObjectKind, ObjectName, Order, Parameter, Place, Reference, Repeat, Rule, RuleSet),
        *(Select, Setting, Template, Test, Vocabulary, Waiver, Write),
    )
}


def _map(flat: list[Any]) -> dict[Any, Any]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


_MAKERS: dict[str, Callable[[Any], Any]] = {
    _TUPLE: tuple,
    _MAP: _map,
    _LATER: LaterExamples,
    **{name: maker(kind) for name, kind in _KINDS.items()},
}


def from_json(text: str) -> Any:
    """What ``to_json`` was given.

    Raises:
        ValueError, LookupError, TypeError, RecursionError: it was given nothing that becomes this text.
    """
    return json.loads(text, object_pairs_hook=_made)


def _made(pairs: list[tuple[str, Any]]) -> Any:
    ((tag, values),) = pairs
    return _MAKERS[tag](values)


def to_json(value: object) -> str:
    """A rule set, or a part of one, as one line of JSON.

    Raises:
        TypeError, RecursionError: there is something in it that is neither a record of the language nor a plain value.
    """
    return json.dumps(_form(value), separators=(",", ":"))


_PLAIN = frozenset({str, int, bool, type(None)})


def _form(value: Any) -> Any:
    kind: Any = value.__class__
    if kind in _PLAIN:
        return value
    if kind is list:
        return list(map(_form, value))
    if kind is LaterExamples:
        return {_LATER: value.text}
    if kind is tuple:
        return {_TUPLE: list(map(_form, value))}
    if kind is dict:
        return {_MAP: [_form(part) for pair in value.items() for part in pair]}
    if _KINDS.get(kind.__name__) is not kind:
        raise TypeError(kind)
    parts = fields(value)
    if kind is Rule:
        parts["examples"] = LaterExamples(to_json(tuple(value.examples)))
    return {kind.__name__: list(map(_form, parts.values()))}
