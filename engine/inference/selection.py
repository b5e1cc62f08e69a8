"""What paths lead to in documents."""

from typing import Any, TypeGuard

from ..language.vocabulary import Each, Member, Select, Step

__all__ = ["is_list", "is_map", "maps", "select"]


def select(value: Any, steps: tuple[Step, ...]) -> Any:  # documents are JSON of any shape
    """What a path leads to; None when nothing is there. A path with ``[]`` always gives a list, maybe empty."""
    for number, step in enumerate(steps):
        match step:
            case Member():
                value = value.get(step.name) if is_map(value) else None
            case Select():
                value = next((item for item in maps(value) if item.get(step.key) == step.value), None)
            case Each():
                found = [select(item, steps[number + 1 :]) for item in value] if is_list(value) else []
                nested = any(isinstance(later, Each) for later in steps[number + 1 :])
                return [one for item in found for one in item] if nested else [one for one in found if one is not None]
        if value is None:
            return [] if any(isinstance(later, Each) for later in steps[number + 1 :]) else None
    return value


def maps(value: Any) -> list[dict[str, Any]]:
    """The maps among the items of a list; nothing of what is no list."""
    return [item for item in value if is_map(item)] if is_list(value) else []


def is_map(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value of a document is a map."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value of a document is a list."""
    return isinstance(value, list)
