"""Strategic merge: a patch laid over a manifest, lists of items merged by a key (B-16 to B-21).

Both sides are in typed form (B-3). Which lists merge, and by which member, is data that the caller hands in. Neither
side is changed; the result shares parts with both.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from .content import is_list, is_map

__all__ = ["POD_TEMPLATE_KEYS", "MergeConflict", "strategic_merge"]

POD_TEMPLATE_KEYS: Final[Mapping[str, str]] = {
    "containers": "name",
    "env": "name",
    "finalizers": "",
    "imagePullSecrets": "name",
    "initContainers": "name",
    "replicatedJobs": "name",
    "schedulingGates": "name",
    "volumeMounts": "mountPath",
    "volumes": "name",
}
"""Lists that merge item by item: name of the list to the member that tells items apart, empty where the items are
texts (B-17). Lists that are not named here are replaced whole."""

_DIRECTIVE: Final = "$patch"
_KEEP: Final = "$retainKeys"
_ORDER: Final = "$setElementOrder"
_DELETE: Final = "$deleteFromPrimitiveList"

_Path: TypeAlias = tuple[str | int, ...]


class MergeConflict(Exception):
    """A patch that cannot be merged (B-21). ``path`` leads to the fault within the patch."""

    def __init__(self, cause: str, path: tuple[str | int, ...]) -> None:
        super().__init__(cause)
        self.cause = cause
        self.path = path


def strategic_merge(
    base: Mapping[str, Any], patch: Mapping[str, Any], keys: Mapping[str, str] = POD_TEMPLATE_KEYS
) -> dict[str, Any]:
    """Return ``base`` with ``patch`` laid over it.

    :param keys: lists that merge item by item, as :data:`POD_TEMPLATE_KEYS`
    :raises MergeConflict: for a bad directive, or an item without its key in a list that both sides have
    """
    return _merge_map(base, patch, keys, ())


def _merge_map(
    base: Mapping[str, Any], patch: Mapping[str, Any], keys: Mapping[str, str], path: _Path
) -> dict[str, Any]:
    if _DIRECTIVE in patch:
        return _obey(patch, path)
    merged = dict(base)
    for name, value in patch.items():
        if name[:1] == "$" and (target := _directed(name, path)) is not None:
            if target in base:
                merged[target] = value
            continue
        old = merged.get(name)
        if value is None:
            merged.pop(name, None)
        elif is_map(old) and is_map(value):
            merged[name] = _merge_map(old, value, keys, (*path, name))
        elif is_list(old) and is_list(value) and name in keys:
            # An empty side has nothing to match, so the other is taken as it stands, doubles and all.
            if old and value:
                merged[name] = _merge_list(old, value, keys, (*path, name))
            elif value:
                merged[name] = _plain(value)
        elif is_list(old) and is_list(value):
            merged[name] = value
        else:
            merged.pop(name, None)
            if not (is_map(value) and _DIRECTIVE in value):
                merged[name] = _plain(value)
    return merged


def _obey(patch: Mapping[str, Any], path: _Path) -> dict[str, Any]:
    """The map that a ``$patch`` directive asks for (B-20)."""
    match patch[_DIRECTIVE]:
        case "replace":
            return {name: value for name, value in patch.items() if name != _DIRECTIVE}
        case "delete":
            return {}
        case other:
            cause = f"`{_DIRECTIVE}` must be `replace` or `delete`, not `{other}`"
            raise MergeConflict(cause, (*path, _DIRECTIVE))


def _directed(name: str, path: _Path) -> str | None:
    """The key that a directive is about; None when ``name`` is an ordinary key after all.

    Directives are meant for lists; the maps that users may fill freely hold only texts, so most of them fail.
    """
    if name == _KEEP or name.startswith(_ORDER):
        cause = f"`{name}` must be a list, which this map cannot hold"
        raise MergeConflict(cause, (*path, name))
    if not name.startswith(_DELETE):
        return None
    head, slash, target = name.partition("/")
    if head != _DELETE or not slash:
        cause = f"`{name}` does not name a list"
        raise MergeConflict(cause, (*path, name))
    # Without a name after the slash the directive is its own target, which a base may hold like any other key.
    return target or name


def _plain(value: Any) -> Any:
    """A part of the patch that the base lacks: taken whole, without nulls and without maps that hold a directive."""
    if is_map(value):
        return {
            name: _plain(item)
            for name, item in value.items()
            if item is not None and not (is_map(item) and _DIRECTIVE in item)
        }
    if is_list(value):
        return [_plain(item) for item in value if not (is_map(item) and _DIRECTIVE in item)]
    return value


def _merge_list(base: list[Any], patch: list[Any], keys: Mapping[str, str], path: _Path) -> list[Any]:
    member = keys[str(path[-1])]
    merged: dict[str, list[Any]] = {}
    places: dict[str, int] = {}
    for index, item in enumerate(base):
        key = _key(item, member, path)
        places.setdefault(key, index)
        merged.setdefault(key, []).append(item)
    order: dict[str, None] = {}
    for index, item in enumerate(patch):
        key = _key(item, member, (*path, index))
        order[key] = None
        same = merged.get(key)
        if same is None:
            merged[key] = [item]
        elif member:
            # Of doubles in the base the first is the one that changes.
            same[0] = _merge_map(same[0], item, keys, (*path, index))
    if not member:
        merged = {key: items[:1] for key, items in merged.items()}
    untouched = [key for key in merged if key not in order]
    return [item for key in _zip(untouched, list(order), places) for item in merged[key]]


def _key(item: Any, member: str, path: _Path) -> str:
    if not member:
        return str(item)
    if member not in item:
        cause = f"an item of `{next(step for step in reversed(path) if isinstance(step, str))}` has no `{member}`"
        raise MergeConflict(cause, path)
    return str(item[member])


def _zip(untouched: list[str], patched: list[str], places: Mapping[str, int]) -> list[str]:
    """Both queues as one: patched items go first, unless both were in the base and stood the other way round (B-18)."""
    result: list[str] = []
    ahead = 0
    for key in patched:
        place = places.get(key)
        if place is not None:
            while ahead < len(untouched) and places[untouched[ahead]] < place:
                result.append(untouched[ahead])
                ahead += 1
        result.append(key)
    return result + untouched[ahead:]
