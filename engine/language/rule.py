"""Rules: a condition, statements, and what a reviewer needs to know about them."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ..errors import Place
from ..record import Record
from .condition import All
from .expression import Term, Value

__all__ = ["Advice", "Create", "Example", "Order", "Repeat", "Rule", "Statement", "Write"]


class Repeat(Record):
    """``{repeat: [{copy: n}, {pod: m}], text: …}``: one text for each combination, outer loop first."""

    loops: tuple[tuple[str, Term], ...]
    text: Term


class Write(Record):
    """``define``, ``default``, ``set``, ``merge``, ``upsert`` or ``append`` of one name.

    ``value`` is a Repeat only for ``append``.
    """

    kind: Literal["define", "default", "set", "merge", "upsert", "append"]
    name: str
    value: Term | Repeat
    place: Place


class Order(Record):
    """``order: {setting: {first: a, then: b}}``: item a is moved to just before item b, with all that a waits for."""

    name: str
    first: str
    then: str
    place: Place


class Create(Record):
    """``create: {object: manifest}``; ``manifest`` lacks apiVersion, kind and metadata, which the vocabulary says."""

    object: str
    manifest: Term
    place: Place


class Advice(Record):
    """``deny`` or ``warn``; ``about`` names the fact whose field is reported."""

    kind: Literal["deny", "warn"]
    about: str
    message: Term
    help: Term | None
    place: Place


Statement: TypeAlias = Write | Order | Create | Advice


class Example(Record):
    """One line of proof: with these facts the rule alone gives this.

    ``then`` maps names to values, or is ``"none"``, ``"deny"``, ``"warn"``; ``cannot_tell`` lists the facts that the
    rule lacked, and is then the whole expectation.
    """

    name: str
    facts: dict[str, Value]
    then: dict[str, Value] | Literal["none", "deny", "warn"] | None
    cannot_tell: tuple[str, ...] | None
    place: Place


class Rule(Record):
    """One reviewed rule. ``given`` are the conditions of its file, ``condition`` its own ``when``; both must hold."""

    id: str
    title: str
    why: str | None
    source: tuple[str, ...]
    for_each: str | None
    given: All
    condition: All
    statements: tuple[Statement, ...]
    overrides: tuple[str, ...]
    examples: Sequence[Example]
    place: Place
