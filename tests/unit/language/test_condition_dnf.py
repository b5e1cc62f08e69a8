"""Conditions become alternatives that hold exactly when the condition does."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.errors import InvalidRules, Place
from trainpolicy.engine.language import condition as model
from trainpolicy.engine.language.condition import All, AnyOf, Condition, Not
from trainpolicy.engine.language.dnf import to_dnf
from trainpolicy.engine.language.expression import Constant

_NAMES = "abcd"


def at(name: str) -> Condition:
    return model.Test(
        name=name, word="equals", operand=Constant(value=True), place=Place(file="r.yaml", line=1, column=1)
    )


def every(*items: Condition) -> All:
    return All(items=items)


def some(*items: Condition) -> AnyOf:
    return AnyOf(items=items)


def shown(condition: Condition) -> list[str]:
    """Alternatives as text: `a!b` wants a and not b."""
    return ["".join(test.name if wanted else f"!{test.name}" for test, wanted in found) for found in to_dnf(condition)]


@pytest.mark.parametrize(
    ("condition", "alternatives"),
    [
        (every(), [""]),
        (some(), []),
        (at("a"), ["a"]),
        (Not(item=at("a")), ["!a"]),
        (Not(item=Not(item=at("a"))), ["a"]),
        (every(at("a"), at("b")), ["ab"]),
        (some(at("a"), at("b")), ["a", "b"]),
        (every(at("a"), some(at("b"), at("c"))), ["ab", "ac"]),
        (every(some(at("a"), at("b")), some(at("c"), at("d"))), ["ac", "ad", "bc", "bd"]),
        (Not(item=every(at("a"), at("b"))), ["!a", "!b"]),
        (Not(item=some(at("a"), at("b"))), ["!a!b"]),
        (Not(item=every(at("a"), some(at("b"), at("c")))), ["!a", "!b!c"]),
        (Not(item=every()), []),
        (Not(item=some()), [""]),
    ],
)
def test_alternatives_come_in_the_order_that_is_written(condition: Condition, alternatives: list[str]) -> None:
    assert shown(condition) == alternatives


def holds(condition: Condition, truth: dict[str, bool]) -> bool:
    match condition:
        case model.Test():
            return truth[condition.name]
        case Not():
            return not holds(condition.item, truth)
        case All():
            return all(holds(item, truth) for item in condition.items)
        case AnyOf():
            return any(holds(item, truth) for item in condition.items)


def conditions() -> st.SearchStrategy[Condition]:
    def wider(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        lists = st.lists(inner, max_size=3).map(tuple)
        return (
            lists.map(lambda items: All(items=items))
            | lists.map(lambda items: AnyOf(items=items))
            | inner.map(lambda item: Not(item=item))
        )

    return st.recursive(st.sampled_from(_NAMES).map(at), wider, max_leaves=8)


@given(conditions())
def test_alternatives_hold_exactly_when_the_condition_does(condition: Condition) -> None:
    alternatives = to_dnf(condition)
    for values in product([False, True], repeat=len(_NAMES)):
        truth = dict(zip(_NAMES, values, strict=True))
        found = any(all(truth[test.name] is wanted for test, wanted in one) for one in alternatives)
        assert found is holds(condition, truth)


def test_512_alternatives_are_possible() -> None:
    assert len(to_dnf(every(*[some(at("a"), at("b"))] * 9))) == 512


@pytest.mark.parametrize(("pairs", "count"), [(10, "1024"), (400, "more than a thousand million")])
def test_more_alternatives_are_refused_before_they_are_made(pairs: int, count: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        to_dnf(every(*[some(at("a"), at("b"))] * pairs))
    assert str(caught.value) == (
        f"r.yaml:1:1: the conditions have {count} alternatives; 512 are possible\n"
        "  help: name a part of them by a derived name"
    )


def test_an_alternative_that_never_holds_hides_no_others() -> None:
    with pytest.raises(InvalidRules):
        to_dnf(every(*[some(at("a"), at("b"))] * 10, some()))
