"""Manifests with anything in the place of anything: an answer comes, with right patches and no input changed."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainpolicy.engine import Outcome, Policy

RUNTIME: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "ours", "labels": {"a": "b"}},
    "spec": {
        "mlPolicy": {"numNodes": 2, "mpi": {"mpiImplementation": "OpenMPI", "runLauncherAsNode": True}},
        "template": {
            "spec": {
                "replicatedJobs": [
                    {
                        "name": name,
                        "dependsOn": waits,
                        "template": {
                            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                            "spec": {"template": {"spec": {"containers": [{"name": "node", "image": "i", "env": []}]}}},
                        },
                    }
                    for name, waits in (("node", []), ("launcher", [{"name": "node", "status": "Ready"}]))
                ]
            }
        },
    },
}
TRAIN_JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "train", "uid": "u"},
    "spec": {
        "runtimeRef": {"name": "ours"},
        "trainer": {
            "numNodes": 3,
            "env": [{"name": "A", "value": "1"}],
            "resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}},
        },
        "runtimePatches": [
            {
                "manager": "a.example/b",
                "trainingRuntimeSpec": {
                    "template": {
                        "spec": {
                            "replicatedJobs": [
                                {"name": "node", "template": {"spec": {"template": {"spec": {"volumes": []}}}}}
                            ]
                        }
                    }
                },
            }
        ],
    },
}
GARBAGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 3, 3.5, 2**31 - 1, 2**31, 2**64, 10**100, float("nan"), float("inf")),
    *("", "a", "3", "node", "a" * 300, "\ud800", "\0", "${x}", "1Gi", "-", b"x", {1, 2}, (1, 2)),
    *([], {}, [None], [[]], [{}], ["a", "a"], {"a": None}, {1: 2}, {"": ""}, {"name": "node"}, {"$patch": "delete"}),
    *(
        [{"name": "node"}],
        [{"name": "node"}] * 2,
        {"$patch": 3},
        [{"name": "x", "$patch": "replace"}],
        {"$retainKeys": []},
    ),
)
POLICIES = {profile: Policy.load(profile=profile) for profile in ("default", "trainer-2.3")}


@pytest.fixture(autouse=True, scope="module")
def closed() -> Iterator[None]:
    yield
    for policy in POLICIES.values():
        policy.close()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each member and item, as the map or list that holds it and its name or index there."""
    parts: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        parts = list(cast("dict[object, object]", value).items())
    elif isinstance(value, list):
        parts = list(enumerate(cast("list[object]", value)))
    for name, part in parts:
        yield value, name
        yield from places(part)


def spoiled(document: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    document = deepcopy(document)
    for _ in range(data.draw(st.integers(0, 2))):
        found = list(places(document))
        if not found:
            break
        holder, name = found[data.draw(st.integers(0, len(found) - 1))]
        if data.draw(st.booleans()):
            holder[name] = deepcopy(data.draw(st.sampled_from(GARBAGE)))
        else:
            del holder[name]
    return document


@settings(max_examples=400)
@given(st.data(), st.sampled_from(sorted(POLICIES)))
def test_anything_in_the_place_of_anything_is_answered(data: st.DataObject, profile: str) -> None:
    runtime, train_job = spoiled(RUNTIME, data), spoiled(TRAIN_JOB, data)
    policy = POLICIES[profile]
    existing = policy.evaluate(runtime=RUNTIME, train_job=TRAIN_JOB).job_set
    job_set = spoiled(existing or {}, data) if data.draw(st.booleans()) else None
    given_texts = [repr(one) for one in (runtime, train_job, job_set)]
    evaluation = policy.evaluate(runtime=runtime, train_job=train_job, job_set=job_set)
    assert (evaluation.outcome is Outcome.INVALID) <= (evaluation.job_set is None)
    assert evaluation.outcome is Outcome.DECIDED or evaluation.problems
    assert all("\n" not in problem.cause for problem in evaluation.problems)
    said = (evaluation.job_set, evaluation.json_patch(), evaluation.merge_patch(), evaluation.apply_configuration())
    json.dumps((*said, evaluation.manifests(), [one.new for one in evaluation.decisions]), allow_nan=False)
    assert [repr(one) for one in (runtime, train_job, job_set)] == given_texts
