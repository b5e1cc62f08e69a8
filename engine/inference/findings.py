"""What a run has to say beyond values: denials and warnings that hold, rules that cannot tell, values that failed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from ..errors import Problem, ProblemKind
from ..language.condition import Test, tests_of
from ..language.functions import EvaluationError
from ..language.rule import Advice
from ..language.vocabulary import Each, Fact, Location, Member, Select
from .decide import Mark
from .execute import Failure
from .items import Item, Items, Reordering
from .layout import Layout, Rows
from .stages import Entry, names_in
from .terms import Lookup, evaluate_term

__all__ = ["concrete_path", "fact_path", "failed", "findings", "lacks", "unmet", "value_at"]


def findings(
    marks: Iterable[Mark],
    layout: Layout,
    items: Items,
    documents: Mapping[str, Any],
    failures: Iterable[Failure] = (),
) -> list[Problem]:
    """Problems of all marks, in the order of the rule set: denied, warning, undecided and note.

    What cannot tell only because a statement failed is not told: the failure is.
    """
    found: list[tuple[int, tuple[int, ...], Problem]] = []
    lost = {failure.entry.target for failure in failures}
    for plan, position, rows in marks:
        item = _item_at(plan.stage.entity, position, items)
        found += [(entry.number, position, _advice(entry, rows, layout, item, documents)) for entry in plan.advice]
        for entry in plan.lacking:
            missing = lacks(entry, rows, layout)
            if lost.isdisjoint(missing):
                problem = _lacking(entry, missing, is_open=_leaves_open(entry, plan.open))
                found.append((entry.number, position, problem))
            else:
                # Marks come stage by stage, so what reads this name comes later.
                lost.add(entry.target)
    found.sort(key=lambda one: one[:2])
    return list(dict.fromkeys(problem for _, _, problem in found))


def _leaves_open(entry: Entry, open_names: tuple[str, ...]) -> bool:
    if isinstance(entry.statement, Advice):
        return entry.statement.kind == "deny"
    return entry.target in open_names


def _advice(entry: Entry, rows: Rows, layout: Layout, item: Item | None, documents: Mapping[str, Any]) -> Problem:
    statement = cast("Advice", entry.statement)
    lookup = cast("Lookup", layout.lookup(rows))
    objects = layout.vocabulary.objects
    document: str | None = None
    path: tuple[str | int, ...] = ()
    about = layout.vocabulary.names[statement.about]
    if isinstance(about, Fact):
        document, path = fact_path(about, layout, item, documents)
    try:
        cause = str(evaluate_term(statement.message, lookup, objects))
        help_ = None if statement.help is None else str(evaluate_term(statement.help, lookup, objects))
    except EvaluationError as error:
        return failed([Failure(entry=entry, error=error)])[0]
    return Problem(
        kind=ProblemKind.DENIED if statement.kind == "deny" else ProblemKind.WARNING,
        cause=cause,
        help=help_,
        document=document,
        path=path,
        rule=entry.rule.id,
    )


def _lacking(entry: Entry, names: list[str], *, is_open: bool) -> Problem:
    missing = ", ".join(f"`{name}`" for name in names)
    return Problem(
        kind=ProblemKind.UNDECIDED if is_open else ProblemKind.NOTE,
        cause=f"rule `{entry.rule.id}` cannot tell without {missing}",
        help="give the fact, or test it with `present` in the rule" if is_open else None,
        place=entry.rule.place,
        rule=entry.rule.id,
    )


def lacks(entry: Entry, rows: Rows, layout: Layout) -> list[str]:
    """Names whose absence keeps the statement from telling, sorted."""
    lookup = layout.lookup(rows)
    names = set(entry.known)
    for condition in (entry.rule.given, entry.rule.condition):
        for test in tests_of(condition):
            names |= _needs(test)
    return sorted(name for name in names if lookup(name) is None)


def _needs(test: Test) -> set[str]:
    return names_in(test.operand) | ({test.name} if test.word != "present" else set())


def failed(failures: Iterable[Failure]) -> list[Problem]:
    """A problem for each statement that could not give its value, at the statement's place."""
    return list(
        dict.fromkeys(
            Problem(
                kind=ProblemKind.INVALID,
                cause=failure.error.cause
                if failure.rival is not None
                else f"rule `{failure.entry.rule.id}` failed: {failure.error.cause}",
                help=failure.error.help,
                place=failure.entry.statement.place,
                rule=failure.entry.rule.id,
            )
            for failure in failures
        )
    )


