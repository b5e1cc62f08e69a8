"""The value of a term, step by step: the meaning that compiled plans must reproduce."""

from collections.abc import Callable
from itertools import product
from math import prod
from typing import assert_never

from ..language.expression import Call, Constant, Entries, Items, ObjectName, Reference, Template, Term, Value
from ..language.functions import FUNCTIONS, EvaluationError, to_text
from ..language.rule import Repeat
from ..language.vocabulary import ObjectKind, Parameter, Vocabulary

__all__ = ["MAX_ITEMS", "Lookup", "check_repeat", "copy_value", "evaluate_repeat", "evaluate_term", "parameters_of"]

Lookup = Callable[[str], Value]
"""Gives the value of a name; only asked for names that are known."""

MAX_ITEMS = 100_000


def evaluate_term(term: Term, lookup: Lookup, objects: dict[str, ObjectKind]) -> Value:
    """The value of a term.

    Raises:
        EvaluationError: a function has no answer, for example ``first`` of an empty list.
    """
    match term:
        case Constant():
            return copy_value(term.value)
        case Reference():
            return lookup(term.name)
        case ObjectName():
            return evaluate_term(objects[term.object].metadata_name, lookup, objects)
        case Call():
            arguments = [evaluate_term(argument, lookup, objects) for argument in term.arguments]
            return FUNCTIONS[term.function].call(*arguments)
        case Template():
            return "".join(
                part if isinstance(part, str) else to_text(evaluate_term(part, lookup, objects)) for part in term.parts
            )
        case Items():
            return [evaluate_term(item, lookup, objects) for item in term.items]
        case Entries():
            return {key: evaluate_term(value, lookup, objects) for key, value in term.entries}
        case _:
            assert_never(term)


def evaluate_repeat(repeat: Repeat, lookup: Lookup, objects: dict[str, ObjectKind]) -> list[Value]:
    """The texts of a repeat, outer loop first.

    Raises:
        EvaluationError: more than 100,000 items.
    """
    bounds = [evaluate_term(bound, lookup, objects) for _, bound in repeat.loops]
    names = [name for name, _ in repeat.loops]
    ranges = [range(bound) for bound in bounds if isinstance(bound, int)]
    check_repeat(prod(len(numbers) for numbers in ranges))
    texts: list[Value] = []
    for numbers in product(*ranges):
        at: dict[str, Value] = dict(zip(names, numbers, strict=True))

        def inside(name: str, at: dict[str, Value] = at) -> Value:
            return at[name] if name in at else lookup(name)

        texts.append(evaluate_term(repeat.text, inside, objects))
    return texts


def check_repeat(count: int) -> None:
    """Refuse a repeat that would flood the memory.

    Raises:
        EvaluationError: more than 100,000 items.
    """
    if count > MAX_ITEMS:
        raise EvaluationError(
            f"{count} items are more than the {MAX_ITEMS} that one statement may add", "lower the bounds of the loops"
        )


def copy_value(value: Value) -> Value:
    """A copy that shares no list or map with the original, so that rules and results cannot change each other."""
    if isinstance(value, dict):
        return {key: copy_value(member) for key, member in value.items()}
    if isinstance(value, list):
        return [copy_value(item) for item in value]
    return value


def parameters_of(vocabulary: Vocabulary) -> dict[str, Value]:
    """The value in force of each parameter."""
    return {name: entry.value for name, entry in vocabulary.names.items() if isinstance(entry, Parameter)}
