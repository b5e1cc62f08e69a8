"""What a rule writes: the name takes this kind of statement, is within reach, and the value fits."""

from math import prod
from typing import assert_never

from ..errors import Place
from ..values.nearest import nearest_name
from .check_bounds import check_bounds, check_items
from .check_context import Context
from .check_terms import Loops, check_term
from .check_values import check_value
from .expression import Constant, Entries, Term
from .functions import RESERVED
from .rule import Advice, Create, Order, Repeat, Rule, Write
from .value_type import ValueType, type_of_name
from .vocabulary import Derived, Fact, Name, Setting

__all__ = ["MAX_ITEMS", "check_statements"]

MAX_ITEMS = 100_000
"""As many items as one statement may add."""

_TEXT = ValueType(kind="text")
_INTEGER = ValueType(kind="integer")
_NO_LOOPS: Loops = {}
_GIVEN = ("apiVersion", "kind", "metadata")


def check_statements(rule: Rule, context: Context) -> None:
    """Report every fault of the statements of one rule."""
    for statement in rule.statements:
        match statement:
            case Write():
                _check_write(statement, context)
            case Order():
                _check_order(statement, context)
            case Create():
                _check_create(statement, context)
            case Advice():
                _check_advice(statement, context)
            case _:
                assert_never(statement)


def _check_write(write: Write, context: Context) -> None:
    entry = _target(write.name, write.place, context)
    if entry is not None:
        _check_kind(write, entry, context)
        _check_reach(write, entry, context)
    if isinstance(write.value, Repeat):
        _check_repeat(write.value, write, context, entry)
    elif entry is None:
        check_term(write.value, write.place, context, _NO_LOOPS)
    else:
        check_value(write.value, type_of_name(entry), write.place, context, _NO_LOOPS, what=f"`{write.name}`")
        check_bounds(write.value, entry, write.place, context)
        if write.kind == "upsert" and isinstance(entry, Setting):
            check_items(write.value, entry, write.place, context)


def _target(name: str, place: Place, context: Context) -> Derived | Setting | None:
    entry = context.vocabulary.names.get(name)
    if isinstance(entry, Derived | Setting):
        return entry
    if entry is None:
        writable = [one for one, meaning in context.vocabulary.names.items() if isinstance(meaning, Derived | Setting)]
        context.report(place, f"unknown name `{name}`", nearest_name(name, writable))
    else:
        noun = "fact" if isinstance(entry, Fact) else "parameter"
        context.report(place, f"`{name}` is a {noun}; rules cannot write it", "write a derived name or a setting")
    return None


def _check_kind(write: Write, entry: Derived | Setting, context: Context) -> None:
    allowed = _kinds(entry)
    if write.kind not in allowed:
        words = " or ".join(f"`{word}`" for word in allowed)
        noun = "derived name" if isinstance(entry, Derived) else "setting"
        context.report(write.place, f"`{write.kind}` cannot write the {noun} `{write.name}`", f"{words} writes it")


def _kinds(entry: Derived | Setting) -> tuple[str, ...]:
    match entry:
        case Derived():
            return ("define", "default", "append") if entry.type == "list" else ("define", "default")
        case Setting():
            return ("set", "default") if entry.write == "set" else (entry.write,)
        case _:
            assert_never(entry)


def _check_reach(write: Write, entry: Derived | Setting, context: Context) -> None:
    """A rule writes names of its own scope; only items of lists may go further out."""
    owner = context.for_each
    if entry.entity == owner or (owner is None and entry.entity in context.scopes):
        return
    if entry.entity not in context.scopes:
        whose = f"a rule for each `{owner}`" if owner else "a rule without `for_each`"
        context.report(
            write.place,
            f"`{write.name}` belongs to each `{entry.entity}`; {whose} cannot write it",
            f"add `for_each: {entry.entity}`" if owner is None else None,
        )
    elif write.kind not in ("append", "upsert"):
        scope = f"each `{entry.entity}`" if entry.entity else "the whole TrainJob"
        context.report(
            write.place,
            f"`{write.name}` belongs to {scope}; a rule for each `{owner}` would write it several times",
            "from further in only items of lists may be written; collect them by `append`",
        )


