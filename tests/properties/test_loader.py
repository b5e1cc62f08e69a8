"""Whatever a file holds, reading it gives data or problems with places, and nothing else."""

import json
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.errors import InvalidRules, Problem
from trainpolicy.engine.language.document import Cursor, is_list, is_map
from trainpolicy.engine.language.location import LocationFault, parse_location
from trainpolicy.engine.language.ruleset import load_rule_set
from trainpolicy.engine.language.schema import FileKind, validate
from trainpolicy.engine.language.yaml_source import read_manifests, read_rules

PIECES = st.sampled_from(
    [
        *("a", "b", ": ", "\n", "  ", "- ", "[", "]", "{", "}", ", ", "&x ", "*x", "|\n", ">-\n", "'", '"', "\\", "\t"),
        *("!t ", "!!str ", "<<: ", "? ", "---\n", "...\n", "%YAML 1.1\n", "#", "no", "010", "1:30", "1.5", "~", "é"),
        *("\u2028", "\x07"),
    ]
)
TEXT = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=40)
NAMES = st.text("abcdefgh/.-_ é", min_size=1, max_size=5)
# Without what YAML does not take as it is: control characters, and the line ends of Unicode.
WRITTEN = st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=10)
PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | WRITTEN
DATA = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=20
)


def whole(cursor: Cursor) -> None:
    """Every value of a document has a place, and walking finds what the data holds."""
    assert cursor.place.line is not None
    if is_map(cursor.raw):
        assert {key: inner.raw for key, inner in cursor.items()} == cursor.raw
        for key, inner in cursor.items():
            found = cursor.get(key)
            assert found is not None
            assert (found.place, found.key_place) == (inner.place, inner.key_place)
            assert inner.key_place is not None
            whole(inner)
    elif is_list(cursor.raw):
        assert [inner.raw for inner in cursor.each()] == cursor.raw
        for inner in cursor.each():
            whole(inner)


@given(TEXT)
def test_any_text_is_a_rule_file_or_has_problems_with_places(text: str) -> None:
    document, problems = read_rules(text, "r.yaml")
    assert (document is None) == bool(problems)
    assert all(problem.place is not None and problem.place.line is not None for problem in problems)
    if document is not None:
        whole(document.cursor)


@given(st.binary(max_size=40))
def test_any_bytes_are_manifests_or_have_problems(content: bytes) -> None:
    documents, problems = read_manifests(content, "m.yaml")
    assert documents or problems or not content.strip() or not yaml.safe_load(content)


@given(TEXT)
def test_any_text_is_manifests_or_has_problems_with_places(text: str) -> None:
    documents, problems = read_manifests(text, "m.yaml")
    assert all(problem.place is not None and problem.place.line is not None for problem in problems)
    for document in documents:
        whole(document.cursor)


@given(DATA)
def test_what_json_says_is_read_from_json_and_from_yaml(data: Any) -> None:
    text = json.dumps(data, ensure_ascii=False)
    (document,), problems = read_manifests(text, "m")
    assert (document.data, problems) == (data, [])
    # In quotes, with tags where that is no text: PyYAML writes some text plain that Kubernetes takes for a boolean.
    stream = StringIO()
    yaml.dump(data, stream, Dumper=yaml.SafeDumper, allow_unicode=True, default_style='"')  # pyright: ignore[reportUnknownMemberType]
    (document,), problems = read_manifests(stream.getvalue(), "m")
    assert (document.data, problems) == (data, [])


@given(DATA.filter(lambda data: data is not None))
def test_rule_files_in_json_hold_the_same(data: Any) -> None:
    document, problems = read_rules(json.dumps(data, ensure_ascii=False), "r")
    assert problems == []
    assert document is not None
    assert document.data == data
    whole(document.cursor)


