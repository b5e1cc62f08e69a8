"""Moving items: what must come first goes to just before the other, with all that it waits for."""

from collections.abc import Callable

import pytest

from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.items import Item, Items, reorder
from trainpolicy.engine.language.vocabulary import Vocabulary

Pairs = list[tuple[str, str]]
Waits = dict[str, str]


@pytest.fixture
def vocabulary(program: Callable[[str], Program]) -> Vocabulary:
    return program("  - {id: a, then: {define: {count: 1}}}").layout.vocabulary


def jobs(keys: str, waits: Waits) -> Items:
    """A job for each letter, with two parts each; a job waits for the jobs that its text names."""
    items: Items = {"job": [], "part": []}
    for at, key in enumerate(keys):
        job = Item(([], []), (at,), key, tuple(waits.get(key, "")), None)
        items["job"].append(job)
        for inner in range(2):
            part = Item(([], [], []), (at, inner), f"{key}{inner}", (), None)
            job.children.append(part)
            items["part"].append(part)
    return items


@pytest.mark.parametrize(
    ("keys", "waits", "pairs", "moved"),
    [
        pytest.param("abc", {}, [("c", "a")], "cab", id="to just before the other"),
        pytest.param("abcde", {}, [("d", "b")], "adbce", id="the rest keeps its order"),
        pytest.param("abc", {}, [("a", "c")], "abc", id="what comes first already stays"),
        pytest.param("abcd", {"d": "c"}, [("d", "a")], "cdab", id="with what it waits for"),
        pytest.param("abcde", {"e": "d", "d": "b"}, [("e", "a")], "bdeac", id="with all that it waits for"),
        pytest.param("abcd", {"d": "bc"}, [("d", "a")], "bcda", id="what moves keeps its order"),
        pytest.param("abcd", {"c": "d"}, [("c", "a")], "dcab", id="even what stands behind"),
        pytest.param("abcd", {"a": "b"}, [("d", "c")], "abdc", id="who waits is not moved for that"),
        pytest.param("abc", {}, [("c", "b"), ("b", "a")], "cba", id="several hold together"),
        pytest.param("abc", {}, [("b", "a"), ("c", "b")], "cba", id="in whatever order they come"),
        pytest.param("abcd", {}, [("d", "a"), ("c", "a")], "cdab", id="two before one keep their order"),
        pytest.param("abcd", {}, [("d", "a"), ("d", "a")], "dabc", id="the same twice is the same"),
        pytest.param("ab", {}, [("x", "a"), ("b", "x")], "ab", id="without the item there is nothing to order"),
        pytest.param("abc", {"c": "x"}, [("c", "a")], "cab", id="a wait for what is not there is no wait"),
        pytest.param("a", {}, [], "a", id="no constraint"),
        pytest.param("", {}, [("a", "b")], "", id="no item"),
    ],
)
def test_items_move(vocabulary: Vocabulary, keys: str, waits: Waits, pairs: Pairs, moved: str) -> None:
    items = jobs(keys, waits)
    assert reorder("job", items, list(enumerate(pairs)), vocabulary) == []
    assert "".join(job.key for job in items["job"]) == moved
    assert [job.position for job in items["job"]] == [(at,) for at in range(len(moved))]
    assert [job.origin for job in items["job"]] == [(keys.index(key),) for key in moved]


@pytest.mark.parametrize(
    ("keys", "waits", "pairs", "moved", "reasons"),
    [
        pytest.param("ab", {"b": "a"}, [("b", "a")], "ab", {0: "`b` itself waits for `a`"}, id="against a wait"),
        pytest.param(
            "abc", {"b": "a", "c": "b"}, [("c", "a")], "abc", {0: "`c` itself waits for `a`"}, id="through another"
        ),
        pytest.param(
            "ab",
            {},
            [("b", "a"), ("a", "b")],
            "ab",
            {
                0: "what other rules order puts `a` before `b`",
                1: "what other rules order puts `b` before `a`",
            },
            id="against each other",
        ),
        pytest.param(
            "abc",
            {"b": "a"},
            [("b", "a"), ("c", "b")],
            "acb",
            {0: "`b` itself waits for `a`"},
            id="one that cannot be met does not stop another",
        ),
        pytest.param(
            "abc",
            {"c": "b"},
            [("c", "a"), ("a", "b")],
            "abc",
            {
                0: "what other rules order puts `a` before `c`",
                1: "what other rules order puts `b` before `a`",
            },
            id="against each other with the help of a wait",
        ),
    ],
)
def test_what_cannot_be_met_moves_nothing_and_is_told(
    vocabulary: Vocabulary, keys: str, waits: Waits, pairs: Pairs, moved: str, reasons: dict[int, str]
) -> None:
    items = jobs(keys, waits)
    failed = reorder("job", items, list(enumerate(pairs)), vocabulary)
    assert {one.number: one.reason for one in failed} == reasons
    assert "".join(job.key for job in items["job"]) == moved


def test_parts_follow_their_job(vocabulary: Vocabulary) -> None:
    items = jobs("abc", {})
    reorder("job", items, [(0, ("c", "a"))], vocabulary)
    assert [part.key for part in items["part"]] == ["c0", "c1", "a0", "a1", "b0", "b1"]
    assert [part.position for part in items["part"]] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert [part.origin for part in items["part"]] == [(2, 0), (2, 1), (0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_long_chain_is_no_matter_of_depth(vocabulary: Vocabulary) -> None:
    items: Items = {
        "job": [Item(([], []), (at,), str(at), (str(at + 1),) if at < 4999 else (), None) for at in range(5000)]
    }
    assert reorder("job", items, [(0, ("1", "0"))], vocabulary) == []
    assert [job.key for job in items["job"]] == [*map(str, range(4999, 0, -1)), "0"]


def test_a_row_of_an_item_is_its_last(vocabulary: Vocabulary) -> None:
    own: list[object] = [1]
    assert Item(([], own), (0,), "a", (), None).row is own  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert vocabulary.chain("part") == ("job", "part")
