"""What holds for every merge of lists by key (B-17, B-18)."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from trainpolicy.engine.kubernetes.strategic_merge import strategic_merge

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


def zipped(untouched: list[str], patched: list[str], base: list[str]) -> list[str]:
    """B-18 word by word: two queues, of which the next item is taken."""
    result: list[str] = []
    while untouched and patched:
        stays, comes = untouched[0], patched[0]
        first = comes in base and base.index(stays) < base.index(comes)
        result.append((untouched if first else patched).pop(0))
    return result + untouched + patched


@settings(max_examples=300, deadline=None)
@given(NAMES, NAMES)
def test_the_order_is_that_of_the_two_queues(base: list[str], patch: list[str]) -> None:
    merged: dict[str, Any] = strategic_merge(
        {"volumes": [{"name": name, "old": name} for name in base]},
        {"volumes": [{"name": name, "new": name} for name in patch]},
    )
    found = [item["name"] for item in merged["volumes"]]
    assert found == zipped([name for name in base if name not in patch], list(patch), base)
    assert all(item.get("old") == (item["name"] if item["name"] in base else None) for item in merged["volumes"])
    assert all(item.get("new") == (item["name"] if item["name"] in patch else None) for item in merged["volumes"])


@settings(max_examples=100, deadline=None)
@given(NAMES, NAMES)
def test_finalizers_are_united_in_the_same_order(base: list[str], patch: list[str]) -> None:
    merged = strategic_merge({"finalizers": base}, {"finalizers": patch})
    assert merged["finalizers"] == zipped([name for name in base if name not in patch], list(patch), base)


@settings(max_examples=100, deadline=None)
@given(NAMES, NAMES)
def test_merging_a_patch_again_changes_nothing(base: list[str], patch: list[str]) -> None:
    change = {"env": [{"name": name} for name in patch]}
    once = strategic_merge({"env": [{"name": name} for name in base]}, change)
    assert strategic_merge(once, change) == once
