"""The rule set that comes with trainpolicy."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..values.packages import package_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["SHIPPED", "shipped_rules"]

SHIPPED = "trainpolicy"
"""The name by which a rule set extends the shipped one."""

_PACKAGE = "trainpolicy.rules"


def shipped_rules() -> "Path | Traversable":
    """The folder of the shipped rule set, wherever the package lies."""
    return package_folder(_PACKAGE)
