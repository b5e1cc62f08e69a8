"""A cache of files that have passed reading and the check of their shape, private to the user.

One cache file holds all files of one rule set with one profile. Every entry is keyed by the content that it was made
of, so a stale cache can only be slow, never wrong. It is JSON: nothing in it is ever run. Whatever is damaged, foreign
or not writable is passed over without a word.
"""

import json
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

from .document import Document

__all__ = ["Cache"]

_SWITCH = "TRAINPOLICY_CACHE"
_FOLDER = "trainpolicy"
_LARGEST = 64 * 1024 * 1024
_MOST_FILES = 100


class Cache:
    """The entries of one cache file. ``name`` tells rule set and profile apart, and may hold anything."""

    __slots__ = ("_changed", "_found", "_path", "_used")

    def __init__(self, name: str) -> None:
        self._found: dict[str, Any] = {}
        self._used: dict[str, Any] = {}
        self._changed = False
        folder = _folder()
        self._path = (
            None if folder is None else folder / f"{sha256(name.encode(errors='surrogateescape')).hexdigest()}.json"
        )
        if self._path is not None:
            self._found = _read(self._path)

    def get(self, kind: str, digest: str, file: str) -> Document | None:
        """The document that was made of a content with this digest; ``file`` is what its places show."""
        entry = self._found.get(f"{kind}:{digest}")
        if entry is None:
            return None
        self._used[f"{kind}:{digest}"] = entry
        return Document(file, entry["data"], entry["places"], entry["root"])

    def put(self, kind: str, digest: str, document: Document) -> None:
        """Keep a document that has passed every check which depends on its content alone."""
        position = document.places if isinstance(document.places, int) else document.places[0]
        self._used[f"{kind}:{digest}"] = {"data": document.data, "places": document.places, "root": position}
        self._changed = True

    def was_checked(self, digest: str) -> bool:
        """Whether rules with this digest have passed all checks before."""
        known = f"checked:{digest}" in self._found
        if known:
            self._used[f"checked:{digest}"] = True
        return known

    def keep_checked(self, digest: str) -> None:
        """Remember that rules with this digest have passed all checks."""
        self._used[f"checked:{digest}"] = True
        self._changed = True

    def save(self) -> None:
        """Write what was used, when any of it is new."""
        if self._path is not None and self._changed:
            _write(self._path, self._used)
            self._changed = False


def _folder() -> Path | None:
    """The folder of the cache, made when needed; None when there is none that is safe to use."""
    if os.environ.get(_SWITCH) == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # noqa: PTH117  # the same on every path object, and sooner
        base = os.path.expanduser("~/.cache")  # noqa: PTH111  # a home that is unknown leaves the `~` and is no error
    if not os.path.isabs(base):  # noqa: PTH117
        return None
    folder = Path(base, _FOLDER)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return None
        if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
            folder.chmod(0o700)
    except OSError:
        return None
    return folder


def _read(path: Path) -> dict[str, Any]:
    """The entries of a cache file that is whole, the user's own, and made by this code; else none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:  # noqa: PTH123  # a handle, not a path
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_size > _LARGEST:
                return {}
            seal, _, body = file.read().partition(b"\n")
        if seal.decode("ascii") != sha256(body).hexdigest():
            return {}
        content = json.loads(body)
        entries: dict[str, Any] = content["entries"] if content["made by"] == _makers() else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return {}
    return entries


def _write(path: Path, entries: dict[str, Any]) -> None:
    """Replace the file at once, so that readers at the same time see the old one or the new one."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(8).hex()}")
    try:
        body = json.dumps({"made by": _makers(), "entries": entries}, separators=(",", ":")).encode()
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123  # a handle, not a path
                file.write(sha256(body).hexdigest().encode() + b"\n" + body)
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
        _prune(path.parent)
    except OSError:
        return


def _prune(folder: Path) -> None:
    """Keep the files that were written last, so that the folder does not grow for ever."""
    written = sorted(((path.lstat().st_mtime, path) for path in folder.iterdir()), reverse=True)
    for _, path in written[_MOST_FILES:]:
        path.unlink(missing_ok=True)


def _makers() -> str:
    """Names the code that reads and checks rules; it says more than a version number, for a checkout that changes."""
    here = Path(__file__).parent
    found = [
        (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder in (here, here / "schemas")
        for entry in os.scandir(folder)
        if entry.is_file()
    ]
    return sha256(repr((__name__, sorted(found))).encode()).hexdigest()
