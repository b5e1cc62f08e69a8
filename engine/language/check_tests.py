"""Types of tests: each word fits the fact, and its right side fits the word."""

from ..values.nearest import nearest_name
from .check_context import Context
from .check_terms import check_term
from .check_values import check_value, quoting, shown
from .condition import Condition, Test, tests_of
from .expression import Constant, Items, Term
from .value_type import ValueType, element_fits, element_type, type_of_name

__all__ = ["check_tests"]

_COMPARING = frozenset({"at_least", "at_most", "greater_than", "less_than"})
_INTEGER = ValueType(kind="integer")
_TEXT = ValueType(kind="text")


def check_tests(condition: Condition, context: Context) -> None:
    """Report names that do not exist or cannot be read, and comparisons that make no sense."""
    for test in tests_of(condition):
        entry = context.entry(test.name, test.place, "fact")
        if entry is None:
            check_term(test.operand, test.place, context, {})
        elif test.word != "present":
            _check_test(test, type_of_name(entry), context)


def _check_test(test: Test, found: ValueType, context: Context) -> None:
    word = test.word
    if word in ("equals", "not_equals"):
        check_value(test.operand, found, test.place, context, {}, what=f"`{test.name}`")
    elif word in _COMPARING:
        _check_pair(test, found, _INTEGER, context)
    elif word in ("starts_with", "ends_with"):
        _check_pair(test, found, _TEXT, context)
    elif word == "has_form":
        _check_form(test, found, context)
    elif word in ("one_of", "none_of"):
        _check_choice(test, found, context)
    elif word == "empty":
        if found.kind in ("integer", "boolean"):
            context.report(test.place, f"`empty` needs a list, a map or text; `{test.name}` is {found}")
    elif found.kind != "list":
        help_ = "`equals` compares single values" if word == "contains" else None
        context.report(test.place, f"`{word}` needs a list; `{test.name}` is {found}", help_)
        check_term(test.operand, test.place, context, {})
    elif word == "contains":
        _check_contained(test, found, context)
    else:
        check_value(test.operand, found, test.place, context, {}, what=f"`contains_any` on `{test.name}`")


def _check_pair(test: Test, found: ValueType, wanted: ValueType, context: Context) -> None:
    """Both sides must have one type."""
    if found.kind != wanted.kind:
        context.report(test.place, f"`{test.word}` compares {wanted} with {wanted}; `{test.name}` is {found}")
        check_term(test.operand, test.place, context, {})
    else:
        check_value(test.operand, wanted, test.place, context, {}, what=f"the right side of `{test.word}`")


def _check_form(test: Test, found: ValueType, context: Context) -> None:
    """The right side is the name of a form, written out."""
    from ..values.names import FORMS  # only when rules are checked, and use the word

    if found.kind != "text":
        context.report(test.place, f"`has_form` needs text; `{test.name}` is {found}")
    form = test.operand.value if isinstance(test.operand, Constant) else None
    if not isinstance(form, str) or form not in FORMS:
        known = "the forms are " + ", ".join(f"`{name}`" for name in FORMS)
        near = nearest_name(form, FORMS) if isinstance(form, str) else None
        context.report(test.place, f"`has_form` on `{test.name}` names no form{shown(test.operand)}", near or known)


def _check_choice(test: Test, found: ValueType, context: Context) -> None:
    """The right side is a list of what the fact may be."""
    operand = test.operand
    listed = check_term(operand, test.place, context, {})
    if listed is None:
        return
    if listed.kind != "list":
        context.report(
            test.place,
            f"`{test.word}` takes a list, not {listed}{shown(operand)}",
            "`equals` compares with one value" if test.word == "one_of" else "`not_equals` compares with one value",
        )
        return
    parts = _parts(operand)
    if parts is None:
        if not element_fits(listed.of, found.kind):
            context.report(test.place, f"`{test.name}` is {found}; `{test.word}` offers {listed}{shown(operand)}")
        return
    if not parts:
        context.report(test.place, f"`{test.word}` on `{test.name}` has an empty list")
    silent = context.silent()
    for part in parts:
        kind = check_term(part, test.place, silent, {})
        if kind is not None and kind.kind != found.kind:
            cause = f"`{test.name}` is {found}; `{test.word}` offers {kind}{shown(part)}"
            context.report(test.place, cause, quoting(part, kind, found))


def _parts(operand: Term) -> list[Term] | None:
    match operand:
        case Items():
            return list(operand.items)
        case Constant(value=list() as items):
            return [Constant(value=item) for item in items]
        case _:
            return None


def _check_contained(test: Test, found: ValueType, context: Context) -> None:
    """The right side is one element."""
    kind = check_term(test.operand, test.place, context, {})
    if kind is None or found.of is None or element_fits(kind.kind, found.of):
        return
    help_ = (
        "`contains_any` takes a list" if kind.kind == "list" else quoting(test.operand, kind, element_type(found.of))
    )
    context.report(test.place, f"`{test.name}` is {found}, so it cannot contain {kind}{shown(test.operand)}", help_)
