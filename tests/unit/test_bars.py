"""Bars that never move: the engine knows no policy, and modules stay small."""

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ANYWHERE = ("openmpi", "launcher", "hostfile", "deepspeed", "torch", "sshd")
"""Policy words that no English word holds."""
WHOLE = ("mpi", "ompi", "orte", "prte", "mlx")
"""Policy words that hide in others (compile, sorted): looked for as a word or as a part of a name."""
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def modules(root: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each module of engine/ and cli/ that holds anything."""
    for folder in ("engine", "cli"):
        for path in sorted((root / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if text.strip():
                yield path.relative_to(root).as_posix(), text


def policy_words(line: str) -> set[str]:
    """The policy words in a line: ``runMpiHere`` and ``mpi_slots`` hold mpi, ``compile`` does not."""
    text = line.lower()
    return {word for word in ANYWHERE if word in text} | {part.lower() for part in PART.findall(line)} & {*WHOLE}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compile(sorted(names))", set[str]()),
        ("mpi_slots = runMpiHere", {"mpi"}),
        ("OMPI_MCA_orte_default", {"ompi", "orte"}),
        ("# a TorchRun launcherless pod", {"torch", "launcher"}),
    ],
)
def test_policy_words_are_found(line: str, words: set[str]) -> None:
    assert policy_words(line) == words


def test_the_engine_knows_no_policy(root: Path) -> None:
    found = {
        f"{name}:{number}": policy_words(line)
        for name, text in modules(root)
        for number, line in enumerate(text.splitlines(), start=1)
        if policy_words(line)
    }
    assert found == {}


def test_no_module_is_longer_than_350_lines(root: Path) -> None:
    sizes = {name: len(text.splitlines()) for name, text in modules(root)}
    assert {name: size for name, size in sizes.items() if size > 350} == {}


def test_the_usual_module_is_shorter_than_120_lines(root: Path) -> None:
    assert median(len(text.splitlines()) for _, text in modules(root)) < 120


def test_durable_rules_is_reached_by_one_door_and_never_through_its_host(root: Path) -> None:
    reached = re.compile(r"^\s*(?:import|from)\s+(durable[\w.]*)", re.MULTILINE)
    found = {name: set(reached.findall(text)) for name, text in modules(root) if reached.search(text)}
    assert found == {"engine/inference/matcher.py": {"durable_rules_engine"}}


def test_no_line_of_the_project_is_left_to_be_done(root: Path) -> None:
    left = re.compile(r"\b(TODO|FIXME|XXX)\b")
    assert [name for name, text in modules(root) if left.search(text)] == []
