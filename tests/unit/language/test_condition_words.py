"""When each word of a test holds."""

from typing import Any

import pytest

from trainpolicy.engine.language.words import WORDS

ANSWERS: list[tuple[Any, str, Any, bool]] = [
    (1, "equals", 1, True),
    (1, "equals", 2, False),
    (1, "equals", True, False),
    (True, "equals", True, True),
    (0, "equals", False, False),
    ("a", "equals", "a", True),
    ([1], "equals", [1], True),
    ([1], "equals", [True], False),
    ([1], "equals", [1, 2], False),
    ({"a": 1}, "equals", {"a": 1}, True),
    ({"a": 1}, "equals", {"a": True}, False),
    ({"a": 1}, "equals", {"b": 1}, False),
    (1, "not_equals", 2, True),
    (1, "not_equals", 1, False),
    (1, "not_equals", True, True),
    (2, "at_least", 2, True),
    (1, "at_least", 2, False),
    (2, "at_most", 2, True),
    (3, "at_most", 2, False),
    (3, "greater_than", 2, True),
    (2, "greater_than", 2, False),
    (1, "less_than", 2, True),
    (2, "less_than", 2, False),
    ("a", "one_of", ["b", "a"], True),
    ("c", "one_of", ["b", "a"], False),
    (1, "one_of", [True], False),
    ("c", "none_of", ["b", "a"], True),
    ("a", "none_of", ["b", "a"], False),
    (1, "present", True, True),
    (None, "present", True, False),
    (None, "present", False, True),
    (False, "present", False, False),
    ([], "empty", True, True),
    (["a"], "empty", True, False),
    ("", "empty", True, True),
    ({"a": 1}, "empty", False, True),
    (["a", "b"], "contains", "b", True),
    (["a", "b"], "contains", "c", False),
    ([1], "contains", True, False),
    (["a", "b"], "contains_any", ["c", "b"], True),
    (["a", "b"], "contains_any", ["c"], False),
    (["a"], "contains_any", [], False),
    ("abc", "starts_with", "ab", True),
    ("abc", "starts_with", "bc", False),
    ("abc", "ends_with", "bc", True),
    ("abc", "ends_with", "ab", False),
    ("a.b/c", "has_form", "domain-path", True),
    ("a.b", "has_form", "domain-path", False),
    ("a.b", "has_form", "subdomain", True),
    ("a.b", "has_form", "label", False),
    ("A.b", "has_form", "label-value", True),
]


@pytest.mark.parametrize(("value", "word", "right", "answer"), ANSWERS)
def test_a_word_holds_or_does_not(value: Any, word: str, right: Any, answer: bool) -> None:  # noqa: FBT001
    assert WORDS[word](value, right) is answer


def test_every_word_is_seen_both_ways() -> None:
    assert {(word, answer) for _, word, _, answer in ANSWERS} == {
        (word, answer) for word in WORDS for answer in (True, False)
    }
