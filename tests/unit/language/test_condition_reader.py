"""YAML under `when` and `given` becomes a condition."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.errors import Problem
from trainpolicy.engine.language import condition as model
from trainpolicy.engine.language.condition import All, AnyOf, Condition, Not
from trainpolicy.engine.language.condition_reader import parse_condition
from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.expression import Constant

Read = Callable[[str], Cursor]

WORDS = [
    "equals",
    "not_equals",
    "at_least",
    "at_most",
    "greater_than",
    "less_than",
    "one_of",
    "none_of",
    "present",
    "empty",
    "contains",
    "contains_any",
    "starts_with",
    "ends_with",
    "has_form",
]
_KNOWN = "the words are " + ", ".join(f"`{word}`" for word in WORDS)


def shown(condition: Condition) -> str:
    match condition:
        case model.Test():
            right = condition.operand.value if isinstance(condition.operand, Constant) else "…"
            return f"{condition.name} {condition.word} {right}"
        case Not():
            return f"not({shown(condition.item)})"
        case All():
            return f"all({', '.join(map(shown, condition.items))})"
        case AnyOf():
            return f"any({', '.join(map(shown, condition.items))})"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("[]", "all()"),
        ("{fact: a, equals: 1}", "all(a equals 1)"),
        ("[{fact: a, equals: 1}, {at_least: 2, fact: b}]", "all(a equals 1, b at_least 2)"),
        ("{all: [{fact: a, equals: 1}]}", "all(a equals 1)"),
        ("{any: [{fact: a, equals: x}, {fact: b, empty: true}]}", "all(any(a equals x, b empty True))"),
        ("{not: {fact: a, present: false}}", "all(not(a present False))"),
        (
            "[{any: [{not: {all: [{fact: a, equals: 1}, {fact: b, one_of: [1]}]}}, {fact: c, equals: '${d}'}]}]",
            "all(any(not(all(a equals 1, b one_of [1])), c equals …))",
        ),
    ],
)
def test_a_condition_reads_as_it_is_written(read: Read, text: str, condition: str) -> None:
    problems: list[Problem] = []
    assert shown(parse_condition(read(text), problems)) == condition
    assert problems == []


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_known(read: Read, word: str) -> None:
    problems: list[Problem] = []
    assert shown(parse_condition(read(f"{{fact: a, {word}: true}}"), problems)) == f"all(a {word} True)"
    assert problems == []


_WRITE = "\n  help: write it like `{fact: NAME, equals: VALUE}`"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("x", [f"r.yaml:1:1: a condition is a test, or one of `all`, `any`, `not`{_WRITE}"]),
        ("[x]", [f"r.yaml:1:2: a condition is a test, or one of `all`, `any`, `not`{_WRITE}"]),
        ("[{equals: 1}]", [f"r.yaml:1:2: a test names one `fact`{_WRITE}"]),
        ("[{fact: 1, equals: 1}]", [f"r.yaml:1:2: a test names one `fact`{_WRITE}"]),
        ("[{fact: a}]", [f"r.yaml:1:2: the test on `a` has no word; it takes exactly one\n  help: {_KNOWN}"]),
        ("[{fact: a, equals: 1, at_least: 1}]", [
            f"r.yaml:1:2: the test on `a` has `equals` and `at_least`; it takes exactly one\n  help: {_KNOWN}"
        ]),
        ("[{fact: a, equal: 1}]", ["r.yaml:1:12: unknown word `equal`\n  help: did you mean `equals`?"]),
        ("[{fcat: a, equals: 1}]", ["r.yaml:1:3: unknown word `fcat`\n  help: did you mean `fact`?"]),
        ("[{fact: a, present: 1}]", ["r.yaml:1:21: `present` takes `true` or `false`"]),
        ("[{fact: a, empty: '${b}'}]", ["r.yaml:1:19: `empty` takes `true` or `false`"]),
        ("{any: []}", ["r.yaml:1:7: `any` needs one condition at least"]),
        ("{all: x}", ["r.yaml:1:7: `all` takes a list of conditions"]),
        ("{not: [{fact: a, equals: 1}]}", [
            "r.yaml:1:7: `not` takes one condition, not a list\n  help: put `all` or `any` between them"
        ]),
        ("{all: [{fact: a, equals: 1}], any: []}", [
            ("r.yaml:1:1: `all` stands beside `any`\n"
             "  help: one map holds one of `all`, `any`, `not` or one test")
        ]),
        ("{fact: a, equals: 1, not: {}}", [
            ("r.yaml:1:1: `not` stands beside `fact`, `equals`\n"
             "  help: one map holds one of `all`, `any`, `not` or one test")
        ]),
        ("[{fact: a, equals: null}, {fact: b}]", [
            ("r.yaml:1:20: there is no null in the language\n"
             "  help: leave it out, or write a value; absent is absent"),
            f"r.yaml:1:27: the test on `b` has no word; it takes exactly one\n  help: {_KNOWN}",
        ]),
        ("{not: " * 40 + "{fact: a, equals: 1}" + "}" * 40, [
            ("r.yaml:1:193: conditions are nested deeper than 32 levels\n"
             "  help: name a part of them by a derived name")
        ]),
    ],
)  # fmt: skip
def test_what_is_no_condition_is_a_problem(read: Read, text: str, problems: list[str]) -> None:
    found: list[Problem] = []
    parse_condition(read(text), found)
    assert [str(problem) for problem in found] == problems


def test_a_test_keeps_its_place(read: Read) -> None:
    condition = parse_condition(read("- {fact: a, equals: 1}\n- not:\n    fact: b\n    equals: 1\n"), [])
    first, second = condition.items
    assert isinstance(first, model.Test)
    assert isinstance(second, Not)
    assert isinstance(second.item, model.Test)
    assert (str(first.place), str(second.item.place)) == ("r.yaml:1:3", "r.yaml:3:5")
