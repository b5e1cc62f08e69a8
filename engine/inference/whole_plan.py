"""A whole decision as one function of the facts: all stages at once, for rule sets that allow it.

Where tests look at facts only, and at other names only for whether they are there, the classes of the facts alone say
what every stage does. Then one look-up leads to one function over local variables, without rows and without stages.
"""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar, cast

from ..language.condition import Test, tests_of
from ..language.expression import Constant, Value
from ..language.functions import EvaluationError
from ..language.vocabulary import Fact, Member, Parameter, Setting
from .decide import Program, Trace
from .memory import Memory
from .plan_code import value_code
from .rows import named_rows, names_within
from .source import Source, component
from .terms import copy_value

__all__ = ["whole_decision"]

_Conclusion = TypeVar("_Conclusion", bound=tuple[object, ...])
_Facts = Mapping[str, Value]
_new_tuple = cast("Callable[..., object]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]


def whole_decision(
    program: Program,
    kind: type[_Conclusion],
    rest: tuple[object, ...],
    otherwise: Callable[[_Facts], _Conclusion],
) -> Callable[[_Facts], _Conclusion] | None:
    """A function from facts to a conclusion; None for rule sets that need their stages one by one.

    :param kind: a conclusion; a tuple that starts with the values
    :param rest: what follows in it when all went well
    :param otherwise: concludes step by step, for situations with something to report and for values that fail
    """
    return _Whole(program, kind, rest, otherwise).function() if _allows(program) else None


def _tests(program: Program) -> list[Test]:
    rules = dict.fromkeys(entry.rule.id for entry in program.entries)
    by_id = {entry.rule.id: entry.rule for entry in program.entries}
    return [test for name in rules for test in (*tests_of(by_id[name].given), *tests_of(by_id[name].condition))]


def _allows(program: Program) -> bool:
    layout = program.layout
    targets = {entry.target for entry in program.entries if entry.target is not None}
    built = targets & layout.appended or targets - layout.vocabulary.names.keys()
    return not built and all(
        isinstance(test.operand, Constant)
        and (test.word == "present" or isinstance(layout.vocabulary.names[test.name], Fact | Parameter))
        for test in _tests(program)
    )


class _Whole(Generic[_Conclusion]):
    """The names of one program as local variables, and the functions made of its situations."""

    def __init__(
        self,
        program: Program,
        kind: type[_Conclusion],
        rest: tuple[object, ...],
        otherwise: Callable[[_Facts], _Conclusion],
    ) -> None:
        self._program = program
        self._kind = kind
        self._rest = rest
        self._otherwise = otherwise
        names = [name for members in program.layout.names.values() for name in members]
        self._variables = {name: f"a{index}" for index, name in enumerate(names)}
        self._entities = [entity for entity in program.layout.names if entity is not None]
        self._head = ", ".join(["facts", *self._variables.values()])

    def function(self) -> Callable[[_Facts], _Conclusion]:
        """Reads the facts, looks the situation up and calls its function."""
        program, layout = self._program, self._program.layout
        source = Source(layout, self._variables)
        source.line("get = facts.get")
        for name, variable in self._variables.items():
            if isinstance(layout.vocabulary.names[name], Setting):
                # Nobody gives what rules write.
                source.line(f"{variable} = None")
                continue
            default = layout.default(name)
            given = "" if default is None else f", {source.constant(default)}"
            source.line(f"{variable} = get({source.use(name)}{given})")
        parts = self._classes(source)
        for entity in self._entities:
            within = names_within(entity, program)
            absent = f"{source.use(within.isdisjoint)}(facts)"
            key = self._key_fact(entity)
            # The key of an item is nearly always given, and sooner looked for than any of its names.
            parts.append(f"{source.use(key)} not in facts and {absent}" if key is not None else absent)
        memory = Memory(self._make)
        plan = f"{source.use(memory.young.get)}(k) or {source.use(memory.find)}(k, facts)"
        source.line(f"k = ({''.join(f'{part}, ' for part in parts)})")
        source.line(f"try: return ({plan})({self._head})")
        source.line(f"except {source.use(EvaluationError)}: return {source.use(self._otherwise)}(facts)")
        return source.compile("def decide(facts):")

    def _key_fact(self, entity: str) -> str | None:
        """The fact that holds the key of an item."""
        vocabulary = self._program.layout.vocabulary
        key = (Member(name=vocabulary.entities[entity].key),)
        facts = [one for one in vocabulary.names.values() if isinstance(one, Fact) and one.entity == entity]
        return next((fact.name for fact in facts if fact.at.steps == key), None)

    def _classes(self, source: Source) -> list[str]:
        layout = self._program.layout
        tests: dict[str, list[Test]] = {}
        for test in _tests(self._program):
            tests.setdefault(test.name, []).append(test)
        for entry in self._program.entries:
            for name in entry.known:
                tests.setdefault(name, [])
        return [
            component(source, layout, name, asked)
            for name, asked in tests.items()
            if not isinstance(layout.vocabulary.names[name], Parameter)
        ]

    def _make(self, facts: _Facts) -> Callable[..., _Conclusion]:
        row, items = named_rows(self._program, facts)
        trace, moves = self._program.trace(row, items)
        if trace.failures or row[-1] or moves:
            return self._step_by_step
        return self._compile(trace, frozenset(items))

    def _step_by_step(self, facts: _Facts, *_: Value | None) -> _Conclusion:
        return self._otherwise(facts)

    def _compile(self, trace: Trace, present: frozenset[str]) -> Callable[..., _Conclusion]:
        layout = self._program.layout
        variables = dict(self._variables)
        source = Source(layout, variables)
        given: set[str] = set()
        for plan, _, _ in trace.steps:
            for name, entries in plan.winners.items():
                variables[name] = value_code(source, layout, name, entries)
                given.add(name)
        sure: list[str] = []
        names = layout.vocabulary.names
        for name in sorted({entry.target for entry in self._program.entries if entry.target is not None}):
            entity = layout.vocabulary.scope(name)
            if entity is not None and entity not in present:
                continue
            value = variables[name]
            if names[name].type in ("list", "map"):
                # The caller owns what it gets.
                value = f"{source.use(copy_value)}({value})"
            if name in given:
                sure.append(f"{source.use(name)}: {value}")
            else:
                sure.append(f"**({{{source.use(name)}: {value}}} if {variables[name]} is not None else {{}})")
        parts = [f"{{{', '.join(sure)}}}", *(source.use(part) for part in self._rest)]
        # Made as the tuple that it is: the constructor by name takes twice as long.
        source.line(f"return {source.use(_new_tuple)}({source.use(self._kind)}, ({', '.join(parts)}))")
        return source.compile(f"def whole({self._head}):")
