"""Paths of fields as the vocabulary spells them: ``spec.replicatedJobs[name=a].template.metadata.labels["x/y"]``."""

import re
from functools import lru_cache
from typing import Final

from ..values.pattern import Pattern

__all__ = ["Pick", "parse_path"]

_STEP: Final = Pattern(
    r"""(?:^|\.)(?P<member>[^.\[\]"]+)                    # .member
      | \["(?P<odd>(?:[^"\\]|\\.)*)"\]                    # ["odd/member"]
      | \[(?P<key>[^.\[\]"=\s]+)=(?P<value>.*?)\](?=[.\[]|$)  # [key=value]
    """,
    re.VERBOSE | re.DOTALL,
)


class Pick(tuple[str, str]):
    """``[key=value]``: the item of a list whose member ``key`` has this value, as text."""

    __slots__ = ()


@lru_cache(maxsize=1024)
def parse_path(text: str) -> tuple[str | Pick, ...]:
    """Return the steps of a path: names of members, and :class:`Pick` for an item of a list.

    :raises ValueError: when the text is no such path
    """
    steps: list[str | Pick] = []
    end = 0
    while end < len(text):
        found = _STEP.match(text, end)
        if found is None:
            cause = f"`{text}` is not a path"
            raise ValueError(cause)
        end = found.end()
        if found["key"] is not None:
            steps.append(Pick((found["key"], found["value"])))
        else:
            odd = found["odd"]
            steps.append(found["member"] if odd is None else re.sub(r"\\(.)", r"\1", odd))
    return tuple(steps)
