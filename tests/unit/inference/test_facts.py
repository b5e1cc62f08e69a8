"""What paths lead to, what survives of an item, and how facts come into rows."""

from collections.abc import Callable
from typing import Any

import pytest

from trainpolicy.engine.errors import Place
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.facts import FactReader
from trainpolicy.engine.inference.layout import Row, make_layout
from trainpolicy.engine.inference.reader_code import compile_reader, plain_reader
from trainpolicy.engine.inference.selection import maps, select
from trainpolicy.engine.language.expression import TypeName
from trainpolicy.engine.language.location import parse_location, parse_steps
from trainpolicy.engine.language.vocabulary import Fact, Keep, Vocabulary

DOCUMENT: dict[str, Any] = {
    "spec": {
        "size": 3,
        "off": False,
        "nothing": None,
        "labels": {"a/b": "odd", "plain": "even"},
        "jobs": [
            {"name": "x", "waits": [{"name": "y"}, {"name": "z"}], "parts": [{"env": [1, 2]}, {"env": []}]},
            {"name": "y", "waits": [], "parts": [{"env": [3]}, {}]},
            {"name": "z", "size": 0},
            "no map",
            {"name": "x", "size": 9},
        ],
    }
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("spec.size", 3),
        ("spec.off", False),
        ("spec.nothing", None),
        ("spec.absent", None),
        ("spec.size.deeper", None),
        ("absent.deeper", None),
        ('spec.labels["a/b"]', "odd"),
        ("spec.labels.plain", "even"),
        ("spec.jobs[name=z].size", 0),
        ("spec.jobs[name=x].size", None),
        ("spec.jobs[name=absent].size", None),
        ("spec.size[name=x]", None),
        ("spec.jobs[].name", ["x", "y", "z", "x"]),
        ("spec.jobs[].size", [0, 9]),
        ("spec.jobs[].absent", []),
        ("spec.absent[]", []),
        ("spec.absent[].name", []),
        ("spec.absent[name=x].waits[].name", []),
        ("spec.size[]", []),
        ("spec.jobs[name=x].waits[].name", ["y", "z"]),
        ("spec.jobs[name=y].waits[].name", []),
        ("spec.jobs[name=z].waits[].name", []),
        ("spec.jobs[].waits[].name", ["y", "z"]),
        ("spec.jobs[].parts[].env[]", [1, 2, 3]),
        ("spec.jobs[].parts[].env", [[1, 2], [], [3]]),
    ],
)
def test_select(path: str, found: object) -> None:
    assert select(DOCUMENT, parse_steps(path)) == found


@pytest.mark.parametrize(
    ("value", "found"), [([{"a": 1}, 2, "x", {}], [{"a": 1}, {}]), ({"a": 1}, []), (None, []), ("x", [])]
)
def test_maps_of_a_list(value: object, found: list[object]) -> None:
    assert maps(value) == found


def fact(path: str, kind: TypeName, keep: tuple[Keep, ...] | None = None, of: str | None = None) -> Fact:
    return Fact(
        name="fact",
        at=parse_location(path),
        type=kind,
        of=of,
        required=False,
        default=None,
        minimum=None,
        maximum=None,
        keep=keep,
        unit=None,
        meaning="",
        entity=None,
        place=Place(file="names.yaml"),
    )


def read_both_ways(one: Fact, document: Any) -> Any:
    """The value that both readers put into a row, or the cause why they put none."""
    layout = make_layout((), Vocabulary(names={"fact": one}, entities={}, objects={}))
    found: list[Any] = []
    for reader in (plain_reader([(0, one)]), compile_reader(layout, [(0, one)])):
        row: Row = [None]
        mistyped: list[Any] = []
        reader(document, row, mistyped)
        found.append((row[0], [problem.cause for _, problem in mistyped]))
    assert repr(found[0]) == repr(found[1])
    return found[0]


# How a variable of a TrainJob is built anew (B-62).
VARIABLE = (
    Keep(path=("name",)),
    Keep(path=("value",), unless=("valueFrom",), default=""),
    Keep(path=("valueFrom", "fieldRef", "fieldPath"), default=""),
    Keep(path=("valueFrom", "resourceFieldRef", "containerName"), default=""),
    Keep(path=("valueFrom", "resourceFieldRef", "divisor"), default="0"),
    Keep(path=("valueFrom", "secretKeyRef", "optional")),
)


