"""What JobSet refuses to change in a JobSet that exists (B-120, B-121)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..errors import Problem, ProblemKind, field_text
from ..record import replace
from .admission import admit
from .content import is_list, is_map, items, part, same
from .finding import inadmissible
from .jobset_defaults import with_defaults
from .typed_form import typed

__all__ = ["forbidden_changes"]

_IMMUTABLE: Final = ("network", "successPolicy", "failurePolicy", "startupPolicy", "managedBy")
_FREE_METADATA: Final = ("labels", "annotations")
_FREE_POD: Final = ("nodeSelector", "tolerations", "schedulingGates")
_ADVICE: Final = "delete the JobSet, and it is made anew with this change"
_SUSPEND_ADVICE: Final = "this field may change while the JobSet is suspended"
_POD_TEMPLATE: Final = ("template", "spec", "template")


def forbidden_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return the fields of ``new`` that JobSet refuses to change from ``old``, as ``INADMISSIBLE`` problems.

    Both get the API's defaults and typed form first, so that a JobSet as it was sent and as it is stored are the same.
    What the schema refuses in one of them is all that is found.
    """
    before, after = admit(old, "JobSet"), admit(new, "JobSet")
    broken = (*before.problems, *after.problems)
    if broken:
        return tuple(replace(problem, kind=ProblemKind.INADMISSIBLE) for problem in broken)
    return tuple(_changes(_as_stored(before.document), _as_stored(after.document)))


def _as_stored(job_set: Mapping[str, Any]) -> dict[str, Any]:
    return typed(with_defaults(job_set)["spec"], "spec")


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Problem]:
    for member in _IMMUTABLE:
        yield from _differences(old.get(member), new.get(member), ("spec", member), _ADVICE)
    at = ("spec", "replicatedJobs")
    jobs, changed = items(old, "replicatedJobs"), items(new, "replicatedJobs")
    if [job["name"] for job in jobs] != [job["name"] for job in changed]:
        yield inadmissible("the number, order and names of the jobs cannot change", at, _ADVICE)
        return
    suspended = bool(old.get("suspend") or new.get("suspend"))
    for index, (job, other) in enumerate(zip(jobs, changed, strict=True)):
        yield from _differences(_without_free(job), _without_free(other), (*at, index), _ADVICE)
        if not suspended:
            for path in _free_paths():
                yield from _differences(_at(job, path), _at(other, path), (*at, index, *path), _SUSPEND_ADVICE)


def _free_paths() -> Iterator[tuple[str, ...]]:
    for member in _FREE_METADATA:
        yield (*_POD_TEMPLATE, "metadata", member)
    for member in _FREE_POD:
        yield (*_POD_TEMPLATE, "spec", member)


def _at(job: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    return part(job, *path[:-1]).get(path[-1])


def _without_free(job: Mapping[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = dict(job)
    template = copy["template"] = dict(copy["template"])
    details = template["spec"] = dict(template["spec"])
    pods = details["template"] = dict(details["template"])
    pods["metadata"] = {name: value for name, value in pods["metadata"].items() if name not in _FREE_METADATA}
    pods["spec"] = {name: value for name, value in pods["spec"].items() if name not in _FREE_POD}
    return copy


def _differences(old: Any, new: Any, path: tuple[str | int, ...], advice: str) -> Iterator[Problem]:
    """One problem for each field that differs: maps are compared member by member, lists of one length by place."""
    if is_map(old) and is_map(new):
        for name in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(name), new.get(name), (*path, name), advice)
    elif is_list(old) and is_list(new) and len(old) == len(new) and old and is_map(old[0]):
        for index, (item, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(item, other, (*path, index), advice)
    elif not same(old, new):
        yield inadmissible(f"`{field_text(path)}` of a JobSet cannot change once it exists", path, advice)
