"""Strategic merge as the API server does it (B-17, B-18, B-20, B-21)."""

import copy
from typing import Any

import pytest

from trainpolicy.engine.kubernetes.strategic_merge import MergeConflict, strategic_merge

EMPTY: dict[str, Any] = {}


def named(*names: str) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


@pytest.mark.parametrize(
    ("base", "patch", "result"),
    [
        pytest.param("ab", "c", "cab", id="a new item comes before untouched ones"),
        pytest.param("abc", "b", "abc", id="an item that is there keeps its place"),
        pytest.param("ab", "ba", "ba", id="items of the patch keep its order"),
        pytest.param("abc", "ca", "bca", id="an untouched item stays before what it was before"),
        pytest.param("abcd", "xd", "xabcd", id="a new item does not hold back the untouched"),
        pytest.param("abcd", "dx", "abcdx", id="a new item stays behind the item it follows in the patch"),
        pytest.param("", "cb", "cb", id="an empty base takes the patch"),
        pytest.param("ab", "", "ab", id="an empty patch changes nothing"),
    ],
)
def test_items_of_both_lists_are_zipped(base: str, patch: str, result: str) -> None:
    merged = strategic_merge({"volumes": named(*base)}, {"volumes": named(*patch)})
    assert merged == {"volumes": named(*result)}


@pytest.mark.parametrize(
    ("base", "patch", "result"),
    [
        pytest.param({"a": 1, "b": 2}, {"b": 3}, {"a": 1, "b": 3}, id="what the patch lacks stays, scalars replace"),
        pytest.param({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}, id="maps merge member by member"),
        pytest.param({"a": [1, 2]}, {"a": [3]}, {"a": [3]}, id="a list without a key is replaced whole"),
        pytest.param({"a": [1]}, {"a": []}, {"a": []}, id="and so by an empty list"),
        pytest.param({"a": {"b": 1}}, {"a": {"b": None}}, {"a": {}}, id="null removes"),
        pytest.param(
            {}, {"a": {"b": None, "c": [{"d": None}]}}, {"a": {"c": [EMPTY]}}, id="null is nothing in a new part"
        ),
        pytest.param({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}, id="another type replaces"),
        pytest.param(
            {"volumes": [{"name": "v", "emptyDir": EMPTY}]},
            {"volumes": [{"name": "v", "hostPath": {"path": "/"}}]},
            {"volumes": [{"name": "v", "emptyDir": EMPTY, "hostPath": {"path": "/"}}]},
            id="a volume keeps the source of the base beside the one of the patch",
        ),
        pytest.param(
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}]},
            {"volumeMounts": [{"name": "w", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}]},
            {"volumeMounts": [{"name": "w", "mountPath": "/a"}, {"name": "v", "mountPath": "/b"}]},
            id="mounts are told apart by mountPath",
        ),
        pytest.param(
            {"volumeMounts": [{"name": "v", "mountPath": "/x"}]},
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "w", "mountPath": "/a"}]},
            {"volumeMounts": [{"name": "w", "mountPath": "/a"}, {"name": "v", "mountPath": "/x"}]},
            id="doubles of a patch merge where the base has the list",
        ),
        pytest.param(
            {},
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "w", "mountPath": "/a"}]},
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "w", "mountPath": "/a"}]},
            id="and stay where it has not",
        ),
        pytest.param(
            {"volumeMounts": []},
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "w", "mountPath": "/a"}]},
            {"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "w", "mountPath": "/a"}]},
            id="or where it is empty",
        ),
        pytest.param(
            {"env": [{"name": "a", "value": "1"}, {"name": "b"}, {"name": "a", "value": "2"}]},
            {"env": [{"name": "a", "value": "3"}]},
            {"env": [{"name": "a", "value": "3"}, {"name": "a", "value": "2"}, {"name": "b"}]},
            id="of doubles in the base the first changes, and they stand together",
        ),
        pytest.param(
            {"finalizers": ["a", "b"]},
            {"finalizers": ["c", "a"]},
            {"finalizers": ["c", "a", "b"]},
            id="finalizers are united",
        ),
        pytest.param(
            {"replicatedJobs": [{"name": "n", "containers": named("a", "b")}]},
            {"replicatedJobs": [{"name": "n", "containers": [{"name": "b", "env": named("E")}]}]},
            {"replicatedJobs": [{"name": "n", "containers": [{"name": "a"}, {"name": "b", "env": named("E")}]}]},
            id="keyed lists merge below items of keyed lists",
        ),
    ],
)
def test_a_patch_is_laid_over_the_base(base: dict[str, Any], patch: dict[str, Any], result: dict[str, Any]) -> None:
    before = copy.deepcopy((base, patch))
    assert strategic_merge(base, patch) == result
    assert (base, patch) == before


