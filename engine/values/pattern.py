"""Regular expressions that are compiled when first used.

A short process uses few of those that the modules it loads define, and compiling all of them takes longer than its
work.
"""

import re
from collections.abc import Callable

__all__ = ["Pattern"]


class Pattern:
    """Stands for ``re.compile(text, flags)``; the methods are those of the compiled pattern."""

    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[str]]

    def __init__(self, text: str, flags: int = 0) -> None:
        self._source = (text, flags)

    def __getattr__(self, name: str) -> object:
        if name not in Pattern.__annotations__:
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        for method in Pattern.__annotations__:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
