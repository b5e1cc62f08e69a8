"""Why a field has its value: tests that held, names that were read, values that lost, rules that were close."""

from collections.abc import Callable
from typing import Any

import pytest

from trainpolicy.engine.decision import Because, Decision, Origin
from trainpolicy.engine.evaluation import Evaluation
from trainpolicy.engine.policy import Policy

Decide = Callable[..., Evaluation]


def job(name: str, size: int | None = None, **container: Any) -> dict[str, Any]:
    """A job of a runtime with one container `m`."""
    spec: dict[str, Any] = {"template": {"spec": {"containers": [{"name": "m", "image": "i", **container}]}}}
    return {"name": name, "template": {"spec": spec | ({} if size is None else {"parallelism": size})}}


@pytest.fixture
def decide(policy: Callable[[str], Policy]) -> Decide:
    """``(rules, jobs, number, standard)``: what these rules make of such a TrainJob on such a runtime."""

    def evaluate(
        rules: str, *jobs: dict[str, Any], number: int | None = None, standard: int | None = None
    ) -> Evaluation:
        spec: dict[str, Any] = {"template": {"spec": {"replicatedJobs": list(jobs or (job("a"),))}}}
        kind = {"apiVersion": "trainer.kubeflow.org/v1alpha1"}
        runtime = {
            **kind,
            "kind": "ClusterTrainingRuntime",
            "metadata": {"name": "r"},
            "spec": spec | ({} if standard is None else {"mlPolicy": {"numNodes": standard}}),
        }
        train_job = {
            **kind,
            "kind": "TrainJob",
            "metadata": {"name": "t", "namespace": "default"},
            "spec": {"runtimeRef": {"name": "r"}} | ({} if number is None else {"trainer": {"numNodes": number}}),
        }
        return policy(rules).evaluate(runtime=runtime, train_job=train_job)

    return evaluate


def named(decisions: tuple[Decision, ...], name: str, *keys: str | None) -> Decision:
    """The one decision on a name, for an item and a map or list key when they are given."""
    entity, key = (*keys, None, None)[:2]
    (found,) = [
        one
        for one in decisions
        if one.target.name == name
        and (entity is None or one.target.entity[0][1] == entity)
        and (key is None or one.target.key == key)
    ]
    return found


def origin(one: Origin | None) -> object:
    """Kind and place of an origin, briefly: the rule file's line, or document and path."""
    if one is None:
        return None
    match one.kind:
        case "document":
            return one.document, one.path
        case "rule":
            return "rule", one.rules, one.place and one.place.line
        case "default":
            return "default", one.document, one.path, one.place is not None
        case _:
            return one.kind, one.place is not None


def told(reasons: tuple[Because, ...]) -> list[tuple[str, str, object, object]]:
    return [(one.fact, one.test, one.value, origin(one.origin)) for one in reasons]


def lost(decision: Decision) -> list[tuple[str | None, int | None, object, str]]:
    return [(one.rule, one.place and one.place.line, one.value, one.reason) for one in decision.shadowed]


NODES = ("trainJob", ("spec", "trainer", "numNodes"))


STANDARD = ("runtime", ("spec", "mlPolicy", "numNodes"))


def name_of(at: int) -> tuple[str, tuple[str | int, ...]]:
    return "runtime", ("spec", "template", "spec", "replicatedJobs", at, "name")


# --- because ----------------------------------------------------------------------------------------------------------


def test_all_tests_that_held_are_told_in_the_order_of_the_rule(decide: Decide) -> None:
    rules = (
        "  - {id: r, when: [{fact: standard, at_least: 2}, {fact: standard, one_of: [3, 4]}],"
        " then: {define: {count: 1}}}"
    )
    (decision,) = decide(rules, standard=3).derived
    assert told(decision.because) == [
        ("standard", "at_least 2", 3, STANDARD),
        ("standard", "one_of [3, 4]", 3, STANDARD),
    ]


def test_of_any_only_what_held_is_told(decide: Decide) -> None:
    rules = (
        "  - {id: r, when: {any: [{fact: standard, equals: 9}, {fact: standard, equals: 3}]},"
        " then: {define: {count: 1}}}"
    )
    (decision,) = decide(rules, standard=3).derived
    assert told(decision.because) == [("standard", "equals 3", 3, STANDARD)]


