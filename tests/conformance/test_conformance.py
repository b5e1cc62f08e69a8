"""The shipped rules decide what the controller was recorded to do, in each of its states, by profile alone."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine import Place, Policy
from trainpolicy.engine.review.recording_file import read_recording
from trainpolicy.engine.review.recordings import Recorded, compare, read_recorded

STATES = ("with-4210", "with-4045", "before-4210", "trainer-2.3")
DATA = Path(__file__).parent / "data" / "mpi.ndjson.gz"


def lines() -> list[bytes]:
    with gzip.open(DATA) as file:
        return file.readlines()


@pytest.fixture(scope="session")
def policies() -> Iterator[dict[str, Policy]]:
    loaded = {state: Policy.load(profile=state) for state in STATES}
    yield loaded
    for policy in loaded.values():
        policy.close()


@pytest.fixture(scope="session")
def recording() -> list[Recorded]:
    with DATA.open("rb") as file:
        cases = list(read_recording(file, DATA.name))
    assert all(isinstance(case, Recorded) for case in cases)
    return [case for case in cases if isinstance(case, Recorded)]


def told(case: Recorded, policy: Policy, result: Any) -> list[str]:
    """What differs, a line each: the field, both values, and the rules that wrote it."""
    evaluation = policy.evaluate(runtime=case.runtime, train_job=case.train_job)
    return [
        f"{one.part} {one.difference.path}: recorded {one.difference.wanted!r}, decided {one.difference.found!r}, "
        f"rules {list(one.difference.rules)}"
        for one in compare(result, evaluation, policy.rule_set)
    ]


@pytest.mark.parametrize(
    "case",
    [pytest.param(line, id=json.loads(line)["id"]) for line in lines()],
)
def test_a_recorded_case_is_decided_as_it_was_recorded(case: bytes, policies: dict[str, Policy]) -> None:
    read = read_recorded(case, Place(file=DATA.name))
    assert isinstance(read, Recorded)
    assert {state: told(read, policies[state], result) for state, result in read.results.items()} == {
        state: [] for state in STATES
    }


def test_the_recording_has_every_kind_of_result(recording: list[Recorded]) -> None:
    """Numbers of the recording, so that a case that is lost or misread is noticed."""
    kinds = Counter(
        (state, kind)
        for case in recording
        for state, result in case.results.items()
        for kind in ("invalid", "runtimeDenied", "denied", "error", "jobSetRejected", "warnings", "jobSet")
        if kind in result
    )
    same = {"invalid": 24, "runtimeDenied": 4, "error": 6, "jobSetRejected": 14}
    others = {"denied": 12, "warnings": 7, "jobSet": 354}
    for state in STATES:
        wanted = {**same, **others}
        if state == "trainer-2.3":
            wanted |= {"denied": 9, "jobSet": 357}
        assert {kind: kinds[state, kind] for kind in wanted} == wanted


def test_the_same_case_is_decided_the_same_way_again(recording: list[Recorded], policies: dict[str, Policy]) -> None:
    for case in recording[::20]:
        first = policies["with-4210"].evaluate(runtime=case.runtime, train_job=case.train_job)
        again = policies["with-4210"].evaluate(runtime=case.runtime, train_job=case.train_job)
        assert (first.outcome, first.job_set, first.objects) == (again.outcome, again.job_set, again.objects)
