"""Rule sets made of text, for tests that look inside the inference."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.language.ruleset import RuleSet, load_rule_set
from trainpolicy.engine.policy import Policy

VOCABULARY = """
language: 1
entities:
  job: {each: jobSet/spec.replicatedJobs, key: name, order: jobs, waits: "dependsOn[].name", meaning: A job.}
  part: {of: job, each: template.spec.template.spec.containers, key: name, meaning: A container of a job.}
facts:
  number:    {at: trainJob/spec.trainer.numNodes, type: integer, meaning: A number that may be missing.}
  standard:  {at: runtime/spec.mlPolicy.numNodes, type: integer, default: 1, meaning: A number with a default.}
  title:     {at: trainJob/metadata.name, type: text, required: true, meaning: A text.}
  names:     {at: "jobSet/spec.replicatedJobs[].name", type: list, of: text, meaning: Names of all jobs.}
  job.name:  {at: job/name, type: text, required: true, meaning: Name of a job.}
  job.size:  {at: job/template.spec.parallelism, type: integer, default: 1, meaning: Pods in the template.}
  part.name: {at: part/name, type: text, required: true, meaning: Name of a part.}
derived:
  count:     {type: integer, meaning: A number that rules give.}
  usual:     {type: integer, default: 5, meaning: A number with a default.}
  lines:     {type: list, of: text, meaning: Texts that rules collect.}
  job.share: {type: integer, scope: job, meaning: A number for each job.}
settings:
  jobs:      {to: jobSet/spec.replicatedJobs, write: order, type: list, key: name, meaning: The order of the jobs.}
  job.pods:
    to: [job/template.spec.parallelism, job/template.spec.completions]
    write: set
    type: integer
    minimum: 0
    maximum: 2147483647
    meaning: Pods.
  job.tags:  {to: job/template.spec.template.metadata.labels, write: merge, type: map, of: text, meaning: Labels.}
  part.env:  {to: part/env, write: upsert, type: list, of: map, key: name, meaning: Environment.}
  part.args: {to: part/args, write: set, type: list, of: text, meaning: Arguments.}
  part.from: {to: part/envFrom, write: append, type: list, of: map, meaning: Sources of environment.}
objects:
  note: {apiVersion: v1, kind: ConfigMap, name: "${title}-note", owner: trainJob, meaning: Beside the JobSet.}
"""
RULE_SET = """
language: 1
name: small
files: [rules.yaml]
parameters:
  least: {type: integer, default: 1, minimum: 0, meaning: A knob.}
"""


@pytest.fixture
def rule_set(tmp_path: Path) -> Callable[[str], RuleSet]:
    """The rule set whose rules are these lines of YAML; each rule needs no title."""

    def load(rules: str) -> RuleSet:
        folder = tmp_path / "rules"
        (folder / "vocabulary").mkdir(parents=True, exist_ok=True)
        (folder / "ruleset.yaml").write_text(RULE_SET, encoding="utf-8")
        (folder / "vocabulary" / "names.yaml").write_text(VOCABULARY, encoding="utf-8")
        lines = "\n".join(rules.replace("{id:", "{title: A rule., id:").splitlines())
        (folder / "rules.yaml").write_text(f"language: 1\nrules:\n{lines}\n", encoding="utf-8")
        return load_rule_set(folder)

    return load


@pytest.fixture
def program(rule_set: Callable[[str], RuleSet]) -> Iterator[Callable[[str], Program]]:
    """The compiled rules."""
    made: list[Program] = []

    def compiled(rules: str) -> Program:
        made.append(Program(rule_set(rules), patience=0))
        return made[-1]

    yield compiled
    for one in made:
        one.close()


@pytest.fixture
def policy(rule_set: Callable[[str], RuleSet]) -> Iterator[Callable[[str], Policy]]:
    """The rules, ready for manifests."""
    made: list[Policy] = []

    def loaded(rules: str) -> Policy:
        made.append(Policy(rule_set(rules)))
        return made[-1]

    yield loaded
    for one in made:
        one.close()
