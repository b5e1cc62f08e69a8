"""What the fields of the Kubernetes objects are, read from the data in ``schemas/``.

A shape is the members of one kind of object. A member is written as its type, ``text``, ``boolean``, ``int32``,
``int64``, ``quantity``, ``intOrText``, ``instant`` (a date and time), ``any`` or the name of a shape; ``[type]`` is a
list and ``{type}`` a map with free keys. A mark may follow, about typed form (B-3):

``!``
    required, and written as it is, zero or not
``*``
    written when it is there, zero or not
``+``
    an object that is written also when it is missing

Without a mark a zero is left out. A member with bounds is a map: ``is`` holds the above, and beside it stand the
bounds, ``default``, ``keys`` (what tells the items of a list apart), ``unique`` (a list without doubles), ``required``
(of a member that loses a zero all the same), ``absent`` and ``absentInPatch`` (what typed form writes in its place).
"""

from collections.abc import Mapping
from functools import lru_cache
from json import loads
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from ..record import Record

__all__ = ["SCALARS", "Member", "MemberForm", "is_required", "kind_of", "member", "member_of", "members", "rules"]

SCALARS: Final = frozenset({"text", "boolean", "int32", "int64", "quantity", "intOrText", "instant", "any"})
"""Types that are no shapes."""

MemberForm: TypeAlias = str | dict[str, Any]
"""A member as the data spells it."""

_FOLDER: Final = Path(__file__).parent / "schemas"
_FILES: Final = ("pod.json", "jobset.json", "trainer.json")
_Zero: TypeAlias = Literal["drop", "keep", "always", "fill"]
_Plural: TypeAlias = Literal["one", "list", "map"]
_MARKS: Final[Mapping[str, _Zero]] = {"!": "always", "*": "keep", "+": "fill"}
_PLURALS: Final[Mapping[str, _Plural]] = {"[": "list", "{": "map"}
_NO_BOUNDS: Final[Mapping[str, Any]] = {}


class Member(Record):
    """One member of a shape: ``type`` is a scalar type or the name of a shape, ``bounds`` all that the data adds."""

    type: str
    plural: _Plural
    zero: _Zero
    required: bool
    bounds: Mapping[str, Any]

    @property
    def is_shape(self) -> bool:
        """Whether the member, or each of its items, is an object."""
        return self.type not in SCALARS


@lru_cache(maxsize=1)
def _data() -> tuple[dict[str, dict[str, MemberForm]], dict[str, list[dict[str, Any]]], dict[str, dict[str, str]]]:
    shapes: dict[str, dict[str, MemberForm]] = {}
    between: dict[str, list[dict[str, Any]]] = {}
    kinds: dict[str, dict[str, str]] = {}
    for name in _FILES:
        part = loads((_FOLDER / name).read_bytes())
        shapes.update(part["shapes"])
        between.update(part.get("rules", {}))
        kinds.update(part.get("kinds", {}))
    return shapes, between, kinds


def kind_of(kind: str) -> Mapping[str, str]:
    """``apiVersion``, ``document`` (as problems name it) and ``shape`` of a kind.

    :raises KeyError: for a kind that takes no part
    """
    return _data()[2][kind]


def rules(shape: str) -> list[dict[str, Any]]:
    """What is asked of several members of the shape together (B-80)."""
    return _data()[1].get(shape, [])


@lru_cache(maxsize=256)
def members(shape: str) -> Mapping[str, MemberForm]:
    """The members of a shape; :func:`member` reads one. Most are never looked at, so they are read one by one.

    :raises KeyError: for a shape that does not exist
    """
    found = _data()[0][shape]
    like = found.get("$like")
    if like is None:
        return found
    return {**members(str(like)), **{name: form for name, form in found.items() if name != "$like"}}


def member(form: MemberForm) -> Member:
    """Read a member as the data spells it."""
    text, bounds = (form, _NO_BOUNDS) if isinstance(form, str) else (str(form["is"]), form)
    zero: _Zero = _MARKS.get(text[-1], "drop")
    if zero != "drop":
        text = text[:-1]
    plural: _Plural = _PLURALS.get(text[0], "one")
    return Member(
        type=text if plural == "one" else text[1:-1],
        plural=plural,
        zero=zero,
        required=zero == "always" or bounds.get("required") is True,
        bounds=bounds,
    )


@lru_cache(maxsize=2048)
def member_of(shape: str, name: str) -> Member | None:
    """The member of that name, read; None when the shape has none."""
    form = members(shape).get(name)
    return None if form is None else member(form)


def is_required(form: MemberForm) -> bool:
    """Whether the member must be there; quicker than reading it."""
    if isinstance(form, str):
        return form[-1] == "!"
    return form["is"][-1] == "!" or form.get("required") is True
