"""What JobSet refuses to create (B-100 to B-112)."""

import copy
from typing import Any

import pytest

from trainpolicy.engine.errors import ProblemKind
from trainpolicy.engine.kubernetes.admissibility import admissibility


def job(name: str = "node", *, pod: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    details = members.pop("details", {})
    containers = [{"name": "main", "image": "i"}]
    return {
        "name": name,
        **members,
        "template": {"spec": {**details, "template": {"spec": {"containers": containers, **(pod or {})}}}},
    }


def job_set(*jobs: dict[str, Any], name: str = "train", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": name, "namespace": "team"},
        "spec": {**spec, "replicatedJobs": list(jobs)},
    }


def found(document: dict[str, Any]) -> list[str | None]:
    """The fields that are refused."""
    before = copy.deepcopy(document)
    problems = admissibility(document)
    assert document == before
    assert {problem.kind for problem in problems} <= {ProblemKind.INADMISSIBLE}
    assert all(problem.document == "jobSet" and problem.cause for problem in problems)
    return [problem.field for problem in problems]


def test_a_plain_job_set_is_taken() -> None:
    assert found(job_set(job())) == []


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(
            {"name": "node", "template": {"metadata": {}, "spec": {"template": {"metadata": {}, "spec": {}}}}},
            id="a job without containers",
        ),
        pytest.param(job(pod={"containers": [{"name": "a"}, {"name": "a"}]}), id="two containers of one name"),
        pytest.param(
            job(pod={"containers": [{"name": "a", "ports": [{"containerPort": 1}, {"containerPort": 1}]}]}),
            id="one port twice",
        ),
        pytest.param(
            job(
                pod={
                    "containers": [
                        {
                            "name": "a",
                            "volumeMounts": [{"name": "v", "mountPath": "/"}, {"name": "w", "mountPath": "/"}],
                        }
                    ]
                }
            ),
            id="two mounts in one place",
        ),
    ],
)
def test_what_the_schema_refuses_is_inadmissible(broken: dict[str, Any]) -> None:
    assert found(job_set(broken)) != []


WAIT = [{"name": "a", "status": "Ready"}]
LONG = "a" * 44


