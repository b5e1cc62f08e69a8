"""Conditions mean the same joined by Kleene's logic, taken apart into alternatives, and asked of the matcher."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import pytest

from trainpolicy.engine.errors import InvalidRules, Place
from trainpolicy.engine.inference.leaves import holds
from trainpolicy.engine.inference.matcher import DurableMatcher
from trainpolicy.engine.language.condition import All, AnyOf, Condition, Not
from trainpolicy.engine.language.condition import Test as OneTest
from trainpolicy.engine.language.condition import tests_of as all_tests
from trainpolicy.engine.language.dnf import MAX_ALTERNATIVES, to_dnf
from trainpolicy.engine.language.expression import Constant

ANSWERS = (True, False, None)
TESTS = [
    OneTest(name=name, word="equals", operand=Constant(value=True), place=Place(file="rules.yaml", line=line))
    for line, name in enumerate("abcd", start=1)
]

Answer = Callable[[OneTest], bool | None]


def condition(random: Random, depth: int) -> Condition:
    if depth == 0 or random.random() < 0.2:
        return random.choice(TESTS)
    kind = random.choice(("all", "any", "not"))
    if kind == "not":
        return Not(item=condition(random, depth - 1))
    items = tuple(condition(random, depth - 1) for _ in range(random.choice((0, 1, 2, 2, 3))))
    return All(items=items) if kind == "all" else AnyOf(items=items)


def number(answer: bool | None) -> int:  # noqa: FBT001
    """No, cannot tell and yes as 0, 1 and 2: all is the least, any the greatest, not turns them round."""
    return {False: 0, None: 1, True: 2}[answer]


def in_numbers(one: Condition, answers: dict[str, bool | None]) -> int:
    match one:
        case OneTest():
            return number(answers[one.name])
        case Not():
            return 2 - in_numbers(one.item, answers)
        case All():
            return min([in_numbers(item, answers) for item in one.items], default=2)
        case AnyOf():
            return max([in_numbers(item, answers) for item in one.items], default=0)


def conditions(seeds: range) -> list[Condition]:
    """Random conditions that can be taken apart."""
    found: list[Condition] = []
    for seed in seeds:
        one = condition(Random(seed), 4)  # noqa: S311 - tests, no secrets
        try:
            to_dnf(one)
        except InvalidRules:
            continue
        found.append(one)
    return found


def all_answers() -> list[dict[str, bool | None]]:
    return [dict(zip("abcd", answers, strict=True)) for answers in product(ANSWERS, repeat=4)]


def test_joining_answers_is_least_greatest_and_turning_round() -> None:
    seen: set[int] = set()
    for one in conditions(range(300)):
        for answers in all_answers():
            expected = in_numbers(one, answers)
            seen.add(expected)
            assert number(holds(one, lambda test, answers=answers: answers[test.name])) == expected, one  # type: ignore[misc]
    assert seen == {0, 1, 2}


def test_a_condition_holds_when_an_alternative_is_answered_as_wanted() -> None:
    for one in conditions(range(1000, 1200)):
        alternatives = to_dnf(one)
        for answers in all_answers():
            found = any(all(answers[test.name] is wanted for test, wanted in each) for each in alternatives)
            assert found is (in_numbers(one, answers) == 2), one


def test_what_its_opposite_finds_is_what_does_not_hold() -> None:
    for one in conditions(range(2000, 2100)):
        try:
            alternatives = to_dnf(Not(item=one))
        except InvalidRules:
            continue
        for answers in all_answers():
            found = any(all(answers[test.name] is wanted for test, wanted in each) for each in alternatives)
            assert found is (in_numbers(one, answers) == 0), one


def keys(each: Sequence[tuple[OneTest, bool]]) -> frozenset[int]:
    return frozenset(2 * "abcd".index(test.name) + (not wanted) for test, wanted in each)


@pytest.mark.parametrize("seed", range(3000, 3030))
def test_the_matcher_finds_the_alternatives(seed: int) -> None:
    for one in conditions(range(seed, seed + 1)):
        alternatives = [keys(each) for each in to_dnf(one)]
        matcher = DurableMatcher(alternatives)
        for answers in all_answers():
            true = {2 * at + (not answers[name]) for at, name in enumerate("abcd") if answers[name] is not None}
            assert bool(matcher.match(true)) is (in_numbers(one, answers) == 2), one
        matcher.close()


@pytest.mark.parametrize("size", [9, 10, 40])
def test_alternatives_are_counted_before_they_are_made(size: int) -> None:
    pair = AnyOf(items=(TESTS[0], TESTS[1]))
    one = All(items=(pair,) * size)
    if 2**size <= MAX_ALTERNATIVES:
        assert len(to_dnf(one)) == 2**size
    else:
        with pytest.raises(InvalidRules):
            to_dnf(one)
    assert len(all_tests(one)) == 2 * size
