"""Data that ships inside a package, wherever the package lies."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["package_folder"]


def package_folder(name: str) -> "Path | Traversable":
    """The folder of a package, as a path where it is one on disk."""
    file = import_module(name).__file__
    folder = Path(file).parent if file else None
    if folder is not None and folder.is_dir():
        return folder
    from importlib.resources import files  # slow to import, and needed only where the package is no folder

    return files(name)
