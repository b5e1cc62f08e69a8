"""All manifests in an order that can be applied."""

import copy
from typing import Any

from trainpolicy.engine.kubernetes.manifests import manifests


def item(kind: str, name: str, *uids: str) -> dict[str, Any]:
    owners = [{"kind": "TrainJob", "uid": uid} for uid in uids]
    return {"kind": kind, "metadata": {"name": name, **({"ownerReferences": owners} if owners else {})}}


def test_objects_come_by_kind_and_name_and_the_job_set_last() -> None:
    objects = [item("Secret", "b"), item("ConfigMap", "z"), item("Secret", "a")]
    found = manifests(item("JobSet", "j"), objects)
    assert [(each["kind"], each["metadata"]["name"]) for each in found] == [
        ("ConfigMap", "z"),
        ("Secret", "a"),
        ("Secret", "b"),
        ("JobSet", "j"),
    ]


def test_without_a_job_set_only_the_objects_are_given() -> None:
    assert manifests(None, [item("Secret", "a")]) == (item("Secret", "a"),)


def test_owners_without_a_uid_are_left_out_and_others_kept() -> None:
    job_set, secret = item("JobSet", "j", ""), item("Secret", "s", "", "u-1")
    secret["metadata"]["ownerReferences"].append({"kind": "TrainJob"})
    before = copy.deepcopy((job_set, secret))
    assert manifests(job_set, [secret]) == (item("Secret", "s", "u-1"), item("JobSet", "j"))
    assert (job_set, secret) == before
