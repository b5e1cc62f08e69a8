"""Every example of README and docs gives exactly the output that is shown, and every link leads somewhere."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Example(NamedTuple):
    """A command line and what the page shows below it."""

    place: str
    command: str
    output: str


def examples(page: Path) -> list[Example]:
    """The commands of a page in order. A line that starts with `$ ` begins one; all up to the next is its output."""
    text = page.read_text(encoding="utf-8")
    found: list[Example] = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        for part in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
            if part:
                first, _, rest = part.partition("\n")
                place = f"{page.relative_to(ROOT).as_posix()}:{line}"
                found.append(Example(place, first.removeprefix("$ "), rest))
                line += part.count("\n")
    return found


EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search path on which `trainpolicy` is the code under test, whatever else is installed."""
    folder = tmp_path_factory.mktemp("bin")
    code = "import sys; sys.argv[0] = 'trainpolicy'; from trainpolicy.cli.main import main; sys.exit(main())"
    program = folder / "trainpolicy"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{code}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_the_readme_shows_an_evaluation() -> None:
    commands = [example.command for example in EXAMPLES if example.place.startswith("README.md:")]
    assert "trainpolicy evaluate docs/examples/deepspeed.yaml" in commands


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.place for example in EXAMPLES])
def test_an_example_gives_the_output_that_is_shown(example: Example, programs: str) -> None:
    done = subprocess.run(
        ["sh", "-c", example.command],
        cwd=ROOT,
        env={**os.environ, "PATH": programs},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == example.output


def test_the_python_example_of_the_readme_gives_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
