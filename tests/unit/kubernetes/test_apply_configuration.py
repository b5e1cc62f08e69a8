"""Server-side apply: only what was decided, items of lists by their key."""

import copy
from typing import Any

import pytest

from trainpolicy.engine.errors import ProblemKind
from trainpolicy.engine.kubernetes.apply_configuration import apply_configuration
from trainpolicy.engine.kubernetes.field_path import Pick, parse_path

POD = "spec.replicatedJobs[name=node].template.spec.template.spec"
JOB_SET: dict[str, Any] = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "train", "namespace": "team", "labels": {"a/b": "c", "d": "e"}},
    "spec": {
        "suspend": False,
        "replicatedJobs": [
            {"name": "first", "replicas": 2, "dependsOn": [{"name": "x", "status": "Ready"}], "template": {}},
            {
                "name": "node",
                "replicas": 1,
                "template": {
                    "spec": {
                        "parallelism": 3,
                        "template": {
                            "spec": {
                                "nodeSelector": {"x": "y", "z": "w"},
                                "volumes": [{"name": "v", "emptyDir": {}}],
                                "tolerations": [{"key": "k"}, {"key": "l"}],
                                "containers": [
                                    {
                                        "name": "main",
                                        "command": ["a", "b"],
                                        "env": [
                                            {"name": "A", "value": "1"},
                                            {"name": "B", "value": "2"},
                                            {"name": "C", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                                        ],
                                        "volumeMounts": [{"mountPath": "/a.b[0]", "name": "v", "readOnly": True}],
                                        "ports": [{"containerPort": 80, "name": "web"}],
                                        "resources": {"limits": {"x.y/gpu": "1", "cpu": "2"}},
                                    }
                                ],
                            }
                        },
                    }
                },
            },
        ],
    },
}


def spec(*paths: str) -> Any:
    before = copy.deepcopy(JOB_SET)
    document, problems = apply_configuration(JOB_SET, paths, base=JOB_SET)
    assert problems == []
    assert before == JOB_SET
    assert {name: document[name] for name in document if name != "spec"} == {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "namespace": "team"},
    }
    return document["spec"]


def pod(**members: Any) -> dict[str, Any]:
    return {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": members}}}}]}


def main(**members: Any) -> dict[str, Any]:
    return pod(containers=[{"name": "main", **members}])


def test_items_are_named_by_their_key_and_stand_in_the_order_of_the_document() -> None:
    assert spec(
        "spec.replicatedJobs[name=node].template.spec.parallelism", "spec.replicatedJobs[name=first].replicas"
    ) == {
        "replicatedJobs": [{"name": "first", "replicas": 2}, {"name": "node", "template": {"spec": {"parallelism": 3}}}]
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("spec.suspend", {"suspend": False}, id="a scalar, false too"),
        pytest.param(f"{POD}.volumes[name=v]", pod(volumes=[{"name": "v", "emptyDir": {}}]), id="a whole item"),
        pytest.param(f"{POD}.nodeSelector.x", pod(nodeSelector={"x": "y", "z": "w"}), id="a map that is one value"),
        pytest.param(
            f"{POD}.containers[name=main].env[name=C].valueFrom.secretKeyRef.key",
            main(env=[{"name": "C", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]),
            id="a reference, which is one value",
        ),
        pytest.param(
            f"{POD}.tolerations[key=k]", pod(tolerations=[{"key": "k"}, {"key": "l"}]), id="a list that is one value"
        ),
        pytest.param(f"{POD}.containers[name=main].command", main(command=["a", "b"]), id="a plain list"),
        pytest.param(
            f"{POD}.containers[name=main].env[name=B]", main(env=[{"name": "B", "value": "2"}]), id="a variable"
        ),
        pytest.param(
            f"{POD}.containers[name=main].volumeMounts[mountPath=/a.b[0]]",
            main(volumeMounts=[{"mountPath": "/a.b[0]", "name": "v", "readOnly": True}]),
            id="a mount, whatever its path",
        ),
        pytest.param(
            f"{POD}.containers[name=main].volumeMounts[mountPath=/a.b[0]].readOnly",
            main(volumeMounts=[{"mountPath": "/a.b[0]", "readOnly": True}]),
            id="a member of a mount",
        ),
        pytest.param(
            f"{POD}.containers[name=main].ports[containerPort=80].name",
            main(ports=[{"containerPort": 80, "protocol": "TCP", "name": "web"}]),
            id="a port needs its protocol",
        ),
        pytest.param(
            f'{POD}.containers[name=main].resources.limits["x.y/gpu"]',
            main(resources={"limits": {"x.y/gpu": "1"}}),
            id="one key of a map",
        ),
    ],
)
def test_only_the_decided_field_is_sent(path: str, expected: Any) -> None:
    assert spec(path) == expected


def test_a_part_of_something_that_is_sent_whole_adds_nothing() -> None:
    item = f"{POD}.containers[name=main].env[name=B]"
    assert spec(item, f"{item}.value") == spec(f"{item}.value", item) == spec(item)


def test_metadata_keeps_the_name_beside_a_decided_label() -> None:
    document, problems = apply_configuration(JOB_SET, ['metadata.labels["a/b"]'], base=JOB_SET)
    assert (document["metadata"], problems) == ({"name": "train", "namespace": "team", "labels": {"a/b": "c"}}, [])


def test_without_a_namespace_none_is_sent() -> None:
    document, _ = apply_configuration({**JOB_SET, "metadata": {"name": "train"}}, [], base=JOB_SET)
    assert document == {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "train"}}


