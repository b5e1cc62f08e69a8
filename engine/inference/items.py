"""Items of entities: the rows that rules see for each job, container and so on, and how an order moves them."""

from collections.abc import Callable

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
    constraint that goes against a wait, or against another constraint, moves nothing. Constraints on items that are
    not there hold already.
    """
    here = items[entity]
    keys = [item.key for item in here]
    waits = {item.key: item.waits for item in here}
    moved = list(keys)
    failed: list[Reordering] = []
    done: list[tuple[str, str]] = []
    for number, (first, then) in constraints:
        if first not in waits or then not in waits or first == then:
            continue
        trial = _moved(moved, first, then, waits)
        if then in _all_waits(first, waits):
            failed.append(Reordering(number, f"`{first}` itself waits for `{then}`"))
        elif any(trial.index(a) > trial.index(b) for a, b in done):
            failed.append(Reordering(number, f"it goes against the order of `{first}` and `{then}` that holds already"))
        else:
            moved = trial
            done.append((first, then))
    if moved != keys:
        for index, key in enumerate(moved):
            here[keys.index(key)].move((*here[keys.index(key)].position[:-1], index))
        for name in items:
            if entity in vocabulary.chain(name):
                items[name].sort(key=_position)
    return failed


def _moved(keys: list[str], first: str, then: str, waits: dict[str, tuple[str, ...]]) -> list[str]:
    border = keys.index(then)
    group = {first} | _all_waits(first, waits)
    late = [key for key in keys[border:] if key in group and key != then]
    if keys.index(first) < border:
        return keys
    rest = [key for key in keys if key not in late]
    at = rest.index(then)
    return [*rest[:at], *late, *rest[at:]]


def _all_waits(key: str, waits: dict[str, tuple[str, ...]]) -> set[str]:
    found: set[str] = set()
    todo = list(waits.get(key, ()))
    while todo:
        name = todo.pop()
        if name not in found and name in waits:
            found.add(name)
            todo += waits[name]
    return found - {key}


_position: Callable[[Item], tuple[int, ...]] = lambda item: item.position  # noqa: E731
