"""What a rule set was made of: its files with their content, and which files its folders held."""

import os
from pathlib import Path
from typing import Any

__all__ = ["Sources", "is_yaml", "unchanged"]


class Sources:
    """Gathers what a rule set is made of while it is read."""

    __slots__ = ("_files", "_folders", "_visible")

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, list[str]] = {}
        self._visible = True

    def add_file(self, path: object, content: bytes) -> None:
        """A file that was read."""
        try:
            self._files[self._name(path)] = content.decode()
        except UnicodeDecodeError:
            self._visible = False

    def add_folder(self, path: object, names: list[str]) -> None:
        """A folder that was looked through, with the YAML files found in it."""
        self._folders[self._name(path)] = names

    def _name(self, path: object) -> str:
        # Files inside an archive cannot be looked at again without unpacking it.
        self._visible = self._visible and isinstance(path, Path)
        return os.path.abspath(str(path))  # noqa: PTH100  # as it is named: links are followed when it is opened

    def data(self) -> dict[str, Any] | None:
        """For :func:`unchanged`; None when there is anything that it could not look at."""
        return {"files": self._files, "folders": self._folders} if self._visible else None


def is_yaml(name: str) -> bool:
    """Whether a file of this name belongs to a folder of rule files."""
    return name.endswith((".yaml", ".yml"))


def unchanged(sources: dict[str, Any]) -> bool:
    """Whether all files and folders still hold what they held.

    Raises:
        OSError: one of them cannot be read.
    """
    return all(_yaml_names(path) == names for path, names in sources["folders"].items()) and all(
        _holds(path, content.encode()) for path, content in sources["files"].items()
    )


def _yaml_names(path: str) -> list[str]:
    try:
        return sorted(filter(is_yaml, os.listdir(path)))  # noqa: PTH208  # names are all that is wanted
    except (FileNotFoundError, NotADirectoryError):
        return []


def _holds(path: str, content: bytes) -> bool:
    # What is no file any more neither blocks nor is read to its end.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(handle, len(content) + 1) == content
    finally:
        os.close(handle)
