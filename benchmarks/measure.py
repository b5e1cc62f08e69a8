"""Times of several contestants in one run, taken in turn so that a busy machine disturbs all of them alike.

Time is processor time, of all threads: on a shared machine a clock on the wall mostly tells who else is there.
"""

import gc
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import cpu_count
from statistics import median
from time import process_time

__all__ = ["Row", "Turn", "heading", "interleaved", "table"]

REPETITIONS = 15


Turn = Callable[[], object]
"""The part of a turn that is timed."""


def interleaved(
    contestants: Mapping[str, Callable[[], Turn]],
    *,
    calls: int,
    repetitions: int = REPETITIONS,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """Seconds for one unit of work of each contestant: the median over rounds in which each has its turn.

    :param contestants: name → a function that makes ready, untimed, what is then timed
    :param calls: units of work in one turn
    :param clock: what counts the seconds
    """
    times: dict[str, list[float]] = {name: [] for name in contestants}
    collecting = gc.isenabled()
    try:
        for _ in range(repetitions):
            for name, contestant in contestants.items():
                turn = contestant()
                gc.collect()
                gc.disable()
                start = clock()
                turn()
                times[name].append((clock() - start) / calls)
                if collecting:
                    gc.enable()
    finally:
        if collecting:
            gc.enable()
    return {name: median(taken) for name, taken in times.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table: what was measured, how long it took and, if there is a bar, the ratio that it sets."""

    name: str
    seconds: float
    ratio: float | None = None
    bar: float | None = None


def heading(title: str) -> None:
    """Say what is measured and on what kind of machine."""
    print(f"\n{title}")
    print(f"{platform.python_implementation()} {platform.python_version()}, {cpu_count()} cores, {sys.platform}\n")


def table(rows: Sequence[Row], *, against: str) -> None:
    """Print rows; ``against`` says what the ratios are ratios of."""
    width = max(len(row.name) for row in rows)
    print(f"{'':{width}}  {'time':>10}  {'of ' + against:>24}  {'bar':>8}")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        bar = "" if row.bar is None else f"≤ {row.bar:g}"
        print(f"{row.name:{width}}  {_duration(row.seconds):>10}  {ratio:>24}  {bar:>8}")


def _duration(seconds: float) -> str:
    if abs(seconds) < 1e-3:
        return f"{seconds * 1e6:.2f} µs"
    return f"{seconds * 1e3:.1f} ms"
