"""What the recordings do not show: denials one by one, initializers, plain runtimes, devices, rebuilt environment.

Each case is a whole TrainJob on a whole runtime, decided by the profile of the controller as it is.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from trainpolicy.engine import Evaluation, Outcome, Policy, ProblemKind

ROLE = "trainer.kubeflow.org/trainjob-ancestor-step"
API = "trainer.kubeflow.org/v1alpha1"
INITIALIZERS = ("dataset-initializer", "model-initializer")


def job(name: str, *, role: str | None = None, container: str = "node", **members: Any) -> dict[str, Any]:
    """A job with one container; ``members`` are the container's."""
    template: dict[str, Any] = {"spec": {"template": {"spec": {"containers": [{"name": container, **members}]}}}}
    if role is not None:
        template["metadata"] = {"labels": {ROLE: role}}
    return {"name": name, "template": template}


def fetching(name: str, **members: Any) -> dict[str, Any]:
    mounts = [{"name": "initializer", "mountPath": "/workspace"}]
    return job(name, role=name, container=name, **{"volumeMounts": mounts, **members})


WORKERS, LAUNCHER = job("node"), job("launcher", role="trainer")


def decide(
    policy: Policy,
    *jobs: dict[str, Any],
    policies: dict[str, Any] | None = None,
    groups: dict[str, Any] | None = None,
    kind: str = "ClusterTrainingRuntime",
    support: str | None = None,
    **spec: Any,
) -> Evaluation:
    """``jobs`` on a runtime with the ML policies; ``spec`` is added to that of the TrainJob."""
    labels = {} if support is None else {"trainer.kubeflow.org/support": support}
    runtime: dict[str, Any] = {
        "apiVersion": API,
        "kind": kind,
        "metadata": {"name": "here", "labels": labels},
        "spec": {"template": {"spec": {"replicatedJobs": list(jobs)}}},
    }
    if policies is not None:
        runtime["spec"]["mlPolicy"] = policies
    if groups is not None:
        runtime["spec"]["podGroupPolicy"] = groups
    train_job = {
        "apiVersion": API,
        "kind": "TrainJob",
        "metadata": {"name": "train"},
        "spec": {"runtimeRef": {"name": "here", "kind": kind}, **spec},
    }
    given = copy.deepcopy((runtime, train_job))
    evaluation = policy.evaluate(runtime=runtime, train_job=train_job)
    assert (runtime, train_job) == given
    return evaluation


@pytest.fixture(scope="module")
def policy() -> Iterator[Policy]:
    with Policy.load(profile="with-4210") as loaded:
        yield loaded


def said(evaluation: Evaluation, kind: ProblemKind) -> list[tuple[str | None, str, str | None]]:
    return [(one.rule, str(one.document), one.field) for one in evaluation.problems if one.kind is kind]


MPI: dict[str, Any] = {"mpi": {"runLauncherAsNode": True}}
ENV = [{"name": "A", "value": "b"}]


def patch(manager: str, *containers: dict[str, Any], job_name: str = "node") -> dict[str, Any]:
    pod = {"containers": list(containers)}
    jobs = [{"name": job_name, "template": {"spec": {"template": {"spec": pod}}}}]
    return {"manager": manager, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}


def twice(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "replicas": 2}


def with_init(name: str, **members: Any) -> dict[str, Any]:
    """A job of that name whose container has another, beside an init container with it."""
    made = job(name, container="main", **members)
    made["template"]["spec"]["template"]["spec"]["initContainers"] = [{"name": name}]
    return made


JOBS = "spec.template.spec.replicatedJobs"
CONTAINERS = "template.spec.template.spec.containers"

