"""The bytes of manifests: from files, folders and standard input, in a stable order."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from ..errors import Place, Problem, ProblemKind, UsageError
from ..language.yaml_source import LARGEST_MANIFESTS
from ..record import Record

__all__ = ["Source", "read_sources"]

_MISSING = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG}
_ENDINGS = (".yaml", ".yml", ".json")


class Source(Record):
    """The content of one file; ``label`` is how the user named it."""

    label: str
    content: bytes


def read_sources(paths: Sequence[str], stdin: BinaryIO) -> Iterator[Source | Problem]:
    """Each file once, in the order given, folders sorted; a problem in place of what cannot be read.

    Raises UsageError, before anything is read, for paths that do not exist.
    """
    missing = [path for path in paths if path != "-" and _is_missing(path)]
    if missing:
        raise UsageError([_problem(path, "no such file or folder") for path in missing])
    seen: set[str] = set()
    for path in paths:
        labels: Sequence[str | Problem] = [path]
        if path != "-" and os.path.isdir(path):  # noqa: PTH112  # Path would raise where it may not look
            labels = list(_manifest_files(path))
            if not labels:
                yield _problem(path, "no manifest in this folder", help_text="manifests end in .yaml, .yml or .json")
        for label in labels:
            if isinstance(label, Problem):
                yield label
                continue
            # A file that is named twice, or by its folder too, is read once.
            real = label if label == "-" else os.path.realpath(label)
            if real not in seen:
                seen.add(real)
                yield _read(label, stdin)


def _is_missing(path: str) -> bool:
    """Whether there is no such path; one that cannot be looked at is there, and reading it says why it cannot be."""
    try:
        os.stat(path)  # noqa: PTH116  # Path("") is the folder where we are
    except OSError as error:
        return error.errno in _MISSING
    return False


def _manifest_files(folder: str) -> Iterator[str | Problem]:
    """The manifest files below a folder, sorted, then the folders that cannot be looked into."""
    closed: list[OSError] = []
    found = (
        Path(parent, name)
        for parent, _, names in os.walk(folder, onerror=closed.append)
        for name in names
        if name.endswith(_ENDINGS)
    )
    yield from sorted(str(path) for path in found if not _is_special(path))
    for error in sorted(closed, key=lambda error: str(error.filename)):
        yield _unreadable(str(error.filename), error)


def _is_special(path: Path) -> bool:
    """Whether it is a pipe, socket or device, which are read only when named; a link to nowhere is not passed over."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _read(label: str, stdin: BinaryIO) -> Source | Problem:
    try:
        # One byte over the limit is enough for the reader to refuse it, whatever the size.
        if label == "-":
            return Source(label="<stdin>", content=stdin.read(LARGEST_MANIFESTS + 1))
        with Path(label).open("rb") as file:
            return Source(label=label, content=file.read(LARGEST_MANIFESTS + 1))
    except OSError as error:
        return _unreadable(label, error)


def _unreadable(path: str, error: OSError) -> Problem:
    return _problem(path, f"cannot be read: {(error.strerror or str(error)).lower()}")


def _problem(path: str, cause: str, help_text: str | None = None) -> Problem:
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=Place(file=path))
