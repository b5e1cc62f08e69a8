"""Rule files are read strictly, manifests as Kubernetes reads them, and every value knows its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from trainpolicy.engine.errors import Place
from trainpolicy.engine.language import yaml_tree
from trainpolicy.engine.language.yaml_source import (
    LARGEST_MANIFESTS,
    LARGEST_RULES,
    read_manifests,
    read_rules,
    slow_loader_note,
)

REFUSED: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("refused_yaml.yaml").read_text("utf-8"))


@pytest.fixture(params=[True, False], ids=["with libyaml", "without libyaml"])
def _either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", request.param)


def rules(text: str | bytes) -> Any:
    """The data of a rule file that is sound."""
    document, problems = read_rules(text, "r.yaml")
    assert problems == []
    assert document is not None
    return document.data


def refusal(text: str | bytes) -> list[str]:
    """The problems of a rule file that is not."""
    document, problems = read_rules(text, "r.yaml")
    assert document is None
    return [str(problem) for problem in problems]


def manifests(text: str | bytes) -> list[Any]:
    """The data of manifests that are sound."""
    documents, problems = read_manifests(text, "m.yaml")
    assert problems == []
    return [document.data for document in documents]


@pytest.mark.parametrize("case", REFUSED, ids=[case["name"] for case in REFUSED])
def test_what_a_rule_file_may_not_hold_is_refused_with_its_place(case: dict[str, Any]) -> None:
    assert refusal(case["text"]) == case["problems"]


@pytest.mark.usefixtures("_either_loader")
def test_plain_text_in_a_rule_file_is_yaml_1_2() -> None:
    text = """
a: [true, False, TRUE, null, ~, 0, -1, +5, 0o17, 0x1F]
b: [2027-01-31, 1.2.3, v1, '010', "no", a:b, '']
c:
"""
    assert rules(text) == {
        "a": [True, False, True, None, None, 0, -1, 5, 15, 31],
        "b": ["2027-01-31", "1.2.3", "v1", "010", "no", "a:b", ""],
        "c": None,
    }


@pytest.mark.usefixtures("_either_loader")
def test_aliases_stand_for_what_they_name() -> None:
    assert rules("a: &x [1, {b: &k c}]\nd: *x\n*k : e\n") == {"a": [1, {"b": "c"}], "d": [1, {"b": "c"}], "c": "e"}


def test_a_byte_order_mark_is_passed_over() -> None:
    assert rules(b"\xef\xbb\xbfa: 1") == {"a": 1}


def test_text_that_is_not_utf_8_is_refused_where_it_stops_being_so() -> None:
    assert refusal("a: 1\nb: é\xff".encode("latin1")) == [
        "r.yaml:2:4: the file is not UTF-8: byte 0xe9\n  help: save it as UTF-8"
    ]
    assert refusal("a: \ud800") == ["r.yaml:1:4: the file is not UTF-8: byte 0xed\n  help: save it as UTF-8"]


def test_a_rule_file_has_one_mebibyte_at_most() -> None:
    text = "a: 1\n#".ljust(LARGEST_RULES, "x")
    assert rules(text) == {"a": 1}
    assert refusal(text + "x") == ["r.yaml: the file is larger than 1 MiB\n  help: split it"]


def test_manifests_have_32_mebibytes_at_most() -> None:
    documents, problems = read_manifests(b"#" * (LARGEST_MANIFESTS + 1), "m.yaml")
    assert documents == []
    assert [str(problem) for problem in problems] == ["m.yaml: the file is larger than 32 MiB\n  help: split it"]


@pytest.mark.usefixtures("_either_loader")
@pytest.mark.parametrize(("opening", "closing", "column"), [("[", "]", 65), ("{a: ", "}", 257), ("- ", "", 129)])
def test_values_are_nested_64_deep_at_most(opening: str, closing: str, column: int) -> None:
    assert rules(f"{opening * 64}1{closing * 64}") is not None
    assert refusal(f"{opening * 65}1{closing * 65}") == [f"r.yaml:1:{column}: values are nested deeper than 64 levels"]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_deep_nesting_is_a_problem_and_never_an_exception(opening: str) -> None:
    for text in (opening * 10_000, f'{{"a": {"[" * 10_000}'):
        assert refusal(text)[0].endswith("values are nested deeper than 64 levels")
        documents, problems = read_manifests(text, "m.yaml")
        assert documents == []
        assert problems[0].cause == "values are nested deeper than 64 levels"


def test_json_that_is_nested_too_deep_is_refused_with_its_place() -> None:
    assert manifests(f"{'[' * 64}1{']' * 64}") != []
    _, problems = read_manifests(f"{'[' * 65}1{']' * 65}", "m.json")
    assert [str(problem) for problem in problems] == ["m.json:1:65: values are nested deeper than 64 levels"]


def test_aliases_that_explode_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert refusal("\n".join(lines)) == ["r.yaml:5:10: aliases stand for too many values\n  help: write the values out"]
    _, problems = read_manifests("\n".join(lines), "m.yaml")
    assert [problem.cause for problem in problems] == ["aliases stand for too many values"]


def test_very_many_faults_are_not_all_told() -> None:
    assert len(refusal("[" + "no, " * 10_000 + "]")) == 200


@pytest.mark.usefixtures("_either_loader")
def test_plain_text_in_a_manifest_is_read_as_kubernetes_does() -> None:
    text = """
