"""How long a whole evaluation takes: runtime and TrainJob in, JobSet and other manifests out, with all of MPI as rules.

Run: python benchmarks/evaluation.py [EVALUATIONS]
"""

import sys
from collections.abc import Callable
from copy import deepcopy
from itertools import count, islice
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from measure import Row, Turn, heading, interleaved, table
from peers import Case, zen_peers

from trainpolicy.engine import Outcome, Policy, Prepared

ROOT = Path(__file__).parent.parent
RULES = ROOT / "tests" / "data" / "rules-sketch"
RUNTIME = ROOT / "runtimes" / "deepspeed-distributed.yaml"
UNIT = "zen, compiled, one for each name"
MORE_RULES = 1000
MORE_JOBS = (4, 8, 16)
MORE_NODES = 1000

Manifest = dict[str, Any]


def main(evaluations: int) -> None:
    runtime: Manifest = yaml.safe_load(RUNTIME.read_text())
    with (
        TemporaryDirectory() as folder,
        Policy.load(rules=RULES) as policy,
        Policy.load(rules=_with_more_rules(Path(folder) / "more")) as larger,
    ):
        _compare(policy, larger, runtime)
        times = _evaluations(policy, larger, runtime, evaluations)
    unit = times[UNIT]
    heading("One evaluation: DeepSpeed runtime and a TrainJob to a JobSet, all TrainJobs different")
    prepared, many = times["runtime prepared"], times[f"runtime prepared, {MORE_RULES} more rules"]
    bars = {"runtime prepared": 35.0, "from raw documents": 150.0}
    rows = [
        Row(name=name, seconds=seconds, ratio=seconds / unit, bar=bars.get(name))
        for name, seconds in times.items()
        if "nodes" not in name and "f-string" not in name
    ]
    rows.append(
        Row(name=f"{MORE_RULES} more rules alone", seconds=many - prepared, ratio=(many - prepared) / unit, bar=3.0)
    )
    table(rows, against="one zen decision")
    print()
    last = prepared
    for jobs, before in zip(MORE_JOBS, (0, *MORE_JOBS), strict=False):
        now = times[f"runtime prepared, {jobs} more jobs"]
        print(f"each further job, from {before} to {jobs} more: {(now - last) / (jobs - before) * 1e6:.1f} µs")
        last = now
    line = (times[f"runtime prepared, {MORE_NODES} more nodes"] - prepared) / MORE_NODES
    formatted = times["f-string"]
    print()
    table(
        [
            Row(name="a line of the hostfile", seconds=line, ratio=line / formatted, bar=3.0),
            Row(name="the same by an f-string", seconds=formatted, ratio=1.0),
        ],
        against="f-string",
    )


def _evaluations(policy: Policy, larger: Policy, runtime: Manifest, evaluations: int) -> dict[str, float]:
    """Seconds for one of each."""
    numbers = count(2)
    prepared = policy.prepare(runtime)

    def ready(evaluate: Callable[[Manifest], object], nodes: int = 0) -> Callable[[], Turn]:
        def turn() -> Turn:
            jobs = [_train_job(f"job-{number}", nodes or number % 50) for number in islice(numbers, evaluations)]

            def work() -> None:
                for job in jobs:
                    evaluate(job)

            return work

        return turn

    peer = next(peer for peer in zen_peers() if peer.name == UNIT)

    def zen() -> Turn:
        contexts = [
            peer.context(
                Case(mpi=True, wanted=number, suggested=1, launcher_is_node=True, roles=("trainer",), job="node")
            )
            for number in islice(numbers, evaluations)
        ]

        def work() -> None:
            for context in contexts:
                peer.decide(context)

        return work

    contestants: dict[str, Callable[[], Turn]] = {
        UNIT: zen,
        "runtime prepared": ready(prepared.evaluate),
        "from raw documents": ready(lambda job: policy.evaluate(runtime=runtime, train_job=job)),
        "runtime prepared, with reasons": ready(lambda job: prepared.evaluate(job).decisions),
        f"runtime prepared, {MORE_RULES} more rules": ready(larger.prepare(runtime).evaluate),
    }
    for jobs in MORE_JOBS:
        contestants[f"runtime prepared, {jobs} more jobs"] = ready(
            policy.prepare(_with_more_jobs(runtime, jobs)).evaluate
        )
    times = interleaved(contestants, calls=evaluations)
    lines = evaluations * MORE_NODES
    few = max(evaluations // 20, 1)
    times |= interleaved({f"runtime prepared, {MORE_NODES} more nodes": lambda: _few(prepared, few)}, calls=few)
    return times | interleaved({"f-string": lambda: _format(lines)}, calls=lines)


def _few(prepared: Prepared, number: int) -> Turn:
    jobs = [_train_job(f"job-{index}", MORE_NODES + 2) for index in range(number)]

    def work() -> None:
        for job in jobs:
            prepared.evaluate(job)

    return work


def _format(lines: int) -> Turn:
    name, job, copy, slots = "job-1", "node", 0, 2

    def work() -> None:
        for _ in range(lines // MORE_NODES):
            "".join([f"{name}-{job}-{copy}-{pod}.{name} slots={slots}\n" for pod in range(MORE_NODES)])

    return work


def _train_job(name: str, nodes: int) -> Manifest:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"runtimeRef": {"name": "deepspeed-distributed"}, "trainer": {"numNodes": nodes, "numProcPerNode": 2}},
    }


