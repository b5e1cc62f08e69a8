"""How readers and checks of the language add a problem."""

from ..errors import Place, Problem, ProblemKind

__all__ = ["report"]


def report(
    problems: list[Problem], place: Place | None, cause: str, help_: str | None = None, rule: str | None = None
) -> None:
    """Add one fault of a rule file; ``rule`` is the id of the rule, once that is known."""
    problems.append(Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place, rule=rule))
