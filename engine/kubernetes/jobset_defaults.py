"""What JobSet's own webhook fills in before it checks a JobSet (B-100 ff.)."""

from collections.abc import Mapping
from typing import Any

__all__ = ["with_defaults"]


def with_defaults(job_set: Mapping[str, Any]) -> dict[str, Any]:
    """Return the admitted JobSet with the webhook's defaults: what is not changed is shared with the input."""
    spec: dict[str, Any] = {
        "successPolicy": {"operator": "All"},
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        **(job_set.get("spec") or {}),
    }
    network = {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    spec["network"] = network | (spec.get("network") or {})
    if spec.get("replicatedJobs"):
        spec["replicatedJobs"] = [_job(job) for job in spec["replicatedJobs"]]
    policy = spec.get("failurePolicy")
    if policy and policy.get("rules"):
        rules = [{**rule, "name": rule.get("name") or f"failurePolicyRule{at}"} for at, rule in enumerate(policy["rules"])]
        spec["failurePolicy"] = {**policy, "rules": rules}
    return {**job_set, "spec": spec}


def _job(job: Mapping[str, Any]) -> dict[str, Any]:
    template = job.get("template") or {}
    details = template.get("spec") or {}
    pods = details.get("template") or {}
    pod = pods.get("spec") or {}
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
