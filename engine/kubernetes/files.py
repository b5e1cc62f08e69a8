"""The bytes of manifests: from files, folders and standard input, in a stable order."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from ..errors import Place, Problem, ProblemKind, UsageError
from ..language.yaml_source import LARGEST_MANIFESTS
from ..record import Record

__all__ = ["Source", "read_sources"]

_ENDINGS = (".yaml", ".yml", ".json")


class Source(Record):
    """The content of one file; ``label`` is how the user named it."""

    label: str
    content: bytes


def read_sources(paths: Sequence[str], stdin: BinaryIO) -> Iterator[Source | Problem]:
    """Each file once, in the order given, folders sorted; a problem in place of what cannot be read.

    Raises UsageError, before anything is read, for paths that do not exist.
    """
    missing = [path for path in paths if path != "-" and not Path(path).exists()]
    if missing:
        raise UsageError([_problem(path, "no such file or folder") for path in missing])
    seen: set[str] = set()
    for path in paths:
        if path == "-":
            labels = [path]
        elif Path(path).is_dir():
            labels = _manifest_files(path)
            if not labels:
                yield _problem(path, "no manifest in this folder", help_text="manifests end in .yaml, .yml or .json")
        else:
            labels = [path]
        for label in labels:
            # A file that is named twice, or by its folder too, is read once.
            real = label if label == "-" else os.path.realpath(label)
            if real not in seen:
                seen.add(real)
                yield _read(label, stdin)


def _manifest_files(folder: str) -> list[str]:
    found = (Path(parent, name) for parent, _, names in os.walk(folder) for name in names if name.endswith(_ENDINGS))
    return sorted(str(path) for path in found if path.is_file())


def _read(label: str, stdin: BinaryIO) -> Source | Problem:
    try:
        # One byte over the limit is enough for the reader to refuse it, whatever the size.
        if label == "-":
            return Source(label="<stdin>", content=stdin.read(LARGEST_MANIFESTS + 1))
        with Path(label).open("rb") as file:
            return Source(label=label, content=file.read(LARGEST_MANIFESTS + 1))
    except OSError as error:
        return _problem(label, f"cannot be read: {(error.strerror or str(error)).lower()}")


def _problem(path: str, cause: str, help_text: str | None = None) -> Problem:
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=Place(file=path))