def test_a_test_under_not_is_told_as_such(decide: Decide) -> None:
    rules = (
        "  - {id: r, when: {not: {any: [{fact: standard, equals: 9}, {fact: title, equals: x}]}},"
        " then: {define: {count: 1}}}"
    )
    (decision,) = decide(rules, standard=3).derived
    assert told(decision.because) == [
        ("standard", "not equals 9", 3, STANDARD),
        ("title", "not equals x", "t", ("trainJob", ("metadata", "name"))),
    ]


def test_a_missing_fact_is_told_as_missing(decide: Decide) -> None:
    rules = "  - {id: r, when: [{fact: number, present: false}], then: {define: {count: 1}}}"
    (decision,) = decide(rules).derived
    assert told(decision.because) == [("number", "present false", None, NODES)]


def test_a_name_that_no_rule_decided_has_no_origin(decide: Decide) -> None:
    rules = """
  - {id: r, for_each: job, when: [{fact: count, present: false}], then: {set: {job.pods: 1}}}
  - {id: s, when: [{fact: number, present: true}], then: {define: {count: 2}}}
"""
    assert told(named(decide(rules).decisions, "job.pods").because) == [("count", "present false", None, None)]


def test_the_right_side_is_told_as_its_value(decide: Decide) -> None:
    rules = "  - {id: r, when: [{fact: standard, at_least: '${least + 2}'}], then: {define: {count: 1}}}"
    (decision,) = decide(rules, standard=3).derived
    assert told(decision.because) == [
        ("standard", "at_least 3", 3, ("runtime", ("spec", "mlPolicy", "numNodes"))),
    ]


# --- reads ------------------------------------------------------------------------------------------------------------


def test_each_name_that_was_read_is_told_with_where_it_came_from(decide: Decide) -> None:
    rules = (
        "  - {id: first, when: [{fact: number, present: true}], then: {define: {count: '${number}'}}}\n"
        "  - {id: pods, for_each: job, when: [{fact: count, at_least: 0}],"
        " then: {set: {job.pods: '${max(count, standard) + len(job.name) + usual + least}'}}}"
    )
    evaluation = decide(rules, number=3)
    decision = named(evaluation.decisions, "job.pods")
    assert decision.new == 3 + 1 + 5 + 1
    assert told(decision.reads) == [
        ("count", "", 3, ("rule", ("first",), 3)),
        ("job.name", "", "a", name_of(0)),
        ("least", "", 1, ("parameter", True)),
        ("standard", "", 1, ("default", "runtime", ("spec", "mlPolicy", "numNodes"), True)),
        ("usual", "", 5, ("default", None, (), True)),
    ]


def test_facts_of_a_job_come_from_where_the_runtime_has_it_whatever_the_order(decide: Decide) -> None:
    rules = (
        "  - {id: order, then: {order: {jobs: {first: b, then: a}}}}\n"
        "  - {id: pods, for_each: job, then: {set: {job.pods: '${job.size + 1}'}}}"
    )
    evaluation = decide(rules, job("a", 2), job("b", 5))
    size = ("template", "spec", "parallelism")
    assert [(one.target.name, one.target.entity, one.new, told(one.reads)) for one in evaluation.decisions] == [
        ("jobs", (), ["b", "a"], []),
        (
            "job.pods",
            (("job", "b"),),
            6,
            [("job.size", "", 5, ("runtime", ("spec", "template", "spec", "replicatedJobs", 1, *size)))],
        ),
        (
            "job.pods",
            (("job", "a"),),
            3,
            [("job.size", "", 2, ("runtime", ("spec", "template", "spec", "replicatedJobs", 0, *size)))],
        ),
    ]


