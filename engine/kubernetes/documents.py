"""Manifests in files, folders and streams, and which of them belong together.

A TrainJob finds its runtime among the files, else among the shipped runtimes. Whatever is wrong with the files is
gathered over all of them before anything is refused; a TrainJob whose runtime is nowhere is that TrainJob's problem
alone, so that the others can still be decided.
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ..errors import InvalidInput, Place, Problem, ProblemKind
from ..language.yaml_source import read_manifests, slow_loader_note
from ..record import Record, replace
from ..values.nearest import nearest_name
from .admission import admit
from .files import read_sources
from .manifest import CLUSTER_RUNTIME, NAMESPACED_RUNTIME, TRAINER_GROUP, Manifest, manifests_in, member
from .shipped import shipped_names, shipped_runtime

__all__ = ["Inputs", "Request", "collect"]

_REFERENCE = ("spec", "runtimeRef", "name")

_Identity = tuple[str, str, str]


class Request(Record):
    """One TrainJob to evaluate. Without a runtime, ``problems`` says why there is none."""

    train_job: Manifest
    runtime: Manifest | None
    job_set: Manifest | None
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The TrainJob as people call it, ``namespace/name``; ``?`` stands for a name that is missing."""
        return "/".join(part for part in (self.train_job.namespace, self.train_job.name or "?") if part)

    def place(self, document: str | None, path: tuple[str | int, ...] = ()) -> Place | None:
        """The place of a field of ``trainJob``, ``runtime`` or the base ``jobSet``; None when no file holds it.

        The spec of the base is the runtime's template, item by item unless the TrainJob patches it.
        """
        if document == "trainJob":
            return self.train_job.place(path)
        if self.runtime is None:
            return None
        if document == "runtime":
            return self.runtime.place(path)
        if document == "jobSet" and path[:1] == ("spec",) and not member(self.train_job.data, "spec", "runtimePatches"):
            return self.runtime.place(("spec", "template", *path))
        return None

    def locate(self, problem: Problem) -> Problem:
        """The problem with its place in the user's files, unless it has one already."""
        if problem.place is not None:
            return problem
        if problem.document == "jobSet" and self.job_set is not None:
            return replace(problem, place=self.job_set.place(problem.path))
        return replace(problem, place=self.place(problem.document, problem.path))


class Inputs(Record):
    """All TrainJobs in the order of the input; ``notes`` name what was passed over."""

    requests: tuple[Request, ...]
    notes: tuple[Problem, ...]


def collect(paths: Sequence[str], stdin: BinaryIO) -> Inputs:
    """Read files, folders (recursively, sorted) and ``-``, and give each TrainJob its runtime.

    Raises UsageError for a path that does not exist, and InvalidInput with all findings for files that cannot be read
    or hold no manifests, for two objects of one name, and when there is no TrainJob at all.
    """
    problems: list[Problem] = []
    notes: list[Problem] = []
    manifests: list[Manifest] = []
    for source in read_sources(paths, stdin):
        if isinstance(source, Problem):
            problems.append(source)
            continue
        documents, found = read_manifests(source.content, source.label)
        problems += found
        for item in (item for document in documents for item in manifests_in(document)):
            if isinstance(item, Manifest):
                manifests.append(item)
            else:
                (notes if item.kind is ProblemKind.NOTE else problems).append(item)
    by_identity: dict[_Identity, Manifest] = {}
    problems += _same_names(manifests, by_identity)
    if problems:
        raise InvalidInput(problems)
    requests = tuple(_request(manifest, by_identity) for manifest in manifests if manifest.kind == "TrainJob")
    if not requests:
        raise InvalidInput([*notes, _nothing(paths)])
    used = {id(request.job_set) for request in requests}
    notes += (
        Problem(
            kind=ProblemKind.NOTE,
            cause=f"skipped JobSet `{manifest.name}`: no TrainJob of that name",
            place=manifest.place(),
        )
        for manifest in manifests
        if manifest.kind == "JobSet" and id(manifest) not in used
    )
    slow = slow_loader_note()
    return Inputs(requests=requests, notes=tuple(notes if slow is None else (slow, *notes)))


