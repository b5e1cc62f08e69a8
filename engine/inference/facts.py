"""Facts: the values that rules see, read from documents into rows."""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import Problem
from ..language.vocabulary import Entity, Fact, Location
from .items import Item, Items
from .layout import Layout, Row, Rows
from .reader_code import Mistyped, Reader, compile_reader, plain_reader
from .selection import is_list, maps, select

__all__ = ["FactReader", "select"]

Wanted = Callable[[Location], bool]

_PLAIN_READS = 3
"""So often a document is read step by step before its reader is compiled, which a single evaluation would not repay."""


class FactReader:
    """Reads the facts that a program uses: those of whole documents, and those of each item of each entity."""

    __slots__ = ("_entities", "_facts", "_layout", "_readers", "_reads")

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        vocabulary = layout.vocabulary
        self._facts: dict[str, list[tuple[int, Fact]]] = {}
        for entity, names in layout.names.items():
            for index, name in enumerate(names):
                fact = vocabulary.names.get(name)
                if isinstance(fact, Fact):
                    self._facts.setdefault(entity or fact.at.document, []).append((index, fact))
        self._readers: dict[tuple[str, Wanted | None], Reader] = {}
        self._reads: dict[tuple[str, Wanted | None], int] = {}
        used = [name for name in layout.names if name is not None]
        self._entities = sorted(
            (vocabulary.entities[name] for name in used), key=lambda one: (len(vocabulary.chain(one.name)), one.name)
        )

    def read(self, document: str, content: Mapping[str, Any], row: Row, wanted: Wanted | None = None) -> list[Problem]:
        """Read the facts of one document (``trainJob``, ``runtime``, ``jobSet`` or an entity's item) into a row.

        ``wanted`` can leave facts out by their place; a reader is made for each such function, so it should be one
        that stays. Returns a problem for each value of a wrong type.
        """
        reader = self._readers.get((document, wanted)) or self._make_reader(document, wanted)
        mistyped: Mistyped = []
        reader(content, row, mistyped)
        if not mistyped:
            return []
        return [problem for _, problem in sorted(mistyped, key=lambda pair: pair[0])]

    def _make_reader(self, document: str, wanted: Wanted | None) -> Reader:
        key = (document, wanted)
        facts = [pair for pair in self._facts.get(document, ()) if wanted is None or wanted(pair[1].at)]
        self._reads[key] = self._reads.get(key, 0) + 1
        if self._reads[key] <= _PLAIN_READS:
            return plain_reader(facts)
        reader = self._readers[key] = compile_reader(self._layout, facts)
        return reader

    def items(
        self,
        documents: Mapping[str, Mapping[str, Any]],
        row: Row,
        new_row: Callable[[str | None], Row],
        wanted: Wanted | None = None,
    ) -> tuple[Items, list[Problem]]:
        """The items of all entities, each with a row that holds its facts.

        ``wanted`` can leave entities out by the place of the list that they, or those that they lie in, are items of.
        """
        items: Items = {}
        problems: list[Problem] = []
        for entity in self._entities:
            if wanted is not None and not wanted(self._root(entity)):
                continue
            found = items[entity.name] = []
            if entity.of is None:
                parents: list[tuple[Item | None, Any, Rows]] = [(None, documents.get(entity.each.document, {}), (row,))]
            else:
                parents = [(item, item.source, item.rows) for item in items[entity.of]]
            for parent, content, rows in parents:
                for index, member in enumerate(maps(select(content, entity.each.steps))):
                    own = new_row(entity.name)
                    problems += self.read(entity.name, member, own)
                    item = _item(entity, member, (*rows, own), parent, index)
                    found.append(item)
        return items, problems

    def _root(self, entity: Entity) -> Location:
        vocabulary = self._layout.vocabulary
        return vocabulary.entities[vocabulary.chain(entity.name)[0]].each


def _item(entity: Entity, member: dict[str, Any], rows: Rows, parent: Item | None, index: int) -> Item:
    waits = select(member, entity.waits.steps) if entity.waits is not None else None
    item = Item(
        rows,
        (*(parent.position if parent else ()), index),
        str(member.get(entity.key, "")),
        tuple(str(name) for name in waits) if is_list(waits) else (),
        member,
    )
    if parent is not None:
        parent.children.append(item)
    return item
