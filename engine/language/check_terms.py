"""Types of terms: every name exists and can be read, every function gets what it takes, text holds single values."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from ..errors import Place
from ..values.nearest import nearest_name
from .check_context import Context
from .expression import Call, Constant, Entries, Items, ObjectName, Reference, Template, Term, children
from .functions import FUNCTIONS, Function
from .value_type import ValueType, element_type, parse_type, type_of_name, type_of_value

__all__ = ["Loops", "check_term", "references"]

Loops = Mapping[str, ValueType]
"""Names of the loops around a term, with their type."""

_TEXT = ValueType(kind="text")
_ACCEPTED = {
    accepted: parse_type(accepted)
    for function in FUNCTIONS.values()
    for argument in function.accepts
    for accepted in argument
}
_INTEGER = _ACCEPTED["integer"]


def check_term(term: Term, place: Place, context: Context, loops: Loops) -> ValueType | None:
    """The type of a term; None when it cannot be known, be it for a fault that is reported here."""
    match term:
        case Constant():
            return type_of_value(term.value)
        case Reference():
            if term.name in loops:
                return loops[term.name]
            entry = context.entry(term.name, place)
            return None if entry is None else type_of_name(entry)
        case ObjectName():
            if term.object not in context.vocabulary.objects:
                hint = nearest_name(term.object, context.vocabulary.objects)
                context.report(place, f"unknown object `{term.object}`", hint)
            return _TEXT
        case Call():
            types = [check_term(argument, place, context, loops) for argument in term.arguments]
            return _check_call(FUNCTIONS[term.function], types, place, context)
        case Template():
            for part in term.parts:
                if not isinstance(part, str):
                    _check_part(part, place, context, loops)
            return _TEXT
        case Items():
            return ValueType(kind="list", of=_common(term.items, place, context, loops))
        case Entries():
            return ValueType(kind="map", of=_common([value for _, value in term.entries], place, context, loops))
        case _:
            assert_never(term)


def _common(terms: "tuple[Term, ...] | list[Term]", place: Place, context: Context, loops: Loops) -> str | None:
    kinds = {None if found is None else found.kind for found in (check_term(t, place, context, loops) for t in terms)}
    return kinds.pop() if len(kinds) == 1 else None


def _check_part(part: Term, place: Place, context: Context, loops: Loops) -> None:
    found = check_term(part, place, context, loops)
    if found is not None and found.kind in ("list", "map"):
        help_ = (
            "put a single value there, for example with `join`" if found.kind == "list" else "put a single value there"
        )
        context.report(place, f"{found}{_named(part)} cannot stand in text", help_)


def _named(term: Term) -> str:
    return f" (`{term.name}`)" if isinstance(term, Reference) else ""


def _check_call(function: Function, types: list[ValueType | None], place: Place, context: Context) -> ValueType | None:
    if function.variadic and len(types) > 1:
        wanted: list[tuple[str, ...]] = [("integer",)] * len(types)
    else:
        wanted = list(function.accepts)
    for number, (found, accepted) in enumerate(zip(types, wanted, strict=True), start=1):
        if found is not None and not any(found.fits(_ACCEPTED[one]) for one in accepted):
            context.report(
                place,
                f"`{function.name}` takes {_listed(accepted)}{_position(number, wanted)}, not {found}",
                "`+` adds integers; put texts side by side, `${a}${b}`"
                if function.name == "+" and found.kind == "text"
                else None,
            )
    if function.result == "element":
        return None if types[0] is None else element_type(types[0].of)
    if function.result == "list":
        return types[0]
    return _ACCEPTED[function.result]


def _listed(accepted: tuple[str, ...]) -> str:
    return " or ".join(str(_ACCEPTED[one]) for one in accepted)


def _position(number: int, wanted: list[tuple[str, ...]]) -> str:
    return f" as argument {number}" if len(set(wanted)) > 1 else ""


def references(term: Term, context: Context) -> Iterator[str]:
    """Names that a term reads; the name of a manifest reads what its template reads."""
    match term:
        case Reference():
            yield term.name
        case ObjectName():
            kind = context.vocabulary.objects.get(term.object)
            if kind is not None:
                # Made of names only: the name of a manifest within the name of a manifest is refused.
                inner = (kind.metadata_name, *children(kind.metadata_name))
                yield from (part.name for part in inner if isinstance(part, Reference))
        case _:
            for part in children(term):
                yield from references(part, context)
