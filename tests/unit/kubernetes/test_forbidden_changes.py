"""What JobSet refuses to change in a JobSet that exists (B-120, B-121)."""

import copy
from typing import Any

import pytest

from trainpolicy.engine.errors import ProblemKind
from trainpolicy.engine.kubernetes.forbidden_changes import forbidden_changes

OLD: dict[str, Any] = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "train"},
    "spec": {
        "suspend": False,
        "network": {"subdomain": "a"},
        "successPolicy": {"operator": "All"},
        "replicatedJobs": [
            {
                "name": "a",
                "template": {
                    "spec": {"parallelism": 1, "template": {"spec": {"containers": [{"name": "m", "image": "i"}]}}}
                },
            },
            {
                "name": "b",
                "dependsOn": [{"name": "a", "status": "Ready"}],
                "template": {
                    "metadata": {"labels": {"k": "v"}},
                    "spec": {
                        "template": {
                            "metadata": {"labels": {"x": "y"}},
                            "spec": {"containers": [{"name": "m"}], "nodeSelector": {"n": "1"}},
                        }
                    },
                },
            },
        ],
    },
}
JOBS = "spec.replicatedJobs"
POD = "template.spec.template"


def changed(*paths: str, to: Any = None) -> dict[str, Any]:
    """OLD with one change at each path, removal for None."""
    new = copy.deepcopy(OLD)
    for path in paths:
        here: Any = new
        *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in parents:
            here = here[step] if isinstance(step, int) else here.setdefault(step, {})
        if to is None:
            del here[last]
        else:
            here[last] = to
    return new


def refused(new: dict[str, Any], old: dict[str, Any] = OLD) -> list[str | None]:
    before = copy.deepcopy((old, new))
    problems = forbidden_changes(old, new)
    assert (old, new) == before
    assert {problem.kind for problem in problems} <= {ProblemKind.INADMISSIBLE}
    assert {problem.document for problem in problems} <= {"jobSet"}
    return [problem.field for problem in problems]


def test_nothing_changed_is_taken() -> None:
    assert refused(copy.deepcopy(OLD)) == []


def test_defaults_that_the_api_filled_in_are_no_change() -> None:
    stored = copy.deepcopy(OLD)
    stored["spec"] |= {
        "network": {"subdomain": "a", "enableDNSHostnames": True, "publishNotReadyAddresses": True},
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
    }
    stored["spec"]["replicatedJobs"][0] |= {"replicas": 1, "groupName": "default"}
    stored["spec"]["replicatedJobs"][0]["template"]["spec"]["completionMode"] = "Indexed"
    stored["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["restartPolicy"] = "OnFailure"
    stored["spec"]["replicatedJobs"][0]["template"]["metadata"] = {"creationTimestamp": None}
    stored["status"] = {"restarts": 1}
    assert refused(OLD, stored) == []
    assert refused(stored, OLD) == []


@pytest.mark.parametrize("path", ["spec.suspend", "spec.ttlSecondsAfterFinished", "metadata.labels"])
def test_these_may_change(path: str) -> None:
    assert refused(changed(path, to={"a": "b"} if "labels" in path else path == "spec.suspend" or 5)) == []


@pytest.mark.parametrize(
    ("new", "fields"),
    [
        pytest.param(changed("spec.network.subdomain", to="b"), ["spec.network.subdomain"], id="network"),
        pytest.param(
            changed("spec.successPolicy.operator", to="Any"), ["spec.successPolicy.operator"], id="successPolicy"
        ),
        pytest.param(
            changed("spec.startupPolicy.startupPolicyOrder", to="InOrder"),
            ["spec.startupPolicy.startupPolicyOrder"],
            id="startupPolicy",
        ),
        pytest.param(changed("spec.failurePolicy.maxRestarts", to=3), ["spec.failurePolicy"], id="failurePolicy"),
        pytest.param(changed("spec.managedBy", to="a.b/c"), ["spec.managedBy"], id="managedBy"),
        pytest.param(changed(f"{JOBS}.1"), [JOBS], id="a job goes"),
        pytest.param(changed(f"{JOBS}.0.name", to="c"), [JOBS], id="a job has another name"),
        pytest.param(changed(f"{JOBS}.0.replicas", to=2), [f"{JOBS}[0].replicas"], id="replicas"),
        pytest.param(
            changed(f"{JOBS}.0.template.spec.parallelism", to=0),
            [f"{JOBS}[0].template.spec.parallelism"],
            id="parallelism",
        ),
        pytest.param(changed(f"{JOBS}.1.dependsOn"), [f"{JOBS}[1].dependsOn"], id="dependsOn goes"),
        pytest.param(
            changed(f"{JOBS}.1.dependsOn.0.status", to="Complete"), [f"{JOBS}[1].dependsOn[0].status"], id="dependsOn"
        ),
        pytest.param(
            changed(f"{JOBS}.0.{POD}.spec.containers.0.image", to="j"),
            [f"{JOBS}[0].{POD}.spec.containers[0].image"],
            id="an image",
        ),
        pytest.param(
            changed(f"{JOBS}.1.template.metadata.labels.k", to="w"),
            [f"{JOBS}[1].template.metadata.labels.k"],
            id="a label of the Job",
        ),
        pytest.param(
            changed(f"{JOBS}.1.{POD}.metadata.labels.x", to="z"),
            [f"{JOBS}[1].{POD}.metadata.labels.x"],
            id="a label of the pods",
        ),
    ],
)
def test_these_may_not(new: dict[str, Any], fields: list[str]) -> None:
    if "startupPolicy" in new["spec"]:
        # InOrder and dependsOn exclude each other, which is not what is asked here.
        del new["spec"]["replicatedJobs"][1]["dependsOn"]
        fields = [*fields, f"{JOBS}[1].dependsOn"]
    assert refused(new) == fields


FREE = {
    "metadata.labels": {"x": "z"},
    "metadata.annotations": {"a": "b"},
    "spec.nodeSelector": {"n": "2"},
    "spec.tolerations": [{"key": "k"}],
    "spec.schedulingGates": [{"name": "g"}],
}


@pytest.mark.parametrize("member", FREE)
@pytest.mark.parametrize(("before", "after"), [(True, False), (False, True), (True, True)])
def test_while_one_of_both_is_suspended_pods_may_be_placed_anew(member: str, before: bool, after: bool) -> None:  # noqa: FBT001
    old, new = copy.deepcopy(OLD), changed(f"{JOBS}.1.{POD}.{member}", to=FREE[member])
    old["spec"]["suspend"], new["spec"]["suspend"] = before, after
    assert refused(new, old) == []


@pytest.mark.parametrize("member", FREE)
def test_while_none_is_suspended_they_may_not(member: str) -> None:
    fields = refused(changed(f"{JOBS}.1.{POD}.{member}", to=FREE[member]))
    assert len(fields) == 1
    assert str(fields[0]).startswith(f"{JOBS}[1].{POD}.{member}")


def test_suspension_frees_nothing_else() -> None:
    new = changed(f"{JOBS}.1.{POD}.spec.containers.0.image", to="j")
    new["spec"]["suspend"] = True
    assert refused(new) == [f"{JOBS}[1].{POD}.spec.containers[0].image"]


def test_what_the_schema_refuses_is_all_that_is_found() -> None:
    new = changed("spec.network.subdomain", to=1)
    assert refused(new) == ["spec.network.subdomain"]
    assert refused(changed("spec.network.subdomain", to="b"), new) == ["spec.network.subdomain"]
