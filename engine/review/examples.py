"""Examples: what one rule gives for a few named facts, held against what its author wrote."""

from typing import Literal, TypeAlias, cast

from ..errors import Problem
from ..inference.decide import Program, Trace
from ..inference.execute import entry_value
from ..inference.findings import failed, lacks
from ..inference.items import Item, Items
from ..inference.layout import Row, Rows
from ..inference.stages import Entry
from ..inference.terms import Lookup, copy_value
from ..language.condition import All
from ..language.expression import Value
from ..language.rule import Advice, Example, Order, Rule
from ..language.ruleset import RuleSet
from ..language.vocabulary import Parameter, Vocabulary
from ..record import Record, replace

__all__ = ["ExampleResult", "Given", "run_example"]

Given: TypeAlias = dict[str, Value] | Literal["none", "deny", "warn"]
"""What a rule gives: values by name, or one word."""


class ExampleResult(Record):
    """What came of one example.

    ``given`` is what the rule gives, None when it cannot tell or fails; ``lacking`` are then the names that it lacks,
    sorted, and ``problems`` the failures. ``passed`` says whether that is what the example expects.
    """

    example: Example
    passed: bool
    given: Given | None
    lacking: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def run_example(rule: Rule, example: Example, vocabulary: Vocabulary) -> ExampleResult:
    """Run one rule alone (design section 3).

    The ``given`` of its file counts as met. A name that the example does not give takes its default, else it is
    absent; there is one item of the entity that the rule is for, and of each that it lies in.

    Raises:
        InvalidRules: the rule reads what it writes.
    """
    names = {name: _in_force(entry, example) for name, entry in vocabulary.names.items()}
    words = replace(vocabulary, names=names)
    alone = replace(rule, given=All(items=()), overrides=())
    # With one rule there is nothing for a matcher to find out, so the simple one will do.
    program = Program(
        RuleSet(name="example", profile="", vocabulary=words, rules=(alone,), disabled=(), digest=""), "reference"
    )
    row, items = _rows(program, rule.for_each, example)
    trace, _ = program.trace(row, items)
    return _compare(example, program, trace)


def _in_force(entry: object, example: Example) -> object:
    """Parameters are no facts of a row: an example that names one puts another value in force."""
    if isinstance(entry, Parameter) and entry.name in example.facts:
        return replace(entry, value=example.facts[entry.name])
    return entry


def _rows(program: Program, entity: str | None, example: Example) -> tuple[Row, Items]:
    layout = program.layout
    row = program.new_row(None)
    rows: Rows = (row,)
    items: Items = {}
    for name in layout.vocabulary.chain(entity):
        rows = (*rows, program.new_row(name))
        item = Item(rows, (0,) * (len(rows) - 1), "", (), None)
        for parent in items.values():
            parent[-1].children.append(item)
        items[name] = [item]
    for name, value in example.facts.items():
        slot = layout.slots.get(name)
        if slot is not None:
            rows[slot.depth][slot.index] = copy_value(value)
    return row, items


def _compare(example: Example, program: Program, trace: Trace) -> ExampleResult:
    layout = program.layout
    lacking = {name for plan, _, rows in trace.steps for entry in plan.lacking for name in lacks(entry, rows, layout)}
    if trace.failures or lacking:
        return ExampleResult(
            example=example,
            passed=not trace.failures and sorted(example.cannot_tell or ()) == sorted(lacking),
            given=None,
            lacking=tuple(sorted(lacking)),
            problems=tuple(failed(trace.failures)),
        )
    values: dict[str, Value] = {}
    words: list[str] = []
    for plan, _, rows in trace.steps:
        words += [cast("Advice", entry.statement).kind for entry in plan.advice]
        lookup = cast("Lookup", layout.lookup(rows))
        for entries in plan.winners.values():
            for entry in entries:
                values[_name(entry)] = _value(entry, lookup, program)
    given: Given = "deny" if "deny" in words else values or ("warn" if words else "none")
    return ExampleResult(
        example=example, passed=given == example.then or (example.then in words and given != "deny"), given=given
    )


def _name(entry: Entry) -> str:
    return entry.target.removeprefix("object:") if entry.target is not None else ""


def _value(entry: Entry, lookup: Lookup, program: Program) -> Value:
    match entry.statement:
        case Order(first=first, then=then):
            return {"first": first, "then": then}
        case _:
            return entry_value(entry, lookup, program.layout)
