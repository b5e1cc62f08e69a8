"""The form that objects have after they went through the controller's typed fields (B-3).

Zeros vanish except where a field tells zero from nothing, some objects are written although nobody wrote them, and
quantities are spelled canonically. Which field does what is data in ``schemas/``.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ..values.quantity import canonical
from .shape import Member, MemberForm, member, members

__all__ = ["typed"]

_PATCH: Final = "patch"
"""The shape of what a patch may say about a template, and with it the way of writing: nothing is added to it."""

_Write: TypeAlias = Callable[[Any], Any]


def typed(value: Mapping[str, Any], shape: str) -> dict[str, Any]:
    """An admitted value in typed form: new, but for fields that are no objects, lists or maps.

    :param shape: ``spec`` for the spec of a JobSet or of a runtime's template, ``replicatedJobs`` for one of its jobs;
        ``patch`` for a patch of a template's spec, where only what the user wrote is written (and ``divisor``), and
        None stands where the patch takes something away
    :raises KeyError: for a shape that does not exist
    """
    written: dict[str, Any] = _object_form(shape, in_patch=shape == _PATCH)(value)
    return written


class _Members(dict[str, tuple[bool, _Write | None]]):
    """Name to whether a zero stays, and to how the value is written, None for a scalar that stays as it is."""

    __slots__ = ("_forms", "_in_patch")

    def __init__(self, forms: Mapping[str, MemberForm], *, in_patch: bool) -> None:
        super().__init__()
        self._forms = forms
        self._in_patch = in_patch

    def __missing__(self, name: str) -> tuple[bool, _Write | None]:
        form = self._forms.get(name)
        # What no field holds is lost; typed form is made of admitted values, so this is rare.
        found = (False, _nothing) if form is None else _written(member(form), in_patch=self._in_patch)
        if form is not None:
            self[name] = found
        return found


def _nothing(_value: Any) -> None:
    return None


def _written(of: Member, *, in_patch: bool) -> tuple[bool, _Write | None]:
    keep = of.zero in {"keep", "always"}
    if of.plural == "one":
        if of.is_shape:
            return keep, _object_form(of.type, in_patch=in_patch)
        return keep, canonical if of.type == "quantity" else None
    if of.plural == "map":
        return keep, _amounts if of.type == "quantity" else _free_map
    empty_stays = in_patch and (of.zero == "always" or "absentInPatch" in of.bounds)
    return keep, _list_form(_object_form(of.type, in_patch=in_patch) if of.is_shape else None, empty_stays=empty_stays)


def _amounts(value: dict[str, Any]) -> Any:
    return {name: canonical(amount) for name, amount in value.items()} or None


def _free_map(value: dict[str, Any]) -> Any:
    return dict(value) or None


def _list_form(item_form: _Write | None, *, empty_stays: bool) -> _Write:
    def write(value: list[Any]) -> Any:
        if not value:
            return [] if empty_stays else None
        return list(value) if item_form is None else [item_form(item) for item in value]

    return write


@lru_cache(maxsize=512)
def _object_form(shape: str, *, in_patch: bool) -> _Write:
    forms = members(shape)
    known = _Members(forms, in_patch=in_patch)
    absent = tuple(_absent(forms, in_patch=in_patch))

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, item in value.items():
            if item is None:
                continue
            keep, inner = known[name]
            if inner is not None:
                if (form := inner(item)) is not None:
                    result[name] = form
            elif keep or item:
                result[name] = item
        for name, make in absent:
            if name not in result:
                result[name] = make({})
        return result

    return write


def _absent(forms: Mapping[str, MemberForm], *, in_patch: bool) -> list[tuple[str, _Write]]:
    """The members that are written although they are missing, and how."""
    found: list[tuple[str, _Write]] = []
    for name, form in forms.items():
        read = member(form)
        key = "absentInPatch" if in_patch else "absent"
        if key in read.bounds:
            found.append((name, _constant(read.bounds[key])))
        elif not in_patch and read.plural == "one" and read.is_shape and read.zero in {"always", "fill"}:
            found.append((name, _object_form(read.type, in_patch=False)))
    return found


def _constant(value: Any) -> _Write:
    return lambda _: value
