"""The text between `${` and `}`: what it may say, and how refusals read."""

import warnings
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.language.expression import Call, Constant, ObjectName, Reference, Term, Value
from trainpolicy.engine.language.expression_parser import ExpressionError, parse_expression


def name(text: str) -> Reference:
    return Reference(name=text)


def constant(value: Value) -> Constant:
    return Constant(value=value)


def call(function: str, *arguments: Term) -> Call:
    return Call(function=function, arguments=arguments)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("numNodes", name("numNodes")),
        (" mpi.gpus.requested ", name("mpi.gpus.requested")),
        ("from.import", name("from.import")),
        ("if + 1", call("+", name("if"), constant(1))),
        ("10", constant(10)),
        ("-10", constant(-10)),
        ("-a", call("-", constant(0), name("a"))),
        ("9223372036854775807", constant(2**63 - 1)),
        ("'a b'", constant("a b")),
        ('"it\'s"', constant("it's")),
        (r"'\n\t\\\''", constant("\n\t\\'")),
        ("'é€'", constant("é€")),
        ("a + b * c", call("+", name("a"), call("*", name("b"), name("c")))),
        ("(a + b) * c", call("*", call("+", name("a"), name("b")), name("c"))),
        ("a - b - c", call("-", call("-", name("a"), name("b")), name("c"))),
        ("a\n+ b", call("+", name("a"), name("b"))),
        ("max(numNodes - 1, least)", call("max", call("-", name("numNodes"), constant(1)), name("least"))),
        ("min(a, b, 3)", call("min", name("a"), name("b"), constant(3))),
        ("max(numbers)", call("max", name("numbers"))),
        ("join(common(a, b), ', ')", call("join", call("common", name("a"), name("b")), constant(", "))),
        ("quantity(node.limits, 'gpu')", call("quantity", name("node.limits"), constant("gpu"))),
        ("len(first(a))", call("len", call("first", name("a")))),
        ("text(a)", call("text", name("a"))),
        ("name(notes)", ObjectName(object="notes")),
    ],
)
def test_an_expression_reads_as_its_term(text: str, term: Term) -> None:
    assert parse_expression(text) == term


_GRAMMAR = "an expression has names, integers, text in quotes, `+ - *`, parentheses and functions"
_ESCAPES = "the escapes are \\n \\t \\\\ \\' \\\""
_DERIVED = "name a part of it by a derived name"
_FORM = "the expression has a form that the language lacks"


