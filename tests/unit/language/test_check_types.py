"""Which type fits which."""

import pytest

from trainpolicy.engine.language.expression import Value
from trainpolicy.engine.language.value_type import ValueType, element_fits, parse_type, type_of_value


@pytest.mark.parametrize(
    ("of", "wanted", "fits"),
    [
        ("text", "text", True),
        ("text", "integer", False),
        (None, "text", True),
        ("text", None, True),
        ("quantity", "text", True),
        ("text", "quantity", True),
        ("integer", "quantity", True),
        ("boolean", "quantity", False),
        ("quantity", "boolean", False),
        ("quantity", "quantity", True),
        ("envVar", "map", True),
        ("map", "envVar", True),
        ("envVar", "envVar", True),
        ("envVar", "volume", False),
        ("envVar", "text", False),
        ("map", "text", False),
        ("list", "map", False),
    ],
)
def test_elements_fit_or_do_not(of: str | None, wanted: str | None, fits: bool) -> None:  # noqa: FBT001
    assert element_fits(of, wanted) is fits


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "a boolean"),
        (1, "an integer"),
        ("a", "text"),
        ([], "a list"),
        (["a", "b"], "a list of text"),
        ([1, True], "a list"),
        ([{"a": 1}], "a list of map"),
        ({"a": 1, "b": 2}, "a map of integer"),
        ({"a": 1, "b": "c"}, "a map"),
    ],
)
def test_a_constant_has_a_type_that_reads_well(value: Value, text: str) -> None:
    assert str(type_of_value(value)) == text


def test_a_type_is_written_as_it_reads() -> None:
    assert parse_type("list of text") == ValueType(kind="list", of="text")
    assert parse_type("map") == ValueType(kind="map")