@pytest.mark.parametrize(
    ("item", "kept"),
    [
        pytest.param({"name": "A", "value": "1", "odd": 2}, {"name": "A", "value": "1"}, id="nothing else survives"),
        pytest.param({"name": "A"}, {"name": "A", "value": ""}, id="a default is written"),
        pytest.param(
            {"name": "A", "value": "1", "valueFrom": {}}, {"name": "A", "valueFrom": {}}, id="unless another is there"
        ),
        pytest.param(
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "p", "apiVersion": "v1"}}},
            {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "p"}}},
            id="by path",
        ),
        pytest.param(
            {"name": "A", "valueFrom": {"resourceFieldRef": {"containerName": "c"}}},
            {"name": "A", "valueFrom": {"resourceFieldRef": {"containerName": "c", "divisor": "0"}}},
            id="a default is written where its parent is",
        ),
        pytest.param(
            {"name": "A", "valueFrom": {"secretKeyRef": {"optional": False}}},
            {"name": "A", "valueFrom": {"secretKeyRef": {"optional": False}}},
            id="false is a value",
        ),
        pytest.param(
            {"name": "A", "valueFrom": {"secretKeyRef": {}}},
            {"name": "A", "valueFrom": {"secretKeyRef": {}}},
            id="an empty parent survives",
        ),
        pytest.param(
            {"name": "A", "valueFrom": {"fileKeyRef": {"key": "k"}}},
            {"name": "A", "valueFrom": {}},
            id="what the vocabulary does not know is lost",
        ),
    ],
)
def test_keep(item: dict[str, Any], kept: dict[str, Any]) -> None:
    one = fact("trainJob/env", "list", VARIABLE)
    assert read_both_ways(one, {"env": [item, item]}) == ([kept, kept], [])


def test_what_is_kept_shares_nothing_with_the_document() -> None:
    deep = [1]
    document = {"env": [{"name": "A", "value": {"deep": deep}}]}
    row: Row = [None]
    plain_reader([(0, fact("trainJob/env", "list", VARIABLE))])(document, row, [])
    deep.append(2)
    assert row == [[{"name": "A", "value": {"deep": [1]}}]]


@pytest.mark.parametrize(
    ("kind", "value", "cause"),
    [
        ("integer", "3", "`trainJob/a` should be an integer, not `3`"),
        ("integer", True, "`trainJob/a` should be an integer, not `True`"),
        ("boolean", 1, "`trainJob/a` should be a boolean, not `1`"),
        ("text", 1, "`trainJob/a` should be text, not `1`"),
        ("list", {}, "`trainJob/a` should be a list, not `{}`"),
        ("map", [], "`trainJob/a` should be a map, not `[]`"),
    ],
)
def test_a_value_of_another_type_is_told_and_not_used(kind: TypeName, value: object, cause: str) -> None:
    assert read_both_ways(fact("trainJob/a", kind), {"a": value}) == (None, [cause])


@pytest.mark.parametrize(
    ("kind", "value"), [("integer", 0), ("boolean", False), ("text", ""), ("list", []), ("map", {})]
)
def test_a_value_that_is_nothing_is_a_value(kind: TypeName, value: object) -> None:
    assert read_both_ways(fact("trainJob/a", kind), {"a": value}) == (value, [])


@pytest.mark.parametrize(
    ("path", "kind", "value", "read"),
    [
        ("trainJob/a", "map", {"cpu": "1000m", "memory": "1024Mi"}, {"cpu": "1", "memory": "1Gi"}),
        ("trainJob/a", "list", ["2000m"], ["2"]),
    ],
)
def test_quantities_are_read_in_one_spelling(path: str, kind: TypeName, value: object, read: object) -> None:
    assert read_both_ways(fact(path, kind, of="quantity"), {"a": value}) == (read, [])


JOBS = {
    "spec": {
        "replicatedJobs": [
            {"name": "a", "template": {"spec": {"template": {"spec": {"containers": [{"name": "m"}, {"name": "s"}]}}}}},
            {"name": "b", "dependsOn": [{"name": "a"}], "template": {"spec": {"parallelism": 4}}},
        ]
    }
}


def test_there_is_an_item_for_each_member_of_a_list(program: Callable[[str], Program]) -> None:
    one = program("  - {id: a, for_each: part, then: {set: {part.args: ['${job.name}${job.size}${part.name}']}}}")
    row = one.new_row(None)
    items, problems = FactReader(one.layout).items({"jobSet": JOBS}, row, one.new_row)
    assert problems == []
    assert {entity: [(item.position, item.key, item.waits) for item in found] for entity, found in items.items()} == {
        "job": [((0,), "a", ()), ((1,), "b", ("a",))],
        "part": [((0, 0), "m", ()), ((0, 1), "s", ())],
    }
    assert [item.rows[0] is row for item in items["part"]] == [True, True]
    assert [item.rows[1] is items["job"][0].row for item in items["part"]] == [True, True]
    names = one.layout.names["job"]
    assert [dict(zip(names, item.row, strict=True)) for item in items["job"]] == [
        {"job.name": "a", "job.size": 1},
        {"job.name": "b", "job.size": 4},
    ]


def test_a_fault_of_an_item_is_told(program: Callable[[str], Program]) -> None:
    one = program("  - {id: a, for_each: job, then: {set: {job.pods: '${job.size}'}}}")
    wrong = {"spec": {"replicatedJobs": [{"name": "a", "template": {"spec": {"parallelism": "2"}}}]}}
    items, problems = FactReader(one.layout).items({"jobSet": wrong}, one.new_row(None), one.new_row)
    assert [problem.cause for problem in problems] == ["`job/template.spec.parallelism` should be an integer, not `2`"]
    assert len(items["job"]) == 1
