"""Whatever Python holds in the place of data is taken as data, or is a problem; nothing is raised."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from trainpolicy.engine import Outcome, Policy

RUNTIME: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "ours"},
    "spec": {
        "template": {
            "spec": {
                "replicatedJobs": [
                    {
                        "name": "node",
                        "template": {
                            "spec": {
                                "template": {
                                    "spec": {
                                        "nodeSelector": {"zone": "a"},
                                        "containers": [{"name": "node", "image": "i", "command": ["run"]}],
                                    }
                                }
                            }
                        },
                    }
                ]
            }
        }
    },
}
TRAIN_JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "train"},
    "spec": {"runtimeRef": {"name": "ours"}, "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "1"}]}},
}


class Text(str):
    """Text of another class, as readers of YAML that keep comments and quotes make it."""

    __slots__ = ()


class Number(int):
    """A number of another class."""


def of_other_classes(value: Any) -> Any:
    match value:
        case bool():
            return value
        case dict():
            return {Text(name): of_other_classes(item) for name, item in cast("dict[str, Any]", value).items()}
        case list():
            return [of_other_classes(item) for item in cast("list[object]", value)]
        case str():
            return Text(value)
        case _:
            return Number(value)


def classes(value: Any) -> set[type]:
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {dict}.union(*(classes(part) for pair in pairs for part in pair))
    return {list}.union(*map(classes, cast("list[object]", value))) if isinstance(value, list) else {type(value)}


@pytest.fixture(scope="module")
def policy() -> Iterator[Policy]:
    with Policy.load() as policy:
        yield policy


def test_text_and_numbers_of_other_classes_are_text_and_numbers(policy: Policy) -> None:
    plain = policy.evaluate(runtime=RUNTIME, train_job=TRAIN_JOB, job_set={"metadata": {"name": "train"}})
    other = policy.evaluate(
        runtime=of_other_classes(RUNTIME),
        train_job=of_other_classes(TRAIN_JOB),
        job_set=of_other_classes({"metadata": {"name": "train"}}),
    )
    assert other.job_set == plain.job_set
    assert plain.job_set is not None
    assert other.json_patch() == plain.json_patch()
    assert classes([other.base, other.job_set, other.json_patch()]) <= {dict, list, str, int, bool}


def test_an_existing_jobset_is_copied(policy: Policy) -> None:
    existing: dict[str, Any] = {"metadata": {"name": "train"}, "spec": {"replicatedJobs": ({"name": "node"},)}}
    evaluation = policy.evaluate(runtime=RUNTIME, train_job=TRAIN_JOB, job_set=existing)
    existing["spec"]["replicatedJobs"][0]["name"] = "other"
    assert evaluation.base == {"metadata": {"name": "train"}, "spec": {"replicatedJobs": [{"name": "node"}]}}


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def circle() -> Any:
    value: dict[str, Any] = {}
    value["a"] = value
    return value


@pytest.mark.parametrize(
    ("job_set", "causes"),
    [
        pytest.param(3, ["the JobSet must be a map, not `3`"], id="a number"),
        pytest.param([], ["the JobSet must be a map, not a list"], id="a list"),
        pytest.param({3: 1}, ["the JobSet has the key `3`, which is no text"], id="a key that is a number"),
        pytest.param(
            {"spec": {"a": {1, 2}, "b": b"x", "c": float("nan"), "d": 2**64}},
            [
                "`spec.a` cannot be a set",
                "`spec.b` cannot be a bytes",
                "`spec.c` cannot be `nan`",
                "`spec.d` cannot be `18446744073709551616`",
            ],
            id="what JSON cannot say",
        ),
        pytest.param(
            {"spec": nested(100_000)}, [f"`spec{'[0]' * 63}` is nested deeper than 64 levels"], id="100,000 deep"
        ),
        pytest.param(circle(), [f"`a{'.a' * 63}` is nested deeper than 64 levels"], id="a circle"),
    ],
)
def test_an_existing_jobset_that_is_no_data_is_invalid(policy: Policy, job_set: Any, causes: list[str]) -> None:
    evaluation = policy.evaluate(runtime=RUNTIME, train_job=TRAIN_JOB, job_set=job_set)
    assert evaluation.outcome is Outcome.INVALID
    assert [problem.cause for problem in evaluation.problems] == causes
    assert {problem.document for problem in evaluation.problems} == {"jobSet"}
    assert evaluation.job_set is None


def test_64_levels_are_taken(policy: Policy) -> None:
    job_set = {"spec": nested(62)}
    assert policy.evaluate(runtime=RUNTIME, train_job=TRAIN_JOB, job_set=job_set).base == job_set
