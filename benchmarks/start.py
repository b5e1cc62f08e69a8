"""How long the command and the library take from a cold start, beside a process that imports yaml and click.

Run: python benchmarks/start.py [PROCESSES]
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory, mkdtemp

from measure import Row, Turn, heading, interleaved, table

EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "deepspeed.yaml"
COMMAND = "from trainpolicy.cli.main import main; main()"
PEER = "a process that imports yaml and click"


def main(processes: int) -> None:
    with TemporaryDirectory() as folder:
        warm, bytecode = Path(folder) / "warm", Path(folder) / "bytecode"
        runs: dict[str, tuple[list[str], float | None, Callable[[], Path]]] = {
            PEER: (["import yaml, click"], None, lambda: warm),
            "an empty process": ([""], None, lambda: warm),
            "trainpolicy --version": ([COMMAND, "--version"], 1.3, lambda: warm),
            "trainpolicy evaluate, warm": ([COMMAND, "evaluate", str(EXAMPLE)], 1.8, lambda: warm),
            "trainpolicy evaluate -o jsonpatch, warm": (
                [COMMAND, "evaluate", "-o", "jsonpatch", str(EXAMPLE)],
                None,
                lambda: warm,
            ),
            "trainpolicy evaluate, cold": (
                [COMMAND, "evaluate", str(EXAMPLE)],
                3.0,
                lambda: Path(mkdtemp(dir=folder)),
            ),
            "import trainpolicy.engine": (["import trainpolicy.engine"], None, lambda: warm),
            "import and Policy.load(), warm": (
                ["from trainpolicy.engine import Policy; Policy.load()"],
                2.0,
                lambda: warm,
            ),
        }
        _compare(warm, Path(folder) / "cold", bytecode)
        contestants = {name: _turn(arguments, cache, bytecode) for name, (arguments, _, cache) in runs.items()}
        for ready in contestants.values():
            ready()()  # bytecode and the warm cache are written here
        times = interleaved(contestants, calls=1, repetitions=processes, clock=_clock)
    heading("Cold start: whole processes")
    table(
        [
            Row(name=name, seconds=seconds, ratio=seconds / times[PEER], bar=runs[name][1])
            for name, seconds in times.items()
        ],
        against="yaml and click",
    )


def _clock() -> float:
    """Processor time of all processes that were started and have ended."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _turn(arguments: list[str], cache: Callable[[], Path], bytecode: Path) -> Callable[[], Turn]:
    def ready() -> Turn:
        folder = cache()
        return lambda: _run(arguments, folder, bytecode)

    return ready


def _run(arguments: list[str], cache: Path, bytecode: Path) -> bytes:
    # Installed packages have their bytecode, whatever the shell says about writing it.
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPYCACHEPREFIX": str(bytecode)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout  # noqa: S603


def _compare(warm: Path, cold: Path, bytecode: Path) -> None:
    """A warm cache changes no answer."""
    arguments = [COMMAND, "evaluate", "-o", "json", str(EXAMPLE)]
    answers = {_run(arguments, cache, bytecode) for cache in (warm, warm, cold)}
    if len(answers) != 1:
        raise SystemExit("warm and cold cache give different answers")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
