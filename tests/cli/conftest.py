"""Running a command inside the test's process, in a folder of its own."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from trainpolicy.cli.main import main


class Done(NamedTuple):
    """What a command left behind."""

    code: int | str | None
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run("evaluate", "a.yaml", stdin="…")`` in ``tmp_path``; nothing is a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)

    def call(*arguments: str, stdin: bytes = b"") -> Done:
        streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict") for name in ("out", "err")}
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", streams["out"])
            patch.setattr(sys, "stderr", streams["err"])
            with pytest.raises(SystemExit) as done:
                main(arguments)
        out, err = (stream.buffer.getvalue().decode() for stream in streams.values())  # type: ignore[attr-defined]
        return Done(done.value.code, out, err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """``write("a/b.yaml", text)`` below ``tmp_path``."""

    def call(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return call