booleans: [yes, On, TRUE, n, NO, off]
text: [yEs, 2027-01-31, 1:30, 1.2.3, "yes", 0o8, 0x, _1]
integers: [0400, 0o400, 0x1F, 0b101, 1_000, -017, +5, 08, 1.0, 1e3, 18446744073709551615]
numbers: [1.5, .5, -1e-3, 18446744073709551616]
nothing: [~, null, Null, NULL, ]
1: a
true: b
1.5: c
"""
    assert manifests(text) == [
        {
            "booleans": [True, True, True, False, False, False],
            "text": ["yEs", "2027-01-31", "1:30", "1.2.3", "yes", "0o8", "0x", "_1"],
            "integers": [256, 256, 31, 5, 1000, -15, 5, 8, 1, 1000, 18446744073709551615],
            "numbers": [1.5, 0.5, -0.001, 18446744073709551616],
            "nothing": [None, None, None, None],
            "1": "a",
            "true": "b",
            "1.5": "c",
        }
    ]


@pytest.mark.usefixtures("_either_loader")
def test_merge_keys_and_plain_tags_have_their_meaning_in_manifests() -> None:
    text = (
        "a: &a {b: 1, c: 2}\nd: &d {e: 3, c: 4}\nf: {<<: *a, c: 5}\ng: {<<: [*a, *d]}\nh: [!!str 1, !!int '2', ! 3]\n"
    )
    (data,) = manifests(text)
    assert data["f"] == {"b": 1, "c": 5}
    assert data["g"] == {"b": 1, "c": 2, "e": 3}
    assert data["h"] == ["1", 2, "3"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\na: 2", "m:2:1: the key `a` stands here twice\n  help: it is first at m:1:1"),
        ("1: a\n'1': b", "m:2:1: the key `1` stands here twice\n  help: it is first at m:1:1"),
        ('{"a": 1,\n "a": 2}', "m:2:2: the key `a` stands here twice\n  help: it is first at m:1:2"),
        (
            '{"a": {"b": NaN, "c": 1e999}}',
            "m:1:23: the number `1e999` is too large\n  help: put it in quotes if it is text",
        ),
        ("a: .nan", 'm:1:4: `.nan` is no number that a manifest can hold\n  help: put it in quotes: `".nan"`'),
        ("a: !!binary eA==", "m:1:4: the tag `!!binary` has no meaning here\n  help: leave it out"),
        ("a: !!int b", "m:1:4: `b` is not what its tag `!!int` says\n  help: leave the tag out"),
        ("a: {<<: 1}", "m:1:4: `<<` takes a map or a list of maps"),
        ("~: 1", "m:1:1: a key must be text, not `~`\n  help: put it in quotes"),
        ("a: [1", "m:1:4: what is opened here is never closed"),
    ],
)
def test_what_a_manifest_cannot_hold_is_refused_with_its_place(text: str, problem: str) -> None:
    documents, problems = read_manifests(text, "m")
    assert documents == []
    assert [str(one) for one in problems] == [problem]


def test_a_fault_of_one_document_leaves_the_others() -> None:
    documents, problems = read_manifests("a: 1\n---\nb: 2\nb: 3\n---\nc: 4\n", "m.yaml")
    assert [document.data for document in documents] == [{"a": 1}, {"c": 4}]
    assert [str(problem.place) for problem in problems] == ["m.yaml:4:1"]


def test_files_without_documents_hold_nothing() -> None:
    assert manifests("") == []
    assert manifests("# nothing\n") == []
    assert manifests("---\n---\n") == [None, None]


@pytest.mark.usefixtures("_either_loader")
def test_json_and_yaml_give_the_same_data_and_places() -> None:
    text = '\n {"a": [1, {"b": 2.0, "c": "\\u00e9"}],\n"d": null}'
    (json_document,), _ = read_manifests(text, "m")
    (yaml_document,), _ = read_manifests(f"{text} # not JSON", "m")
    assert json_document.data == yaml_document.data == {"a": [1, {"b": 2, "c": "é"}], "d": None}
    for path in [(), ("a",), ("a", 0), ("a", 1, "b"), ("d",)]:
        assert json_document.place(path) == yaml_document.place(path)


MANIFESTS = """# two
  a: 1
