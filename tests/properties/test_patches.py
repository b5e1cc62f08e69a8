"""Each patch form, applied to the base, gives exactly the result; no input is ever changed."""

import copy
from typing import Any

import jsonpatch
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainpolicy.engine.kubernetes.content import is_list, is_map, same
from trainpolicy.engine.kubernetes.json_patch import json_patch
from trainpolicy.engine.kubernetes.merge_patch import merge_patch

ODD_KEYS = ["name", "mountPath", "a", "b", "", "~", "/", "~1", "a/b", "0", "-", "é", "\u2028"]
KEYS = st.one_of(st.sampled_from(ODD_KEYS), st.text(max_size=3))
SCALARS = st.one_of(
    st.booleans(),
    st.sampled_from([0, 1, -1, 2**63, 0.0, 1.0]),
    st.text(max_size=3),
    st.sampled_from(["0", "true"]),
)


def documents(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    optional: dict[str, st.SearchStrategy[Any]] = {"value": leaves, "x": st.just(dict[str, Any]())}
    required: dict[str, st.SearchStrategy[Any]] = {"name": st.sampled_from("abcdefg")}
    named: st.SearchStrategy[Any] = st.lists(st.fixed_dictionaries(required, optional=optional), max_size=7)
    return st.recursive(
        leaves | named,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=12,
    )


ANY = documents(SCALARS | st.none())
MAPS = st.dictionaries(KEYS, documents(SCALARS), max_size=4)


def steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def holder(whole: Any, pointer: str) -> tuple[Any, Any]:
    """What holds the value at the pointer, and under which name or index."""
    *parents, last = ["", *steps(pointer)]
    here = whole
    for step in parents:
        here = here[named_or_numbered(here, step)]
    return here, named_or_numbered(here, last)


def named_or_numbered(here: object, step: str) -> Any:
    return int(step) if isinstance(here, list) else step


def put(whole: Any, pointer: str, value: Any) -> None:
    here, last = holder(whole, pointer)
    if is_list(here):
        assert 0 <= last <= len(here)
        here.insert(last, value)
    else:
        here[last] = value


def take(whole: Any, pointer: str) -> Any:
    here, last = holder(whole, pointer)
    return here.pop(last)


def apply_json_patch(document: Any, operations: list[dict[str, Any]]) -> Any:
    """RFC 6902 as it is written, so that a fault of a library cannot hide one of ours."""
    whole = {"": copy.deepcopy(document)}
    for operation in operations:
        match operation:
            case {"op": "test", "path": path, "value": value}:
                here, last = holder(whole, path)
                assert same(here[last], value)
            case {"op": "replace", "path": path, "value": value}:
                take(whole, path)
                put(whole, path, copy.deepcopy(value))
            case {"op": "add", "path": path, "value": value}:
                put(whole, path, copy.deepcopy(value))
            case {"op": "remove", "path": path}:
                take(whole, path)
            case {"op": "move", "from": start, "path": path}:
                put(whole, path, take(whole, start))
            case _:
                pytest.fail(f"unknown operation {operation}")
    return whole[""]


def apply_merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7386 section 2."""
    if not is_map(patch):
        return patch
    merged: dict[str, Any] = dict(target) if is_map(target) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply_merge_patch(merged.get(name), value)
    return merged


@settings(max_examples=300, deadline=None)
@given(ANY, ANY)
def test_a_json_patch_applied_to_the_base_gives_exactly_the_result(base: Any, result: Any) -> None:
    base_before, result_before = repr(base), repr(result)
    operations = json_patch(base, result)
    assert same(apply_json_patch(base, operations), result)
    assert (repr(base), repr(result)) == (base_before, result_before)


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS)
def test_another_implementation_reads_the_json_patch_as_we_do(base: Any, result: Any) -> None:
    assert jsonpatch.JsonPatch(json_patch(base, result)).apply(base) == result


@settings(max_examples=100, deadline=None)
@given(ANY)
def test_equal_documents_need_no_operation(document: Any) -> None:
    assert json_patch(document, copy.deepcopy(document)) == []


@settings(max_examples=200, deadline=None)
@given(st.permutations("abcdefg"), st.permutations("bdfhacx"), st.integers(0, 7), st.integers(0, 7))
def test_named_items_are_moved_no_more_often_than_needed(
    base: list[str], result: list[str], base_size: int, result_size: int
) -> None:
    old = [{"name": name} for name in base[:base_size]]
    new = [{"name": name} for name in result[:result_size]]
    operations = json_patch(old, new)
    assert apply_json_patch(old, operations) == new
    common = [name for name in base[:base_size] if name in result[:result_size]]
    order = [result.index(name) for name in common]
    longest = 0
    runs: list[int] = []
    for at, place in enumerate(order):
        runs.append(1 + max((runs[i] for i in range(at) if order[i] < place), default=0))
        longest = max(longest, runs[-1])
    if old and new:
        assert sum(operation["op"] == "move" for operation in operations) == len(common) - longest


@settings(max_examples=300, deadline=None)
@given(MAPS, MAPS)
def test_a_merge_patch_applied_to_the_base_gives_exactly_the_result(base: Any, result: Any) -> None:
    base_before, result_before = repr(base), repr(result)
    patch = merge_patch(base, result)
    assert same(apply_merge_patch(base, patch), result)
    assert (repr(base), repr(result)) == (base_before, result_before)


@settings(max_examples=100, deadline=None)
@given(MAPS, MAPS)
def test_changing_a_patch_changes_neither_document(base: Any, result: Any) -> None:
    before = repr(base), repr(result)

    def spoil(value: Any) -> None:
        if is_map(value):
            for item in list(value.values()):
                spoil(item)
            value.clear()
        elif is_list(value):
            for item in value:
                spoil(item)
            value.clear()

    spoil(json_patch(base, result))
    spoil(merge_patch(base, result))
    assert (repr(base), repr(result)) == before
