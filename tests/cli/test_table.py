import pytest

from trainpolicy.cli.table import columns, width


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("node", 4), ("→", 1), ("節点", 4), ("e\N{COMBINING ACUTE ACCENT}", 1)]
)
def test_width_counts_columns_of_a_terminal(text: str, expected: int) -> None:
    assert width(text) == expected


def test_columns_line_up_below_wide_characters() -> None:
    assert columns([("節点", "1", "x"), ("node", "20", ""), ("a",)]) == ["節点  1   x", "node  20", "a"]


def test_no_rows_are_no_lines() -> None:
    assert columns([]) == []
