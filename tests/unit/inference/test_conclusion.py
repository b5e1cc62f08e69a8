"""What facts by name lead to, at the edges where quick and careful ways could part."""

from collections.abc import Callable
from typing import Any

import pytest

from trainpolicy.engine.inference.conclusion import concluder, decided_value
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.items import Item, Items
from trainpolicy.engine.inference.rows import RowTemplate, named_rows
from trainpolicy.engine.language.functions import EvaluationError

MakeProgram = Callable[[str], Program]


def test_text_within_text_compiles(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, then: {append: {lines: ['<${name(note)}|${number}>']}}, when: [{fact: number, present: true}]}\n"
        "  - {id: b, then: {append: {lines: {repeat: [{i: '${standard}'}], text: '${name(note)}-${i}'}}}}"
    )
    conclusion = concluder(program(rules))({"number": 3, "title": "t", "standard": 2})
    assert conclusion.values == {"lines": ["<t-note|3>", "t-note-0", "t-note-1"]}


def test_a_parameter_that_is_asked_whether_it_is_there_is_there(program: MakeProgram) -> None:
    rules = "  - {id: a, when: [{fact: least, present: true}], then: {define: {count: '${least}'}}}"
    assert concluder(program(rules))({}).values == {"count": 1}


def test_a_repeat_without_rounds_asks_for_nothing(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, then: {append: {lines: {repeat: [{i: '${standard}'}], text: '${first(names)}-${i}'}}}}\n"
        "  - {id: b, then: {define: {count: 1}}}"
    )
    conclude = concluder(program(rules))
    assert conclude({"standard": 0, "names": []}).values == {"count": 1, "lines": []}
    assert conclude({"standard": -1, "names": []}).values == {"count": 1, "lines": []}
    assert [problem.cause for problem in conclude({"standard": 1, "names": []}).problems] == [
        "rule `a` failed: `first` of an empty list"
    ]


def test_a_list_that_is_left_open_is_not_read_as_if_it_were_empty(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, for_each: job, when: [{fact: title, equals: t}], then: {append: {lines: ['${job.name}']}}}\n"
        "  - {id: b, then: {define: {count: '${len(first(lines))}'}}}\n"
        "  - {id: c, then: {define: {usual: 1}}}"
    )
    conclusion = concluder(program(rules))({"job.name": "j"})
    assert conclusion.outcome.value == "undecided"
    assert conclusion.values == {"usual": 1}
    assert [problem.cause for problem in conclusion.problems] == [
        "rule `a` cannot tell without `title`",
        "rule `b` cannot tell without `lines`",
    ]


def test_there_is_an_item_also_when_rules_read_nothing_of_it(program: MakeProgram) -> None:
    rules = "  - {id: a, for_each: job, then: {append: {lines: [x]}}}"
    conclude = concluder(program(rules))
    assert conclude({"job.name": "j"}).values == {"lines": ["x"]}
    assert conclude({"part.name": "p"}).values == {"lines": ["x"]}
    assert conclude({}).values == {"lines": []}


def test_the_rule_whose_test_fails_is_named(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, then: {define: {usual: 3}}}\n"
        "  - {id: b, when: [{fact: title, equals: '${first(names)}'}], then: {define: {count: 1}}}"
    )
    (problem,) = concluder(program(rules))({"names": [], "title": "t"}).problems
    assert (problem.cause, problem.rule, problem.place and problem.place.line) == (
        "rule `b` failed: `first` of an empty list",
        "b",
        4,
    )


@pytest.mark.parametrize(
    ("when", "values", "causes"),
    [
        pytest.param(
            "[{fact: names, empty: false}, {fact: title, equals: '${first(names)}'}]", {}, [], id="no before it"
        ),
        pytest.param(
            "[{fact: title, equals: '${first(names)}'}, {fact: names, empty: false}]", {}, [], id="no behind it"
        ),
        pytest.param(
            "{any: [{fact: title, equals: t}, {fact: title, equals: '${first(names)}'}]}",
            {"count": 1},
            [],
            id="yes in an any",
        ),
        pytest.param(
            "{not: {all: [{fact: names, empty: false}, {fact: title, equals: '${first(names)}'}]}}",
            {"count": 1},
            [],
            id="under not",
        ),
        pytest.param(
            "[{fact: names, empty: true}, {fact: title, equals: '${first(names)}'}]",
            {},
            ["rule `a` failed: `first` of an empty list"],
            id="yes leaves it to the one that fails",
        ),
    ],
)
def test_a_right_side_without_a_value_fails_only_where_it_matters(
    program: MakeProgram, when: str, values: dict[str, Any], causes: list[str]
) -> None:
    rules = f"  - {{id: a, when: {when}, then: {{define: {{count: 1}}}}}}"
    one = program(rules)
    facts: dict[str, Any] = {"names": [], "title": "t"}
    for _ in range(2):
        conclusion = concluder(one)(facts)
        assert conclusion.values == values
        assert [problem.cause for problem in conclusion.problems] == causes
    trace, _ = one.trace(*named_rows(one, facts))
    assert [failure.entry.rule.id for failure in trace.failures] == ["a"] * len(causes)


