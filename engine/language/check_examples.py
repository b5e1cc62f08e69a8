"""Examples: they name what the rule reads and writes, with values that fit."""

from ..values.nearest import nearest_name
from .check_bounds import check_bounds
from .check_context import Context
from .check_guards import read_values
from .check_terms import references
from .check_values import check_value
from .condition import tests_of
from .expression import Constant, Value
from .rule import Advice, Create, Example, Order, Rule, Write
from .value_type import ValueType, type_of_name

__all__ = ["check_examples"]

_ORDER = ValueType(kind="map", of="text")
_MANIFEST = ValueType(kind="map")


def check_examples(rule: Rule, context: Context) -> None:
    """Report every fault of the examples of one rule."""
    if not rule.examples:
        return
    reads = _reads(rule, context.silent())
    for example in rule.examples:
        for name, value in example.facts.items():
            if _is_read(name, reads, example, context):
                _check_named(name, value, example, context)
        for name in example.cannot_tell or ():
            _is_read(name, reads, example, context)
        _check_expectation(example, rule, context)


def _reads(rule: Rule, silent: Context) -> frozenset[str]:
    """Everything that has a part in the rule: tested, used on a right side or in a value, or what advice is about."""
    tests = [*tests_of(rule.given), *tests_of(rule.condition)]
    names = {test.name for test in tests}
    names.update(name for test in tests for name in references(test.operand, silent))
    names.update(name for name, _ in read_values(rule, silent))
    names.update(statement.about for statement in rule.statements if isinstance(statement, Advice))
    return frozenset(names)


def _is_read(name: str, reads: frozenset[str], example: Example, context: Context) -> bool:
    if name in reads:
        return name in context.vocabulary.names
    if name in context.vocabulary.names:
        context.report(example.place, f"the example names `{name}`, which the rule does not read", "leave it out")
    else:
        context.report(
            example.place,
            f"unknown fact `{name}` in an example",
            nearest_name(name, sorted(reads & context.vocabulary.names.keys())),
        )
    return False


def _check_named(name: str, value: Value, example: Example, context: Context) -> None:
    entry = context.vocabulary.names[name]
    term = Constant(value=value)
    check_value(term, type_of_name(entry), example.place, context, {}, what=f"`{name}`")
    check_bounds(term, entry, example.place, context)


def _check_expectation(example: Example, rule: Rule, context: Context) -> None:
    statements = rule.statements
    match example.then:
        case None | "none":
            return
        case "deny" | "warn" as word:
            if not any(isinstance(statement, Advice) and statement.kind == word for statement in statements):
                context.report(example.place, f"the example expects `{word}`, which the rule does not say")
        case dict() as values:
            kinds = {
                statement.object if isinstance(statement, Create) else statement.name: statement
                for statement in statements
                if not isinstance(statement, Advice)
            }
            for name, value in values.items():
                if name in kinds:
                    _check_written(name, value, kinds[name], example, context)
                else:
                    cause = f"the example expects `{name}`, which the rule does not write"
                    context.report(example.place, cause, nearest_name(name, kinds))


def _check_written(
    name: str, value: Value, statement: Write | Order | Create, example: Example, context: Context
) -> None:
    match statement:
        case Write():
            if name in context.vocabulary.names:
                _check_named(name, value, example, context)
        case Order():
            check_value(Constant(value=value), _ORDER, example.place, context, {}, what=f"the order of `{name}`")
        case Create():
            check_value(Constant(value=value), _MANIFEST, example.place, context, {}, what=f"the manifest of `{name}`")
