"""What is written where: UTF-8 on both streams, whatever the locale; colour and progress only for a terminal."""

import os
import re
import sys
import time
from contextlib import suppress
from typing import IO, Literal, TypeAlias

import click

__all__ = ["Colour", "Paint", "Progress", "one_line", "write", "write_error"]

Colour: TypeAlias = Literal["auto", "always", "never"]


def write(text: str) -> None:
    """Write to standard output as UTF-8."""
    _write(sys.stdout, text)


def write_error(text: str) -> None:
    """Write to standard error as UTF-8, after what standard output has got so far."""
    sys.stdout.flush()
    # A message that nobody can get changes neither the answer nor the exit code.
    with suppress(OSError):
        _write(sys.stderr, text)


def _write(stream: IO[str], text: str) -> None:
    # A lone surrogate comes from a file name that is not UTF-8; it must not stop the message about that file.
    click.echo(_UNSEEN.sub(_seen, text).encode("utf-8", "backslashreplace"), file=stream, nl=False)


_STYLES = range(0xD800, 0xD822)
"""Halves of characters that stand for our own escape sequences until they are written: no text of a user holds
them, as readers refuse them and names of files that are not UTF-8 give others."""

_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\ud821]")
"""What a terminal obeys or hides: control characters but tab and line feed, other line ends, marks of direction."""


def _seen(found: re.Match[str]) -> str:
    """The escape sequence of a style; all else spelled as JSON and YAML spell it between double quotes."""
    code = ord(found[0])
    return f"\x1b[{_STYLES.index(code)}m" if code in _STYLES else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """The text of a user in a line of ours, where a line break could pass off what follows as our words."""
    return text.replace("\n", "\\n")


class Paint:
    """Colours for one stream; plain text unless it is a terminal or colour was asked for."""

    def __init__(self, colour: Colour, stream: IO[str]) -> None:
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not stream.isatty()
        self._plain = plain if colour == "auto" else colour == "never"

    def _style(self, code: int, text: str) -> str:
        return text if self._plain or not text else f"{chr(_STYLES[code])}{text}{chr(_STYLES[0])}"

    def strong(self, text: str) -> str:
        """A heading or a result."""
        return self._style(1, text)

    def faint(self, text: str) -> str:
        """What is beside the point, such as places."""
        return self._style(2, text)

    def good(self, text: str) -> str:
        """A value that was decided."""
        return self._style(32, text)

    def bad(self, text: str) -> str:
        """A refusal or an error."""
        return self._style(31, text)

    def doubtful(self, text: str) -> str:
        """A warning."""
        return self._style(33, text)


class Progress:
    """How far a long run has come, on standard error of a terminal, from the third second on."""

    _PATIENCE = 2.0
    _PAUSE = 0.1

    def __init__(self, total: int) -> None:
        self._total = total
        self._next = time.monotonic() + self._PATIENCE
        self._shown = False

    def step(self, done: int) -> None:
        """Show that ``done`` items are done, if it is time for it."""
        now = time.monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next = now + self._PAUSE
            self._shown = True
            sys.stderr.write(f"\r{done} of {self._total} TrainJobs")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            self._shown = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
