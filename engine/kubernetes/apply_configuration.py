"""What server-side apply is sent: the decided fields alone, items of lists by their key (design section 8)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from ..errors import Problem, ProblemKind
from .content import is_list, is_map, plain_copy
from .field_path import Pick, parse_path

__all__ = ["apply_configuration"]

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "claims": ("name",),
    "containers": ("name",),
    "dependsOn": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ports": ("containerPort", "protocol"),
    "replicatedJobs": ("name",),
    "resourceClaims": ("name",),
    "schedulingGates": ("name",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
}
"""Lists whose items have owners of their own, and the members that tell them apart; all other lists are one value."""

_KEY_DEFAULTS: Final = {"protocol": "TCP"}
_ONE_VALUE: Final = frozenset(
    {
        "configMap",
        "configMapKeyRef",
        "configMapRef",
        "dataSource",
        "fieldRef",
        "fileKeyRef",
        "labelSelector",
        "namespaceSelector",
        "nodePublishSecretRef",
        "nodeSelector",
        "preference",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "resourceFieldRef",
        "secretKeyRef",
        "secretRef",
        "selector",
    }
)
"""Maps that are one value, so that all of it goes with any member of it."""

_Path: TypeAlias = tuple[str | int, ...]
_Mask: TypeAlias = dict[str | int, Any]


class _Unsaid(Exception):
    """A decision that this form cannot say; the message is the cause, ``path`` the place."""

    def __init__(self, cause: str, path: _Path) -> None:
        super().__init__(cause)
        self.path = path


def apply_configuration(
    job_set: Mapping[str, Any], paths: Iterable[str], *, base: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the configuration that makes its manager the owner of the fields at ``paths``, and what it cannot say.

    :param paths: decided fields as the vocabulary spells paths, ``spec.replicatedJobs[name=node].replicas``
    :param base: the JobSet before; what it lacks need not be removed, and its order need not be said again

    An order of items, and the removal of a field or item, cannot be said: each is a ``WARNING`` (design section 8).
    """
    mask: _Mask = {}
    problems: list[Problem] = []
    for text in dict.fromkeys(paths):
        steps = parse_path(text)
        try:
            _mark(mask, _resolve(job_set, steps))
        except _Unsaid as unsaid:
            if _changes(_found(base, steps), _found(job_set, steps), str(steps[-1])):
                problems.append(_warning(str(unsaid), unsaid.path))
    metadata = job_set["metadata"]
    named = {name: metadata[name] for name in ("name", "namespace") if metadata.get(name)}
    chosen: dict[str, Any] = _chosen(job_set, mask, "")
    head = {"apiVersion": job_set["apiVersion"], "kind": job_set["kind"], "metadata": named}
    return head | chosen | {"metadata": named | chosen.get("metadata", {})}, problems


def _warning(cause: str, path: _Path) -> Problem:
    return Problem(
        kind=ProblemKind.WARNING,
        cause=cause,
        help="use the JSON Patch or the merge patch, or apply the whole manifest",
        document="jobSet",
        path=path,
    )


def _resolve(content: Any, steps: tuple[str | Pick, ...]) -> _Path:
    """The place of the smallest part with an owner of its own that holds the field."""
    at: _Path = ()
    for place, step in enumerate(steps):
        if isinstance(step, Pick):
            index = _item(content, step, at)
            at = (*at, index)
            content = content[index]
            continue
        at = (*at, step)
        if step not in content:
            cause = f"server-side apply cannot say that `{step}` is removed"
            raise _Unsaid(cause, at)
        content = content[step]
        keyed = step in _KEYS and _is(list, content)
        if keyed and place + 1 == len(steps):
            cause = f"server-side apply cannot say the order of `{step}`"
            raise _Unsaid(cause, at)
        if step in _ONE_VALUE or not (keyed or _is(dict, content)):
            break
    return at


def _found(content: Any, steps: tuple[str | Pick, ...]) -> Any:
    """The value at the path, None where there is none; the base may be any existing JobSet, whatever its shape."""
    for step in steps:
        if isinstance(step, Pick):
            key, value = step
            maps = filter(is_map, content) if is_list(content) else ()
            content = next((item for item in maps if str(item.get(key)) == value), None)
        else:
            content = content.get(step) if is_map(content) else None
    return content


def _changes(before: object, after: object, name: str) -> bool:
    """Whether a removal takes something away, or an order differs from the one that is there."""
    if is_list(before) and is_list(after):
        return _keys(before, name) != _keys(after, name)
    return before is not None


def _keys(items: list[Any], name: str) -> list[Any]:
    return [[item.get(key) for key in _KEYS[name]] if is_map(item) else None for item in items]


def _is(kind: type[list[Any] | dict[str, Any]], content: object) -> bool:
    return isinstance(content, kind)


def _mark(mask: _Mask, place: _Path) -> None:
    """Mark a part for sending. None means: all of it."""
    *parents, last = place
    for step in parents:
        inner: _Mask | None = mask.setdefault(step, {})
        if inner is None:
            return
        mask = inner
    mask[last] = None


def _item(items: list[Any], pick: Pick, at: _Path) -> int:
    key, value = pick
    for index, item in enumerate(items):
        if str(item.get(key)) == value:
            return index
    cause = f"server-side apply cannot say that `{value}` is removed from `{at[-1]}`"
    raise _Unsaid(cause, at)


def _chosen(content: Any, mask: _Mask | None, name: str) -> Any:
    """The marked parts in the order of the document; items of lists with the members that tell them apart."""
    if mask is None:
        return plain_copy(content)
    if is_list(content):
        chosen: list[Any] = []
        for index in sorted(index for index in mask if isinstance(index, int)):
            item = content[index]
            keys = {key: item.get(key, _KEY_DEFAULTS.get(key)) for key in _KEYS[name]}
            chosen.append(
                {key: value for key, value in keys.items() if value is not None} | _chosen(item, mask[index], "")
            )
        return chosen
    return {member: _chosen(value, mask[member], member) for member, value in content.items() if member in mask}
