"""What was decided about one field, and why."""

from typing import Literal

from .errors import Place
from .language.expression import Value
from .record import Record

__all__ = ["Because", "Decision", "Loser", "Near", "Origin", "Target"]


class Origin(Record):
    """Where a value came from.

    ``kind`` is ``document`` (then ``document`` and ``path`` name the field, as given by the user), ``default`` (of
    the vocabulary or the API), ``rule`` (then ``rules`` decided it, at ``place``), ``parameter`` or ``base`` (the
    template).
    """

    kind: Literal["document", "default", "rule", "parameter", "base"]
    document: str | None = None
    path: tuple[str | int, ...] = ()
    rules: tuple[str, ...] = ()
    place: Place | None = None


class Target(Record):
    """The field that was decided.

    ``name`` is the setting, derived name or object; ``entity`` the items it belongs to, outermost first, as
    ``(("job", "node"), ("container", "node"))``; ``key`` the map key or list key for merge and upsert; ``paths`` the
    fields written, in the form of vocabulary paths: ``spec.replicatedJobs[name=node].template.spec.parallelism``.
    ``document`` is ``jobSet``, the name of an object, or None for a derived name.
    """

    name: str
    entity: tuple[tuple[str, str], ...] = ()
    key: str | None = None
    document: str | None = None
    paths: tuple[str, ...] = ()


class Because(Record):
    """One test that held: the fact, the test in words (``at_least 2``), the value seen and where it came from."""

    fact: str
    test: str
    value: Value | None
    origin: Origin | None


class Loser(Record):
    """A value that was not used: ``rule`` would have given ``value`` (None: the template's), and why it lost."""

    rule: str | None
    place: Place | None
    value: Value | None
    reason: str


class Near(Record):
    """A rule for the same name that exactly one more test would have made hold."""

    rule: str
    place: Place
    test: Because


class Decision(Record):
    """One field of one object gets one value.

    ``old`` is the value before policy (None: absent), ``new`` the value after (None: removed); ``rules`` are all
    credited rules, ``rule`` the first of them and ``place`` its statement; ``reads`` are the names that the value was
    computed from.
    """

    target: Target
    old: Value | None
    new: Value | None
    rule: str
    rules: tuple[str, ...]
    place: Place
    because: tuple[Because, ...]
    reads: tuple[Because, ...]
    shadowed: tuple[Loser, ...]
    near: tuple[Near, ...]
