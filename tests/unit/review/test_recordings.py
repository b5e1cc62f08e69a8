"""Recorded results against evaluations: what agrees, what does not, and which rule is named."""

import gzip
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from trainpolicy.engine import Place, Policy, Problem, shipped_runtime
from trainpolicy.engine.review.recording_file import LONGEST_LINE, read_recording
from trainpolicy.engine.review.recordings import Recorded, compare, read_recorded

JOB: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "train"},
    "spec": {"runtimeRef": {"name": "deepspeed-distributed"}, "trainer": {"numNodes": 3}},
}
PLACE = Place(file="r.ndjson", line=1)


@pytest.fixture(scope="module")
def policy() -> Iterator[Policy]:
    with Policy.load() as loaded:
        yield loaded


def runtime() -> Any:
    found = shipped_runtime("deepspeed-distributed")
    assert found is not None
    return found.data


def recorded(policy: Policy) -> dict[str, Any]:
    """A result as a controller would have recorded it, made of what the rules decide."""
    evaluation = policy.evaluate(runtime=runtime(), train_job=JOB)
    names = {"ConfigMap": "configMap", "Secret": "secret"}
    result: dict[str, Any] = {"jobSet": evaluation.job_set}
    result |= {names[one["kind"]]: one for one in evaluation.objects}
    result["secret"]["dataKeys"] = ["ssh-privatekey", "ssh-publickey"]
    return json.loads(json.dumps(result))  # type: ignore[no-any-return]


def told(policy: Policy, result: dict[str, Any], job: dict[str, Any] = JOB) -> list[tuple[Any, ...]]:
    evaluation = policy.evaluate(runtime=runtime(), train_job=job)
    return [
        (one.part, one.difference.path, one.difference.wanted, one.difference.found, one.difference.rules)
        for one in compare(result, evaluation, policy.rule_set)
    ]


def test_what_was_decided_agrees_with_itself(policy: Policy) -> None:
    result = recorded(policy)
    for manifest in result.values():
        manifest["metadata"]["namespace"] = ""
        manifest["metadata"]["ownerReferences"][0]["uid"] = ""
        manifest["metadata"]["annotations"] = {}
    assert told(policy, result) == []


