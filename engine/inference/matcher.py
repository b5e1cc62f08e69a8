"""Which conjunctions of keys hold: durable-rules behind a narrow door, and a plain Python twin to check it.

A key is a small number that stands for one answer to one test ("yes" or "no"). A conjunction holds when all its keys
are true. durable-rules is fast and correct for exactly this and unsafe beyond it, so nothing else ever reaches it:
one flat document of booleans, no joins, no numbers, no text (design section 4).
"""

import json
import threading
from collections.abc import Collection, Sequence
from itertools import count
from typing import TYPE_CHECKING, Protocol, cast

from ..errors import Problem, ProblemKind, UsageError

__all__ = ["MATCHERS", "DurableMatcher", "Matcher", "ReferenceMatcher", "matcher_class"]

Conjunction = frozenset[int]

CONJUNCTIONS_PER_SHARD = 55
"""With the one that primes the shard these are the 56 that are safe."""
KEYS_PER_SHARD = 199
"""With the key that primes it, 200."""
_PRIME = "p"
_OWN_WORDS = (
    *("s", "m", "i", "l", "r", "and", "or", "eq", "neq", "lt", "lte", "gt", "gte", "mt", "imt", "iall", "iany"),
    *("ex", "nex", "add", "sub", "mul", "div", "forward"),
)
_OWN_NAMES = ("id", "sid", *(f"${word}" for word in _OWN_WORDS))
"""Names to which durable-rules gives a meaning of its own, again by their hash."""

_HELD, _NOTHING_HELD = 0, 1


class Matcher(Protocol):
    """Decides which conjunctions hold for a set of true keys; safe to call from several threads."""

    def match(self, keys: Collection[int]) -> frozenset[int]:
        """Indexes of the conjunctions whose keys are all among ``keys``."""
        ...

    def close(self) -> None:
        """Free what the matcher holds; later calls of ``match`` fail."""
        ...


class ReferenceMatcher:
    """The meaning of matching, in one line of Python."""

    __slots__ = ("_closed", "_conjunctions")

    def __init__(self, conjunctions: Sequence[Conjunction]) -> None:
        self._conjunctions = tuple(conjunctions)
        self._closed = False

    def match(self, keys: Collection[int]) -> frozenset[int]:
        """Indexes of the conjunctions whose keys are all among ``keys``."""
        _check_open(closed=self._closed)
        true = frozenset(keys)
        return frozenset(index for index, wanted in enumerate(self._conjunctions) if wanted <= true)

    def close(self) -> None:
        """Nothing to free, but later calls fail like those of the other."""
        self._closed = True


class DurableMatcher:
    """The same by durable-rules: one of its rule sets for each shard of conjunctions, through its C interface."""

    __slots__ = ("_always", "_closed", "_lock", "_long", "_shards")

    def __init__(self, conjunctions: Sequence[Conjunction]) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._always = frozenset(index for index, wanted in enumerate(conjunctions) if not wanted)
        self._shards: list[_Shard] = []
        pieces, self._long = _pieces(conjunctions)
        try:
            self._shards.extend(_Shard(batch) for batch in _batches(pieces))
        except BaseException:
            self.close()
            raise

    def match(self, keys: Collection[int]) -> frozenset[int]:
        """Indexes of the conjunctions whose keys are all among ``keys``."""
        true = frozenset(keys)
        held = set(self._always)
        with self._lock:
            _check_open(closed=self._closed)
            for shard in self._shards:
                held |= shard.match(true)
        for index, parts in self._long.items():
            if parts <= held:
                held.add(index)
            held -= parts
        return frozenset(held)

    def close(self) -> None:
        """Delete state and rule sets; calling it again does nothing."""
        with self._lock:
            self._closed = True
            shards, self._shards = self._shards, []
            for shard in shards:
                shard.close()


if TYPE_CHECKING:

    class _Engine(Protocol):
        """What is used of the C interface of durable-rules, which ships no types."""

        def create_ruleset(self, name: str, rules: str, /) -> int: ...
        def assert_fact(self, handle: int, fact: str, /) -> tuple[int, int]: ...
        def start_action_for_state(self, handle: int, state: int, /) -> tuple[str, str] | None: ...
        def complete_and_start_action(self, handle: int, state: int, /) -> str | None: ...
        def retract_fact(self, handle: int, fact: str, /) -> object: ...
        def delete_state(self, handle: int, sid: str, /) -> object: ...
        def delete_ruleset(self, handle: int, /) -> object: ...


