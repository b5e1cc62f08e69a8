"""JSON read fast. What is not plain JSON within the bounds is left to the YAML reader, which tells why and where."""

import json
from typing import Any

from ..record import Record
from .spots import spot
from .yaml_dialects import DEEPEST
from .yaml_scalars import ScalarFault, manifest_number

__all__ = ["Json", "read_json"]


class Json(Record):
    """The one document of a JSON file; ``start`` is the index of its first character, ``line`` counts from 0."""

    data: Any
    position: int
    start: int
    line: int


def read_json(text: str) -> Json | None:
    """The document; None when the text is not JSON, has a key twice, or is nested too deep."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        data = json.loads(text, object_pairs_hook=_members, parse_float=manifest_number, parse_constant=_refuse)
        if "\\u" in text:
            # JSON allows half a pair of surrogates; no file could ever hold the text.
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError, ScalarFault):
        return None
    if _deeper(data):
        return None
    line_start = text.rfind("\n", 0, start) + 1
    line = text.count("\n", 0, line_start)
    return Json(data=data, position=spot(line, start - line_start), start=start, line=line)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError(pairs)
    return members


def _refuse(name: str) -> None:
    raise ValueError(name)


def _deeper(data: object) -> bool:
    level = [data]
    for _ in range(DEEPEST):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
        if not below:
            return False
        level = below
    return any(isinstance(value, list | dict) for value in level)
