"""What one TrainJob has become: its evaluation with all problems placed, or why there could be none."""

from typing import TYPE_CHECKING, NamedTuple

from trainpolicy.engine import Outcome, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainpolicy.engine import Evaluation, Inputs, Policy, Prepared, Request

__all__ = ["EXIT_CODES", "Result", "results"]

EXIT_CODES = {
    Outcome.DECIDED: 0,
    Outcome.DENIED: 1,
    Outcome.UNDECIDED: 3,
    Outcome.INVALID: 4,
    Outcome.INADMISSIBLE: 5,
}


class Result(NamedTuple):
    """``evaluation`` is None when the TrainJob has no runtime; the outcome is then INVALID."""

    request: "Request"
    evaluation: "Evaluation | None"
    outcome: Outcome
    problems: tuple[Problem, ...]


def results(policy: "Policy", inputs: "Inputs") -> "Iterator[Result]":
    """Evaluate each TrainJob in the order of the input; a runtime is prepared once."""
    prepared: dict[int, Prepared] = {}
    for request in inputs.requests:
        evaluation = None
        if request.runtime is not None:
            # The manifests live as long as the inputs, so their ids stay theirs.
            part = prepared.get(id(request.runtime.data))
            if part is None:
                part = prepared[id(request.runtime.data)] = policy.prepare(request.runtime.data)
            evaluation = part.evaluate(request.train_job.data, request.job_set.data if request.job_set else None)
        yield Result(
            request=request,
            evaluation=evaluation,
            outcome=evaluation.outcome if evaluation else Outcome.INVALID,
            problems=tuple(
                request.locate(problem) for problem in (*request.problems, *(evaluation.problems if evaluation else ()))
            ),
        )
