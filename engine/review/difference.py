"""Where two JSON documents differ, field by field."""

from collections.abc import Iterator
from typing import Any

from ..kubernetes.content import is_list, is_map, same
from ..record import Record

__all__ = ["Difference", "differences", "normal"]

_KEYS = ("name", "mountPath")
"""Members by which people tell the items of a list apart."""


class Difference(Record):
    """One field with two values; a side is None where the field is missing.

    ``path`` is written as rules write it, ``spec.replicatedJobs[name=node].replicas``, with an index where the items
    of a list have no key. ``rules`` are those that wrote the field, empty when none did.
    """

    path: str
    wanted: Any
    found: Any
    rules: tuple[str, ...] = ()


def normal(value: Any) -> Any:
    """A JSON value without nulls and empty maps, bottom up (B-5)."""
    if is_map(value):
        inner = {name: normal(item) for name, item in value.items()}
        return {name: item for name, item in inner.items() if item is not None and item != {}}
    return [normal(item) for item in value] if is_list(value) else value


def differences(wanted: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Each field in which the two differ, in the order of what is wanted, then what is there besides."""
    if is_map(wanted) and is_map(found):
        for name in dict.fromkeys((*wanted, *found)):
            yield from _pair(wanted, found, name, path + _step(name, path))
    elif is_list(wanted) and is_list(found):
        yield from _lists(wanted, found, path)
    elif not same(wanted, found):
        yield Difference(path=path, wanted=wanted, found=found)


def _pair(wanted: dict[str, Any], found: dict[str, Any], name: str, path: str) -> Iterator[Difference]:
    if name in wanted and name in found:
        yield from differences(wanted[name], found[name], path)
    else:
        yield Difference(path=path, wanted=wanted.get(name), found=found.get(name))


def _lists(wanted: list[Any], found: list[Any], path: str) -> Iterator[Difference]:
    """Items with the same key are compared with each other, and then their order."""
    key = next((key for key in _KEYS if _tells_apart(key, wanted) and _tells_apart(key, found)), None)
    left: dict[Any, Any]
    right: dict[Any, Any]
    if key is None:
        left, right = dict(enumerate(wanted)), dict(enumerate(found))
        for index in range(max(len(left), len(right))):
            yield from _item(left, right, index, f"{path}[{index}]")
        return
    left, right = ({item[key]: item for item in items} for items in (wanted, found))
    for name in dict.fromkeys((*left, *right)):
        yield from _item(left, right, name, f"{path}[{key}={name}]")
    orders = [[name for name in one if name in other] for one, other in ((left, right), (right, left))]
    if orders[0] != orders[1]:
        yield Difference(path=path, wanted=list(left), found=list(right))


def _item(wanted: dict[Any, Any], found: dict[Any, Any], key: object, path: str) -> Iterator[Difference]:
    if key in wanted and key in found:
        yield from differences(wanted[key], found[key], path)
    else:
        yield Difference(path=path, wanted=wanted.get(key), found=found.get(key))


def _tells_apart(key: str, items: list[Any]) -> bool:
    names = [item.get(key) if is_map(item) else None for item in items]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _step(name: str, path: str) -> str:
    if "." in name or "/" in name or not name:
        return f'["{name}"]'
    return f".{name}" if path else name
