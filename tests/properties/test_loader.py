"""Whatever a file holds, reading it gives data or problems with places, and nothing else."""

import json
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.location import LocationFault, parse_location
from trainpolicy.engine.language.schema import FileKind, validate
from trainpolicy.engine.language.yaml_source import read_manifests, read_rules

PIECES = st.sampled_from(
    [
        "a",
        "b",
        ": ",
        "\n",
        "  ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&x ",
        "*x",
        "|\n",
        ">-\n",
        "'",
        '"',
        "\\",
        "\t",
        "!t ",
    ]
    + [
        "!!str ",
        "<<: ",
        "? ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "#",
        "no",
        "010",
        "1:30",
        "1.5",
        "~",
        "é",
        "\u2028",
        "\x07",
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
    if isinstance(cursor.raw, dict):
        assert {key: inner.raw for key, inner in cursor.items()} == cursor.raw
        for key, inner in cursor.items():
            found = cursor.get(key)
            assert found is not None
            assert (found.place, found.key_place) == (inner.place, inner.key_place)
            assert inner.key_place is not None
            whole(inner)
    elif isinstance(cursor.raw, list):
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
    (document,), problems = read_manifests(yaml.safe_dump(data, allow_unicode=True), "m")
    assert (document.data, problems) == (data, [])


@given(DATA.filter(lambda data: data is not None))
def test_rule_files_in_json_hold_the_same(data: Any) -> None:
    document, problems = read_rules(json.dumps(data, ensure_ascii=False), "r")
    assert problems == []
    assert document is not None
    assert document.data == data
    whole(document.cursor)


KEYS = st.sampled_from(
    [
        "language",
        "rules",
        "id",
        "title",
        "then",
        "deny",
        "about",
        "facts",
        "at",
        "type",
        "keep",
        "settings",
        "to",
        "profile",
    ]
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
    except LocationFault as fault:
        assert fault.cause
    else:
        assert location.text == text
        assert location.steps