@pytest.mark.parametrize(
    ("document", "fields"),
    [
        pytest.param(
            job_set(job("a", dependsOn=WAIT)),
            ["spec.replicatedJobs[0].dependsOn"],
            id="the first job waits, for itself",
        ),
        pytest.param(
            job_set(job("b", dependsOn=WAIT), job("a")),
            ["spec.replicatedJobs[0].dependsOn", "spec.replicatedJobs[0].dependsOn[0].name"],
            id="the first job waits for a later one",
        ),
        pytest.param(
            job_set(job("b"), job("c", dependsOn=WAIT), job("a")),
            ["spec.replicatedJobs[1].dependsOn[0].name"],
            id="a job waits for a later one",
        ),
        pytest.param(job_set(job("b"), job("a", dependsOn=WAIT)), [], id="a job waits for itself"),
        pytest.param(job_set(job("a"), job("b", dependsOn=WAIT)), [], id="a job waits for an earlier one"),
        pytest.param(
            job_set(job(replicas=2, details={"parallelism": 2**30})),
            ["spec.replicatedJobs[0].replicas"],
            id="more pods than fit",
        ),
        pytest.param(job_set(job(replicas=1, details={"parallelism": 2**31 - 1})), [], id="as many pods as fit"),
        pytest.param(job_set(job(replicas=0, details={"parallelism": 0, "completions": 0})), [], id="no pods"),
        pytest.param(
            job_set(job(groupName="Group")), ["spec.replicatedJobs[0].groupName"], id="a group name that is no label"
        ),
        pytest.param(
            job_set(job(groupName="g" * 64)), ["spec.replicatedJobs[0].groupName"], id="a group name that is too long"
        ),
        pytest.param(job_set(job("Node")), ["spec.replicatedJobs[0].name"], id="a job name that is no label"),
        pytest.param(job_set(job("n\n")), ["spec.replicatedJobs[0].name"], id="a job name with a line break"),
        pytest.param(job_set(job("n" * 55)), [], id="a job name that just fits"),
        pytest.param(job_set(job("n" * 56)), ["spec.replicatedJobs[0].name"], id="a job name that is too long"),
        pytest.param(job_set(job("n" * 55, replicas=10)), [], id="a job name that fits with its index"),
        pytest.param(
            job_set(job("n" * 55, replicas=11)), ["spec.replicatedJobs[0].name"], id="a job name too long by its index"
        ),
        pytest.param(
            job_set(job("launcher", details={"completions": 10}), name=LONG), [], id="a pod name that just fits"
        ),
        pytest.param(
            job_set(job("launcher", details={"completions": 10}), name=LONG + "a"),
            ["spec.replicatedJobs[0].name"],
            id="a pod name that is too long",
        ),
        pytest.param(
            job_set(job("launcher", details={"completions": 11}), name=LONG),
            ["spec.replicatedJobs[0].name"],
            id="a pod name too long by its index",
        ),
        pytest.param(
            job_set(job("launcher", details={"completions": 0}), name=LONG),
            ["spec.replicatedJobs[0].name"],
            id="completions 0 count as index -1",
        ),
        pytest.param(
            job_set(job("launcher", details={"completions": 11, "completionMode": "NonIndexed"}), name=LONG),
            [],
            id="pods without index have no such name",
        ),
        pytest.param(
            job_set(job(), network={"subdomain": "a.b"}), ["spec.network.subdomain"], id="a subdomain of two labels"
        ),
        pytest.param(
            job_set(job(), network={"subdomain": "a" * 64}),
            ["spec.network.subdomain"],
            id="a subdomain that is too long",
        ),
        pytest.param(job_set(job(), network={"subdomain": "a-1"}), [], id="a subdomain"),
        pytest.param(job_set(job(), managedBy="example.com/x"), [], id="a manager"),
        pytest.param(job_set(job(), managedBy="example.com"), ["spec.managedBy"], id="a manager without a path"),
        pytest.param(job_set(job(), managedBy="e_x/y"), ["spec.managedBy"], id="a manager without a domain"),
        pytest.param(job_set(job(), managedBy=""), ["spec.managedBy"], id="an empty manager"),
        pytest.param(job_set(job(), managedBy="e/" + "x" * 62), ["spec.managedBy"], id="a manager that is too long"),
        pytest.param(
            job_set(job(), successPolicy={"operator": "All", "targetReplicatedJobs": ["node", "x"]}),
            ["spec.successPolicy.targetReplicatedJobs[1]"],
            id="success of a job that does not exist",
        ),
    ],
)
def test_the_field_that_is_refused_is_named(document: dict[str, Any], fields: list[str]) -> None:
    assert found(document) == fields


def test_all_reasons_are_given_at_once() -> None:
    document = job_set(job("A", dependsOn=WAIT), job("b", groupName="G"), network={"subdomain": "-"}, managedBy="x")
    assert found(document) == [
        "spec.replicatedJobs[0].dependsOn",
        "spec.replicatedJobs[0].dependsOn[0].name",
        "spec.replicatedJobs[0].name",
        "spec.replicatedJobs[1].groupName",
        "spec.network.subdomain",
        "spec.managedBy",
    ]


RULES = "spec.failurePolicy.rules"


@pytest.mark.parametrize(
    ("rules", "fields"),
    [
        pytest.param([{"name": "a", "action": "FailJobSet"}], [], id="a rule"),
        pytest.param(
            [{"name": "", "action": "FailJobSet"}, {"name": "", "action": "FailJobSet"}],
            [],
            id="empty names are numbered",
        ),
        pytest.param(
            [{"name": "failurePolicyRule1", "action": "FailJobSet"}, {"name": "", "action": "FailJobSet"}],
            [f"{RULES}[1].name"],
            id="a number that is taken",
        ),
        pytest.param([{"name": "a", "action": "FailJobSet"}] * 2, [f"{RULES}[1].name"], id="one name twice"),
        pytest.param([{"name": "1a", "action": "FailJobSet"}], [f"{RULES}[0].name"], id="a digit first"),
        pytest.param([{"name": "a:", "action": "FailJobSet"}], [f"{RULES}[0].name"], id="a colon last"),
        pytest.param([{"name": "a:b,c_", "action": "FailJobSet"}], [], id="all that a name may hold"),
        pytest.param([{"name": "a" * 129, "action": "FailJobSet"}], [f"{RULES}[0].name"], id="a name that is too long"),
        pytest.param([{"name": "a", "action": "RestartJob"}], [f"{RULES}[0].action"], id="an action behind a gate"),
        pytest.param(
            [{"name": "a", "action": "FailJobSet", "onJobFailureReasons": ["FailedIndexes", "No"]}],
            [f"{RULES}[0].onJobFailureReasons[1]"],
            id="an unknown reason",
        ),
        pytest.param(
            [{"name": "a", "action": "FailJobSet", "targetReplicatedJobs": ["x"]}],
            [f"{RULES}[0].targetReplicatedJobs[0]"],
            id="a job that does not exist",
        ),
    ],
)
def test_failure_rules(rules: list[dict[str, Any]], fields: list[str]) -> None:
    assert found(job_set(job(), failurePolicy={"rules": rules})) == fields


