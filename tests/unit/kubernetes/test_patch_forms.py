"""JSON Patch and merge patch in the cases that people read."""

from typing import Any

import pytest

from trainpolicy.engine.kubernetes.json_patch import json_patch
from trainpolicy.engine.kubernetes.merge_patch import merge_patch

A, B, C = {"name": "a"}, {"name": "b"}, {"name": "c"}


def replace(path: str, old: Any, new: Any) -> list[dict[str, Any]]:
    return [{"op": "test", "path": path, "value": old}, {"op": "replace", "path": path, "value": new}]


@pytest.mark.parametrize(
    ("base", "result", "operations"),
    [
        pytest.param({"a": 1}, {"a": 2}, replace("/a", 1, 2), id="a replaced value is tested first"),
        pytest.param({"a": 1}, {"a": True}, replace("/a", 1, new=True), id="one is not true"),
        pytest.param({"a": {}}, {"a": []}, replace("/a", {}, []), id="an empty map is not an empty list"),
        pytest.param({"a": int("1" * 20)}, {"a": int("1" * 20)}, [], id="equal numbers are one number"),
        pytest.param(
            {"a": 1, "b": 2},
            {"b": 2, "c": 3},
            [{"op": "remove", "path": "/a"}, {"op": "add", "path": "/c", "value": 3}],
            id="members go and come",
        ),
        pytest.param(
            {"a/b": {"~": 1}}, {"a/b": {}}, [{"op": "remove", "path": "/a~1b/~0"}], id="slash and tilde are escaped"
        ),
        pytest.param(
            {"x": [A, B]}, {"x": [A, C, B]}, [{"op": "add", "path": "/x/1", "value": C}], id="a named item is added"
        ),
        pytest.param(
            {"x": [A, B, C]},
            {"x": [C]},
            [{"op": "remove", "path": "/x/1"}, {"op": "remove", "path": "/x/0"}],
            id="named items are removed from the end",
        ),
        pytest.param(
            {"x": [A, B, C]},
            {"x": [B, C, A]},
            [{"op": "move", "from": "/x/0", "path": "/x/2"}],
            id="one item is moved once",
        ),
        pytest.param(
            {"x": [A, B]},
            {"x": [B, {"name": "a", "v": 1}]},
            [{"op": "move", "from": "/x/0", "path": "/x/1"}, {"op": "add", "path": "/x/1/v", "value": 1}],
            id="a moved item is changed where it stands then",
        ),
        pytest.param(
            {"x": [{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}]},
            {"x": [{"name": "v", "mountPath": "/b"}]},
            [{"op": "remove", "path": "/x/0"}],
            id="items with one name are told apart by mountPath",
        ),
        pytest.param(
            {"x": ["a", "b"]},
            {"x": ["a", "b", "c"]},
            [{"op": "add", "path": "/x/2", "value": "c"}],
            id="a plain list grows",
        ),
        pytest.param(
            {"x": [1, 2, 3, 4]},
            {"x": [1, 4]},
            [{"op": "remove", "path": "/x/1"}, {"op": "remove", "path": "/x/1"}],
            id="a plain list shrinks in one place",
        ),
        pytest.param(
            {"x": ["a", "b"]},
            {"x": ["c", "b", "d"]},
            replace("/x", ["a", "b"], ["c", "b", "d"]),
            id="a plain list that changes otherwise is replaced",
        ),
        pytest.param({"x": []}, {"x": [A]}, [{"op": "add", "path": "/x/0", "value": A}], id="an empty list is filled"),
        pytest.param({"x": [A, A]}, {"x": [A]}, [{"op": "remove", "path": "/x/1"}], id="doubles are a plain list"),
    ],
)
def test_json_patch(base: Any, result: Any, operations: list[dict[str, Any]]) -> None:
    assert json_patch(base, result) == operations


@pytest.mark.parametrize(
    ("base", "result", "patch"),
    [
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"c": 2}}, {"a": {"b": None}}, id="null removes"),
        pytest.param({"a": {"b": 1}}, {"a": {}}, {"a": {"b": None}}, id="a map is emptied member by member"),
        pytest.param({"x": [A, B]}, {"x": [A, C]}, {"x": [A, C]}, id="a list is given whole"),
        pytest.param(
            {"a": 1, "b": {"c": 1}}, {"a": True, "b": {"c": 1}}, {"a": True}, id="one is not true, equals are left out"
        ),
        pytest.param({}, {"a": {"b": {}}}, {"a": {"b": {}}}, id="an empty map is kept"),
    ],
)
def test_merge_patch(base: dict[str, Any], result: dict[str, Any], patch: dict[str, Any]) -> None:
    assert merge_patch(base, result) == patch


@pytest.mark.parametrize("result", [{"a": None}, {"a": {"b": None}}, {"b": {"c": None}}])
def test_a_merge_patch_refuses_to_say_a_new_null(result: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="null"):
        merge_patch({"b": 1}, result)
