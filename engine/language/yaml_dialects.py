"""The two ways to read YAML: rule files by YAML 1.2, manifests as Kubernetes does."""

from collections.abc import Callable

from ..record import Record
from .yaml_scalars import Scalar, key_text, manifest_scalar, rule_scalar

__all__ = ["DEEPEST", "MANIFESTS", "RULES", "Dialect"]

DEEPEST = 64
"""Lists and maps that may stand in each other."""


class Dialect(Record):
    """What differs between the two.

    ``scalar`` reads plain text and ``key`` a key that is no text (None: refused). ``merges`` allows ``<<``, ``tags``
    the tags of YAML itself, ``tabs`` tabs as indentation where the parser does, ``several`` more than one document.
    Aliases may stand for ``aliased`` values and ``share`` times what is written out.
    """

    scalar: Callable[[str], Scalar]
    key: Callable[[Scalar], str | None]
    merges: bool
    tags: bool
    tabs: bool
    several: bool
    aliased: int
    share: int


def _no_key(_value: Scalar) -> None:
    return None


RULES = Dialect(
    scalar=rule_scalar, key=_no_key, merges=False, tags=False, tabs=False, several=False, aliased=10_000, share=0
)
MANIFESTS = Dialect(
    scalar=manifest_scalar, key=key_text, merges=True, tags=True, tabs=True, several=True, aliased=100_000, share=10
)
