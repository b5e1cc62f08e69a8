"""Whether JobSet would take a JobSet: its schema, and its webhook's checks on creation (B-100 to B-112)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..errors import Problem, ProblemKind
from ..record import replace
from ..values.names import LONGEST_LABEL, is_domain_path, is_label
from .admission import admit
from .content import items
from .finding import inadmissible
from .jobset_defaults import with_defaults

__all__ = ["admissibility"]

_MOST_PODS: Final = 2**31 - 1
_POD_SUFFIX: Final = "-abcde"
"""As long as the random end that every Pod name gets."""


def admissibility(job_set: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return why the JobSet API would refuse to create this JobSet; nothing when it would take it.

    All problems are ``INADMISSIBLE``, about document ``jobSet``. As in the API, the webhook's checks follow only when
    the schema finds nothing.
    """
    admitted = admit(job_set, "JobSet")
    if admitted.problems:
        return tuple(replace(problem, kind=ProblemKind.INADMISSIBLE) for problem in admitted.problems)
    return tuple(_webhook(with_defaults(admitted.document)))


def _webhook(job_set: Mapping[str, Any]) -> Iterator[Problem]:
    spec = job_set["spec"]
    name = job_set["metadata"]["name"]
    jobs = items(spec, "replicatedJobs")
    yield from _waiting(jobs)
    for index, job in enumerate(jobs):
        yield from _sizes(name, job, index)
    yield from _subdomain(spec["network"].get("subdomain") or "")
    if spec.get("managedBy") is not None:
        yield from _manager(spec["managedBy"])
    names = {job["name"] for job in jobs}
    for index, target in enumerate(spec["successPolicy"].get("targetReplicatedJobs") or ()):
        if target not in names:
            at = ("spec", "successPolicy", "targetReplicatedJobs", index)
            yield inadmissible(f"the success policy names job `{target}`, which does not exist", at)
    # Few JobSets have any of these, and a short run does without the code.
    if spec.get("failurePolicy"):
        from .failure_policy import failure_problems

        yield from failure_problems(spec["failurePolicy"], names)
    if spec.get("coordinator") is not None:
        from .coordinator import coordinator_problems

        yield from coordinator_problems(name, spec)
    if spec.get("volumeClaimPolicies"):
        from .claim_policies import claim_problems

        yield from claim_problems(name, spec)


def _waiting(jobs: list[dict[str, Any]]) -> Iterator[Problem]:
    """B-102. A job may wait for itself, although it then never starts."""
    if jobs and jobs[0].get("dependsOn") is not None:
        cause = f"job `{jobs[0]['name']}` is the first and cannot wait for another"
        yield inadmissible(
            cause, ("spec", "replicatedJobs", 0, "dependsOn"), "list the job that it waits for before it"
        )
    listed: set[str] = set()
    for index, job in enumerate(jobs):
        listed.add(job["name"])
        for place, wait in enumerate(job.get("dependsOn") or ()):
            if wait["name"] not in listed:
                cause = f"job `{job['name']}` waits for `{wait['name']}`, which is not listed before it"
                at = ("spec", "replicatedJobs", index, "dependsOn", place, "name")
                yield inadmissible(cause, at, "a job can only wait for jobs that are listed before it")


def _sizes(job_set: str, job: Mapping[str, Any], index: int) -> Iterator[Problem]:
    """B-103 to B-106: how many, and whether the names of what is created fit."""
    at = ("spec", "replicatedJobs", index)
    name, copies = job["name"], job.get("replicas", 1)
    details = job["template"]["spec"]
    parallelism = details.get("parallelism")
    if (1 if parallelism is None else parallelism) * copies > _MOST_PODS:
        cause = f"job `{name}` has {parallelism} pods in each of {copies} copies, more than {_MOST_PODS} in all"
        yield inadmissible(cause, (*at, "replicas"))
    group = job.get("groupName", "default")
    if not is_label(group):
        cause = f"group name `{group}` of job `{name}` is not a label: `a-z`, `0-9` and `-`, at most {LONGEST_LABEL}"
        yield inadmissible(cause, (*at, "groupName"))
    yield from _generated("job", f"{job_set}-{name}-{copies - 1}", (*at, "name"))
    completions = details.get("completions")
    if details["completionMode"] == "Indexed" and completions is not None:
        pod = f"{job_set}-{name}-{copies - 1}-{completions - 1}{_POD_SUFFIX}"
        yield from _generated("pod", pod, (*at, "name"))


def _generated(what: str, name: str, at: tuple[str | int, ...]) -> Iterator[Problem]:
    if is_label(name):
        return
    if len(name) > LONGEST_LABEL:
        cause = f"the {what} name `{name}` would have {len(name)} characters, more than {LONGEST_LABEL}"
        yield inadmissible(cause, at, f"shorten the name of the TrainJob or of the job by {len(name) - LONGEST_LABEL}")
    else:
        yield inadmissible(f"the {what} name `{name}` would not be a label: `a-z`, `0-9` and `-`, a letter first", at)


def _subdomain(subdomain: str) -> Iterator[Problem]:
    """B-107. Every label is a subdomain too."""
    if subdomain and not is_label(subdomain):
        cause = f"subdomain `{subdomain}` is not a label: `a-z`, `0-9` and `-`, a letter first, at most {LONGEST_LABEL}"
        yield inadmissible(cause, ("spec", "network", "subdomain"))


def _manager(manager: str) -> Iterator[Problem]:
    """B-108."""
    at = ("spec", "managedBy")
    if not is_domain_path(manager):
        yield inadmissible(f"manager `{manager}` is not a domain and a path", at, "write it like `example.com/name`")
    if len(manager) > LONGEST_LABEL:
        yield inadmissible(f"manager `{manager}` has {len(manager)} characters, more than {LONGEST_LABEL}", at)
