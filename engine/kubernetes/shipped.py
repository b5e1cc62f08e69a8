"""The runtimes that come with trainpolicy. Each file is named after the runtime that it holds."""

from functools import cache
from typing import TYPE_CHECKING

from ..language.yaml_source import read_manifests
from .manifest import Manifest

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["shipped_names", "shipped_runtime", "shipped_text"]


def _folder() -> "Traversable":
    from importlib.resources import files  # slow to import, and most input brings its own runtime

    return files("trainpolicy.runtimes")


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of all shipped runtimes, sorted."""
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def shipped_text(name: str) -> str:
    """The manifest as it is shipped, comments included; ``name`` is one of ``shipped_names``."""
    return _folder().joinpath(f"{name}.yaml").read_text(encoding="utf-8")


def shipped_runtime(name: str) -> Manifest:
    """The runtime of that name; its places name the file as it lies in the source tree."""
    documents, _ = read_manifests(shipped_text(name).encode(), f"runtimes/{name}.yaml")
    return Manifest(data=documents[0].data, document=documents[0], shipped=True)
