"""All manifests of an evaluation, in an order that can be applied from the first to the last."""

from collections.abc import Iterable, Mapping
from typing import Any

from .content import items, part

__all__ = ["manifests"]


def manifests(job_set: Mapping[str, Any] | None, objects: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the objects by kind and name, then the JobSet, whose pods need them; no input changes.

    Owner references without a uid are left out: the API refuses them (design section 8).
    """
    ordered = sorted(objects, key=lambda item: (item["kind"], item["metadata"]["name"]))
    return tuple(_without_unknown_owners(item) for item in (*ordered, *(() if job_set is None else (job_set,))))


def _without_unknown_owners(item: Mapping[str, Any]) -> dict[str, Any]:
    metadata = part(item, "metadata")
    owners = items(metadata, "ownerReferences")
    if not owners:
        return dict(item)
    known = [owner for owner in owners if owner.get("uid")]
    kept = {name: value for name, value in metadata.items() if name != "ownerReferences"}
    return {**item, "metadata": {**kept, "ownerReferences": known} if known else kept}
