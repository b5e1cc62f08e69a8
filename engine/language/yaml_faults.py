"""Files that cannot be read as YAML at all: not UTF-8, too large, or broken syntax, each with its place."""

import re
from typing import TYPE_CHECKING

from ..errors import Place, Problem, ProblemKind
from .yaml_dialects import DEEPEST

if TYPE_CHECKING:
    from yaml import YAMLError

__all__ = ["decode", "syntax_fault"]

_NO_TEXT = re.compile("[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BOM = b"\xef\xbb\xbf"
_MIB = 1024 * 1024


def decode(content: str | bytes, file: str, largest: int, problems: list[Problem]) -> str | None:
    """The text of a file without a byte order mark; None, with a problem, when it is too large or not UTF-8."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if len(data) > largest:
        cause = f"the file is larger than {largest // _MIB} MiB"
        problems.append(Problem(kind=ProblemKind.INVALID, cause=cause, help="split it", place=Place(file=file)))
        return None
    data = data.removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        cause = f"the file is not UTF-8: byte 0x{data[error.start]:02x}"
        problems.append(_problem(file, before, len(before), cause, "save it as UTF-8"))
        return None


def syntax_fault(error: "YAMLError", text: str, file: str) -> Problem:
    """The problem that an error of the YAML parser stands for."""
    from yaml import MarkedYAMLError

    if not isinstance(error, MarkedYAMLError):
        bad = _NO_TEXT.search(text)
        if bad is None:
            return Problem(kind=ProblemKind.INVALID, cause=f"not YAML: {error}", place=Place(file=file))
        cause = f"the character U+{ord(bad.group()):04X} cannot stand in YAML"
        return _problem(file, text, bad.start(), cause, r'write it as `"\u…"` inside double quotes')
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Problem(kind=ProblemKind.INVALID, cause=f"not YAML: {error.problem}", place=Place(file=file))
    place = Place(file=file, line=mark.line + 1, column=mark.column + 1)
    cause, help_ = _wording(error, text[mark.index : mark.index + 1])
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place)


def _wording(error: "YAMLError", character: str) -> tuple[str, str | None]:
    what: str = getattr(error, "problem", None) or ""
    context: str = getattr(error, "context", None) or ""
    if "nesting" in what:
        return f"values are nested deeper than {DEEPEST} levels", None
    if "tab character" in what:
        return "a tab cannot indent", "indent with spaces"
    if "cannot start any token" in what:
        if character == "\t":
            return "a tab cannot indent", "indent with spaces"
        return f"text cannot start with `{character}`", "put it in quotes"
    if "mapping values are not allowed" in what:
        return "a `:` stands where no key can be", "put text that holds `: ` in quotes, or check the indentation"
    if "expected ':'" in what or "expected ':'" in context:
        return "a key lacks its `:`", "check the line before too"
    if "end of stream" in what or not character:
        return "the file ends too early", "a bracket, brace or quote is open"
    return f"not YAML: {' '.join(part for part in (context, what) if part)}", None


def _problem(file: str, text: str, index: int, cause: str, help_: str | None) -> Problem:
    line = text.count("\n", 0, index)
    place = Place(file=file, line=line + 1, column=index - (text.rfind("\n", 0, index) + 1) + 1)
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place)
