"""Rows that are made again and again: copies of a template for many TrainJobs on one runtime."""

from .decide import Program
from .items import Item, Items
from .layout import Row

__all__ = ["RowTemplate"]


class RowTemplate:
    """Rows filled with everything that stays the same; ``copy`` gives fresh ones to decide in."""

    __slots__ = ("_fresh", "_items", "_order", "_row")

    def __init__(self, program: Program, row: Row, items: Items) -> None:
        self._row = row
        self._items = items
        self._fresh = {entity: program.layout.lists(entity) for entity in program.layout.names}
        # Parents come before their children.
        self._order = sorted(items, key=lambda entity: len(program.layout.vocabulary.chain(entity)))

    def copy(self) -> tuple[Row, Items]:
        """Rows and items that share nothing that a run changes."""
        row = self._row.copy()
        for index in self._fresh[None]:
            row[index] = []
        row[-1] = []
        items: Items = {}
        copies: dict[int, Item] = {}
        for entity in self._order:
            fresh = self._fresh[entity]
            made = items[entity] = []
            for old in self._items[entity]:
                own = old.rows[-1].copy()
                for index in fresh:
                    own[index] = []
                depth = len(old.rows) - 2
                parent = copies[id(old.rows[-2])] if depth else None
                new = Item((*(parent.rows if parent else (row,)), own), old.origin, old.key, old.waits, old.source)
                if parent:
                    parent.children.append(new)
                copies[id(old.rows[-1])] = new
                made.append(new)
        return row, items
