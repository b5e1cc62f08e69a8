"""Whatever stands wherever in a manifest: admission gives problems and raises nothing."""

import copy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.kubernetes.admission import admit, unknown_fields
from trainpolicy.engine.kubernetes.typed_form import typed

RUNTIME: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "a", "labels": {"team": "vision"}},
    "spec": {
        "mlPolicy": {"numNodes": 2, "mpi": {}},
        "template": {
            "metadata": {"labels": {"a": "b"}},
            "spec": {
                "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
                "replicatedJobs": [
                    {
                        "name": "node",
                        "dependsOn": [{"name": "other", "status": "Ready"}],
                        "template": {
                            "spec": {
                                "podFailurePolicy": {
                                    "rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [1]}}]
                                },
                                "template": {
                                    "spec": {
                                        "containers": [
                                            {
                                                "name": "node",
                                                "env": [{"name": "A", "value": "b"}],
                                                "ports": [{"containerPort": 22}],
                                                "readinessProbe": {"tcpSocket": {"port": 22}},
                                                "resources": {"limits": {"cpu": "1500m"}},
                                            }
                                        ]
                                    }
                                },
                            }
                        },
                    }
                ],
            },
        },
    },
}
TRAIN_JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "a", "namespace": "default"},
    "spec": {
        "runtimeRef": {"name": "a"},
        "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "b"}], "resourcesPerNode": {"limits": {"cpu": 1}}},
        "runtimePatches": [{"manager": "a/b", "time": "2026-01-01T00:00:00Z"}],
    },
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(b"x"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "spec", "metadata", "value", ""]) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        inner = list(enumerate(cast("list[Any]", value)))
    return [path, *(place for step, item in inner for place in places(item, (*path, step)))]


def replaced(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    result = holder = copy.deepcopy(document)
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return result


@pytest.mark.parametrize("document", [RUNTIME, TRAIN_JOB], ids=["runtime", "train-job"])
@given(data=st.data())
def test_nothing_is_raised_and_nothing_is_changed(document: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(places(document)))
    given_document = replaced(document, path, data.draw(VALUES))
    before = repr(given_document)
    once = admit(given_document, document["kind"])
    assert repr(given_document) == before
    assert repr(admit(given_document, document["kind"])) == repr(once)
    for problem in (*once.problems, *unknown_fields(given_document, document["kind"])):
        assert problem.cause
        assert problem.document
    if not once.problems:
        template: dict[str, Any] = once.document.get("spec", {}).get("template", {}).get("spec", {})
        assert typed(typed(template, "spec"), "spec") == typed(template, "spec")


def test_the_examples_above_are_in_order() -> None:
    assert admit(RUNTIME, "ClusterTrainingRuntime").problems == ()
    assert admit(TRAIN_JOB, "TrainJob").problems == ()


@pytest.mark.parametrize("opening", ["[", "{"])
def test_depth_is_bounded_by_the_shapes_and_not_by_the_document(opening: str) -> None:
    deep: Any = None
    for _ in range(100_000):
        deep = [deep] if opening == "[" else {"template": deep}
    for path in (("spec", "template"), ("metadata",), ("status",)):
        document = replaced(RUNTIME, path, None)
        document[path[0]] = {path[1]: deep} if len(path) > 1 else deep
        admit(document, "ClusterTrainingRuntime")
        unknown_fields(document, "ClusterTrainingRuntime")
