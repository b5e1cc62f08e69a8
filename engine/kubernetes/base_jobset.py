"""The JobSet before policy: a runtime's template, made into a JobSet for one TrainJob (design section 2).

What is done here is mechanical and depends on no count: metadata and owner (B-10, B-11), typed form (B-12), the
TrainJob's patches of the runtime (B-16 to B-21) and the controller's self-merge (B-51).
"""

import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps, loads
from typing import Any, Final

from ..errors import Problem, ProblemKind
from .self_merge import merge_with_itself
from .strategic_merge import MergeConflict, strategic_merge
from .typed_form import typed

__all__ = ["PreparedRuntime", "owner_reference", "prepare"]

_API_VERSION: Final = "jobset.x-k8s.io/v1alpha2"
_OWNER_API_VERSION: Final = "trainer.kubeflow.org/v1alpha1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRuntime:
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
        patches: list[Mapping[str, Any]] = wanted.get("runtimePatches") or []
        problems: tuple[Problem, ...] = ()
        if patches:
            spec, problems = self._patched(patches)
        else:
            spec = marshal.loads(self._settled)
        spec["suspend"] = wanted.get("suspend", False)
        job_set = {
            "apiVersion": _API_VERSION,
            "kind": "JobSet",
            "metadata": self._metadata(train_job, patches),
            "spec": spec,
        }
        return job_set, problems

    def _metadata(self, train_job: Mapping[str, Any], patches: list[Mapping[str, Any]]) -> dict[str, Any]:
        given = train_job["metadata"]
        metadata: dict[str, Any] = {"name": given["name"]}
        namespace = given.get("namespace") or ""
        if namespace or self._blank_namespace:
            metadata["namespace"] = namespace
        labels, annotations = dict(self._labels), dict(self._annotations)
        for patch in patches:
            changed = _template_of(patch).get("metadata") or {}
            labels.update(changed.get("labels") or {})
            annotations.update(changed.get("annotations") or {})
        if labels:
            metadata["labels"] = labels
        if annotations:
            metadata["annotations"] = annotations
        metadata["ownerReferences"] = [owner_reference(train_job)]
        return metadata

    def _patched(self, patches: list[Mapping[str, Any]]) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        spec: dict[str, Any] = marshal.loads(self._template)
        problems: list[Problem] = []
        for index, patch in enumerate(patches):
            change = _template_of(patch).get("spec")
            if not change:
                continue
            try:
                spec = _merged(spec, change)
            except MergeConflict as conflict:
                problems.append(_unmerged(conflict, index))
        jobs = spec.get("replicatedJobs")
        if jobs:
            # A job that only a patch brought in counts as the first (B-19).
            jobs.sort(key=lambda job: self._places.get(job["name"], 0))
            merge_with_itself(jobs)
        return spec, tuple(problems)


def prepare(runtime: Mapping[str, Any], *, blank_namespace: bool = False) -> PreparedRuntime:
    """Do what can be done knowing the admitted runtime alone.

    :param blank_namespace: write ``namespace: ""`` for a TrainJob without a namespace, as the controller does, instead
        of leaving the member out
    """
    template = (runtime.get("spec") or {}).get("template") or {}
    metadata = template.get("metadata") or {}
    spec: dict[str, Any] = typed(template.get("spec") or {}, "spec")
    jobs: list[dict[str, Any]] = spec.get("replicatedJobs") or []
    frozen = _freeze(spec)
    merge_with_itself(jobs)
    return PreparedRuntime(
        _template=frozen,
        _settled=_freeze(spec),
        _labels=dict(metadata.get("labels") or {}),
        _annotations=dict(metadata.get("annotations") or {}),
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
    """The quickest way to a fresh deep copy. A part that stands in two places must not be shared by its copies,
    so the value goes through JSON first, which makes a tree of it.
    """
    return marshal.dumps(loads(dumps(spec)))


def _template_of(patch: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (patch.get("trainingRuntimeSpec") or {}).get("template") or {}
    return found


def _merged(spec: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """One patch laid over the template, in typed form again (B-17); only jobs that the patch names can have lost it."""
    patch = typed(change, "patch")
    merged = strategic_merge(spec, patch)
    touched = {job["name"] for job in patch.get("replicatedJobs") or ()}
    merged["replicatedJobs"] = [
        typed(job, "replicatedJobs") if job["name"] in touched else job for job in merged.get("replicatedJobs") or ()
    ]
    return merged


def _unmerged(conflict: MergeConflict, index: int) -> Problem:
    return Problem(
        kind=ProblemKind.INVALID,
        cause=f"the runtime patch cannot be merged: {conflict.cause}",
        help="see the strategic merge patch rules of Kubernetes; the API server fails on this patch too",
        document="trainJob",
        path=("spec", "runtimePatches", index, "trainingRuntimeSpec", "template", "spec", *conflict.path),
    )
