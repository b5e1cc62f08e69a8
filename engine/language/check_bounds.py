"""Constants that are written: integers within bounds, items of keyed lists with their key."""

from ..errors import Place
from .check_context import Context
from .expression import Constant, Entries, Items, Term
from .vocabulary import Name, Setting

__all__ = ["check_bounds", "check_items"]


def check_bounds(term: Term, entry: Name, place: Place, context: Context) -> None:
    """Report a constant integer below the minimum or above the maximum of its name."""
    match term:
        case Constant(value=int() as value) if not isinstance(value, bool):
            minimum: int | None = getattr(entry, "minimum", None)
            maximum: int | None = getattr(entry, "maximum", None)
            if minimum is not None and value < minimum:
                context.report(place, f"`{value}` is below the minimum {minimum} of `{entry.name}`")
            if maximum is not None and value > maximum:
                context.report(place, f"`{value}` is above the maximum {maximum} of `{entry.name}`")
        case _:
            return


def check_items(term: Term, setting: Setting, place: Place, context: Context) -> None:
    """Report items of a keyed list that lack the key, and two written-out items with the same one."""
    if setting.key is None:
        return
    keys: list[object] = []
    for item in _items(term):
        found = _member(item, setting.key)
        if found is None:
            context.report(place, f"an item of `{setting.name}` lacks its key `{setting.key}`")
        elif isinstance(found, Constant):
            if not isinstance(found.value, str):
                context.report(place, f"the key `{setting.key}` of an item of `{setting.name}` is not text")
            elif found.value in keys:
                context.report(place, f"two items of `{setting.name}` have the {setting.key} `{found.value}`")
            keys.append(found.value)


def _items(term: Term) -> list[Term]:
    match term:
        case Items():
            return [item for item in term.items if isinstance(item, Entries | Constant)]
        case Constant(value=list() as items):
            return [Constant(value=item) for item in items]
        case _:
            return []


def _member(item: Term, key: str) -> Term | None:
    """The term under a key of a written-out map; what is no map has been reported already."""
    match item:
        case Entries():
            return dict(item.entries).get(key)
        case Constant(value=dict() as value):
            return Constant(value=value[key]) if key in value else None
        case _:
            return item