def _with_more_jobs(runtime: Manifest, number: int) -> Manifest:
    runtime = deepcopy(runtime)
    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    for index in range(number):
        job = deepcopy(jobs[0])
        job["name"] = f"helper-{index}"
        jobs.append(job)
    return runtime


def _with_more_rules(folder: Path) -> Path:
    """The rule set with more rules of several kinds, none of which holds for the TrainJobs measured."""
    copytree(RULES, folder)
    rule_set: Manifest = yaml.safe_load((folder / "ruleset.yaml").read_text())
    rule_set["files"].append("more.yaml")
    (folder / "ruleset.yaml").write_text(yaml.safe_dump(rule_set))
    rules: list[Manifest] = []
    for number in range(MORE_RULES):
        conditions, statement, scope = (
            (
                [{"fact": "runtime.name", "equals": f"runtime-{number}"}],
                {"upsert": {"container.env": [{"name": f"VARIABLE_{number}", "value": "${text(trainJob.name)}"}]}},
                "container",
            ),
            (
                [{"fact": "trainJob.image", "present": True}, {"fact": "trainJob.image", "equals": f"image:{number}"}],
                {"merge": {"job.podLabels": {f"label-{number}": "${trainJob.name}"}}},
                "job",
            ),
            (
                [{"fact": "runtime.numNodes", "greater_than": 100_000 + number}],
                {"deny": {"about": "runtime.numNodes", "message": f"too many nodes for rule {number}"}},
                None,
            ),
            (
                [{"fact": "jobSet.jobs.roles", "contains": f"role-{number}"}],
                {"upsert": {"job.volumes": [{"name": f"volume-{number}", "emptyDir": {}}]}},
                "job",
            ),
        )[number % 4]
        rule: Manifest = {
            "id": f"more.rule-{number}",
            "title": f"Rule {number}",
            "why": "To be many.",
            "source": ["B-1"],
        }
        rules.append(rule | {"when": conditions, "then": statement} | ({"for_each": scope} if scope else {}))
    (folder / "more.yaml").write_text(yaml.safe_dump({"language": 1, "rules": rules}))
    return folder


def _compare(policy: Policy, larger: Policy, runtime: Manifest) -> None:
    """All ways to the answer give the same answer, and it is the right one."""
    for nodes in (0, 1, 4, 40):
        job = _train_job("job-1", nodes)
        raw = policy.evaluate(runtime=runtime, train_job=job)
        others = [each.prepare(runtime).evaluate(job) for each in (policy, larger)]
        if raw.outcome is not Outcome.DECIDED:
            raise SystemExit(f"not decided: {raw.problems}")
        if any((raw.job_set, raw.objects) != (other.job_set, other.objects) for other in others):
            raise SystemExit(f"answers differ for {nodes} nodes")
        hosts = next(each for each in raw.objects if each["kind"] == "ConfigMap")["data"]["hostfile"]
        workers = max(nodes - 1, 1)
        expected = [f"job-1-node-0-{pod}.job-1 slots=2" for pod in range(workers)]
        if sorted(hosts.splitlines()) != sorted([*expected, "job-1-launcher-0-0.job-1 slots=2"]):
            raise SystemExit(f"hostfile of {nodes} nodes: {hosts}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
