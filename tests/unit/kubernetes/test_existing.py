"""Patches against an existing JobSet leave alone what its controller has no say in."""

from typing import Any

import pytest

from trainpolicy.engine.kubernetes.existing import with_kept

OWNER: dict[str, Any] = {"kind": "TrainJob", "name": "t", "uid": ""}
NEW: dict[str, Any] = {
    "kind": "JobSet",
    "metadata": {"name": "t", "labels": {"a": "new"}, "ownerReferences": [OWNER]},
    "spec": {"suspend": False},
}
OLD: dict[str, Any] = {
    "kind": "JobSet",
    "metadata": {
        "name": "t",
        "uid": "u",
        "resourceVersion": "7",
        "labels": {"a": "old", "b": "theirs"},
        "annotations": {"c": "theirs"},
        "ownerReferences": [{**OWNER, "uid": "o"}],
    },
    "spec": {"suspend": True},
    "status": {"restarts": 1},
}


def test_status_and_metadata_of_others_stay() -> None:
    assert with_kept(OLD, NEW) == {
        "kind": "JobSet",
        "metadata": {**OLD["metadata"], "labels": {"a": "new", "b": "theirs"}},
        "spec": {"suspend": False},
        "status": {"restarts": 1},
    }


def test_an_owner_whose_uid_is_known_is_written() -> None:
    known = {**NEW, "metadata": {**NEW["metadata"], "ownerReferences": [{**OWNER, "uid": "n"}]}}
    assert with_kept(OLD, known)["metadata"]["ownerReferences"] == [{**OWNER, "uid": "n"}]


def test_an_owner_without_a_uid_is_not_added() -> None:
    assert "ownerReferences" not in with_kept({"metadata": {"name": "t"}}, NEW)["metadata"]


@pytest.mark.parametrize("metadata", [None, 3, [], "x"])
def test_metadata_of_another_shape_gives_way(metadata: object) -> None:
    assert with_kept({"metadata": metadata}, NEW) == NEW


@pytest.mark.parametrize("labels", [None, 3, [], "x"])
def test_labels_of_another_shape_give_way(labels: object) -> None:
    assert with_kept({"metadata": {"labels": labels}}, NEW)["metadata"]["labels"] == {"a": "new"}
