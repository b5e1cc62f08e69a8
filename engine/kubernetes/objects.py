"""Manifests beside the JobSet that rules create."""

from typing import Any, cast

from ..inference.execute import Failure, conflict
from ..inference.gather import Contribution, ordered
from ..inference.layout import Layout, Row
from ..inference.plan_code import differ
from ..inference.stages import Entry
from ..inference.terms import Lookup, copy_value, evaluate_term
from ..language.expression import Value
from .base_jobset import owner_reference

__all__ = ["ObjectWriter"]


class ObjectWriter:
    """Makes whole manifests of what rules said about objects."""

    __slots__ = ("_entries", "_layout", "_objects")

    def __init__(self, layout: Layout, entries: tuple[Entry, ...]) -> None:
        self._layout = layout
        self._entries = entries
        self._objects = [
            (kind, layout.slots[f"object:{name}"].index)
            for name, kind in sorted(layout.vocabulary.objects.items())
            if f"object:{name}" in layout.slots
        ]

    def conflicts(self, row: Row) -> list[Failure]:
        """Rules that create one object with different contents."""
        found: list[Failure] = []
        for _, index in self._objects:
            given = ordered(cast("list[Contribution]", row[index]))
            found += [
                conflict((self._entries[given[0][1]], given[0][2]), (self._entries[number], value))
                for _, number, value in given[1:]
                if differ(given[0][2], value)
            ]
        return found

    def write(self, train_job: dict[str, Any], row: Row) -> tuple[dict[str, Any], ...]:
        """The manifests in the order of their names in the vocabulary, in the namespace of the TrainJob."""
        made: list[dict[str, Any]] = []
        lookup = cast("Lookup", self._layout.lookup((row,)))
        namespace = train_job["metadata"].get("namespace")
        for kind, index in self._objects:
            given = cast("list[Contribution]", row[index])
            if not given:
                continue
            metadata: dict[str, Any] = {
                "name": evaluate_term(kind.metadata_name, lookup, self._layout.vocabulary.objects)
            }
            if namespace:
                metadata["namespace"] = namespace
            if kind.owner == "trainJob":
                metadata["ownerReferences"] = [owner_reference(train_job)]
            content = cast("dict[str, Value]", copy_value(given[0][2]))
            made.append({"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata, **content})
        return tuple(made)
