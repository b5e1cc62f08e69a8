"""The difference between two JSON documents as a JSON Patch (RFC 6902)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from .content import is_map, plain_copy, same

__all__ = ["json_patch"]

_KEYS: Final = ("name", "mountPath", "containerPort")
_Operation: TypeAlias = dict[str, Any]


def json_patch(base: Any, result: Any) -> list[dict[str, Any]]:
    """Return the operations that make ``result`` of ``base``, neither of which changes or is shared.

    A replaced value is tested first, so that the patch fails on a document that has moved on. Items of a list are told
    apart by their name where they have one: they are removed, moved, added and changed one by one. Other lists grow and
    shrink in one place or are replaced whole. The order depends on the documents alone (design section 8).
    """
    operations: list[_Operation] = []
    _compare(base, result, "", operations)
    return operations


def _compare(base: Any, result: Any, path: str, operations: list[_Operation]) -> None:
    if base is result:
        return
    kind: type[Any] = base.__class__
    if kind is result.__class__:
        if kind is dict:
            _compare_maps(base, result, path, operations)
            return
        if kind is list:
            _compare_lists(base, result, path, operations)
            return
    if not same(base, result):
        _replace(base, result, path, operations)


def _replace(base: Any, result: Any, path: str, operations: list[_Operation]) -> None:
    operations.append({"op": "test", "path": path, "value": plain_copy(base)})
    operations.append({"op": "replace", "path": path, "value": plain_copy(result)})


def _pointer(path: str, step: str) -> str:
    if "~" in step or "/" in step:
        step = step.replace("~", "~0").replace("/", "~1")
    return f"{path}/{step}"


def _compare_maps(base: Mapping[str, Any], result: Mapping[str, Any], path: str, operations: list[_Operation]) -> None:
    for name, old in base.items():
        if name not in result:
            operations.append({"op": "remove", "path": _pointer(path, name)})
            continue
        new = result[name]
        # Most of two documents is equal: what needs no pointer gets none.
        if old is new or (old.__class__ is new.__class__ is str and old == new):
            continue
        _compare(old, new, _pointer(path, name), operations)
    for name, new in result.items():
        if name not in base:
            operations.append({"op": "add", "path": _pointer(path, name), "value": plain_copy(new)})


def _compare_lists(base: list[Any], result: list[Any], path: str, operations: list[_Operation]) -> None:
    keyed = _keys(base, result)
    if keyed is not None:
        _compare_keyed(base, result, keyed, path, operations)
        return
    shorter = min(len(base), len(result))
    start = 0
    while start < shorter and same(base[start], result[start]):
        start += 1
    if start == len(base) == len(result):
        return
    end = 0
    while end < shorter - start and same(base[-1 - end], result[-1 - end]):
        end += 1
    if start + end == len(base):
        operations.extend(
            {"op": "add", "path": f"{path}/{index}", "value": plain_copy(result[index])}
            for index in range(start, len(result) - end)
        )
    elif start + end == len(result):
        operations.extend({"op": "remove", "path": f"{path}/{start}"} for _ in range(len(base) - end - start))
    else:
        _replace(base, result, path, operations)


def _keys(base: list[Any], result: list[Any]) -> tuple[list[Any], list[Any]] | None:
    """What the items of both lists are called; None when nothing tells all of them apart."""
    if not base or not result or type(base[0]) is not dict:
        return None
    for member in _KEYS:
        old = _members(base, member)
        new = None if old is None else _members(result, member)
        if old is not None and new is not None:
            return old, new
    return None


def _members(items: list[Any], member: str) -> list[Any] | None:
    found: list[Any] = []
    for item in items:
        key = item.get(member) if is_map(item) else None
        # A boolean is an integer to Python, not to JSON.
        if not isinstance(key, str | int) or isinstance(key, bool):
            return None
        found.append(key)
    return found if len(set(found)) == len(found) else None


def _compare_keyed(
    base: list[Any], result: list[Any], keys: tuple[list[Any], list[Any]], path: str, operations: list[_Operation]
) -> None:
    old, new = keys
    if old != new:
        wanted = set(new)
        gone = [index for index, key in enumerate(old) if key not in wanted]
        operations.extend({"op": "remove", "path": f"{path}/{index}"} for index in reversed(gone))
        known = set(old)
        _move([key for key in old if key in wanted], [key for key in new if key in known], path, operations)
        for index, key in enumerate(new):
            if key not in known:
                operations.append({"op": "add", "path": f"{path}/{index}", "value": plain_copy(result[index])})
    items = dict(zip(old, base, strict=True))
    for index, key in enumerate(new):
        if key in items:
            _compare(items[key], result[index], f"{path}/{index}", operations)


def _move(current: list[Any], wanted: list[Any], path: str, operations: list[_Operation]) -> None:
    """Bring items into the wanted order, leaving the longest run that is in order already where it is."""
    if current == wanted:
        return
    place = {key: index for index, key in enumerate(wanted)}
    settled = {wanted[position] for position in _longest_rise([place[key] for key in current])}
    for position, key in enumerate(wanted):
        if key in settled:
            continue
        start = current.index(key)
        del current[start]
        # The item before it is where it belongs already, or was just brought there.
        end = current.index(wanted[position - 1]) + 1 if position else 0
        current.insert(end, key)
        operations.append({"op": "move", "from": f"{path}/{start}", "path": f"{path}/{end}"})


def _longest_rise(numbers: Sequence[int]) -> list[int]:
    """The longest subsequence that rises."""
    lows: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(lows, number)
        before[number] = lows[at - 1] if at else None
        lows[at : at + 1] = [number]
    rise: list[int] = []
    top = lows[-1] if lows else None
    while top is not None:
        rise.append(top)
        top = before[top]
    return rise
