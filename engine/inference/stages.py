"""In which order names are decided: every name after all names that its writers read.

Stages are over names, not rules (design section 3, meaning 2): a statement belongs to the stage of the name that it
writes, so all rivals for a name are known in one place. A statement that refuses, advises or creates a manifest
belongs to the stage after the names that it reads.
"""

from collections.abc import Iterator
from typing import assert_never

from ..errors import InvalidRules, Problem, ProblemKind
from ..language.condition import Condition, tests_of
from ..language.expression import Call, Constant, Entries, Items, ObjectName, Reference, Template, Term
from ..language.rule import Advice, Create, Order, Repeat, Rule, Statement, Write
from ..language.vocabulary import Fact, Parameter, Vocabulary
from ..record import Record

__all__ = ["Entry", "Stage", "condition_reads", "make_stages", "names_in", "statement_reads", "term_reads"]


class Entry(Record, eq=False):
    """One statement of one rule; ``number`` counts all statements in the order of the rule set.

    ``target`` is the name it decides, ``object:NAME`` for a manifest, None for advice; ``known`` are the names that
    its values read, which must be known for it to do anything; ``reads`` are those and what its conditions look at.
    """

    number: int
    rule: Rule
    statement: Statement
    target: str | None
    known: tuple[str, ...]
    reads: frozenset[str]


class Stage(Record, eq=False):
    """Entries that are decided together, once for each item of ``entity`` (None: once).

    ``completes`` are the names that no later stage writes; ``orders`` those among them that order an entity's list.
    """

    entity: str | None
    entries: tuple[Entry, ...]
    completes: tuple[str, ...]
    orders: tuple[str, ...]


def make_stages(rules: tuple[Rule, ...], vocabulary: Vocabulary) -> tuple[Stage, ...]:
    """Sort the statements of all rules into stages, as few as the dependencies allow.

    Raises:
        InvalidRules: names depend on each other in a circle; the problem tells names and rules on it.
    """
    groups: dict[tuple[str, str | None], list[Entry]] = {}
    for entry in _entries(rules, vocabulary):
        target = entry.target or f"advice:{entry.number}"
        groups.setdefault((target, entry.rule.for_each), []).append(entry)
    written = {target for target, _ in groups}
    waiting = {group: _needs(group, entries, written, vocabulary) for group, entries in groups.items()}
    stages: list[Stage] = []
    while waiting:
        open_names = {target for target, _ in waiting}
        ready = [group for group, needs in waiting.items() if needs.isdisjoint(open_names)]
        if not ready:
            raise InvalidRules([_circle(waiting, groups)])
        scope = _next_scope(ready, vocabulary)
        chosen = [group for group in ready if group[1] == scope]
        for group in chosen:
            del waiting[group]
        still_open = {target for target, _ in waiting}
        over = {target for target, _ in chosen} - still_open
        completes = tuple(sorted(target for target in over if not target.startswith("advice:")))
        orders = {entity.order for entity in vocabulary.entities.values()}
        stages.append(
            Stage(
                entity=scope,
                entries=tuple(sorted((e for g in chosen for e in groups[g]), key=lambda entry: entry.number)),
                completes=completes,
                orders=tuple(name for name in completes if name in orders),
            )
        )
    return tuple(stages)


def _entries(rules: tuple[Rule, ...], vocabulary: Vocabulary) -> Iterator[Entry]:
    number = 0
    # The rules of a file share one condition.
    given: dict[int, set[str]] = {}
    for rule in rules:
        shared = given.get(id(rule.given))
        if shared is None:
            shared = given[id(rule.given)] = condition_reads(rule.given, vocabulary)
        asked = shared | condition_reads(rule.condition, vocabulary)
        for statement in rule.statements:
            known = statement_reads(statement, vocabulary)
            yield Entry(
                number=number,
                rule=rule,
                statement=statement,
                target=_target(statement),
                known=tuple(sorted(known)),
                reads=frozenset(known | asked),
            )
            number += 1


def _target(statement: Statement) -> str | None:
    match statement:
        case Write() | Order():
            return statement.name
        case Create():
            return f"object:{statement.object}"
        case Advice():
            return None
        case _:
            assert_never(statement)


def _needs(
    group: tuple[str, str | None],
    entries: list[Entry],
    written: set[str],
    vocabulary: Vocabulary,
) -> frozenset[str]:
    """Every name that must be complete first, among those that rules write."""
    names: set[str] = set()
    for entry in entries:
        names |= entry.reads
    # The order of a list is settled before its items are visited.
    for entity in vocabulary.chain(group[1]):
        order = vocabulary.entities[entity].order
        if order is not None:
            names.add(order)
    return frozenset(names & written)


