import pytest

from trainpolicy.cli.wording import condition_lines, term_text, value_text
from trainpolicy.engine import (
    All,
    AnyOf,
    Call,
    Condition,
    Constant,
    Entries,
    Items,
    Not,
    ObjectName,
    Place,
    Reference,
    Template,
    Term,
    Value,
)
from trainpolicy.engine import Test as Check  # pytest takes classes named Test… for its own

N, M, ONE = Reference(name="n"), Reference(name="m"), Constant(value=1)


def call(function: str, *arguments: Term) -> Call:
    return Call(function=function, arguments=arguments)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "absent"),
        (True, "true"),
        (-1, "-1"),
        ("node", "node"),
        ("", '""'),
        ("true", '"true"'),
        ("12", '"12"'),
        (" x", '" x"'),
        ("a\nb", r'"a\nb"'),
        ([1, "a"], '[1, "a"]'),
        ({"a": [True]}, '{"a": [true]}'),
    ],
)
def test_a_value_reads_as_in_a_rule(value: Value | None, expected: str) -> None:
    assert value_text(value) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Constant(value="a"), "a"),
        (N, "${n}"),
        (call("max", call("-", N, ONE), M), "${max(n - 1, m)}"),
        (call("*", call("+", N, ONE), M), "${(n + 1) * m}"),
        (call("+", N, call("*", ONE, M)), "${n + 1 * m}"),
        (call("-", N, call("-", M, ONE)), "${n - (m - 1)}"),
        (call("-", call("-", N, M), ONE), "${n - m - 1}"),
        (call("-", N), "${-n}"),
        (call("join", N, Constant(value=", ")), "${join(n, ', ')}"),
        (ObjectName(object="hosts"), "${name(hosts)}"),
        (Template(parts=("a-", N, "-", call("text", ONE))), "a-${n}-${text(1)}"),
        (Items(items=(N, Constant(value=2))), "[${n}, 2]"),
        (Entries(entries=(("a", N), ("b", Constant(value="x")))), "{a: ${n}, b: x}"),
    ],
)
def test_a_term_reads_as_in_a_rule(term: Term, expected: str) -> None:
    assert term_text(term) == expected


def test_a_condition_has_a_line_for_each_test() -> None:
    def test(name: str, word: str, value: Value) -> Check:
        return Check(name=name, word=word, operand=Constant(value=value), place=Place(file="x"))

    either: Condition = AnyOf(items=(test("b", "present", value=True),))
    assert list(condition_lines(All(items=(test("a", "at_least", 2), Not(item=either))))) == [
        "all of",
        "  a at_least 2",
        "  not",
        "    any of",
        "      b present true",
    ]
