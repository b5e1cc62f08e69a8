"""From a runtime and a TrainJob to the JobSet before policy (B-10 to B-12, B-16 to B-21, B-51)."""

import copy
from typing import Any

import pytest

from trainpolicy.engine.errors import ProblemKind
from trainpolicy.engine.kubernetes.base_jobset import owner_reference, prepare

JOB = "spec.replicatedJobs[0]"


def job(name: str, *containers: dict[str, Any], **pod: Any) -> dict[str, Any]:
    spec = {"containers": list(containers or ({"name": "main"},)), **pod}
    return {"name": name, "replicas": 1, "groupName": "default", "template": {"spec": {"template": {"spec": spec}}}}


def runtime(*jobs: dict[str, Any], metadata: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    template: dict[str, Any] = {"spec": {**spec, "replicatedJobs": list(jobs)}}
    if metadata is not None:
        template["metadata"] = metadata
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r", "labels": {"of": "the runtime"}},
        "spec": {"template": template},
    }


def train_job(*templates: dict[str, Any] | None, suspend: bool = False, **metadata: Any) -> dict[str, Any]:
    spec: dict[str, Any] = {"suspend": suspend, "runtimeRef": {"name": "r"}}
    if templates:
        spec["runtimePatches"] = [
            {"manager": f"a.b/{index}", **({} if template is None else {"trainingRuntimeSpec": {"template": template}})}
            for index, template in enumerate(templates)
        ]
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "train", "labels": {"of": "the TrainJob"}, **metadata},
        "spec": spec,
    }


def patch(*jobs: dict[str, Any]) -> dict[str, Any]:
    return {"spec": {"replicatedJobs": list(jobs)}}


def pod_patch(name: str, **pod: Any) -> dict[str, Any]:
    return patch({"name": name, "template": {"spec": {"template": {"spec": pod}}}})


def base(given: dict[str, Any], wanted: dict[str, Any], **options: Any) -> dict[str, Any]:
    before = copy.deepcopy((given, wanted))
    job_set, problems = prepare(given, **options).base(wanted)
    assert problems == ()
    assert (given, wanted) == before
    return job_set


def pod(job_set: dict[str, Any], index: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = job_set["spec"]["replicatedJobs"][index]["template"]["spec"]["template"]["spec"]
    return found


def names(job_set: dict[str, Any]) -> list[str]:
    return [each["name"] for each in job_set["spec"]["replicatedJobs"]]


def test_the_whole_of_a_small_job_set() -> None:
    assert base(runtime(job("a"), suspend=True), train_job(namespace="team", uid="u-1")) == {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {
            "name": "train",
            "namespace": "team",
            "ownerReferences": [
                {
                    "apiVersion": "trainer.kubeflow.org/v1alpha1",
                    "kind": "TrainJob",
                    "name": "train",
                    "uid": "u-1",
                    "controller": True,
                    "blockOwnerDeletion": True,
                }
            ],
        },
        "spec": {
            "suspend": False,
            "replicatedJobs": [
                {
                    "name": "a",
                    "replicas": 1,
                    "groupName": "default",
                    "template": {
                        "metadata": {},
                        "spec": {
                            "template": {"metadata": {}, "spec": {"containers": [{"name": "main", "resources": {}}]}}
                        },
                    },
                }
            ],
        },
    }


@pytest.mark.parametrize("suspend", [True, False])
def test_suspend_is_always_the_train_jobs(suspend: bool) -> None:  # noqa: FBT001
    assert base(runtime(job("a"), suspend=not suspend), train_job(suspend=suspend))["spec"]["suspend"] is suspend


@pytest.mark.parametrize(("options", "expected"), [({}, None), ({"blank_namespace": True}, "")])
def test_without_a_namespace_the_member_is_left_out_or_empty(options: dict[str, bool], expected: str | None) -> None:
    metadata = base(runtime(job("a")), train_job(), **options)["metadata"]
    assert metadata.get("namespace") == expected
    assert ("namespace" in metadata) is (expected is not None)


def test_an_owner_without_a_uid_has_an_empty_one() -> None:
    assert owner_reference(train_job())["uid"] == ""


def test_labels_and_annotations_are_the_templates_then_each_patchs() -> None:
    given = runtime(job("a"), metadata={"name": "x", "labels": {"a": "1", "b": "1"}, "annotations": {"n": "1"}})
    wanted = train_job(
        {"metadata": {"labels": {"b": "2", "c": "2"}}},
        None,
        {"metadata": {"labels": {"$patch": "replace", "c": "3"}, "annotations": {"m": "3"}}},
    )
    metadata = base(given, wanted)["metadata"]
    assert metadata["labels"] == {"a": "1", "b": "2", "c": "3", "$patch": "replace"}
    assert metadata["annotations"] == {"n": "1", "m": "3"}
    assert metadata["name"] == "train"


def test_patches_are_laid_over_in_their_order() -> None:
    given = runtime(job("a", {"name": "main", "env": [{"name": "A", "value": "1"}]}))
    wanted = train_job(
        pod_patch(
            "a", containers=[{"name": "main", "env": [{"name": "A", "value": "2"}, {"name": "B", "value": "2"}]}]
        ),
        pod_patch("a", containers=[{"name": "main", "env": [{"name": "B", "value": "3"}]}]),
    )
    assert pod(base(given, wanted))["containers"] == [
        {"name": "main", "resources": {}, "env": [{"name": "A", "value": "2"}, {"name": "B", "value": "3"}]}
    ]


def test_jobs_keep_the_order_of_the_runtime_and_new_ones_count_as_the_first() -> None:
    given = runtime(job("a"), job("b"), job("c"))
    assert names(base(given, train_job(patch({"name": "c"}, {"name": "a"})))) == ["a", "b", "c"]
    assert names(base(given, train_job(patch({"name": "x"}, {"name": "b"})))) == ["x", "a", "b", "c"]
    assert names(base(given, train_job(patch({"name": "c"}, {"name": "x"})))) == ["a", "x", "b", "c"]


def test_a_job_that_only_a_patch_brings_gets_its_typed_form() -> None:
    assert (
        base(runtime(job("a")), train_job(patch({"name": "x"})))["spec"]["replicatedJobs"][0]["template"]["metadata"]
        == {}
    )


def test_zeros_of_a_patch_vanish_but_pointers_stay() -> None:
    given = runtime(job("a", {"name": "main", "volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": True}]}))
    mount = {"name": "v", "mountPath": "/v", "readOnly": False}
    wanted = train_job(
        pod_patch("a", containers=[{"name": "main", "volumeMounts": [mount]}], terminationGracePeriodSeconds=0)
    )
    found = pod(base(given, wanted))
    assert found["containers"][0]["volumeMounts"] == [{"name": "v", "mountPath": "/v", "readOnly": True}]
    assert found["terminationGracePeriodSeconds"] == 0


