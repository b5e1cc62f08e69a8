"""What is left of a template and of a patch once they went through typed fields (B-3)."""

from typing import Any

import pytest

from trainpolicy.engine.kubernetes.typed_form import typed


def pod(**members: Any) -> dict[str, Any]:
    return {"name": "a", "template": {"spec": {"template": {"spec": members}}}}


def of_pod(job: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = job["template"]["spec"]["template"]["spec"]
    return spec


@pytest.mark.parametrize(
    ("given", "written"),
    [
        # zeros vanish
        ({"network": {"subdomain": ""}}, {"network": {}}),
        ({"failurePolicy": {"maxRestarts": 0}}, {"failurePolicy": {}}),
        ({"coordinator": {"replicatedJob": "", "jobIndex": 0, "podIndex": 0}}, {"coordinator": {"replicatedJob": ""}}),
        ({"replicatedJobs": []}, {}),
        # pointers keep theirs
        ({"suspend": False, "managedBy": "", "ttlSecondsAfterFinished": 0},) * 2,
        ({"network": {"enableDNSHostnames": False, "publishNotReadyAddresses": False}},) * 2,
        # what is required is written as it is
        ({"startupPolicy": {"startupPolicyOrder": "AnyOrder"}},) * 2,
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
    ],
)
def test_the_spec_of_a_template_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert typed(given, "spec") == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"hostNetwork": False, "hostname": "", "tolerations": [], "nodeSelector": {}}, {}),
        ({"priority": 0, "enableServiceLinks": False, "runtimeClassName": "", "hostUsers": False},) * 2,
        ({"securityContext": {"runAsUser": 0, "supplementalGroups": []}}, {"securityContext": {"runAsUser": 0}}),
        ({"securityContext": {}},) * 2,
        ({"imagePullSecrets": [{"name": ""}]}, {"imagePullSecrets": [{}]}),
        ({"overhead": {"cpu": "1000m"}}, {"overhead": {"cpu": "1"}}),
        ({"tolerations": [{"key": "", "tolerationSeconds": 0}]}, {"tolerations": [{"tolerationSeconds": 0}]}),
        ({"dnsConfig": {"options": [{"name": "", "value": ""}]}}, {"dnsConfig": {"options": [{"value": ""}]}}),
        ({"volumes": [{"name": "a", "emptyDir": {}}]},) * 2,
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
            {
                "volumes": [
                    {"name": "a", "ephemeral": {"volumeClaimTemplate": {"metadata": {}, "spec": {"resources": {}}}}}
                ]
            },
        ),
    ],
)
def test_a_pod_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    assert of_pod(typed(pod(**given), "replicatedJobs")) == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
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
    ],
)
def test_a_container_is_typed(given: dict[str, Any], written: dict[str, Any]) -> None:
    job = typed(pod(containers=[{"name": "node", **given}]), "replicatedJobs")
    assert of_pod(job) == {"containers": [{"name": "node", **written}]}


def test_a_pod_condition_without_status_has_an_empty_one() -> None:
    rules = [{"action": "Ignore", "onPodConditions": [{"type": "Ready"}]}]
    job = typed({"name": "a", "template": {"spec": {"podFailurePolicy": {"rules": rules}}}}, "replicatedJobs")
    assert job["template"]["spec"]["podFailurePolicy"] == {
        "rules": [{"action": "Ignore", "onPodConditions": [{"type": "Ready", "status": ""}]}]
    }


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({}, {}),
        ({"serviceAccountName": ""},) * 2,
        ({"tolerations": [], "nodeSelector": {}}, {}),
        ({"containers": [{"name": "node", "env": []}]}, {"containers": [{"name": "node"}]}),
        ({"terminationGracePeriodSeconds": 0},) * 2,
        # None takes the sources of the base away, as an empty list does
        ({"volumes": [{"name": "a", "projected": {}}]}, {"volumes": [{"name": "a", "projected": {"sources": None}}]}),
        ({"volumes": [{"name": "a", "projected": {"sources": []}}]},) * 2,
        (
            {
                "containers": [
                    {"name": "a", "env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "b"}}}]}
                ]
            },
            {
                "containers": [
                    {
                        "name": "a",
                        "env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "b", "divisor": "0"}}}],
                    }
                ]
            },
        ),
        ({"volumes": [{"name": "a", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]},) * 2,
    ],
)
def test_a_patch_has_only_what_was_written(given: dict[str, Any], written: dict[str, Any]) -> None:
    patch = {
        "replicatedJobs": [
            {"name": "a", "template": {"metadata": {"labels": {}}, "spec": {"template": {"spec": given}}}}
        ]
    }
    (job,) = typed(patch, "patch")["replicatedJobs"]
    assert job == {"name": "a", "template": {"metadata": {}, "spec": {"template": {"spec": written}}}}


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
