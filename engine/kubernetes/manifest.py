"""One object as a user wrote it, and how a document falls into such objects."""

from collections.abc import Iterator
from typing import Any, cast

from ..errors import Place, Problem, ProblemKind
from ..language.yaml_source import Document
from ..record import Record

__all__ = ["CLUSTER_RUNTIME", "NAMESPACED_RUNTIME", "TRAINER_GROUP", "Manifest", "manifests_in", "member"]

TRAINER_GROUP = "trainer.kubeflow.org"
CLUSTER_RUNTIME = "ClusterTrainingRuntime"
NAMESPACED_RUNTIME = "TrainingRuntime"
_GROUPS = {
    "TrainJob": TRAINER_GROUP,
    NAMESPACED_RUNTIME: TRAINER_GROUP,
    CLUSTER_RUNTIME: TRAINER_GROUP,
    "JobSet": "jobset.x-k8s.io",
}
_DEEPEST_LIST = 16


class Manifest(Record):
    """An object of a kind that takes part; ``at`` is its path in the document, not empty for an item of a list."""

    data: dict[str, Any]
    document: Document
    at: tuple[str | int, ...] = ()
    shipped: bool = False

    @property
    def kind(self) -> str:
        """The object's ``kind``."""
        return str(self.data["kind"])

    @property
    def name(self) -> str | None:
        """``metadata.name`` when it is text that is not empty."""
        return _text(member(self.data, "metadata", "name"))

    @property
    def namespace(self) -> str | None:
        """``metadata.namespace`` when it is text that is not empty."""
        return _text(member(self.data, "metadata", "namespace"))

    def place(self, path: tuple[str | int, ...] = ()) -> Place:
        """Where the field stands in the user's file; the nearest parent for a field that is not there."""
        return self.document.place(self.at + path)


def member(data: object, *path: str) -> object:
    """The member below maps, or None where there is none."""
    for step in path:
        data = cast("dict[str, object]", data).get(step) if isinstance(data, dict) else None
    return data


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def manifests_in(document: Document) -> Iterator[Manifest | Problem]:
    """The document itself, or the items of a list, lists in lists included; notes for kinds that are passed over."""
    if document.data is not None:
        yield from _manifests(document, document.data, (), 0)


def _manifests(document: Document, data: object, at: tuple[str | int, ...], depth: int) -> Iterator[Manifest | Problem]:
    place = document.place(at)
    if not isinstance(data, dict):
        what = "a list" if isinstance(data, list) else "text" if isinstance(data, str) else "a plain value"
        yield Problem(
            kind=ProblemKind.INVALID,
            cause=f"a manifest is a map, not {what}",
            help="write several manifests apart by `---`, or under `items` of `kind: List`",
            place=place,
        )
        return
    manifest = cast("dict[str, Any]", data)
    kind, version = manifest.get("kind"), manifest.get("apiVersion")
    if not isinstance(kind, str) or not kind:
        cause = "not a manifest: `kind` " + ("is missing" if kind is None else "must be text")
        yield Problem(kind=ProblemKind.INVALID, cause=cause, help="name the kind, such as `TrainJob`", place=place)
        return
    of = kind.removesuffix("List")
    if kind != of and (not of or of in _GROUPS):
        yield from _list_items(document, manifest, at, depth)
    elif kind in _GROUPS and (version is None or str(version).partition("/")[0] == _GROUPS[kind]):
        yield Manifest(data=manifest, document=document, at=at)
    else:
        name = _text(member(manifest, "metadata", "name"))
        version_text = f" of `{version}`" if kind in _GROUPS else ""
        cause = f"skipped {kind}{f' `{name}`' if name else ''}{version_text}: neither a TrainJob nor a runtime"
        yield Problem(kind=ProblemKind.NOTE, cause=cause, place=place)


def _list_items(
    document: Document, manifest: dict[str, Any], at: tuple[str | int, ...], depth: int
) -> Iterator[Manifest | Problem]:
    items: object = manifest.get("items")
    at = (*at, "items")
    if depth == _DEEPEST_LIST:
        cause = f"lists in lists, more than {_DEEPEST_LIST} deep"
        help_text = "write the manifests under `items` of one list"
        yield Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=document.place(at))
        return
    if items is not None and not isinstance(items, list):
        help_text = "write each manifest as an item of its own, after `- `"
        yield Problem(
            kind=ProblemKind.INVALID, cause="`items` must be a list", help=help_text, place=document.place(at)
        )
        return
    # Items of a typed list, as the API server gives it, may leave out what the list says.
    kind = str(manifest["kind"]).removesuffix("List")
    header = {"apiVersion": manifest.get("apiVersion"), "kind": kind} if kind else {}
    for index, item in enumerate(cast("list[object]", items or [])):
        whole = {**header, **cast("dict[str, object]", item)} if isinstance(item, dict) else item
        yield from _manifests(document, whole, (*at, index), depth + 1)
