"""Files that cannot be read as YAML at all: not UTF-8, too large, or broken syntax, each with its place."""

import re
from typing import TYPE_CHECKING

from ..errors import Place, Problem, ProblemKind
from .yaml_dialects import DEEPEST

if TYPE_CHECKING:
    from yaml import MarkedYAMLError, YAMLError

__all__ = ["NO_CHARACTER", "decode", "syntax_fault"]

NO_CHARACTER = "an escape stands for no character"
"""Why text with half a pair of surrogates is refused."""

_NO_TEXT = "[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Compiled when a file is broken: the class is large, and so is the time it takes."""
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
        bad = re.search(_NO_TEXT, text)
        if bad is None:
            return Problem(kind=ProblemKind.INVALID, cause=f"not YAML: {error}", place=Place(file=file))
        cause = f"the character U+{ord(bad.group()):04X} cannot stand in YAML"
        return _problem(file, text, bad.start(), cause, r'write it as `"\u…"` inside double quotes')
    mark = error.problem_mark
    if mark is None:
        return Problem(kind=ProblemKind.INVALID, cause=f"not YAML: {error.problem}", place=Place(file=file))
    cause, help_, opened = _wording(error, text[mark.index : mark.index + 2])
    if opened and error.context_mark is not None:
        mark = error.context_mark
    place = Place(file=file, line=mark.line + 1, column=mark.column + 1)
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place)


def _wording(error: "MarkedYAMLError", rest: str) -> tuple[str, str | None, bool]:
    """Cause, help, and whether the fault is where something was opened and not where reading ended."""
    what, context, character = error.problem or "", error.context or "", rest[:1]
    if "nesting" in what:
        return f"values are nested deeper than {DEEPEST} levels", None, False
    if "tab character" in what or ("cannot start any token" in what and character == "\t"):
        return "a tab cannot indent", "indent with spaces", False
    if "cannot start any token" in what:
        return f"text cannot start with `{character}`", "put it in quotes", False
    if "mapping values are not allowed" in what:
        return "a `:` stands where no key can be", "put text that holds `: ` in quotes, or check the indentation", False
    if "unknown escape" in what:
        # The two parsers differ in whether they stand before the backslash or after it.
        escape = rest if character == "\\" else f"\\{character}"
        return f"`{escape}` has no meaning in double quotes", r"write `\\` for a backslash, or use single quotes", False
    if "Unicode character escape" in what:
        return NO_CHARACTER, None, False
    if "expected ':'" in what:
        return "a key lacks its `:`", None, True
    if "end of stream" in what or not character:
        return "what is opened here is never closed", None, True
    return f"not YAML: {' '.join(part for part in (context, what) if part)}", None, False


def _problem(file: str, text: str, index: int, cause: str, help_: str | None) -> Problem:
    line = text.count("\n", 0, index)
    place = Place(file=file, line=line + 1, column=index - (text.rfind("\n", 0, index) + 1) + 1)
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place)