DENIED: dict[str, tuple[tuple[dict[str, Any], ...], dict[str, Any], list[tuple[str, str, str]]]] = {
    **{
        f"a {name} policy": (
            (LAUNCHER,),
            {"policies": {name: {}}},
            [(f"not-covered.{name}", "runtime", f"spec.mlPolicy.{name}")],
        )
        for name in ("torch", "jax", "xgboost", "flux")
    },
    **{
        f"a {name} group": (
            (WORKERS, LAUNCHER),
            {"policies": MPI, "groups": {name: {}}},
            [(f"not-covered.{name}", "runtime", f"spec.podGroupPolicy.{name}")],
        )
        for name in ("coscheduling", "volcano")
    },
    "several trainers": (
        (WORKERS, twice(LAUNCHER)),
        {"policies": MPI},
        [("runtime.one-copy", "runtime", f"{JOBS}[1].replicas")],
    ),
    **{
        f"several of {name}": (
            (twice(fetching(name)),),
            {},
            [("runtime.one-copy", "runtime", f"{JOBS}[0].replicas")],
        )
        for name in INITIALIZERS
    },
    "a trainer without its container": (
        (job("train", role="trainer", container="main"),),
        {},
        [("runtime.trainer-container", "runtime", f"{JOBS}[0].{CONTAINERS}")],
    ),
    **{
        f"{name} without its container": (
            (WORKERS, job("fetch", role=name, container="main")),
            {},
            [(f"runtime.{name.split('-')[0]}-container", "runtime", f"{JOBS}[1].{CONTAINERS}")],
        )
        for name in INITIALIZERS
    },
    **{
        f"{part} and no job": (
            (WORKERS,),
            {"initializer": {part: {}}},
            [(f"{part}.deny.no-job", "trainJob", "spec.runtimeRef")],
        )
        for part in ("dataset", "model")
    },
    **{
        f"{part} and no container": (
            (job(f"{part}-initializer", container="main"),),
            {"initializer": {part: {}}},
            [(f"{part}.deny.no-container", "trainJob", "spec.runtimeRef")],
        )
        for part in ("dataset", "model")
    },
    **{
        f"{part} and no volume": (
            (fetching(f"{part}-initializer", volumeMounts=[{"name": "other", "mountPath": "/a"}]),),
            {"initializer": {part: {}}},
            [(f"{part}.deny.no-volume", "trainJob", "spec.runtimeRef")],
        )
        for part in ("dataset", "model")
    },
    **{
        f"{part} in an init container": (
            (with_init(f"{part}-initializer", volumeMounts=[{"name": "initializer", "mountPath": "/a"}]),),
            {"initializer": {part: {}}},
            [(f"{part}.deny.no-volume", "trainJob", "spec.runtimeRef")],
        )
        for part in ("dataset", "model")
    },
    "a manager without domain, and another": (
        (WORKERS, LAUNCHER),
        {"policies": MPI, "runtimePatches": [patch("team"), patch("a.b/c"), patch("a/")]},
        [
            ("patches.deny.manager", "trainJob", "spec.runtimePatches.manager"),
            ("patches.deny.manager", "trainJob", "spec.runtimePatches.manager"),
        ],
    ),
    "environment in patches, once for each container": (
        (WORKERS, LAUNCHER),
        {
            "policies": MPI,
            "runtimePatches": [
                patch("a.b/c", {"name": "node", "env": ENV}, {"name": "proxy", "env": ENV}),
                patch("a.b/d", {"name": "dataset-initializer", "env": ENV}, {"name": "model-initializer", "env": ENV}),
                patch("a.b/e", {"name": "node", "env": []}),
            ],
        },
        [("patches.deny.env", "trainJob", "spec.runtimePatches")] * 3,
    ),
    "two nodes without workers": (
        (LAUNCHER,),
        {"policies": MPI, "trainer": {"numNodes": 2}},
        [("mpi.deny.several-nodes-need-both-jobs", "trainJob", "spec.trainer.numNodes")],
    ),
    "two nodes without launcher": (
        (WORKERS,),
        {"policies": MPI, "trainer": {"numNodes": 2}},
        [("mpi.deny.several-nodes-need-both-jobs", "trainJob", "spec.trainer.numNodes")],
    ),
    "no implementation": (
        (WORKERS, LAUNCHER),
        {"policies": {"mpi": {"mpiImplementation": ""}}},
        [("mpi.deny.unknown-implementation", "runtime", "spec.mlPolicy.mpi.mpiImplementation")],
    ),
    **{
        f"reserved {name}": (
            (WORKERS, LAUNCHER),
            {"policies": MPI, "trainer": {"env": [{"name": name, "value": "x"}]}},
            [("mpi.deny.reserved-env", "trainJob", "spec.trainer.env")],
        )
        for name in (
            "OMPI_MCA_orte_default_hostfile",
            "OMPI_MCA_orte_keep_fqdn_hostnames",
            "OMPI_MCA_orte_set_default_slots",
            "OMPI_MCA_plm_rsh_args",
            "PRTE_MCA_prte_default_hostfile",
            "PRTE_MCA_prte_keep_fqdn_hostnames",
            "PRTE_MCA_prte_set_default_slots",
            "PRTE_MCA_plm_ssh_args",
        )
    },
}


