"""A second rule set for all of MPI, written apart from the shipped one, runs whole and gives the recorded pods."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine import Policy

DATA = Path(__file__).parent / "data" / "mpi.ndjson.gz"


def counts(job_set: dict[str, Any]) -> dict[str, tuple[int, int]]:
    specs = {job["name"]: job["template"]["spec"] for job in job_set["spec"].get("replicatedJobs", [])}
    return {name: (spec["parallelism"], spec["completions"]) for name, spec in specs.items()}


@pytest.mark.parametrize("state", ["with-4210", "with-4045", "before-4210", "trainer-2.3"])
def test_the_pods_of_every_job_are_those_recorded(root: Path, state: str) -> None:
    with gzip.open(DATA) as file:
        cases = [json.loads(line) for line in file]
    wanted: dict[str, dict[str, tuple[int, int]]] = {}
    found: dict[str, dict[str, tuple[int, int]] | None] = {}
    with Policy.load(rules=root / "tests" / "data" / "rules-sketch", profile=state) as policy:
        for case in cases:
            expect = case["expect"]
            result = expect[expect[state].get("sameAs", state)]
            if "jobSet" in result:
                evaluation = policy.evaluate(runtime=case["runtime"], train_job=case["trainJob"])
                wanted[case["id"]] = counts(result["jobSet"])
                found[case["id"]] = None if evaluation.job_set is None else counts(evaluation.job_set)
    assert found == wanted
    assert len(wanted) == (357 if state == "trainer-2.3" else 354)
