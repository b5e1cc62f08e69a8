"""Every example that a shipped rule carries holds, and the runner of examples tells when one does not."""

from pathlib import Path

import pytest

from trainpolicy.engine.language.rule import Example, Rule
from trainpolicy.engine.language.ruleset import RuleSet, load_rule_set
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
