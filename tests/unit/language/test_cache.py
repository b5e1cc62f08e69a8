"""The cache saves time and nothing else: no result and no error depends on it."""

import json
import os
import stat
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from trainpolicy.engine.language import schema
from trainpolicy.engine.language.cache import Cache
from trainpolicy.engine.language.document import Document
from trainpolicy.engine.language.ruleset import load_rule_set
from trainpolicy.engine.language.yaml_source import read_rules


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache of the test is; it does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    return tmp_path / "home" / "cache" / "trainpolicy"


def document(text: str = "a: 1\nb: [x, {c: true}]\n") -> Document:
    found, _ = read_rules(text, "first.yaml")
    assert found is not None
    return found


def fill(name: str = "set") -> None:
    cache = Cache(name)
    cache.put("rules", "digest", document())
    cache.save()


def hit(name: str = "set", kind: str = "rules", digest: str = "digest") -> Document | None:
    return Cache(name).get(kind, digest, "second.yaml")


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def sealed(content: Any) -> bytes:
    body = json.dumps(content).encode()
    return sha256(body).hexdigest().encode() + b"\n" + body


def test_a_document_comes_back_with_its_places(folder: Path) -> None:
    fill()
    found = hit()
    assert found is not None
    assert found.data == {"a": 1, "b": ["x", {"c": True}]}
    assert [str(found.place(path)) for path in [(), ("a",), ("b", 1, "c")]] == [
        "second.yaml:1:1",
        "second.yaml:1:4",
        "second.yaml:2:12",
    ]
    assert only(folder).suffix == ".json"


@pytest.mark.usefixtures("folder")
def test_another_content_kind_or_rule_set_is_not_found() -> None:
    fill()
    assert hit(digest="other") is None
    assert hit(kind="profile") is None
    assert hit(name="other set") is None


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


def test_what_is_no_longer_used_is_dropped_when_the_file_is_written(folder: Path) -> None:
    fill()
    cache = Cache("set")
    cache.put("rules", "new", document())
    cache.save()
    assert hit() is None
    assert hit(digest="new") is not None
    assert len(list(folder.iterdir())) == 1


def test_the_file_is_written_only_when_something_is_new(folder: Path) -> None:
    fill()
    before = only(folder).stat()
    cache = Cache("set")
    assert cache.get("rules", "digest", "f") is not None
    cache.save()
    assert only(folder).stat() == before


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
    "sealed otherwise": lambda content: b"0" * 64 + content[64:],
    "no text": lambda content: b"\xff" + content,
    "a list": lambda _: sealed([]),
    "an empty map": lambda _: sealed({}),
    "another version": lambda _: sealed({"made by": "another version", "entries": {"rules:digest": {}}}),
    "deep": lambda _: sha256(b"[" * 10_000).hexdigest().encode() + b"\n" + b"[" * 10_000,
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
    cache = Cache("set")
    cache.put("rules", "new", document())
    cache.save()
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


def test_a_rule_set_is_the_same_with_and_without_the_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    sketch = root / "tests" / "data" / "rules-sketch"
    first = load_rule_set(sketch)
    assert len(list(folder.iterdir())) == 1
    with monkeypatch.context() as patch:
        patch.delattr(schema, "validate")
        assert load_rule_set(sketch) == first
    monkeypatch.setenv("TRAINPOLICY_CACHE", "off")
    assert load_rule_set(sketch) == first


def test_files_with_faults_are_read_again(folder: Path, tmp_path: Path) -> None:
    rules = tmp_path / "set"
    rules.mkdir()
    (rules / "ruleset.yaml").write_text("language: 1\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(Exception, match="`name` is missing"):
            load_rule_set(rules)
    assert not folder.exists() or list(folder.iterdir()) == []
