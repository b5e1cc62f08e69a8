"""What a prepared runtime keeps is right for every TrainJob."""

from pathlib import Path
from typing import Any

from trainpolicy.engine import Outcome, Policy

VOCABULARY = """
language: 1
entities:
  variable: {each: trainJob/spec.trainer.env, key: name, meaning: One variable of the TrainJob.}
facts:
  variable.name: {at: variable/name, type: text, required: true, meaning: Its name.}
derived:
  names: {type: list, of: text, meaning: All names.}
"""
RULES = """
language: 1
rules:
  - id: names.all
    title: All names
    why: They are listed.
    source: [test]
    for_each: variable
    then: {append: {names: ["${variable.name}"]}}
"""


def test_items_of_the_train_job_are_read_anew_for_each_train_job(tmp_path: Path) -> None:
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "vocabulary" / "all.yaml").write_text(VOCABULARY)
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "ruleset.yaml").write_text("language: 1\nname: own\nfiles: [rules.yaml]\n")
    runtime: dict[str, Any] = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "ours"},
        "spec": {"template": {"spec": {"replicatedJobs": []}}},
    }
    with Policy.load(tmp_path) as policy:
        prepared = policy.prepare(runtime)
        for names in (["A"], ["B", "C"], [], ["D"]):
            train_job = {
                "apiVersion": "trainer.kubeflow.org/v1alpha1",
                "kind": "TrainJob",
                "metadata": {"name": "job"},
                "spec": {"runtimeRef": {"name": "ours"}, "trainer": {"env": [{"name": name} for name in names]}},
            }
            derived = {one.target.name: one.new for one in prepared.evaluate(train_job).derived}
            assert derived == ({"names": names} if names else {})


def test_what_only_follows_from_a_failure_is_not_told() -> None:
    runtime: dict[str, Any] = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "ours"},
        "spec": {
            "mlPolicy": {"mpi": {}},
            "template": {
                "spec": {
                    "replicatedJobs": [
                        {
                            "name": name,
                            "template": {"spec": {"template": {"spec": {"containers": [{"name": "node"}]}}}},
                        }
                        for name in ("node", "launcher")
                    ]
                }
            },
        },
    }
    train_job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "job"},
        "spec": {
            "runtimeRef": {"name": "ours"},
            "trainer": {"resourcesPerNode": {"limits": {"a.example/gpu": 1, "b.example/gpu": 2}}},
        },
    }
    with Policy.load() as policy:
        evaluation = policy.evaluate(runtime=runtime, train_job=train_job)
    told = [(problem.kind.value, problem.rule) for problem in evaluation.problems]
    assert told == [("invalid", "mpi.gpus.from-limits")]
    assert evaluation.outcome is Outcome.INVALID
