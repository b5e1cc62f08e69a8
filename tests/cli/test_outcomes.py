"""Each outcome has one exit code, the same in every form; with several TrainJobs the highest counts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

DOCUMENTS = ("json", "yaml")
PATCHES = ("jsonpatch", "mergepatch", "apply", "objects")
FORMS = ("human", *DOCUMENTS, *PATCHES)

HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: "
DECIDED = f"{HEAD}TrainJob\nmetadata: {{name: decided}}\nspec: {{runtimeRef: {{name: mlx-distributed}}}}\n"
DENIED = f"""{HEAD}TrainJob
metadata: {{name: denied}}
spec:
  runtimeRef: {{name: mlx-distributed}}
  trainer:
    env: [{{name: OMPI_MCA_plm_rsh_args, value: mine}}]
"""
INVALID = f"{HEAD}TrainJob\nmetadata: {{name: invalid}}\nspec: {{runtimeRef: {{name: mlx-distributd}}}}\n"
INADMISSIBLE = f"""{HEAD}TrainJob
metadata: {{name: inadmissible}}
spec: {{runtimeRef: {{name: backwards}}}}
---
{HEAD}ClusterTrainingRuntime
metadata: {{name: backwards}}
spec:
  template:
    spec:
      replicatedJobs:
        - name: a
          dependsOn: [{{name: b, status: Ready}}]
          template: {{spec: {{template: {{spec: {{containers: [{{name: node, image: example.test/a}}]}}}}}}}}
        - name: b
          template: {{spec: {{template: {{spec: {{containers: [{{name: node, image: example.test/b}}]}}}}}}}}
"""
RULES = {
    "set/ruleset.yaml": "language: 1\nname: small\nfiles: [rules.yaml]\n",
    "set/vocabulary/all.yaml": """language: 1
facts:
  processes: {at: trainJob/spec.trainer.numProcPerNode, type: integer, meaning: Processes that the user asks for.}
derived:
  twice: {type: integer, meaning: Twice as many.}
  more: {type: integer, meaning: One more.}
""",
    # `twice` may be left without a value, and who reads it then cannot tell.
    "set/rules.yaml": """language: 1
rules:
  - id: twice
    title: Twice as many
    when: [{fact: processes, present: true}]
    then: {define: {twice: "${processes * 2}"}}
  - id: more
    title: One more
    then: {define: {more: "${twice + 1}"}}
""",
}

DENIAL = (
    "a.yaml:7:5: reserved by the platform: OMPI_MCA_plm_rsh_args\n"
    "  rule: mpi.deny.reserved-env\n"
    "  help: remove these names\n"
)
UNDECIDED = (
    "set/rules.yaml:7:9: rule `more` cannot tell without `twice`\n"
    "  rule: more\n"
    "  help: give the fact, or test it with `present` in the rule\n"
)
REFUSAL = (
    "a.yaml:14:11: job `a` is the first and cannot wait for another\n"
    "  help: list the job that it waits for before it\n"
    "a.yaml:14:30: job `a` waits for `b`, which is not listed before it\n"
    "  help: a job can only wait for jobs that are listed before it\n"
)
CASES: dict[str, tuple[str, tuple[str, ...], int, str]] = {
    "denied": (DENIED, (), 1, DENIAL),
    "undecided": (DECIDED, ("--rules", "set"), 3, UNDECIDED),
    "inadmissible": (INADMISSIBLE, (), 5, REFUSAL),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("outcome", CASES)
def test_an_outcome_has_one_exit_code(run: Run, write: Write, outcome: str, form: str) -> None:
    text, options, code, message = CASES[outcome]
    write("a.yaml", text)
    for name, content in RULES.items():
        write(name, content)
    done = run("evaluate", "a.yaml", "-o", form, *options)
    assert done.code == code
    if form in DOCUMENTS:
        document = yaml.safe_load(done.out)
        causes = [line.split(": ", maxsplit=1)[1] for line in message.splitlines() if not line.startswith("  ")]
        assert (document["outcome"], [one["cause"] for one in document["problems"]]) == (outcome, causes)
        assert done.err == ""
    else:
        assert done.err == message
    if form in PATCHES:
        assert done.out == ""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ((DECIDED, DENIED), 1),
        ((DENIED, DECIDED), 1),
        ((DENIED, INVALID, DECIDED), 4),
        ((INADMISSIBLE, INVALID, DENIED, DECIDED), 5),
    ],
    ids=["a denial last", "a denial first", "one is invalid", "one is inadmissible"],
)
def test_with_several_the_highest_exit_code_counts(
    run: Run, write: Write, texts: tuple[str, ...], code: int, form: str
) -> None:
    write("a.yaml", "---\n".join(texts))
    assert run("evaluate", "a.yaml", "-o", form).code == code


def test_an_explanation_has_the_exit_code_of_its_outcome(run: Run, write: Write) -> None:
    write("a.yaml", f"{DECIDED}---\n{DENIED}---\n{INADMISSIBLE}")
    codes = [
        [run("explain", "a.yaml", "--trainjob", name, "-o", form).code for form in ("human", "json", "yaml")]
        for name in ("decided", "denied", "inadmissible")
    ]
    assert codes == [[0, 0, 0], [1, 1, 1], [5, 5, 5]]


def test_with_several_each_has_its_document_whatever_became_of_it(run: Run, write: Write) -> None:
    write("a.yaml", f"{INADMISSIBLE}---\n{INVALID}---\n{DENIED}---\n{DECIDED}")
    documents = [json.loads(line) for line in run("evaluate", "a.yaml", "-o", "json").out.splitlines()]
    assert [(one["trainJob"]["name"], one["outcome"], one["jobSet"] is None) for one in documents] == [
        ("inadmissible", "inadmissible", False),
        ("invalid", "invalid", True),
        ("denied", "denied", True),
        ("decided", "decided", False),
    ]
