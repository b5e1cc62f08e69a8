"""One evaluation: rows filled, rules run, the result written; carefully once more when something fails."""

from typing import TYPE_CHECKING, Any, cast

from .errors import Problem, ProblemKind
from .evaluation import Evaluation
from .inference.execute import Failure, gathered_conflicts
from .inference.findings import failed, findings, unmet
from .kubernetes.admissibility import admissibility
from .kubernetes.settings import ConflictError, TargetError
from .language.functions import EvaluationError
from .outcome import Outcome, outcome_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .decision import Decision
    from .inference.decide import Mark
    from .inference.items import Items, Reordering
    from .inference.layout import Row
    from .preparation import Prepared

__all__ = ["Run"]


class Run:
    """The evaluation of one admitted TrainJob on a prepared runtime."""

    __slots__ = ("_given", "_prepared", "_train_job", "_user")

    def __init__(
        self, prepared: "Prepared", train_job: dict[str, Any], user: Any, given: dict[str, Any] | None
    ) -> None:
        self._prepared = prepared
        self._train_job = train_job
        self._user = user
        self._given = given

    def evaluation(self) -> Evaluation:
        """Decide, quickly if nothing fails."""
        prepared = self._prepared
        job_set, problems = prepared.base(self._train_job)
        if problems:
            return Evaluation(outcome=Outcome.INVALID, problems=problems)
        row, items, problems = prepared.rows(self._train_job, job_set)
        if problems:
            return Evaluation(outcome=Outcome.INVALID, problems=tuple(problems), base=self.base)
        try:
            moves = prepared.tools.program.run(row, items)
            if row[-1] or moves:
                problems = self._findings(row, items, moves, job_set)
                outcome = outcome_of(problems)
                if outcome in (Outcome.UNDECIDED, Outcome.INVALID):
                    return self._careful()
                if outcome is not Outcome.DECIDED:
                    return self._without_result(problems)
            prepared.tools.settings.write(job_set, row, items)
            if prepared.tools.objects.conflicts(row):
                return self._careful()
        except (EvaluationError, ConflictError, TargetError):
            return self._careful()
        objects = prepared.tools.objects.write(self._train_job, row)
        problems = (*problems, *admissibility(job_set), *self._changes(job_set))
        return Evaluation(
            outcome=outcome_of(problems),
            job_set=job_set,
            objects=objects,
            problems=problems,
            base=self.base,
            given=self._given,
            explain=self._explain,
        )

    def _changes(self, job_set: dict[str, Any]) -> tuple[Problem, ...]:
        """What an existing JobSet would not let happen (B-13, B-120, B-121)."""
        if self._given is None:
            return ()
        from .kubernetes.forbidden_changes import forbidden_changes  # most TrainJobs have no JobSet yet

        found = forbidden_changes(self._given, job_set)
        spec = self._given.get("spec")
        suspended = isinstance(spec, dict) and cast("dict[str, Any]", spec).get("suspend") is True
        if suspended or self._train_job["spec"]["suspend"]:
            return found
        idle = Problem(
            kind=ProblemKind.WARNING,
            cause="the controller would write no JobSet: one exists, and neither it nor the TrainJob is suspended",
            help="suspend the TrainJob first",
            document="jobSet",
        )
        return (*found, idle)

    def base(self) -> dict[str, Any]:
        """The JobSet before policy, fresh each time."""
        return self._prepared.base(self._train_job)[0]

    def _findings(
        self,
        row: "Row",
        items: "Items",
        moves: "list[Reordering]",
        base: dict[str, Any],
        failures: "Sequence[Failure]" = (),
    ) -> tuple[Problem, ...]:
        program = self._prepared.tools.program
        documents = {"trainJob": self._train_job, "runtime": self._prepared.runtime, "jobSet": base}
        marks = cast("list[Mark]", row[-1])
        found = findings(marks, program.layout, items, documents, failures)
        return (*found, *unmet(moves, program.entries))

    def _without_result(self, problems: tuple[Problem, ...]) -> Evaluation:
        return Evaluation(
            outcome=outcome_of(problems), problems=problems, base=self.base, given=self._given, explain=self._explain
        )

    def _careful(self) -> Evaluation:
        """Go step by step and gather all that fails. A denial makes conflicts moot, but not what failed."""
        prepared = self._prepared
        job_set = self.base()
        row, items, _ = prepared.rows(self._train_job, job_set)
        trace, moves = prepared.tools.program.trace(row, items)
        said = self._findings(row, items, moves, job_set, trace.failures)
        failures = [*trace.failures, *self._conflicts(row, items), *prepared.tools.objects.conflicts(row)]
        if any(problem.kind is ProblemKind.DENIED for problem in said):
            failures = [failure for failure in failures if failure.rival is None]
        problems = (*said, *failed(failures))
        if outcome_of(problems) is Outcome.DECIDED:
            problems = (*problems, *self._target_problem(job_set, row, items))
        return self._without_result(problems)

    def _conflicts(self, row: "Row", items: "Items") -> list[Failure]:
        program = self._prepared.tools.program
        found: list[Failure] = []
        for name in sorted(program.layout.gathered):
            entity = program.layout.vocabulary.scope(name)
            for rows in [(row,)] if entity is None else [item.rows for item in items.get(entity, ())]:
                found += gathered_conflicts(name, rows, program.layout, program.entries)
        return found

    def _target_problem(self, job_set: dict[str, Any], row: "Row", items: "Items") -> list[Problem]:
        try:
            self._prepared.tools.settings.write(job_set, row, items)
        except TargetError as error:
            return [Problem(kind=ProblemKind.INVALID, cause=f"a setting has no target: {error}", document="jobSet")]
        return []

    def _explain(self) -> "tuple[tuple[Decision, ...], tuple[Decision, ...]]":
        from .inference.reasons import Reasons  # a controller that asks for no reasons does not pay for them

        prepared = self._prepared
        base = self.base()
        row, items, _ = prepared.rows(self._train_job, base)
        trace, _ = prepared.tools.program.trace(row, items)
        documents = {"trainJob": self._train_job, "runtime": prepared.runtime, "jobSet": base}
        given = {"trainJob": self._user, "runtime": prepared.user}
        return Reasons(prepared.tools.program, trace, row, items, documents, given).decisions()
