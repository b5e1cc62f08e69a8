"""Who may import whom: the contracts of pyproject.toml hold, and importing the engine stays cheap."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from trainpolicy import engine


def test_the_import_contracts_hold(root: Path) -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    done = subprocess.run([*command, "--no-cache"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Contracts: 3 kept, 0 broken." in done.stdout


@pytest.mark.parametrize("module", ["click", "rich", "pygments", "argparse", "trainpolicy.cli"])
def test_importing_the_engine_loads_neither_command_line_nor_output_library(module: str) -> None:
    code = f"import sys, trainpolicy.engine; print({module!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_public_name_is_there() -> None:
    assert [name for name in engine.__all__ if not hasattr(engine, name)] == []
    assert set(engine.__all__) <= set(dir(engine))


def test_public_names_are_sorted_and_no_other_name_is_there() -> None:
    assert engine.__all__ == sorted(set(engine.__all__))
    with pytest.raises(AttributeError, match=r"module `trainpolicy\.engine` has no attribute `Polcy`"):
        engine.Polcy  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_types_and_imports_know_the_same_public_names(root: Path) -> None:
    text = (root / "engine" / "__init__.py").read_text(encoding="utf-8")
    for_types = text[text.index("if TYPE_CHECKING:") : text.index("_MODULES")]
    imported = re.findall(r"\bimport (?:\(([^)]*)\)|(.*))", for_types)
    names = [name for many, few in imported for name in re.findall(r"\w+", many or few)]
    assert sorted(names) == engine.__all__


def test_the_page_about_the_architecture_names_modules_that_exist(root: Path) -> None:
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("## Where to look") : page.index("## What happens")]
    named = re.findall(r"`([^`]+)`", table)
    folder = root / "engine"
    lost = [name for name in named if not any(folder.glob(f"**/{name}{end}") for end in ("", ".py"))]
    assert (len(named) > 20, lost) == (True, [])