def _next_scope(ready: list[tuple[str, str | None]], vocabulary: Vocabulary) -> str | None:
    """The outermost scope with work to do: what it decides may be read further in, never the other way round."""
    scopes = {scope for _, scope in ready}
    return min(scopes, key=lambda scope: (len(vocabulary.chain(scope)), scope or ""))


def _circle(
    waiting: dict[tuple[str, str | None], frozenset[str]], groups: dict[tuple[str, str | None], list[Entry]]
) -> Problem:
    """Walk from name to needed name until one comes back."""
    open_names = {target for target, _ in waiting}
    needs = {
        target: sorted({name for group, names in waiting.items() if group[0] == target for name in names & open_names})
        for target in sorted(open_names)
    }
    # What nothing on a circle needs is only waiting for it.
    start = next(target for target in needs if needs[target])
    path = [start]
    while True:
        following = next(name for name in needs[path[-1]] if needs[name])
        if following in path:
            circle = path[path.index(following) :]
            break
        path.append(following)
    writers = sorted(
        (entry for group, entries in groups.items() if group[0] in circle for entry in entries),
        key=lambda entry: entry.number,
    )
    rules = list(dict.fromkeys(entry.rule.id for entry in writers))
    route = " → ".join(f"`{_plain(name)}`" for name in [*circle, circle[0]])
    return Problem(
        kind=ProblemKind.INVALID,
        cause=f"names depend on each other in a circle: {route}, by the rules "
        + ", ".join(f"`{rule}`" for rule in rules),
        help="let one of these rules read a fact instead of a name that rules decide",
        place=writers[0].statement.place,
        rule=rules[0],
    )


def _plain(target: str) -> str:
    return target.removeprefix("object:")


def condition_reads(condition: Condition, vocabulary: Vocabulary) -> set[str]:
    """Names that a condition looks at: the facts tested and what their right sides read."""
    names: set[str] = set()
    for test in tests_of(condition):
        names.add(test.name)
        if not isinstance(test.operand, Constant):
            names |= term_reads(test.operand, vocabulary)
    return {name for name in names if not isinstance(vocabulary.names[name], Parameter)}


def statement_reads(statement: Statement, vocabulary: Vocabulary) -> set[str]:
    """Names that the values of a statement read, without parameters and its own loops.

    The name of a manifest counts as far as rules decide it; the facts in it are there for every TrainJob.
    """
    loops: set[str] = set()
    terms: list[Term] = []
    match statement:
        case Write(value=Repeat() as repeat):
            terms = [*(bound for _, bound in repeat.loops), repeat.text]
            loops = {name for name, _ in repeat.loops}
        case Write(value=value):
            terms = [value]  # type: ignore[list-item]
        case Create(manifest=manifest):
            terms = [manifest]
        case Advice(message=message, help=help_):
            terms = [message] if help_ is None else [message, help_]
        case Order():
            terms = []
        case _:
            assert_never(statement)
    names = {name for term in terms for name in term_reads(term, vocabulary)} - loops
    if isinstance(statement, Create):
        own = term_reads(ObjectName(object=statement.object), vocabulary)
        names |= {name for name in own if not isinstance(vocabulary.names[name], Fact)}
    return names


def term_reads(term: Term, vocabulary: Vocabulary) -> set[str]:
    """Names that a term reads, parameters left out; the name of a manifest reads what its template reads."""
    names = names_in(term)
    for object_ in {name.removeprefix("object:") for name in names if name.startswith("object:")}:
        names |= names_in(vocabulary.objects[object_].metadata_name)
    return {
        name
        for name in names
        if not name.startswith("object:") and not isinstance(vocabulary.names.get(name), Parameter)
    }


def names_in(term: Term) -> set[str]:
    """All names that stand in a term; ``object:NAME`` for the name of a manifest."""
    match term:
        case Constant():
            return set()
        case Reference():
            return {term.name}
        case ObjectName():
            return {f"object:{term.object}"}
        case Call():
            inner = term.arguments
        case Template():
            inner = tuple(part for part in term.parts if not isinstance(part, str))
        case Items():
            inner = term.items
        case Entries():
            inner = tuple(value for _, value in term.entries)
        case _:
            assert_never(term)
    return {name for part in inner for name in names_in(part)}
