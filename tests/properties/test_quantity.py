"""Quantities keep their amount, whatever their spelling; fractions stand for what they should be."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.values.quantity import canonical, compare, integer_value, is_quantity

SUFFIXES = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "": Fraction(1),
    **{name: Fraction(1000**power) for power, name in enumerate("kMGTPE", start=1)},
    **{f"{name}i": Fraction(1024**power) for power, name in enumerate("KMGTPE", start=1)},
    **{f"e{power}": Fraction(10) ** power for power in range(-9, 19)},
}


@st.composite
def amounts(draw: st.DrawFn) -> tuple[str, Fraction]:
    """A spelling, and the billionths that it stands for, rounded away from zero."""
    whole = draw(st.from_regex("[0-9]{1,12}", fullmatch=True))
    part = draw(st.sampled_from(["", ".", ".5", ".25", ".500", ".001", ".000", ".1234567891"]))
    suffix = draw(st.sampled_from(sorted(SUFFIXES)))
    sign = draw(st.sampled_from(["", "-", "+"]))
    exact = Fraction(whole + (part if part != "." else "")) * SUFFIXES[suffix] * 10**9
    nanos = -(-exact.numerator // exact.denominator)
    return sign + whole + part + suffix, Fraction(-nanos if sign == "-" else nanos, 10**9)


@given(amounts())
def test_the_canonical_spelling_is_the_same_amount(amount: tuple[str, Fraction]) -> None:
    text, _ = amount
    assert compare(canonical(text), text) == 0


@given(amounts())
def test_a_canonical_spelling_stays_as_it_is(amount: tuple[str, Fraction]) -> None:
    text, _ = amount
    assert canonical(canonical(text)) == canonical(text)


@given(amounts(), amounts())
def test_amounts_compare_as_fractions_do(one: tuple[str, Fraction], other: tuple[str, Fraction]) -> None:
    assert compare(one[0], other[0]) == (one[1] > other[1]) - (one[1] < other[1])


@given(amounts())
def test_the_whole_number_is_the_amount_rounded_up(amount: tuple[str, Fraction]) -> None:
    text, exact = amount
    assert integer_value(text) == -(-exact.numerator // exact.denominator)


@given(st.text(max_size=200) | st.integers() | st.floats() | st.booleans() | st.none())
def test_what_is_a_quantity_has_a_canonical_spelling(value: object) -> None:
    if is_quantity(value):
        assert isinstance(value, str | int)
        assert is_quantity(canonical(value))


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_a_number_is_the_quantity_of_its_text(number: int) -> None:
    assert canonical(number) == canonical(str(number))
    assert integer_value(number) == number
