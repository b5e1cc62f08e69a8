"""Positions of values as plain integers, cheap to keep by the thousand; places are made of them when asked for."""

from typing import Any, TypeAlias

from ..errors import Place

__all__ = ["Spots", "at_spot", "spot"]

Spots: TypeAlias = int | list[Any]
"""Where values stand, in the shape of the data: a scalar has a position, a list ``[own, item, ...]``, a map
``[own, key, value, key, value, ...]``; a key is a position, an item or value again such a form. Integers in lists, so
that a cache can hold them."""

_COLUMN_BITS = 26


def spot(line: int, column: int) -> int:
    """A position as one number; line and column count from 0."""
    return line << _COLUMN_BITS | column


def at_spot(file: str, position: int) -> Place:
    """The place that a position stands for."""
    return Place(file=file, line=(position >> _COLUMN_BITS) + 1, column=(position & (1 << _COLUMN_BITS) - 1) + 1)
