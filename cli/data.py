"""Data as JSON or YAML text, the same bytes for the same data."""

import json
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["data_text"]

_OTHERWISE = re.compile(
    r"[yn]"
    r"|[-+]?(?:\.[0-9_]+|[0-9_]+(?:\.[0-9_]*)?)(?:e[-+]?[0-9_]+)?"
    r"|[-+]?0[box][0-9a-f_]+"
    r"|[-+]?[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?"
    r"|[-+]?\.?(?:inf|nan)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE | re.DOTALL,
)
"""Text that some reader of YAML, 1.1 or 1.2, takes for a boolean, a number or a date. The writer knows only a part."""

_ESCAPED = re.compile("[\x85\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Line breaks in YAML 1.1, characters like others in YAML 1.2; and marks of direction, which deceive the eye."""


def data_text(documents: Sequence[object], form: str, *, several: bool) -> str:
    """The documents as ``json`` or ``yaml``; ``several`` asks for JSON Lines, or for a YAML stream with ``---``."""
    if form == "yaml":
        return "".join(("---\n" if several else "") + _yaml(document) for document in documents)
    indent, separators = (None, (",", ":")) if several else (2, None)
    return "".join(
        json.dumps(document, ensure_ascii=False, indent=indent, separators=separators) + "\n" for document in documents
    )


def _yaml(document: object) -> str:
    import yaml  # other forms do not need it

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]
        """No anchors, and text of several lines as a block."""

        def ignore_aliases(self, data: object) -> bool:
            del data
            return True

    def text(dumper: Any, value: str) -> Any:
        # Half a character comes from a file name that is not UTF-8; the writer would refuse it.
        value = value.encode("utf-8", "backslashreplace").decode()
        style: str | None
        if _ESCAPED.search(value):
            style = '"'  # escaped
        elif _OTHERWISE.fullmatch(value):
            style = "'"
        else:
            # A block cannot hold a line that ends in a space, and the writer quotes such text by itself.
            style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    dump: Any = yaml.dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # its stubs leave a type open
    dumped: str = dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)
    return dumped
