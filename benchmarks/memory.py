"""Whether memory stays flat over many evaluations, and whether eight threads give the answers of one.

Run: python benchmarks/memory.py [EVALUATIONS]
"""

import gc
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml
from measure import heading

from trainpolicy.engine import Policy, Prepared

ROOT = Path(__file__).parent.parent
RULES = ROOT / "tests" / "data" / "rules-sketch"
RUNTIME = ROOT / "runtimes" / "deepspeed-distributed.yaml"
THREADS = 8
MARKS = 10

Manifest = dict[str, Any]


def main(evaluations: int) -> None:
    runtime: Manifest = yaml.safe_load(RUNTIME.read_text())
    with Policy.load(rules=RULES) as policy:
        _grow(policy.prepare(runtime), evaluations)
    with Policy.load(rules=RULES) as one, Policy.load(rules=RULES) as many:
        _threads(one.prepare(runtime), many.prepare(runtime), min(evaluations // 20, 10_000))
    _policies(runtime)


def _grow(prepared: Prepared, evaluations: int) -> None:
    heading(f"{evaluations} evaluations, all different: memory in use")
    start = perf_counter()
    for number in range(evaluations):
        if number in (evaluations // 100, *(evaluations * mark // MARKS for mark in range(1, MARKS))):
            _say(number)
        evaluation = prepared.evaluate(_train_job(number))
        if number % 1000 == 0:
            _ = evaluation.decisions  # reasons now and then, as an operator asks for them
    _say(evaluations)
    print(f"{(perf_counter() - start) / evaluations * 1e6:.0f} µs for each")


def _threads(one: Prepared, many: Prepared, evaluations: int) -> None:
    heading(f"{evaluations} evaluations by {THREADS} threads")
    jobs = [_train_job(number) for number in range(evaluations)]
    start = perf_counter()
    alone = [_answer(one, job) for job in jobs]
    between = perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda job: _answer(many, job), jobs))
    end = perf_counter()
    if alone != together:
        raise SystemExit("threads give other answers than one alone")
    print(f"the same answers; one thread {between - start:.1f} s, {THREADS} threads {end - between:.1f} s")


def _policies(runtime: Manifest) -> None:
    """Loading, using and closing a policy leaves nothing behind."""
    heading("Policies loaded, used and closed: memory in use")
    for number in range(101):
        if number in (10, 50, 100):
            _say(number)
        with Policy.load(rules=RULES) as policy:
            policy.evaluate(runtime=runtime, train_job=_train_job(number))


def _answer(prepared: Prepared, job: Manifest) -> str:
    evaluation = prepared.evaluate(job)
    return json.dumps([evaluation.outcome, evaluation.job_set, evaluation.objects, evaluation.json_patch()])


def _say(number: int) -> None:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    print(f"{number:>10}  {pages * 4 / 1024:8.1f} MiB")


def _train_job(number: int) -> Manifest:
    """TrainJobs that differ in what rules look at, so that many situations come up, and in names and numbers."""
    trainer: Manifest = {"numNodes": number % 97}
    if number % 2:
        trainer["numProcPerNode"] = number % 7 + 1
    if number % 3:
        trainer["env"] = [{"name": f"VARIABLE_{number % 1009}", "value": str(number)}]
    if number % 5 == 0:
        trainer["resourcesPerNode"] = {"limits": {"nvidia.com/gpu": number % 9}}
    if number % 11 == 0:
        trainer["image"] = f"registry.example/image:{number}"
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": f"job-{number}", "namespace": "default"},
        "spec": {"runtimeRef": {"name": "deepspeed-distributed"}, "trainer": trainer},
    }


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
