"""Problems as people read them: place first, help on its own line."""

import sys
from collections.abc import Iterable

from trainpolicy.engine import Problem, ProblemKind

from .terminal import Colour, Paint, one_line, write_error

__all__ = ["problem_text", "write_problems"]


def problem_text(problem: Problem, paint: Paint) -> str:
    """The message without a line break at its end."""
    start = one_line(f"{problem.place}: ") if problem.place else _field(problem)
    text = paint.faint(start) if problem.kind is ProblemKind.NOTE else paint.strong(start)
    if problem.kind in {ProblemKind.WARNING, ProblemKind.NOTE}:
        text += paint.doubtful(f"{problem.kind}: ")
    text += one_line(problem.cause)
    if problem.rule:
        text += f"\n  rule: {problem.rule}"
    if problem.help:
        text += f"\n  help: {one_line(problem.help)}"
    return text


def _field(problem: Problem) -> str:
    """The field of a document that has no file, unless the cause names it."""
    if problem.document is None:
        return ""
    field = "" if not problem.field or f"`{problem.field}`" in problem.cause else f" {problem.field}"
    return f"{problem.document}{field}: "


def write_problems(problems: Iterable[Problem], colour: Colour = "auto") -> None:
    """Write each on standard error, in the order given."""
    paint = Paint(colour, sys.stderr)
    for problem in problems:
        write_error(problem_text(problem, paint) + "\n")
