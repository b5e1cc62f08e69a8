"""What admission refuses, with its words, and what it makes of the rest (B-1, B-80)."""

import copy
from types import MappingProxyType
from typing import Any

import pytest

from trainpolicy.engine.errors import ProblemKind
from trainpolicy.engine.kubernetes.admission import admit, unknown_fields

API = "trainer.kubeflow.org/v1alpha1"
POD = "spec.template.spec.replicatedJobs[0].template.spec.template.spec"


def train_job(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": API,
        "kind": "TrainJob",
        "metadata": {"name": "a"},
        "spec": {"runtimeRef": {"name": "r"}, **spec},
    }


def runtime(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": API, "kind": "ClusterTrainingRuntime", "metadata": {"name": "r"}, "spec": spec}


def with_jobs(*jobs: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return runtime(template={"spec": {"replicatedJobs": list(jobs), **spec}})


def job(name: str = "node", pod: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    inner: dict[str, Any] = {"spec": {"template": {"spec": {"containers": [], **(pod or {})}}}}
    return {"name": name, "template": inner, **more}


def with_container(**members: Any) -> dict[str, Any]:
    return with_jobs(job(pod={"containers": [{"name": "node", **members}]}))


def with_volume(**source: Any) -> dict[str, Any]:
    return with_jobs(job(pod={"volumes": [{"name": "data", **source}]}))


def said(document: Any, kind: str) -> list[tuple[str | None, str, str | None]]:
    problems = admit(document, kind).problems
    assert {problem.kind for problem in problems} <= {ProblemKind.INVALID}
    return [(problem.field, problem.cause.replace(f"`{problem.field}` ", "…", 1), problem.help) for problem in problems]


QUOTED = "write 3, without quotes"
ONE_OF_TWO = "keep one of the two"
MANAGERS = "`trainer.kubeflow.org/trainjob-controller` or `kueue.x-k8s.io/multikueue`"
DNS_LABEL = "a DNS label: a lower case letter, then lower case letters, digits and `-`, not ending in `-`"


@pytest.mark.parametrize(
    ("spec", "path", "cause", "help_text"),
    [
        # integers
        ({"trainer": {"numNodes": "3"}}, "trainer.numNodes", "must be an integer, not text `3`", QUOTED),
        ({"trainer": {"numNodes": 3.5}}, "trainer.numNodes", "must be an integer, not `3.5`", "write a whole number"),
        (
            {"trainer": {"numNodes": float("nan")}},
            "trainer.numNodes",
            "must be an integer, not `nan`",
            "write a whole number",
        ),
        ({"trainer": {"numNodes": True}}, "trainer.numNodes", "must be an integer, not `true`", "write a whole number"),
        (
            {"trainer": {"numNodes": -1}},
            "trainer.numNodes",
            "must be at least 0, not `-1`",
            "write a number from 0 to 2147483647",
        ),
        (
            {"trainer": {"numNodes": 2**31}},
            "trainer.numNodes",
            "must be at most 2147483647, not `2147483648`",
            "write a number from 0 to 2147483647",
        ),
        ({"trainer": {"numNodes": [3]}}, "trainer.numNodes", "must be an integer, not a list", "write a whole number"),
        (
            {"trainer": {"numProcPerNode": 0}},
            "trainer.numProcPerNode",
            "must be at least 1, not `0`",
            "write a number from 1 to 2147483647",
        ),
        (
            {"activeDeadlineSeconds": 0},
            "activeDeadlineSeconds",
            "must be at least 1, not `0`",
            "write a number from 1 to 9223372036854775807",
        ),
        (
            {"trainer": {"numNodes": 10**5000}},
            "trainer.numNodes",
            "must be at most 2147483647, not a very large number",
            "write a number from 0 to 2147483647",
        ),
        ({"trainer": {"numNodes": {}}}, "trainer.numNodes", "must be an integer, not a map", "write a whole number"),
        (
            {"trainer": {"numNodes": b"3"}},
            "trainer.numNodes",
            "must be an integer, not a bytes",
            "write a whole number",
        ),
        # text
        ({"trainer": {"image": 3}}, "trainer.image", "must be text, not `3`", "put it in quotes"),
        ({"trainer": {"image": False}}, "trainer.image", "must be text, not `false`", "put it in quotes"),
        ({"trainer": {"image": "x" * 501}}, "trainer.image", "has 501 characters, of at most 500", "take out 1"),
        ({"trainer": {"command": ["a", None]}}, "trainer.command[1]", "must be text, not null", "write one text there"),
        (
            {"trainer": {"args": "a b"}},
            "trainer.args",
            "must be a list, not text `a b`",
            "write its items below it, each after `- `",
        ),
        ({"runtimeRef": {"name": ""}}, "runtimeRef.name", "must not be empty", "write a value"),
        ({"runtimeRef": {"name": None}}, "runtimeRef.name", "is missing", "add `name`"),
        (
            {"managedBy": "kueue.x-k8s.io/multikue"},
            "managedBy",
            f"must be {MANAGERS}, not `kueue.x-k8s.io/multikue`",
            "did you mean `kueue.x-k8s.io/multikueue`?",
        ),
        (
            {"initializer": {"dataset": {"storageUri": "bucket/path"}}},
            "initializer.dataset.storageUri",
            "must be a location such as `s3://bucket/path`, not `bucket/path`",
            "write it in that form",
        ),
        (
            {"trainer": {"env": [{"name": "A", "value": "long " * 30, "valueFrom": "x" * 50}]}},
            "trainer.env[0].valueFrom",
            f"must be a map, not text `{'x' * 40}…`",
            "write its members below it, each as `name: value`",
        ),
        # other scalars
        ({"suspend": "true"}, "suspend", "must be true or false, not text `true`", "write it without quotes"),
        ({"suspend": 1}, "suspend", "must be true or false, not `1`", "write `true` or `false`"),
        (
            {"runtimePatches": [{"manager": "a/b", "time": "2026-02-30T00:00:00Z"}]},
            "runtimePatches[0].time",
            "must be a date and time, not text `2026-02-30T00:00:00Z`",
            "write it like `2026-01-31T12:00:00Z`, in quotes",
        ),
        (
            {"trainer": {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 0.5}}}},
            'trainer.resourcesPerNode.limits["nvidia.com/gpu"]',
            "must be a quantity, not `0.5`",
            'write a fraction in quotes, as in "0.5"',
        ),
        (
            {"trainer": {"resourcesPerNode": {"limits": {"cpu": "two"}}}},
            "trainer.resourcesPerNode.limits.cpu",
            "must be a quantity, not text `two`",
            "write it like `2` or `500m`",
        ),
        # objects and lists
        ({"trainer": []}, "trainer", "must be a map, not a list", "write its members below it, each as `name: value`"),
        (
            {"trainer": "big"},
            "trainer",
            "must be a map, not text `big`",
            "write its members below it, each as `name: value`",
        ),
        (
            {"trainer": {"env": [None]}},
            "trainer.env[0]",
            "must be a map, not null",
            "write its members below it, each as `name: value`",
        ),
        ({"trainer": {"env": [{"value": "b"}]}}, "trainer.env[0].name", "is missing", "add `name`"),
        (
            {"trainer": {"env": [{"name": "A"}, {"name": "B"}, {"name": "A"}]}},
            "trainer.env[2]",
            "has name `A`, as item 0 has",
            ONE_OF_TWO,
        ),
        ({"trainer": {"args": ["a"] * 129}}, "trainer.args", "has 129 items, of at most 128", "take out 1"),
        ({"runtimePatches": [{"manager": ""}]}, "runtimePatches[0].manager", "must not be empty", "write a value"),
    ],
)
def test_a_train_job_is_refused(spec: dict[str, Any], path: str, cause: str, help_text: str | None) -> None:
    assert said(train_job(**spec), "TrainJob") == [(f"spec.{path}", f"…{cause}", help_text)]


@pytest.mark.parametrize(
    ("document", "path", "cause", "help_text"),
    [
        (runtime(), "spec", "must not be empty", "add a member"),
        (runtime(unknown=1), "spec", "must not be empty", "add a member"),
        (runtime(template={}), "spec.template", "must not be empty", "add a member"),
        (
            runtime(mlPolicy={"mpi": {"numProcPerNode": 0}}),
            "spec.mlPolicy.mpi.numProcPerNode",
            "must be at least 1, not `0`",
            "write a number from 1 to 2147483647",
        ),
        (
            runtime(mlPolicy={"mpi": {"mpiImplementation": "MPICH"}}),
            "spec.mlPolicy.mpi.mpiImplementation",
            "must be `OpenMPI` or empty, not `MPICH`",
            "write one of these",
        ),
        (
            runtime(mlPolicy={"mpi": {"sshAuthMountPath": "/" * 4097}}),
            "spec.mlPolicy.mpi.sshAuthMountPath",
            "has 4097 characters, of at most 4096",
            "take out 1",
        ),
        (
            runtime(mlPolicy={"torch": {}, "mpi": {}}),
            "spec.mlPolicy",
            "may hold only one of `torch`, `mpi`",
            "keep the one policy that the runtime is for",
        ),
        (
            with_jobs(job(dependsOn=[]), startupPolicy={"startupPolicyOrder": "InOrder"}),
            "spec.template.spec",
            "has startupPolicyOrder `InOrder`, so no item of `replicatedJobs` may have `dependsOn`: `node`",
            "drop `dependsOn`, or use startupPolicyOrder `AnyOrder`",
        ),
        (
            runtime(template={"spec": {"startupPolicy": {"startupPolicyOrder": "InOrder"}}}),
            "spec.template.spec",
            "has startupPolicyOrder `InOrder` but no `replicatedJobs`",
            "add `replicatedJobs`",
        ),
        (with_jobs({"name": "node"}), "spec.template.spec.replicatedJobs[0].template", "is missing", "add `template`"),
        (
            with_jobs(job("a"), job("a")),
            "spec.template.spec.replicatedJobs[1]",
            "has name `a`, as item 0 has",
            ONE_OF_TWO,
        ),
        (
            with_jobs(job(dependsOn=[{"name": str(n), "status": "Ready"} for n in range(6)])),
            "spec.template.spec.replicatedJobs[0].dependsOn",
            "has 6 items, of at most 5",
            "take out 1",
        ),
        (
            with_jobs(job(dependsOn=[{"name": "a", "status": "ready"}])),
            "spec.template.spec.replicatedJobs[0].dependsOn[0].status",
            "must be `Ready` or `Complete`, not `ready`",
            "did you mean `Ready`?",
        ),
        (with_jobs(successPolicy={}), "spec.template.spec.successPolicy.operator", "is missing", "add `operator`"),
        (
            with_container(ports=[{"containerPort": 1}, {"containerPort": 1, "protocol": "TCP"}]),
            f"{POD}.containers[0].ports[1]",
            "has containerPort `1`, protocol `TCP`, as item 0 has",
            ONE_OF_TWO,
        ),
        (
            with_container(volumeMounts=[{"name": "a", "mountPath": "/a"}, {"name": "b", "mountPath": "/a"}]),
            f"{POD}.containers[0].volumeMounts[1]",
            "has mountPath `/a`, as item 0 has",
            ONE_OF_TWO,
        ),
        (
            with_container(readinessProbe={"tcpSocket": {"port": 2.5}}),
            f"{POD}.containers[0].readinessProbe.tcpSocket.port",
            "must be an integer or text, not `2.5`",
            "write a whole number, or a name",
        ),
        (
            with_jobs(job(pod={"imagePullSecrets": [{}, {"name": ""}]})),
            f"{POD}.imagePullSecrets[1]",
            "has an empty name, as item 0 has",
            ONE_OF_TWO,
        ),
        (
            with_container(readinessProbe={"tcpSocket": {"port": 2**31}}),
            f"{POD}.containers[0].readinessProbe.tcpSocket.port",
            "must be at most 2147483647, not `2147483648`",
            "write a number from -2147483648 to 2147483647",
        ),
        (
            with_jobs(job(pod={"nodeSelector": ["a"]})),
            f"{POD}.nodeSelector",
            "must be a map, not a list",
            "write its members below it, each as `name: value`",
        ),
        (
            with_jobs(job(pod={"nodeSelector": {"a": 1}})),
            f"{POD}.nodeSelector.a",
            "must be text, not `1`",
            "put it in quotes",
        ),
        (
            with_jobs(job(pod={"nodeSelector": {1: "a"}})),
            f"{POD}.nodeSelector.1",
            "must have a name that is text, not `1`",
            "put the name in quotes",
        ),
        (
            runtime(
                mlPolicy={"torch": {"envInjection": {"targets": [{"jobName": "a", "containerNames": ["b", "b"]}]}}}
            ),
            "spec.mlPolicy.torch.envInjection.targets[0].containerNames[1]",
            "repeats item 0",
            ONE_OF_TWO,
        ),
        (
            runtime(mlPolicy={"torch": {"envInjection": {"targets": [{"jobName": "a", "containerNames": []}]}}}),
            "spec.mlPolicy.torch.envInjection.targets[0].containerNames",
            "has 0 items, of at least 1",
            "add what is missing",
        ),
    ],
)
def test_a_runtime_is_refused(document: dict[str, Any], path: str, cause: str, help_text: str | None) -> None:
    assert said(document, "ClusterTrainingRuntime") == [(path, f"…{cause}", help_text)]


@pytest.mark.parametrize(
    ("name", "cause", "help_text"),
    [
        (None, "the TrainJob has no `metadata.name`", "give it a name"),
        ("x" * 64, "the TrainJob has a name of 64 characters, of at most 63", "shorten the name"),
        (
            "9a",
            "the TrainJob has the name `9a`",
            f"the name must be {DNS_LABEL}",
        ),
    ],
)
def test_a_bad_name_is_a_finding_about_the_train_job_as_a_whole(
    name: str | None, cause: str, help_text: str | None
) -> None:
    assert said({**train_job(), "metadata": {"name": name}}, "TrainJob") == [("", cause, help_text)]


def test_a_name_that_is_no_text_is_found_once() -> None:
    found = said({**train_job(), "metadata": {"name": 5}}, "TrainJob")
    assert found == [("metadata.name", "…must be text, not `5`", "put it in quotes")]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            {"apiVersion": "trainer.kubeflow.org/v1"},
            (
                "apiVersion",
                f"…must be `{API}`, not text `trainer.kubeflow.org/v1`",
                f"write `{API}`; no other is known here",
            ),
        ),
        ({"apiVersion": None}, ("apiVersion", "…is missing", f"write `{API}`; no other is known here")),
        (
            {"kind": "TrainingRuntime"},
            ("kind", "…must be `TrainJob`, not text `TrainingRuntime`", "write `TrainJob`; no other is known here"),
        ),
    ],
)
def test_version_and_kind_are_checked(header: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert said({**train_job(), **header}, "TrainJob") == [expected]


@pytest.mark.parametrize("document", [None, [], "text", 3, True])
@pytest.mark.parametrize("kind", ["TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "JobSet"])
def test_a_document_that_is_no_map_is_one_problem(document: Any, kind: str) -> None:
    admitted = admit(document, kind)
    assert admitted.document == {}
    assert [problem.path for problem in admitted.problems] == [()]


def test_all_faults_are_found_at_once() -> None:
    spec: dict[str, Any] = {"runtimeRef": [], "trainer": {"numNodes": "3", "env": [{"name": 1}]}, "suspend": 0}
    found = [field for field, _, _ in said({**train_job(), "apiVersion": "v1", "spec": spec}, "TrainJob")]
    assert found == [
        "spec.runtimeRef",
        "spec.trainer.numNodes",
        "spec.trainer.env[0].name",
        "spec.suspend",
        "apiVersion",
    ]


def test_two_items_without_their_key_are_doubles_too() -> None:
    containers = f"{POD}.initContainers"
    assert said(with_jobs(job(pod={"initContainers": [{}, {}]})), "ClusterTrainingRuntime") == [
        (f"{containers}[0].name", "…is missing", "add `name`"),
        (f"{containers}[1].name", "…is missing", "add `name`"),
        (f"{containers}[1]", "…has no name, as item 0 has", ONE_OF_TWO),
    ]


def test_other_maps_and_lists_than_those_of_json_are_taken() -> None:
    given = MappingProxyType(
        {**train_job(), "spec": MappingProxyType({"runtimeRef": {"name": "r"}, "trainer": {"args": ("a", "b")}})}
    )
    admitted = admit(given, "TrainJob")
    assert admitted.problems == ()
    assert admitted.document["spec"]["trainer"] == {"args": ["a", "b"]}


def test_another_kind_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        admit({}, "Deployment")


@pytest.mark.parametrize(
    ("given", "admitted"),
    [
        (
            {"mpi": {}},
            {
                "mpi": {
                    "mpiImplementation": "OpenMPI",
                    "numProcPerNode": 1,
                    "runLauncherAsNode": False,
                    "sshAuthMountPath": "/root/.ssh",
                }
            },
        ),
        ({"mpi": None}, {}),
        ({"mpi": None, "numNodes": None}, {}),
        ({"numNodes": -3}, {"numNodes": -3}),
        ({"numNodes": 3.0}, {"numNodes": 3}),
        ({"flux": {"unknown": 1}}, {"flux": {"numProcPerNode": 1}}),
    ],
)
def test_defaults_are_filled_where_the_parent_is_there(given: dict[str, Any], admitted: dict[str, Any]) -> None:
    result = admit(runtime(mlPolicy=given), "ClusterTrainingRuntime")
    assert result.problems == ()
    assert result.document["spec"]["mlPolicy"] == admitted


@pytest.mark.parametrize(
    ("source", "admitted"),
    [
        (
            {"azureDisk": {"diskName": "a", "diskURI": "b"}},
            {"diskName": "a", "diskURI": "b", "fsType": "ext4", "readOnly": False},
        ),
        ({"configMap": {}}, {"name": ""}),
        (
            {"rbd": {"image": "a", "monitors": []}},
            {"image": "a", "monitors": [], "keyring": "/etc/ceph/keyring", "pool": "rbd", "user": "admin"},
        ),
    ],
)
def test_volumes_have_their_defaults(source: dict[str, Any], admitted: dict[str, Any]) -> None:
    result = admit(with_volume(**source), "ClusterTrainingRuntime")
    assert result.problems == ()
    pod = result.document["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert pod["volumes"] == [{"name": "data", next(iter(source)): admitted}]


def test_a_train_job_has_its_defaults_and_keeps_nothing_unknown() -> None:
    spec = {"runtimeRef": {"name": "r", "more": 1}, "unknown": {"a": 1}, "trainer": {"image": "", "numNodes": None}}
    assert admit(train_job(**spec), "TrainJob").document["spec"] == {
        "runtimeRef": {"name": "r", "apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime"},
        "trainer": {"image": ""},
        "managedBy": "trainer.kubeflow.org/trainjob-controller",
        "suspend": False,
    }


def test_the_admitted_document_shares_nothing_with_what_was_given() -> None:
    given = with_container(env=[{"name": "A"}], args=["a"], resources={"limits": {"cpu": 1}})
    before = copy.deepcopy(given)
    pod = admit(given, "ClusterTrainingRuntime").document["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]
    container = pod["spec"]["template"]["spec"]["containers"][0]
    container["env"][0]["name"] = "B"
    container["args"].append("b")
    container["resources"]["limits"]["cpu"] = 2
    assert given == before


@pytest.mark.parametrize(
    ("document", "kind", "field", "help_text"),
    [
        (train_job(trainer={"numNode": 3}), "TrainJob", "spec.trainer.numNode", "did you mean `numNodes`?"),
        (train_job(zzz=3), "TrainJob", "spec.zzz", None),
        (with_container(imagee="a"), "ClusterTrainingRuntime", f"{POD}.containers[0].imagee", "did you mean `image`?"),
        (
            runtime(template={"metadata": {"uid": "a"}, "spec": {}}),
            "ClusterTrainingRuntime",
            "spec.template.metadata.uid",
            None,
        ),
        ({**train_job(), "sepc": {}}, "TrainJob", "sepc", "did you mean `spec`?"),
    ],
)
def test_unknown_fields_are_warned_of(document: dict[str, Any], kind: str, field: str, help_text: str | None) -> None:
    (problem,) = unknown_fields(document, kind)
    assert problem.kind is ProblemKind.WARNING
    assert (problem.field, problem.help) == (field, help_text)
    assert problem.cause == f"unknown field `{field}`; it is dropped"


def test_nothing_is_unknown_in_what_is_no_map() -> None:
    assert unknown_fields({**train_job(), "spec": [{"x": 1}]}, "TrainJob") == ()
    assert unknown_fields(train_job(runtimePatches={"x": 1}), "TrainJob") == ()


def test_unknown_fields_that_are_null_are_passed_over() -> None:
    document = runtime(template={"metadata": {"creationTimestamp": None}, "spec": {"x": None}})
    assert unknown_fields(document, "ClusterTrainingRuntime") == ()
