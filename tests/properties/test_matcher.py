"""durable-rules answers what the reference answers, whatever is asked, and its memory is freed."""

from collections.abc import Callable
from random import Random

import pytest

from trainpolicy.engine.inference.conclusion import Conclusion, concluder
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.matcher import DurableMatcher, ReferenceMatcher
from trainpolicy.engine.language.expression import Value
from trainpolicy.engine.language.ruleset import RuleSet

MakeRuleSet = Callable[[int], RuleSet]
MakeFacts = Callable[[int, int], list[dict[str, Value]]]
MakeProgram = Callable[[RuleSet, str], Program]


def conjunctions(random: Random) -> list[frozenset[int]]:
    """Few or many, short or long, over few or many keys; some empty, some twice."""
    keys = random.choice((3, 12, 60, 500))
    longest = random.choice((2, 5, 40))
    count = random.choice((0, 1, 5, 56, 57, 130))
    made = [frozenset(random.choices(range(keys), k=random.randint(0, longest))) for _ in range(count)]
    return made + made[:2]


@pytest.mark.parametrize("seed", range(60))
def test_both_matchers_find_the_same_conjunctions(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - tests, no secrets
    wanted = conjunctions(random)
    durable, reference = DurableMatcher(wanted), ReferenceMatcher(wanted)
    try:
        for _ in range(100):
            true = {key for one in random.sample(wanted, k=min(len(wanted), random.randint(0, 4))) for key in one}
            true |= set(random.choices(range(500), k=random.randint(0, 3)))
            true -= set(random.sample(sorted(true), k=min(len(true), random.randint(0, 2))))
            assert durable.match(true) == reference.match(true), true
    finally:
        durable.close()


@pytest.mark.parametrize("length", [198, 199, 200, 201, 398, 399, 600])
def test_a_conjunction_may_be_longer_than_a_shard(length: int) -> None:
    wanted = [frozenset({0}), frozenset(range(length)), frozenset(range(1, length + 1)), frozenset[int]()]
    durable, reference = DurableMatcher(wanted), ReferenceMatcher(wanted)
    try:
        for missing in (None, 0, 1, length // 2, length - 1, length):
            true = set(range(length + 1)) - {missing}
            assert durable.match(true) == reference.match(true)
    finally:
        durable.close()


def same(left: Conclusion, right: Conclusion) -> bool:
    return (left.outcome, left.problems, repr(left.values)) == (right.outcome, right.problems, repr(right.values))


def test_both_matchers_give_the_same_conclusions(
    random_rule_set: MakeRuleSet, random_facts: MakeFacts, program: MakeProgram
) -> None:
    evaluations = 0
    for seed in range(300):
        rule_set = random_rule_set(seed)
        durable = concluder(program(rule_set, "durable"))
        reference = concluder(program(rule_set, "reference"))
        for facts in random_facts(seed, 70):
            left, right = durable(facts), reference(facts)
            assert same(left, right), (seed, facts, left, right)
            evaluations += 1
    assert evaluations >= 20_000
