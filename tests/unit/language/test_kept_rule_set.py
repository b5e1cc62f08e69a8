"""Rule sets that are kept save time and nothing else: no result and no error depends on them."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any
from zlib import crc32

import pytest

from trainpolicy.engine.errors import InvalidRules, UsageError
from trainpolicy.engine.language import rule_set_reader
from trainpolicy.engine.language.profile import list_profiles
from trainpolicy.engine.language.ruleset import RuleSet, load_rule_set

ROOT = Path(__file__).parents[3]
SKETCH = ROOT / "tests" / "data" / "rules-sketch"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache of the test is; it does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "trainpolicy"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """An item for each time that rules are read from YAML."""
    found: list[Any] = []
    read = rule_set_reader.read_rule_set

    def counted(*arguments: Any) -> Any:
        found.append(arguments)
        return read(*arguments)

    monkeypatch.setattr(rule_set_reader, "read_rule_set", counted)
    return found


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rule set that extends the shipped one, free to change."""
    folder = tmp_path / "set"
    (folder / "vocabulary").mkdir(parents=True)
    (folder / "profiles").mkdir()
    (folder / "ruleset.yaml").write_text("language: 1\nname: own\nextends: trainpolicy\nfiles: [r.yaml]\n", "utf-8")
    (folder / "vocabulary" / "v.yaml").write_text(
        "language: 1\nderived:\n  size: {type: integer, unit: pods, meaning: Size.}\n", "utf-8"
    )
    (folder / "r.yaml").write_text(RULE, "utf-8")
    return folder


RULE = """
language: 1
rules:
  - id: size
    title: Size.
    source: [B-1]
    when: [{fact: numNodes, at_least: 2}]
    then: {define: {size: "${numNodes}"}}
    examples:
      - {name: two, facts: {numNodes: 2}, then: {size: 2}}
      - {name: one, facts: {numNodes: 1}, then: none}
"""

SETS: list[tuple[Path | None, str]] = [*((None, profile.name) for profile in list_profiles()), (SKETCH, "default")]


