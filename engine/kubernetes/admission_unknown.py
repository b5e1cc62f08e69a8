"""Fields that the API server drops without a word: most are slips of the pen."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..errors import Problem, ProblemKind
from ..values.nearest import nearest_name
from .shape import SCALARS, Member, kind_of, member_of, members
from .validation import is_list, is_map

__all__ = ["unknown_fields"]

_Path: TypeAlias = tuple[str | int, ...]


def unknown_fields(document: Mapping[str, Any], kind: str) -> tuple[Problem, ...]:
    """A warning for each field that objects of the kind do not have, in the order of the document.

    Fields that are null are passed over: tools write ``creationTimestamp: null`` where it means nothing.

    :raises KeyError: for a kind other than those that ``admit`` takes
    """
    known = kind_of(kind)
    return tuple(_problem(path, known["document"], names) for path, names in _in_object(document, known["shape"], ()))


def _in_object(value: object, shape: str, path: _Path) -> Iterator[tuple[_Path, tuple[str, ...]]]:
    if not is_map(value):
        return
    for name, item in value.items():
        of = member_of(shape, name)
        if of is None:
            if item is not None:
                yield (*path, str(name)), tuple(members(shape))
        elif of.type not in SCALARS:
            yield from _in_member(item, of, (*path, name))


def _in_member(value: object, of: Member, path: _Path) -> Iterator[tuple[_Path, tuple[str, ...]]]:
    if of.plural == "one":
        yield from _in_object(value, of.type, path)
    elif is_list(value):
        for index, item in enumerate(value):
            yield from _in_object(item, of.type, (*path, index))


def _problem(path: _Path, document: str, names: tuple[str, ...]) -> Problem:
    field = Problem(kind=ProblemKind.WARNING, cause="", document=document, path=path).field
    near = nearest_name(str(path[-1]), names)
    return Problem(
        kind=ProblemKind.WARNING,
        cause=f"unknown field `{field}`; it is dropped",
        help=near if near and near.startswith("did you mean") else None,
        document=document,
        path=path,
    )
