"""What people read: the whole text of an evaluation, and what an explanation must say."""

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
                 rules/mpi/nodes.yaml:45 mpi.workers.every-node
launcher  1 → 1  There is one launcher, whatever the label says
                 rules/mpi/nodes.yaml:78 mpi.launcher.one-pod

Start order
  1.  node      at once
  2.  launcher  when node is Ready
  The workers stand before the launcher
  rules/mpi/start-order.yaml:28 mpi.order.workers-first
  The launcher starts when the workers are ready
  rules/mpi/start-order.yaml:70 mpi.order.launcher-waits
"""


def test_the_text_of_an_evaluation(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "own-runtime.yaml")
    assert run("evaluate", file) == (0, EVALUATION.replace("FILE", file), "")


def test_an_explanation_says_where_each_fact_came_from(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "deepspeed.yaml")
    done = run("explain", file, "--job", "node", "--field", "job.pods")
    assert (done.code, done.err) == (0, "")
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[5] == "job.pods of job node = 3"
    assert f"trainJob.numNodes  present true  4  (trainJob spec.trainer.numNodes, {file}:11)" in lines
    assert "1  mpi.nodes.from-runtime (rules/mpi/nodes.yaml:27)  `trainJob.numNodes` is present" in lines
    assert "minWorkers  1  (parameter, rules/ruleset.yaml:10)" in lines
    assert [line.split(" (")[0] for line in lines if " needs " in line] == [
        "pods.trainer-job",
        "mpi.workers.every-node",
        "mpi.launcher.one-pod",
    ]


def test_a_field_that_no_rule_decides_is_said_to_be_the_template_s(run: Run, root: Path) -> None:
    file = str(root / "docs" / "examples" / "deepspeed.yaml")
    done = run("explain", file, "--job", "node", "--field", "job.dependsOn")
    assert done.out.endswith("\nno rule decides this: the value is the template's\n")
