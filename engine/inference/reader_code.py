"""Readers of facts: one function for the facts of one document, either step by step or compiled.

Compiled, paths share their beginnings; that pays when a document of the kind comes again and again.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import Problem, ProblemKind
from ..language.vocabulary import Each, Fact, Keep, Member, Step
from .layout import Layout, Row, is_collected
from .selection import is_list, is_map, select
from .source import Source
from .terms import copy_value

__all__ = ["Mistyped", "Reader", "compile_reader", "plain_reader"]

Mistyped = list[tuple[int, Problem]]
"""Problems with the index of the fact in its row, since paths are not walked in the order of facts."""

Reader = Callable[[Any, Row, Mistyped], None]
"""``(document, row, mistyped)``: puts what is there into the row."""

_TYPES: dict[str, type] = {"integer": int, "boolean": bool, "text": str, "list": list, "map": dict}


def plain_reader(facts: list[tuple[int, Fact]]) -> Reader:
    """The reader of these facts, each with its index in the row: what the compiled one must do.

    A value of another type than the vocabulary says is not put into the row; it gives a problem.
    """

    def read(document: Any, row: Row, mistyped: Mistyped) -> None:
        for index, fact in facts:
            value: Any = select(document, fact.at.steps)
            if value is None:
                continue
            if value.__class__ is not _TYPES[fact.type]:
                mistyped.append((index, _mistyped(fact, value)))
                continue
            refine = _refinement(fact)
            refined: Any = value if refine is None else refine(value)
            row[index] = refined

    return read


class _Node:
    """A place in a document: the facts read there, and the steps that lead further."""

    __slots__ = ("facts", "further")

    def __init__(self) -> None:
        self.facts: list[tuple[int, Fact]] = []
        self.further: dict[Step, _Node] = {}


def compile_reader(layout: Layout, facts: list[tuple[int, Fact]]) -> Reader:
    """The same as straight code."""
    root = _Node()
    collected: list[tuple[int, Fact]] = []
    for index, fact in facts:
        node = root
        for step in fact.at.steps:
            if isinstance(step, Each):
                break
            node = node.further.setdefault(step, _Node())
        node.facts.append((index, fact))
        if is_collected(fact) and fact.default is not None:
            collected.append((index, fact))
    source = Source(layout)
    for index, _ in collected:
        # A list that is not there is read as empty; the default would be for a fact that can be missing.
        source.line(f"row[{index}] = []")
    _walk(source, root, "document", 1)
    return source.compile("def read(document, row, mistyped):")


def _walk(source: Source, node: _Node, here: str, indent: int) -> None:
    for index, fact in node.facts:
        _put(source, index, fact, here, indent)
    members = {step: child for step, child in node.further.items() if isinstance(step, Member)}
    if members:
        source.line(f"if {source.use(isinstance)}({here}, {source.use(dict)}):", indent)
        for step, child in members.items():
            value = source.local()
            source.line(f"{value} = {here}.get({source.use(step.name)})", indent + 1)
            source.line(f"if {value} is not None:", indent + 1)
            _walk(source, child, value, indent + 2)
    for other, child in node.further.items():
        if not isinstance(other, Member):
            value = source.local()
            source.line(f"{value} = {source.use(select)}({here}, {source.use((other,))})", indent)
            source.line(f"if {value} is not None:", indent)
            _walk(source, child, value, indent + 1)


def _put(source: Source, index: int, fact: Fact, here: str, indent: int) -> None:
    value = here
    if is_collected(fact):
        value = source.local()
        source.line(f"{value} = {_list(source, fact, here)}", indent)
    else:
        source.line(f"if {here}.__class__ is not {source.use(_TYPES[fact.type])}:", indent)
        source.line(f"mistyped.append(({index}, {source.use(_mistyped)}({source.use(fact)}, {here})))", indent + 1)
        source.line("else:", indent)
        indent += 1
    refine = _refinement(fact)
    if refine is not None:
        value = f"{source.use(refine)}({value})"
    source.line(f"row[{index}] = {value}", indent)


def _list(source: Source, fact: Fact, here: str) -> str:
    """Code for the items that a path with ``[]`` leads to."""
    at = next(number for number, step in enumerate(fact.at.steps) if isinstance(step, Each))
    inside = [step for step in fact.at.steps[at + 1 :] if isinstance(step, Member)]
    if len(inside) < len(fact.at.steps) - at - 1:
        return f"{source.use(select)}({here}, {source.use(fact.at.steps[at:])})"
    item = value = source.local()
    conditions: list[str] = []
    for step in inside:
        conditions.append(f"{source.use(isinstance)}({value}, {source.use(dict)})")
        value, parent = source.local(), value
        conditions.append(f"({value} := {parent}.get({source.use(step.name)})) is not None")
    wanted = " and ".join(conditions) or f"{item} is not None"
    items = f"[{value} for {item} in {here} if {wanted}]"
    return f"{items} if {source.use(isinstance)}({here}, {source.use(list)}) else []"


def _refinement(fact: Fact) -> Callable[[Any], Any] | None:
    """What is still done to the value that a document holds."""
    if fact.keep is not None:
        return partial(_kept_items, keep=fact.keep)
    return _canonical if fact.of == "quantity" else None


def _canonical(value: Any) -> Any:
    from ..values.quantity import canonical  # most TrainJobs have no quantities

    if is_map(value):
        return {key: canonical(amount) for key, amount in value.items()}
    return [canonical(amount) for amount in value] if is_list(value) else canonical(value)


def _mistyped(fact: Fact, value: object) -> Problem:
    path = tuple(step.name for step in fact.at.steps if isinstance(step, Member))
    return Problem(
        kind=ProblemKind.INVALID,
        cause=f"`{fact.at.text}` should be {_a(fact.type)}, not `{value}`",
        help=f"the rules read it as `{fact.name}`",
        document=fact.at.document if fact.entity is None else "jobSet",
        path=path,
    )


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}" if kind != "text" else "text"


def _kept_items(value: Any, keep: tuple[Keep, ...]) -> Any:
    if is_list(value):
        return [_kept(item, keep) if is_map(item) else item for item in value]
    return _kept(value, keep)


def _kept(item: dict[str, Any], keep: tuple[Keep, ...]) -> dict[str, Any]:
    """The members of an item that survive, parents included, in the order of the vocabulary."""
    result: dict[str, Any] = {}
    for entry in keep:
        if entry.unless is not None and select(item, _members(entry.unless)) is not None:
            continue
        for depth in range(1, len(entry.path)):
            if isinstance(select(item, _members(entry.path[:depth])), dict):
                _put_member(result, entry.path[:depth], {}, replace=False)
        parent: Any = select(item, _members(entry.path[:-1]))
        if not is_map(parent):
            continue
        value: Any = parent.get(entry.path[-1], entry.default)
        if value is not None:
            kept = copy_value(value) if entry.of is None else _canonical(value)
            _put_member(result, entry.path, kept, replace=True)
    return result


def _members(path: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(Member(name=name) for name in path)


def _put_member(target: dict[str, Any], path: tuple[str, ...], value: Any, *, replace: bool) -> None:
    for name in path[:-1]:
        target = target.setdefault(name, {})
    if replace:
        target[path[-1]] = value
    else:
        target.setdefault(path[-1], value)
