"""Who may import whom: the contracts of pyproject.toml hold, and importing the engine stays cheap."""

import subprocess
import sys
from pathlib import Path

import pytest


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
