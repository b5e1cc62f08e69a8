"""How one decision rests on others."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainpolicy.engine import Because, Decision, Evaluation

__all__ = ["behind", "read_decisions"]


def behind(decision: "Decision", because: "Because", evaluation: "Evaluation") -> "list[Decision]":
    """The decisions that gave a fact of this one its value: of the same name, in the same or an outer scope."""
    if because.origin is None or because.origin.kind != "rule":
        return []
    scope = decision.target.entity
    return [
        one
        for one in (*evaluation.derived, *evaluation.decisions)
        if one.target.name == because.fact and one.target.entity == scope[: len(one.target.entity)]
    ]


def read_decisions(decisions: "Iterable[Decision]", evaluation: "Evaluation") -> "list[Decision]":
    """All decisions that these rest on, directly or not, each once, nearest first."""
    waiting = list(decisions)
    seen = {id(decision) for decision in waiting}
    found: list[Decision] = []
    for decision in waiting:
        for because in (*decision.because, *decision.reads):
            for one in behind(decision, because, evaluation):
                if id(one) not in seen:
                    seen.add(id(one))
                    found.append(one)
                    waiting.append(one)
    return found