def test_a_list_that_many_items_fill_credits_its_rules(decide: Decide) -> None:
    rules = (
        "  - {id: one, for_each: job, then: {append: {lines: ['${job.name}']}}}\n"
        "  - {id: two, then: {append: {lines: [whole]}}}\n"
        "  - {id: all, then: {create: {note: {data: {x: \"${join(lines, ',')}\"}}}}}"
    )
    evaluation = decide(rules, job("a"), job("b"))
    (lines,) = evaluation.derived
    assert (lines.new, lines.rule, lines.rules) == (["whole", "a", "b"], "two", ("two", "one"))
    note = named(evaluation.decisions, "note")
    assert told(note.reads)[0][:3] == ("lines", "", ["whole", "a", "b"])


# --- shadowed ---------------------------------------------------------------------------------------------------------


def test_a_default_that_another_rule_replaces_is_told(decide: Decide) -> None:
    rules = "  - {id: weak, then: {default: {count: '${standard + 1}'}}}\n  - {id: strong, then: {define: {count: 7}}}"
    (decision,) = decide(rules, standard=4).derived
    assert (decision.new, decision.rule) == (7, "strong")
    assert lost(decision) == [("weak", 3, 5, "a default, and another rule gives a value")]


def test_a_rule_that_is_overridden_is_told(decide: Decide) -> None:
    rules = (
        "  - {id: old, then: {define: {count: 1}}}\n"
        "  - {id: new, overrides: [old], when: [{fact: title, equals: t}], then: {define: {count: 2}}}"
    )
    (decision,) = decide(rules).derived
    assert (decision.new, decision.rules) == (2, ("new",))
    assert lost(decision) == [("old", 3, 1, "overridden by `new`")]


def test_a_rule_that_only_wants_a_fact_to_be_missing_is_told(decide: Decide) -> None:
    rules = (
        "  - {id: asked, when: [{fact: number, present: true}], then: {define: {count: '${number}'}}}\n"
        "  - {id: usual, when: [{fact: number, present: false}, {fact: title, equals: t}],"
        " then: {define: {count: '${standard}'}}}\n"
        "  - {id: never, when: [{fact: number, present: false}, {fact: title, equals: x}], then: {define: {count: 9}}}"
    )
    (decision,) = decide(rules, number=4, standard=16).derived
    assert (decision.new, decision.rule) == (4, "asked")
    assert lost(decision) == [("usual", 4, 16, "`number` is present")]
    assert decision.near == ()


def test_the_value_of_the_runtime_is_told_where_it_changes(decide: Decide) -> None:
    rules = "  - {id: r, for_each: job, then: {set: {job.pods: 3}}}"
    evaluation = decide(rules, job("a", 2), job("b", 3), job("c"))
    found = [(one.target.entity[0][1], one.old, one.new, lost(one)) for one in evaluation.decisions]
    assert found[:2] == [
        ("a", 2, 3, [(None, None, 2, "the runtime's template")]),
        ("b", 3, 3, []),
    ]


def test_an_empty_list_removes_what_the_runtime_says(decide: Decide) -> None:
    rules = "  - {id: r, for_each: part, then: {set: {part.args: []}}}"
    (decision,) = decide(rules, job("a", args=["x"])).decisions
    assert (decision.old, decision.new, lost(decision)) == (
        ["x"],
        None,
        [(None, None, ["x"], "the runtime's template")],
    )


# --- near -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "near"),
    [
        pytest.param("[{fact: standard, equals: 4}]", [("standard", "equals 4", 3, STANDARD)], id="one test"),
        pytest.param(
            "[{fact: title, equals: t}, {fact: standard, equals: 4}]",
            [("standard", "equals 4", 3, STANDARD)],
            id="the one left",
        ),
        pytest.param("[{fact: title, equals: x}, {fact: standard, equals: 4}]", [], id="two tests are not close"),
        pytest.param(
            "{any: [{fact: standard, equals: 4}, {fact: standard, equals: 5}]}",
            [("standard", "equals 4", 3, STANDARD)],
            id="the first of several that would do",
        ),
        pytest.param(
            "{not: {fact: standard, equals: 3}}", [("standard", "not equals 3", 3, STANDARD)], id="one that holds"
        ),
    ],
)
def test_rules_that_one_test_more_would_have_made_hold(
    decide: Decide, when: str, near: list[tuple[str, str, object, object]]
) -> None:
    rules = (
        f"  - {{id: r, then: {{define: {{count: 1}}}}}}\n  - {{id: s, when: {when}, then: {{define: {{count: 2}}}}}}"
    )
    (decision,) = decide(rules, standard=3).derived
    assert [one for each in decision.near for one in told((each.test,))] == near
    assert [(one.rule, one.place.line) for one in decision.near] == ([("s", 4)] if near else [])