---
b:
  - c: 5
    d: [1, {e: 6}]
  -
---
{f: g}
"""


@pytest.mark.usefixtures("_either_loader")
@pytest.mark.parametrize(
    ("document", "path", "place"),
    [
        (0, (), "m:2:3"),
        (0, ("a",), "m:2:6"),
        (1, (), "m:4:1"),
        (1, ("b",), "m:4:1"),
        (1, ("b", 0), "m:5:5"),
        (1, ("b", 0, "c"), "m:5:8"),
        (1, ("b", 0, "d"), "m:6:5"),
        (1, ("b", 0, "d", 1, "e"), "m:6:16"),
        (1, ("b", 0, "d", 7), "m:6:5"),
        (1, ("b", 0, "x", "y"), "m:5:5"),
        (1, ("b", "c"), "m:4:1"),
        (1, ("x",), "m:4:1"),
        (2, ("f",), "m:9:5"),
        (2, (3,), "m:9:1"),
    ],
)
def test_a_field_of_a_manifest_is_found_or_its_nearest_parent(
    document: int, path: tuple[str | int, ...], place: str
) -> None:
    documents, _ = read_manifests(MANIFESTS, "m")
    assert str(documents[document].place(path)) == place


def test_json_that_is_no_yaml_has_the_place_of_its_start() -> None:
    (document,), problems = read_manifests('{"a": "\\ud83d\\ude00"}', "m")
    assert (document.data, problems) == ({"a": "😀"}, [])
    assert str(document.place(("a",))) == "m:1:1"


@pytest.mark.usefixtures("_either_loader")
@pytest.mark.parametrize("text", ['{"a": "\\ud83d"}', '{"a": "\\ude00\\ud83d"}', 'a: "\\ud83d"'])
def test_half_a_pair_of_surrogates_is_refused(text: str) -> None:
    documents, problems = read_manifests(text, "m")
    assert documents == []
    assert [(problem.cause, problem.place is not None) for problem in problems] == [
        ("an escape stands for no character", True)
    ]


def test_a_cursor_walks_through_a_document() -> None:
    document, _ = read_rules("a:\n  b: 1\n  c: [x, {d: ~}]\n", "r")
    assert document is not None
    inner = document.cursor.get("a")
    assert inner is not None
    assert [(key, one.raw, str(one.key_place), str(one.place)) for key, one in inner.items()] == [
        ("b", 1, "r:2:3", "r:2:6"),
        ("c", ["x", {"d": None}], "r:3:3", "r:3:6"),
    ]
    listed = inner.get("c")
    assert listed is not None
    assert [(one.raw, one.key_place, str(one.place)) for one in listed.each()] == [
        ("x", None, "r:3:7"),
        ({"d": None}, None, "r:3:10"),
    ]
    assert (listed.get("d"), inner.at(0), inner.get("z"), listed.at(2)) == (None, None, None, None)
    assert (list(listed.items()), list(inner.each())) == ([], [])
    assert document.cursor.key_place is None
    assert document.cursor.place == Place(file="r", line=1, column=1)


def test_a_slow_loader_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_tree.slow_loader, "used", False)
    monkeypatch.setattr(yaml_tree.slow_loader, "told", False)
    rules("a: 1")
    if yaml.__with_libyaml__:
        assert slow_loader_note() is None
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    rules("a: 1")
    note = slow_loader_note()
    assert note is not None
    assert note.kind == "note"
    assert note.cause == "PyYAML has no C library here, so reading YAML takes ten times as long"
    assert slow_loader_note() is None
