"""How long one decision of the numNodes policy takes, here and in other rule engines.

Run: python benchmarks/decision.py [DECISIONS]
"""

import sys
from collections.abc import Callable, Iterator
from itertools import count, islice, product
from pathlib import Path

from measure import Row, Turn, heading, interleaved, table
from peers import Case, Peer, cel_peer, durable_host, plain, rule_engine_peer, zen_peers

from trainpolicy.engine import Policy

RULES = Path(__file__).parent / "rules" / "nodes"
BAR = 0.35


def main(decisions: int) -> None:
    with Policy.load(rules=RULES) as policy:
        policy.decide({})  # compiles, so that what is held below is the compiled decision
        ours = Peer(name="trainpolicy", context=_facts, decide=policy.decide, read=_answer)
        zen = zen_peers()
        peers = [ours, plain(), *zen, cel_peer(), rule_engine_peer()]
        for peer in peers:
            _check(peer, plain(), list(_grid()))
        fresh = _fresh()
        for title, cases in (
            ("One decision, facts never seen before", lambda: list(islice(fresh, decisions))),
            ("One decision, repeated facts", lambda: list(islice(_fresh(), 16)) * (decisions // 16)),
        ):
            heading(title)
            # The floor and zen have many rounds; what is a hundred times slower needs fewer.
            times = interleaved({peer.name: _turns(peer, cases) for peer in peers}, calls=decisions // 16 * 16)
            best = min((peer.name for peer in zen), key=lambda name: times[name])
            apart = min((peer.name for peer in zen if "by hand" not in peer.name), key=lambda name: times[name])
            table(
                [
                    Row(
                        name=name,
                        seconds=seconds,
                        ratio=seconds / times[best],
                        bar=BAR if name == ours.name else None,
                    )
                    for name, seconds in times.items()
                ],
                against="zen's best",
            )
            print(
                f"\nzen's best: {best}; rules kept apart: {apart}, of which trainpolicy takes "
                f"{times[ours.name] / times[apart]:.2f}"
            )
        # Its Host starts threads, so it comes last and has only trainpolicy beside it.
        host = durable_host()
        _check(host, plain(), list(_grid()))
        heading("durable-rules through its own Host, facts never seen before")
        few = max(decisions // 50, 16)
        times = interleaved(
            {peer.name: _turns(peer, lambda: list(islice(fresh, few))) for peer in (ours, host)}, calls=few
        )
        table(
            [Row(name=name, seconds=seconds, ratio=seconds / times[ours.name]) for name, seconds in times.items()],
            against="trainpolicy",
        )


def _facts(case: Case) -> dict[str, object]:
    facts: dict[str, object] = {
        "mpi.runLauncherAsNode": case.launcher_is_node,
        "jobSet.jobs.roles": list(case.roles),
        "job.name": case.job,
    }
    if case.mpi:
        facts["mpi"] = {}
    if case.wanted is not None:
        facts["trainJob.numNodes"] = case.wanted
    if case.suggested is not None:
        facts["runtime.numNodes"] = case.suggested
    return facts


def _answer(conclusion: object) -> tuple[int | None, int | None]:
    values = conclusion.values
    return values.get("numNodes"), values.get("job.pods")


def _grid() -> Iterator[Case]:
    """Every way the policy can go."""
    numbers, jobs = (None, 0, 1, 2, 16), ("node", "launcher", "other")
    roles = ((), ("trainer",), ("dataset-initializer", "trainer"))
    for fields in product((True, False), numbers, numbers, (True, False), roles, jobs):
        yield Case(*fields)


def _fresh() -> Iterator[Case]:
    """Cases with numbers that never come back, through the ways that decide something."""
    for number in count(2):
        yield Case(
            mpi=True,
            wanted=number if number % 4 else None,
            suggested=number + 1,
            launcher_is_node=number % 3 != 0,
            roles=("trainer",),
            job="launcher" if number % 5 == 0 else "node",
        )


def _check(peer: Peer, floor: Peer, cases: list[Case]) -> None:
    for case in cases:
        expected = floor.read(floor.decide(floor.context(case)))
        answer = peer.read(peer.decide(peer.context(case)))
        if answer != expected:
            raise SystemExit(f"{peer.name} answers {answer}, not {expected}, to {case}")


def _turns(peer: Peer, cases: Callable[[], list[Case]]) -> Callable[[], Turn]:
    def ready() -> Turn:
        contexts = [peer.context(case) for case in cases()]
        if peer.decide_all is not None:
            decide_all = peer.decide_all
            return lambda: decide_all(contexts)
        decide = peer.decide

        def turn() -> None:
            for context in contexts:
                decide(context)

        return turn

    return ready


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3200)