@pytest.mark.parametrize("name", DENIED)
def test_what_is_refused_names_its_rule_and_field(policy: Policy, name: str) -> None:
    jobs, more, wanted = DENIED[name]
    evaluation = decide(policy, *jobs, **more)
    assert evaluation.outcome is Outcome.DENIED
    assert said(evaluation, ProblemKind.DENIED) == wanted
    assert len(set(evaluation.problems)) == len(evaluation.problems)


ACCEPTED: dict[str, tuple[tuple[dict[str, Any], ...], dict[str, Any]]] = {
    "a plain runtime": ((LAUNCHER,), {}),
    "a policy without framework": ((LAUNCHER,), {"policies": {"numNodes": 2}}),
    "jobs without a part in several copies": ((twice(WORKERS), LAUNCHER), {"policies": MPI}),
    "one node without workers": ((LAUNCHER,), {"policies": MPI, "trainer": {"numNodes": 1}}),
    "two nodes of the runtime without workers": ((LAUNCHER,), {"policies": {"numNodes": 2, **MPI}}),
    "no launcher that needs an implementation": ((WORKERS,), {"policies": {"mpi": {"mpiImplementation": ""}}}),
    "dataset and model": (
        tuple(fetching(name) for name in INITIALIZERS),
        {"initializer": {"dataset": {}, "model": {}}},
    ),
    "patches with a domain": ((WORKERS,), {"runtimePatches": [patch("a.b/c", {"name": "proxy", "env": ENV})]}),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_not_refused_is_decided_without_a_word(policy: Policy, name: str) -> None:
    jobs, more = ACCEPTED[name]
    evaluation = decide(policy, *jobs, **more)
    assert (evaluation.outcome, evaluation.problems) == (Outcome.DECIDED, ())


@pytest.mark.parametrize(
    ("kind", "support", "warned"),
    [
        ("ClusterTrainingRuntime", "deprecated", True),
        ("ClusterTrainingRuntime", "stable", False),
        ("ClusterTrainingRuntime", None, False),
        ("TrainingRuntime", "deprecated", False),
    ],
)
def test_a_deprecated_runtime_of_the_cluster_is_warned_of(
    policy: Policy, kind: str, support: str | None, *, warned: bool
) -> None:
    evaluation = decide(policy, LAUNCHER, kind=kind, support=support)
    wanted = [("runtime.deprecated", "trainJob", "spec.runtimeRef")] if warned else []
    assert evaluation.outcome is Outcome.DECIDED
    assert said(evaluation, ProblemKind.WARNING) == wanted


@pytest.mark.parametrize("stuck", ["node", "helper"])
def test_a_job_that_waits_for_itself_is_not_moved_to_the_front(stuck: str) -> None:
    """The first job may wait for none, so that a JobSet which the API accepts would become one that it refuses."""
    itself = [{"name": stuck, "status": "Ready"}]
    helper = {**job("helper"), "dependsOn": itself} if stuck == "helper" else job("helper")
    workers = {**WORKERS, "dependsOn": itself}
    with Policy.load() as default:
        evaluation = decide(default, LAUNCHER, helper, workers, policies=MPI)
    assert evaluation.outcome is Outcome.DECIDED
    assert list(jobs_of(evaluation)) == ["launcher", "helper", "node"]
    assert "dependsOn" not in jobs_of(evaluation)["launcher"]
    assert [(one.kind, one.rule, one.cause.partition(": ")[2]) for one in evaluation.problems] == [
        (ProblemKind.WARNING, "mpi.order.workers-first", f"`{stuck}` waits for itself")
    ]


def test_a_job_that_waits_for_itself_and_stays_where_it_is_hinders_nothing() -> None:
    helper = {**job("helper"), "dependsOn": [{"name": "helper", "status": "Ready"}]}
    workers = {**WORKERS, "dependsOn": [{"name": "helper", "status": "Ready"}]}
    with Policy.load() as default:
        evaluation = decide(default, job("front"), helper, LAUNCHER, workers, policies=MPI)
    assert (evaluation.outcome, evaluation.problems) == (Outcome.DECIDED, ())
    assert list(jobs_of(evaluation)) == ["front", "helper", "node", "launcher"]


def jobs_of(evaluation: Evaluation) -> dict[str, dict[str, Any]]:
    assert evaluation.job_set is not None
    return {one["name"]: one for one in evaluation.job_set["spec"]["replicatedJobs"]}


def container_of(evaluation: Evaluation, name: str) -> dict[str, Any]:
    container: dict[str, Any] = jobs_of(evaluation)[name]["template"]["spec"]["template"]["spec"]["containers"][0]
    return container


def pods_of(evaluation: Evaluation) -> dict[str, tuple[int, int]]:
    specs = {name: one["template"]["spec"] for name, one in jobs_of(evaluation).items()}
    return {name: (spec["parallelism"], spec["completions"]) for name, spec in specs.items()}


@pytest.mark.parametrize(
    ("policies", "nodes", "pods"),
    [(None, None, 1), (None, 3, 3), ({"numNodes": 2}, None, 2), ({"numNodes": 2}, 3, 3), ({"numNodes": 2}, 0, 0)],
)
def test_without_a_framework_numbers_of_nodes_are_pods(
    policy: Policy, policies: dict[str, Any] | None, nodes: int | None, pods: int
) -> None:
    trainer: dict[str, Any] = {} if nodes is None else {"trainer": {"numNodes": nodes}}
    evaluation = decide(policy, LAUNCHER, WORKERS, policies=policies, **trainer)
    assert pods_of(evaluation) == {"launcher": (pods, pods), "node": (1, 1)}
    assert evaluation.objects == ()


def test_a_job_that_a_patch_makes_the_trainer_exists_once(policy: Policy) -> None:
    """B-60 after B-24: the lines of the hostfile are made before the copies are cut (S-14)."""
    label: dict[str, Any] = {"name": "node", "template": {"metadata": {"labels": {ROLE: "trainer"}}}}
    patches = [{"manager": "a.b/c", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [label]}}}}]
    evaluation = decide(policy, twice(WORKERS), policies={"mpi": {}}, runtimePatches=patches)
    assert jobs_of(evaluation)["node"]["replicas"] == 1
    [hosts] = [one["data"]["hostfile"] for one in evaluation.objects if one["kind"] == "ConfigMap"]
    assert hosts == "train-node-0-0.train slots=1\ntrain-node-1-0.train slots=1\n"


