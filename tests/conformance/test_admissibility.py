"""A recorded JobSet is inadmissible exactly where JobSet's own schema or webhook turned it down."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine.kubernetes.admissibility import admissibility
from trainpolicy.engine.kubernetes.forbidden_changes import forbidden_changes


def recorded() -> Iterator[Any]:
    with gzip.open(Path(__file__).parent / "data" / "mpi.ndjson.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            results = [(variant, result) for variant, result in case["expect"].items() if "jobSet" in result]
            if results:
                yield pytest.param(results, id=case["id"])


@pytest.mark.parametrize("results", list(recorded()))
def test_what_job_set_turned_down_is_inadmissible_and_nothing_else(results: list[tuple[str, dict[str, Any]]]) -> None:
    found = {variant: bool(admissibility(result["jobSet"])) for variant, result in results}
    assert found == {variant: result.get("jobSetRejected", False) for variant, result in results}


@pytest.mark.parametrize("results", list(recorded()))
def test_a_job_set_may_stay_as_it_is(results: list[tuple[str, dict[str, Any]]]) -> None:
    for _, result in results:
        if not result.get("jobSetRejected", False):
            assert forbidden_changes(result["jobSet"], result["jobSet"]) == ()
