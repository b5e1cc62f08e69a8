"""What went wrong, where, and what to do about it.

Problems are values: a reader gathers them and shows them together. The few exceptions carry problems too, so no
caller ever has to take a message apart.
"""

from enum import StrEnum

from .record import Record

__all__ = [
    "InvalidInput",
    "InvalidRules",
    "Place",
    "Problem",
    "ProblemKind",
    "TrainPolicyError",
    "UsageError",
    "field_text",
]


class Place(Record):
    """A position in a file that a person can open; lines and columns count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


def field_text(path: tuple[str | int, ...]) -> str:
    """A path as people write it: ``spec.trainer.env[2].name``, ``labels["a/b"]``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif "." in step or "/" in step or not step:
            text += f'["{step}"]'
        else:
            text += f".{step}" if text else step
    return text


class ProblemKind(StrEnum):
    """Why a problem matters; the command line derives its exit code from it (design section 6)."""

    DENIED = "denied"
    """A rule refuses (exit 1)."""
    WARNING = "warning"
    """A rule advises; nothing is refused."""
    UNDECIDED = "undecided"
    """A fact is missing, so a rule cannot tell (exit 3)."""
    INVALID = "invalid"
    """A manifest, rule or profile is malformed, or a rule failed while evaluating (exit 4)."""
    INADMISSIBLE = "inadmissible"
    """The JobSet API would refuse the result (exit 5)."""
    NOTE = "note"
    """Something was passed over, for example a manifest of another kind."""


class Problem(Record):
    """One finding: a cause in words, where it is, and what helps.

    ``cause`` is lower case without a full stop, user text in backticks. ``document`` and ``path`` name the field that
    the finding is about (``"trainJob"``, ``("spec", "trainer", "numNodes")``); ``place`` is set once the file is known,
    or is the place of the rule for a fault of a rule.
    """

    kind: ProblemKind
    cause: str
    help: str | None = None
    place: Place | None = None
    document: str | None = None
    path: tuple[str | int, ...] = ()
    rule: str | None = None

    @property
    def field(self) -> str | None:
        """The field as people write it, ``spec.trainer.env[2].name``; None when the finding is about no field."""
        return None if self.document is None else field_text(self.path)

    def __str__(self) -> str:
        start = f"{self.place}: " if self.place else f"{self.document}: " if self.document else ""
        return start + self.cause + (f"\n  help: {self.help}" if self.help else "")


class TrainPolicyError(Exception):
    """Base of all exceptions of trainpolicy; ``problems`` holds every finding, in the order of the input."""

    def __init__(self, problems: "tuple[Problem, ...] | list[Problem]") -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class InvalidRules(TrainPolicyError):
    """Rules, vocabulary or profile cannot be used (exit 4)."""


class InvalidInput(TrainPolicyError):
    """A manifest file cannot be read, or there is nothing to evaluate (exit 4)."""


class UsageError(TrainPolicyError):
    """The caller asked for something that does not exist: a profile, a parameter, a path (exit 2)."""