def unmet(reorderings: Iterable[Reordering], entries: tuple[Entry, ...]) -> list[Problem]:
    """A warning for each order that could not be met."""
    return [
        Problem(
            kind=ProblemKind.WARNING,
            cause=f"rule `{entries[one.number].rule.id}` cannot put the list in order: {one.reason}",
            help="the order of the runtime is kept",
            document="jobSet",
            rule=entries[one.number].rule.id,
        )
        for one in reorderings
    ]


def _item_at(entity: str | None, position: tuple[int, ...], items: Items) -> Item | None:
    if entity is None:
        return None
    return next((item for item in items.get(entity, ()) if item.position == position), None)


def fact_path(
    fact: Fact, layout: Layout, item: Item | None, documents: Mapping[str, Any]
) -> tuple[str, tuple[str | int, ...]]:
    """The field that a fact is read from: document and path, in the runtime's terms where the runtime has the field.

    Facts of the base JobSet come from the runtime's template, so that is where their reader will look.
    """
    document = fact.at.document
    start: tuple[str | int, ...] = ()
    if fact.entity is not None and item is not None:
        document, start = _item_path(fact.entity, layout, item)
    path = start + concrete_path(value_at(documents.get(document), start), fact.at)
    if document != "jobSet":
        return document, path
    return _in_runtime(path, documents)


def _item_path(entity: str, layout: Layout, item: Item) -> tuple[str, tuple[str | int, ...]]:
    path: tuple[str | int, ...] = ()
    document = "jobSet"
    for depth, name in enumerate(layout.vocabulary.chain(entity)):
        each = layout.vocabulary.entities[name].each
        if depth == 0:
            document = each.document
        path += (*(step.name for step in each.steps if isinstance(step, Member)), item.origin[depth])
    return document, path


def concrete_path(content: Any, location: Location) -> tuple[str | int, ...]:
    """The path of a location within a document, up to its first ``[]``."""
    path: tuple[str | int, ...] = ()
    for step in location.steps:
        match step:
            case Member():
                path += (step.name,)
                content = value_at(content, (step.name,))
            case Select():
                index = _index(content, step.key, step.value)
                if index is None:
                    return path
                path += (index,)
                content = value_at(content, (index,))
            case Each():
                return path
    return path


def value_at(content: Any, path: tuple[str | int, ...]) -> Any:
    """What a document holds at a path; None where it ends sooner."""
    for step in path:
        if isinstance(content, Mapping) and isinstance(step, str):
            content = cast("Mapping[str, Any]", content).get(step)
        elif isinstance(content, list) and isinstance(step, int):
            members = cast("Sequence[Any]", content)
            content = members[step] if step < len(members) else None
        else:
            return None
    return content


def _index(content: Any, key: str, value: object) -> int | None:
    """The place in a list of the first item with this value for a key."""
    members: Sequence[Any] = cast("Sequence[Any]", content) if isinstance(content, list) else ()
    for index, one in enumerate(members):
        # Asked of each job about each job: what a dict is told by its class.
        is_map = one.__class__ is dict or isinstance(one, Mapping)
        if is_map and cast("Mapping[str, Any]", one).get(key) == value:
            return index
    return None


def _in_runtime(path: tuple[str | int, ...], documents: Mapping[str, Any]) -> tuple[str, tuple[str | int, ...]]:
    """Translate a path of the base JobSet into the runtime, by the names of list items, as patches may move them."""
    here, there = documents.get("jobSet"), value_at(documents.get("runtime"), ("spec", "template"))
    translated: tuple[str | int, ...] = ()
    for step in path:
        here = value_at(here, (step,))
        if isinstance(step, int):
            name = value_at(here, ("name",))
            found = _index(there, "name", name)
            if name is None or found is None:
                return "jobSet", path
            step = found  # noqa: PLW2901  # the same item, where the runtime has it
        translated += (step,)
        there = value_at(there, (step,))
    return "runtime", ("spec", "template", *translated)
