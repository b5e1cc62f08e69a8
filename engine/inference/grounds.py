"""Grounds: the tests behind a statement, the values they saw and where those came from."""

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from ..decision import Because, Origin
from ..errors import Place
from ..language.condition import All, AnyOf, Condition, Not, Test, tests_of
from ..language.expression import Constant, Value
from ..language.functions import EvaluationError
from ..language.vocabulary import Fact, Parameter
from .findings import fact_path, value_at
from .items import Item
from .layout import Layout, Rows
from .leaves import holds
from .situations import ask_rows
from .stages import Entry, names_in
from .terms import Lookup, evaluate_term

__all__ = ["Grounds"]


class Grounds:
    """Explains conditions on one set of rows. ``origins`` gives the rules that decided a name for an item."""

    __slots__ = ("_documents", "_given", "_layout", "_origins")

    def __init__(
        self,
        layout: Layout,
        documents: Mapping[str, Any],
        given: Mapping[str, Any],
        origins: dict[tuple[str, tuple[int, ...]], tuple[tuple[str, ...], Place]],
    ) -> None:
        self._layout = layout
        self._documents = documents
        self._given = given
        self._origins = origins

    def because(self, entry: Entry, item: Item | None, rows: Rows) -> tuple[Because, ...]:
        """The tests that made the statement's rule hold, those of its file first."""
        tests = [
            pair
            for condition in (entry.rule.given, entry.rule.condition)
            for pair in self._true_tests(condition, rows, wanted=True)
        ]
        return tuple(self._test(test, wanted, item, rows) for test, wanted in tests)

    def _true_tests(self, condition: Condition, rows: Rows, *, wanted: bool) -> Iterator[tuple[Test, bool]]:
        """Tests that carry a condition, with the answer that was wanted of them."""
        match condition:
            case Test():
                if ask_rows(condition, self._layout, rows) is wanted:
                    yield condition, wanted
            case Not():
                yield from self._true_tests(condition.item, rows, wanted=not wanted)
            case All() | AnyOf():
                for item in condition.items:
                    if holds(item, lambda test: ask_rows(test, self._layout, rows)) is wanted:
                        yield from self._true_tests(item, rows, wanted=wanted)
            case _:
                assert_never(condition)

    def _test(self, test: Test, wanted: bool, item: Item | None, rows: Rows) -> Because:  # noqa: FBT001
        words = f"{test.word} {self._operand(test, rows)}"
        value = self._layout.lookup(rows)(test.name)
        return Because(
            fact=test.name,
            test=words if wanted else f"not {words}",
            value=value,
            origin=self._origin(test.name, value, item),
        )

    def _operand(self, test: Test, rows: Rows) -> str:
        if isinstance(test.operand, Constant):
            value = test.operand.value
        else:
            lookup: Lookup = self._layout.lookup(rows)  # type: ignore[assignment]
            try:
                value = evaluate_term(test.operand, lookup, self._layout.vocabulary.objects)
            except EvaluationError:
                return "?"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return "[" + ", ".join(str(one) for one in value) + "]"
        return str(value)

    def reads(self, entry: Entry, item: Item | None, rows: Rows) -> tuple[Because, ...]:
        """The names that a statement's value was computed from, parameters included."""
        names = set(entry.known)
        statement: Any = entry.statement
        term = getattr(statement, "value", None)
        if term is not None and not hasattr(term, "loops"):
            names |= {name for name in names_in(term) if name in self._layout.parameters}
        lookup = self._layout.lookup(rows)
        values = [(name, lookup(name)) for name in sorted(names)]
        return tuple(
            Because(fact=name, test="", value=value, origin=self._origin(name, value, item)) for name, value in values
        )

    def _origin(self, name: str, value: Value | None, item: Item | None) -> Origin | None:
        """Where a value came from; for a fact that is missing the field that is not there, else None for no value."""
        entry = self._layout.vocabulary.names[name]
        if isinstance(entry, Parameter):
            return Origin(kind="parameter", place=entry.place)
        if not isinstance(entry, Fact):
            depth = len(self._layout.vocabulary.chain(entry.entity))
            decided = self._origins.get((name, item.position[:depth] if item else ()))
            if decided is None:
                return None if value is None else Origin(kind="default", place=entry.place)
            return Origin(kind="rule", rules=decided[0], place=decided[1])
        owner = self._owner(entry, item)
        document, path = fact_path(entry, self._layout, owner, self._documents)
        if value is None or document == "jobSet" or value_at(self._given.get(document), path) is not None:
            return Origin(kind="document", document=document, path=path)
        return Origin(kind="default", document=document, path=path, place=entry.place)

    def _owner(self, fact: Fact, item: Item | None) -> Item | None:
        """The item that a fact belongs to: the one at hand, or one that it lies in."""
        if item is None or fact.entity is None:
            return None
        depth = len(self._layout.vocabulary.chain(fact.entity))
        return Item(item.rows[: depth + 1], item.origin[:depth], "", (), None)

    def near(self, entry: Entry, item: Item | None, rows: Rows) -> Because | None:
        """The one test whose other answer would make the rule hold; None when more is missing."""
        lookup = self._layout.lookup(rows)
        if any(lookup(name) is None for name in entry.known):
            return None
        condition = All(items=(entry.rule.given, entry.rule.condition))
        for test in tests_of(condition):
            now = ask_rows(test, self._layout, rows)
            flipped = not now

            def answer(one: Test, test: Test = test, *, flipped: bool = flipped) -> bool | None:
                return flipped if one is test else ask_rows(one, self._layout, rows)

            if holds(condition, answer):
                return self._test(test, flipped, item, rows)
        return None

    def only_absence(self, entry: Entry, rows: Rows) -> bool:
        """Whether the rule fails for no other reason than tests that wanted a name to be missing."""
        condition = All(items=(entry.rule.given, entry.rule.condition))
        lookup = self._layout.lookup(rows)
        if any(lookup(name) is None for name in entry.known):
            return False

        def absent(test: Test) -> bool:
            return test.word == "present" and isinstance(test.operand, Constant) and test.operand.value is False

        return bool(holds(condition, lambda test: True if absent(test) else ask_rows(test, self._layout, rows)))