# --- maps, lists, several fields --------------------------------------------------------------------------------------


def test_each_key_of_a_map_is_a_decision_of_its_own(decide: Decide) -> None:
    rules = (
        "  - {id: r, for_each: job, then: {merge: {job.tags: {x: one, 'a.b/c': odd}}}}\n"
        "  - {id: s, for_each: job, overrides: [r], then: {merge: {job.tags: {x: two}}}}"
    )
    decisions = decide(rules).decisions
    path = "spec.replicatedJobs[name=a].template.spec.template.metadata.labels"
    assert [(one.target.key, one.target.paths, one.new, one.rules, lost(one)) for one in decisions] == [
        ("x", (f"{path}.x",), "two", ("s",), [("r", 3, "one", "overridden by `s`")]),
        ("a.b/c", (f'{path}["a.b/c"]',), "odd", ("r",), []),
    ]


def test_each_item_of_a_keyed_list_is_a_decision_of_its_own(decide: Decide) -> None:
    rules = "  - {id: r, for_each: part, then: {upsert: {part.env: [{name: X, value: '1'}, {name: Z, value: '2'}]}}}"
    decisions = decide(rules, job("a", env=[{"name": "Z", "value": "0"}])).decisions
    path = "spec.replicatedJobs[name=a].template.spec.template.spec.containers[name=m].env"
    assert [(one.target.paths, one.target.entity, one.old, one.new, lost(one)) for one in decisions] == [
        ((f"{path}[name=X]",), (("job", "a"), ("part", "m")), None, {"name": "X", "value": "1"}, []),
        (
            (f"{path}[name=Z]",),
            (("job", "a"), ("part", "m")),
            {"name": "Z", "value": "0"},
            {"name": "Z", "value": "2"},
            [(None, None, {"name": "Z", "value": "0"}, "the runtime's template")],
        ),
    ]


def test_items_that_are_appended_stand_behind_those_of_the_runtime(decide: Decide) -> None:
    rules = "  - {id: r, for_each: part, then: {append: {part.from: [{secretRef: {name: s}}]}}}"
    (decision,) = decide(rules, job("a", envFrom=[{"configMapRef": {"name": "c"}}])).decisions
    old = {"configMapRef": {"name": "c"}}
    assert (decision.old, decision.new) == ([old], [old, {"secretRef": {"name": "s"}}])


def test_rules_that_agree_are_all_credited(decide: Decide) -> None:
    rules = (
        "  - {id: r, for_each: job, then: {set: {job.pods: 2}}}\n"
        "  - {id: s, for_each: job, then: {set: {job.pods: '${least + 1}'}}}"
    )
    (decision,) = decide(rules).decisions
    assert (decision.rule, decision.rules, decision.place.line) == ("r", ("r", "s"), 3)
    assert decision.target.paths == (
        "spec.replicatedJobs[name=a].template.spec.parallelism",
        "spec.replicatedJobs[name=a].template.spec.completions",
    )


def test_an_order_that_changes_nothing_writes_no_field(decide: Decide) -> None:
    rules = "  - {id: r, then: {order: {jobs: {first: a, then: b}}}}"
    (decision,) = decide(rules, job("a"), job("b")).decisions
    assert (decision.old, decision.new, decision.target.paths, lost(decision)) == (["a", "b"], ["a", "b"], (), [])


def test_a_manifest_stands_behind_the_fields_of_the_jobset(decide: Decide) -> None:
    rules = (
        "  - {id: note, then: {create: {note: {data: {x: '${title}'}}}}}\n"
        "  - {id: pods, for_each: job, then: {set: {job.pods: 2}}}"
    )
    decisions = decide(rules).decisions
    assert [(one.target.name, one.target.document, one.new) for one in decisions] == [
        ("job.pods", "jobSet", 2),
        ("note", "note", {"data": {"x": "t"}}),
    ]
