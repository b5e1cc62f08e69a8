"""Type checkers see the public names as callers are told they may use them."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from trainpolicy import engine

HERE = Path(__file__).resolve().parent


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy comes with the extra `lint`")
def test_mypy_agrees_with_every_line(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", "--follow-imports=silent"]
    done = subprocess.run(
        [
            *command,
            "--cache-dir",
            str(tmp_path),
            "--config-file",
            str(root / "pyproject.toml"),
            str(HERE / "public_names.py"),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


def test_the_library_tells_type_checkers_that_it_has_types(root: Path) -> None:
    assert (root / "engine" / "py.typed").is_file()


def test_most_public_names_are_used_as_callers_do() -> None:
    text = (HERE / "public_names.py").read_text(encoding="utf-8")
    # What rules are made of beyond conditions and statements is told by the page of the library.
    parts = {"Call", "Constant", "Derived", "Entries", "Example", "Fact", "Items", "ObjectName", "Parameter"}
    parts |= {"Reference", "Repeat", "Setting", "Template", "Term", "Vocabulary"}
    assert [name for name in engine.__all__ if f"    {name},\n" not in text and name not in parts] == []
