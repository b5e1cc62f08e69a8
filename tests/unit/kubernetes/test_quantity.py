"""How Kubernetes spells amounts (B-4)."""

import pytest

from trainpolicy.engine.values.quantity import canonical, compare, integer_value, is_quantity


@pytest.mark.parametrize(
    ("given", "written"),
    [
        # decimal: the whole number with the largest suffix
        ("1000m", "1"),
        ("1.5", "1500m"),
        ("1000", "1k"),
        (1000, "1k"),
        (4, "4"),
        ("0.5", "500m"),
        (".5", "500m"),
        ("0.000000001", "1n"),
        ("2500k", "2500k"),
        ("2000k", "2M"),
        ("-1000m", "-1"),
        ("1000E", "1000E"),
        # binary
        ("0.5Gi", "512Mi"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("1.5Ki", "1536"),
        ("0.5Ki", "512"),
        ("0.1Ki", "102400m"),
        ("1.1Ki", "1126400m"),
        ("1024Ei", "1024Ei"),
        # exponents are multiples of three
        ("12e4", "120e3"),
        ("1000e3", "1e6"),
        ("0.5e0", "500e-3"),
        ("10E1", "100"),
        # zero
        ("0", "0"),
        ("0m", "0"),
        ("0Gi", "0"),
        ("-0.0", "0"),
        # less than a billionth is rounded up
        ("0.1n", "1n"),
        ("1e-12", "1e-9"),
        ("-0.1n", "-1n"),
        # kept as written
        ("1.500", "1.500"),
        ("1.001k", "1.001k"),
        ("500m", "500m"),
        ("1.", "1."),
        ("+5", "+5"),
        ("1e3", "1e3"),
        ("1025Ki", "1025Ki"),
        ("007Ki", "007Ki"),
        ("8Gi", "8Gi"),
        ("0008Gi", "8Gi"),
        ("1500.000", "1500"),
    ],
)
def test_a_quantity_is_written_canonically(given: str | int, written: str) -> None:
    assert canonical(given) == written


@pytest.mark.parametrize(
    "value",
    [
        "",
        "1 ",
        " 1",
        "1\n",
        "k",
        ".",
        "-",
        "1.2.3",
        "1e",
        "1e1.5",
        "1ki",
        "1K",
        "1mi",
        "1.5GiB",
        "0x10",
        "\u0661",
        "1e1000",
        "9" * 129,
        0.5,
        2.0,
        True,
        None,
        [],
        {},
    ],
)
def test_other_values_are_no_quantities(value: object) -> None:
    assert not is_quantity(value)
    for function in (canonical, integer_value):
        with pytest.raises(ValueError, match="is no quantity"):
            function(value)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("given", "number"),
    [("500m", 1), ("1", 1), ("1001m", 2), ("0", 0), ("1Ki", 1024), ("-500m", 0), (3, 3), ("3000000000", 3000000000)],
)
def test_the_whole_number_is_rounded_up(given: str | int, number: int) -> None:
    assert integer_value(given) == number


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [("1", "1000m", 0), ("1Gi", "1G", 1), ("999m", 1, -1), ("-1", "1", -1), ("1e3", "1k", 0)],
)
def test_amounts_are_compared_and_not_spellings(left: str | int, right: str | int, order: int) -> None:
    assert compare(left, right) == order
