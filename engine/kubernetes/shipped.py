"""The runtimes that come with trainpolicy. Each file is named after the runtime that it holds."""

from functools import cache

from ..language.yaml_source import read_manifests
from ..values.packages import package_folder
from .manifest import Manifest

__all__ = ["shipped_names", "shipped_runtime", "shipped_text"]

_PACKAGE = "trainpolicy.runtimes"


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of all shipped runtimes, sorted."""
    names = (entry.name for entry in package_folder(_PACKAGE).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def shipped_text(name: str) -> str:
    """The manifest as it is shipped, comments included; ``name`` is one of ``shipped_names``."""
    return package_folder(_PACKAGE).joinpath(f"{name}.yaml").read_text(encoding="utf-8")


def shipped_runtime(name: str) -> Manifest:
    """The runtime of that name; its places name the file as it lies in the source tree."""
    documents, _ = read_manifests(shipped_text(name).encode(), f"runtimes/{name}.yaml")
    return Manifest(data=documents[0].data, document=documents[0], shipped=True)
