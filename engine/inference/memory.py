"""A memory of what was made for a key, that forgets what is not met again."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["REMEMBERED", "Memory"]

REMEMBERED = 4096
"""So much is kept in each of two generations; the older one is dropped when the younger is full."""

_Made = TypeVar("_Made")


class Memory(Generic[_Made]):
    """Remembers by key in two generations, so that the least recently met is forgotten first, at no cost for a hit.

    Compiled code holds on to ``young.get``, so the two dictionaries are emptied, never replaced.
    """

    __slots__ = ("_make", "_old", "young")

    def __init__(self, make: Callable[..., _Made]) -> None:
        self._make = make
        self.young: dict[Any, _Made] = {}
        self._old: dict[Any, _Made] = {}

    def find(self, key: object, *given: Any) -> _Made:  # whatever the maker takes
        """What is known for a key that the young generation does not have, or what is made of ``given``."""
        made = self._old.get(key)
        if made is None:
            made = self._make(*given)
        if len(self.young) >= REMEMBERED:
            self._old.clear()
            self._old.update(self.young.copy())
            self.young.clear()
        self.young[key] = made
        return made
