"""The narrow door to durable-rules: names, hashes, and what happens when the library does not do as it should."""

import subprocess
import sys
from typing import Any

import durable_rules_engine
import pytest

from trainpolicy.engine import Policy
from trainpolicy.engine.errors import UsageError
from trainpolicy.engine.inference.matcher import (
    CONJUNCTIONS_PER_SHARD,
    DurableMatcher,
    ReferenceMatcher,
    field_hash,
    field_names,
)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        # The numbers that the sources of durable-rules 2.0.28 give for these names.
        ("id", 926444256),
        ("sid", 3593476751),
        ("$m", 1690058490),
        ("all", 321211332),
        ("count", 967958004),
        ("$and", 3746487396),
        ("$or", 340911698),
        ("$nex", 2605470202),
        ("$forward", 739185624),
        ("name", 2369371622),
    ],
)
def test_the_hash_is_the_one_of_durable_rules(name: str, number: int) -> None:
    assert field_hash(name) == number


def test_names_whose_hashes_collide_are_told_apart() -> None:
    assert field_hash("k32728") == field_hash("k261234")
    assert field_names([32728, 261234]) == {32728: "k32728", 261234: "k261234x1"}


def test_keys_whose_names_would_collide_do_not_answer_for_each_other() -> None:
    matcher = DurableMatcher([frozenset({32728}), frozenset({261234}), frozenset({32728, 261234})])
    found = [matcher.match(keys) for keys in ({32728}, {261234}, {32728, 261234})]
    matcher.close()
    assert found == [{0}, {1}, {0, 1, 2}]


def test_names_of_many_keys_have_different_hashes() -> None:
    names = field_names(range(100_000))
    assert len({field_hash(name) for name in names.values()}) == 100_000


@pytest.mark.parametrize("kind", [DurableMatcher, ReferenceMatcher])
def test_a_conjunction_without_keys_always_holds(kind: type[DurableMatcher | ReferenceMatcher]) -> None:
    matcher = kind([frozenset[int](), frozenset({4})])
    found = [matcher.match(keys) for keys in (set[int](), {4}, {5})]
    matcher.close()
    assert found == [{0}, {0, 1}, {0}]


@pytest.mark.parametrize("kind", [DurableMatcher, ReferenceMatcher])
def test_without_conjunctions_nothing_is_found(kind: type[DurableMatcher | ReferenceMatcher]) -> None:
    matcher = kind([])
    assert matcher.match({1, 2}) == frozenset()
    matcher.close()


@pytest.mark.parametrize("count", [CONJUNCTIONS_PER_SHARD, CONJUNCTIONS_PER_SHARD + 1, 3 * CONJUNCTIONS_PER_SHARD])
def test_all_conjunctions_of_a_full_shard_may_hold_at_once(count: int) -> None:
    matcher = DurableMatcher([frozenset({0, number}) for number in range(count)])
    found = matcher.match(set(range(count)))
    matcher.close()
    assert found == set(range(count))


def test_asking_the_same_twice_gives_the_same() -> None:
    matcher = DurableMatcher([frozenset({1, 2}), frozenset({3})])
    found = [matcher.match(keys) for keys in ({1, 2}, {1, 2}, {1}, {3}, {1, 2})]
    matcher.close()
    assert found == [{0}, {0}, set(), {1}, {0}]


@pytest.mark.parametrize("status", [2, 3])
def test_a_fact_that_is_not_taken_is_an_error(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    matcher = DurableMatcher([frozenset({1})])
    asserted: Any = getattr(durable_rules_engine, "assert_fact")  # noqa: B009 - the library ships no types

    def observed(*arguments: Any) -> tuple[int, int]:
        return status, asserted(*arguments)[1]

    with monkeypatch.context() as patch:
        patch.setattr(durable_rules_engine, "assert_fact", observed)
        with pytest.raises(RuntimeError, match=f"durable-rules took a fact with status {status}"):
            matcher.match({1})
    assert matcher.match({1}) == {0}
    matcher.close()


@pytest.mark.parametrize("step", ["start_action_for_state", "complete_and_start_action", "retract_fact"])
def test_an_interrupted_match_does_not_change_later_answers(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    wanted = [frozenset({1}), frozenset({1, 2}), frozenset({3})]
    matcher = DurableMatcher(wanted)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(durable_rules_engine, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            matcher.match({1, 2})
    found = [matcher.match(keys) for keys in ({3}, {1}, {1, 2}, set[int](), {1, 2, 3})]
    matcher.close()
    assert found == [{2}, {0}, {0, 1}, set(), {0, 1, 2}]


def test_a_rule_set_that_cannot_be_made_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    made: Any = getattr(durable_rules_engine, "create_ruleset")  # noqa: B009 - the library ships no types
    deleted: Any = getattr(durable_rules_engine, "delete_ruleset")  # noqa: B009
    handles: list[int] = []

    def make(*arguments: Any) -> int:
        if handles:
            raise MemoryError
        handles.append(made(*arguments))
        return handles[-1]

    def delete(handle: int) -> None:
        closed.append(handle)
        deleted(handle)

    monkeypatch.setattr(durable_rules_engine, "create_ruleset", make)
    monkeypatch.setattr(durable_rules_engine, "delete_ruleset", delete)
    with pytest.raises(MemoryError):
        DurableMatcher([frozenset({number}) for number in range(2 * CONJUNCTIONS_PER_SHARD)])
    assert closed == handles


def test_the_c_library_is_loaded_for_a_new_situation_only() -> None:
    code = (
        "import sys\n"
        "from trainpolicy.engine.inference.matcher import DurableMatcher\n"
        "before = 'durable_rules_engine' in sys.modules\n"
        "DurableMatcher([frozenset({1})]).close()\n"
        "print(before, 'durable_rules_engine' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_an_unknown_matcher_is_refused_when_rules_are_loaded() -> None:
    with pytest.raises(UsageError) as raised:
        Policy.load(matcher="fast")
    (problem,) = raised.value.problems
    assert problem.cause == "unknown matcher `fast`"
    assert problem.help == "choose one of `durable`, `reference`"
