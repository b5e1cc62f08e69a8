"""Reading the text of a rule file in tests."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.yaml_source import read_rules


@pytest.fixture(scope="session")
def read() -> Callable[[str], Cursor]:
    """A cursor on a text, whose places name the file `r.yaml`."""

    def read_text(text: str) -> Cursor:
        document, problems = read_rules(text, "r.yaml")
        assert document is not None, problems
        return document.cursor

    return read_text
