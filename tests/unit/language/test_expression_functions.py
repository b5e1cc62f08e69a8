"""What the functions of expressions compute, and what they say when there is no answer."""

from typing import Any

import pytest

from trainpolicy.engine.language.functions import FUNCTIONS, RESERVED, EvaluationError

_LARGEST = 2**63 - 1


VALUES: list[tuple[str, list[Any], object]] = [
    ("+", [2, 3], 5),
    ("-", [2, 3], -1),
    ("*", [2, 3], 6),
    ("+", [_LARGEST - 1, 1], _LARGEST),
    ("-", [-_LARGEST, 1], -_LARGEST - 1),
    ("min", [3, 1, 2], 1),
    ("max", [3, 1, 2], 3),
    ("min", [[3, 1]], 1),
    ("max", [[3]], 3),
    ("len", [[1, 2]], 2),
    ("len", ["abc"], 3),
    ("len", [{"a": 1}], 1),
    ("join", [["a", "b"], ", "], "a, b"),
    ("join", [[], ", "], ""),
    ("first", [["b", "a"]], "b"),
    ("common", [["c", "a", "b", "a"], ["a", "c", "d"]], ["c", "a"]),
    ("common", [[1, True, {"a": 1, "b": 2}], [True, {"b": 2, "a": 1}]], [True, {"a": 1, "b": 2}]),
    ("common", [[], ["a"]], []),
    ("text", [12], "12"),
    ("text", [True], "true"),
    ("text", [False], "false"),
    ("text", ["a"], "a"),
    ("quantity", [{"cpu": "4", "nvidia.com/GPU": "2"}, "gpu"], 2),
    ("quantity", [{"amd.com/gpu": "1500m"}, "GPU"], 2),
    ("quantity", [{"amd.com/gpu": 3}, "gpu"], 3),
    ("quantity", [{"cpu": "4"}, "gpu"], 0),
    ("quantity", [{}, "gpu"], 0),
]


@pytest.mark.parametrize(("function", "arguments", "value"), VALUES)
def test_a_function_gives_its_value(function: str, arguments: list[Any], value: object) -> None:
    result = FUNCTIONS[function].call(*arguments)
    assert result == value
    assert type(result) is type(value)


_GUARD = "test first that the list is not empty"


FAULTS: list[tuple[str, list[Any], str, str]] = [
    ("+", [_LARGEST, 1], "an integer outgrows 64 bits", "bound the values that are added or multiplied"),
    ("-", [-_LARGEST, 2], "an integer outgrows 64 bits", "bound the values that are added or multiplied"),
    ("*", [_LARGEST, 2], "an integer outgrows 64 bits", "bound the values that are added or multiplied"),
    ("min", [[]], "`min` of an empty list", _GUARD),
    ("max", [[]], "`max` of an empty list", _GUARD),
    ("first", [[]], "`first` of an empty list", _GUARD),
    ("text", [["a"]], "a list or a map cannot stand in text", "put a single value there, for example with join"),
    (
        "quantity",
        [{"a.com/gpu": "1", "cpu": "1", "b.com/gpu": "1"}, "gpu"],
        "`quantity` finds more than one name that contains `gpu`: `a.com/gpu`, `b.com/gpu`",
        "keep one",
    ),
    ("quantity", [{"gpu": "many"}, "gpu"], "`gpu` is no quantity: `many`", "write it like `2` or `500m`"),
]


@pytest.mark.parametrize(("function", "arguments", "cause", "help_"), FAULTS)
def test_a_function_without_an_answer_says_why(function: str, arguments: list[Any], cause: str, help_: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        FUNCTIONS[function].call(*arguments)
    assert (caught.value.cause, caught.value.help) == (cause, help_)


def test_the_names_of_functions_are_reserved() -> None:
    assert sorted(RESERVED) == ["common", "first", "join", "len", "max", "min", "name", "quantity", "text"]
