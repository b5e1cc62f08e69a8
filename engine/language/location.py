"""Paths of the vocabulary: ``jobSet/spec.replicatedJobs[name=node].dependsOn[].name``."""

import re

from ..values.pattern import Pattern
from .vocabulary import Each, Location, Member, Select, Step

__all__ = ["LocationFault", "parse_location", "parse_steps"]

_MOST_STEPS = 64
_STEP = Pattern(
    r"""(?P<dot>\.)?(?P<member>[^.\[\]"=/\s]+)"""
    r"""|\["(?P<odd>[^"]+)"\]"""
    r"""|(?P<each>\[\])"""
    r"""|\[(?P<key>[^.\[\]"=\s]+)=(?P<value>[^\[\]"]+)\]"""
)


class LocationFault(Exception):
    """Text that is no path; ``cause`` and ``help`` as in Problem."""

    def __init__(self, cause: str, help_: str | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.help = help_


def parse_location(text: str, base: str | None = None) -> Location:
    """``document/path`` as steps.

    :param base: the document of a path that names none

    Raises:
        LocationFault: the text is no such path.
    """
    # A member with a slash is always in quotes, so the document ends at the first slash before any of them.
    head, slash, path = text.partition("/")
    if not slash or "[" in head:
        if base is None:
            raise LocationFault(f"`{text}` names no document", "write it like `trainJob/spec.trainer.numNodes`")
        head, path = base, text
    if not path:
        raise LocationFault(f"`{text}` names no field", "write it like `trainJob/spec.trainer.numNodes`")
    return Location(document=head, steps=parse_steps(path), text=f"{head}/{path}")


def parse_steps(path: str) -> tuple[Step, ...]:
    """The steps of a path below a document or an item.

    Raises:
        LocationFault: the text is no such path.
    """
    steps: list[Step] = []
    position = 0
    while position < len(path):
        found = _STEP.match(path, position)
        # A dot stands between members: not before the first, and never left out.
        if found is None or (found["member"] is not None and bool(found["dot"]) != bool(steps)):
            break
        steps.append(_step(found))
        position = found.end()
    if position < len(path) or not steps:
        rest = path[position:]
        where = f" from `{rest}` on" if position else ""
        raise LocationFault(
            f"`{path}` is no path{where}",
            'steps are `.member`, `["odd/member"]`, `[key=value]` and `[]`',
        )
    if len(steps) > _MOST_STEPS:
        raise LocationFault(f"a path has {len(steps)} steps; {_MOST_STEPS} are possible")
    return tuple(steps)


def _step(found: "re.Match[str]") -> Step:
    if found["each"] is not None:
        return Each()
    if found["key"] is not None:
        return Select(key=found["key"], value=found["value"])
    return Member(name=found["member"] if found["odd"] is None else found["odd"])