@pytest.mark.parametrize(
    ("base", "patch", "result"),
    [
        pytest.param({"a": "1"}, {"$patch": "replace", "b": "2"}, {"b": "2"}, id="replace"),
        pytest.param(
            {"a": "1"}, {"$patch": "replace", "$retainKeys": "2"}, {"$retainKeys": "2"}, id="replace takes all"
        ),
        pytest.param({"a": "1"}, {"$patch": "delete", "b": "2"}, {}, id="delete"),
        pytest.param({"a": "1"}, {"$deleteFromPrimitiveList/a": "2"}, {"a": "2"}, id="a deletion from a text sets it"),
        pytest.param({"a": "1"}, {"$deleteFromPrimitiveList/b": "2"}, {"a": "1"}, id="but only if it is there"),
        pytest.param({"a": "1"}, {"$other": "2"}, {"a": "1", "$other": "2"}, id="other keys are ordinary"),
    ],
)
def test_directives_act_in_maps_that_users_fill(
    base: dict[str, str], patch: dict[str, str], result: dict[str, str]
) -> None:
    assert strategic_merge({"nodeSelector": base}, {"nodeSelector": patch}) == {"nodeSelector": result}


@pytest.mark.parametrize(
    ("patch", "result"),
    [
        pytest.param({"labels": {"$patch": "anything"}}, {}, id="a map with $patch is dropped"),
        pytest.param({"a": {"labels": {"$patch": "delete"}, "b": 1}}, {"a": {"b": 1}}, id="also further below"),
        pytest.param({"a": [{"$patch": "delete"}, {"b": 1}]}, {"a": [{"b": 1}]}, id="also in lists"),
        pytest.param(
            {"labels": {"$retainKeys": "x", "$setElementOrder/x": "y", "$deleteFromPrimitiveList/z": "w"}},
            {"labels": {"$retainKeys": "x", "$setElementOrder/x": "y", "$deleteFromPrimitiveList/z": "w"}},
            id="the other directives are ordinary keys",
        ),
    ],
)
def test_directives_without_a_map_in_the_base(patch: dict[str, Any], result: dict[str, Any]) -> None:
    assert strategic_merge({}, patch) == result


def test_an_item_that_the_base_lacks_is_added_as_it_is() -> None:
    item = {"name": "b", "labels": {"$patch": "replace", "x": "y"}}
    assert strategic_merge({"volumes": named("a")}, {"volumes": [item]}) == {"volumes": [item, {"name": "a"}]}


@pytest.mark.parametrize(
    ("base", "patch", "path"),
    [
        pytest.param({"m": {}}, {"m": {"$patch": "merge"}}, ("m", "$patch"), id="an unknown directive"),
        pytest.param({"m": {}}, {"m": {"$retainKeys": "x"}}, ("m", "$retainKeys"), id="retainKeys in texts"),
        pytest.param(
            {"m": {}}, {"m": {"$setElementOrder/x": "x"}}, ("m", "$setElementOrder/x"), id="an order in texts"
        ),
        pytest.param(
            {"m": {}},
            {"m": {"$deleteFromPrimitiveList": "x"}},
            ("m", "$deleteFromPrimitiveList"),
            id="a deletion of nothing",
        ),
        pytest.param(
            {"imagePullSecrets": [{"name": "a"}]},
            {"imagePullSecrets": [EMPTY]},
            ("imagePullSecrets", 0),
            id="a patch without a key",
        ),
        pytest.param(
            {"imagePullSecrets": [EMPTY]},
            {"imagePullSecrets": [{"name": "a"}]},
            ("imagePullSecrets",),
            id="a base without a key",
        ),
        pytest.param(
            {"volumes": [{"name": "a", "m": EMPTY}]},
            {"volumes": [{"name": "b"}, {"name": "a", "m": {"$patch": "x"}}]},
            ("volumes", 1, "m", "$patch"),
            id="below an item",
        ),
    ],
)
def test_a_merge_that_fails_says_where(
    base: dict[str, Any], patch: dict[str, Any], path: tuple[str | int, ...]
) -> None:
    with pytest.raises(MergeConflict) as caught:
        strategic_merge(base, patch)
    assert caught.value.path == path
