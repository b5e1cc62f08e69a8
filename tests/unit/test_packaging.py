"""The wheel holds the four folders and nothing else; the text of pyproject.toml agrees with what is promised."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

FOLDERS = ("engine", "cli", "rules", "runtimes")


def shipped(root: Path) -> set[str]:
    """The files of the four folders, as they are named inside the package."""
    return {
        f"trainpolicy/{path.relative_to(root).as_posix()}"
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist and the wheel that was built from that sdist."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_a_wheel_built_by_way_of_the_sdist_holds_exactly_the_four_folders(root: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith("trainpolicy-0.1.0.dist-info/")}
    assert names == shipped(root)


def test_the_wheel_carries_the_licence_and_the_command(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        licence = archive.read("trainpolicy-0.1.0.dist-info/licenses/LICENSE").decode()
        entry_points = archive.read("trainpolicy-0.1.0.dist-info/entry_points.txt").decode()
    assert "Apache License" in licence
    assert entry_points == "[console_scripts]\ntrainpolicy = trainpolicy.cli.main:main\n"


def test_the_sdist_holds_real_files_and_no_links(root: Path, built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert [member.name for member in members if member.issym() or member.islnk()] == []
    names = {member.name.removeprefix("trainpolicy-0.1.0/") for member in members}
    assert {name.removeprefix("trainpolicy/") for name in shipped(root)} <= names


@pytest.mark.parametrize("folder", FOLDERS)
def test_an_editable_install_reads_the_folder_itself(root: Path, folder: str) -> None:
    link = root / ".editable" / "trainpolicy" / folder
    assert link.is_symlink()
    assert link.resolve() == root / folder
    assert Path(str(files(f"trainpolicy.{folder}"))).resolve() == root / folder


@pytest.mark.parametrize("folder", ["rules", "runtimes"])
def test_data_folders_hold_no_code(root: Path, folder: str) -> None:
    assert [path.relative_to(root).as_posix() for path in (root / folder).rglob("*.py")] == [f"{folder}/__init__.py"]
    assert len((root / folder / "__init__.py").read_text(encoding="utf-8").splitlines()) == 1


def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_four_packages_are_needed_at_run_time_each_with_a_lower_bound(root: Path) -> None:
    assert project(root)["dependencies"] == ["durable-rules>=2.0.28", "PyYAML>=6.0.1", "cerberus>=1.3.7", "click>=8.1"]


def test_every_tool_has_a_bound(root: Path) -> None:
    extras = project(root)["optional-dependencies"]
    assert sorted(extras) == ["bench", "lint", "test"]
    assert [tool for tools in extras.values() for tool in tools if "=" not in tool] == []


def test_the_version_is_said_once(root: Path) -> None:
    assert metadata.version("trainpolicy") == project(root)["version"]
    assert f"## {project(root)['version']}" in (root / "CHANGELOG.md").read_text(encoding="utf-8")
