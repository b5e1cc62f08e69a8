"""Every example that a shipped rule carries holds, and the runner of examples tells when one does not."""

from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine.language.rule import Example, Rule
from trainpolicy.engine.language.ruleset import RuleSet, load_rule_set
from trainpolicy.engine.language.shapes import is_map
from trainpolicy.engine.review.examples import run_example

SKETCH = Path(__file__).resolve().parent.parent / "data" / "rules-sketch"


def rule_sets() -> list[RuleSet]:
    """The shipped rules, and the sketch of all of MPI where there is one."""
    found = [load_rule_set()]
    if SKETCH.is_dir():
        found.append(load_rule_set(SKETCH))
    return found


EXAMPLES = [
    pytest.param(rule_set, rule, example, id=f"{rule_set.name}: {rule.id}: {example.name}")
    for rule_set in rule_sets()
    for rule in (*rule_set.rules, *rule_set.disabled)
    for example in rule.examples
]


@pytest.mark.parametrize(("rule_set", "rule", "example"), EXAMPLES)
def test_example(rule_set: RuleSet, rule: Rule, example: Example) -> None:
    result = run_example(rule, example, rule_set.vocabulary)
    assert result.problems == ()
    assert result.passed, f"it gives {result.given}, lacking {result.lacking}"


def test_every_shipped_rule_has_an_example() -> None:
    rule_set = load_rule_set()
    assert [rule.id for rule in (*rule_set.rules, *rule_set.disabled) if not rule.examples] == []


# --- the runner itself ------------------------------------------------------------------------------------------------

RULES = """
language: 1
given: [{fact: maybe, present: true}]
rules:
  - {id: value, title: t, when: [{fact: number, at_least: 2}], then: {define: {result: "${number + least}"}}}
  - {id: defaults, title: t, for_each: part, when: [{fact: item.size, equals: 1}], then: {append: {item.lines: [a]}}}
  - {id: order, title: t, then: {order: {items: {first: a, then: b}}}}
  - {id: object, title: t, then: {create: {note: {data: {a: "${text(number)}"}}}}}
  - {id: keyed, title: t, for_each: item, then: {upsert: {item.volumes: [{name: a}]}, merge: {item.tags: {b: c}}}}
  - id: deny
    title: t
    when: [{fact: flag, equals: true}]
    then: {deny: {about: flag, message: m}, define: {third: 1}}
  - {id: warn, title: t, when: [{fact: flag, equals: true}], then: {warn: {about: flag, message: m}}}
  - {id: both, title: t, then: {warn: {about: flag, message: m}, define: {result: 1}}}
  - {id: fails, title: t, then: {define: {result: "${max(numbers)}"}}}
  - id: early
    title: t
    when: [{fact: result, present: true}]
    then: {define: {second: "${result}", third: "${second}"}}
  - {id: giving-way, title: t, overrides: [value], then: {default: {result: 1}}}
"""

CASES: list[tuple[str, dict[str, Any], Any, Any]] = [
    ("value", {"number": 3}, {"result": 4}, True),
    ("value", {"number": 3, "least": 5}, {"result": 8}, True),
    ("value", {"number": 3}, {"result": 5}, {"result": 4}),
    ("value", {"number": 3}, "none", {"result": 4}),
    ("value", {"number": 3}, {"cannot_tell": ["number"]}, {"result": 4}),
    ("value", {"number": 1}, "none", True),
    ("value", {"number": 1}, {"result": 2}, "none"),
    ("value", {"number": 1}, "deny", "none"),
    ("value", {}, {"cannot_tell": ["number"]}, True),
    ("value", {}, {"cannot_tell": ["least"]}, ["number"]),
    ("value", {}, "none", ["number"]),
    ("defaults", {}, {"item.lines": ["a"]}, True),
    ("defaults", {"item.size": 2}, "none", True),
    ("order", {}, {"items": {"first": "a", "then": "b"}}, True),
    ("order", {}, {"items": {"first": "b", "then": "a"}}, {"items": {"first": "a", "then": "b"}}),
    ("object", {"number": 1}, {"note": {"data": {"a": "1"}}}, True),
    ("keyed", {}, {"item.volumes": [{"name": "a"}], "item.tags": {"b": "c"}}, True),
    ("keyed", {}, {"item.tags": {"b": "c"}}, {"item.volumes": [{"name": "a"}], "item.tags": {"b": "c"}}),
    ("deny", {"flag": True}, "deny", True),
    ("deny", {"flag": True}, {"third": 1}, "deny"),
    ("deny", {"flag": False}, "none", True),
    ("deny", {"flag": False}, "deny", "none"),
    ("warn", {"flag": True}, "warn", True),
    ("warn", {"flag": True}, "deny", "warn"),
    ("both", {}, "warn", True),
    ("both", {}, {"result": 1}, True),
    ("both", {}, "none", {"result": 1}),
    ("fails", {"numbers": [2]}, {"result": 2}, True),
    ("fails", {"numbers": []}, {"result": 2}, "rule `fails` failed: `max` of an empty list"),
    ("early", {"result": 1}, {"second": 1, "third": 1}, True),
    ("early", {}, "none", True),
    ("giving-way", {}, {"result": 1}, True),
]


@pytest.fixture(scope="module")
def rule_set(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    folder = tmp_path_factory.mktemp("rules")
    names = (Path(__file__).parent / "bases" / "names.yaml").read_text(encoding="utf-8")
    knob = "parameters: {least: {type: integer, default: 1, meaning: A knob.}}"
    (folder / "vocabulary").mkdir()
    (folder / "vocabulary" / "names.yaml").write_text(names, encoding="utf-8")
    (folder / "ruleset.yaml").write_text(f"language: 1\nname: case\nfiles: [rules.yaml]\n{knob}\n", encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    return load_rule_set(folder)


@pytest.mark.parametrize(("rule_id", "facts", "then", "found"), CASES)
def test_what_an_example_finds(rule_set: RuleSet, rule_id: str, facts: dict[str, Any], then: Any, found: Any) -> None:
    rule = next(rule for rule in rule_set.rules if rule.id == rule_id)
    lacking: list[str] | None = then.get("cannot_tell") if is_map(then) else None
    example = Example(
        name="e",
        facts=facts,
        then=None if lacking is not None else then,
        cannot_tell=None if lacking is None else tuple(lacking),
        place=rule.place,
    )
    result = run_example(rule, example, rule_set.vocabulary)
    assert result.passed is (found is True)
    if found is not True:
        said = [problem.cause for problem in result.problems]
        assert found == (said[0] if said else list(result.lacking) if result.given is None else result.given)


def test_an_example_changes_neither_its_facts_nor_the_vocabulary(rule_set: RuleSet) -> None:
    rule = next(rule for rule in rule_set.rules if rule.id == "value")
    before = rule_set.vocabulary.names["least"]
    example = Example(name="e", facts={"number": 3, "least": 5}, then={"result": 8}, cannot_tell=None, place=rule.place)
    assert run_example(rule, example, rule_set.vocabulary).passed
    assert rule_set.vocabulary.names["least"] is before
    assert example.facts == {"number": 3, "least": 5}
