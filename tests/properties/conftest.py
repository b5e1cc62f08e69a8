"""Random rule sets and random facts, made directly of the classes of the language.

A rule set is a function of its seed. Names are decided in a fixed order, so there is never a circle; beyond that
everything that the checks of a rule set allow may come up.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import cast

import pytest

from trainpolicy.engine.errors import Place
from trainpolicy.engine.inference.decide import Program
from trainpolicy.engine.inference.items import Item, Items
from trainpolicy.engine.inference.layout import Row
from trainpolicy.engine.language.condition import All, AnyOf, Condition, Not, Test
from trainpolicy.engine.language.expression import (
    Call,
    Constant,
    Entries,
    Reference,
    Template,
    Term,
    TypeName,
    Value,
)
from trainpolicy.engine.language.expression import (
    Items as ListOf,
)
from trainpolicy.engine.language.rule import Advice, Order, Repeat, Rule, Statement, Write
from trainpolicy.engine.language.ruleset import RuleSet
from trainpolicy.engine.language.vocabulary import (
    Derived,
    Entity,
    Fact,
    Location,
    Member,
    Name,
    Parameter,
    Setting,
    Vocabulary,
)

World = list[tuple[tuple[int, ...], str | None, dict[str, Value]]]
"""Position, entity and facts of the TrainJob (``()``, None) and of each item, parents first. A job's facts
have its ``key`` beside them, and ``waits``, the keys of the jobs that it waits for.
"""

PLACE = Place(file="rules.yaml", line=1, column=1)
AT = Location(document="trainJob", steps=(Member(name="any"),), text="trainJob/any")
JOBS = ("a", "b", "c", "d")
WORDS = ("x", "xy", "y", "")


def fact(
    name: str, kind: TypeName, entity: str | None = None, default: Value | None = None, of: str | None = None
) -> Fact:
    return Fact(
        name=name,
        at=AT,
        type=kind,
        of=of,
        required=default is None,
        default=default,
        minimum=None,
        maximum=None,
        keep=None,
        unit=None,
        meaning="",
        entity=entity,
        place=PLACE,
    )


def derived(
    name: str,
    kind: TypeName,
    entity: str | None = None,
    default: Value | None = None,
    limits: tuple[int | None, int | None] = (None, None),
) -> Derived:
    return Derived(
        name=name,
        type=kind,
        of=None,
        default=default,
        minimum=limits[0],
        maximum=limits[1],
        unit=None,
        meaning="",
        entity=entity,
        place=PLACE,
    )


def setting(name: str, kind: TypeName, write: str, entity: str | None = None, top: int | None = None) -> Setting:
    return Setting(
        name=name,
        to=(AT,),
        type=kind,
        of=None,
        key="name" if write == "upsert" else None,
        write=write,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        minimum=None if top is None else 0,
        maximum=top,
        unit=None,
        meaning="",
        entity=entity,
        place=PLACE,
    )


def entity(name: str, of: str | None, order: str | None) -> Entity:
    return Entity(name=name, each=AT, of=of, key="name", order=order, waits=None, meaning="", place=PLACE)


KNOB = Parameter(
    name="knob",
    type="integer",
    value=2,
    default=2,
    minimum=None,
    maximum=None,
    unit=None,
    meaning="",
    place=PLACE,
)

# In the order in which they are decided: what stands on one line does not read each other.
RANKS: list[list[Name]] = [
    [
        fact("number", "integer"),
        fact("usual", "integer", default=1),
        fact("flag", "boolean"),
        fact("word", "text"),
        fact("words", "list", of="text"),
        fact("numbers", "list", of="integer"),
        fact("labels", "map", of="text"),
        fact("job.name", "text", "job"),
        fact("job.size", "integer", "job"),
        fact("job.ready", "boolean", "job", default=False),
        fact("part.size", "integer", "part"),
        fact("part.word", "text", "part"),
        KNOB,
    ],
    [derived("first", "integer"), derived("given", "integer", default=5)],
    [setting("jobs", "list", "order")],
    [derived("small", "integer", limits=(0, 4)), derived("text", "text"), derived("truth", "boolean")],
    [derived("job.first", "integer", "job"), derived("job.truth", "boolean", "job")],
    [derived("lines", "list"), derived("figures", "list"), derived("job.lines", "list", "job")],
    [derived("last", "integer"), derived("job.last", "integer", "job"), derived("part.last", "integer", "part")],
    [
        setting("tags", "map", "merge"),
        setting("job.count", "integer", "set", "job", 2**31 - 1),
        setting("job.tags", "map", "merge", "job"),
        setting("job.volumes", "list", "upsert", "job"),
        setting("job.sources", "list", "append", "job"),
        setting("part.command", "list", "set", "part"),
        setting("part.tags", "map", "merge", "part"),
    ],
    [derived("job.after", "integer", "job"), derived("part.after", "text", "part"), derived("after", "list")],
]
VOCABULARY = Vocabulary(
    names={one.name: one for rank in RANKS for one in rank},
    entities={"job": entity("job", None, "jobs"), "part": entity("part", "job", None)},
    objects={},
)
RANK = {one.name: number for number, rank in enumerate(RANKS) for one in rank}
LISTS_OF_TEXT = ("words", "lines", "job.lines", "after")
LISTS_OF_INTEGERS = ("numbers", "figures")
NUMBERS = (-2, -1, 0, 1, 2, 3, 4, 5)
LARGE = (2**31 - 1, 2**31, 2**62, 2**63 - 1, -(2**63))


class Maker:
    """Makes the parts of one rule set."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - tests, no secrets
        self.readable: dict[str, list[str]] = {}

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def number(self) -> int:
        return self.random.choice(LARGE) if self.chance(0.02) else self.random.choice(NUMBERS)

    def text(self) -> str:
        return self.random.choice(WORDS)

    def rule_set(self) -> RuleSet:
        count = self.random.randint(2, 12)
        rules = tuple(self.rule(number, count) for number in range(count))
        return RuleSet(name="random", profile="none", vocabulary=VOCABULARY, rules=rules, disabled=(), digest="")

    def rule(self, number: int, count: int) -> Rule:
        scope = self.random.choice((None, None, "job", "job", "part"))
        targets = self.targets(scope)
        rank = min([RANK[name] for name in targets], default=len(RANKS))
        self.readable = self.readable_names(scope, rank)
        statements: list[Statement] = [self.write(name, scope, number) for name in targets]
        if not targets or self.chance(0.05):
            statements.append(self.advice(number))
        # Only upwards: rules that override each other in a circle do not load.
        overrides = [f"r{other}" for other in range(number + 1, count) if self.chance(0.15)]
        given = (self.condition(0),) if self.chance(0.2) else ()
        return Rule(
            id=f"r{number}",
            title="",
            why=None,
            source=(),
            for_each=scope,
            given=All(items=given),
            condition=All(items=tuple(self.condition(2) for _ in range(self.random.choice((0, 1, 1, 1, 2))))),
            statements=tuple(statements),
            overrides=tuple(overrides),
            examples=(),
            place=self.place(number),
        )

    def place(self, number: int) -> Place:
        return Place(file="rules.yaml", line=number + 1, column=1)

    def targets(self, scope: str | None) -> list[str]:
        """Names that a rule of this scope may write: its own, and further out only lists."""
        names = [
            one.name
            for rank in RANKS[1:]
            for one in rank
            if VOCABULARY.scope(one.name) == scope
            or (
                VOCABULARY.scope(one.name) in (None, *VOCABULARY.chain(scope))
                and one.type == "list"
                and (not isinstance(one, Setting) or one.write in ("upsert", "append"))
            )
        ]
        return sorted(set(self.random.choices(names, k=self.random.choice((0, 1, 1, 1, 2, 3)))))

    def readable_names(self, scope: str | None, rank: int) -> dict[str, list[str]]:
        near = (None, *VOCABULARY.chain(scope))
        found: dict[str, list[str]] = {"integer": [], "boolean": [], "text": [], "list": [], "map": []}
        for one in (one for names in RANKS[:rank] for one in names):
            if VOCABULARY.scope(one.name) in near and getattr(one, "write", "") != "order":
                found[one.type].append(one.name)
        return found

    # --- conditions ---

    def condition(self, depth: int) -> Condition:
        if depth == 0 or self.chance(0.5):
            return self.test()
        kind = self.random.choice(("all", "any", "not"))
        if kind == "not":
            return Not(item=self.condition(depth - 1))
        items = tuple(self.condition(depth - 1) for _ in range(self.random.choice((0, 1, 2, 2, 3))))
        return All(items=items) if kind == "all" else AnyOf(items=items)

    def test(self) -> Test:
        kind = self.random.choice([kind for kind, names in self.readable.items() if names])
        name = self.random.choice(self.readable[kind])
        word, operand = self.word(kind, name)
        return Test(name=name, word=word, operand=operand, place=PLACE)

    def word(self, kind: str, name: str) -> tuple[str, Term]:
        if self.chance(0.12):
            return "present", Constant(value=self.chance(0.5))
        match kind:
            case "integer":
                if self.chance(0.25):
                    return self.random.choice(("one_of", "none_of")), Constant(value=[self.number(), self.number()])
                words = ("equals", "not_equals", "at_least", "at_most", "greater_than", "less_than")
                return self.random.choice(words), self.integer(1) if self.chance(0.3) else Constant(value=self.number())
            case "boolean":
                return self.random.choice(("equals", "not_equals")), Constant(value=self.chance(0.5))
            case "text":
                if self.chance(0.3):
                    return self.random.choice(("one_of", "none_of")), Constant(value=[self.text(), self.text()])
                words = ("equals", "not_equals", "starts_with", "ends_with")
                return self.random.choice(words), self.phrase(1) if self.chance(0.2) else Constant(value=self.text())
            case _:
                if self.chance(0.4):
                    return "empty", Constant(value=self.chance(0.5))
                if name in LISTS_OF_TEXT and self.chance(0.4):
                    return "contains_any", Constant(value=[self.text(), self.text()])
                if name in ("job.volumes", "job.sources"):
                    return "contains", Constant(value={"name": self.text()})
                return "contains", Constant(value=self.number() if name in LISTS_OF_INTEGERS else self.text())

    # --- values ---

    def integer(self, depth: int) -> Term:
        if depth == 0 or self.chance(0.3):
            names = self.readable["integer"]
            return Reference(name=self.random.choice(names)) if self.chance(0.6) else Constant(value=self.number())
        match self.random.choice(("+", "-", "*", "min", "max", "len", "first", "least")):
            case "len":
                lists = [*self.readable["list"], *self.readable["map"], *self.readable["text"]]
                return Call(function="len", arguments=(Reference(name=self.random.choice(lists)),))
            case "first" | "least" as function:
                name = self.random.choice([name for name in self.readable["list"] if name in LISTS_OF_INTEGERS])
                arguments = (Reference(name=name),)
                return Call(function="min" if function == "least" else "first", arguments=arguments)
            case ("min" | "max") as function if self.chance(0.3):
                return Call(function=function, arguments=tuple(self.integer(depth - 1) for _ in range(3)))
            case function:
                return Call(function=function, arguments=(self.integer(depth - 1), self.integer(depth - 1)))

    def phrase(self, depth: int) -> Term:
        if depth == 0 or self.chance(0.3):
            names = self.readable["text"]
            return Reference(name=self.random.choice(names)) if self.chance(0.5) else Constant(value=self.text())
        match self.random.choice(("template", "template", "join", "text", "first")):
            case "join":
                name = self.random.choice([name for name in self.readable["list"] if name in LISTS_OF_TEXT])
                return Call(function="join", arguments=(Reference(name=name), self.phrase(0)))
            case "first":
                return Call(function="first", arguments=(Reference(name="words"),))
            case "text":
                name = self.random.choice([*self.readable["boolean"], *self.readable["integer"]])
                return Call(function="text", arguments=(Reference(name=name),))
            case _:
                parts: list[str | Term] = ["{'\"\\", self.phrase(depth - 1), self.integer(depth - 1)]
                parts += [Reference(name=name) for name in self.readable["boolean"][:1]]
                return Template(parts=tuple(self.random.sample(parts, k=self.random.randint(1, len(parts)))))

    def write(self, name: str, scope: str | None, number: int) -> Statement:
        place = self.place(number)
        one = VOCABULARY.names[name]
        if name == "jobs":
            first, then = self.random.sample(JOBS, k=2)
            return Order(name=name, first=first, then=then, place=place)
        if isinstance(one, Setting):
            value = self.set_value(name)
            kind = "default" if one.write == "set" and self.chance(0.2) else one.write
            return Write(kind=kind, name=name, value=value, place=place)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        if one.type == "list":
            return self.list_write(name, scope, place)
        kind = "default" if self.chance(0.25) else "define"
        return Write(kind=kind, name=name, value=self.scalar(name, one.type), place=place)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def scalar(self, name: str, kind: str) -> Term:
        match kind:
            case "integer" if name == "small" and self.chance(0.5):
                # Constants are within bounds, or the rule set does not load.
                return Constant(value=self.random.randint(0, 4))
            case "integer" if name == "small":
                return Reference(name=self.random.choice(self.readable["integer"]))
            case "integer":
                return self.integer(2)
            case "text":
                return self.phrase(2)
            case _:
                if self.chance(0.3):
                    return Reference(name=self.random.choice(self.readable["boolean"]))
                return Constant(value=self.chance(0.5))

    def list_write(self, name: str, scope: str | None, place: Place) -> Write:
        if name == "after" and self.chance(0.5) and scope is None:
            lists = [other for other in self.readable["list"] if other in LISTS_OF_TEXT]
            common = Call(function="common", arguments=tuple(Reference(name=self.random.choice(lists)) for _ in "ab"))
            return Write(kind="append", name=name, value=common, place=place)
        if name == "figures":
            items = tuple(self.integer(1) for _ in range(self.random.randint(0, 2)))
            return Write(kind="append", name=name, value=ListOf(items=items), place=place)
        if self.chance(0.3):
            loops = [("i", self.loop())] + ([("j", self.loop())] if self.chance(0.4) else [])
            inner: list[str | Term] = ["-", Reference(name="i"), self.phrase(1), self.integer(1)]
            inner += [Call(function="+", arguments=(Reference(name=loops[-1][0]), Constant(value=1)))]
            return Write(
                kind="append",
                name=name,
                value=Repeat(loops=tuple(loops), text=Template(parts=tuple(inner))),
                place=place,
            )
        items = tuple(self.phrase(1) for _ in range(self.random.randint(0, 2)))
        return Write(kind="append", name=name, value=ListOf(items=items), place=place)

    def loop(self) -> Term:
        small = [name for name in self.readable["integer"] if name in ("knob", "small", "usual")]
        return Reference(name=self.random.choice(small)) if self.chance(0.7) else Constant(value=2)

    def set_value(self, name: str) -> Term:
        match name:
            case "job.count":
                value = self.integer(1)
                # Constants are within bounds, or the rule set does not load.
                return Constant(value=self.random.randint(0, 3)) if isinstance(value, Constant) else value
            case "part.command":
                return ListOf(items=tuple(self.phrase(1) for _ in range(self.random.randint(0, 2))))
            case "job.volumes" | "job.sources":
                return ListOf(items=tuple(self.item() for _ in range(self.random.randint(0, 2))))
            case _:
                keys = self.random.sample(WORDS, k=self.random.randint(1, 2))
                return Entries(entries=tuple((key, self.phrase(1)) for key in keys))

    def item(self) -> Term:
        own: list[tuple[str, Term]] = [("name", Constant(value=self.text()))]
        if self.chance(0.5):
            own.append(("size", self.integer(0)))
        if self.chance(0.2):
            own.append(("on", Reference(name=self.random.choice(self.readable["boolean"]))))
        return Entries(entries=tuple(own))

    def advice(self, number: int) -> Advice:
        return Advice(
            kind="deny" if self.chance(0.3) else "warn",
            about="number",
            message=self.phrase(1),
            help=self.phrase(0) if self.chance(0.5) else None,
            place=self.place(number),
        )

    # --- facts ---

    def value(self, one: Fact) -> Value:
        match one.type:
            case "integer":
                return self.number()
            case "boolean":
                return self.chance(0.5)
            case "text":
                return self.text()
            case "list" if one.of == "integer":
                return [self.number() for _ in range(self.random.randint(0, 2))]
            case "list":
                return [self.text() for _ in range(self.random.randint(0, 2))]
            case _:
                return {key: self.text() for key in self.random.sample(WORDS, k=self.random.randint(0, 2))}

    def facts(self, scope: str | None) -> dict[str, Value]:
        missing = self.random.choice((0.0, 0.1, 0.4))
        return {
            one.name: self.value(one)
            for one in RANKS[0]
            if isinstance(one, Fact) and one.entity == scope and not self.chance(missing)
        }

    def world(self) -> World:
        """A TrainJob with up to four jobs of up to two parts each."""
        world: World = [((), None, self.facts(None))]
        names = self.random.sample(JOBS, k=self.random.randint(0, 4))
        for at, name in enumerate(names):
            # Never in a circle: each waits for names that come sooner in the alphabet.
            waits: list[Value] = [other for other in names if other < name and self.chance(0.2)]
            own: dict[str, Value] = {"key": name, "waits": waits}
            world.append(((at,), "job", self.facts("job") | own))
            world += [((at, inner), "part", self.facts("part")) for inner in range(self.random.randint(0, 2))]
        return world


