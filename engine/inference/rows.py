"""Rows that are made again and again: copies of a template for one runtime, and rows for facts by name."""

from collections.abc import Mapping

from ..language.expression import Value
from ..language.vocabulary import Setting
from .decide import Program
from .items import Item, Items
from .layout import Layout, Row

__all__ = ["RowTemplate", "named_rows", "names_within"]


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


def names_within(entity: str, program: Program) -> frozenset[str]:
    """All names whose being given means that there is an item of the entity."""
    vocabulary = program.layout.vocabulary
    inside = {other for other in vocabulary.entities if entity in vocabulary.chain(other)}
    return frozenset(name for name in vocabulary.names if vocabulary.scope(name) in inside)


def named_rows(program: Program, facts: Mapping[str, Value]) -> tuple[Row, Items]:
    """Rows for facts by name, for a careful run."""
    layout = program.layout
    row = program.new_row(None)
    _fill(row, layout, None, facts)
    items: Items = {}
    for entity in sorted(layout.vocabulary.entities, key=lambda name: (len(layout.vocabulary.chain(name)), name)):
        chain = layout.vocabulary.chain(entity)
        if names_within(entity, program).isdisjoint(facts):
            continue
        parent = items[chain[-2]][0] if len(chain) > 1 else None
        own = program.new_row(entity)
        _fill(own, layout, entity, facts)
        item = Item((*(parent.rows if parent else (row,)), own), (0,) * len(chain), "", (), None)
        if parent:
            parent.children.append(item)
        items[entity] = [item]
    return row, items


def _fill(row: Row, layout: Layout, entity: str | None, facts: Mapping[str, Value]) -> None:
    for index, name in enumerate(layout.names.get(entity, ())):
        # Nobody gives what rules write.
        if name in facts and not isinstance(layout.vocabulary.names.get(name), Setting):
            row[index] = facts[name]
