"""Data that is nothing but data: what a caller hands over as an existing object may be anything that Python holds."""

from math import isfinite
from typing import Any

from ..errors import Problem, ProblemKind, field_text
from ..language.yaml_dialects import DEEPEST
from .validation import Fault, Trail, is_list, is_map, no_map, path_of, plain_text, wording

__all__ = ["plain_object"]

_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


def plain_object(value: object, document: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Return the object as new maps, lists and scalars of JSON, and what of it JSON cannot say.

    The same limits hold as for manifests in files. With problems the copy lacks what is wrong, so use it only without.
    """
    faults: list[Fault] = []
    copy: dict[str, Any] = {}
    if is_map(value):
        copy = _copy(value, None, DEEPEST, faults)
    else:
        faults.append(no_map(value, None))
    return copy, tuple(_problem(fault, document) for fault in faults)


def _problem(fault: Fault, document: str) -> Problem:
    trail, clause, help_text = fault
    path = path_of(trail)
    subject = f"`{field_text(path)}`" if path else f"the {document[:1].upper()}{document[1:]}"
    return Problem(kind=ProblemKind.INVALID, cause=f"{subject} {clause}", help=help_text, document=document, path=path)


def _copy(value: Any, trail: Trail, depth: int, faults: list[Fault]) -> Any:
    match value:
        case None | bool():
            return value
        case str():
            return plain_text(value)
        case int() if _SMALLEST <= value <= _LARGEST:
            return int(value)
        case float() if isfinite(value):
            return float(value)
        case _ if is_list(value) and depth:
            return [_copy(item, (trail, index), depth - 1, faults) for index, item in enumerate(value)]
        case _ if is_map(value) and depth:
            copy: dict[str, Any] = {}
            for name, item in value.items():
                if isinstance(name, str):
                    copy[plain_text(name)] = _copy(item, (trail, name), depth - 1, faults)
                else:
                    faults.append((trail, f"has the key {wording(name)}, which is no text", "put the key in quotes"))
            return copy
        case _ if is_list(value) or is_map(value):
            faults.append((trail, f"is nested deeper than {DEEPEST} levels", "no manifest is nested so deeply"))
        case _:
            faults.append((trail, f"cannot be {wording(value)}", "give what JSON can say"))
    return None
