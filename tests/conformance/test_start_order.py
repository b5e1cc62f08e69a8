"""Who waits for whom under the profile `default`: added where a runtime does not say so, and nothing else is touched.

A runtime is written in short: its jobs in their order, each with those that it waits for.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from trainpolicy.engine import Evaluation, Outcome, Policy

ROLE = "trainer.kubeflow.org/trainjob-ancestor-step"
API = "trainer.kubeflow.org/v1alpha1"
READY = "Ready"
FIVE = ("a", "b", "c", "d", "e")

Jobs = Mapping[str, Mapping[str, str]]
"""What each job waits for, by name, with the state that is waited for."""


def evaluate(policy: Policy, jobs: Jobs, **spec: Any) -> Evaluation:
    """The jobs on an MPI runtime; ``spec`` is added to that of the JobSet."""
    written: list[dict[str, Any]] = []
    for name, waits in jobs.items():
        pods = {"spec": {"containers": [{"name": "node", "image": "example.test/train"}]}}
        job: dict[str, Any] = {"name": name, "template": {"spec": {"template": pods}}}
        if name == "launcher":
            job["template"]["metadata"] = {"labels": {ROLE: "trainer"}}
        if waits:
            job["dependsOn"] = [{"name": other, "status": status} for other, status in waits.items()]
        written.append(job)
    runtime = {
        "apiVersion": API,
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "here"},
        "spec": {
            "mlPolicy": {"mpi": {"runLauncherAsNode": True}},
            "template": {"spec": {"replicatedJobs": written, **spec}},
        },
    }
    train_job = {
        "apiVersion": API,
        "kind": "TrainJob",
        "metadata": {"name": "train"},
        "spec": {"runtimeRef": {"name": "here"}},
    }
    return policy.evaluate(runtime=runtime, train_job=train_job)


def order(evaluation: Evaluation) -> list[tuple[str, dict[str, str]]]:
    """The jobs in their order, each with what it waits for, in that order."""
    assert evaluation.outcome is Outcome.DECIDED
    assert evaluation.job_set is not None
    jobs = evaluation.job_set["spec"]["replicatedJobs"]
    return [(job["name"], {one["name"]: one["status"] for one in job.get("dependsOn", [])}) for job in jobs]


def full(*more: str) -> dict[str, str]:
    return dict.fromkeys((*FIVE[: 5 - len(more)], *more), READY)


@pytest.fixture(scope="module")
def policy() -> Iterator[Policy]:
    with Policy.load() as loaded:
        yield loaded


FREE: Jobs = {name: {} for name in FIVE}
CASES: dict[str, tuple[Jobs, list[tuple[str, dict[str, str]]]]] = {
    "a runtime that does not say": (
        {"node": {}, "launcher": {}},
        [("node", {}), ("launcher", {"node": READY})],
    ),
    "a runtime that has them the other way round": (
        {"launcher": {}, "node": {}},
        [("node", {}), ("launcher", {"node": READY})],
    ),
    "a runtime that says so": (
        {"node": {}, "launcher": {"node": READY}},
        [("node", {}), ("launcher", {"node": READY})],
    ),
    "a launcher that waits until the workers are complete": (
        {"node": {}, "launcher": {"node": "Complete"}},
        [("node", {}), ("launcher", {"node": "Complete"})],
    ),
    "a launcher that waits for another job too": (
        {"data": {}, "launcher": {"data": "Complete"}, "node": {}},
        [("data", {}), ("node", {}), ("launcher", {"data": "Complete", "node": READY})],
    ),
    "workers that wait for another job, which moves along": (
        {"launcher": {}, "other": {}, "data": {}, "node": {"data": "Complete"}},
        [("data", {}), ("node", {"data": "Complete"}), ("launcher", {"node": READY}), ("other", {})],
    ),
    "a launcher with room for one more": (
        {**FREE, "launcher": dict.fromkeys(FIVE[:4], READY), "node": {}},
        [*((name, {}) for name in FIVE), ("node", {}), ("launcher", full("node"))],
    ),
    "a full list that has the workers": (
        {**FREE, "node": {}, "launcher": full("node")},
        [*((name, {}) for name in FIVE), ("node", {}), ("launcher", full("node"))],
    ),
    "no workers": ({"launcher": {}}, [("launcher", {})]),
    "no launcher": ({"node": {}}, [("node", {})]),
}


@pytest.mark.parametrize("case", CASES)
def test_the_launcher_waits_for_its_workers(policy: Policy, case: str) -> None:
    jobs, wanted = CASES[case]
    evaluation = evaluate(policy, jobs)
    assert order(evaluation) == wanted
    assert evaluation.problems == ()


def test_jobs_that_start_in_order_need_no_waiting(policy: Policy) -> None:
    evaluation = evaluate(policy, {"launcher": {}, "node": {}}, startupPolicy={"startupPolicyOrder": "InOrder"})
    assert order(evaluation) == [("node", {}), ("launcher", {})]
    assert evaluation.problems == ()


LEFT: dict[str, tuple[Jobs, str]] = {
    "workers that wait for the launcher": (
        {"launcher": {}, "node": {"launcher": READY}},
        "the runtime lets job `node` wait for job `launcher`, so the start order is left as it is",
    ),
    "workers that wait for the launcher by way of another job": (
        {"launcher": {}, "other": {"launcher": READY}, "node": {"other": READY}},
        "rule `mpi.order.workers-first` cannot put the list in order: `node` itself waits for `launcher`",
    ),
    "a launcher whose list is full": (
        {**FREE, "launcher": full(), "node": {}},
        ("job `launcher` waits for 5 other jobs and can wait for no more, so the start order is left as it is"),
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_an_order_that_cannot_be_added_is_left_with_a_warning(policy: Policy, case: str) -> None:
    jobs, cause = LEFT[case]
    evaluation = evaluate(policy, jobs)
    assert order(evaluation) == [(name, dict(waits)) for name, waits in jobs.items()]
    assert [problem.cause for problem in evaluation.problems] == [cause]


@pytest.mark.parametrize("profile", ["with-4210", "with-4045", "before-4210", "trainer-2.3"])
def test_profiles_of_the_controller_leave_the_order_to_the_runtime(profile: str) -> None:
    jobs: Jobs = {"launcher": {}, "node": {}}
    with Policy.load(profile=profile) as policy:
        assert order(evaluate(policy, jobs)) == [("launcher", {}), ("node", {})]