@pytest.mark.parametrize(("rules", "profile"), SETS)
@pytest.mark.usefixtures("cache")
def test_a_kept_rule_set_is_the_one_that_was_read(
    rules: Path | None, profile: str, reads: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_rule_set(rules, profile)
    kept = load_rule_set(rules, profile)
    assert len(reads) == 1
    monkeypatch.setenv("TRAINPOLICY_CACHE", "off")
    fresh = load_rule_set(rules, profile)
    assert len(reads) == 2
    assert kept is not first
    assert kept == first == fresh
    assert repr(kept) == repr(fresh)
    assert [list(rule.examples) for rule in kept.rules] == [list(rule.examples) for rule in fresh.rules]


@pytest.mark.usefixtures("cache")
def test_each_profile_and_choice_of_parameters_is_kept_for_itself(reads: list[Any]) -> None:
    for _ in range(2):
        values = [
            load_rule_set(SKETCH, parameters=parameters).vocabulary.names["minWorkers"]
            for parameters in ({}, {"minWorkers": 0}, {"minWorkers": 7})
        ]
        assert [getattr(value, "value", None) for value in values] == [1, 0, 7]
    assert len(reads) == 3
    with pytest.raises(UsageError, match="minWorkers"):
        load_rule_set(SKETCH, parameters={"minWorkers": True})


@pytest.mark.usefixtures("cache")
def test_places_are_those_of_the_path_as_it_is_given(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rules.parent)
    for path in (rules, Path("set"), rules, Path("set")):
        assert load_rule_set(path).rules[-1].place.file == f"{path}/r.yaml"


def rewrite(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(rules: Path) -> None:
        file = rules / path
        before = file.stat()
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
        # Neither size nor time tells.
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    return change


def another_vocabulary(rules: Path) -> None:
    (rules / "vocabulary" / "w.yaml").write_text(
        "language: 1\nderived:\n  more: {type: integer, unit: pods, meaning: More.}\n", "utf-8"
    )


def without_vocabulary(rules: Path) -> None:
    (rules / "vocabulary" / "v.yaml").rename(rules / "v.yaml")


def twice_the_profile(rules: Path) -> None:
    (rules / "profiles" / "default.yaml").write_text("language: 1\nprofile: default\nmeaning: M.\n", "utf-8")


def pipe(rules: Path) -> None:
    (rules / "r.yaml").unlink()
    os.mkfifo(rules / "r.yaml")


CHANGES: dict[str, Callable[[Path], None]] = {
    "another number": rewrite("r.yaml", "at_least: 2", "at_least: 3"),
    "another name": rewrite("ruleset.yaml", "own", "two"),
    "another meaning": rewrite("vocabulary/v.yaml", "Size.", "Many."),
    "longer": rewrite("r.yaml", "title: Size.", "title: Size of all."),
    "a fault": rewrite("r.yaml", "at_least: 2", "at_least: x"),
    "another vocabulary file": another_vocabulary,
    "no vocabulary file": without_vocabulary,
    "a file is gone": lambda rules: (rules / "r.yaml").unlink(),
    "a file is a pipe": pipe,
    "another profile": twice_the_profile,
}


def outcome(rules: Path) -> RuleSet | tuple[str, ...]:
    try:
        return load_rule_set(rules)
    except InvalidRules as error:
        return tuple(str(problem) for problem in error.problems)


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_read_again(change: str, rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_rule_set(rules)
    CHANGES[change](rules)
    after = [outcome(rules) for _ in range(2)]
    monkeypatch.setenv("TRAINPOLICY_CACHE", "off")
    assert after == [outcome(rules)] * 2
    assert after[0] != before


@pytest.mark.usefixtures("cache")
def test_rules_with_faults_are_not_kept(rules: Path, reads: list[Any], cache: Path) -> None:
    rewrite("r.yaml", "numNodes, at_least", "numNode, at_least")(rules)
    for _ in range(2):
        with pytest.raises(InvalidRules, match="numNode"):
            load_rule_set(rules)
    assert len(reads) == 2
    assert not cache.exists() or list(cache.iterdir()) == []


FOREIGN: dict[str, Callable[[str, str], list[str]]] = {
    "no rule set": lambda sources, _: [sources],
    "three texts": lambda sources, rules: [sources, rules, rules],
    "no JSON": lambda sources, _: [sources, "{"],
    "sources are no map": lambda _, rules: ["[]", rules],
    "sources of no file": lambda _, rules: ['{"files":[],"folders":{}}', rules],
    "an unknown record": lambda sources, rules: [sources, rules.replace('"Fact"', '"fact"')],
    "a record with too few values": lambda sources, _: [sources, '{"Member":[]}'],
    "a record with too many values": lambda sources, _: [sources, '{"Member":["a","b"]}'],
    "two records in one": lambda sources, _: [sources, '{"Member":["a"],"Each":[]}'],
    "another record": lambda sources, _: [sources, '{"Member":["a"]}'],
    "a plain value": lambda sources, _: [sources, "1"],
    "deep": lambda sources, _: [sources, "[" * 100_000],
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_what_is_whole_and_still_foreign_is_passed_over_and_replaced(
    foreign: str, rules: Path, cache: Path, reads: list[Any]
) -> None:
    first = load_rule_set(rules)
    (path,) = cache.iterdir()
    _, title, *texts = path.read_text("ascii").split("\n")
    body = "\n".join([title, *FOREIGN[foreign](texts[0], texts[1])]).encode()
    path.write_bytes(f"{crc32(body):08x}\n".encode() + body)
    assert load_rule_set(rules) == first
    assert len(reads) == 2
    assert load_rule_set(rules) == first
    assert len(reads) == 2


@pytest.mark.usefixtures("reads")
def test_the_cache_is_json(rules: Path, cache: Path) -> None:
    load_rule_set(rules)
    (path,) = cache.iterdir()
    _, *lines = path.read_text("ascii").split("\n")
    assert [type(json.loads(line)) for line in lines] == [list, dict, dict]


def test_the_digest_is_of_content_and_not_of_paths(rules: Path, cache: Path, tmp_path: Path) -> None:
    copytree(rules, tmp_path / "copy")
    digests = [load_rule_set(path).digest for path in (rules, tmp_path / "copy") for _ in range(2)]
    assert len(set(digests)) == 1
    assert len(list(cache.iterdir())) == 2
