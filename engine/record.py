"""Records: frozen, slotted, keyword-only values, as dataclasses are, but cheap to define.

A process that evaluates one TrainJob defines dozens of small classes and uses each a few times. The standard
library's dataclasses generate and compile code for every class, which came to a third of the start of the command line;
a record shares its methods with all others.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Self, TypeVar, cast, dataclass_transform

__all__ = ["Record", "fields", "maker", "replace"]

_R = TypeVar("_R", bound="Record")


@dataclass_transform(eq_default=True, kw_only_default=True, frozen_default=True)
class _RecordType(type):
    """Makes slots of the annotated names; values given in the class body are defaults."""

    __record_defaults__: dict[str, Any]
    __record_fields__: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any], *, eq: bool = True) -> "_RecordType":
        own: dict[str, Any] = space.get("__annotations__", {})
        defaults = {field: space.pop(field) for field in own if field in space}
        space["__slots__"] = tuple(own)
        if not eq:
            space["__eq__"] = object.__eq__
            space["__hash__"] = object.__hash__
        made = super().__new__(cls, name, bases, space)
        made.__record_defaults__ = defaults
        # The setters of the slots go around __setattr__, which refuses.
        made.__record_fields__ = {field: made.__dict__[field].__set__ for field in own}
        return made


class Record(metaclass=_RecordType):
    """A frozen value. Two of one class are equal when their values are; with ``eq=False`` only when they are one."""

    def __init__(self, **given: Any) -> None:
        kind = type(self)
        fields = kind.__record_fields__
        if len(given) != len(fields):
            given = {**kind.__record_defaults__, **given}
        try:
            for name, put in fields.items():
                put(self, given[name])
        except KeyError as error:
            raise TypeError(f"{kind.__name__} needs `{error.args[0]}`") from None
        if len(given) != len(fields):
            unknown = ", ".join(sorted(given.keys() - fields.keys()))
            raise TypeError(f"{kind.__name__} has no `{unknown}`")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self).__record_fields__)

    def __hash__(self) -> int:
        return hash((type(self), *fields(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields(self).items())})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), fields(self))


def fields(record: Record) -> dict[str, Any]:
    """The values of a record by name, in the order of the class."""
    return {name: getattr(record, name) for name in type(record).__record_fields__}


def maker(kind: type[_R]) -> Callable[[Sequence[Any]], _R]:
    """A quick way to make many records: a function from the values of all fields, in the order of the class.

    It raises ValueError when there are more or fewer.
    """
    new, puts = object.__new__, tuple(kind.__record_fields__.values())

    def make(values: Sequence[Any]) -> _R:
        if len(values) != len(puts):
            raise ValueError(f"{kind.__name__} has {len(puts)} values, not {len(values)}")
        made = new(kind)
        for put, value in zip(puts, values, strict=False):
            put(made, value)
        return made

    return make


def replace(record: _R, **changes: Any) -> _R:
    """The same record with other values for the fields that are named.

    Raises:
        TypeError: there is no such field.
    """
    return cast("_R", _remake(type(record), {**fields(record), **changes}))


def _remake(kind: type[Record], values: dict[str, Any]) -> Record:
    return kind(**values)
