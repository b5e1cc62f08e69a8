"""The page about the library says what the library does."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_the_examples_of_the_library_page_are_true() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0
