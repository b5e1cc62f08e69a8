"""A hint for a name that does not exist."""

from collections.abc import Iterable

__all__ = ["nearest_name"]

_MOST = 12


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """``did you mean `numNodes`?`` when one of the known names is close, else the names if they are few; else None."""
    from difflib import get_close_matches  # only a mistake needs it

    names = list(dict.fromkeys(known))
    near = get_close_matches(name, names, n=1)
    if near:
        return f"did you mean `{near[0]}`?"
    if not names or len(names) > _MOST:
        return None
    return ("there is only " if len(names) == 1 else "known are ") + ", ".join(f"`{one}`" for one in names)
