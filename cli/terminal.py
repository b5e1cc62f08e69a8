"""What is written where: UTF-8 on both streams, whatever the locale; colour and progress only for a terminal."""

import os
import sys
import time
from typing import IO, Literal, TypeAlias

import click

__all__ = ["Colour", "Paint", "Progress", "write", "write_error"]

Colour: TypeAlias = Literal["auto", "always", "never"]


def write(text: str) -> None:
    """Write to standard output as UTF-8."""
    _write(sys.stdout, text)


def write_error(text: str) -> None:
    """Write to standard error as UTF-8, after what standard output has got so far."""
    sys.stdout.flush()
    _write(sys.stderr, text)


def _write(stream: IO[str], text: str) -> None:
    # A lone surrogate comes from a file name that is not UTF-8; it must not stop the message about that file.
    click.echo(text.encode("utf-8", "backslashreplace"), file=stream, nl=False)


class Paint:
    """Colours for one stream; plain text unless it is a terminal or colour was asked for."""

    def __init__(self, colour: Colour, stream: IO[str]) -> None:
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not stream.isatty()
        self._plain = plain if colour == "auto" else colour == "never"

    def _style(self, code: str, text: str) -> str:
        return text if self._plain or not text else f"\x1b[{code}m{text}\x1b[0m"

    def strong(self, text: str) -> str:
        """A heading or a result."""
        return self._style("1", text)

    def faint(self, text: str) -> str:
        """What is beside the point, such as places."""
        return self._style("2", text)

    def good(self, text: str) -> str:
        """A value that was decided."""
        return self._style("32", text)

    def bad(self, text: str) -> str:
        """A refusal or an error."""
        return self._style("31", text)

    def doubtful(self, text: str) -> str:
        """A warning."""
        return self._style("33", text)


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
            write_error(f"\r{done} of {self._total} TrainJobs")

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            self._shown = False
            write_error("\r\x1b[K")
