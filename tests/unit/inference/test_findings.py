"""Which field a denial is about: the one that the reader of the message can change."""

from collections.abc import Callable
from typing import Any

import pytest

from trainpolicy.engine.inference.findings import concrete_path, value_at
from trainpolicy.engine.language.location import parse_location
from trainpolicy.engine.policy import Policy

KIND = {"apiVersion": "trainer.kubeflow.org/v1alpha1"}


def job(name: str, size: int) -> dict[str, Any]:
    containers = [{"name": "m", "image": "i"}, {"name": "s", "image": "i"}]
    return {
        "name": name,
        "template": {"spec": {"parallelism": size, "template": {"spec": {"containers": containers}}}},
    }


RUNTIME: dict[str, Any] = {
    **KIND,
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "r"},
    "spec": {"mlPolicy": {"numNodes": 2}, "template": {"spec": {"replicatedJobs": [job("a", 1), job("b", 4)]}}},
}
TRAIN_JOB: dict[str, Any] = {
    **KIND,
    "kind": "TrainJob",
    "metadata": {"name": "t", "namespace": "default"},
    "spec": {"runtimeRef": {"name": "r"}},
}
JOBS = ("spec", "template", "spec", "replicatedJobs")
SIZE = ("template", "spec", "parallelism")
NAME = ("template", "spec", "template", "spec", "containers")


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        pytest.param(
            "then: {warn: {about: title, message: m}}", [("trainJob", ("metadata", "name"))], id="of the TrainJob"
        ),
        pytest.param(
            "then: {warn: {about: number, message: m}}",
            [("trainJob", ("spec", "trainer", "numNodes"))],
            id="that is missing",
        ),
        pytest.param(
            "then: {warn: {about: standard, message: m}}",
            [("runtime", ("spec", "mlPolicy", "numNodes"))],
            id="of the runtime",
        ),
        pytest.param(
            "then: {warn: {about: names, message: m}}", [("runtime", JOBS)], id="read through a list ends before it"
        ),
        pytest.param(
            "for_each: job, when: [{fact: job.size, at_least: 3}], then: {warn: {about: job.size, message: m}}",
            [("runtime", (*JOBS, 1, *SIZE))],
            id="of a job of the base is one of the runtime",
        ),
        pytest.param(
            "for_each: part, when: [{fact: part.name, equals: s}], then: {warn: {about: part.name, message: m}}",
            [("runtime", (*JOBS, 0, *NAME, 1, "name")), ("runtime", (*JOBS, 1, *NAME, 1, "name"))],
            id="of each container that holds",
        ),
        pytest.param(
            "for_each: part, when: [{fact: part.name, equals: s}], then: {warn: {about: job.size, message: m}}",
            [("runtime", (*JOBS, 0, *SIZE)), ("runtime", (*JOBS, 1, *SIZE))],
            id="of the job that a container lies in",
        ),
    ],
)
def test_a_warning_names_the_field(policy: Callable[[str], Policy], rule: str, found: list[object]) -> None:
    evaluation = policy(f"  - {{id: r, {rule}}}").evaluate(runtime=RUNTIME, train_job=TRAIN_JOB)
    assert [(problem.document, problem.path) for problem in evaluation.problems] == found


def test_an_order_does_not_change_which_field_is_meant(policy: Callable[[str], Policy]) -> None:
    rules = (
        "  - {id: order, then: {order: {jobs: {first: b, then: a}}}}\n"
        "  - {id: r, for_each: job, then: {warn: {about: job.size, message: '${job.name}'}}}"
    )
    evaluation = policy(rules).evaluate(runtime=RUNTIME, train_job=TRAIN_JOB)
    assert [(problem.cause, problem.path) for problem in evaluation.problems] == [
        ("b", (*JOBS, 1, *SIZE)),
        ("a", (*JOBS, 0, *SIZE)),
    ]


DOCUMENT = {"list": [{"name": "x", "size": 1}, {"name": "y", "size": 2}], "map": {"a/b": 1}}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("list[name=y].size", ("list", 1, "size")),
        ("list[name=z].size", ("list",)),
        ("list[].size", ("list",)),
        ('map["a/b"]', ("map", "a/b")),
        ("absent.deeper", ("absent", "deeper")),
        ("absent[name=x].size", ("absent",)),
    ],
)
def test_a_path_of_the_vocabulary_in_a_document(path: str, found: object) -> None:
    assert concrete_path(DOCUMENT, parse_location(f"trainJob/{path}")) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), DOCUMENT),
        (("list", 1, "name"), "y"),
        (("list", 2), None),
        (("list", "name"), None),
        (("map", 0), None),
        (("absent", "deeper"), None),
    ],
)
def test_the_value_at_a_path(path: tuple[str | int, ...], found: object) -> None:
    assert value_at(DOCUMENT, path) == found
