"""The controller merges some lists with themselves; with keys that are not unique that loses items (B-51)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .content import items, part, plain_copy

__all__ = ["merge_with_itself"]


def merge_with_itself(jobs: Iterable[Mapping[str, Any]]) -> None:
    """Do to the volumes, variables, ports and mounts of each job what the controller does, in place.

    For each index in turn the item that stands there by then is copied over the first item like it. Nothing happens
    where all keys differ; several ports without a name overwrite each other, and are then refused (B-101).
    """
    for job in jobs:
        pod = part(job, "template", "spec", "template", "spec")
        _merge(pod.get("volumes"), _by("name"))
        for container in (*items(pod, "initContainers"), *items(pod, "containers")):
            _merge(container.get("env"), _by("name"))
            _merge(container.get("ports"), _like_ports)
            _merge(container.get("volumeMounts"), _by("mountPath"))


def _by(member: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], bool]:
    return lambda left, right: bool(left.get(member) == right.get(member))


def _like_ports(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    # Two names that are missing count as one name.
    return bool(left.get("containerPort") == right.get("containerPort") or left.get("name") == right.get("name"))


def _merge(items: list[Any] | None, alike: Callable[[Mapping[str, Any], Mapping[str, Any]], bool]) -> None:
    if not items:
        return
    for index in range(len(items)):
        # An item may have been overwritten by now.
        item = items[index]
        first = next(place for place, other in enumerate(items) if place == index or alike(other, item))
        if first != index:
            items[first] = plain_copy(item)
