"""What JobSet asks of a coordinator: a Pod that exists, with an address that fits a label (B-111)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..errors import Problem
from ..values.names import is_label_value
from .finding import inadmissible

__all__ = ["coordinator_problems"]

_COORDINATOR: Final = ("spec", "coordinator")


def coordinator_problems(job_set: str, spec: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the coordinator of a JobSet's spec that has its defaults."""
    wanted = spec["coordinator"]
    name = wanted["replicatedJob"]
    job_index, pod_index = wanted.get("jobIndex") or 0, wanted.get("podIndex") or 0
    job = next((job for job in spec.get("replicatedJobs") or () if job["name"] == name), None)
    if job is None:
        yield inadmissible(f"the coordinator's job `{name}` does not exist", (*_COORDINATOR, "replicatedJob"))
    else:
        yield from _index("jobIndex", job_index, job.get("replicas", 1), f"copies of job `{name}`")
        details = job["template"]["spec"]
        completions = details.get("completions")
        if details["completionMode"] != "Indexed" or completions is None:
            cause = f"the coordinator's job `{name}` must have completion mode `Indexed` and say its completions"
            yield inadmissible(cause, (*_COORDINATOR, "replicatedJob"))
        else:
            yield from _index("podIndex", pod_index, completions, f"completions of job `{name}`")
    subdomain = spec["network"].get("subdomain") or job_set
    address = f"{job_set}-{name}-{job_index}-{pod_index}.{subdomain}"
    if not is_label_value(address):
        cause = f"the coordinator's address `{address}` cannot be the value of a label"
        yield inadmissible(cause, _COORDINATOR, "shorten the names of the TrainJob, the job or the subdomain")


def _index(member: str, index: int, count: int, what: str) -> Iterator[Problem]:
    if not 0 <= index < count:
        yield inadmissible(f"coordinator index {index} is not one of the {count} {what}", (*_COORDINATOR, member))
