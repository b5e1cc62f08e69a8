"""The cache gives back what was put, or nothing."""

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

from trainpolicy.engine.language.cache import Cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache of the test is; it does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    return tmp_path / "home" / "cache" / "trainpolicy"


TEXTS = ['{"a":1}', '["x","y"]']


def fill(name: str = "set") -> None:
    Cache(name).put(TEXTS)


def hit(name: str = "set") -> list[str] | None:
    return Cache(name).get()


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def sealed(body: bytes) -> bytes:
    return f"{crc32(body):08x}\n".encode() + body


def test_texts_come_back_for_their_name_alone(folder: Path) -> None:
    assert hit() is None
    fill()
    assert hit() == TEXTS
    assert hit("other set") is None
    assert only(folder).suffix == ".json"


def test_an_entry_of_another_name_in_the_same_file_is_not_taken(folder: Path) -> None:
    fill("other")
    content = only(folder).read_bytes()
    fill("set")
    for path in folder.iterdir():
        path.write_bytes(content)
    assert (hit("other"), hit("set")) == (TEXTS, None)


def test_a_name_of_none_is_never_kept(folder: Path) -> None:
    cache = Cache(None)
    cache.put(TEXTS)
    assert not cache.usable
    assert cache.get() is None
    assert not folder.exists()


def test_folder_and_files_are_for_the_user_alone(folder: Path) -> None:
    fill()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only(folder).stat().st_mode) == 0o600


def test_a_folder_that_others_may_enter_is_closed_to_them(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    fill()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert hit() is not None


def test_new_texts_take_the_place_of_old_ones(folder: Path) -> None:
    fill()
    Cache("set").put(["3"])
    assert hit() == ["3"]
    assert len(list(folder.iterdir())) == 1


def test_a_hundred_files_are_kept(folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o700)
    for number in range(120):
        path = folder / f"old-{number:03}.json"
        path.write_bytes(b"")
        os.utime(path, (number, number))
    fill()
    left = sorted(path.name for path in folder.iterdir() if path.name.startswith("old"))
    assert left == [f"old-{number:03}.json" for number in range(21, 120)]
    assert hit() is not None


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[:-1],
    "changed": lambda content: content.replace(b'"a":1', b'"a":2'),
    "sealed otherwise": lambda content: b"0" * 8 + content[8:],
    "not sealed": lambda content: content[9:],
    "no text": lambda _: sealed(b"\xff"),
    "no line": lambda _: sealed(b""),
    "another version": lambda content: sealed(content[9:].replace(b'"set"', b'"set of another version"')),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_or_foreign_is_passed_over_and_replaced(folder: Path, damage: str) -> None:
    fill()
    path = only(folder)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert hit() is None
    fill()
    assert hit() is not None


def test_a_link_in_place_of_the_file_is_not_followed(folder: Path, tmp_path: Path) -> None:
    fill()
    path = only(folder)
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert hit() is None
    before = elsewhere.read_bytes()
    fill()
    assert elsewhere.read_bytes() == before
    assert not path.is_symlink()


def test_a_pipe_in_place_of_the_file_does_not_block(folder: Path) -> None:
    fill()
    path = only(folder)
    path.unlink()
    os.mkfifo(path)
    assert hit() is None


def test_a_link_in_place_of_the_folder_is_not_used(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.parent.mkdir(parents=True)
    folder.symlink_to(elsewhere)
    fill()
    assert hit() is None
    assert list(elsewhere.iterdir()) == []


@pytest.mark.usefixtures("folder")
def test_a_folder_of_another_user_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert hit() is None


def test_a_file_in_place_of_the_folder_is_no_error(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_bytes(b"")
    fill()
    assert hit() is None


def test_a_disk_that_is_full_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_self: Path, _target: Path) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(Path, "replace", full)
    fill()
    assert list(folder.iterdir()) == []


def test_the_cache_can_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    monkeypatch.setenv("TRAINPOLICY_CACHE", "off")
    assert hit() is None
    fill("another")
    assert len(list(folder.iterdir())) == 1


def test_without_a_folder_for_caches_the_home_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    fill()
    assert len(list((tmp_path / ".cache" / "trainpolicy").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert hit() is not None


@pytest.mark.usefixtures("folder")
def test_writers_at_the_same_time_leave_a_whole_file() -> None:
    threads = [threading.Thread(target=fill) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hit() is not None
