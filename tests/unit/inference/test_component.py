"""The key of a situation: values of one class get the same answers, and numbers make few classes."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from trainpolicy.engine.errors import Place
from trainpolicy.engine.inference.layout import make_layout
from trainpolicy.engine.inference.leaves import answer
from trainpolicy.engine.inference.source import Source, component
from trainpolicy.engine.inference.stages import make_stages
from trainpolicy.engine.language.condition import All
from trainpolicy.engine.language.condition import Test as OneTest
from trainpolicy.engine.language.expression import Constant, TypeName, Value
from trainpolicy.engine.language.location import parse_location
from trainpolicy.engine.language.rule import Rule, Write
from trainpolicy.engine.language.vocabulary import Derived, Fact, Vocabulary

PLACE = Place(file="rules.yaml", line=1, column=1)
TESTS: dict[TypeName, list[tuple[str, Value]]] = {
    "integer": [
        *product(("equals", "not_equals", "at_least", "at_most", "greater_than", "less_than"), (0, 3, -2)),
        ("one_of", [1, 4]),
        ("none_of", [0, 4]),
        ("present", True),
    ],
    "boolean": [("equals", True), ("not_equals", True), ("equals", False), ("present", False)],
    "text": [
        ("equals", "a"),
        ("not_equals", "b"),
        ("one_of", ["a", "c"]),
        ("none_of", ["b"]),
        ("starts_with", "a"),
        ("ends_with", "b"),
        ("empty", True),
        ("present", True),
    ],
    "list": [
        ("contains", "a"),
        ("contains", "b"),
        ("contains", "c"),
        ("contains", "d"),
        ("contains_any", ["a", "d"]),
        ("equals", ["a"]),
        ("empty", False),
        ("empty", True),
        ("contains", 1),
        ("contains", {"a": 1}),
    ],
    "map": [("contains", "a"), ("contains", "b"), ("empty", True), ("equals", {"a": 1}), ("present", True)],
}
VALUES: dict[TypeName, list[Value | None]] = {
    "integer": [None, *range(-4, 7), 2**63, -(2**63)],
    "boolean": [None, True, False],
    "text": [None, "", "a", "b", "ab", "c", "ba", "d"],
    "list": [None, [], ["a"], ["b"], ["a", "b"], ["c"], ["d"], [1], [True], [{"a": 1}], [{"a": True}], ["a", {}]],
    "map": [None, {}, {"a": 1}, {"a": True}, {"b": 1}, {"a": 1, "b": 2}],
}


def classes(kind: TypeName, tests: list[tuple[str, Value]], default: Value | None = None) -> Callable[[Any], object]:
    """The compiled class of a value for these tests."""
    at = parse_location("trainJob/x")
    fact = Fact(
        name="x",
        at=at,
        type=kind,
        of=None,
        required=default is None,
        default=default,
        minimum=None,
        maximum=None,
        keep=None,
        unit=None,
        meaning="",
        entity=None,
        place=PLACE,
    )
    target = Derived(
        name="y",
        type="integer",
        of=None,
        default=None,
        minimum=None,
        maximum=None,
        unit=None,
        meaning="",
        entity=None,
        place=PLACE,
    )
    asked = [OneTest(name="x", word=word, operand=Constant(value=operand), place=PLACE) for word, operand in tests]
    rule = Rule(
        id="r",
        title="",
        why=None,
        source=(),
        for_each=None,
        given=All(items=()),
        condition=All(items=tuple(asked)),
        statements=(Write(kind="define", name="y", value=Constant(value=1), place=PLACE),),
        overrides=(),
        examples=(),
        place=PLACE,
    )
    vocabulary = Vocabulary(names={"x": fact, "y": target}, entities={}, objects={})
    layout = make_layout(make_stages((rule,), vocabulary), vocabulary)
    source = Source(layout)
    source.line(f"return {component(source, layout, 'x', asked)}")
    compiled = source.compile("def key(r0):")

    def of(value: Value | None) -> object:
        row: list[Value | None] = [None] * len(layout.names[None])
        row[layout.slots["x"].index] = value
        return compiled(row)

    return of


def subsets(kind: TypeName) -> list[list[tuple[str, Value]]]:
    """Each test alone, each two, and all but one."""
    tests = TESTS[kind]
    singles = [[one] for one in tests]
    pairs = [[one, other] for one, other in product(tests, tests)]
    most = [tests[:at] + tests[at + 1 :] for at in range(len(tests))]
    return [*singles, *pairs, *most]


@pytest.mark.parametrize("kind", list(TESTS))
def test_values_of_one_class_get_the_same_answers(kind: TypeName) -> None:
    for tests in subsets(kind):
        of = classes(kind, tests)
        seen: dict[object, tuple[Value | None, list[bool | None]]] = {}
        for value in VALUES[kind]:
            answers = [answer(word, value, operand) for word, operand in tests]
            known = seen.setdefault(of(value), (value, answers))
            assert known[1] == answers, (tests, known[0], value)


@pytest.mark.parametrize(
    ("kind", "tests", "count"),
    [
        # With the class of what is missing.
        pytest.param("integer", [("at_least", 2)], 3, id="one threshold"),
        pytest.param("integer", [("greater_than", 1), ("less_than", 2)], 3, id="the same threshold in other words"),
        pytest.param("integer", [("equals", 2)], 4, id="below, at and above"),
        pytest.param("integer", [("at_most", 0), ("at_least", 3)], 4, id="two thresholds"),
        pytest.param("text", [("equals", "a")], 3, id="this text and all others"),
        pytest.param("text", [("one_of", ["a", "b"]), ("none_of", ["c"])], 5, id="each text that is named"),
        pytest.param("boolean", [("equals", True)], 3, id="yes and no"),
        pytest.param("list", [("empty", True)], 3, id="empty or not"),
        pytest.param("map", [("present", True)], 2, id="there or not"),
    ],
)
def test_there_are_no_more_classes_than_answers_need(
    kind: TypeName, tests: list[tuple[str, Value]], count: int
) -> None:
    of = classes(kind, tests)
    assert len({of(value) for value in VALUES[kind]}) == count


@pytest.mark.parametrize("kind", list(TESTS))
def test_a_fact_with_a_default_has_classes_too(kind: TypeName) -> None:
    default: Value = {"integer": 1, "boolean": True, "text": "a", "list": [], "map": {}}[kind]  # type: ignore[assignment]
    for tests in subsets(kind):
        of = classes(kind, tests, default)
        seen: dict[object, list[bool | None]] = {}
        for value in VALUES[kind]:
            if value is not None:
                answers = [answer(word, value, operand) for word, operand in tests]
                assert seen.setdefault(of(value), answers) == answers, (tests, value)


def test_a_class_can_be_looked_up() -> None:
    for kind in TESTS:
        for tests in subsets(kind):
            of = classes(kind, tests)
            assert {hash(of(value)) for value in VALUES[kind]}
