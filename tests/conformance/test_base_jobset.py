"""The base JobSet is what the controller recorded, but for the fields that policy writes.

Of both sides only those fields are left out that a rule could have written for that very case (B-50 to B-64, B-66);
all else, order included, must be equal in the normal form of B-5.
"""

import copy
import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine.kubernetes.admission import admit
from trainpolicy.engine.kubernetes.base_jobset import prepare
from trainpolicy.engine.kubernetes.content import is_list, is_map, items, part

ROLE = "trainer.kubeflow.org/trainjob-ancestor-step"
INITIALIZERS = {"dataset-initializer": "dataset", "model-initializer": "model"}
WHERE_KEYS_GO = ("launcher", "node")
FROM_RULES = ("OMPI_MCA_", "PRTE_MCA_")


def cases() -> Iterator[Any]:
    with gzip.open(Path(__file__).parent / "data" / "mpi.ndjson.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if "jobSet" in case["expect"]["with-4210"]:
                yield pytest.param(case, id=case["id"])


def normal(value: Any) -> Any:
    """B-5: no nulls, no empty maps, bottom up."""
    if is_map(value):
        inner = {name: normal(item) for name, item in value.items()}
        return {name: item for name, item in inner.items() if item is not None and item != {}}
    return [normal(item) for item in value] if is_list(value) else value


def without_policy(job_set: dict[str, Any], runtime: dict[str, Any], train_job: dict[str, Any]) -> Any:
    left = copy.deepcopy(job_set)
    policy = part(runtime, "spec", "mlPolicy", "mpi")
    trainer = part(train_job, "spec", "trainer")
    gang = part(runtime, "spec", "podGroupPolicy")
    for job in left["spec"].get("replicatedJobs", ()):
        name, role = job["name"], job["template"]["metadata"].get("labels", {}).get(ROLE)
        if role == "trainer" or role in INITIALIZERS:
            del job["replicas"]
        details = job["template"]["spec"]
        for member in ("parallelism", "completions"):
            details.pop(member, None)
        pod = details["template"]["spec"]
        if name in WHERE_KEYS_GO:
            drop(pod, "volumes", "name", {"mpi-ssh-auth", "mpi-hostfile"} if name == "launcher" else {"mpi-ssh-auth"})
        for container in pod.get("containers", ()):
            if container["name"] == "node":
                without_training(container, name, role, policy, trainer)
            if role in INITIALIZERS and container["name"] == role:
                wanted = part(train_job, "spec", "initializer", INITIALIZERS[role])
                added = {variable["name"] for variable in items(wanted, "env")}
                drop(container, "env", "name", added | ({"STORAGE_URI"} if "storageUri" in wanted else set()))
                if "secretRef" in wanted:
                    container.pop("envFrom", None)
        if gang:
            metadata = details["template"]["metadata"]
            metadata.get("labels", {}).pop("scheduling.x-k8s.io/pod-group", None)
            metadata.get("annotations", {}).pop("scheduling.k8s.io/group-name", None)
    return normal(left)


def without_training(
    container: dict[str, Any], job: str, role: str | None, policy: Mapping[str, Any], trainer: Mapping[str, Any]
) -> None:
    trains = role == "trainer"
    as_node = trains or (job == "node" and policy.get("runLauncherAsNode", False))
    if job in WHERE_KEYS_GO:
        places = {str(policy.get("sshAuthMountPath", "/root/.ssh")), *(("/etc/mpi",) if job == "launcher" else ())}
        drop(container, "volumeMounts", "mountPath", places)
    if job == "launcher":
        variables = container.get("env", ())
        drop(container, "env", "name", {each["name"] for each in variables if each["name"].startswith(FROM_RULES)})
    if as_node:
        drop(container, "env", "name", {variable["name"] for variable in trainer.get("env", ())})
        if "resourcesPerNode" in trainer:
            container.pop("resources", None)
    if trains:
        for member in ("image", "command", "args"):
            if member in trainer:
                container.pop(member, None)


def drop(content: dict[str, Any], member: str, key: str, gone: set[str]) -> None:
    kept = [item for item in content.get(member, ()) if item[key] not in gone]
    if kept:
        content[member] = kept
    else:
        content.pop(member, None)


@pytest.mark.parametrize("case", list(cases()))
def test_the_base_is_what_the_controller_made_before_policy(case: dict[str, Any]) -> None:
    runtime, train_job = admit(case["runtime"], case["runtime"]["kind"]), admit(case["trainJob"], "TrainJob")
    assert (runtime.problems, train_job.problems) == ((), ())
    prepared = prepare(runtime.document, blank_namespace=True)
    job_set, problems = prepared.base(train_job.document)
    assert problems == ()
    expected = without_policy(job_set, runtime.document, train_job.document)
    for result in case["expect"].values():
        if "jobSet" in result:
            assert without_policy(result["jobSet"], runtime.document, train_job.document) == expected
    assert prepared.base(train_job.document) == (job_set, ())
