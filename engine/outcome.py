"""What came of an evaluation, in one word."""

from collections.abc import Iterable
from enum import StrEnum

from .errors import Problem, ProblemKind

__all__ = ["Outcome", "outcome_of"]


class Outcome(StrEnum):
    """What came of an evaluation; the command line has an exit code for each (design section 6)."""

    DECIDED = "decided"
    """There is a JobSet, and the API would accept it."""
    DENIED = "denied"
    """A rule refuses, or the TrainJob names another runtime (B-88)."""
    UNDECIDED = "undecided"
    """A fact is missing, so that a denial or a value stays open."""
    INVALID = "invalid"
    """A manifest is malformed, or a rule failed while evaluating."""
    INADMISSIBLE = "inadmissible"
    """The JobSet API would refuse the result; ``job_set`` shows what it would refuse."""


_BY_WEIGHT = (
    (ProblemKind.INVALID, Outcome.INVALID),
    (ProblemKind.DENIED, Outcome.DENIED),
    (ProblemKind.UNDECIDED, Outcome.UNDECIDED),
    (ProblemKind.INADMISSIBLE, Outcome.INADMISSIBLE),
)


def outcome_of(problems: Iterable[Problem]) -> Outcome:
    """The gravest outcome that the problems call for; warnings and notes change nothing."""
    kinds = {problem.kind for problem in problems}
    return next((outcome for kind, outcome in _BY_WEIGHT if kind in kinds), Outcome.DECIDED)
