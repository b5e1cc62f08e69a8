"""The jobs of a JobSet before and after, and the order in which they start."""

import re
from collections.abc import Iterator
from typing import Any, cast

from trainpolicy.engine import Decision

__all__ = ["Json", "containers_of", "decided", "job_rows", "jobs_of", "start_decisions", "start_order"]

Json = dict[str, Any]
_START = re.compile(r"spec\.replicatedJobs(\[[^\[\]]*\]\.dependsOn(\[.*)?)?")


def _map(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _maps(value: object) -> list[Json]:
    return [_map(item) for item in cast("list[object]", value)] if isinstance(value, list) else []


def jobs_of(job_set: Json | None) -> list[Json]:
    """Its replicated jobs; none when there is no JobSet. An existing JobSet may hold anything: nobody checked it."""
    return _maps(_map(_map(job_set).get("spec")).get("replicatedJobs"))


def containers_of(job: Json) -> list[Json]:
    """The containers of the job's pods."""
    return _maps(_map(_map(_job_spec(job).get("template")).get("spec")).get("containers"))


def _job_spec(job: Json) -> Json:
    return _map(_map(job.get("template")).get("spec"))


def _pods(job: Json | None) -> int | None:
    """Pods of one copy; the Job API reads a missing parallelism as 1."""
    if job is None:
        return None
    parallelism: int | None = _job_spec(job).get("parallelism")
    return 1 if parallelism is None else parallelism


def _copies(job: Json | None) -> int | None:
    if job is None:
        return None
    replicas: int | None = job.get("replicas")
    return 1 if replicas is None else replicas


def job_rows(base: Json | None, job_set: Json | None, decisions: tuple[Decision, ...]) -> Iterator[Json]:
    """Each job of the result in its order, with pods and copies before and after and the decision about its pods."""
    before = {job.get("name"): job for job in jobs_of(base)}
    for job in jobs_of(job_set):
        name = job.get("name")
        old = before.get(name)
        yield {
            "name": name,
            "pods": {"before": _pods(old), "after": _pods(job)},
            "copies": {"before": _copies(old), "after": _copies(job)},
            "decision": decided(decisions, f"spec.replicatedJobs[name={name}].template.spec.parallelism"),
        }


def decided(decisions: tuple[Decision, ...], path: str) -> Decision | None:
    """The decision that wrote this field, if a rule did."""
    return next((decision for decision in decisions if path in decision.target.paths), None)


def start_decisions(decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
    """The decisions about who starts first: the order of the list, and what a job waits for."""
    return tuple(
        decision for decision in decisions if any(_START.fullmatch(path) is not None for path in decision.target.paths)
    )


def start_order(job_set: Json | None) -> list[Json]:
    """Each job with its step (jobs of one step start together) and what it waits for, in the order of starting.

    A job that can never start, because it waits for itself, for a job that is not there or for one that never starts,
    has no step and comes last.
    """
    jobs = jobs_of(job_set)
    in_order = _map(_map(_map(job_set).get("spec")).get("startupPolicy")).get("startupPolicyOrder") == "InOrder"
    waits: dict[Any, list[Json]] = {}
    for index, job in enumerate(jobs):
        entries: list[Json] = [
            {"job": entry.get("name"), "status": entry.get("status")} for entry in _maps(job.get("dependsOn"))
        ]
        if in_order and index:
            entries.append({"job": jobs[index - 1].get("name"), "status": "Ready"})
        waits[job.get("name")] = entries
    steps = _steps(waits)
    # The sort keeps the order of the list among jobs that start together.
    names = sorted(waits, key=lambda name: steps.get(name, len(waits) + 1))
    return [{"job": name, "step": steps.get(name), "after": waits[name]} for name in names]


def _steps(waits: dict[Any, list[Json]]) -> dict[Any, int]:
    steps: dict[Any, int] = {}
    rest = dict(waits)
    while True:
        ready = [name for name, entries in rest.items() if all(entry["job"] in steps for entry in entries)]
        if not ready:
            return steps
        found = {name: 1 + max((steps[entry["job"]] for entry in rest.pop(name)), default=0) for name in ready}
        steps.update(found)
