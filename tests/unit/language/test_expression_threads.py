"""Rule sets may be loaded in several threads: their expressions do not disturb each other."""

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from trainpolicy.engine.language.expression_parser import parse_expression

EXPRESSION = " + ".join(f"min(a, {number} * b)" for number in range(20))


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads change as often as they can, also while Python makes a tree: the search for garbage runs code."""

    def work(_phase: str, _about: dict[str, int]) -> None:
        sum(range(50))

    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50, 2, 2)
    gc.callbacks.append(work)
    yield
    gc.callbacks.remove(work)
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restless")
def test_four_threads_read_what_one_reads() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(parse_expression, [EXPRESSION] * 400))
    assert found == [parse_expression(EXPRESSION)] * 400
