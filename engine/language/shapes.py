"""Maps and lists among the plain values of a file, told apart so that type checkers follow."""

from typing import Any, TypeGuard

__all__ = ["is_list", "is_map"]


def is_map(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a map; its keys are text, for no reader lets others through."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a list."""
    return isinstance(value, list)
