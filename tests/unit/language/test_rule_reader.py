"""A rule file becomes rules, with the place of each part."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.errors import Place, Problem
from trainpolicy.engine.language import condition as model
from trainpolicy.engine.language.condition import All
from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.expression import Constant, Entries, Items, Reference, Template
from trainpolicy.engine.language.rule import Advice, Create, Example, Order, Repeat, Rule, Write
from trainpolicy.engine.language.rule_reader import parse_rule_file

Read = Callable[[str], Cursor]

WHOLE = """\
language: 1
given:
  - {fact: a, present: true}
rules:
  - id: first
    title: The title
    why: The reason.
    source: [B-1, other]
    for_each: job
    when:
      - {fact: b, equals: 1}
    then:
      define: {c: 1}
      default: {d: "${a}"}
      set:
        e: []
      merge: {f: {x: "${a}"}}
      upsert: {g: [{name: "${a}"}]}
      append:
        h: [x]
        i: {repeat: [{k: "${a}"}, {m: 2}], text: "${k}-${m}"}
      order: {j: {first: x, then: z}}
      create: {k: {data: {}}}
      deny: {about: a, message: "no ${a}", help: do not}
      warn: {about: b, message: hm}
    overrides: [second]
    examples:
      - {name: one, facts: {a: 1, b: "${x}"}, then: {c: 1}}
      - {name: two, then: none}
      - {name: three, then: deny}
      - {name: four, then: warn}
      - {name: five, facts: {}, then: {cannot_tell: [a]}}
  - id: second
    title: Another
    then:
      define: {c: 2}
