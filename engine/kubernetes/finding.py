"""One reason why the JobSet API would refuse."""

from ..errors import Problem, ProblemKind

__all__ = ["inadmissible"]


def inadmissible(cause: str, path: tuple[str | int, ...], advice: str | None = None) -> Problem:
    """A finding about a field of the JobSet."""
    return Problem(kind=ProblemKind.INADMISSIBLE, cause=cause, help=advice, document="jobSet", path=path)