@pytest.mark.parametrize(
    ("text", "cause", "offset", "help_"),
    [
        ("", "an expression is empty", 0, _GRAMMAR),
        ("  ", "an expression is empty", 0, _GRAMMAR),
        ("a / b", "`/` cannot stand in an expression", 2, _GRAMMAR),
        ("a == b", "`=` cannot stand in an expression", 2, _GRAMMAR),
        ("a[0]", "`[` cannot stand in an expression", 1, _GRAMMAR),
        ("(a).b", "`.` cannot stand in an expression", 3, _GRAMMAR),
        ("largé", "`é` cannot stand in an expression", 4, _GRAMMAR),
        ("lambda: 1", "`:` cannot stand in an expression", 6, _GRAMMAR),
        ("a b", "the expression cannot be read at `b`", 2, _GRAMMAR),
        ("a + not b", "the expression cannot be read at `b`", 8, _GRAMMAR),
        ("a +", "the expression cannot be read at `+`", 2, _GRAMMAR),
        ("a ** b", "the expression cannot be read at `*`", 3, _GRAMMAR),
        ("* a", "the expression cannot be read at `*`", 0, _GRAMMAR),
        ("--a", "the expression cannot be read at `-`", 1, _GRAMMAR),
        ("max(a,, b)", "the expression cannot be read at `,`", 6, _GRAMMAR),
        ("max(a, -)", "the expression cannot be read at `)`", 8, _GRAMMAR),
        ("max(a)(b)", "the expression cannot be read at `(`", 6, _GRAMMAR),
        ("'a'(b)", "the expression cannot be read at `(`", 3, _GRAMMAR),
        ("text(*a)", "the expression cannot be read at `*`", 5, _GRAMMAR),
        ("+a", "the expression cannot be read at `+`", 0, _GRAMMAR),
        ("a, b", _FORM, 0, _GRAMMAR),
        ("()", _FORM, 0, _GRAMMAR),
        ("(a, b)", _FORM, 0, _GRAMMAR),
        ("(a,) + b", _FORM, 0, _GRAMMAR),
        ("'a' 'b'", "the expression cannot be read at `'b'`", 4, _GRAMMAR),
        ("'a", "a text in an expression has no end or an unknown escape", 0, _ESCAPES),
        (r"'\x41'", "a text in an expression has no end or an unknown escape", 0, _ESCAPES),
        ("1.5", "`1.5` is not an integer", 0, "write it like `10`"),
        ("010", "`010` is not an integer", 0, "write it like `10`"),
        ("0x10", "`0x10` is not an integer", 0, "write it like `10`"),
        ("1_000", "`1_000` is not an integer", 0, "write it like `10`"),
        ("9223372036854775808", "an integer outgrows 64 bits", 0, None),
        ("9" * 900, "an integer outgrows 64 bits", 0, None),
        ("(a", "an opening parenthesis is never closed", 2, None),
        ("a) + (b", "a closing parenthesis has no opening one", 1, None),
        ("1 + mx(a, b)", "unknown function `mx`", 4, "did you mean `max`?"),
        ("a(b)", "unknown function `a`", 0, "known are " + ", ".join(
            f"`{known}`" for known in ("common", "first", "join", "len", "max", "min", "name", "quantity", "text")
        )),
        ("first(a, b)", "`first` takes 1 argument, not 2", 0, None),
        ("join(a)", "`join` takes 2 arguments, not 1", 0, None),
        ("max()", "`max` takes two integers or more, or one list of integers", 0, None),
        ("name('notes')", "`name` takes the name of one object", 0, "write `name(object)`"),
        ("name(a, b)", "`name` takes the name of one object", 0, "write `name(object)`"),
        ("a" * 1001, "an expression of 1001 characters is too long; 1000 are possible", 0, _DERIVED),
        ("(" * 32 + "a" + ")" * 32, "an expression is nested deeper than 32 levels", 31, _DERIVED),
        ("a" + " + a" * 200, "an expression has more than 200 parts", 0, _DERIVED),
        ("+".join("a" * 40), "an expression is nested deeper than 32 levels", 0, _DERIVED),
        ("max(" + ",".join("a" * 200) + ")", "an expression has more than 200 parts", 0, _DERIVED),
    ],
)  # fmt: skip
def test_what_the_language_lacks_is_refused_with_its_place(
    text: str, cause: str, offset: int, help_: str | None
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert (caught.value.cause, caught.value.offset, caught.value.help) == (cause, offset, help_)


def test_an_expression_may_use_all_that_is_allowed() -> None:
    assert parse_expression("(" * 31 + "a" + ")" * 31) == name("a")
    assert parse_expression("max(" + ",".join("a" * 199) + ")") == call("max", *[name("a")] * 199)


_PIECES = st.sampled_from(
    [
        "a",
        "b.c",
        "1",
        "0",
        "'x'",
        '"',
        "\\",
        "+",
        "-",
        "*",
        "(",
        ")",
        ",",
        " ",
        "max",
        "text",
        "not",
        "in",
        "f'",
        "\n",
        "é",
    ]
)


@given(st.lists(_PIECES, max_size=60).map("".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    with warnings.catch_warnings(), suppress(ExpressionError):
        warnings.simplefilter("error")
        term = parse_expression(text)
        assert isinstance(term, Constant | Reference | Call | ObjectName)
