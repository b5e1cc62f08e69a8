"""Reading manifests, whose content has no types until it is looked at."""

from collections.abc import Mapping
from typing import Any, TypeGuard

__all__ = ["is_list", "is_map", "items", "part"]


def is_map(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value of a manifest is a map; its keys are texts."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value of a manifest is a list."""
    return isinstance(value, list)


def part(content: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    """The map below members, empty when it or a map on the way is missing or null."""
    for step in path:
        content = content.get(step) or {}
    return content


def items(content: Mapping[str, Any], member: str) -> list[dict[str, Any]]:
    """The items of a list of maps, none when it is missing or null."""
    found: list[dict[str, Any]] = content.get(member) or []
    return found
