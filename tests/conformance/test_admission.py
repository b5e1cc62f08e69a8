"""The schema refuses exactly the fields that it refused when the controller was recorded."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine.kubernetes.admission import admit, unknown_fields


def cases() -> Iterator[Any]:
    with gzip.open(Path(__file__).parent / "data" / "mpi.ndjson.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", list(cases()))
def test_what_the_schema_refused_is_invalid_and_nothing_else(case: dict[str, Any]) -> None:
    found = {
        f"{problem.document}:{problem.field}"
        for document in ("runtime", "trainJob")
        for problem in admit(case[document], case[document]["kind"]).problems
    }
    assert sorted(found) == case["expect"]["with-4210"].get("invalid", [])


@pytest.mark.parametrize("case", list(cases()))
def test_no_field_of_a_recorded_object_is_unknown(case: dict[str, Any]) -> None:
    for document in ("runtime", "trainJob"):
        assert unknown_fields(case[document], case[document]["kind"]) == ()


@pytest.mark.parametrize("case", list(cases()))
def test_what_is_admitted_is_admitted_again_unchanged(case: dict[str, Any]) -> None:
    for document in ("runtime", "trainJob"):
        once = admit(case[document], case[document]["kind"])
        if not once.problems:
            assert admit(once.document, case[document]["kind"]) == once


@pytest.mark.parametrize(
    "job_set",
    [
        pytest.param(result["jobSet"], id=f"{case.id}-{variant}")
        for case in cases()
        for variant, result in case.values[0]["expect"].items()
        if "jobSet" in result and not result.get("jobSetRejected")
    ],
)
def test_a_job_set_that_was_accepted_is_admitted(job_set: dict[str, Any]) -> None:
    assert admit(job_set, "JobSet").problems == ()
    assert unknown_fields(job_set, "JobSet") == ()
