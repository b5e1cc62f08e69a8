"""What JobSet's own webhook fills in before it checks a JobSet (B-100 ff.)."""

from collections.abc import Mapping
from typing import Any

from .content import items, part

__all__ = ["with_defaults"]


def with_defaults(job_set: Mapping[str, Any]) -> dict[str, Any]:
    """Return the admitted JobSet with the webhook's defaults: what is not changed is shared with the input."""
    spec: dict[str, Any] = {
        "successPolicy": {"operator": "All"},
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        **part(job_set, "spec"),
    }
    network = {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    spec["network"] = {**network, **part(spec, "network")}
    if spec.get("replicatedJobs"):
        spec["replicatedJobs"] = [_job(job) for job in items(spec, "replicatedJobs")]
    policy = part(spec, "failurePolicy")
    if policy.get("rules"):
        rules = [
            {**rule, "name": rule.get("name") or f"failurePolicyRule{at}"}
            for at, rule in enumerate(items(policy, "rules"))
        ]
        spec["failurePolicy"] = {**policy, "rules": rules}
    return {**job_set, "spec": spec}


def _job(job: Mapping[str, Any]) -> dict[str, Any]:
    template = part(job, "template")
    details = part(template, "spec")
    pods = part(details, "template")
    pod = part(pods, "spec")
    return {
        **job,
        "template": {
            **template,
            "spec": {
                "completionMode": "Indexed",
                **details,
                "template": {**pods, "spec": {**pod, "restartPolicy": pod.get("restartPolicy") or "OnFailure"}},
            },
        },
    }
