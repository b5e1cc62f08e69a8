"""A runtime made ready: everything about an evaluation that does not depend on the TrainJob is done once."""

from collections.abc import Callable, Mapping
from typing import Any, Self, cast

from .errors import Problem, ProblemKind
from .evaluation import Evaluation
from .inference.decide import Program
from .inference.facts import FactReader
from .inference.items import Items
from .inference.layout import Row
from .inference.rows import RowTemplate
from .kubernetes.admission import admit
from .kubernetes.base_jobset import PreparedRuntime, prepare
from .kubernetes.objects import ObjectWriter
from .kubernetes.settings import SettingsWriter
from .language.vocabulary import Location, Member
from .outcome import Outcome
from .record import Record
from .run import Run

__all__ = ["Prepared", "Tools"]


class Tools(Record, eq=False):
    """A compiled rule set with what reads its facts and writes its settings and objects; one for each policy."""

    program: Program
    reader: FactReader
    settings: SettingsWriter
    objects: ObjectWriter

    @classmethod
    def make(cls, program: Program) -> Self:
        """Derive readers and writers from the program's layout."""
        return cls(
            program=program,
            reader=FactReader(program.layout),
            settings=SettingsWriter(program.layout, program.entries),
            objects=ObjectWriter(program.layout, program.entries),
        )


class Prepared:
    """One runtime under one policy; evaluates any number of TrainJobs. Made by ``Policy.prepare``."""

    __slots__ = ("_base", "_problems", "_template", "runtime", "tools", "user")

    def __init__(self, tools: Tools, runtime: Mapping[str, Any]) -> None:
        self.tools = tools
        self.user = runtime
        admitted = admit(runtime, _kind(runtime))
        self._problems = admitted.problems
        self.runtime: dict[str, Any] = admitted.document
        self._base: PreparedRuntime | None = prepare(self.runtime) if not self._problems else None
        self._template: RowTemplate | None = None

    def evaluate(self, train_job: Mapping[str, Any], job_set: Mapping[str, Any] | None = None) -> Evaluation:
        """Decide one TrainJob.

        :param train_job: the manifest as a user writes it; it is not changed
        :param job_set: an existing JobSet to make patches against; facts come from a fresh base all the same

        Everything that can be wrong with the input is a problem of the answer, never an exception.
        """
        admitted = admit(train_job, "TrainJob")
        if self._problems or admitted.problems:
            return Evaluation(outcome=Outcome.INVALID, problems=(*self._problems, *admitted.problems))
        given = None
        if job_set is not None:
            from .kubernetes.plain_data import plain_object  # most TrainJobs have no JobSet yet

            given, problems = plain_object(job_set, "jobSet")
            if problems:
                return Evaluation(outcome=Outcome.INVALID, problems=problems)
        stranger = _mismatch(admitted.document, self.runtime)
        if stranger is not None:
            return Evaluation(outcome=Outcome.DENIED, problems=(stranger,))
        return Run(self, admitted.document, train_job, given).evaluation()

    def base(self, train_job: dict[str, Any]) -> tuple[dict[str, Any], tuple[Problem, ...]]:
        """A fresh base JobSet for an admitted TrainJob, and what is wrong with its patches."""
        if self._base is None:
            raise AssertionError(self._problems)
        return self._base.base(train_job)

    def rows(self, train_job: dict[str, Any], job_set: dict[str, Any]) -> tuple[Row, Items, tuple[Problem, ...]]:
        """Rows and items with all facts; without patches only those of the TrainJob and its metadata are read anew."""
        if train_job["spec"].get("runtimePatches"):
            return self._read(train_job, job_set)
        if self._template is None:
            # Items remember their manifests for reasons, so they get a base that nothing is written into.
            row, items, found = self._read(train_job, self.base(train_job)[0], wanted=_settled)
            if found:
                return self._read(train_job, job_set)
            self._template = RowTemplate(self.tools.program, row, items)
        row, items = self._template.copy()
        reader = self.tools.reader
        documents = {"trainJob": train_job, "runtime": self.runtime, "jobSet": job_set}
        problems = [
            *reader.read("trainJob", train_job, row),
            *reader.read("jobSet", job_set, row, wanted=_unsettled),
        ]
        own, more = reader.items(documents, row, self.tools.program.new_row, wanted=_unsettled)
        items.update(own)
        return row, items, (*problems, *more)

    def _read(
        self, train_job: dict[str, Any], job_set: dict[str, Any], wanted: Callable[[Location], bool] | None = None
    ) -> tuple[Row, Items, tuple[Problem, ...]]:
        row = self.tools.program.new_row(None)
        documents = {"trainJob": train_job, "runtime": self.runtime, "jobSet": job_set}
        problems: list[Problem] = []
        for name, content in documents.items():
            problems += self.tools.reader.read(name, content, row, wanted=wanted)
        items, more = self.tools.reader.items(documents, row, self.tools.program.new_row, wanted=wanted)
        return row, items, (*problems, *more)


def _kind(runtime: object) -> str:
    """The kind to check a runtime against; what is neither kind is checked as the common one, and refused by it."""
    kind = cast("Mapping[str, Any]", runtime).get("kind") if isinstance(runtime, Mapping) else None
    return "TrainingRuntime" if kind == "TrainingRuntime" else "ClusterTrainingRuntime"


def _settled(location: Location) -> bool:
    """Whether what stands there is the same for all TrainJobs without patches on one runtime."""
    match location.steps:
        case _ if location.document == "trainJob":
            return False
        case (Member(name="spec"), Member(name=name), *_):
            return location.document != "jobSet" or name != "suspend"
        case _:
            return location.document != "jobSet"


def _unsettled(location: Location) -> bool:
    return not _settled(location)


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
