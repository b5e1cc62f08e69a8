from typing import Any

import pytest

from trainpolicy.cli.jobs import job_rows, start_order


def job(name: str, *waits: tuple[str, str], **spec: Any) -> dict[str, Any]:
    depends = {"dependsOn": [{"name": other, "status": status} for other, status in waits]} if waits else {}
    return {"name": name, **depends, "template": {"spec": spec}}


def job_set(*jobs: dict[str, Any], order: str | None = None) -> dict[str, Any]:
    policy = {"startupPolicy": {"startupPolicyOrder": order}} if order else {}
    return {"spec": {"replicatedJobs": list(jobs), **policy}}


def steps(document: dict[str, Any]) -> list[tuple[str, int | None, list[str]]]:
    return [
        (row["job"], row["step"], [f"{entry['job']} {entry['status']}" for entry in row["after"]])
        for row in start_order(document)
    ]


def test_jobs_that_wait_for_nobody_start_together() -> None:
    assert steps(job_set(job("b"), job("a"))) == [("b", 1, []), ("a", 1, [])]


def test_a_job_starts_after_all_that_it_waits_for() -> None:
    document = job_set(job("c", ("a", "Ready"), ("b", "Complete")), job("b", ("a", "Ready")), job("a"))
    assert steps(document) == [("a", 1, []), ("b", 2, ["a Ready"]), ("c", 3, ["a Ready", "b Complete"])]


def test_in_order_each_job_waits_for_the_one_before() -> None:
    document = job_set(job("a"), job("b"), job("c"), order="InOrder")
    assert steps(document) == [("a", 1, []), ("b", 2, ["a Ready"]), ("c", 3, ["b Ready"])]


@pytest.mark.parametrize("other", ["a", "nobody"])
def test_a_job_that_can_never_start_has_no_step_and_comes_last(other: str) -> None:
    assert steps(job_set(job("a", (other, "Ready")), job("b"))) == [("b", 1, []), ("a", None, [f"{other} Ready"])]


def test_missing_counts_are_one_as_in_kubernetes() -> None:
    [row] = job_rows(job_set(job("a")), job_set(job("a", parallelism=0)), ())
    assert (row["pods"], row["copies"]) == ({"before": 1, "after": 0}, {"before": 1, "after": 1})


def test_a_job_that_the_base_lacks_has_no_counts_before() -> None:
    [row] = job_rows(job_set(), job_set({**job("a"), "replicas": 2}), ())
    assert (row["pods"], row["copies"]) == ({"before": None, "after": 1}, {"before": None, "after": 2})


ANYTHING: list[object] = [None, [], {"replicatedJobs": 3}, {"replicatedJobs": [1, {"template": ()}]}]


@pytest.mark.parametrize("spec", ANYTHING)
def test_an_existing_jobset_may_hold_anything(spec: object) -> None:
    rows = list(job_rows({"spec": spec}, job_set(job("a")), ()))
    assert [row["pods"] for row in rows] == [{"before": None, "after": 1}]
