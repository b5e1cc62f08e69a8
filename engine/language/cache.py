"""A cache of what costs much to make and follows from files alone, private to the user.

Each entry is a file of JSON texts, a line each: nothing in it is ever run. Whatever is damaged, foreign or not writable
is passed over without a word. Whether an entry still holds is for the caller to find out.
"""

import json
import os
import stat
from pathlib import Path
from zlib import crc32

__all__ = ["Cache"]

_SWITCH = "TRAINPOLICY_CACHE"
_FOLDER = "trainpolicy"
_LARGEST = 64 * 1024 * 1024
_MOST_FILES = 100


class Cache:
    """One entry. ``name`` tells it from others and may hold anything; None stands for an entry that is never kept."""

    __slots__ = ("_path", "_title")

    def __init__(self, name: str | None) -> None:
        self._path: Path | None = None
        self._title = ""
        folder = None if name is None else _folder()
        if folder is not None:
            # Two entries of one file name would take turns, for the title tells them apart.
            self._title = json.dumps([name, _makers()])
            self._path = folder / f"{_seal(json.dumps(name))}.json"

    @property
    def usable(self) -> bool:
        """Whether there is any sense in making texts to put."""
        return self._path is not None

    def get(self) -> list[str] | None:
        """The texts that were put; None when there are none, or none that are whole."""
        return None if self._path is None else _read(self._path, self._title)

    def put(self, texts: list[str]) -> None:
        """Keep JSON texts, each of one line, in place of those that are there."""
        if self._path is not None:
            _write(self._path, "\n".join([self._title, *texts]).encode())


def _seal(text: str | bytes) -> str:
    return f"{crc32(text.encode() if isinstance(text, str) else text):08x}"


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


def _read(path: Path, title: str) -> list[str] | None:
    """The texts of an entry that is whole, the user's own, and made by this code."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:  # noqa: PTH123  # a handle, not a path
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_size > _LARGEST:
                return None
            seal, _, body = file.read().partition(b"\n")
        if seal != _seal(body).encode():
            return None
        first, *texts = body.decode("ascii").split("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return texts if first == title else None


def _write(path: Path, body: bytes) -> None:
    """Replace the file at once, so that readers at the same time see the old one or the new one."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(8).hex()}")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123  # a handle, not a path
                file.write(_seal(body).encode() + b"\n" + body)
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


def _makers() -> list[tuple[str, int, int]]:
    """Names the code that makes rule sets; it says more than a version number, for a checkout that changes."""
    here = Path(__file__).parent
    found = [
        (entry.path, entry.stat().st_size, entry.stat().st_mtime_ns)
        for folder in (here, here / "schemas", here.parent, here.parent / "values")
        for entry in os.scandir(folder)
        if entry.is_file()
    ]
    return sorted(found)
