"""The controller's self-merge (B-51)."""

from typing import Any

import pytest

from trainpolicy.engine.kubernetes.self_merge import merge_with_itself


def job(container: dict[str, Any], kind: str = "containers", **pod: Any) -> dict[str, Any]:
    return {"template": {"spec": {"template": {"spec": {kind: [container], **pod}}}}}


def settled(member: str, items: list[dict[str, Any]], kind: str = "containers") -> list[dict[str, Any]]:
    container = {member: items}
    merge_with_itself([job(container, kind)])
    return container[member]


def ports(*numbers: int) -> list[dict[str, Any]]:
    return [{"containerPort": number} for number in numbers]


@pytest.mark.parametrize(("given", "result"), [((1,), (1,)), ((1, 2), (2, 2)), ((1, 2, 3), (3, 2, 3))])
@pytest.mark.parametrize("kind", ["containers", "initContainers"])
def test_ports_without_a_name_overwrite_each_other(given: tuple[int, ...], result: tuple[int, ...], kind: str) -> None:
    assert settled("ports", ports(*given), kind) == ports(*result)


def test_one_port_for_two_protocols_becomes_the_second_twice() -> None:
    tcp = {"containerPort": 53, "name": "a", "protocol": "TCP"}
    udp = {"containerPort": 53, "name": "b", "protocol": "UDP"}
    assert settled("ports", [tcp, udp]) == [udp, udp]


def test_ports_with_names_are_left_alone() -> None:
    items = [{"containerPort": 1, "name": "a"}, {"containerPort": 2}, {"containerPort": 3, "name": "b"}]
    assert settled("ports", items) == [
        {"containerPort": 1, "name": "a"},
        {"containerPort": 2},
        {"containerPort": 3, "name": "b"},
    ]


@pytest.mark.parametrize(("member", "key"), [("env", "name"), ("volumeMounts", "mountPath")])
def test_items_with_one_key_become_the_last_of_them(member: str, key: str) -> None:
    items = [{key: "a", "value": "1"}, {key: "b"}, {key: "a", "value": "2"}]
    assert settled(member, items) == [{key: "a", "value": "2"}, {key: "b"}, {key: "a", "value": "2"}]


def test_volumes_are_merged_by_name_and_copies_share_nothing() -> None:
    volumes: list[dict[str, Any]] = [{"name": "a"}, {"name": "a", "emptyDir": {}}]
    merge_with_itself([job({}, volumes=volumes)])
    assert volumes == [{"name": "a", "emptyDir": {}}, {"name": "a", "emptyDir": {}}]
    assert volumes[0]["emptyDir"] is not volumes[1]["emptyDir"]