def test_a_field_of_the_job_set_names_the_rule_that_wrote_it(policy: Policy) -> None:
    result = recorded(policy)
    result["jobSet"]["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] = 3
    path = "spec.replicatedJobs[name=node].template.spec.parallelism"
    assert told(policy, result) == [("jobSet", path, 3, 2, ("mpi.workers.launcher-is-a-node",))]


def test_a_field_that_no_rule_wrote_names_none(policy: Policy) -> None:
    result = recorded(policy)
    result["jobSet"]["spec"]["suspend"] = True
    assert told(policy, result) == [("jobSet", "spec.suspend", True, False, ())]


def test_a_field_of_an_object_names_the_rule_that_made_it(policy: Policy) -> None:
    result = recorded(policy)
    wanted = result["configMap"]["data"]["hostfile"] = "train-node-0-0.train slots=1\n"
    [(part, path, left, right, rules)] = told(policy, result)
    assert (part, path, left, rules) == ("configMap", "data.hostfile", wanted, ("mpi.hostfile.object",))
    assert right.count("\n") == 3


def test_generated_data_is_compared_by_its_keys(policy: Policy) -> None:
    result = recorded(policy)
    result["secret"]["dataKeys"] = ["ssh-privatekey"]
    assert told(policy, result) == [("secret", "dataKeys[1]", None, "ssh-publickey", ("mpi.ssh.keys",))]


def test_an_object_on_one_side_alone_is_a_difference(policy: Policy) -> None:
    result = recorded(policy)
    config_map = result.pop("configMap")
    result["other"] = {**config_map, "kind": "Other"}
    assert [(part, path, left is None, right is None) for part, path, left, right, _ in told(policy, result)] == [
        ("other", "", False, True),
        ("ConfigMap", "", True, False),
    ]


def test_another_class_of_outcome_is_told_with_what_was_said(policy: Policy) -> None:
    job = {**JOB, "spec": {**JOB["spec"], "trainer": {"env": [{"name": "OMPI_MCA_plm_rsh_args", "value": "x"}]}}}
    [(part, path, wanted, found, rules)] = told(policy, recorded(policy), job)
    assert (part, path, wanted, rules) == ("outcome", "", "a result", ("mpi.deny.reserved-env",))
    assert found.startswith("refused; trainJob: reserved by the platform: OMPI_MCA_plm_rsh_args")
    assert told(policy, {"denied": ["spec.trainer.env"]}, job) == []
    assert told(policy, {"error": True}, job) == []
    assert told(policy, {"denied": ["spec.trainer.numNodes"]}, job) == [
        ("denied", "spec.trainer.env", None, "refused", ("mpi.deny.reserved-env",)),
        ("denied", "spec.trainer.numNodes", "refused", None, ()),
    ]
    assert told(policy, {"invalid": ["trainJob:spec"]}, job) == [
        ("invalid", "trainJob:spec", "refused", None, ()),
        ("denied", "spec.trainer.env", None, "refused", ("mpi.deny.reserved-env",)),
    ]
    assert told(policy, {"denied": ["spec.trainer.env"]}) == [("outcome", "", "refused", "a result", ())]
    assert told(policy, {**recorded(policy), "jobSetRejected": True}) == [("outcome", "", "rejected", "a result", ())]


def test_warnings_about_the_runtime_are_counted(policy: Policy) -> None:
    assert told(policy, {**recorded(policy), "warnings": 1}) == [("warnings", "spec.runtimeRef", 1, 0, ())]


GOOD: dict[str, Any] = {"id": "a", "runtime": {}, "trainJob": {}, "expect": {"x": {"error": True}}}


def test_a_result_may_be_that_of_another_state() -> None:
    line = json.dumps({**GOOD, "expect": {"y": {"sameAs": "x"}, "x": {"error": True}}}).encode()
    case = read_recorded(line, PLACE)
    assert isinstance(case, Recorded)
    assert case.results == {"y": {"error": True}, "x": {"error": True}}


BAD: list[tuple[bytes, str]] = [
    (b"{", "the line is no JSON: expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    (b"\xff", "the line is not UTF-8: byte 1 is not part of a character"),
    (b"[" * 100_000, "values are nested deeper than 64 levels"),
    (b"[" * 70 + b"]" * 70, "the line holds what no manifest can"),
    (b'{"id": "a", "id": "b"}', "the line holds what no manifest can"),
    (b'{"id": "\\ud800"}', "the line holds what no manifest can"),
    (b"[]", "the line is no case"),
    (b"{}", "the case lacks `id`, `runtime`, `trainJob`, `expect`"),
    (json.dumps({**GOOD, "id": 1}).encode(), "the case lacks `id`"),
    (json.dumps({**GOOD, "expect": {"y": 1}}).encode(), "`expect.y` is no result"),
    (json.dumps({**GOOD, "expect": {"y": {"sameAs": "z"}}}).encode(), "`expect.y` is no result"),
    (json.dumps({**GOOD, "expect": {"y": {"sameAs": "y"}}}).encode(), "`expect.y` is no result"),
    (json.dumps({**GOOD, "expect": {"y": {"sameAs": []}}}).encode(), "`expect.y` is no result"),
    *(
        (
            json.dumps({**GOOD, "expect": {"y": {key: value}}}).encode(),
            f"`expect.y.{key}` is of another form than recordings have",
        )
        for key, value in (
            ("invalid", "a"),
            ("denied", [1]),
            ("error", 1),
            ("warnings", True),
            ("jobSet", []),
            ("configMap", {"kind": "ConfigMap"}),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("line", "cause"), BAD, ids=[cause for _, cause in BAD])
def test_a_line_that_is_no_case_is_a_problem_with_its_place(line: bytes, cause: str) -> None:
    problem = read_recorded(line, PLACE)
    assert isinstance(problem, Problem)
    assert (problem.cause, problem.place) == (cause, PLACE)


def read(content: bytes) -> list[str]:
    return [
        f"{one.place.line}: {one.id}" if isinstance(one, Recorded) else str(one)
        for one in read_recording(io.BytesIO(content), "r")
    ]


def test_lines_are_read_plain_and_compressed() -> None:
    lines = b"\n".join([json.dumps(GOOD).encode(), b"  ", b"{}", json.dumps({**GOOD, "id": "b"}).encode()])
    wanted = ["1: a", "r:3: the case lacks `id`, `runtime`, `trainJob`, `expect`", "4: b"]
    assert read(lines) == wanted
    assert read(gzip.compress(lines)) == wanted
    assert read(b"") == []


def test_what_cannot_be_unpacked_is_a_problem() -> None:
    packed = gzip.compress(json.dumps(GOOD).encode())
    assert read(packed[:-9])[-1].startswith("r: cannot be unpacked: ")
    assert read(b"\x1f\x8bno such method") == ["r: cannot be unpacked: unknown compression method"]
    assert read(packed[:12] + b"\xff" * 20)[0].startswith("r: cannot be unpacked: ")


def test_a_line_without_end_is_a_problem() -> None:
    assert read(b" " * (LONGEST_LINE + 1)) == ["r:1: the line is longer than 32 MiB"]