@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers_get_what_the_user_says(policy: Policy, name: str) -> None:
    part = name.split("-", maxsplit=1)[0]
    wanted = {"storageUri": "s3://a/b", "env": [*ENV, {"name": "Z"}], "secretRef": {"name": "token"}}
    fetch = fetching(
        name, env=[{"name": "A", "value": "old"}, {"name": "B"}], envFrom=[{"configMapRef": {"name": "c"}}]
    )
    evaluation = decide(policy, fetch, LAUNCHER, initializer={part: wanted})
    container = container_of(evaluation, name)
    assert container["env"] == [
        {"name": "A", "value": "b"},
        {"name": "B"},
        {"name": "STORAGE_URI", "value": "s3://a/b"},
        {"name": "Z", "value": ""},
    ]
    assert container["envFrom"] == [{"configMapRef": {"name": "c"}}, {"secretRef": {"name": "token"}}]
    assert jobs_of(evaluation)[name]["replicas"] == 1
    assert "env" not in container_of(evaluation, "launcher")


@pytest.mark.parametrize("name", INITIALIZERS)
def test_the_users_own_place_wins_over_the_field(policy: Policy, name: str) -> None:
    wanted = {"storageUri": "", "env": [{"name": "STORAGE_URI", "value": "mine"}]}
    part = name.split("-", maxsplit=1)[0]
    evaluation = decide(policy, fetching(name), initializer={part: wanted})
    assert container_of(evaluation, name)["env"] == [{"name": "STORAGE_URI", "value": "mine"}]
    evaluation = decide(policy, fetching(name), initializer={part: {"storageUri": ""}})
    assert container_of(evaluation, name)["env"] == [{"name": "STORAGE_URI", "value": ""}]


