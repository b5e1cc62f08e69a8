"""What is left of a template and of a patch once they went through typed fields (B-3)."""

from typing import Any

import pytest

from trainpolicy.engine.kubernetes.typed_form import typed


def pod(**members: Any) -> dict[str, Any]:
    return {"name": "a", "template": {"spec": {"template": {"spec": members}}}}


def of_pod(job: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = job["template"]["spec"]["template"]["spec"]
    return spec


def same(value: Any) -> tuple[Any, Any]:
    return value, value


SPECS: list[tuple[Any, Any]] = [
    # zeros vanish
    ({"network": {"subdomain": ""}}, {"network": {}}),
    ({"failurePolicy": {"maxRestarts": 0}}, {"failurePolicy": {}}),
    ({"coordinator": {"replicatedJob": "", "jobIndex": 0, "podIndex": 0}}, {"coordinator": {"replicatedJob": ""}}),
    ({"replicatedJobs": []}, {}),
    # pointers keep theirs
    same({"suspend": False, "managedBy": "", "ttlSecondsAfterFinished": 0}),
    same({"network": {"enableDNSHostnames": False, "publishNotReadyAddresses": False}}),
    # what is required is written as it is
    same({"startupPolicy": {"startupPolicyOrder": "AnyOrder"}}),
    ({"successPolicy": {"operator": "", "targetReplicatedJobs": []}}, {"successPolicy": {"operator": ""}}),
    # jobs
    (
        {"replicatedJobs": [{"name": "a", "replicas": 0, "groupName": "", "template": {}}]},
        {
            "replicatedJobs": [
                {
                    "name": "a",
                    "template": {
                        "metadata": {},
                        "spec": {"template": {"metadata": {}, "spec": {}}},
                    },
                }
            ]
        },
    ),
]


@pytest.mark.parametrize(("given", "written"), SPECS)
def test_the_spec_of_a_template_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert typed(given, "spec") == written


PODS: list[tuple[Any, Any]] = [
    ({"hostNetwork": False, "hostname": "", "tolerations": [], "nodeSelector": {}}, {}),
    same({"priority": 0, "enableServiceLinks": False, "runtimeClassName": "", "hostUsers": False}),
    ({"securityContext": {"runAsUser": 0, "supplementalGroups": []}}, {"securityContext": {"runAsUser": 0}}),
    same({"securityContext": {}}),
    ({"imagePullSecrets": [{"name": ""}]}, {"imagePullSecrets": [{}]}),
    ({"overhead": {"cpu": "1000m"}}, {"overhead": {"cpu": "1"}}),
    ({"tolerations": [{"key": "", "tolerationSeconds": 0}]}, {"tolerations": [{"tolerationSeconds": 0}]}),
    ({"dnsConfig": {"options": [{"name": "", "value": ""}]}}, {"dnsConfig": {"options": [{"value": ""}]}}),
    same({"volumes": [{"name": "a", "emptyDir": {}}]}),
    (
        {"volumes": [{"name": "a", "emptyDir": {"medium": "", "sizeLimit": "1024Mi"}}]},
        {"volumes": [{"name": "a", "emptyDir": {"sizeLimit": "1Gi"}}]},
    ),
    (
        {"volumes": [{"name": "a", "projected": {"sources": [], "defaultMode": 0}}]},
        {"volumes": [{"name": "a", "projected": {"defaultMode": 0}}]},
    ),
    (
        {"volumes": [{"name": "a", "secret": {"secretName": "", "optional": False, "items": []}}]},
        {"volumes": [{"name": "a", "secret": {"optional": False}}]},
    ),
    (
        {"volumes": [{"name": "a", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]},
        {"volumes": [{"name": "a", "ephemeral": {"volumeClaimTemplate": {"metadata": {}, "spec": {"resources": {}}}}}]},
    ),
]


@pytest.mark.parametrize(("given", "written"), PODS)
def test_a_pod_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert of_pod(typed(pod(**given), "replicatedJobs")) == written


CONTAINERS: list[tuple[Any, Any]] = [
    ({}, {"resources": {}}),
    ({"image": "", "args": [], "tty": False, "restartPolicy": ""}, {"restartPolicy": "", "resources": {}}),
    ({"env": [{"name": "", "value": ""}]}, {"env": [{"name": ""}], "resources": {}}),
    ({"args": ["", "a"]}, {"args": ["", "a"], "resources": {}}),
    (
        {"resources": {"limits": {"cpu": 1500, "memory": "0.5Gi"}, "requests": {}}},
        {"resources": {"limits": {"cpu": "1500", "memory": "512Mi"}}},
    ),
    (
        {"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]},
        {
            "env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}}],
            "resources": {},
        },
    ),
    (
        {"readinessProbe": {"grpc": {"port": 0, "service": ""}, "periodSeconds": 0}},
        {"readinessProbe": {"grpc": {"port": 0, "service": ""}}, "resources": {}},
    ),
    (
        {"livenessProbe": {"tcpSocket": {"port": 0, "host": ""}}},
        {"livenessProbe": {"tcpSocket": {"port": 0}}, "resources": {}},
    ),
    (
        {"restartPolicyRules": [{"action": "", "exitCodes": {"operator": "", "values": [0]}}]},
        {"restartPolicyRules": [{"exitCodes": {"values": [0]}}], "resources": {}},
    ),
    (
        {"volumeMounts": [{"name": "a", "mountPath": "", "readOnly": False, "mountPropagation": ""}]},
        {"volumeMounts": [{"name": "a", "mountPath": "", "mountPropagation": ""}], "resources": {}},
    ),
]


@pytest.mark.parametrize(("given", "written"), CONTAINERS)
def test_a_container_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    job = typed(pod(containers=[{"name": "node", **given}]), "replicatedJobs")
    assert of_pod(job) == {"containers": [{"name": "node", **written}]}


def test_a_pod_condition_without_status_has_an_empty_one() -> None:
    rules: list[Any] = [{"action": "Ignore", "onPodConditions": [{"type": "Ready"}]}]
    job = typed({"name": "a", "template": {"spec": {"podFailurePolicy": {"rules": rules}}}}, "replicatedJobs")
    assert job["template"]["spec"]["podFailurePolicy"] == {
        "rules": [{"action": "Ignore", "onPodConditions": [{"type": "Ready", "status": ""}]}]
    }


PATCHES: list[tuple[Any, Any]] = [
    ({}, {}),
    same({"serviceAccountName": ""}),
    ({"tolerations": [], "nodeSelector": {}}, {}),
    ({"containers": [{"name": "node", "env": []}]}, {"containers": [{"name": "node"}]}),
    same({"terminationGracePeriodSeconds": 0}),
    # None takes the sources of the base away, as an empty list does
    ({"volumes": [{"name": "a", "projected": {}}]}, {"volumes": [{"name": "a", "projected": {"sources": None}}]}),
    same({"volumes": [{"name": "a", "projected": {"sources": []}}]}),
    (
        {"containers": [{"name": "a", "env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "b"}}}]}]},
        {
            "containers": [
                {
                    "name": "a",
                    "env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "b", "divisor": "0"}}}],
                }
            ]
        },
    ),
    same({"volumes": [{"name": "a", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]}),
]


@pytest.mark.parametrize(("given", "written"), PATCHES)
def test_a_patch_has_only_what_was_written(given: dict[str, Any], written: dict[str, Any]) -> None:
    patch: dict[str, Any] = {
        "replicatedJobs": [
            {"name": "a", "template": {"metadata": {"labels": {}}, "spec": {"template": {"spec": given}}}}
        ]
    }
    (job,) = typed(patch, "patch")["replicatedJobs"]
    assert job == {"name": "a", "template": {"metadata": {}, "spec": {"template": {"spec": written}}}}


def test_what_no_field_holds_is_lost_and_null_is_nothing() -> None:
    assert typed({"unknown": 1, "suspend": None, "network": {"more": {}}}, "spec") == {"network": {}}


def test_nothing_is_shared_with_what_was_given() -> None:
    given = pod(
        nodeSelector={"a": "b"}, containers=[{"name": "c", "args": ["d"], "resources": {"limits": {"cpu": "1"}}}]
    )
    written = of_pod(typed(given, "replicatedJobs"))
    written["nodeSelector"]["a"] = "x"
    written["containers"][0]["args"].append("x")
    written["containers"][0]["resources"]["limits"]["cpu"] = "x"
    assert of_pod(given) == {
        "nodeSelector": {"a": "b"},
        "containers": [{"name": "c", "args": ["d"], "resources": {"limits": {"cpu": "1"}}}],
    }


def test_what_is_written_for_a_missing_object_is_not_shared() -> None:
    first, second = (typed({"name": name, "template": {}}, "replicatedJobs") for name in ("a", "b"))
    first["template"]["metadata"]["labels"] = {}
    assert second["template"]["metadata"] == {}
