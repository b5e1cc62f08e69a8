"""Aligned columns of text, also with wide and combining characters."""

from collections.abc import Sequence

__all__ = ["columns", "width"]


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # most text is ASCII

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def columns(rows: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """One line a row, each cell but the last as wide as its column; cells hold no line breaks and no colour."""
    count = max((len(row) for row in rows), default=0)
    widths = [max((width(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]
    return [gap.join(cell + " " * (widths[at] - width(cell)) for at, cell in enumerate(row)).rstrip() for row in rows]
