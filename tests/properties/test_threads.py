"""One program serves many threads, may be closed at any time, and gives its memory back."""

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from trainpolicy.engine.inference.conclusion import Conclusion, concluder
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.items import Items
from trainpolicy.engine.inference.layout import Row
from trainpolicy.engine.inference.matcher import DurableMatcher, ReferenceMatcher
from trainpolicy.engine.language.expression import Value
from trainpolicy.engine.language.functions import EvaluationError
from trainpolicy.engine.language.ruleset import RuleSet

World = list[tuple[tuple[int, ...], str | None, dict[str, Value]]]
MakeRuleSet = Callable[[int], RuleSet]
MakeFacts = Callable[[int, int], list[dict[str, Value]]]
MakeWorlds = Callable[[int, int], list[World]]
MakeProgram = Callable[[RuleSet, str], Program]
RowsOf = Callable[[Program, World], tuple[Row, Items]]

THREADS = 8
STATUS = Path("/proc/self/statm")


def in_threads(work: Callable[[int], None]) -> None:
    """Do the work in all threads at once; what one of them raises is raised here."""
    start = threading.Barrier(THREADS)
    raised: list[BaseException] = []

    def begin(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - raised again below
            raised.append(error)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def told(conclusion: Conclusion) -> str:
    return repr((conclusion.outcome, conclusion.problems, conclusion.values))


def left(program: Program, world: World, rows_of: RowsOf) -> str:
    """The values that a run leaves, or why it fails."""
    row, items = rows_of(program, world)
    try:
        moves = program.run(row, items)
    except EvaluationError as error:
        return error.cause
    return repr(
        (row[:-1], [[(one.position, one.row) for one in found] for found in items.values()], [m.reason for m in moves])
    )


@pytest.mark.parametrize("matcher", ["durable", "reference"])
def test_eight_threads_conclude_what_one_does(
    random_rule_set: MakeRuleSet, random_facts: MakeFacts, program: MakeProgram, matcher: str
) -> None:
    for seed in range(10):
        rule_set = random_rule_set(seed)
        given = random_facts(seed, 40)
        alone = concluder(program(rule_set, "reference"))
        expected = [told(alone(facts)) for facts in given]
        shared = concluder(program(rule_set, matcher))
        found: list[list[str]] = [[] for _ in range(THREADS)]

        def work(
            number: int,
            given: list[dict[str, Value]] = given,
            found: list[list[str]] = found,
            shared: Callable[[dict[str, Value]], Conclusion] = shared,
        ) -> None:
            # Each begins elsewhere, so that new situations are met by several at once.
            start = number * 5 % len(given)
            answers = [told(shared(facts)) for facts in given[start:] + given[:start]]
            found[number] = answers[len(given) - start :] + answers[: len(given) - start]

        in_threads(work)
        assert found == [expected] * THREADS


def test_eight_threads_decide_what_one_does_also_while_a_program_is_still_new(
    random_rule_set: MakeRuleSet, random_worlds: MakeWorlds, program: MakeProgram, rows_of: RowsOf
) -> None:
    for seed in range(10):
        rule_set = random_rule_set(seed)
        worlds = random_worlds(seed, 25)
        alone = program(rule_set, "reference")
        expected = [left(alone, world, rows_of) for world in worlds]
        # With patience the first runs are careful and one of the threads compiles while others still run.
        with_patience = Program(rule_set, "durable", patience=5)
        found: list[list[str]] = [[] for _ in range(THREADS)]

        def work(
            number: int,
            worlds: list[World] = worlds,
            found: list[list[str]] = found,
            shared: Program = with_patience,
        ) -> None:
            found[number] = [left(shared, world, rows_of) for world in worlds]

        in_threads(work)
        with_patience.close()
        assert found == [expected] * THREADS


def test_closing_while_threads_decide_changes_no_answer(
    random_rule_set: MakeRuleSet, random_facts: MakeFacts, program: MakeProgram
) -> None:
    for seed in range(8):
        rule_set = random_rule_set(seed)
        given = random_facts(seed, 40)
        alone = concluder(program(rule_set, "reference"))
        expected = [told(alone(facts)) for facts in given]
        one = program(rule_set, "durable")
        shared = concluder(one)

        def work(
            number: int,
            given: list[dict[str, Value]] = given,
            expected: list[str] = expected,
            shared: Callable[[dict[str, Value]], Conclusion] = shared,
            one: Program = one,
        ) -> None:
            for facts, wanted in zip(given, expected, strict=True):
                if number == 0:
                    one.close()
                assert told(shared(facts)) == wanted

        in_threads(work)


def test_a_closed_program_still_decides(
    random_rule_set: MakeRuleSet, random_facts: MakeFacts, program: MakeProgram
) -> None:
    for seed in range(20):
        rule_set = random_rule_set(seed)
        given = random_facts(seed, 30)
        alone = concluder(program(rule_set, "reference"))
        one = program(rule_set, "durable")
        conclude = concluder(one)
        before = [told(conclude(facts)) for facts in given[:10]]
        one.close()
        one.close()
        # Situations that are remembered need no matcher; for new ones it is made again.
        assert [told(conclude(facts)) for facts in given[:10]] == before
        assert [told(conclude(facts)) for facts in given] == [told(alone(facts)) for facts in given]


@pytest.mark.parametrize("kind", [DurableMatcher, ReferenceMatcher])
def test_a_closed_matcher_fails_instead_of_finding_nothing(kind: type[DurableMatcher | ReferenceMatcher]) -> None:
    matcher = kind([frozenset({1}), frozenset[int]()])
    assert matcher.match({1}) == {0, 1}
    matcher.close()
    matcher.close()
    with pytest.raises(RuntimeError, match="the matcher is closed"):
        matcher.match({1})


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells the memory of a process this way")
def test_programs_that_are_closed_give_their_memory_back(random_rule_set: MakeRuleSet, random_facts: MakeFacts) -> None:
    rule_set = random_rule_set(3)
    given = random_facts(3, 10)

    def cycle(times: int) -> None:
        for _ in range(times):
            one = Program(rule_set, "durable", patience=0)
            conclude = concluder(one)
            for facts in given:
                conclude(facts)
            one.close()
        gc.collect()

    cycle(20)
    before = resident()
    cycle(120)
    # A program that is not closed holds some hundred KiB within durable-rules.
    assert resident() - before < 8 * 2**20


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells the memory of a process this way")
def test_a_matcher_asked_many_times_does_not_grow() -> None:
    matcher = DurableMatcher([frozenset({number, number + 1}) for number in range(40)])

    def ask(times: int) -> None:
        for number in range(times):
            assert matcher.match({number % 40, number % 40 + 1}) == {number % 40}

    ask(2_000)
    before = resident()
    ask(20_000)
    assert resident() - before < 2 * 2**20
    matcher.close()


def resident() -> int:
    """Memory of this process in bytes."""
    return int(STATUS.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
