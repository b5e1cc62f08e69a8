"""Python source for terms and situation keys, made of names and numbers that the engine itself hands out.

No text of a rule file ever enters the source: constants are passed in by reference under names made here. What is
compiled has no builtins.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NoReturn, assert_never

from ..language.condition import Test
from ..language.expression import Call, Constant, Entries, Items, ObjectName, Reference, Template, Term, Value
from ..language.functions import FUNCTIONS, LARGEST, SMALLEST, EvaluationError, to_text
from ..language.rule import Repeat
from ..language.vocabulary import Parameter
from .layout import Layout
from .leaves import answer
from .terms import MAX_ITEMS, check_repeat

__all__ = ["Source", "component", "fail"]

_FEW = 3
"""So many ``in`` one after the other are quicker than building a set."""

_COMPARE = {"at_least": 0, "less_than": 0, "greater_than": 1, "at_most": 1}
"""Thresholds: the test changes its answer at its number, or one above it."""


def fail() -> NoReturn:
    """Give up the quick way; the careful evaluation names cause and place."""
    raise EvaluationError("the value cannot be given", None)


class Source:
    """One function under construction: its lines and the objects that they refer to."""

    __slots__ = ("_layout", "_lines", "_locals", "_values", "_variables")

    def __init__(self, layout: Layout, variables: Mapping[str, str] | None = None) -> None:
        """``variables`` are names whose values stand in local variables; all others stand in rows."""
        self._layout = layout
        self._variables = variables or {}
        self._lines: list[str] = []
        self._locals = 0
        self._values: dict[str, Any] = {"__builtins__": {}}

    def line(self, text: str, indent: int = 1) -> None:
        """Add one line of code."""
        self._lines.append("    " * indent + text)

    def local(self) -> str:
        """A name for a local variable that is not taken yet."""
        self._locals += 1
        return f"v{self._locals}"

    def use(self, value: object) -> str:
        """A name under which the code finds this object."""
        name = f"k{len(self._values)}"
        self._values[name] = value
        return name

    def compile(self, head: str) -> Callable[..., Any]:
        """The finished function; ``head`` is its ``def`` line."""
        text = "\n".join([head, *(self._lines or ["    pass"])])
        code: CodeType = compile(text, "<plan>", "exec")
        space = self._values
        exec(code, space)  # noqa: S102  # made of engine names only, see the module's text
        function: Callable[..., Any] = space[head[4 : head.index("(")]]
        return function

    def name(self, name: str) -> str:
        """Code that reads the value of a name."""
        entry = self._layout.vocabulary.names.get(name)
        if isinstance(entry, Parameter):
            return self.constant(entry.value)
        if name in self._variables:
            return self._variables[name]
        slot = self._layout.reading(name)
        return f"r{slot.depth}[{slot.index}]"

    def constant(self, value: Value) -> str:
        """Code for a constant; small numbers and booleans stand in the code itself, lists and maps are made anew."""
        if isinstance(value, list):
            return f"[{', '.join(self.constant(item) for item in value)}]"
        if isinstance(value, dict):
            return f"{{{', '.join(f'{self.use(key)}: {self.constant(item)}' for key, item in value.items())}}}"
        if isinstance(value, bool | int) and -(2**63) <= value < 2**63:
            return repr(value) if isinstance(value, bool) or value >= 0 else f"({value!r})"
        return self.use(value)

    def term(self, term: Term, loops: dict[str, str] | None = None, *, bounded: bool = False) -> str:
        """Code for the value of a term; ``loops`` maps loop names to local variables.

        ``bounded`` says that the code around it refuses integers of more than 64 bits.
        """
        match term:
            case Constant():
                return self.constant(term.value)
            case Reference():
                return loops[term.name] if loops and term.name in loops else self.name(term.name)
            case ObjectName():
                return self.term(self._layout.vocabulary.objects[term.object].metadata_name)
            case Call():
                return self._call(term, loops, bounded=bounded)
            case Template():
                return self._template(term, loops)
            case Items():
                return "[" + ", ".join(self.term(item, loops) for item in term.items) + "]"
            case Entries():
                pairs = (f"{self.use(key)}: {self.term(value, loops)}" for key, value in term.entries)
                return "{" + ", ".join(pairs) + "}"
            case _:
                assert_never(term)

    def _call(self, call: Call, loops: dict[str, str] | None, *, bounded: bool) -> str:
        arguments = [self.term(argument, loops) for argument in call.arguments]
        if call.function in ("+", "-", "*"):
            code = "(" + f" {call.function} ".join(arguments) + ")"
            if bounded:
                return code
            value = self.local()
            return f"({value} if {SMALLEST} <= ({value} := {code}) <= {LARGEST} else {self.use(fail)}())"
        if call.function in ("min", "max") and len(arguments) == 2:  # noqa: PLR2004
            # Written out: a call would cost more than the comparison.
            first, second = self.local(), self.local()
            sign = "<" if call.function == "min" else ">"
            return f"({first} if ({first} := {arguments[0]}) {sign} ({second} := {arguments[1]}) else {second})"
        return f"{self.use(FUNCTIONS[call.function].call)}({', '.join(arguments)})"

    def _template(self, template: Template, loops: dict[str, str] | None) -> str:
        pieces: list[str] = []
        for part in template.parts:
            code = self.use(part) if isinstance(part, str) else self.term(part, loops)
            plain = isinstance(part, str) or self._is_plain(part, loops)
            pieces.append(code if plain else f"{self.use(to_text)}({code})")
        return self._joined(pieces)

    def _joined(self, pieces: list[str]) -> str:
        """Code for pieces of text put together."""
        if any('"' in piece for piece in pieces):
            # Before Python 3.12 one f-string cannot hold another.
            return "(" + " + ".join(f"{self.use(str)}({piece})" for piece in pieces) + ")"
        return 'f"' + "".join("{" + piece + "}" for piece in pieces) + '"'

    def _is_plain(self, term: Term, loops: dict[str, str] | None) -> bool:
        """Whether the value is surely a number or text, which Python writes as rules do."""
        match term:
            case Reference():
                if loops and term.name in loops:
                    return True
                return self._layout.vocabulary.names[term.name].type in ("integer", "text")
            case Call():
                return FUNCTIONS[term.function].result in ("integer", "text")
            case ObjectName() | Template():
                return True
            case Constant():
                return isinstance(term.value, str)
            case _:
                return False

    def repeat(self, repeat: Repeat) -> str:
        """Code for the texts of a repeat, as one list comprehension with all that stays the same taken out of it."""
        loops: dict[str, str] = {}
        clauses: list[str] = []
        sizes: list[str] = []
        for name, bound in repeat.loops:
            size = self.local()
            self.line(f"{size} = {self.use(range)}({self.term(bound)})")
            sizes.append(f"{self.use(len)}({size})")
            loops[name] = self.local()
            clauses.append(f"for {loops[name]} in {size}")
        count = " * ".join(sizes)
        self.line(f"if {count} > {MAX_ITEMS}: {self.use(check_repeat)}({count})")
        text = repeat.text
        if not isinstance(text, Template):
            return f"[{self.term(text, loops)} {' '.join(clauses)}]"
        return f"[{self._loop_text(text, loops, count)} {' '.join(clauses)}]"

    def _loop_text(self, template: Template, loops: dict[str, str], count: str) -> str:
        pieces: list[str] = []
        same: list[str | Term] = []
        for part in [*template.parts, None]:
            if part is not None and (isinstance(part, str) or not _reads_any(part, loops)):
                same.append(part)
                continue
            if same:
                name = self.local()
                # Without a round nothing is asked for, so nothing can fail.
                self.line(f"{name} = {self._template(Template(parts=tuple(same)), None)} if {count} else None")
                pieces.append(name)
                same = []
            if part is not None:
                code = self.term(part, loops)
                pieces.append(code if self._is_plain(part, loops) else f"{self.use(to_text)}({code})")
        return self._joined(pieces)


def _reads_any(term: Term, names: dict[str, str]) -> bool:
    match term:
        case Reference():
            return term.name in names
        case Call():
            return any(_reads_any(argument, names) for argument in term.arguments)
        case Template():
            return any(not isinstance(part, str) and _reads_any(part, names) for part in term.parts)
        case Items():
            return any(_reads_any(item, names) for item in term.items)
        case Entries():
            return any(_reads_any(value, names) for _, value in term.entries)
        case Constant() | ObjectName():
            return False
        case _:
            assert_never(term)


def component(source: Source, layout: Layout, name: str, tests: list[Test]) -> str:
    """Code for the class of a name's value: two values of one class get the same answers from all these tests.

    All right sides are constants. Numbers are told apart only where a test changes its answer, so a new number needs
    no new plan. A missing value has a class of its own.
    """
    value = source.name(name)
    known = layout.always_known(name)
    tests = [test for test in tests if test.word != "present"]
    if not tests:
        return "False" if known else f"{value} is None"
    kind = layout.vocabulary.names[name].type
    operands = [test.operand.value for test in tests if isinstance(test.operand, Constant)]
    words = {test.word for test in tests}
    if kind == "boolean":
        return value
    if kind == "integer":
        return _threshold(source, value, known, tests)
    if kind == "text" and words <= {"equals", "not_equals", "one_of", "none_of"}:
        classes: dict[Value | None, int] = {None: -1}
        for operand in operands:
            items: list[Value] = operand if isinstance(operand, list) else [operand]
            for item in items:
                classes.setdefault(item, len(classes))
        return f"{source.use(classes.get)}({value}, 0)"
    if words == {"empty"}:
        return f"not {value}" if known else f"(None if {value} is None else not {value})"
    members = sorted({member for test in tests if (member := _member(test)) is not None})
    if kind == "list" and len(members) <= _FEW and all(test.word == "empty" or _is_member(test) for test in tests):
        empty = [f"not {value}"] if "empty" in words else []
        code = ", ".join([*empty, *(f"{source.use(member)} in {value}" for member in members)])
        return f"({code})" if known else f"(None if {value} is None else ({code}))"
    classify = _classifier(tests, of_text=getattr(layout.vocabulary.names[name], "of", None) == "text")
    return f"{source.use(classify)}({value})"


def _threshold(source: Source, value: str, known: bool, tests: list[Test]) -> str:  # noqa: FBT001
    points: set[int] = set()
    for test in tests:
        operand = test.operand.value if isinstance(test.operand, Constant) else None
        for number in operand if isinstance(operand, list) else [operand]:
            if isinstance(number, int):
                points |= {number + _COMPARE[test.word]} if test.word in _COMPARE else {number, number + 1}
    if len(points) == 1:
        code = f"{value} >= {source.constant(points.pop())}"
    else:
        code = f"{source.use(bisect_right)}({source.use(sorted(points))}, {value})"
    return f"({code})" if known else f"(None if {value} is None else {code})"


def _member(test: Test) -> str | None:
    """The text that a ``contains`` looks for."""
    value = test.operand.value if isinstance(test.operand, Constant) else None
    return value if test.word == "contains" and isinstance(value, str) else None


def _is_member(test: Test) -> bool:
    return _member(test) is not None


def _classifier(tests: list[Test], *, of_text: bool) -> Callable[[Value | None], object]:
    """The general case: the answers themselves, or for many ``contains`` the members that matter."""
    operands = [(test.word, test.operand.value) for test in tests if isinstance(test.operand, Constant)]
    if of_text and all(_is_member(test) for test in tests):
        wanted = frozenset(operand for _, operand in operands)
        return lambda value: None if value is None else wanted.intersection(value)  # type: ignore[arg-type]
    return lambda value: tuple(answer(word, value, operand) for word, operand in operands)
