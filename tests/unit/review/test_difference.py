"""Where two documents differ."""

from typing import Any

import pytest

from trainpolicy.engine.review.difference import Difference, differences, normal

NODE = {"name": "node", "replicas": 1}
HELPER = {"name": "helper", "replicas": 1}
KEYED = {"jobs": [NODE, HELPER]}

CASES: list[tuple[Any, Any, list[tuple[str, Any, Any]]]] = [
    ({"a": 1}, {"a": 1}, []),
    ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
    ({"a": 1}, {"a": True}, [("a", 1, True)]),
    ({"a": 1}, {}, [("a", 1, None)]),
    ({}, {"a": {"b": 1}}, [("a", None, {"b": 1})]),
    ({"a": {"b": 1, "x/y": 1}}, {"a": {"b": 2, "x/y": 2}}, [("a.b", 1, 2), ('a["x/y"]', 1, 2)]),
    ({"a": {"": 1}}, {"a": {"": 2}}, [('a[""]', 1, 2)]),
    ({"a": [1, 2]}, {"a": [1]}, [("a[1]", 2, None)]),
    ({"a": [1]}, {"a": [3, 2]}, [("a[0]", 1, 3), ("a[1]", None, 2)]),
    ({"a": [1]}, {"a": 1}, [("a", [1], 1)]),
    (KEYED, {"jobs": [NODE]}, [("jobs[name=helper]", HELPER, None)]),
    (KEYED, {"jobs": [HELPER, NODE]}, [("jobs", ["node", "helper"], ["helper", "node"])]),
    (
        KEYED,
        {"jobs": [{"name": "new"}, {"name": "node", "replicas": 2}, HELPER]},
        [("jobs[name=node].replicas", 1, 2), ("jobs[name=new]", None, {"name": "new"})],
    ),
    ({"m": [{"mountPath": "/a", "name": "x"}, {"mountPath": "/b", "name": "x"}]}, {"m": []}, [
        ("m[mountPath=/a]", {"mountPath": "/a", "name": "x"}, None),
        ("m[mountPath=/b]", {"mountPath": "/b", "name": "x"}, None),
    ]),
    ({"p": [{"port": 1}]}, {"p": [{"port": 2}]}, [("p[0].port", 1, 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "found", "told"), CASES)
def test_each_field_that_differs_is_told_once(wanted: Any, found: Any, told: list[tuple[str, Any, Any]]) -> None:
    assert list(differences(wanted, found)) == [
        Difference(path=path, wanted=left, found=right) for path, left, right in told
    ]


def test_nulls_and_empty_maps_do_not_count() -> None:
    assert normal({"a": None, "b": {"c": {}}, "d": [{"e": None}], "f": [], "g": 0}) == {"d": [{}], "f": [], "g": 0}
