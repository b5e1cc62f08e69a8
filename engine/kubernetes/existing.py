"""What an existing JobSet keeps, whatever policy decides."""

from collections.abc import Mapping
from typing import Any

from .content import is_map, items

__all__ = ["with_kept"]


def with_kept(existing: Mapping[str, Any], job_set: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JobSet with what is not for its controller to take away, as it stands in the existing one.

    That is the status, metadata of the API server, and labels and annotations that others have set. Its owner stays
    where the TrainJob's uid is not known: a reference without a uid is refused. No input changes.
    """
    old, new = existing.get("metadata"), job_set["metadata"]
    kept = {"status": existing["status"]} if "status" in existing else {}
    if not is_map(old):
        return {**job_set, **kept}
    metadata: dict[str, Any] = {**old, **new}
    for name in ("labels", "annotations"):
        if is_map(old.get(name)) and is_map(new.get(name)):
            metadata[name] = {**old[name], **new[name]}
    if not all(owner.get("uid") for owner in items(new, "ownerReferences")):
        del metadata["ownerReferences"]
        if "ownerReferences" in old:
            metadata["ownerReferences"] = old["ownerReferences"]
    return {**job_set, "metadata": metadata, **kept}