KEYS = st.sampled_from(
    ["language", "rules", "id", "title", "then", "deny", "about", "facts", "at", "type", "keep", "settings", "to"]
)
SHAPED = st.recursive(
    st.just(1) | st.booleans() | st.sampled_from(["a", "", "text", "list", "trainJob/a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)


@given(SHAPED, st.sampled_from(["rules", "vocabulary", "ruleset", "profile"]))
def test_any_data_has_the_shape_of_a_file_or_problems_with_places(data: Any, kind: FileKind) -> None:
    document, _ = read_rules(json.dumps(data), "f")
    assert document is not None
    problems = validate(document, kind)
    assert all(problem.place is not None and problem.place.line is not None for problem in problems)
    assert problems or isinstance(data, dict)


@given(st.text('ab.[]="/ ', max_size=12))
def test_any_text_is_a_path_that_reads_back_or_is_refused(text: str) -> None:
    try:
        location = parse_location(text)
    except LocationFault:
        return
    assert location.text == text
    assert location.steps


RULE_SET: dict[str, Any] = {
    "ruleset.yaml": {
        "language": 1,
        "name": "small",
        "files": ["r.yaml"],
        "parameters": {"least": {"type": "integer", "default": 1, "minimum": 0, "maximum": 9, "meaning": "Least."}},
    },
    "vocabulary/v.yaml": {
        "language": 1,
        "entities": {
            "job": {"each": "jobSet/spec.jobs", "key": "name", "order": "jobs", "waits": "on[].name", "meaning": "J."},
            "box": {"each": "spec.boxes", "of": "job", "key": "id", "meaning": "B."},
        },
        "facts": {
            "trainJob.name": {"at": "trainJob/metadata.name", "type": "text", "required": True, "meaning": "N."},
            "nodes": {
                "at": "trainJob/n",
                "type": "integer",
                "default": 1,
                "minimum": 0,
                "unit": "nodes",
                "meaning": "N.",
            },
            "env": {
                "at": "box/env[]",
                "type": "list",
                "of": "map",
                "keep": [{"member": "a.b", "default": 1}],
                "meaning": "E.",
            },
        },
        "derived": {"size": {"type": "integer", "scope": "job", "default": 0, "meaning": "S."}},
        "settings": {
            "jobs": {"to": "jobSet/spec.jobs", "type": "list", "key": "name", "meaning": "J."},
            "args": {"to": ["job/a", "job/b"], "type": "list", "of": "text", "meaning": "A."},
        },
        "objects": {
            "keys": {
                "apiVersion": "v1",
                "kind": "Secret",
                "name": "${trainJob.name}-x",
                "generate": {"a": "b"},
                "meaning": "K.",
            }
        },
    },
    "r.yaml": {
        "language": 1,
        "given": [{"fact": "nodes", "at_least": 1}],
        "rules": [
            {
                "id": "one",
                "title": "One.",
                "why": "Why.",
                "source": ["B-1"],
                "for_each": "job",
                "when": [{"any": [{"fact": "nodes", "equals": 1}, {"not": {"fact": "nodes", "one_of": [2, 3]}}]}],
                "then": {"set": {"args": ["${trainJob.name}", "x"]}, "define": {"size": "${max(nodes, least)}"}},
                "overrides": [],
                "examples": [
                    {
                        "name": "one",
                        "facts": {"nodes": 1, "trainJob.name": "a"},
                        "then": {"size": 1, "args": ["a", "x"]},
                    }
                ],
            },
            {
                "id": "two",
                "title": "Two.",
                "then": {
                    "order": {"jobs": {"first": "a", "then": "b"}},
                    "create": {"keys": {"data": {"a": "${trainJob.name}"}}},
                    "warn": {"about": "nodes", "message": "m ${nodes}", "help": "h"},
                },
            },
        ],
    },
    "profiles/default.yaml": {
        "language": 1,
        "profile": "default",
        "meaning": "D.",
        "parameters": {"least": 2},
        "disable": ["two"],
        "enable": [],
        "files": [],
        "waivers": [{"rule": "one", "about": "x", "reason": "R.", "until": "2027-01-31"}],
    },
}


def paths(data: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value of plain data is."""
    inner: list[tuple[Any, Any]] = []
    if is_map(data):
        inner = [*data.items()]
    elif is_list(data):
        inner = [*enumerate(data)]
    return [above, *(path for key, value in inner for path in paths(value, (*above, key)))]


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of plain data with another value at a path."""
    if not path:
        return value
    copy = dict(data) if is_map(data) else list(data)
    copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


def write(folder: Path, files: dict[str, Any]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(data), encoding="utf-8")


def test_the_rule_set_that_is_changed_below_loads(tmp_path: Path) -> None:
    write(tmp_path, RULE_SET)
    assert [rule.id for rule in load_rule_set(tmp_path).rules] == ["one"]


@given(st.sampled_from([path for path in paths(RULE_SET) if path]), SHAPED | DATA)
def test_a_rule_set_with_any_value_changed_loads_or_has_problems(path: tuple[Any, ...], value: Any) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAINPOLICY_CACHE", "off")
        write(Path(name), changed(RULE_SET, path, value))
        try:
            load_rule_set(Path(name))
            problems: tuple[Problem, ...] = ()
        except InvalidRules as error:
            problems = error.problems
    assert all(problem.place is not None for problem in problems)
