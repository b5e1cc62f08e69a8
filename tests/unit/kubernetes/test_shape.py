"""The schema data hangs together: names lead somewhere, defaults are valid, rules name members that exist."""

from collections.abc import Iterator
from typing import Any

import pytest

from trainpolicy.engine.kubernetes.admission_objects import object_check
from trainpolicy.engine.kubernetes.shape import SCALARS, Member, kind_of, member, members, rules
from trainpolicy.engine.kubernetes.validation import Fault, scalar_check

KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "JobSet")
KNOWN = {"is", "required", "default", "keys", "unique", "absent", "absentInPatch", "form"} | {
    *("min", "max", "minLength", "maxLength", "itemMaxLength", "minItems", "maxItems", "minMembers", "oneOf", "pattern")
}


def reached() -> set[str]:
    found: set[str] = set()
    left = [kind_of(kind)["shape"] for kind in KINDS]
    while left:
        shape = left.pop()
        if shape not in found:
            found.add(shape)
            left += [of.type for form in members(shape).values() if (of := member(form)).is_shape]
    return found


def every_member() -> Iterator[Any]:
    for shape in sorted(reached()):
        for name, form in members(shape).items():
            yield pytest.param(member(form), id=f"{shape}.{name}")


def test_shapes_are_no_scalars_and_are_not_circular() -> None:
    assert not reached() & SCALARS

    def deep(shape: str, above: tuple[str, ...]) -> None:
        assert shape not in above
        for form in members(shape).values():
            if (of := member(form)).is_shape:
                deep(of.type, (*above, shape))

    for kind in KINDS:
        deep(kind_of(kind)["shape"], ())


@pytest.mark.parametrize("of", list(every_member()))
def test_a_member_is_well_formed(of: Member) -> None:
    assert set(of.bounds) <= KNOWN
    if of.plural == "one" and not of.is_shape and "default" in of.bounds:
        faults: list[Fault] = []
        assert scalar_check(of.type, of.bounds)(of.bounds["default"], None, faults) == of.bounds["default"]
        assert faults == []
    if "pattern" in of.bounds:
        assert of.bounds["form"]
    if "keys" in of.bounds:
        assert of.plural == "list"
        assert set(of.bounds["keys"]) <= set(members(of.type))


def test_rules_name_members_that_exist() -> None:
    for shape in reached():
        for rule in rules(shape):
            match rule["rule"]:
                case "atMostOne":
                    assert set(rule["of"]) <= set(members(shape))
                case "apart":
                    first, second = rule["of"].split(".")
                    holder, items = (member(members(shape)[name]) for name in (first, rule["list"]))
                    assert rule["equals"] in member(members(holder.type)[second]).bounds["oneOf"]
                    assert rule["without"] in members(items.type)
                case other:
                    assert other == "name"
                    assert member(members(shape)["metadata"]).is_shape


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("text", Member(type="text", plural="one", zero="drop", required=False, bounds={})),
        ("text!", Member(type="text", plural="one", zero="always", required=True, bounds={})),
        ("[volume]!", Member(type="volume", plural="list", zero="always", required=True, bounds={})),
        ("{quantity}", Member(type="quantity", plural="map", zero="drop", required=False, bounds={})),
        ("resources+", Member(type="resources", plural="one", zero="fill", required=False, bounds={})),
        (
            {"is": "int32*", "min": 1},
            Member(type="int32", plural="one", zero="keep", required=False, bounds={"is": "int32*", "min": 1}),
        ),
        (
            {"is": "text", "required": True},
            Member(type="text", plural="one", zero="drop", required=True, bounds={"is": "text", "required": True}),
        ),
    ],
)
def test_the_spelling_of_a_member_is_read(form: Any, expected: Member) -> None:
    assert member(form) == expected


def test_a_shape_may_be_like_another() -> None:
    assert set(members("ephemeralContainer")) - set(members("container")) == {"targetContainerName"}
    assert "$like" not in members("ephemeralContainer")


def test_a_shape_that_does_not_exist_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        object_check("nothing")