def test_an_empty_service_account_name_clears_the_runtimes() -> None:
    assert "serviceAccountName" not in pod(
        base(runtime(job("a", serviceAccountName="s")), train_job(pod_patch("a", serviceAccountName="")))
    )


@pytest.mark.parametrize("projected", [{"defaultMode": 256}, {"sources": []}])
def test_a_projected_volume_without_sources_removes_the_runtimes(projected: dict[str, Any]) -> None:
    source = {"secret": {"name": "s"}}
    given = runtime(job("a", volumes=[{"name": "v", "projected": {"sources": [source]}}]))
    found = pod(base(given, train_job(pod_patch("a", volumes=[{"name": "v", "projected": projected}]))))
    assert not found["volumes"][0]["projected"].get("sources")


def test_a_patch_that_cannot_be_merged_is_a_problem_at_its_field_and_changes_nothing() -> None:
    given = runtime(job("a", nodeSelector={"x": "y"}))
    wanted = train_job(
        None, pod_patch("a", nodeSelector={"$patch": "merge", "x": "z"}), pod_patch("a", nodeSelector={"v": "w"})
    )
    job_set, problems = prepare(given).base(wanted)
    assert [(problem.kind, problem.document, problem.field) for problem in problems] == [
        (
            ProblemKind.INVALID,
            "trainJob",
            f"spec.runtimePatches[1].trainingRuntimeSpec.template.{JOB}.template.spec.template.spec.nodeSelector.$patch",
        )
    ]
    assert pod(job_set)["nodeSelector"] == {"x": "y", "v": "w"}


def test_ports_without_names_overwrite_each_other_after_patches_too() -> None:
    given = runtime(
        job(
            "a",
            {
                "name": "main",
                "ports": [{"containerPort": 1, "protocol": "TCP"}, {"containerPort": 2, "protocol": "TCP"}],
            },
        )
    )
    second = {"containerPort": 2, "protocol": "TCP"}
    for wanted in (train_job(), train_job(pod_patch("a", nodeSelector={"x": "y"}))):
        assert pod(base(given, wanted))["containers"][0]["ports"] == [second, second]


def test_every_base_is_fresh() -> None:
    shared = {"name": "main", "env": [{"name": "A", "value": "1"}]}
    prepared = prepare(runtime(job("a", shared), job("b", shared), metadata={"labels": {"l": "m"}}))
    wanted = train_job(pod_patch("a", nodeSelector={"x": "y"}))
    expected = {False: copy.deepcopy(prepared.base(train_job())[0]), True: copy.deepcopy(prepared.base(wanted)[0])}
    for patched in (False, True, False, True):
        job_set, _ = prepared.base(wanted if patched else train_job())
        assert job_set == expected[patched]
        pod(job_set)["containers"][0]["env"][0]["value"] = "changed"
        assert pod(job_set, 1)["containers"][0]["env"][0]["value"] == "1"
        pod(job_set).setdefault("nodeSelector", {})["x"] = "changed"
        job_set["metadata"]["labels"].clear()
        job_set["metadata"]["ownerReferences"].clear()


def test_a_runtime_without_a_template_gives_an_empty_job_set() -> None:
    given = runtime()
    del given["spec"]["template"]
    assert base(given, train_job())["spec"] == {"suspend": False}


def test_a_patch_without_jobs_adds_no_list_of_jobs() -> None:
    given = runtime()
    del given["spec"]["template"]
    assert base(given, train_job({"spec": {"replicatedJobs": []}}, {"metadata": {"name": "x"}}))["spec"] == {
        "suspend": False
    }
