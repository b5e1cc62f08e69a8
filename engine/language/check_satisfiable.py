"""Rules that can never hold: in every alternative, the tests on one name leave it no value."""

import json
from collections.abc import Sequence
from typing import TypeAlias

from .check_context import Context, always_known
from .dnf import Alternative
from .expression import Constant, Value
from .rule import Rule
from .vocabulary import Derived, Name
from .words import WORDS

__all__ = ["check_satisfiable"]

_Wish: TypeAlias = tuple[str, Value | None, bool]
"""Word, constant right side (None when it is computed), and the answer that is wanted."""

_OPPOSITE = {
    "at_least": "less_than",
    "at_most": "greater_than",
    "greater_than": "at_most",
    "less_than": "at_least",
    "equals": "not_equals",
    "not_equals": "equals",
    "one_of": "none_of",
    "none_of": "one_of",
}
_MAX_COUNTED = 1000


def check_satisfiable(rule: Rule, alternatives: tuple[Alternative, ...], context: Context) -> None:
    """Report a rule none of whose alternatives can hold. Only for rules whose tests fit their types."""
    causes: list[str] = []
    for alternative in alternatives:
        cause = _contradiction(alternative, context)
        if cause is None:
            return
        causes.append(cause)
    cause = causes[0] if causes else "it has no alternative"
    more = f", and so on in each of {len(causes)} alternatives" if len(causes) > 1 else ""
    context.report(rule.place, f"the rule can never hold: {cause}{more}", "change the tests, or remove the rule")


def _contradiction(alternative: Alternative, context: Context) -> str | None:
    wishes: dict[str, list[_Wish]] = {}
    for test, wanted in alternative:
        operand = test.operand.value if isinstance(test.operand, Constant) else None
        wishes.setdefault(test.name, []).append((test.word, operand, wanted))
    for name, wished in wishes.items():
        entry = context.vocabulary.names[name]
        if not _possible(entry, wished):
            return f"no `{name}` passes " + " and ".join(dict.fromkeys(map(_worded, wished)))
    return None


def _worded(wish: _Wish) -> str:
    word, operand, wanted = wish
    right = "…" if operand is None else json.dumps(operand, ensure_ascii=False)
    return f"{'' if wanted else 'not '}`{word}: {right}`"


def _possible(entry: Name, wishes: list[_Wish]) -> bool:
    """Whether one value, or none, passes all tests on its name; yes when in doubt."""
    presence = {operand is wanted for word, operand, wanted in wishes if word == "present" and operand is not None}
    if False in presence and (len(presence) > 1 or len(wishes) > _presences(wishes) or _always_has_value(entry)):
        return False
    positive = [
        (word if wanted else _OPPOSITE.get(word, word), operand, wanted or word in _OPPOSITE)
        for word, operand, wanted in wishes
        if word != "present" and operand is not None
    ]
    if not positive:
        return True
    candidates = _candidates(entry, positive)
    if candidates is not None:
        if entry.type == "integer":
            candidates = [value for value in candidates if _within(value, entry)]
        return any(
            all(WORDS[word](value, operand) is wanted for word, operand, wanted in positive) for value in candidates
        )
    match entry.type:
        case "integer":
            return _integer_possible(entry, positive)
        case "text":
            return _text_possible(positive)
        case _:
            return _list_possible(positive)


def _presences(wishes: list[_Wish]) -> int:
    return sum(word == "present" for word, _, _ in wishes)


def _always_has_value(entry: Name) -> bool:
    if isinstance(entry, Derived):
        return entry.default is not None or entry.type == "list"
    return always_known(entry)


def _within(value: Value, entry: Name) -> bool:
    minimum: int | None = getattr(entry, "minimum", None)
    maximum: int | None = getattr(entry, "maximum", None)
    return not isinstance(value, int) or (
        (minimum is None or value >= minimum) and (maximum is None or value <= maximum)
    )


def _candidates(entry: Name, wishes: Sequence[_Wish]) -> list[Value] | None:
    """The few values that are left to try, when one test names them."""
    for word, operand, _ in wishes:
        if word == "equals" and operand is not None:
            return [operand]
        if word == "one_of" and isinstance(operand, list):
            return operand
    return [True, False] if entry.type == "boolean" else None


def _integer_possible(entry: Name, wishes: Sequence[_Wish]) -> bool:
    """Bounds and refusals leave a number; choices have been tried one by one before."""
    low: int | None = getattr(entry, "minimum", None)
    high: int | None = getattr(entry, "maximum", None)
    excluded: set[int] = set()
    for word, operand, _ in wishes:
        if isinstance(operand, list):
            excluded.update(item for item in operand if isinstance(item, int))
        elif isinstance(operand, int):
            if word == "not_equals":
                excluded.add(operand)
            elif word in ("at_least", "greater_than"):
                bound = operand + (word == "greater_than")
                low = bound if low is None else max(low, bound)
            else:
                bound = operand - (word == "less_than")
                high = bound if high is None else min(high, bound)
    if low is None or high is None:
        return True
    return high - low >= _MAX_COUNTED or any(value not in excluded for value in range(low, high + 1))


def _text_possible(wishes: Sequence[_Wish]) -> bool:
    """One text must start with all beginnings, end with all ends, and not be what is refused."""
    starts, ends = _texts(wishes, "starts_with", wanted=True), _texts(wishes, "ends_with", wanted=True)
    longest_start, longest_end = max(starts, key=len, default=""), max(ends, key=len, default="")
    if not all(map(longest_start.startswith, starts)) or not all(map(longest_end.endswith, ends)):
        return False
    if any(map(longest_start.startswith, _texts(wishes, "starts_with", wanted=False))):
        return False
    if any(map(longest_end.endswith, _texts(wishes, "ends_with", wanted=False))):
        return False
    empties = {operand is wanted for word, operand, wanted in wishes if word == "empty"}
    return len(empties) < 2 and not (True in empties and (longest_start or longest_end))  # noqa: PLR2004 - yes and no


def _texts(wishes: Sequence[_Wish], word: str, *, wanted: bool) -> list[str]:
    return [
        operand for found, operand, answer in wishes if found == word and answer is wanted and isinstance(operand, str)
    ]


def _list_possible(wishes: Sequence[_Wish]) -> bool:
    """What must be in the list must not be refused, and an empty list has nothing in it."""
    held = [operand for word, operand, wanted in wishes if word == "contains" and wanted]
    refused: list[Value | None] = [operand for word, operand, wanted in wishes if word == "contains" and not wanted]
    choices = [operand for word, operand, wanted in wishes if word == "contains_any" and wanted]
    for word, operand, wanted in wishes:
        if word == "contains_any" and not wanted and isinstance(operand, list):
            refused += operand
    if any(item in refused for item in held):
        return False
    if any(isinstance(choice, list) and all(item in refused for item in choice) for choice in choices):
        return False
    empties = {operand is wanted for word, operand, wanted in wishes if word == "empty"}
    return len(empties) < 2 and not (True in empties and (held or choices))  # noqa: PLR2004 - yes and no
