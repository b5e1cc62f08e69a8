"""What people read: the whole text of an evaluation, and what an explanation must say."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

EVALUATION = """TrainJob  team-a/nightly  (FILE:37)
Runtime   team-a/team-runtime  (FILE:3)
Profile   default  (rules trainpolicy)
Outcome   decided

Job       Pods   Because
node      1 → 3  Every node is a worker
                 with numNodes 3
                 rules/mpi/nodes.yaml:LINE mpi.workers.every-node
launcher  1 → 1  There is one launcher, whatever the label says
                 rules/mpi/nodes.yaml:LINE mpi.launcher.one-pod

Start order
  1.  node      at once
  2.  launcher  when node is Ready
  The workers stand before the launcher
  rules/mpi/start-order.yaml:LINE mpi.order.workers-first
  The launcher starts when the workers are ready
  rules/mpi/start-order.yaml:LINE mpi.order.launcher-waits
"""


def without_lines(text: str) -> str:
    """Lines of the shipped rules move when rules are added."""
    return re.sub(r"(rules/[\w./-]+\.yaml):\d+", r"\1:LINE", text)


def test_the_text_of_an_evaluation(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "own-runtime.yaml")
    done = run("evaluate", file)
    text, _, also = without_lines(done.out).partition("\nAlso  ")
    assert (done.code, text, done.err) == (0, EVALUATION.replace("FILE", file), "")
    assert also in {"", "ConfigMap nightly-mpi-hostfile, Secret nightly-mpi-ssh-auth\n"}


def test_the_line_of_a_rule_is_that_of_its_statement(run: Run, root: Path) -> None:
    done = run("evaluate", str(root / "docs" / "examples" / "own-runtime.yaml"))
    places = re.findall(r"(rules/[\w./-]+\.yaml):(\d+) mpi\.workers\.every-node$", done.out, re.MULTILINE)
    [(file, line)] = places
    assert "job.pods" in (root / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_an_explanation_says_where_each_fact_came_from(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "deepspeed.yaml")
    done = run("explain", file, "--job", "node", "--field", "job.pods")
    assert (done.code, done.err) == (0, "")
    lines = [line.strip() for line in without_lines(done.out).splitlines()]
    assert lines[5] == "job.pods of job node = 3"
    assert f"trainJob.numNodes  present true  4  (trainJob spec.trainer.numNodes, {file}:11)" in lines
    assert "1  mpi.nodes.from-runtime (rules/mpi/nodes.yaml:LINE)  `trainJob.numNodes` is present" in lines
    assert "minWorkers  1  (parameter, rules/ruleset.yaml:LINE)" in lines
    assert [line.split(" (")[0] for line in lines if " needs " in line] == [
        "pods.trainer-job",
        "mpi.workers.every-node",
        "mpi.launcher.one-pod",
    ]


def test_a_field_that_no_rule_decides_is_said_to_be_the_template_s(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "deepspeed.yaml")
    done = run("explain", file, "--job", "node", "--field", "job.dependsOn")
    assert done.out.endswith("\nno rule decides this: the value is the template's\n")


def test_an_explanation_may_be_of_one_trainjob_among_several(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "several.yaml")
    for name in ("large", "team-a/large"):
        done = run("explain", file, "--trainjob", name, "--job", "node", "--field", "job.pods")
        heads = [line for line in done.out.splitlines() if line.startswith(("TrainJob", "job.pods"))]
        assert (done.code, done.err, heads) == (
            0,
            "",
            [f"TrainJob  team-a/large  ({file}:13)", "job.pods of job node = 15"],
        )


def test_parameters_are_listed_with_the_value_in_force(run: Run) -> None:
    done = run("rules", "parameters", "--profile", "with-4045")
    assert (done.code, done.err) == (0, "")
    assert without_lines(done.out).endswith(
        "\nminWorkers = 0  rules/ruleset.yaml:LINE\n"
        "  Fewest worker pods when the launcher is itself a node. With 0, one node is the launcher alone.\n"
        "  integer from 0 to 2147483647, pods; default 1\n"
    )
    assert "minWorkers" in run("rules", "parameters", "-o", "name").out.splitlines()


def test_bounds_and_units_of_parameters(run: Run, write: Callable[[str, str], Path]) -> None:
    parameters = "{a: {type: integer, default: 2, minimum: 1, meaning: A.}, b: {type: integer, default: 1, maximum: 3, "
    parameters += "unit: pods, meaning: B.}, c: {type: list, default: [x], meaning: C.}}"
    write("own/ruleset.yaml", f"language: 1\nname: own\nparameters: {parameters}\n")
    done = run("rules", "parameters", "--rules", "own", "--set", 'c=["y"]')
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "a = 2  own/ruleset.yaml:3\n  A.\n  integer, at least 1\n\n"
        "b = 1  own/ruleset.yaml:3\n  B.\n  integer, at most 3, pods\n\n"
        'c = ["y"]  own/ruleset.yaml:3\n  C.\n  list; default ["x"]\n'
    )


def test_a_rule_set_without_profiles_and_parameters_says_so(run: Run, write: Callable[[str, str], Path]) -> None:
    write("own/ruleset.yaml", "language: 1\nname: own\n")
    assert run("rules", "profiles", "--rules", "own")[:3] == (
        0,
        "",
        "note: the rule set has no profiles: its rules and parameters count as they are\n",
    )
    assert run("rules", "parameters", "--rules", "own")[:3] == (0, "", "note: the rule set has no parameters\n")
    assert run("rules", "list", "--rules", "own", "--profile", "x")[:3] == (
        2,
        "",
        "unknown profile `x`\n  help: the rule set has no profiles\n",
    )


def test_the_heading_names_parameters_that_were_changed(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "deepspeed.yaml")
    for options in (["--set", "minWorkers=0"], ["--set", "minWorkers=0", "--set", "hostfileDirectory=/etc/mpi"]):
        done = run("evaluate", file, *options)
        assert done.out.splitlines()[2] == "Profile   default  (rules trainpolicy, minWorkers 0)"


def test_a_warning_about_a_manifest_without_a_file_names_the_field(run: Run, root: Path) -> None:
    done = run("evaluate", str(root / "docs" / "examples" / "own-runtime.yaml"), "-o", "apply")
    assert (done.code, done.err) == (
        0,
        (
            "jobSet spec.replicatedJobs: warning: server-side apply cannot say the order of `replicatedJobs`\n"
            "  help: use the JSON Patch or the merge patch, or apply the whole manifest\n"
        ),
    )
