"""Which names are decided when, and where their values stand."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.errors import InvalidRules
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.layout import Slot
from trainpolicy.engine.inference.stages import Stage, condition_reads, make_stages, statement_reads
from trainpolicy.engine.language.ruleset import RuleSet

MakeRuleSet = Callable[[str], RuleSet]
MakeProgram = Callable[[str], Program]


def stages(rule_set: RuleSet) -> list[tuple[str | None, list[str], tuple[str, ...], tuple[str, ...]]]:
    """Each stage: its entity, its statements as rule and name, what it completes and what it orders."""

    def brief(stage: Stage) -> tuple[str | None, list[str], tuple[str, ...], tuple[str, ...]]:
        entries = [f"{entry.rule.id}: {entry.target}" for entry in stage.entries]
        return stage.entity, entries, stage.completes, stage.orders

    return [brief(stage) for stage in make_stages(rule_set.rules, rule_set.vocabulary)]


def test_names_that_need_nothing_of_each_other_share_a_stage(rule_set: MakeRuleSet) -> None:
    rules = "  - {id: a, then: {define: {count: 1, usual: 2}}}\n  - {id: b, then: {define: {count: 1}}}"
    assert stages(rule_set(rules)) == [(None, ["a: count", "a: usual", "b: count"], ("count", "usual"), ())]


@pytest.mark.parametrize(
    "reader",
    [
        "when: [{fact: count, at_least: 1}], then: {define: {usual: 1}}",
        "then: {define: {usual: '${count}'}}",
        "when: [{fact: standard, at_least: '${count}'}], then: {define: {usual: 1}}",
    ],
)
def test_a_name_comes_after_what_its_writers_read(rule_set: MakeRuleSet, reader: str) -> None:
    rules = f"  - {{id: r, {reader}}}\n  - {{id: w, then: {{define: {{count: 1}}}}}}"
    assert stages(rule_set(rules)) == [
        (None, ["w: count"], ("count",), ()),
        (None, ["r: usual"], ("usual",), ()),
    ]


def test_all_rivals_for_a_name_are_in_one_stage(rule_set: MakeRuleSet) -> None:
    rules = (
        "  - {id: a, then: {define: {count: 1}}}\n"
        "  - {id: b, when: [{fact: usual, equals: 1}], then: {define: {count: 2}}}\n"
        "  - {id: c, then: {define: {usual: 1}}}"
    )
    assert stages(rule_set(rules)) == [
        (None, ["c: usual"], ("usual",), ()),
        (None, ["a: count", "b: count"], ("count",), ()),
    ]


def test_each_statement_is_in_the_stage_of_the_name_it_writes(rule_set: MakeRuleSet) -> None:
    rules = (
        "  - {id: a, for_each: job, then: {define: {job.share: 1}, append: {lines: ['${job.name}']}}}\n"
        "  - {id: b, for_each: job, then: {set: {job.pods: '${job.share}'}}}"
    )
    assert stages(rule_set(rules)) == [
        ("job", ["a: job.share", "a: lines"], ("job.share", "lines"), ()),
        ("job", ["b: job.pods"], ("job.pods",), ()),
    ]


def test_a_list_that_several_scopes_fill_is_complete_after_the_last(rule_set: MakeRuleSet) -> None:
    rules = (
        "  - {id: part, for_each: part, then: {append: {lines: ['${part.name}']}}}\n"
        "  - {id: whole, then: {append: {lines: [x]}}}\n"
        "  - {id: read, when: [{fact: lines, empty: false}], then: {define: {count: 1}}}"
    )
    assert stages(rule_set(rules)) == [
        (None, ["whole: lines"], (), ()),
        ("part", ["part: lines"], ("lines",), ()),
        (None, ["read: count"], ("count",), ()),
    ]


def test_items_are_visited_after_their_order_is_settled(rule_set: MakeRuleSet) -> None:
    rules = (
        "  - {id: part, for_each: part, then: {append: {lines: ['${part.name}']}}}\n"
        "  - {id: order, when: [{fact: count, equals: 1}], then: {order: {jobs: {first: b, then: a}}}}\n"
        "  - {id: count, then: {define: {count: 1}}}"
    )
    assert stages(rule_set(rules)) == [
        (None, ["count: count"], ("count",), ()),
        (None, ["order: jobs"], ("jobs",), ("jobs",)),
        ("part", ["part: lines"], ("lines",), ()),
    ]


def test_a_denial_comes_after_the_names_it_reads(rule_set: MakeRuleSet) -> None:
    rules = (
        "  - {id: deny, when: [{fact: count, at_least: 2}], then: {deny: {about: number, message: 'no ${title}'}}}\n"
        "  - {id: count, then: {define: {count: 1}}}"
    )
    assert stages(rule_set(rules)) == [
        (None, ["count: count"], ("count",), ()),
        (None, ["deny: None"], (), ()),
    ]


def test_who_asks_for_the_name_of_a_manifest_reads_what_is_in_it(rule_set: MakeRuleSet) -> None:
    found = rule_set(
        "  - {id: a, then: {append: {lines: ['${name(note)}']}}}\n  - {id: b,"
        " then: {create: {note: {data: {x: '${number}'}}}}, when: [{fact: number, present: true}]}"
    )
    (first,) = found.rules[0].statements
    (second,) = found.rules[1].statements
    assert statement_reads(first, found.vocabulary) == {"title"}
    assert statement_reads(second, found.vocabulary) == {"number"}
    assert condition_reads(found.rules[1].condition, found.vocabulary) == {"number"}


def test_loops_and_parameters_are_not_read(rule_set: MakeRuleSet) -> None:
    found = rule_set(
        "  - {id: a,"
        " then: {append: {lines: {repeat: [{i: '${standard}'}, {j: '${least}'}], text: '${title}${i}${j}'}}}}"
    )
    (statement,) = found.rules[0].statements
    assert statement_reads(statement, found.vocabulary) == {"standard", "title"}


def test_a_circle_names_the_names_and_the_rules_on_it(program: MakeProgram) -> None:
    rules = (
        "  - {id: a, then: {define: {count: '${usual}'}}}\n"
        "  - {id: b, when: [{fact: job.share, at_least: 1}], for_each: job, then: {append: {lines: [x]}}}\n"
        "  - {id: c, then: {define: {usual: '${len(lines)}'}}}\n"
        "  - {id: d, for_each: job, then: {define: {job.share: '${count}'}}}\n"
        "  - {id: e, for_each: job, then: {set: {job.pods: '${count}'}}}"
    )
    with pytest.raises(InvalidRules) as raised:
        program(rules)
    (problem,) = raised.value.problems
    assert problem.cause == (
        "names depend on each other in a circle: `count` → `usual` → `lines` → `job.share` → `count`, "
        "by the rules `a`, `b`, `c`, `d`"
    )
    assert problem.place is not None
    assert problem.place.line == 3


def test_only_names_in_use_have_a_slot(program: MakeProgram) -> None:
    layout = program(
        "  - {id: a, for_each: job, when: [{fact: number, present: true}],"
        " then: {set: {job.pods: '${number + least}'}}}"
    ).layout
    assert layout.names == {None: ("number",), "job": ("job.pods",)}
    assert layout.slots == {"number": Slot(depth=0, index=0), "job.pods": Slot(depth=1, index=0)}
    assert layout.lookup(([3], [None]))("number") == 3
    assert layout.lookup(([3], [None]))("least") == 1
    assert layout.lookup(([3], [None]))("job.pods") is None


def test_a_row_starts_with_the_defaults_of_the_vocabulary(program: MakeProgram) -> None:
    layout = program(
        "  - {id: a, then: {append: {lines: ['${title}']}}}\n"
        "  - {id: b, when: [{fact: usual, at_least: '${standard}'}, {fact: names, empty: true}],"
        " then: {define: {count: 1}}}"
    ).layout
    row = layout.empty(None)
    assert dict(zip(layout.names[None], row, strict=True)) == {
        "count": None,
        "lines": [],
        "names": [],
        "standard": 1,
        "title": None,
        "usual": 5,
    }
    assert [layout.names[None][index] for index in layout.lists(None)] == ["lines"]
    assert [name for name in layout.names[None] if layout.always_known(name)] == ["names", "standard"]


def test_what_rules_build_together_is_gathered(program: MakeProgram) -> None:
    layout = program(
        "  - {id: a, for_each: job, then: {append: {lines: [x]}, merge: {job.tags: {x: v}}}}\n"
        "  - {id: b, then: {append: {lines: [v]}}}\n"
        "  - {id: c, for_each: part, then: {upsert: {part.env: [{name: x}]}, set: {part.args: [x]}}}\n"
        "  - {id: d, when: [{fact: lines, empty: false}], then: {define: {count: 1}}}"
    ).layout
    assert layout.appended == {"lines", "job.tags", "part.env"}
    assert layout.gathered == {"lines", "job.tags", "part.env"}
    # Only what is read has its value beside the contributions.
    assert "value of lines" in layout.slots
    assert "value of job.tags" not in layout.slots


def test_a_list_of_one_stage_is_filled_in_place(program: MakeProgram) -> None:
    layout = program("  - {id: a, for_each: job, then: {append: {lines: [x]}}}").layout
    assert layout.appended == {"lines"}
    assert layout.gathered == frozenset()