def _nothing(paths: Sequence[str]) -> Problem:
    only = paths[0] if len(paths) == 1 else None
    return Problem(
        kind=ProblemKind.INVALID,
        cause="nothing to evaluate: there is no TrainJob",
        help="give a file or folder with a manifest of kind `TrainJob`",
        place=Place(file="<stdin>" if only == "-" else only) if only else None,
    )


def _same_names(manifests: list[Manifest], by_identity: dict[_Identity, Manifest]) -> Iterator[Problem]:
    """Fill the index; one problem for each manifest that is there already."""
    for manifest in manifests:
        if manifest.name is None:
            continue
        kind, namespace, name = identity = _identity(manifest.kind, manifest.namespace, manifest.name)
        other = by_identity.setdefault(identity, manifest)
        if other is not manifest:
            where = f" of namespace `{namespace}`" if namespace else ""
            yield Problem(
                kind=ProblemKind.INVALID,
                cause=f"a second {kind} `{name}`{where}; the first is at {other.place(('metadata', 'name'))}",
                help="keep one of them, or give them different names",
                place=manifest.place(("metadata", "name")),
            )


def _identity(kind: str, namespace: str | None, name: str) -> _Identity:
    return kind, "" if kind == CLUSTER_RUNTIME else namespace or "default", name


def _request(train_job: Manifest, by_identity: dict[_Identity, Manifest]) -> Request:
    name, group, kind = (member(train_job.data, *_REFERENCE[:-1], part) for part in ("name", "apiGroup", "kind"))
    group, kind = group or TRAINER_GROUP, kind or CLUSTER_RUNTIME
    runtime = job_set = None
    problems: list[Problem] = []
    if train_job.name is not None:
        job_set = by_identity.get(_identity("JobSet", train_job.namespace, train_job.name))
    if isinstance(name, str) and group == TRAINER_GROUP and kind in {CLUSTER_RUNTIME, NAMESPACED_RUNTIME}:
        runtime = by_identity.get(_identity(str(kind), train_job.namespace, name))
        if runtime is None and kind == CLUSTER_RUNTIME and name in shipped_names():
            runtime = shipped_runtime(name)
    if runtime is None:
        # Without a runtime nobody else looks at the TrainJob, and all its problems are to be told at once.
        problems += admit(train_job.data, "TrainJob").problems
        if isinstance(name, str) and not any(problem.path[:2] == _REFERENCE[:2] for problem in problems):
            what = str(kind) if group == TRAINER_GROUP else f"{kind} of `{group}`"
            shipped = ", nor is one shipped" if kind == CLUSTER_RUNTIME else ""
            problems.append(
                Problem(
                    kind=ProblemKind.INVALID,
                    cause=f"no {what} `{name}` in the files{shipped}",
                    help=_other_runtime(train_job, by_identity, str(kind), name),
                    document="trainJob",
                    path=_REFERENCE,
                )
            )
    return Request(train_job=train_job, runtime=runtime, job_set=job_set, problems=tuple(problems))


def _other_runtime(train_job: Manifest, by_identity: dict[_Identity, Manifest], kind: str, name: str) -> str:
    """What the user may have meant: the same name elsewhere, else the nearest name."""
    for (other_kind, namespace, other_name), manifest in by_identity.items():
        if other_name != name or other_kind not in {CLUSTER_RUNTIME, NAMESPACED_RUNTIME}:
            continue
        if other_kind != kind:
            return f"{manifest.place()} is a {other_kind} of that name: set `spec.runtimeRef.kind` to it"
        return (
            f"{manifest.place()} is one of namespace `{namespace}`, "
            f"but this TrainJob is of namespace `{train_job.namespace or 'default'}`"
        )
    known = [other_name for other_kind, _, other_name in by_identity if other_kind == kind]
    if kind == CLUSTER_RUNTIME:
        known += shipped_names()
    return nearest_name(name, known) or "give the runtime's file too"