@pytest.mark.parametrize(
    ("path", "field", "words"),
    [
        ("spec.replicatedJobs", "spec.replicatedJobs", "order of `replicatedJobs`"),
        ("spec.network.subdomain", "spec.network", "`network` is removed"),
        (f"{POD}.containers[name=main].args", None, "`args` is removed"),
        (
            "spec.replicatedJobs[name=first].dependsOn[name=y]",
            "spec.replicatedJobs[0].dependsOn",
            "`y` is removed from `dependsOn`",
        ),
    ],
)
def test_what_cannot_be_said_is_a_warning(path: str, field: str | None, words: str) -> None:
    base = copy.deepcopy(JOB_SET)
    first, node = base["spec"]["replicatedJobs"]
    base["spec"]["network"] = {"subdomain": "s"}
    base["spec"]["replicatedJobs"].reverse()
    first["dependsOn"].append({"name": "y"})
    node["template"]["spec"]["template"]["spec"]["containers"][0]["args"] = ["c"]
    document, problems = apply_configuration(JOB_SET, [path, path], base=base)
    assert "spec" not in document or document["spec"]
    assert [problem.kind for problem in problems] == [ProblemKind.WARNING]
    assert words in problems[0].cause
    assert field in (None, problems[0].field)


@pytest.mark.parametrize(
    "path",
    [
        "spec.replicatedJobs",
        "spec.network.subdomain",
        f"{POD}.containers[name=main].resources.claims",
        f"{POD}.containers[name=other].args",
        "spec.replicatedJobs[name=first].dependsOn[name=y]",
    ],
)
def test_what_was_so_before_need_not_be_said(path: str) -> None:
    _, problems = apply_configuration(JOB_SET, [path], base=JOB_SET)
    assert problems == []


@pytest.mark.parametrize("jobs", [None, 3, [], ["x"], [{"name": "node"}], {"name": "node"}])
def test_the_base_may_be_of_any_shape(jobs: object) -> None:
    base = {"spec": {"replicatedJobs": jobs}}
    paths = ["spec.replicatedJobs", f"{POD}.containers[name=main].args"]
    _, problems = apply_configuration(JOB_SET, paths, base=base)
    assert [problem.cause for problem in problems] == (
        [] if jobs is None else ["server-side apply cannot say the order of `replicatedJobs`"]
    )


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a.b", ("a", "b")),
        ('a["b.c/d"].e', ("a", "b.c/d", "e")),
        ("a[k=v].b", ("a", Pick(("k", "v")), "b")),
        ("a[mount-path=v].b", ("a", Pick(("mount-path", "v")), "b")),
        ("a[k=/x.y[0]][l=m]", ("a", Pick(("k", "/x.y[0]")), Pick(("l", "m")))),
    ],
)
def test_paths_are_read_as_the_vocabulary_spells_them(text: str, steps: tuple[str | Pick, ...]) -> None:
    assert parse_path(text) == steps


@pytest.mark.parametrize("text", ["a..b", "a[", "a[]", 'a["b', ".", "a.[k=v"])
def test_other_texts_are_no_paths(text: str) -> None:
    with pytest.raises(ValueError, match="is not a path"):
        parse_path(text)
