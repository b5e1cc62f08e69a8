"""What the API server makes of an object that a user writes: pruned, defaulted, validated (B-1, B-80).

Nothing here knows what a field is for; the data in ``schemas/`` says what it may be.
"""

from collections.abc import Mapping
from typing import Any

from ..errors import Problem, ProblemKind
from ..record import Record
from .admission_objects import object_check
from .admission_unknown import unknown_fields
from .shape import kind_of
from .validation import Fault, path_of, wording

__all__ = ["Admitted", "admit", "unknown_fields"]


class Admitted(Record):
    """An object as the API server stores it, and what it would refuse.

    ``document`` has no unknown fields and no nulls, and has its defaults; it is new throughout, but for fields that
    are kept whatever they hold. With ``problems`` it lacks what is wrong, so use it only without.
    """

    document: dict[str, Any]
    problems: tuple[Problem, ...]


def admit(document: Mapping[str, Any], kind: str) -> Admitted:
    """Admit an object of a kind: ``TrainJob``, ``ClusterTrainingRuntime``, ``TrainingRuntime`` or ``JobSet``.

    Every fault is found, in the order of the document; each is an ``INVALID`` problem about its field. Whatever the
    document holds, even if it is no map at all, nothing is raised.

    :raises KeyError: for another kind
    """
    known = kind_of(kind)
    faults: list[Fault] = []
    admitted: dict[str, Any] | None = object_check(known["shape"])(document, None, faults)
    if admitted is None:
        admitted = {}
    else:
        if admitted.get("apiVersion") != known["apiVersion"]:
            faults.append(((None, "apiVersion"), *_header(admitted.get("apiVersion"), known["apiVersion"])))
        if admitted.get("kind") != kind:
            faults.append(((None, "kind"), *_header(admitted.get("kind"), kind)))
    if not faults:
        return Admitted(document=admitted, problems=())
    problems = tuple(_problem(fault, known["document"], kind) for fault in faults)
    return Admitted(document=admitted, problems=problems)


def _header(found: object, wanted: str) -> tuple[str, str]:
    said = "is missing" if found is None else f"must be `{wanted}`, not {wording(found)}"
    return said, f"write `{wanted}`; no other is known here"


def _problem(fault: Fault, document: str, kind: str) -> Problem:
    trail, clause, help_text = fault
    path = path_of(trail)
    field = Problem(kind=ProblemKind.INVALID, cause="", document=document, path=path).field
    subject = f"`{field}`" if field else f"the {kind}"
    return Problem(kind=ProblemKind.INVALID, cause=f"{subject} {clause}", help=help_text, document=document, path=path)
