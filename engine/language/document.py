"""Plain data from a file in which every value knows its place."""

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

from ..errors import Place
from .spots import Spots, at_spot

__all__ = ["Cursor", "Document", "is_list", "is_map"]


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether plain data is a list."""
    return isinstance(value, list)


def is_map(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether plain data is a map; its keys are text."""
    return isinstance(value, dict)


class Cursor:
    """A value in a file together with its place; ``raw`` is the plain value."""

    __slots__ = ("_file", "_key", "_spots", "raw")

    raw: Any

    def __init__(self, file: str, raw: Any, spots: Spots, key: int | None = None) -> None:
        self.raw = raw
        self._file = file
        self._spots = spots
        self._key = key

    @property
    def place(self) -> Place:
        """Where the value starts."""
        spots = self._spots
        return at_spot(self._file, spots if isinstance(spots, int) else spots[0])

    @property
    def key_place(self) -> Place | None:
        """Where the key of the value starts; None for what is no member of a map."""
        return None if self._key is None else at_spot(self._file, self._key)

    def get(self, key: str) -> "Cursor | None":
        """The member of a map; None when there is none, or the value is no map."""
        members, spots = self._members(), self._spots
        if isinstance(spots, list):
            for index, name in enumerate(members):
                if name == key:
                    return Cursor(self._file, members[name], spots[2 * index + 2], spots[2 * index + 1])
        return None

    def at(self, index: int) -> "Cursor | None":
        """The item of a list; None when there is none, or the value is no list."""
        listed, spots = self._listed(), self._spots
        if isinstance(spots, list) and 0 <= index < len(listed):
            return Cursor(self._file, listed[index], spots[index + 1])
        return None

    def items(self) -> "Iterator[tuple[str, Cursor]]":
        """The members of a map in the order of the file; nothing for other values."""
        spots = self._spots
        if isinstance(spots, list):
            for index, (name, value) in enumerate(self._members().items()):
                yield name, Cursor(self._file, value, spots[2 * index + 2], spots[2 * index + 1])

    def each(self) -> "Iterator[Cursor]":
        """The items of a list in the order of the file; nothing for other values."""
        spots = self._spots
        if isinstance(spots, list):
            for index, value in enumerate(self._listed(), start=1):
                yield Cursor(self._file, value, spots[index])

    def _members(self) -> dict[str, Any]:
        return self.raw if is_map(self.raw) else {}

    def _listed(self) -> list[Any]:
        return self.raw if is_list(self.raw) else []

    def find(self, path: tuple[str | int, ...]) -> "Cursor":
        """The value at the end of a path, or the nearest one on the way to it."""
        cursor = self
        for step in path:
            inner = cursor.get(step) if isinstance(step, str) else cursor.at(step)
            if inner is None:
                break
            cursor = inner
        return cursor


class Document:
    """One document of a file: plain data and where everything in it stands.

    ``places`` may be a function that finds the positions when somebody asks, so that many large manifests cost no
    memory for places that nobody needs; ``root`` is the position of the document itself.
    """

    __slots__ = ("_places", "_root", "data", "file")

    data: Any

    def __init__(self, file: str, data: Any, places: Spots | Callable[[], Spots], root: int) -> None:
        self.file = file
        self.data = data
        self._places = places
        self._root = root

    @property
    def places(self) -> Spots:
        """The positions of all values, in the shape of the data."""
        return self._places() if callable(self._places) else self._places

    @property
    def cursor(self) -> Cursor:
        """A cursor on the whole document."""
        return Cursor(self.file, self.data, self.places)

    def place(self, path: tuple[str | int, ...] = ()) -> Place:
        """Where a field stands: its value when that is plain, else its key; the nearest parent of a missing one."""
        if not path:
            return at_spot(self.file, self._root)
        cursor = self.cursor.find(path)
        if cursor.raw is None or isinstance(cursor.raw, list | dict):
            return cursor.key_place or cursor.place
        return cursor.place