def test_variables_of_the_user_are_built_anew(policy: Policy) -> None:
    """B-62, and quantities in their normal form (B-4)."""
    sources: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "FIELD": ({"fieldRef": {"fieldPath": "a", "apiVersion": "v1"}}, {"fieldRef": {"fieldPath": "a"}}),
        "RESOURCE": (
            {"resourceFieldRef": {"resource": "limits.cpu"}},
            {"resourceFieldRef": {"containerName": "", "resource": "limits.cpu", "divisor": "0"}},
        ),
        "DIVIDED": (
            {"resourceFieldRef": {"resource": "r", "containerName": "c", "divisor": "1000m"}},
            {"resourceFieldRef": {"containerName": "c", "resource": "r", "divisor": "1"}},
        ),
        "NUMBER": (
            {"resourceFieldRef": {"resource": "r", "divisor": 2}},
            {"resourceFieldRef": {"containerName": "", "resource": "r", "divisor": "2"}},
        ),
        "MAP": ({"configMapKeyRef": {"key": "k"}}, {"configMapKeyRef": {"key": "k", "name": ""}}),
        "SECRET": (
            {"secretKeyRef": {"key": "k", "name": "n", "optional": False}},
            {"secretKeyRef": {"key": "k", "name": "n", "optional": False}},
        ),
        "FILE": ({"fileKeyRef": {"key": "k", "path": "p", "volumeName": "v"}}, {}),
    }
    env = [{"name": name, "valueFrom": given} for name, (given, _) in sources.items()]
    evaluation = decide(policy, LAUNCHER, trainer={"env": [*env, {"name": "NOTHING"}]})
    assert container_of(evaluation, "launcher")["env"] == [
        *({"name": name, "valueFrom": wanted} for name, (_, wanted) in sources.items()),
        {"name": "NOTHING", "value": ""},
    ]


def slots(evaluation: Evaluation) -> list[str]:
    [hosts] = [one["data"]["hostfile"] for one in evaluation.objects if one["kind"] == "ConfigMap"]
    return sorted({line.partition(" slots=")[2] for line in hosts.splitlines()})


def gpus(**amounts: dict[str, str]) -> dict[str, Any]:
    return {part: {f"nvidia.com/{name}": amount for name, amount in one.items()} for part, one in amounts.items()}


