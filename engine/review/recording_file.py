"""Files of recordings: one case a line, perhaps compressed, read line by line whatever their size."""

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from ..errors import Place, Problem, ProblemKind
from .recordings import Recorded, read_recorded

__all__ = ["LONGEST_LINE", "read_recording"]

LONGEST_LINE = 32 * 1024 * 1024
"""As many bytes as a case may have."""
_GZIP = b"\x1f\x8b"


def read_recording(stream: BinaryIO, label: str) -> Iterator[Recorded | Problem]:
    """Each case in turn, or a problem in its place.

    :param stream: NDJSON, plain or compressed with gzip
    :param label: how the user named the file
    """
    # The first bytes tell the form, and a pipe gives them only once.
    buffered = io.BufferedReader(cast("io.RawIOBase", stream))
    try:
        packed = buffered.peek(len(_GZIP)).startswith(_GZIP)
        yield from _cases(gzip.GzipFile(fileobj=buffered) if packed else buffered, label)
    finally:
        buffered.detach()  # the stream is the caller's to close


def _cases(lines: "io.BufferedIOBase", label: str) -> Iterator[Recorded | Problem]:
    number = 0
    while True:
        number += 1
        place = Place(file=label, line=number)
        try:
            line = lines.readline(LONGEST_LINE + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            cause = f"cannot be unpacked: {str(error).rstrip('.').lower()}"
            yield Problem(kind=ProblemKind.INVALID, cause=cause, place=Place(file=label))
            return
        if not line:
            return
        if len(line) > LONGEST_LINE:
            cause = f"the line is longer than {LONGEST_LINE // 1024**2} MiB"
            yield Problem(kind=ProblemKind.INVALID, cause=cause, place=place)
            return
        if line.strip():
            yield read_recorded(line, place)
