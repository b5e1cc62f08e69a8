"""The JobSet before policy: a runtime's template, made into a JobSet for one TrainJob (design section 2).

What is done here is mechanical and depends on no count: metadata and owner (B-10, B-11), typed form (B-12), the
TrainJob's patches of the runtime (B-16 to B-21) and the controller's self-merge (B-51).
"""

import marshal
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..errors import Problem, ProblemKind
from ..record import Record
from .content import items, part
from .self_merge import merge_with_itself
from .typed_form import typed

if TYPE_CHECKING:
    from .strategic_merge import MergeConflict

__all__ = ["PreparedRuntime", "owner_reference", "prepare"]

_API_VERSION: Final = "jobset.x-k8s.io/v1alpha2"
_OWNER_API_VERSION: Final = "trainer.kubeflow.org/v1alpha1"
_TEMPLATE: Final = ("trainingRuntimeSpec", "template")
"""Where a patch of the runtime holds its part of the template."""


class PreparedRuntime(Record):
    """A runtime's part of the work, done once for any number of TrainJobs. Made by :func:`prepare`."""

    _template: bytes
    _settled: bytes
    _labels: Mapping[str, str]
    _annotations: Mapping[str, str]
    _places: Mapping[str, int]
    _blank_namespace: bool

    def base(self, train_job: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        """Return a fresh JobSet for an admitted TrainJob, and the patches that could not be merged.

        A patch that cannot be merged changes nothing and gives an ``INVALID`` problem about its field of the TrainJob
        (B-21). No part of the JobSet is shared with the TrainJob or with another JobSet.
        """
        wanted = train_job["spec"]
        patches = items(wanted, "runtimePatches")
        problems: tuple[Problem, ...] = ()
        if patches:
            spec, problems = self._patched(patches)
        else:
            spec = _thaw(self._settled)
        spec["suspend"] = wanted.get("suspend", False)
        job_set = {
            "apiVersion": _API_VERSION,
            "kind": "JobSet",
            "metadata": self._metadata(train_job, patches),
            "spec": spec,
        }
        return job_set, problems

    def _metadata(self, train_job: Mapping[str, Any], patches: list[dict[str, Any]]) -> dict[str, Any]:
        given = train_job["metadata"]
        metadata: dict[str, Any] = {"name": given["name"]}
        namespace = given.get("namespace") or ""
        if namespace or self._blank_namespace:
            metadata["namespace"] = namespace
        labels, annotations = dict(self._labels), dict(self._annotations)
        for patch in patches:
            changed = part(patch, *_TEMPLATE, "metadata")
            labels.update(part(changed, "labels"))
            annotations.update(part(changed, "annotations"))
        if labels:
            metadata["labels"] = labels
        if annotations:
            metadata["annotations"] = annotations
        metadata["ownerReferences"] = [owner_reference(train_job)]
        return metadata

    def _patched(self, patches: list[dict[str, Any]]) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        from .strategic_merge import MergeConflict  # few TrainJobs have patches

        spec = _thaw(self._template)
        problems: list[Problem] = []
        for index, patch in enumerate(patches):
            change = part(patch, *_TEMPLATE, "spec")
            if not change:
                continue
            try:
                spec = _merged(spec, change)
            except MergeConflict as conflict:
                problems.append(_unmerged(conflict, index))
        jobs = items(spec, "replicatedJobs")
        # A job that only a patch brought in counts as the first (B-19).
        jobs.sort(key=lambda job: self._places.get(job["name"], 0))
        merge_with_itself(jobs)
        return spec, tuple(problems)


def prepare(runtime: Mapping[str, Any], *, blank_namespace: bool = False) -> PreparedRuntime:
    """Do what can be done knowing the admitted runtime alone.

    :param blank_namespace: write ``namespace: ""`` for a TrainJob without a namespace, as the controller does, instead
        of leaving the member out
    """
    template = part(runtime, "spec", "template")
    metadata = part(template, "metadata")
    spec: dict[str, Any] = typed(part(template, "spec"), "spec")
    jobs = items(spec, "replicatedJobs")
    frozen = _freeze(spec)
    merge_with_itself(jobs)
    return PreparedRuntime(
        _template=frozen,
        _settled=_freeze(spec),
        _labels=dict(part(metadata, "labels")),
        _annotations=dict(part(metadata, "annotations")),
        _places={job["name"]: place for place, job in enumerate(jobs)},
        _blank_namespace=blank_namespace,
    )


def owner_reference(train_job: Mapping[str, Any]) -> dict[str, Any]:
    """The reference to the TrainJob that owns an object; ``uid`` is empty while the TrainJob has none (B-11)."""
    metadata = train_job["metadata"]
    return {
        "apiVersion": _OWNER_API_VERSION,
        "kind": "TrainJob",
        "name": metadata["name"],
        "uid": metadata.get("uid") or "",
        "controller": True,
        "blockOwnerDeletion": True,
    }


def _freeze(spec: dict[str, Any]) -> bytes:
    """The form from which a fresh deep copy is made quickest; typed form shares no part with itself or another."""
    return marshal.dumps(spec)


def _thaw(frozen: bytes) -> dict[str, Any]:
    spec: dict[str, Any] = marshal.loads(frozen)  # noqa: S302  # these bytes never leave the object that made them
    return spec


def _merged(spec: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """One patch laid over the template, in typed form again (B-17); only jobs that the patch names can have lost it."""
    from .strategic_merge import strategic_merge

    patch: dict[str, Any] = typed(change, "patch")
    merged = strategic_merge(spec, patch)
    touched = {job["name"] for job in items(patch, "replicatedJobs")}
    jobs = items(merged, "replicatedJobs")
    jobs[:] = [typed(job, "replicatedJobs") if job["name"] in touched else job for job in jobs]
    return merged


def _unmerged(conflict: "MergeConflict", index: int) -> Problem:
    return Problem(
        kind=ProblemKind.INVALID,
        cause=f"the runtime patch cannot be merged: {conflict.cause}",
        help="see the strategic merge patch rules of Kubernetes; the API server fails on this patch too",
        document="trainJob",
        path=("spec", "runtimePatches", index, *_TEMPLATE, "spec", *conflict.path),
    )
