"""Data as text: YAML says the same to every reader, whichever version of YAML it knows."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from trainpolicy.cli.data import data_text

OTHERWISE = [
    *("y", "N", "yes", "Off", "on", "TRUE", "null", "~", "0E0", "1e3", "-2E+05", "0o17", "0o8", "+_", "017", "08"),
    *("0x1F", "0b11", "-0b1", "1_000", "1.", ".5", "+1", "1:30", "190:20:30.5", ".inf", "-.INF", ".NaN", "inf", "NaN"),
    *("2024-01-01", "2024-1-2", "2024-01-01T00:00:00Z", "=", "<<"),
]
PLAIN = ["yellow", "e3", "0e", "1e", "1.5Gi", "500m", "10.0.0.1", "a:1", "-De", "x1_000", "nano", "-x", "image:1.2"]


@pytest.mark.parametrize("text", OTHERWISE)
def test_text_that_some_reader_takes_for_something_else_is_quoted(text: str) -> None:
    assert data_text([{text: [text]}], "yaml", several=False) == f"'{text}':\n- '{text}'\n"


@pytest.mark.parametrize("text", PLAIN)
def test_other_text_is_plain(text: str) -> None:
    assert data_text([{text: [text]}], "yaml", several=False) == f"{text}:\n- {text}\n"


@pytest.mark.parametrize(("text", "escaped"), [("\x85", r"\N"), ("\u2028", r"\L"), ("\u2029", r"\P")])
def test_a_line_break_of_one_version_only_is_escaped(text: str, escaped: str) -> None:
    assert data_text([[f"a{text}b\n"]], "yaml", several=False) == f'- "a{escaped}b\\n"\n'


@given(
    st.recursive(st.text() | st.integers() | st.booleans() | st.none(), lambda inner: st.dictionaries(st.text(), inner))
)
@example({"script": "set -e\n  mpirun x \n\n"})
def test_both_forms_say_what_was_given(value: Any) -> None:
    assert yaml.safe_load(data_text([value], "yaml", several=False)) == value
    assert json.loads(data_text([value], "json", several=False)) == value