@pytest.fixture(scope="session")
def random_rule_set() -> Callable[[int], RuleSet]:
    """The rule set of a seed."""
    return lambda seed: Maker(seed).rule_set()


@pytest.fixture(scope="session")
def random_facts() -> Callable[[int, int], list[dict[str, Value]]]:
    """``(seed, count)``: facts by name, at most one item of each entity."""

    def make(seed: int, count: int) -> list[dict[str, Value]]:
        maker = Maker(seed)
        scopes = [maker.random.choice(((None,), (None, "job"), (None, "job", "part"))) for _ in range(count)]
        return [{name: value for scope in chosen for name, value in maker.facts(scope).items()} for chosen in scopes]

    return make


@pytest.fixture(scope="session")
def random_worlds() -> Callable[[int, int], list[World]]:
    """``(seed, count)``: TrainJobs with several jobs and parts."""

    def make(seed: int, count: int) -> list[World]:
        maker = Maker(seed)
        return [maker.world() for _ in range(count)]

    return make


@pytest.fixture(scope="session")
def rows_of() -> Callable[[Program, World], tuple[Row, Items]]:
    """Fresh rows and items that hold the facts of a world."""

    def make(program: Program, world: World) -> tuple[Row, Items]:
        layout = program.layout
        rows: dict[tuple[int, ...], Item] = {}
        top: Row = []
        items: Items = {name: [] for name in layout.names if name is not None}
        for position, scope, facts in world:
            if scope not in layout.names:
                continue
            row = program.new_row(scope)
            for index, name in enumerate(layout.names[scope]):
                if name in facts:
                    row[index] = facts[name]
            if scope is None:
                top = row
                continue
            parent = rows.get(position[:-1])
            key = str(facts.get("key", position[-1]))
            waits = tuple(cast("list[str]", facts.get("waits", [])))
            item = Item((*(parent.rows if parent else (top,)), row), position, key, waits, None)
            if parent:
                parent.children.append(item)
            rows[position] = item
            items[scope].append(item)
        return top, items

    return make


@pytest.fixture
def program() -> Iterator[Callable[[RuleSet, str], Program]]:
    """Programs that are closed when the test is over."""
    made: list[Program] = []

    def make(rule_set: RuleSet, matcher: str = "durable") -> Program:
        # Without patience, so that what is compared is the compiled program.
        made.append(Program(rule_set, matcher, patience=0))
        return made[-1]

    yield make
    for one in made:
        one.close()
