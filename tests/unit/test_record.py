"""Records behave as frozen, keyword-only dataclasses do."""

import copy
import pickle
from typing import Any

import pytest

from trainpolicy.engine.record import Record, fields, replace


class Point(Record):
    """Two numbers and a note."""

    x: int
    y: int = 0
    note: str | None = None


class Node(Record, eq=False):
    """Compared by identity."""

    name: str


def test_fields_have_defaults_and_are_given_by_name() -> None:
    assert fields(Point(x=1)) == {"x": 1, "y": 0, "note": None}
    assert not hasattr(Point(x=1), "__dict__")


@pytest.mark.parametrize(
    ("given", "message"), [({}, "Point needs `x`"), ({"x": 1, "z": 2}, "Point has no `z`")], ids=["missing", "unknown"]
)
def test_wrong_fields_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Point(**given)


def test_records_are_frozen() -> None:
    point = Point(x=1)
    with pytest.raises(AttributeError, match="Point is frozen"):
        point.x = 2  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match="Point is frozen"):
        del point.x  # type: ignore[misc]


def test_equal_values_are_equal_records_with_equal_hashes() -> None:
    assert Point(x=1, y=2) == Point(x=1, y=2)
    assert hash(Point(x=1, y=2)) == hash(Point(x=1, y=2))
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != (1, 0, None)


def test_identity_counts_where_asked_for() -> None:
    assert Node(name="a") != Node(name="a")
    assert len({Node(name="a"), Node(name="a")}) == 2


def test_replace_makes_another_record() -> None:
    point = Point(x=1)
    assert replace(point, y=5) == Point(x=1, y=5)
    assert point == Point(x=1)
    with pytest.raises(TypeError, match="Point has no `z`"):
        replace(point, z=1)


def test_copies_and_pickles_are_the_same() -> None:
    point = Point(x=1, note="n")
    assert copy.copy(point) is point
    assert copy.deepcopy(point) is point
    assert pickle.loads(pickle.dumps(point)) == point  # noqa: S301


def test_a_record_says_what_it_holds() -> None:
    assert repr(Point(x=1)) == "Point(x=1, y=0, note=None)"
