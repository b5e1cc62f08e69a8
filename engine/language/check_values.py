"""Whether a term fits where it is put, element by element where elements are written out."""

from ..errors import Place
from .check_context import Context
from .check_terms import Loops, check_term
from .expression import Call, Constant, Entries, Items, Reference, Term, Value
from .value_type import ValueType, element_fits, element_type

__all__ = ["check_value", "quoting", "shown"]


def check_value(
    term: Term, wanted: ValueType, place: Place, context: Context, loops: Loops, *, what: str
) -> ValueType | None:
    """Check that a term fits a type, element by element where elements are written out; ``what`` it is put into."""
    found = check_term(term, place, context, loops)
    if found is None:
        return None
    inner = element_type(wanted.of)
    parts = _written_out(term)
    if found.kind != wanted.kind:
        context.report(place, f"{what} is {wanted}, not {found}{shown(term)}", quoting(term, found, wanted))
    elif parts is None or inner is None:
        if not found.fits(wanted):
            context.report(place, f"{what} is {wanted}, not {found}{shown(term)}")
    else:
        for part in parts:
            _check_element(part, wanted, place, context, loops, what)
    return found


def _check_element(part: Term, wanted: ValueType, place: Place, context: Context, loops: Loops, what: str) -> None:
    # The term has been checked as a whole, so only what does not fit is new.
    found = check_term(part, place, context.silent(), loops)
    if found is None:
        return
    inner = None if wanted.of == "quantity" else element_type(wanted.of)
    if not element_fits(found.kind, wanted.of) or (wanted.of == "quantity" and not _is_amount(part)):
        context.report(
            place, f"{what} is {wanted}, so {found}{shown(part)} cannot be in it", quoting(part, found, inner)
        )


def _is_amount(term: Term) -> bool:
    """Whether a constant reads as a quantity; what is computed shows only later."""
    if not isinstance(term, Constant):
        return True
    # Imported here: quantities cost time to import, and few rules write them out.
    from ..values.quantity import is_quantity

    return is_quantity(term.value)


def _written_out(term: Term) -> list[Term] | None:
    match term:
        case Items():
            return list(term.items)
        case Entries():
            return [value for _, value in term.entries]
        case Constant(value=list() as items):
            return [Constant(value=item) for item in items]
        case Constant(value=dict() as entries):
            return [Constant(value=value) for value in entries.values()]
        case _:
            return None


def shown(term: Term) -> str:
    """A constant or a name, as it follows its type in a message."""
    match term:
        case Constant(value=bool() as value):
            return f" (`{'true' if value else 'false'}`)"
        case Constant(value=int() | str() as value):
            return f" (`{value}`)"
        case Reference():
            return f" (`{term.name}`)"
        case _:
            return ""


def quoting(term: Term, found: ValueType, wanted: ValueType | None) -> str | None:
    """Help for the usual slip: quotes too many or too few, or a missing ``text()``."""
    if wanted is None:
        return None
    match term, wanted.kind:
        case Constant(value=str() as value), "boolean" if value in ("true", "false"):
            return f"write {value} without quotes"
        case Constant(value=str() as value), "integer" if _is_integer(value):
            return f"write {value} without quotes"
        case Constant(value=bool() as value), "text":
            return f'write "{"true" if value else "false"}" in quotes'
        case Constant(value=int() as value), "text":
            return f'write "{value}" in quotes'
        case Reference() | Call(), "text" if found.kind in ("integer", "boolean"):
            return "`text(…)` makes text of a single value"
        case _:
            return None


def _is_integer(value: Value) -> bool:
    return isinstance(value, str) and value.isascii() and value.removeprefix("-").isdigit()
