"""What is compiled gives what is evaluated with care, and both give what a naive reading of the rules gives.

The naive reading is written here without anything of the inference: names are decided by asking for what they read,
conditions are joined by Kleene's logic, values are computed by the words of the language's page.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from json import dumps
from typing import Any

import pytest

from trainpolicy.engine.inference.conclusion import concluder, decided_value
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.items import Items
from trainpolicy.engine.inference.layout import Row
from trainpolicy.engine.language.condition import All, AnyOf, Condition, Not
from trainpolicy.engine.language.condition import Test as OneTest
from trainpolicy.engine.language.condition import tests_of as all_tests
from trainpolicy.engine.language.expression import (
    Call,
    Constant,
    Entries,
    Reference,
    Template,
    Term,
    Value,
)
from trainpolicy.engine.language.expression import (
    Items as ListOf,
)
from trainpolicy.engine.language.functions import EvaluationError
from trainpolicy.engine.language.rule import Advice, Order, Repeat, Rule, Write
from trainpolicy.engine.language.ruleset import RuleSet
from trainpolicy.engine.language.vocabulary import Derived, Fact, Parameter, Setting

Position = tuple[int, ...]
World = list[tuple[Position, str | None, dict[str, Any]]]
MakeRuleSet = Callable[[int], RuleSet]
MakeFacts = Callable[[int, int], list[dict[str, Value]]]
MakeWorlds = Callable[[int, int], list[World]]
MakeProgram = Callable[[RuleSet, str], Program]
TRUE: bool | None = True
RowsOf = Callable[[Program, World], tuple[Row, Items]]


# --- compiled and careful ---------------------------------------------------------------------------------------------


def plain(program: Program, row: Row, items: Items) -> str:
    """All that a run leaves, as text that tells 1 from true."""
    marks: Any = row[-1]
    said = [
        (
            {name: [entry.number for entry in entries] for name, entries in plan.winners.items()},
            [(entry.number, reason) for entry, reason in plan.losers],
            [entry.number for entry in plan.lacking],
            plan.open,
            [entry.number for entry in plan.advice],
            at,
            [[value for value in one if value is not marks] for one in rows],
        )
        for plan, at, rows in marks
    ]
    left = {
        entity: [(item.position, item.origin, item.key, item.row) for item in found] for entity, found in items.items()
    }
    return repr((program.layout.names, row[:-1], left, said))


@pytest.mark.parametrize("matcher", ["durable", "reference"])
def test_a_compiled_run_leaves_what_a_careful_one_leaves(
    random_rule_set: MakeRuleSet, random_worlds: MakeWorlds, program: MakeProgram, rows_of: RowsOf, matcher: str
) -> None:
    failed = succeeded = 0
    for seed in range(150):
        one = program(random_rule_set(seed), matcher)
        for world in random_worlds(seed, 20):
            row, items = rows_of(one, world)
            careful_row, careful_items = rows_of(one, world)
            trace, careful_moves = one.trace(careful_row, careful_items)
            try:
                moves = one.run(row, items)
            except EvaluationError:
                failed += 1
                assert trace.failures != [], (seed, world)
                continue
            succeeded += 1
            assert trace.failures == [], (seed, world)
            assert plain(one, row, items) == plain(one, careful_row, careful_items), (seed, world)
            assert [(move.number, move.reason) for move in moves] == [
                (move.number, move.reason) for move in careful_moves
            ]
    # Neither way may go untested.
    assert failed > 100
    assert succeeded > 1000


# --- a naive reading --------------------------------------------------------------------------------------------------


class NoValue(Exception):
    """A value cannot be given."""


def whole(number: int) -> int:
    if -(2**63) <= number < 2**63:
        return number
    raise NoValue


def identical(left: Any, right: Any) -> bool:
    """1 is not true, also deep within; the order of keys means nothing."""
    return dumps(left, sort_keys=True) == dumps(right, sort_keys=True)


def says(word: str, value: Any, right: Any) -> bool:  # noqa: C901, PLR0912 - a case for each word
    match word:
        case "equals":
            return identical(value, right)
        case "not_equals":
            return not identical(value, right)
        case "one_of":
            return any(identical(value, one) for one in right)
        case "none_of":
            return not any(identical(value, one) for one in right)
        case "at_least":
            return bool(value >= right)
        case "at_most":
            return bool(value <= right)
        case "greater_than":
            return bool(value > right)
        case "less_than":
            return bool(value < right)
        case "starts_with":
            return bool(value[: len(right)] == right)
        case "ends_with":
            return bool(value[len(value) - len(right) :] == right) if len(right) <= len(value) else False
        case "empty":
            return (list(value) == []) == right
        case "contains":
            return any(identical(one, right) for one in value)
        case "contains_any":
            return any(identical(one, other) for one in value for other in right)
        case _:
            raise AssertionError(word)


@dataclass
class Naive:
    """One TrainJob and one rule set."""

    rule_set: RuleSet
    world: World
    outcomes: set[str] = field(default_factory=set[str])
    known: dict[tuple[str, Position], Any] = field(default_factory=dict[tuple[str, Position], Any])
    open: set[tuple[str, Position]] = field(default_factory=set[tuple[str, Position]])
    ordered: tuple[list[int], int] | None = None
    conditions: dict[tuple[str, Position], bool | None] = field(default_factory=dict[tuple[str, Position], bool | None])

    def scope(self, name: str) -> str | None:
        return self.rule_set.vocabulary.scope(name)

    def places(self, scope: str | None) -> list[Position]:
        """Where the items of an entity stand once they are in order."""
        found = [position for position, entity, _ in self.world if entity == scope]
        return found if scope is None else sorted(found, key=lambda at: (self.moved().index(at[0]), at))

    def depth(self, name: str) -> int:
        return {None: 0, "job": 1, "part": 2}[self.scope(name)]

    # --- order ---

    def moved(self) -> list[int]:
        """The jobs, by where they stood at first, in the order that rules give them."""
        return self.order()[0]

    def order(self) -> tuple[list[int], int]:
        if self.ordered is None:
            self.ordered = self.put_in_order()
        return self.ordered

    def put_in_order(self) -> tuple[list[int], int]:
        jobs = {
            str(facts["key"]): (position[0], facts["waits"])
            for position, entity, facts in self.world
            if entity == "job"
        }
        pairs = [pair for rule in self.rule_set.rules for pair in self.orders(rule)]
        pairs = [pair for pair in pairs if pair[0] in jobs and pair[1] in jobs]
        waits: dict[str, list[str]] = {
            name: [other for other in waited if other in jobs] for name, (_, waited) in jobs.items()
        }

        def leads(name: str, wanted: str, more: list[tuple[str, str]], seen: frozenset[str] = frozenset()) -> bool:
            sooner = [*waits[name], *(first for first, then in more if then == name)]
            return any(
                other == wanted or (other not in seen and leads(other, wanted, more, seen | {other}))
                for other in sooner
            )

        met = [pair for pair in pairs if not leads(pair[0], pair[1], pairs)]
        result: list[str] = []

        def place(name: str, *, moving: bool) -> None:
            if name in result:
                return
            sooner = {first for first, then in met if then == name} | set(waits[name] if moving else [])
            for other in jobs:
                if other in sooner:
                    place(other, moving=True)
            result.append(name)

        for name in jobs:
            place(name, moving=False)
        return [jobs[name][0] for name in result], len(pairs) - len(met)

    def orders(self, rule: Rule) -> Iterator[tuple[str, str]]:
        for statement in rule.statements:
            if isinstance(statement, Order) and self.condition(rule, ()) is True:
                yield statement.first, statement.then

    # --- names ---

    def value(self, name: str, at: Position) -> Any:
        """The value of a name for an item, or None."""
        key = name, at[: self.depth(name)]
        if key not in self.known:
            self.known[key] = self.decide(*key)
        return self.known[key]

    def decide(self, name: str, at: Position) -> Any:
        entry = self.rule_set.vocabulary.names[name]
        if isinstance(entry, Parameter):
            return entry.value
        if isinstance(entry, Fact):
            facts = next(facts for position, _, facts in self.world if position == at)
            return facts.get(name, entry.default)
        if isinstance(entry, Setting) and entry.write in ("merge", "upsert"):
            return self.keyed(name, at, entry.write == "merge")
        if entry.type == "list" and (isinstance(entry, Derived) or entry.write == "append"):
            return self.collected(name, at)
        return self.rivals(name, at)

    def writers(self, name: str) -> Iterator[tuple[Rule, Write]]:
        for rule in self.rule_set.rules:
            for statement in rule.statements:
                if isinstance(statement, Write) and statement.name == name:
                    yield rule, statement

    def given(self, name: str, at: Position) -> list[tuple[Rule, Write, Position]]:
        """The statements for this item that take effect, in order; what cannot tell is remembered."""
        found: list[tuple[Rule, Write, Position]] = []
        writers = list(self.writers(name))
        for scope in (None, "job", "part"):
            if not any(rule.for_each == scope for rule, _ in writers):
                continue
            for place in self.places(scope):
                if place[: len(at)] != at:
                    continue
                for rule, write in writers:
                    if rule.for_each != scope:
                        continue
                    holds = self.takes_effect(rule, write, place)
                    if holds is None:
                        self.open.add((name, at))
                    elif holds:
                        found.append((rule, write, place))
        if not any(place for _, _, place in found):
            return found
        order = {position: number for number, position in enumerate(self.tree())}
        return sorted(found, key=lambda one: order[one[2]])

    def tree(self) -> list[Position]:
        """Each item before what lies in it."""
        if all(entity is None for _, entity, _ in self.world):
            return [()]
        places = [position for position, _, _ in self.world]
        moved = self.moved()
        return sorted(places, key=lambda at: (moved.index(at[0]) if at else -1, at))

    def takes_effect(self, rule: Rule, statement: Any, at: Position) -> bool | None:
        holds = self.condition(rule, at)
        if holds is True and not all(self.value(name, at) is not None for name in reads(statement)):
            return None
        return holds

    def rivals(self, name: str, at: Position) -> Any:
        entry = self.rule_set.vocabulary.names[name]
        held = self.given(name, at)
        beaten = {other for rule, _, _ in held for other in rule.overrides}
        left = [(rule, write) for rule, write, _ in held if rule.id not in beaten]
        if any(write.kind != "default" for _, write in left):
            left = [(rule, write) for rule, write in left if write.kind != "default"]
        if not left:
            return None if (name, at) in self.open or isinstance(entry, Setting) else getattr(entry, "default", None)
        self.open.discard((name, at))
        given = [self.computed(write.value, at) for _, write in left]
        low, high = getattr(entry, "minimum", None), getattr(entry, "maximum", None)
        low, high = -(2**63) if low is None else low, 2**63 - 1 if high is None else high
        values = [None if isinstance(value, int) and not low <= value <= high else value for value in given]
        if None in values:
            self.outcomes.add("invalid")
        if any(value is not None and values[0] is not None and not identical(value, values[0]) for value in values[1:]):
            self.outcomes.add("conflict")
            return None
        if "invalid" in self.outcomes:
            # Nothing of the result is looked at then.
            return None
        return values[0]

    def collected(self, name: str, at: Position) -> Any:
        held = self.given(name, at)
        items: list[Any] = [item for _, write, place in held for item in self.computed(write.value, place) or ()]
        written = isinstance(self.rule_set.vocabulary.names[name], Derived) or held
        return None if (name, at) in self.open or not written else items

    def keyed(self, name: str, at: Position, is_map: bool) -> Any:  # noqa: FBT001
        held = self.given(name, at)
        by_key: dict[str, list[tuple[Rule, Any]]] = {}
        for rule, write, place in held:
            value = self.computed(write.value, place)
            pairs = [] if value is None else value.items() if is_map else [(item["name"], item) for item in value]
            for key, member in pairs:
                by_key.setdefault(key, []).append((rule, member))
        result: dict[str, Any] = {}
        for key, members in by_key.items():
            beaten = {other for rule, _ in members for other in rule.overrides}
            left = [member for rule, member in members if rule.id not in beaten]
            if not all(identical(one, left[0]) for one in left):
                self.outcomes.add("conflict")
            result[key] = left[0]
        if (name, at) in self.open or not held:
            return None
        return result if is_map else list(result.values())

    def computed(self, value: Term | Repeat, at: Position) -> Any:
        try:
            return self.repeat(value, at) if isinstance(value, Repeat) else self.term(value, at, {})
        except NoValue:
            self.outcomes.add("invalid")
            return None

    # --- conditions ---

    def condition(self, rule: Rule, at: Position) -> bool | None:
        key = rule.id, at
        if key not in self.conditions:
            whole = All(items=(rule.given, rule.condition))
            self.conditions[key] = self.kleene(whole, at)
            if self.conditions[key] is None and any(self.fails(test, at) for test in all_tests(whole)):
                self.outcomes.add("invalid")
        return self.conditions[key]

    def kleene(self, condition: Condition, at: Position) -> bool | None:
        match condition:
            case OneTest():
                return self.test(condition, at)
            case Not():
                inner = self.kleene(condition.item, at)
                return None if inner is None else not inner
            case All():
                return reduce(both, [self.kleene(item, at) for item in condition.items], TRUE)
            case AnyOf():
                parts = [self.kleene(Not(item=item), at) for item in condition.items]
                answer = reduce(both, parts, TRUE)
                return None if answer is None else not answer

    def test(self, test: OneTest, at: Position) -> bool | None:
        value = self.value(test.name, at)
        if test.word == "present":
            return (value is not None) is self.term(test.operand, at, {})
        if any(self.value(name, at) is None for name in names(test.operand)):
            return None
        if value is None or self.fails(test, at):
            return None
        return says(test.word, value, self.term(test.operand, at, {}))

    def fails(self, test: OneTest, at: Position) -> bool:
        if any(self.value(name, at) is None for name in names(test.operand)):
            return False
        try:
            self.term(test.operand, at, {})
        except NoValue:
            return True
        return False

    # --- values ---

    def term(self, term: Term, at: Position, loops: dict[str, int]) -> Any:
        match term:
            case Constant():
                return term.value
            case Reference():
                return loops[term.name] if term.name in loops else self.value(term.name, at)
            case Template():
                return "".join(
                    part if isinstance(part, str) else written(self.term(part, at, loops)) for part in term.parts
                )
            case ListOf():
                return [self.term(item, at, loops) for item in term.items]
            case Entries():
                return {key: self.term(value, at, loops) for key, value in term.entries}
            case Call():
                return called(term.function, [self.term(argument, at, loops) for argument in term.arguments])
            case _:
                raise AssertionError(term)

    def repeat(self, repeat: Repeat, at: Position) -> list[str]:
        rounds: list[dict[str, int]] = [{}]
        for name, bound in repeat.loops:
            count = self.term(bound, at, {})
            if len(rounds) * max(count, 0) > 100_000:
                raise NoValue
            rounds = [{**done, name: number} for done in rounds for number in range(count)]
        return [self.term(repeat.text, at, loops) for loops in rounds]

    # --- the whole ---

    def outcome(self) -> str:
        for name in self.rule_set.vocabulary.names:
            for at in self.places(self.scope(name)):
                self.value(name, at)
        for rule in self.rule_set.rules:
            for at in self.places(rule.for_each):
                self.condition(rule, at)
                for statement in rule.statements:
                    if isinstance(statement, Advice):
                        self.advise(rule, statement, at)
                    if isinstance(statement, Order) and self.condition(rule, at) is None:
                        self.open.add((statement.name, ()))
        if "invalid" in self.outcomes:
            return "invalid"
        if "denied" in self.outcomes:
            return "denied"
        if "conflict" in self.outcomes:
            return "invalid"
        return "undecided" if "undecided" in self.outcomes or self.open else "decided"

    def advise(self, rule: Rule, advice: Advice, at: Position) -> None:
        holds = self.takes_effect(rule, advice, at)
        if holds is None and advice.kind == "deny":
            self.outcomes.add("undecided")
        if holds:
            if advice.kind == "deny":
                self.outcomes.add("denied")
            for text in (advice.message, advice.help):
                if text is not None:
                    self.computed(text, at)


def both(left: bool | None, right: bool | None) -> bool | None:  # noqa: FBT001
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def written(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def called(function: str, arguments: list[Any]) -> Any:  # noqa: C901, PLR0912 - a case for each function
    match function:
        case "+":
            return whole(arguments[0] + arguments[1])
        case "-":
            return whole(arguments[0] - arguments[1])
        case "*":
            return whole(arguments[0] * arguments[1])
        case "min" | "max":
            numbers: list[int] = sorted(arguments[0] if len(arguments) == 1 else arguments)
            if not numbers:
                raise NoValue
            return numbers[0] if function == "min" else numbers[-1]
        case "len":
            return sum(1 for _ in arguments[0])
        case "first":
            for one in arguments[0]:
                return one
            raise NoValue
        case "join":
            text = ""
            for number, one in enumerate(arguments[0]):
                text += (arguments[1] if number else "") + one
            return text
        case "text":
            return written(arguments[0])
        case "common":
            left, right = arguments
            return [one for at, one in enumerate(left) if one in right and one not in left[:at]]
        case _:
            raise AssertionError(function)


def names(term: Any) -> set[str]:
    """Names that stand anywhere within a term."""
    match term:
        case Reference():
            return {term.name}
        case Call():
            return {name for part in term.arguments for name in names(part)}
        case Template():
            return {name for part in term.parts for name in names(part)}
        case ListOf():
            return {name for part in term.items for name in names(part)}
        case Entries():
            return {name for _, part in term.entries for name in names(part)}
        case _:
            return set()


def reads(statement: Write | Advice) -> set[str]:
    match statement:
        case Write(value=Repeat() as repeat):
            bounds = {name for _, bound in repeat.loops for name in names(bound)}
            return bounds | (names(repeat.text) - {name for name, _ in repeat.loops})
        case Write():
            return names(statement.value)
        case Advice():
            return names(statement.message) | names(statement.help)


def as_world(facts: dict[str, Value], rule_set: RuleSet) -> World:
    """The items that the given names ask for: a job when a name of it or of a part is given, and so on."""
    scopes = {rule_set.vocabulary.scope(name) for name in facts}
    world: World = [((), None, facts)]
    if scopes & {"job", "part"}:
        own: dict[str, Any] = {"key": "?", "waits": []}
        world.append(((0,), "job", own | facts))
    if "part" in scopes:
        world.append(((0, 0), "part", facts))
    return world


def test_a_naive_reading_concludes_the_same_from_facts(
    random_rule_set: MakeRuleSet, random_facts: MakeFacts, program: MakeProgram
) -> None:
    seen: dict[str, int] = {}
    for seed in range(1000, 1170):
        rule_set = random_rule_set(seed)
        conclude = concluder(program(rule_set, "durable"))
        written_names = {getattr(one, "name", "") for rule in rule_set.rules for one in rule.statements} - {"jobs", ""}
        for facts in random_facts(seed, 60):
            conclusion = conclude(facts)
            world = as_world(facts, rule_set)
            naive = Naive(rule_set, world)
            outcome = naive.outcome()
            seen[outcome] = seen.get(outcome, 0) + 1
            assert conclusion.outcome.value == outcome, (seed, facts, conclusion.problems)
            if outcome in ("decided", "undecided"):
                expected = {
                    name: value
                    for name in sorted(written_names)
                    for at in naive.places(rule_set.vocabulary.scope(name))
                    if (value := naive.value(name, at)) is not None
                }
                values = {name: value for name, value in conclusion.values.items() if name != "jobs"}
                assert identical(values, expected), (seed, facts)
    assert min(seen.get(one, 0) for one in ("decided", "undecided", "denied", "invalid")) > 100, seen


def test_a_naive_reading_decides_the_same_for_several_items(
    random_rule_set: MakeRuleSet, random_worlds: MakeWorlds, program: MakeProgram, rows_of: RowsOf
) -> None:
    compared = unmet = 0
    for seed in range(2000, 2150):
        rule_set = random_rule_set(seed)
        one = program(rule_set, "durable")
        written_names = {getattr(one, "name", "") for rule in rule_set.rules for one in rule.statements} - {"jobs", ""}
        for world in random_worlds(seed, 30):
            row, items = rows_of(one, world)
            naive = Naive(rule_set, world)
            invalid = naive.outcome() == "invalid" and "invalid" in naive.outcomes
            try:
                moves = one.run(row, items)
            except EvaluationError:
                assert naive.outcomes & {"invalid", "conflict"}, (seed, world)
                continue
            if invalid or "conflict" in naive.outcomes:
                continue
            compared += 1
            unmet += len(moves)
            if "job" in items:
                assert [item.origin[0] for item in items["job"]] == naive.moved(), (seed, world)
                if any(isinstance(each, Order) for rule in rule_set.rules for each in rule.statements):
                    assert len(moves) == naive.order()[1]
            for name in sorted(written_names):
                scope = rule_set.vocabulary.scope(name)
                found = (
                    [decided_value(name, (row,), one)]
                    if scope is None
                    else [decided_value(name, item.rows, one) for item in items.get(scope, ())]
                )
                expected = [naive.value(name, at) for at in naive.places(scope)]
                assert identical(found, expected), (seed, name, world)
    assert compared > 1500
    assert unmet > 20
