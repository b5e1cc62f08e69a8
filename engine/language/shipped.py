"""The rule set that comes with trainpolicy."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["SHIPPED", "shipped_rules"]

SHIPPED = "trainpolicy"
"""The name by which a rule set extends the shipped one."""

_PACKAGE = "trainpolicy.rules"


def shipped_rules() -> "Path | Traversable":
    """The folder of the shipped rule set, wherever the package lies."""
    file = import_module(_PACKAGE).__file__
    folder = Path(file).parent if file else None
    if folder is not None and folder.is_dir():
        return folder
    from importlib.resources import files  # slow to import, and needed only where the package is no folder

    return files(_PACKAGE)
