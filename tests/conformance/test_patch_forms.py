"""Every patch form leads from the base JobSet to the one that the controller recorded."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from trainpolicy.engine.kubernetes.admission import admit
from trainpolicy.engine.kubernetes.apply_configuration import apply_configuration
from trainpolicy.engine.kubernetes.base_jobset import prepare
from trainpolicy.engine.kubernetes.content import is_list, is_map
from trainpolicy.engine.kubernetes.json_patch import json_patch
from trainpolicy.engine.kubernetes.merge_patch import merge_patch

KEYS = {"replicatedJobs": "name", "containers": "name", "volumes": "name", "env": "name", "volumeMounts": "mountPath"}


def cases() -> Iterator[Any]:
    with gzip.open(Path(__file__).parent / "data" / "mpi.ndjson.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            results = [result for result in case["expect"].values() if "jobSet" in result]
            # Doubles, which only a JobSet that is refused has, cannot be told apart by their key.
            if results and not any(result.get("jobSetRejected") for result in results):
                yield pytest.param(case, [result["jobSet"] for result in results], id=case["id"])


def base_of(case: dict[str, Any]) -> dict[str, Any]:
    runtime = admit(case["runtime"], case["runtime"]["kind"]).document
    job_set, _ = prepare(runtime, blank_namespace=True).base(admit(case["trainJob"], "TrainJob").document)
    return job_set


def merged(target: Any, patch: Any) -> Any:
    """RFC 7386 section 2."""
    if not is_map(patch):
        return patch
    result: dict[str, Any] = dict(target) if is_map(target) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def keyed(value: Any, name: str = "") -> Any:
    """Lists that server-side apply merges by a key as maps: their order is not its business."""
    if is_map(value):
        return {member: keyed(item, member) for member, item in value.items()}
    if is_list(value) and name in KEYS:
        return {item[KEYS[name]]: keyed(item) for item in value}
    return value


def changed(base: Any, result: Any, at: str = "", key: str | None = None) -> Iterator[str]:
    """Paths of what is new or has another value, of two documents that went through ``keyed``."""
    for name, value in result.items():
        if key is not None:
            path = f"{at}[{key}={name}]"
        elif "." in name or "/" in name:
            path = f'{at}["{name}"]'
        else:
            path = f"{at}.{name}" if at else name
        old = base.get(name)
        if is_map(old) and is_map(value):
            yield from changed(old, value, path, KEYS.get(name) if key is None else None)
        elif old != value and is_map(value) and key is None and name in KEYS:
            yield from changed({}, value, path, KEYS[name])
        elif old != value:
            yield path


@pytest.mark.parametrize(("case", "results"), list(cases()))
def test_patches_applied_to_the_base_give_exactly_the_recorded_job_set(
    case: dict[str, Any], results: list[dict[str, Any]]
) -> None:
    base = base_of(case)
    for result in results:
        assert jsonpatch.JsonPatch(json_patch(base, result)).apply(base) == result
        assert merged(base, merge_patch(base, result)) == result


@pytest.mark.parametrize(("case", "results"), list(cases()))
def test_an_apply_configuration_holds_all_that_changed_and_nothing_that_did_not_come_out(
    case: dict[str, Any], results: list[dict[str, Any]]
) -> None:
    base = base_of(case)
    for result in results:
        paths = list(changed(keyed(base), keyed(result)))
        document, problems = apply_configuration(result, paths, base=base)
        assert problems == []
        sent = keyed(document)
        assert merged(keyed(result), sent) == keyed(result)
        assert list(changed(merged(keyed(base), sent), keyed(result))) == []
