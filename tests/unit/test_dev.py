"""`./dev` says what is missing on a machine, and what to install, before it makes anything."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = ("sh", "dirname", "cat", "cksum", "mkdir", "rm", "rmdir", "mktemp", "sleep", "tail", "env")


class Machine:
    """A machine with the usual tools and a copy of the script, in a folder whose name has a space."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.bin = folder / "bin"
        self.checkout = folder / "a clone"
        self.bin.mkdir()
        self.checkout.mkdir()
        for name in ("dev", "pyproject.toml"):
            shutil.copy2(root / name, self.checkout / name)
        for tool in TOOLS:
            self.has(tool, f'exec {shutil.which(tool)} "$@"')

    def has(self, name: str, script: str) -> None:
        program = self.bin / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    def dev(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", str(self.checkout / "dev"), *arguments],
            cwd=self.bin,
            env={"PATH": str(self.bin), "TMPDIR": str(self.bin.parent), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def made(self) -> list[str]:
        return sorted(path.name for path in self.checkout.iterdir() if path.name != ".cache")


PYTHON = shlex.quote(sys.executable)
UNTOUCHED = ["dev", "pyproject.toml"]


@pytest.fixture
def machine(root: Path, tmp_path: Path) -> Machine:
    return Machine(root, tmp_path)


@pytest.fixture
def with_python(machine: Machine) -> Machine:
    machine.has("python3", f'exec {PYTHON} "$@"')
    return machine


def test_without_python_it_says_which_one_to_install(machine: Machine) -> None:
    done = machine.dev("evaluate", "job.yaml")
    assert (done.returncode, done.stdout, machine.made()) == (1, "", UNTOUCHED)
    assert done.stderr.startswith("dev: found no Python 3.11, 3.12 or 3.13\n  help: Debian or Ubuntu: sudo apt-get ")


def test_an_interpreter_that_is_too_old_is_passed_over(machine: Machine) -> None:
    machine.has("python3", "exit 0")
    assert machine.dev("test").stderr.startswith("dev: found no Python 3.11, 3.12 or 3.13\n")


def test_an_interpreter_that_was_asked_for_is_never_replaced(with_python: Machine) -> None:
    done = with_python.dev("test", PYTHON="/nowhere/python3.12")
    assert (done.returncode, with_python.made()) == (1, UNTOUCHED)
    assert done.stderr.splitlines()[0] == "dev: PYTHON=/nowhere/python3.12 is not Python 3.11, 3.12 or 3.13"


def test_without_a_compiler_it_says_which_package_has_one(with_python: Machine) -> None:
    done = with_python.dev("test")
    assert (done.returncode, done.stdout, with_python.made()) == (1, "", UNTOUCHED)
    assert done.stderr.splitlines() == [
        "dev: found no C compiler (looked for cc, gcc and clang); durable-rules is built from source",
        "  help: Debian or Ubuntu: sudo apt-get install build-essential",
        "  help: Fedora: sudo dnf install gcc",
        "  help: macOS: xcode-select --install",
    ]


def test_without_python_headers_it_says_which_package_has_them(machine: Machine) -> None:
    machine.has("cc", "exit 0")
    machine.has("python3", f'case $2 in *sysconfig*) echo /nowhere ;; *) exec {PYTHON} "$@" ;; esac')
    done = machine.dev("test")
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert (done.returncode, machine.made()) == (1, UNTOUCHED)
    assert done.stderr.splitlines()[:2] == [
        f"dev: Python {version} here lacks its C headers (no Python.h in /nowhere)",
        f"  help: Debian or Ubuntu: sudo apt-get install python{version}-dev",
    ]


def test_without_the_venv_module_it_says_which_package_has_it(machine: Machine) -> None:
    machine.has("python3", f'case $2 in *ensurepip*) exit 1 ;; *) exec {PYTHON} "$@" ;; esac')
    done = machine.dev("test")
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert done.stderr.splitlines() == [
        f"dev: Python {version} here lacks its venv module",
        f"  help: Debian or Ubuntu: sudo apt-get install python{version}-venv",
    ]


def test_a_compiler_that_cannot_compile_is_shown_at_work(with_python: Machine) -> None:
    with_python.has("cc", "echo 'stdlib.h: no such file' >&2; exit 1")
    done = with_python.dev("test")
    assert (done.returncode, with_python.made()) == (1, UNTOUCHED)
    assert done.stderr.splitlines()[:2] == [
        "stdlib.h: no such file",
        "dev: cc cannot compile a program that includes Python.h",
    ]


def test_the_lock_is_given_back_after_a_failure(with_python: Machine) -> None:
    assert with_python.dev("test").stderr == with_python.dev("test").stderr


def test_help_needs_nothing(machine: Machine) -> None:
    done = machine.dev("help")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "usage: ./dev COMMAND [ARGUMENTS]")


def test_the_script_is_executable(root: Path) -> None:
    assert os.access(root / "dev", os.X_OK)
    assert os.access(root / ".ci" / "run", os.X_OK)
