"""The difference between two manifests as a JSON Merge Patch (RFC 7386)."""

from collections.abc import Mapping
from typing import Any

from .content import is_map, plain_copy, same

__all__ = ["merge_patch"]


def merge_patch(base: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merge patch that makes ``result`` of ``base``; lists are given whole (design section 8).

    :raises ValueError: when a member of ``result`` that is not in ``base`` is null, which this form cannot say;
        manifests in typed form hold no null (B-3)
    """
    patch: dict[str, Any] = {}
    for name, old in base.items():
        if name not in result:
            patch[name] = None
            continue
        new = result[name]
        if is_map(old) and is_map(new):
            inner = merge_patch(old, new)
            if inner:
                patch[name] = inner
        elif not same(old, new):
            patch[name] = _said(new)
    for name, new in result.items():
        if name not in base:
            patch[name] = _said(new)
    return patch


def _said(value: Any) -> Any:
    """A copy of a new value; only the maps on the way are read as a patch, so a null inside a list is no matter."""
    if value is None:
        cause = "a merge patch cannot set a member to null"
        raise ValueError(cause)
    if is_map(value):
        return {name: _said(item) for name, item in value.items()}
    return plain_copy(value)
