"""A runtime made ready: everything about an evaluation that does not depend on the TrainJob is done once."""

from collections.abc import Mapping
from typing import Any

from .errors import Problem, ProblemKind
from .evaluation import Evaluation, Outcome
from .inference.decide import Program, Trace
from .inference.execute import gathered_conflicts
from .inference.facts import FactReader
from .inference.findings import failed, findings, unmet
from .inference.items import Item, Items, Reordering
from .inference.layout import Row
from .kubernetes.admissibility import admissibility
from .kubernetes.admission import admit
from .kubernetes.base_jobset import prepare
from .kubernetes.objects import ObjectWriter
from .kubernetes.settings import ConflictError, SettingsWriter, TargetError
from .language.functions import EvaluationError
from .language.vocabulary import Location, Member

__all__ = ["Prepared"]


class Prepared:
    """One runtime under one policy; evaluates any number of TrainJobs. Made by ``Policy.prepare``."""

    __slots__ = (
        "_admitted",
        "_base",
        "_moving",
        "_objects",
        "_problems",
        "_program",
        "_reader",
        "_runtime",
        "_template",
        "_writer",
    )

    def __init__(self, program: Program, runtime: Mapping[str, Any]) -> None:
        self._program = program
        self._runtime = runtime
        self._reader = FactReader(program.layout)
        self._writer = SettingsWriter(program.layout, program.entries)
        self._objects = ObjectWriter(program.layout, program.entries)
        kind = runtime.get("kind") if isinstance(runtime, Mapping) else None
        admitted = admit(runtime, kind if kind == "TrainingRuntime" else "ClusterTrainingRuntime")
        self._problems = admitted.problems
        self._admitted: dict[str, Any] = admitted.document
        self._base = prepare(admitted.document) if not admitted.problems else None

    def evaluate(self, train_job: Mapping[str, Any], job_set: Mapping[str, Any] | None = None) -> Evaluation:
        """Decide one TrainJob.

        :param train_job: the manifest as a user writes it; it is not changed
        :param job_set: an existing JobSet to make patches against; facts come from a fresh base all the same

        Everything that can go wrong with the input is a problem of the answer, never an exception.
        """
        admitted = admit(train_job, "TrainJob")
        problems = (*self._problems, *admitted.problems)
        if problems or self._base is None:
            return Evaluation(outcome=Outcome.INVALID, problems=problems)
        document = admitted.document
        stranger = _mismatch(document, self._admitted)
        if stranger is not None:
            return Evaluation(outcome=Outcome.DENIED, problems=(stranger,))
        run = _Run(self, document)
        return run.evaluation(dict(job_set) if job_set is not None else None)


def _mismatch(train_job: dict[str, Any], runtime: dict[str, Any]) -> Problem | None:
    """The TrainJob must name the runtime (B-88); its field is spelled as the controller spells it (S-21)."""
    ref = train_job["spec"]["runtimeRef"]
    kind, name = runtime["kind"], runtime["metadata"].get("name")
    namespaces = (runtime["metadata"].get("namespace"), train_job["metadata"].get("namespace"))
    same_place = kind != "TrainingRuntime" or None in namespaces or namespaces[0] == namespaces[1]
    if ref["kind"] == kind and ref["name"] == name and same_place:
        return None
    return Problem(
        kind=ProblemKind.DENIED,
        cause=f"the TrainJob names the {ref['kind']} `{ref['name']}`, not the {kind} `{name}`",
        help=f"name `{name}` in `spec.runtimeRef`, or evaluate with the runtime that is named",
        document="trainJob",
        path=("spec", "RuntimeRef" if ref["kind"] == "ClusterTrainingRuntime" else "runtimeRef"),
    )
