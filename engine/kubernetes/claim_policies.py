"""What JobSet asks of volume claim policies (B-112)."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import Problem
from ..values.names import LONGEST_LABEL, is_subdomain
from .content import items, part
from .finding import inadmissible

__all__ = ["claim_problems"]


def claim_problems(job_set: str, spec: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the claim templates of a JobSet: their names, and that each is mounted somewhere."""
    policies = items(spec, "volumeClaimPolicies")
    jobs = items(spec, "replicatedJobs")
    mounted = {mount["name"] for job in jobs for mount in _mounts(_pod(job))} if policies else set[str]()
    seen: set[str] = set()
    for place, policy in enumerate(policies):
        for index, template in enumerate(items(policy, "templates")):
            name: str = part(template, "metadata").get("name") or ""
            at = ("spec", "volumeClaimPolicies", place, "templates", index, "metadata", "name")
            if name in seen:
                yield inadmissible(f"two claim templates are named `{name}`", at)
            seen.add(name)
            if not is_subdomain(name):
                yield inadmissible(f"claim template name `{name}` is not a DNS subdomain", at)
            claim = f"{name}-{job_set}"
            if len(claim) > LONGEST_LABEL:
                cause = f"the claim name `{claim}` would have {len(claim)} characters, more than {LONGEST_LABEL}"
                yield inadmissible(cause, at)
            if name not in mounted:
                yield inadmissible(f"no container mounts claim template `{name}`", at)
            yield from _clashes(name, jobs)


def _pod(job: Mapping[str, Any]) -> Mapping[str, Any]:
    return part(job, "template", "spec", "template", "spec")


def _mounts(pod: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for container in (*items(pod, "initContainers"), *items(pod, "containers")):
        yield from items(container, "volumeMounts")


def _clashes(claim: str, jobs: list[dict[str, Any]]) -> Iterator[Problem]:
    for place, job in enumerate(jobs):
        for index, volume in enumerate(items(_pod(job), "volumes")):
            if volume["name"] == claim:
                cause = f"volume `{claim}` of job `{job['name']}` is named like a claim template"
                at = ("spec", "replicatedJobs", place, *("template", "spec") * 2, "volumes", index, "name")
                yield inadmissible(cause, at)