@pytest.mark.parametrize(
    ("own", "trainer", "processes", "wanted"),
    [
        (gpus(limits={"gpu": "4"}), {}, 1, "4"),
        (gpus(limits={"gpu": "4"}, requests={"gpu": "2"}), {}, 1, "2"),
        (gpus(limits={"gpu": "4"}, requests={"gpu": "0"}), {}, 1, "4"),
        (gpus(limits={"gpu": "4"}, requests={"gpu": "1"}), {}, 1, "1"),
        (gpus(limits={"gpu": "4"}), {}, 2, "2"),
        (gpus(limits={"gpu": "4"}), {"numProcPerNode": 1}, 1, "1"),
        (gpus(limits={"gpu": "4"}), {"resourcesPerNode": {}}, 1, "1"),
        (gpus(limits={"gpu": "4"}), {"resourcesPerNode": gpus(limits={"gpu": "8"})}, 1, "8"),
        (gpus(limits={"gpu": "4"}), {"resourcesPerNode": gpus(requests={"gpu": "2500m"})}, 1, "3"),
        (gpus(limits={"neuron": "4"}), {}, 1, "1"),
        # Several names are undefined in the controller (B-42), but only where it looks.
        (gpus(limits={"gpu": "4", "gpumem": "8"}), {}, 3, "3"),
        (gpus(limits={"gpu": "4", "gpumem": "8"}), {"numProcPerNode": 2}, 1, "2"),
        (gpus(limits={"gpu": "4", "gpumem": "8"}, requests={"gpu": "2"}), {}, 1, "2"),
    ],
)
def test_slots_are_processes_else_devices(
    policy: Policy, own: dict[str, Any], trainer: dict[str, Any], processes: int, wanted: str
) -> None:
    policies = {"mpi": {"numProcPerNode": processes}}
    evaluation = decide(policy, job("node", resources=own), LAUNCHER, policies=policies, trainer=trainer)
    assert slots(evaluation) == [wanted]
    env = {one["name"]: one["value"] for one in container_of(evaluation, "launcher")["env"]}
    assert env["OMPI_MCA_orte_set_default_slots"] == env["PRTE_MCA_prte_set_default_slots"] == wanted


def test_two_names_of_devices_are_a_problem_that_names_both(policy: Policy) -> None:
    evaluation = decide(policy, job("node", resources=gpus(limits={"gpu": "4", "gpumem": "8"})), LAUNCHER, policies=MPI)
    assert evaluation.outcome is Outcome.INVALID
    [problem] = [one for one in evaluation.problems if one.kind is ProblemKind.INVALID]
    assert (problem.rule, "`nvidia.com/gpu`, `nvidia.com/gpumem`" in problem.cause) == ("mpi.gpus.from-limits", True)


def test_more_devices_than_an_integer_holds_are_a_problem(policy: Policy) -> None:
    evaluation = decide(policy, job("node", resources=gpus(limits={"gpu": "3G"})), LAUNCHER, policies=MPI)
    assert evaluation.outcome is Outcome.INVALID
    assert [one.rule for one in evaluation.problems if one.kind is ProblemKind.INVALID] == ["mpi.slots.from-gpus"]


def test_keys_in_the_directory_of_the_hostfile_lose_their_place_in_the_launcher(policy: Policy) -> None:
    policies = {"mpi": {"sshAuthMountPath": "/etc/mpi"}}
    evaluation = decide(policy, WORKERS, LAUNCHER, policies=policies)
    assert container_of(evaluation, "launcher")["volumeMounts"] == [{"name": "mpi-hostfile", "mountPath": "/etc/mpi"}]
    assert container_of(evaluation, "node")["volumeMounts"] == [{"name": "mpi-ssh-auth", "mountPath": "/etc/mpi"}]


def test_workers_get_what_nodes_get_only_when_the_launcher_is_one(policy: Policy) -> None:
    trainer = {"env": ENV, "resourcesPerNode": {"limits": {"cpu": "2"}}, "image": "mine", "args": ["x"]}
    own = {"limits": {"memory": "1Gi"}, "claims": [{"name": "c"}]}
    for as_node in (True, False):
        policies = {"mpi": {"runLauncherAsNode": as_node}}
        evaluation = decide(policy, job("node", resources=own), LAUNCHER, policies=policies, trainer=trainer)
        worker = container_of(evaluation, "node")
        assert worker.get("env") == (ENV if as_node else None)
        assert worker["resources"] == ({"limits": {"memory": "1Gi", "cpu": "2"}} if as_node else own)
        assert (worker.get("image"), worker.get("args")) == (None, None)
        assert container_of(evaluation, "launcher")["image"] == "mine"
