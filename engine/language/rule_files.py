"""The files of a rule set: which there are, and their content once its shape has been checked."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from ..errors import InvalidRules, Place, Problem, ProblemKind, UsageError
from .document import Cursor, Document
from .report import report
from .shipped import SHIPPED, shipped_rules
from .sources import Sources, is_yaml

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from .schema import FileKind

__all__ = ["Folder", "RuleFiles", "holds", "in_order"]

_FIRST = "ruleset.yaml"
_LARGEST = 1024 * 1024
"""Bytes that are looked at; one more is read, so that the reader can refuse a longer file."""

AnyPath: TypeAlias = "Path | Traversable"


def holds(check: Callable[[], bool]) -> bool:
    """Whether a path is what a check asks for; one that no file system can hold is not."""
    try:
        return check()
    except OSError:
        return False


class Folder:
    """A folder of files; ``label`` is what places show for it, and no file outside it is ever read."""

    __slots__ = ("_inside", "label", "root")

    def __init__(self, root: AnyPath, label: str) -> None:
        self.root = root
        self.label = label
        self._inside = f"{os.path.realpath(root).rstrip(os.sep)}{os.sep}" if isinstance(root, Path) else None

    def path(self, name: str) -> str:
        """Tells the files of all folders apart by their names; links are not followed."""
        return os.path.normpath(f"{self.root}/{name}")

    def find(self, name: str, shown: str | None = None) -> "AnyPath | str":
        """The file of that name below the folder, or why there is none; ``shown`` is how a person wrote the name."""
        shown = name if shown is None else shown
        parts = PurePosixPath(name).parts
        if not parts or parts[0] == "/" or ".." in parts or "\\" in name or "\0" in name:
            return f"`{shown}` is outside the folder"
        found: AnyPath = self.root.joinpath(*parts)
        if self._inside is not None and not os.path.realpath(str(found)).startswith(self._inside):
            return f"`{shown}` leads outside the folder"
        return found if holds(found.is_file) else f"there is no file `{shown}`"

    def names(self, below: str) -> list[str]:
        """The YAML files right below one of its folders, sorted.

        Raises:
            OSError: the folder cannot be read.
        """
        folder = self.root.joinpath(below)
        if not holds(folder.is_dir):
            return []
        return sorted(f"{below}/{entry.name}" for entry in folder.iterdir() if is_yaml(entry.name))


class RuleFiles:
    """Reads the files of a rule set and of the one it extends, gathering everything that is wrong with them.

    ``folders`` and ``firsts`` hold folder and ``ruleset.yaml`` of each, the extended one first; ``sources`` is told of
    all that is looked at.
    """

    __slots__ = ("_digests", "firsts", "folders", "problems", "sources")

    def __init__(self, rules: Path | None) -> None:
        """Find the folders and read their first files.

        Raises:
            UsageError: there is no such folder.
        """
        if rules is not None and not holds(rules.is_dir):
            cause = "not a folder" if holds(rules.exists) else "no such folder"
            raise UsageError([Problem(kind=ProblemKind.INVALID, cause=cause, place=Place(file=str(rules)))])
        self.problems: list[Problem] = []
        self.sources = Sources()
        self._digests: list[str] = []
        shipped = Folder(shipped_rules(), "rules")
        own = shipped if rules is None else Folder(rules, str(rules))
        first = self.open(own, _FIRST, "ruleset")
        extends = first is not None and own is not shipped and first.raw.get("extends") == SHIPPED
        self.folders = [shipped, own] if extends else [own]
        read = [self.open(shipped, _FIRST, "ruleset"), first] if extends else [first]
        self.firsts: list[Cursor] = [cursor for cursor in read if cursor is not None]

    @property
    def digest(self) -> str:
        """Names the content of all files read so far."""
        return sha256(" ".join(self._digests).encode()).hexdigest()

    def open(self, folder: Folder, name: str, kind: "FileKind", asked: Cursor | None = None) -> Cursor | None:
        """A file whose shape is right; None, with a problem, otherwise. ``asked`` is where the file is named."""
        label = f"{folder.label}/{name}" if folder.label else name
        found = folder.find(name, None if asked is None else asked.raw)
        if isinstance(found, str):
            report(self.problems, Place(file=label) if asked is None else asked.place, found)
            return None
        try:
            with found.open("rb") as file:
                content = file.read(_LARGEST + 1)
        except OSError as error:
            self._unreadable(label, error)
            return None
        self.sources.add_file(found, content)
        self._digests.append(f"{kind}:{sha256(content).hexdigest()}")
        document = self._read(content, label, kind)
        return None if document is None else document.cursor

    def _read(self, content: bytes, label: str, kind: "FileKind") -> Document | None:
        from .schema import validate
        from .yaml_source import read_rules

        document, problems = read_rules(content, label)
        if document is not None:
            problems = validate(document, kind)
        self.problems += problems
        return None if problems else document

    def _names(self, folder: Folder, below: str) -> list[str]:
        try:
            names = folder.names(below)
        except OSError as error:
            self._unreadable(f"{folder.label}/{below}", error)
            return []
        self.sources.add_folder(folder.root.joinpath(below), [name.removeprefix(f"{below}/") for name in names])
        return names

    def _unreadable(self, label: str, error: OSError) -> None:
        report(self.problems, Place(file=label), f"cannot be read: {(error.strerror or str(error)).lower()}")

    def vocabularies(self) -> list[Cursor]:
        """All vocabulary files, each folder by name."""
        named = [(folder, name) for folder in self.folders for name in self._names(folder, "vocabulary")]
        read = [self.open(folder, name, "vocabulary") for folder, name in named]
        return [cursor for cursor in read if cursor is not None]

    def profile_names(self) -> dict[str, tuple[Folder, str]]:
        """Folder and file of each profile, by the profile's name; of two with one name the second is a problem."""
        found: dict[str, tuple[Folder, str]] = {}
        for folder in self.folders:
            for file in self._names(folder, "profiles"):
                name = PurePosixPath(file).stem
                other, other_file = found.setdefault(name, (folder, file))
                if (other, other_file) != (folder, file):
                    place = Place(file=f"{folder.label}/{file}")
                    help_ = f"it is in {other.label}/{other_file}"
                    report(self.problems, place, f"the profile `{name}` is there already", help_)
        return found

    def done(self) -> None:
        """End the reading.

        Raises:
            InvalidRules: something is wrong with the files.
        """
        if self.problems:
            raise InvalidRules(in_order(self.problems))


def in_order(problems: list[Problem]) -> list[Problem]:
    """Problems by file, line and column."""

    def key(problem: Problem) -> tuple[str, int, int]:
        place = problem.place
        return ("", 0, 0) if place is None else (place.file, place.line or 0, place.column or 0)

    return sorted(problems, key=key)
