"""Rules and profiles that cannot be used: every problem with its place, exit code 4, nothing on standard output."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

GOOD = {
    "set/ruleset.yaml": "language: 1\nname: small\nfiles: [pods.yaml]\n",
    "set/profiles/default.yaml": "language: 1\nprofile: default\nmeaning: All rules.\n",
    "set/vocabulary/all.yaml": """language: 1
entities:
  job: {each: jobSet/spec.replicatedJobs, key: name, meaning: A job.}
facts:
  nodes: {at: trainJob/spec.trainer.numNodes, type: integer, default: 1, meaning: Nodes that the user asks for.}
  title: {at: trainJob/metadata.name, type: text, required: true, meaning: Name of the TrainJob.}
derived:
  a: {type: integer, meaning: A number.}
  b: {type: integer, meaning: Another number.}
settings:
  pods: {to: job/template.spec.parallelism, type: integer, minimum: 0, maximum: 2147483647, write: set, meaning: Pods.}
""",
    "set/pods.yaml": "language: 1\nrules:\n",
    "a.yaml": """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec: {runtimeRef: {name: deepspeed-distributed}, trainer: {numNodes: 2147483647}}
""",
}


def rule(name: str, then: str, when: str = "", each: str = "") -> str:
    text = f"  - id: {name}\n    title: Title of {name}\n    why: Because.\n    source: [test]\n"
    if each:
        text += f"    for_each: {each}\n"
    if when:
        text += f"    when: [{when}]\n"
    return text + f"    then: {then}\n"


CASES = {
    "circle": (
        rule("one", "{define: {a: '${b + 1}'}}") + rule("two", "{define: {b: '${a + 1}'}}"),
        (
            "set/pods.yaml:7:21: names depend on each other in a circle: `a` → `b` → `a`, by the rules `one`, `two`\n"
            "  rule: one\n"
            "  help: let one of these rules read a fact instead of a name that rules decide\n"
        ),
    ),
    "conflict": (
        rule("one", "{set: {pods: 1}}", each="job") + rule("two", "{set: {pods: 2}}", each="job"),
        (
            "set/pods.yaml:8:18: rules `one` and `two` give `pods` different values: 1 and 2\n"
            "  rule: one\n"
            "  help: let one of them override the other, or let their conditions exclude each other\n"
        ),
    ),
    "unknown fact": (
        rule("one", "{define: {a: 1}}", "{fact: nods, at_least: 2}"),
        ("set/pods.yaml:7:12: unknown fact `nods`\n  rule: one\n  help: did you mean `nodes`?\n"),
    ),
    "number against text": (
        rule("one", "{define: {a: 1}}", "{fact: title, at_least: 2}"),
        ("set/pods.yaml:7:12: `at_least` compares an integer with an integer; `title` is text\n  rule: one\n"),
    ),
    "overflow": (
        rule("one", "{set: {pods: '${nodes + nodes}'}}", each="job"),
        (
            "set/pods.yaml:8:18: rule `one` failed: `pods` would be 4294967294, outside 0 to 2147483647\n"
            "  rule: one\n"
            "  help: lower the numbers that it is computed from\n"
        ),
    ),
    "nested": (
        rule("one", "{define: {a: '${" + "(" * 10_000 + "1" + ")" * 10_000 + "}'}}"),
        (
            "set/pods.yaml:7:24: an expression of 20001 characters is too long; 1000 are possible"
            " (character 3 of the text)\n"
            "  help: name a part of it by a derived name\n"
        ),
    ),
    "nested conditions": (
        rule("one", "{define: {a: 1}}", "{not: " * 10_000 + "{}" + "}" * 10_000),
        "set/pods.yaml:7:372: values are nested deeper than 64 levels\n",
    ),
}


@pytest.fixture
def rules(write: Write) -> Callable[[str], None]:
    """Write the rule set with these rules."""

    def call(text: str) -> None:
        for name, content in GOOD.items():
            write(name, content)
        write("set/pods.yaml", GOOD["set/pods.yaml"] + text)

    return call


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", ["human", "json", "jsonpatch"])
def test_rules_that_cannot_be_used(run: Run, rules: Callable[[str], None], case: str, form: str) -> None:
    text, message = CASES[case]
    rules(text)
    assert run("evaluate", "a.yaml", "--rules", "set", "-o", form) == (4, "", message)


def test_a_profile_that_extends_itself(run: Run, rules: Callable[[str], None], write: Write) -> None:
    rules(rule("one", "{define: {a: 1}}"))
    write("set/profiles/p.yaml", "language: 1\nprofile: p\nextends: q\nmeaning: A circle.\n")
    write("set/profiles/q.yaml", "language: 1\nprofile: q\nextends: p\nmeaning: A circle.\n")
    assert run("evaluate", "a.yaml", "--rules", "set", "--profile", "p") == (
        4,
        "",
        "set/profiles/q.yaml:3:10: profiles extend each other in a circle: `p` → `q` → `p`\n",
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("--set", "minWorker=1"), ("unknown parameter `minWorker`\n  help: did you mean `minWorkers`?\n")),
        (("--set", "minWorkers=-1"), "`-1` is below the minimum 0 of `minWorkers`\n"),
        (("--set", "minWorkers=many"), "`minWorkers` is an integer, not text\n"),
        (("--set", "minWorkers=1.5"), "`minWorkers` is an integer, not text\n"),
    ],
    ids=["unknown", "too small", "text", "a fraction"],
)
def test_a_parameter_that_cannot_be_set_is_a_wrong_command_line(
    run: Run, rules: Callable[[str], None], settings: tuple[str, ...], message: str
) -> None:
    rules("")
    assert run("evaluate", "a.yaml", *settings) == (2, "", message)