"""


def at(line: int, column: int) -> Place:
    return Place(file="r.yaml", line=line, column=column)


def test_a_rule_file_reads_as_its_rules(read: Read) -> None:
    problems: list[Problem] = []
    a = Reference(name="a")
    given = All(items=(model.Test(name="a", word="present", operand=Constant(value=True), place=at(3, 5)),))
    first = Rule(
        id="first",
        title="The title",
        why="The reason.",
        source=("B-1", "other"),
        for_each="job",
        given=given,
        condition=All(items=(model.Test(name="b", word="equals", operand=Constant(value=1), place=at(11, 9)),)),
        statements=(
            Write(kind="define", name="c", value=Constant(value=1), place=at(13, 16)),
            Write(kind="default", name="d", value=a, place=at(14, 17)),
            Write(kind="set", name="e", value=Constant(value=[]), place=at(16, 9)),
            Write(kind="merge", name="f", value=Entries(entries=(("x", a),)), place=at(17, 15)),
            Write(kind="upsert", name="g", value=Items(items=(Entries(entries=(("name", a),)),)), place=at(18, 16)),
            Write(kind="append", name="h", value=Constant(value=["x"]), place=at(20, 9)),
            Write(
                kind="append",
                name="i",
                value=Repeat(
                    loops=(("k", a), ("m", Constant(value=2))),
                    text=Template(parts=(Reference(name="k"), "-", Reference(name="m"))),
                ),
                place=at(21, 9),
            ),
            Order(name="j", first="x", then="z", place=at(22, 15)),
            Create(object="k", manifest=Constant(value={"data": {}}), place=at(23, 16)),
            Advice(
                kind="deny",
                about="a",
                message=Template(parts=("no ", a)),
                help=Constant(value="do not"),
                place=at(24, 7),
            ),
            Advice(kind="warn", about="b", message=Constant(value="hm"), help=None, place=at(25, 7)),
        ),
        overrides=("second",),
        examples=(
            Example(name="one", facts={"a": 1, "b": "${x}"}, then={"c": 1}, cannot_tell=None, place=at(28, 9)),
            Example(name="two", facts={}, then="none", cannot_tell=None, place=at(29, 9)),
            Example(name="three", facts={}, then="deny", cannot_tell=None, place=at(30, 9)),
            Example(name="four", facts={}, then="warn", cannot_tell=None, place=at(31, 9)),
            Example(name="five", facts={}, then=None, cannot_tell=("a",), place=at(32, 9)),
        ),
        place=at(5, 9),
    )
    second = Rule(
        id="second",
        title="Another",
        why=None,
        source=(),
        for_each=None,
        given=given,
        condition=All(items=()),
        statements=(Write(kind="define", name="c", value=Constant(value=2), place=at(36, 16)),),
        overrides=(),
        examples=(),
        place=at(33, 9),
    )
    assert parse_rule_file(read(WHOLE), problems) == (first, second)
    assert problems == []


_STATEMENTS = (
    "the statements are `define`, `default`, `set`, `merge`, `upsert`, `append`, `order`, `create`, `deny`, `warn`"
)


@pytest.mark.parametrize(
    ("then", "problems"),
    [
        ("x", [f"r.yaml:3:11: `then` is a map of statements\n  help: {_STATEMENTS}"]),
        ("{sets: {a: 1}}", ["r.yaml:3:12: unknown statement `sets`\n  help: did you mean `set`?"]),
        ("{set: [a]}", ["r.yaml:3:17: `set` is a map from names to values"]),
        ("{set: {a: null, b: 9223372036854775808}}", [
            ("r.yaml:3:21: there is no null in the language\n"
             "  help: leave it out, or write a value; absent is absent"),
            "r.yaml:3:30: an integer outgrows 64 bits",
        ]),
        ("{order: {a: [x, z]}}", [
            ("r.yaml:3:23: the order of `a` names what comes `first` and what comes `then`\n"
             "  help: write it like `{first: A, then: B}`")
        ]),
        ("{order: {a: {first: x, then: w, last: z}}}", [
            ("r.yaml:3:23: the order of `a` names what comes `first` and what comes `then`\n"
             "  help: write it like `{first: A, then: B}`")
        ]),
        ("{deny: never}", ["r.yaml:3:18: `deny` is a map with `about`, `message` and `help`"]),
        ("{warn: {about: a}}", ["r.yaml:3:18: `warn` needs `about` and `message`"]),
        ("{append: {a: {repeat: [], text: x}}}", [
            'r.yaml:3:24: `repeat` is a list of loops\n  help: write it like `[{number: "${COUNT}"}]`'
        ]),
        ("{append: {a: {repeat: [{k: 1, m: 2}], txt: x}}}", [
            "r.yaml:3:49: unknown key `txt` beside `repeat`\n  help: a repeat has `repeat` and `text`",
            "r.yaml:3:34: a loop is one name with its number of rounds\n  help: write it like `{number: 3}`",
            "r.yaml:3:24: `repeat` lacks its `text`",
        ]),
    ],
)  # fmt: skip
def test_what_is_no_statement_is_a_problem(read: Read, then: str, problems: list[str]) -> None:
    found: list[Problem] = []
    parse_rule_file(read(f"rules:\n  - id: a\n    then: {then}\n"), found)
    assert [str(problem) for problem in found] == problems


_THEN = "help: write values, `none`, `deny`, `warn` or `{cannot_tell: [FACT]}`"


@pytest.mark.parametrize(
    ("example", "problems"),
    [
        ("x", ["r.yaml:5:9: an example has no `name`"]),
        ("{then: none}", ["r.yaml:5:9: an example has no `name`"]),
        ("{name: a}", ["r.yaml:5:9: the example `a` does not say what comes out\n  help: add `then`"]),
        ("{name: a, facts: [x], then: none}", ["r.yaml:5:26: an example has a map from names to values"]),
        ("{name: a, facts: {x: null}, then: none}", [
            ("r.yaml:5:30: there is no null in the language\n"
             "  help: leave it out, or write a value; absent is absent")
        ]),
        ("{name: a, then: nothing}", [f"r.yaml:5:25: `then` of an example cannot be read\n  {_THEN}"]),
        ("{name: a, then: {}}", [f"r.yaml:5:25: `then` of an example cannot be read\n  {_THEN}"]),
        ("{name: a, then: {cannot_tell: [x], z: 1}}", [f"r.yaml:5:25: `then` of an example cannot be read\n  {_THEN}"]),
        ("{name: a, then: {cannot_tell: [1]}}", [f"r.yaml:5:25: `then` of an example cannot be read\n  {_THEN}"]),
    ],
)  # fmt: skip
def test_what_is_no_example_is_a_problem(read: Read, example: str, problems: list[str]) -> None:
    found: list[Problem] = []
    parse_rule_file(
        read(f"rules:\n  - id: a\n    then: {{define: {{b: 1}}}}\n    examples:\n      - {example}\n"), found
    )
    assert [str(problem) for problem in found] == problems


@pytest.mark.parametrize("text", ["rules: x", "{}", "[]", "x", "rules: []"])
def test_a_file_without_rules_has_none(read: Read, text: str) -> None:
    assert parse_rule_file(read(text), []) == ()


def test_a_rule_needs_an_id(read: Read) -> None:
    found: list[Problem] = []
    assert parse_rule_file(read("rules:\n  - {then: {}}\n  - x\n  - {id: 1}\n"), found) == ()
    assert [str(problem) for problem in found] == [f"r.yaml:{line}:5: a rule has no `id`" for line in (2, 3, 4)]


def test_a_rule_has_500_tests_at_most(read: Read) -> None:
    test = "{fact: a, equals: 1}"
    text = f"given: [{', '.join([test] * 250)}]\nrules: [{{id: r, when: [{', '.join([test] * 250)}%s]}}]\n"
    found: list[Problem] = []
    assert len(parse_rule_file(read(text % ""), found)) == 1
    assert parse_rule_file(read(text % f", {test}"), found) == ()
    assert [str(problem) for problem in found] == [
        "r.yaml:2:14: the rule has 501 tests; 500 are possible\n  help: name a part of them by a derived name"
    ]
