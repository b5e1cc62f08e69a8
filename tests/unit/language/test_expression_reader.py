"""YAML values become terms."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.errors import Problem
from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.expression import Call, Constant, Entries, Items, Reference, Template, Term
from trainpolicy.engine.language.expression_reader import UNREADABLE, parse_term, parse_value

Read = Callable[[str], Cursor]


def name(text: str) -> Reference:
    return Reference(name=text)


def value_of_a(read: Read, text: str) -> Cursor:
    cursor = read(f"a: {text}").get("a")
    assert cursor is not None
    return cursor


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("1", Constant(value=1)),
        ("true", Constant(value=True)),
        ("plain", Constant(value="plain")),
        ('"1"', Constant(value="1")),
        ("[1, a, {b: true}]", Constant(value=[1, "a", {"b": True}])),
        ("[]", Constant(value=[])),
        ("{}", Constant(value={})),
        ("${a}", name("a")),
        ("${a.b - 1}", Call(function="-", arguments=(name("a.b"), Constant(value=1)))),
        ("'${''x''}'", Constant(value="x")),
        ("${5}", Constant(value=5)),
        ("x${a}", Template(parts=("x", name("a")))),
        ("${a}${b}", Template(parts=(name("a"), name("b")))),
        ("${a}-${b}.c", Template(parts=(name("a"), "-", name("b"), ".c"))),
        ('"${a}\\n"', Template(parts=(name("a"), "\n"))),
        ("$${a}", Constant(value="${a}")),
        ("a $${b} ${c}", Template(parts=("a ${b} ", name("c")))),
        ("a$b {c} $(d) $", Constant(value="a$b {c} $(d) $")),
        ("[a, '${b}']", Items(items=(Constant(value="a"), name("b")))),
        ("{a: 1, b: {c: '${d}'}}", Entries(entries=(
            ("a", Constant(value=1)), ("b", Entries(entries=(("c", name("d")),)))
        ))),
    ],
)  # fmt: skip
def test_a_value_reads_as_its_term(read: Read, text: str, term: Term) -> None:
    problems: list[Problem] = []
    assert parse_term(value_of_a(read, text), problems) == term
    assert problems == []


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("null", [
            ("r.yaml:1:4: there is no null in the language\n"
             "  help: leave it out, or write a value; absent is absent")
        ]),
        ("9223372036854775808", ["r.yaml:1:4: an integer outgrows 64 bits"]),
        ("{b: [1, null]}", [
            ("r.yaml:1:12: there is no null in the language\n"
             "  help: leave it out, or write a value; absent is absent")
        ]),
        ("{'${b}': 1}", [
            ("r.yaml:1:5: the key `${b}` holds an expression\n"
             "  help: keys are written out; only values are computed")
        ]),
        ("x ${a", [
            ("r.yaml:1:4: `${` is never closed (character 3 of `x ${a`)\n"
             "  help: write `$${` for a plain `${`")
        ]),
        ("x ${a{b}}", [
            ("r.yaml:1:4: no brace can stand inside `${…}` (character 6 of `x ${a{b}}`)\n"
             "  help: close the expression with `}` first")
        ]),
        ("${a / b} and ${mx(1)}", [
            ("r.yaml:1:4: `/` cannot stand in an expression (character 5 of `${a / b} and ${mx(1)}`)\n"
             "  help: an expression has names, integers, text in quotes, `+ - *`, parentheses and functions"),
            ("r.yaml:1:4: unknown function `mx` (character 16 of `${a / b} and ${mx(1)}`)\n"
             "  help: did you mean `max`?"),
        ]),
        ('"${max(}\\n"', [
            "r.yaml:1:4: an opening parenthesis is never closed (character 7 of the text)"
        ]),
        ("[" * 40 + "]" * 40, ["r.yaml:1:36: a value is nested deeper than 32 levels"]),
    ],
)  # fmt: skip
def test_what_is_no_value_is_a_problem(read: Read, text: str, problems: list[str]) -> None:
    found: list[Problem] = []
    parse_term(value_of_a(read, text), found)
    assert [str(problem) for problem in found] == problems


@pytest.mark.parametrize("text", ["null", "${a", "x ${mx()}"])
def test_what_cannot_be_read_becomes_unreadable(read: Read, text: str) -> None:
    assert parse_term(value_of_a(read, text), []) is UNREADABLE


def test_a_value_of_an_example_is_taken_as_it_is(read: Read) -> None:
    problems: list[Problem] = []
    assert parse_value(read("{'${a}': ['${b}', 1, '$${c}']}"), problems) == {"${a}": ["${b}", 1, "$${c}"]}
    assert problems == []


def test_a_value_of_an_example_holds_no_null(read: Read) -> None:
    problems: list[Problem] = []
    assert parse_value(read("[null]"), problems) is None
    assert [problem.cause for problem in problems] == ["there is no null in the language"]


def test_what_no_rule_file_holds_is_refused_too() -> None:
    problems: list[Problem] = []
    assert parse_term(Cursor("r.yaml", 1.5, 0), problems) is UNREADABLE
    assert [str(problem) for problem in problems] == [
        "r.yaml:1:1: `1.5` is no value of the language\n  help: write text in quotes"
    ]
