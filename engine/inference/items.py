"""Items of entities: the rows that rules see for each job, container and so on, and how an order moves them."""

from collections.abc import Callable, Collection, Mapping

from ..language.vocabulary import Vocabulary
from .layout import Row, Rows

__all__ = ["Item", "Items", "Reordering", "reorder"]


class Item:
    """One item of an entity: its rows (parents' first), position among its siblings at each level, key and waits.

    ``waits`` are the keys of siblings that it waits for, ``origin`` is the position before any order, ``source`` the
    item's manifest. Not frozen: an order changes the position, once, before the item is visited.
    """

    __slots__ = ("children", "key", "origin", "position", "rows", "source", "waits")

    def __init__(self, rows: Rows, position: tuple[int, ...], key: str, waits: tuple[str, ...], source: object) -> None:
        self.rows = rows
        self.position = self.origin = position
        self.key = key
        self.waits = waits
        self.source = source
        self.children: list[Item] = []

    @property
    def row(self) -> Row:
        """The row of this item alone."""
        return self.rows[-1]

    def move(self, position: tuple[int, ...]) -> None:
        """Take a new position, and the items below with it."""
        self.position = position
        for child in self.children:
            child.move((*position, *child.position[len(position) :]))


Items = dict[str, list[Item]]
"""The items of each entity, in the order in which they are visited."""


class Reordering:
    """An order constraint that could not be met, with the reason in words."""

    __slots__ = ("number", "reason")

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        self.reason = reason


def reorder(
    entity: str, items: Items, constraints: list[tuple[int, tuple[str, str]]], vocabulary: Vocabulary
) -> list[Reordering]:
    """Move items so that each ``(first, then)`` holds; returns the constraints that cannot be met.

    What must come first is moved to just before the other, with all that it waits for; the rest keeps its order. A
    constraint that goes against a wait, or constraints that go against each other, move nothing, so that the order of
    the rules does not matter. Constraints on items that are not there hold already.
    """
    here = items[entity]
    places = {item.key: place for place, item in enumerate(here)}
    if all(_holds(first, then, here, places) for _, (first, then) in constraints):
        return []
    keys = [item.key for item in here]
    waits = {item.key: item.waits for item in here}
    wanted = [(number, first, then) for number, (first, then) in constraints if first in waits and then in waits]
    before: dict[str, set[str]] = {key: set(names) for key, names in waits.items()}
    for _, first, then in wanted:
        before[then].add(first)
    failed: list[Reordering] = []
    firsts: dict[str, set[str]] = {}
    for number, first, then in wanted:
        if then in _all_before(first, waits):
            failed.append(Reordering(number, f"`{first}` itself waits for `{then}`"))
        elif then in _all_before(first, before):
            failed.append(Reordering(number, f"what other rules order puts `{then}` before `{first}`"))
        elif stuck := _waiting_for_itself(first, waits, keys[keys.index(then) :]):
            failed.append(Reordering(number, f"`{stuck}` waits for itself"))
        else:
            firsts.setdefault(then, set()).add(first)
    moved = _moved(keys, firsts, waits)
    if moved != keys:
        for index, key in enumerate(moved):
            item = here[keys.index(key)]
            item.move((*item.position[:-1], index))
        for name in items:
            if entity in vocabulary.chain(name):
                items[name].sort(key=_position)
    return failed


def _holds(first: str, then: str, here: list[Item], places: Mapping[str, int]) -> bool:
    """Whether a constraint plainly holds: nothing is to be moved, and no wait can go against it."""
    at, other = places.get(first), places.get(then)
    return at is None or other is None or (at < other and not here[at].waits)


def _moved(keys: list[str], firsts: dict[str, set[str]], waits: dict[str, tuple[str, ...]]) -> list[str]:
    """The keys in their order, each after what must come before it; what is moved takes what it waits for along."""
    moved: list[str] = []
    seen: set[str] = set()
    for key in keys:
        todo = [(key, False)]
        while todo:
            at, ready = todo.pop()
            if ready:
                moved.append(at)
            elif at not in seen:
                seen.add(at)
                sooner = firsts.get(at, set()) | set(waits[at] if at != key else ())
                todo.append((at, True))
                todo += [(other, False) for other in reversed(keys) if other in sooner]
    return moved


def _waiting_for_itself(first: str, waits: dict[str, tuple[str, ...]], behind: list[str]) -> str | None:
    """What would move and waits for itself: it never starts, and at the head of the list it would be refused."""
    moving = {first, *_all_before(first, waits)} if first in behind else set[str]()
    return next((key for key in behind if key in moving and key in waits[key]), None)


def _all_before(key: str, before: Mapping[str, Collection[str]]) -> set[str]:
    """Everything that comes before a key in the end."""
    found: set[str] = set()
    todo = list(before.get(key, ()))
    while todo:
        name = todo.pop()
        if name not in found and name in before:
            found.add(name)
            todo += before[name]
    return found


_position: Callable[[Item], tuple[int, ...]] = lambda item: item.position  # noqa: E731