class _Shard:
    """One durable rule set: at most 56 conjunctions over at most 200 keys, named by the conjunction's index."""

    __slots__ = ("_engine", "_handle", "_ids", "_keys", "_names", "_rules")

    _numbers = count(1)

    def __init__(self, batch: Sequence[tuple[int, Conjunction]]) -> None:
        # Imported here: a process that only meets remembered situations never loads the C library.
        import durable_rules_engine

        self._engine = cast("_Engine", durable_rules_engine)
        self._keys = frozenset[int]().union(*(wanted for _, wanted in batch))
        self._names = field_names(self._keys)
        rules = {
            f"r{index}": {"all": [{"m": {"$and": [{self._names[key]: True} for key in sorted(wanted)]}}]}
            if len(wanted) > 1
            else {"all": [{"m": {self._names[key]: True for key in wanted}}]}
            for index, wanted in batch
        }
        rules[_PRIME] = {"all": [{"m": {_PRIME: True}}]}
        self._rules = json.dumps(rules)
        self._ids = count(1)
        self._handle: int | None = self._open()

    def _open(self) -> int:
        handle = self._engine.create_ruleset(f"trainpolicy{next(self._numbers)}", self._rules)
        # The first fact after creation makes the state; matching only ever sees a rule set that already has one. It
        # also fires a rule: until one has fired, deleting the state would free memory that was never taken.
        self._ask(handle, {"id": "0", _PRIME: True})
        return handle

    def match(self, true: frozenset[int]) -> set[int]:
        asked = self._keys & true
        if not asked:
            return set()
        if self._handle is None:
            self._handle = self._open()
        fact: dict[str, bool | str] = {"id": str(next(self._ids))}
        fact.update((self._names[key], True) for key in sorted(asked))
        try:
            return {int(rule[1:]) for rule in self._ask(self._handle, fact)}
        except BaseException:
            # An action that was begun and not completed, say by Ctrl-C, would keep all later ones from firing.
            self.close()
            raise

    def _ask(self, handle: int, fact: dict[str, bool | str]) -> list[str]:
        """Assert, drain all that fires, retract; the retraction happens whatever goes wrong."""
        message = json.dumps({"sid": "0", **fact})
        fired: list[str] = []
        status, state = self._engine.assert_fact(handle, message)
        try:
            if status == _HELD:
                started = self._engine.start_action_for_state(handle, state)
                action = started[1] if started else None
                while action:
                    fired += json.loads(action)
                    action = self._engine.complete_and_start_action(handle, state)
            elif status != _NOTHING_HELD:
                # Nothing fires then, and that must not look like rules that do not hold.
                raise RuntimeError(f"durable-rules took a fact with status {status}")
        finally:
            self._engine.retract_fact(handle, message)
        return fired

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            # Deleting the state by sid first is needed: the rule set alone would leave its last document allocated.
            self._engine.delete_state(handle, "0")
            self._engine.delete_ruleset(handle)


def _pieces(conjunctions: Sequence[Conjunction]) -> tuple[list[Conjunction], dict[int, frozenset[int]]]:
    """Conjunctions of which each fits a shard: one that is too long is cut into pieces, which must all hold.

    Returns the conjunctions, pieces last and what was cut left empty, and the pieces of each that was cut.
    """
    pieces = list(conjunctions)
    long: dict[int, frozenset[int]] = {}
    for index, wanted in enumerate(conjunctions):
        if len(wanted) > KEYS_PER_SHARD:
            keys = sorted(wanted)
            cut = [frozenset(keys[at : at + KEYS_PER_SHARD]) for at in range(0, len(keys), KEYS_PER_SHARD)]
            long[index] = frozenset(range(len(pieces), len(pieces) + len(cut)))
            pieces[index] = frozenset()
            pieces += cut
    return pieces, long


def _check_open(*, closed: bool) -> None:
    if closed:
        raise RuntimeError("the matcher is closed")


def _batches(conjunctions: Sequence[Conjunction]) -> list[list[tuple[int, Conjunction]]]:
    batches: list[list[tuple[int, Conjunction]]] = []
    keys: frozenset[int] = frozenset()
    for index, wanted in enumerate(conjunctions):
        if not wanted:
            continue
        full = not batches or len(batches[-1]) == CONJUNCTIONS_PER_SHARD or len(keys | wanted) > KEYS_PER_SHARD
        if full:
            batches.append([])
            keys = frozenset()
        batches[-1].append((index, wanted))
        keys |= wanted
    return batches


def field_names(keys: Collection[int]) -> dict[int, str]:
    """Short names whose 32-bit hashes, which is all that durable-rules compares, differ from each other."""
    names: dict[int, str] = {}
    taken = {field_hash(name) for name in (*_OWN_NAMES, _PRIME)}
    for key in sorted(keys):
        candidates = (f"k{key}x{salt}" if salt else f"k{key}" for salt in count())
        name = next(name for name in candidates if field_hash(name) not in taken)
        taken.add(field_hash(name))
        names[key] = name
    return names


def field_hash(name: str) -> int:
    """FNV-1a of 32 bits, the hash that durable-rules keeps of a field name."""
    value = 0x811C9DC5
    for byte in name.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


MATCHERS: dict[str, type[DurableMatcher] | type[ReferenceMatcher]] = {
    "durable": DurableMatcher,
    "reference": ReferenceMatcher,
}


def matcher_class(name: str) -> type[DurableMatcher] | type[ReferenceMatcher]:
    """What makes matchers of that name.

    Raises:
        UsageError: there is no such matcher.
    """
    if name not in MATCHERS:
        raise UsageError(
            [
                Problem(
                    kind=ProblemKind.INVALID,
                    cause=f"unknown matcher `{name}`",
                    help="choose one of " + ", ".join(f"`{known}`" for known in MATCHERS),
                )
            ]
        )
    return MATCHERS[name]
