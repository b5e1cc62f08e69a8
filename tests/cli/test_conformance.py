"""``trainpolicy conformance``: a recording is compared, what differs is told, and bad recordings are refused."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parent.parent / "conformance" / "data" / "mpi.ndjson.gz"
Run = Callable[..., Any]


@pytest.fixture(scope="module")
def case() -> dict[str, Any]:
    """The first recorded case that has a result."""
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line, _ in zip(lines, range(40), strict=False)]
    return next(one for one in read if "jobSet" in one["expect"]["with-4210"])


def lines(*cases: object) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


def wrong(case: dict[str, Any]) -> dict[str, Any]:
    """The case, with another number of pods for the first job than was recorded."""
    other = json.loads(json.dumps(case))
    other["id"] = "wrong"
    job = other["expect"]["with-4210"]["jobSet"]["spec"]["replicatedJobs"][0]
    job["template"]["spec"]["parallelism"] += 40
    return other  # type: ignore[no-any-return]


def test_every_recorded_state_is_compared_with_the_profile_of_its_name(run: Run, write: Run, case: Any) -> None:
    write("r.ndjson", lines(case, case))
    done = run("conformance", "r.ndjson")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [f"{state}: 2 of 2 cases agree" for state in case["expect"]]


def test_standard_input_and_compressed_files_are_read(run: Run, tmp_path: Path, case: Any) -> None:
    content = gzip.compress(lines(case).encode())
    (tmp_path / "r.ndjson.gz").write_bytes(content)
    done = run("conformance", "r.ndjson.gz", "--profile", "with-4210")
    assert (done.code, done.out) == (0, "with-4210: 1 of 1 cases agree\n")
    assert run("conformance", "-", "--profile", "with-4210", stdin=content)[:2] == done[:2]


def test_a_case_that_differs_names_the_field_and_the_rule(run: Run, write: Run, case: Any) -> None:
    write("r.ndjson", lines(case, wrong(case)))
    done = run("conformance", "r.ndjson", "--profile", "with-4210")
    name = case["expect"]["with-4210"]["jobSet"]["spec"]["replicatedJobs"][0]["name"]
    head, field, recorded, decided, rule, total = done.out.splitlines()
    assert (done.code, done.err) == (1, "")
    assert head == "r.ndjson:2: wrong, with-4210"
    assert field == f"  jobSet: spec.replicatedJobs[name={name}].template.spec.parallelism"
    assert int(recorded.removeprefix("    recorded: ")) == 40 + int(decided.removeprefix("    decided:  "))
    assert rule.startswith("    rule:     mpi.")
    assert "rules/mpi/nodes.yaml:" in rule
    assert total == "with-4210: 1 of 2 cases agree"


def test_as_data_there_is_one_document(run: Run, write: Run, case: Any) -> None:
    write("r.ndjson", lines(case, wrong(case)) + "{}\n")
    done = run("conformance", "r.ndjson", "--profile", "with-4210", "-o", "json")
    assert (done.code, done.err) == (4, "")
    data = json.loads(done.out)
    assert {name: data[name] for name in ("version", "kind", "file", "profiles")} == {
        "version": "trainpolicy/v1",
        "kind": "Conformance",
        "file": "r.ndjson",
        "profiles": [{"profile": "with-4210", "cases": 2, "agreeing": 1}],
    }
    [one] = data["disagreements"]
    assert (one["case"], one["place"]["line"], one["profile"], one["part"]) == ("wrong", 2, "with-4210", "jobSet")
    assert one["recorded"] == one["decided"] + 40
    assert one["rules"][0]["place"]["file"] == "rules/mpi/nodes.yaml"
    assert data["problems"] == [
        {
            "cause": "the case lacks `id`, `runtime`, `trainJob`, `expect`",
            "help": None,
            "place": {"file": "r.ndjson", "line": 3, "column": None},
        }
    ]


def test_rules_of_ones_own_are_compared_with_a_recording_of_ones_own(run: Run, write: Run, case: Any) -> None:
    write("mine/ruleset.yaml", "language: 1\nname: mine\nextends: trainpolicy\n")
    write("mine/profiles/mine.yaml", "language: 1\nprofile: mine\nextends: with-4210\n")
    write("r.ndjson", lines({**case, "expect": {"mine": case["expect"]["with-4210"]}}))
    done = run("conformance", "r.ndjson", "--rules", "mine")
    assert (done.code, done.out, done.err) == (0, "mine: 1 of 1 cases agree\n", "")


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        ("", (), 4, "r.ndjson: there is no case to compare\n"),
        ("no\n", (), 4, "r.ndjson:1: the line is no JSON: expecting value: line 1 column 1 (char 0)\n"),
        (None, ("--profile", "nowhere"), 2, "unknown profile `nowhere`"),
        (None, ("--profile", "default"), 4, "no case has a result for `default`\n"),
        (None, ("--rules", "nowhere"), 2, "nowhere: no such folder\n"),
    ],
)
def test_what_cannot_be_compared_is_told_and_nothing_is_printed(
    run: Run, write: Run, case: Any, content: str | None, arguments: tuple[str, ...], code: int, message: str
) -> None:
    write("r.ndjson", lines(case) if content is None else content)
    done = run("conformance", "r.ndjson", *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err


def test_a_file_that_is_not_there_is_a_wrong_command_line(run: Run) -> None:
    done = run("conformance", "nowhere.ndjson")
    assert (done.code, done.out, done.err) == (2, "", "nowhere.ndjson: no such file\n")


def test_a_state_without_profile_is_told_and_the_others_are_compared(run: Run, write: Run, case: Any) -> None:
    result = case["expect"]["with-4210"]
    write("r.ndjson", lines({**case, "expect": {"with-4211": result, "with-4210": result}}))
    done = run("conformance", "r.ndjson")
    assert (done.code, done.out) == (4, "with-4210: 1 of 1 cases agree\n")
    assert done.err == ("there is no profile for the recorded state `with-4211`\n  help: did you mean `with-4210`?\n")
