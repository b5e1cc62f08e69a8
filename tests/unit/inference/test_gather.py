"""Maps and lists that rules build together: who gives which key, in which order, and who disagrees."""

from collections.abc import Callable
from typing import Any

import pytest

from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.gather import Contribution, Given, gather, gathered_value

RULES = """\
  - {id: a, for_each: job, then: {merge: {job.tags: {x: one}}}}
  - {id: b, for_each: job, overrides: [a], then: {merge: {job.tags: {x: two}}}}
  - {id: c, for_each: job, then: {merge: {job.tags: {x: one}}}}
  - {id: d, for_each: part, then: {upsert: {part.env: [{name: x}]}}}
  - {id: e, for_each: part, then: {append: {part.from: [{name: x}]}}}"""
A, B, C, D, E = range(5)


@pytest.fixture
def one(program: Callable[[str], Program]) -> Program:
    return program(RULES)


def test_keys_come_entity_by_entity_and_rule_by_rule(one: Program) -> None:
    given: list[Contribution] = [
        ((1,), A, {"late": "1"}),
        ((0,), C, {"second": "2", "first": "1"}),
        ((0,), A, {"first": "1"}),
    ]
    assert gather(given, None, one.entries) == [
        Given(key="first", value="1", numbers=(A, C)),
        Given(key="second", value="2", numbers=(C,)),
        Given(key="late", value="1", numbers=(A,)),
    ]


def test_a_rule_that_overrides_another_takes_its_key(one: Program) -> None:
    given: list[Contribution] = [((0,), A, {"x": "1", "y": "1"}), ((0,), B, {"x": "2"})]
    assert gather(given, None, one.entries) == [
        Given(key="x", value="2", numbers=(B,), lost=((A, "1"),)),
        Given(key="y", value="1", numbers=(A,)),
    ]


def test_rules_that_disagree_conflict(one: Program) -> None:
    given: list[Contribution] = [((0,), B, {"x": "2"}), ((0,), C, {"x": "3"})]
    assert gather(given, None, one.entries) == [
        Given(key="x", value="2", numbers=(B, C), conflict=((B, "2"), (C, "3")))
    ]


def test_one_rule_may_disagree_with_itself_over_several_items(one: Program) -> None:
    given: list[Contribution] = [((0, 0), D, [{"name": "x", "at": 0}]), ((0, 1), D, [{"name": "x", "at": 1}])]
    (found,) = gather(given, "name", one.entries)
    assert found.conflict == ((D, {"name": "x", "at": 0}), (D, {"name": "x", "at": 1}))


def test_a_number_is_not_a_boolean(one: Program) -> None:
    given: list[Contribution] = [((0,), B, {"x": 1}), ((0,), C, {"x": True})]
    (found,) = gather(given, None, one.entries)
    assert found.conflict == ((B, 1), (C, True))


SEEN: list[tuple[str, list[Contribution], Any]] = [
    ("job.tags", [], None),
    ("job.tags", [((0,), C, {"b": "1"}), ((0,), A, {"a": "1"})], {"a": "1", "b": "1"}),
    ("part.env", [((0, 0), D, [{"name": "x"}, {"name": "y"}])], [{"name": "x"}, {"name": "y"}]),
    ("part.env", [((0, 0), D, [])], []),
    ("part.from", [((0, 1), E, [{"name": "x"}]), ((0, 0), E, [{"name": "y"}])], [{"name": "y"}, {"name": "x"}]),
    ("part.from", [], None),
]


@pytest.mark.parametrize(("name", "given", "value"), SEEN)
def test_the_value_that_a_reader_sees(one: Program, name: str, given: list[Contribution], value: Any) -> None:
    assert gathered_value(name, given, one.layout, one.entries) == value