def test_a_restart_strategy_behind_a_gate() -> None:
    assert found(job_set(job(), failurePolicy={"restartStrategy": "InPlaceRestart"})) == [
        "spec.failurePolicy.restartStrategy"
    ]


@pytest.mark.parametrize(
    ("details", "coordinator", "subdomain", "fields"),
    [
        pytest.param({"completions": 2}, {"replicatedJob": "node", "podIndex": 1}, "", [], id="the last pod"),
        pytest.param({"completions": 2}, {"replicatedJob": "x"}, "", ["replicatedJob"], id="a job that does not exist"),
        pytest.param(
            {"completions": 2}, {"replicatedJob": "node", "jobIndex": 1}, "", ["jobIndex"], id="a copy too many"
        ),
        pytest.param(
            {"completions": 2}, {"replicatedJob": "node", "podIndex": 2}, "", ["podIndex"], id="a pod too many"
        ),
        pytest.param(
            {"completions": 2},
            {"replicatedJob": "node", "jobIndex": -1},
            "",
            ["jobIndex"],
            id="an index below zero",
        ),
        pytest.param({}, {"replicatedJob": "node"}, "", ["replicatedJob"], id="unknown completions"),
        pytest.param(
            {"completions": 2, "completionMode": "NonIndexed"},
            {"replicatedJob": "node"},
            "",
            ["replicatedJob"],
            id="pods without index",
        ),
        pytest.param({"completions": 2}, {"replicatedJob": "node"}, "s" * 48, [], id="an address that just fits"),
        pytest.param({"completions": 2}, {"replicatedJob": "node"}, "s" * 49, [""], id="an address that is too long"),
    ],
)
def test_coordinators(details: dict[str, Any], coordinator: dict[str, Any], subdomain: str, fields: list[str]) -> None:
    document = job_set(
        job(details=details), coordinator=coordinator, network={"subdomain": subdomain} if subdomain else {}
    )
    assert found(document) == [f"spec.coordinator.{field}".rstrip(".") for field in fields]


MOUNT = {"containers": [{"name": "main", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]}
NAME = "spec.volumeClaimPolicies[0].templates[{}].metadata.name"


@pytest.mark.parametrize(
    ("pod", "names", "fields"),
    [
        pytest.param(MOUNT, ["data"], [], id="a claim that is mounted"),
        pytest.param({"initContainers": MOUNT["containers"]}, ["data"], [], id="mounted by an init container"),
        pytest.param({}, ["data"], [NAME.format(0)], id="a claim that nothing mounts"),
        pytest.param(MOUNT, ["data", "data"], [NAME.format(1)], id="two claims of one name"),
        pytest.param(
            {**MOUNT, "volumes": [{"name": "other"}, {"name": "data"}]},
            ["data"],
            ["spec.replicatedJobs[0].template.spec.template.spec.volumes[1].name"],
            id="a volume of that name",
        ),
        pytest.param({}, ["D"], [NAME.format(0)] * 2, id="a name that is no subdomain"),
        pytest.param(
            {"containers": [{"name": "m", "volumeMounts": [{"name": "d" * 57, "mountPath": "/d"}]}]},
            ["d" * 57],
            [],
            id="a claim name that just fits",
        ),
        pytest.param(
            {"containers": [{"name": "m", "volumeMounts": [{"name": "d" * 58, "mountPath": "/d"}]}]},
            ["d" * 58],
            [NAME.format(0)],
            id="a claim name that is too long",
        ),
    ],
)
def test_volume_claims(pod: dict[str, Any], names: list[str], fields: list[str]) -> None:
    templates = [{"metadata": {"name": name}, "spec": {"accessModes": ["ReadWriteOnce"]}} for name in names]
    assert found(job_set(job(pod=pod), volumeClaimPolicies=[{"templates": templates}])) == fields
