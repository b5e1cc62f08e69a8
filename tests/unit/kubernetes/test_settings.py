"""Settings are written step by step at first and by compiled code later, with the same result."""

from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine import Policy, shipped_names, shipped_runtime

SKETCH = Path(__file__).parents[2] / "data" / "rules-sketch"


def train_job(runtime: str, **trainer: Any) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "a", "namespace": "b", "uid": "c"},
        "spec": {"runtimeRef": {"name": runtime}, "trainer": trainer},
    }


@pytest.mark.parametrize("rules", [None, SKETCH])
@pytest.mark.parametrize("runtime", shipped_names())
def test_every_evaluation_writes_the_same(rules: Path | None, runtime: str) -> None:
    job = train_job(runtime, numNodes=3, image="i", env=[{"name": "A", "value": "1"}])
    with Policy.load(rules) as policy:
        prepared = policy.prepare(shipped_runtime(runtime).data)
        written = [prepared.evaluate(job) for _ in range(6)]
    first = written[0].job_set
    assert first is not None
    assert first != written[0].base
    assert [one.job_set for one in written] == [first] * 6
    assert [one.objects for one in written] == [written[0].objects] * 6


CASES = {
    "a member that is not there is made": ("jobSet/spec.network.subdomain", "network", {"subdomain": "x"}),
    "an item is selected": ("jobSet/spec.replicatedJobs[name=node].groupName", "replicatedJobs", None),
    "an item is not there": ("jobSet/spec.replicatedJobs[name=nobody].groupName", None, None),
}


@pytest.mark.parametrize("case", CASES)
def test_where_a_setting_leads_is_the_same_each_time(case: str, tmp_path: Path) -> None:
    path, member, wanted = CASES[case]
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "ruleset.yaml").write_text("language: 1\nname: small\nfiles: [r.yaml]\n", "utf-8")
    (tmp_path / "vocabulary" / "v.yaml").write_text(
        f"language: 1\nsettings:\n  field: {{to: '{path}', write: set, type: text, meaning: A field.}}\n", "utf-8"
    )
    (tmp_path / "r.yaml").write_text(
        "language: 1\nrules:\n  - {id: r, title: R., source: [B-1], then: {set: {field: x}},"
        " examples: [{name: e, facts: {}, then: {field: x}}]}\n",
        "utf-8",
    )
    name = shipped_names()[0]
    with Policy.load(tmp_path) as policy:
        prepared = policy.prepare(shipped_runtime(name).data)
        written = [prepared.evaluate(train_job(name)) for _ in range(6)]
    for one in written:
        if member is None:
            assert one.job_set is None
            (problem,) = one.problems
            assert problem.cause == f"a setting has no target: `{path}` does not exist"
        else:
            assert one.job_set is not None
            part = one.job_set["spec"][member]
            if wanted is None:
                assert {job["name"]: job["groupName"] for job in part} == {"node": "x", "launcher": "default"}
            else:
                assert part == {**(one.base or {})["spec"].get(member, {}), **wanted}