@pytest.mark.parametrize(
    ("statement", "name"),
    [("define: {count: %d}", "count"), ("merge: {job.tags: {x: 'v%d'}}", "job.tags` key `x")],
)
def test_rules_that_override_each_other_in_a_circle_conflict(program: MakeProgram, statement: str, name: str) -> None:
    scope = "for_each: job, " if "job" in statement else ""
    rules = "\n".join(
        f"  - {{id: {rule}, {scope}overrides: [{other}], then: {{{statement % number}}}}}"
        for number, (rule, other) in enumerate(("ab", "bc", "ca"))
    )
    conclusion = concluder(program(rules))({"job.name": "j"})
    assert conclusion.outcome.value == "invalid"
    assert [problem.cause.partition(" give ")[0] for problem in conclusion.problems] == [
        "rules `a` and `b`",
        "rules `a` and `c`",
    ][: len(conclusion.problems)]
    assert all(f"`{name}`" in problem.cause or name in problem.cause for problem in conclusion.problems)


@pytest.mark.parametrize(
    ("standard", "values", "causes"),
    [
        (0, {"count": -(2**63), "usual": 1}, []),
        (1, {}, ["rule `a` failed: an integer outgrows 64 bits"]),
        (2, {}, ["rule `a` failed: an integer outgrows 64 bits"]),
    ],
)
def test_integers_have_64_bits(program: MakeProgram, standard: int, values: dict[str, Any], causes: list[str]) -> None:
    rules = (
        f"  - {{id: a, then: {{define: {{count: '${{0 - {2**62} - {2**62} - standard}}'}}}}}}\n"
        "  - {id: b, then: {define: {usual: 1}}}"
    )
    conclusion = concluder(program(rules))({"standard": standard})
    assert conclusion.values == values
    assert [problem.cause for problem in conclusion.problems] == causes


def jobs(program: Program, *sizes: int | None) -> tuple[list[Any], Items]:
    """Rows of a TrainJob with a job for each size."""
    row = program.new_row(None)
    items: Items = {"job": []}
    for at, size in enumerate(sizes):
        own = program.new_row("job")
        if size is not None:
            own[program.layout.slots["job.size"].index] = size
        if "job.name" in program.layout.slots and size is not None:
            own[program.layout.slots["job.name"].index] = f"j{size}"
        items["job"].append(Item((row, own), (at,), f"j{at}", (), None))
    return row, items


def test_what_one_item_leaves_open_stays_open_for_it_alone(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, for_each: job, when: [{fact: job.size, at_least: 0}],"
        " then: {merge: {job.tags: {x: '${job.name}'}}}}\n"
        "  - {id: b, for_each: job, when: [{fact: job.tags, empty: false}], then: {define: {job.share: 1}}}"
    )
    one = program(rules)
    row, items = jobs(one, 3, None, 4)
    one.run(row, items)
    assert [decided_value("job.tags", item.rows, one) for item in items["job"]] == [{"x": "j3"}, None, {"x": "j4"}]
    assert [decided_value("job.share", item.rows, one) for item in items["job"]] == [1, None, 1]


def test_a_list_of_the_whole_is_open_when_one_item_cannot_tell(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, for_each: job, when: [{fact: job.size, at_least: 0}], then: {append: {lines: ['${job.name}']}}}"
    )
    one = program(rules)
    row, items = jobs(one, 3, None)
    one.run(row, items)
    assert decided_value("lines", (row,), one) is None


def test_copies_of_a_template_share_nothing_that_a_run_changes(program: MakeProgram) -> None:
    one = program(
        "  - {id: a, for_each: job, then: {append: {lines: ['${job.name}']}, set: {job.pods: '${job.size}'}}}"
    )
    row, items = jobs(one, 3, 4)
    template = RowTemplate(one, row, items)
    found: list[object] = []
    for _ in range(3):
        copied, copies = template.copy()
        one.run(copied, copies)
        pods = [decided_value("job.pods", item.rows, one) for item in copies["job"]]
        found.append((decided_value("lines", (copied,), one), pods, [item.position for item in copies["job"]]))
    assert found == [(["j3", "j4"], [3, 4], [(0,), (1,)])] * 3
    assert decided_value("lines", (row,), one) == []


def test_a_failing_value_raises_and_a_careful_run_says_which(program: MakeProgram) -> None:
    one = program(
        "  - {id: a, then: {define: {count: '${max(0, standard)}', usual: '${len(first(names))}'}}}\n"
        "  - {id: b, for_each: job, then: {set: {job.pods: '${standard - 5}'}}}"
    )
    facts: dict[str, Any] = {"names": [], "standard": 1, "job.name": "j"}
    with pytest.raises(EvaluationError):
        one.run(*named_rows(one, facts))
    row, items = named_rows(one, facts)
    trace, _ = one.trace(row, items)
    assert [(failure.entry.target, failure.error.cause) for failure in trace.failures] == [
        ("usual", "`first` of an empty list"),
        ("job.pods", "`job.pods` would be -4, outside 0 to 2147483647"),
    ]
    assert decided_value("count", (row,), one) == 1
    assert decided_value("usual", (row,), one) is None