def _check_repeat(repeat: Repeat, write: Write, context: Context, entry: Name | None) -> None:
    place = write.place
    loops: dict[str, ValueType] = {}
    bounds: list[int] = []
    for name, bound in repeat.loops:
        if name in context.vocabulary.names or name in RESERVED:
            taken = "a function" if name in RESERVED else "a name of the vocabulary"
            context.report(place, f"the loop name `{name}` is taken by {taken}", "choose another name")
        elif name in loops:
            context.report(place, f"two loops are named `{name}`", "choose another name")
        elif not name.isidentifier() or not name.isascii():
            context.report(place, f"`{name}` cannot be a loop name", "use letters, digits and `_`")
        loops[name] = _INTEGER
        check_value(bound, _INTEGER, place, context, _NO_LOOPS, what=f"the number of rounds of `{name}`")
        if isinstance(bound, Constant) and isinstance(bound.value, int):
            bounds.append(bound.value)
    if any(bound < 0 for bound in bounds):
        context.report(place, "the number of rounds of a loop is negative")
    elif len(bounds) == len(repeat.loops) and prod(bounds) > MAX_ITEMS:
        context.report(place, f"{prod(bounds)} items are more than the {MAX_ITEMS} that one statement may add")
    check_value(repeat.text, _TEXT, place, context, loops, what="the text of a repeat")
    if entry is not None and (entry.type != "list" or getattr(entry, "of", None) not in (None, "text")):
        found = type_of_name(entry)
        context.report(place, f"a repeat makes texts; `{write.name}` is {found}", "list the items")


def _check_order(order: Order, context: Context) -> None:
    entry = context.vocabulary.names.get(order.name)
    ordered = {entity.order for entity in context.vocabulary.entities.values() if entity.order is not None}
    if entry is None:
        context.report(order.place, f"unknown setting `{order.name}`", nearest_name(order.name, sorted(ordered)))
    elif not isinstance(entry, Setting) or entry.write != "order" or order.name not in ordered:
        known = ", ".join(f"`{name}`" for name in sorted(ordered))
        context.report(
            order.place, f"`{order.name}` is not the order of an entity", f"the orders are {known}" if known else None
        )
    elif entry.entity != context.for_each:
        scope = f"each `{entry.entity}`" if entry.entity else "the whole TrainJob"
        help_ = f"use `for_each: {entry.entity}`" if entry.entity else "leave out `for_each`"
        context.report(order.place, f"`{order.name}` belongs to {scope}, so a rule of that scope orders it", help_)
    if order.first == order.then:
        context.report(order.place, f"`{order.first}` cannot come before itself")


def _check_create(create: Create, context: Context) -> None:
    if create.object not in context.vocabulary.objects:
        hint = nearest_name(create.object, context.vocabulary.objects)
        context.report(create.place, f"unknown object `{create.object}`", hint)
    elif context.for_each is not None:
        context.report(
            create.place,
            f"`{create.object}` exists once; a rule for each `{context.for_each}` would create it several times",
            "leave out `for_each`",
        )
    wanted = ValueType(kind="map")
    check_value(create.manifest, wanted, create.place, context, _NO_LOOPS, what=f"the manifest of `{create.object}`")
    for key in _keys(create.manifest):
        if key in _GIVEN:
            context.report(create.place, f"the manifest of `{create.object}` has `{key}`", "the vocabulary says it")


def _keys(term: Term) -> tuple[str, ...]:
    match term:
        case Constant(value=dict() as value):
            return tuple(value)
        case Entries():
            return tuple(key for key, _ in term.entries)
        case _:
            return ()


def _check_advice(advice: Advice, context: Context) -> None:
    entry = context.entry(advice.about, advice.place, "fact")
    if entry is not None and not isinstance(entry, Fact):
        context.report(
            advice.place, f"`{advice.about}` is no fact", f"`{advice.kind}` is about a field that a document has"
        )
    check_value(advice.message, _TEXT, advice.place, context, _NO_LOOPS, what="a message")
    if advice.help is not None:
        check_value(advice.help, _TEXT, advice.place, context, _NO_LOOPS, what="a help")
