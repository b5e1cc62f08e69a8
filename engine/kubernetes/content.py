"""The content of manifests, which has no types until it is looked at."""

from collections.abc import Mapping
from typing import Any, TypeGuard

__all__ = ["is_list", "is_map", "items", "part", "plain_copy", "same"]


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


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same: ``1``, ``1.0`` and ``true`` differ, the order of members does not."""
    if left is right:
        return True
    kind: type[Any] = left.__class__
    if kind is not right.__class__:
        return False
    if kind is dict:
        return len(left) == len(right) and all(name in right and same(left[name], right[name]) for name in left)
    if kind is list:
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def plain_copy(value: Any) -> Any:
    """A copy of a JSON value that shares no map and no list with it."""
    kind: type[Any] = value.__class__
    if kind is dict:
        return {name: plain_copy(item) for name, item in value.items()}
    if kind is list:
        return [plain_copy(item) for item in value]
    return value
