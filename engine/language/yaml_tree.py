"""One YAML file as plain data with the position of every value, read event by event.

Nothing recurses, so depth is bounded by a count and not by the stack; no object but plain data is ever made.
"""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Any

from ..errors import Problem, ProblemKind
from ..record import Record
from ..values.pattern import Pattern
from .document import is_list, is_map
from .spots import Spots, at_spot, spot
from .yaml_dialects import DEEPEST, Dialect
from .yaml_faults import NO_CHARACTER, syntax_fault
from .yaml_scalars import Scalar, ScalarFault

__all__ = ["Tree", "slow_loader", "trees"]

_LINE_BREAK = Pattern("\r\n|[\n\r\x85\u2028\u2029]")
_HALF = Pattern("[\ud800-\udfff]")
_MOST_PROBLEMS = 200
_OWN_TAGS = "tag:yaml.org,2002:"
_TAG_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
    "str": (str,),
    "map": (),
    "seq": (),
}


class Tree(Record):
    """One document of a file, which is ``text[start:end]`` and starts in ``line``, counted from 0."""

    data: Any
    spots: Spots
    start: int
    end: int
    line: int

    @property
    def position(self) -> int:
        """Where the value starts."""
        return self.spots if isinstance(self.spots, int) else self.spots[0]


class _Stop(Exception):
    """Reading cannot go on; the problem has been added."""


class _Key(Enum):
    """A key that is no member."""

    OMIT = auto()
    """The value is read and dropped."""
    MERGE = auto()
    """``<<``"""


class _Frame:
    """A list or map that is being read."""

    __slots__ = ("anchor", "data", "is_list", "key", "key_spot", "merged", "size", "spots")

    data: Any

    def __init__(self, data: list[Any] | dict[str, Any], position: int, anchor: str | None) -> None:
        self.data = data
        self.is_list = isinstance(data, list)
        self.spots: list[Any] = [position]
        self.anchor = anchor
        self.key: str | _Key | None = None
        self.key_spot = position
        self.merged: list[tuple[Any, Any]] = []
        self.size = 1


class _Builder:
    def __init__(self, text: str, file: str, dialect: Dialect, problems: list[Problem], first_line: int) -> None:
        self.first_line = first_line
        self.file = file
        self.dialect = dialect
        self.problems = problems
        self.first_problem = len(problems)
        self.tabs = _tabs(text) if not dialect.tabs and "\t" in text else {}
        self.written = self.aliased = self.count = self.start = self.line = 0
        self.anchors: dict[str, tuple[Any, Any, int]] = {}
        self.root = _Frame([], 0, None)
        self.stack = [self.root]

    def documents(self, next_event: Callable[[], Any]) -> Iterator[Tree]:
        """Every document; one that has a fault is given too, as far as it can be read."""
        from yaml import events

        handlers: dict[type, Callable[[Any], None]] = {
            events.ScalarEvent: self.on_scalar,
            events.MappingStartEvent: self.on_map,
            events.SequenceStartEvent: self.on_list,
            events.MappingEndEvent: self.on_end,
            events.SequenceEndEvent: self.on_end,
            events.AliasEvent: self.on_alias,
            events.DocumentStartEvent: self.on_document,
        }
        while True:
            event = next_event()
            handler = handlers.get(event.__class__)
            if handler is not None:
                handler(event)
            elif isinstance(event, events.DocumentEndEvent):
                yield self.tree(event)
            elif isinstance(event, events.StreamEndEvent):
                return

    def tree(self, event: Any) -> Tree:
        """The document that ends here."""
        data, spots = self.root.data[0], self.root.spots[1]
        return Tree(data=data, spots=spots, start=self.start, end=event.end_mark.index, line=self.line)

    def on_document(self, event: Any) -> None:
        """Begin a document."""
        self.count += 1
        if self.count > 1 and not self.dialect.several:
            cause = "a second document starts here; a file holds one"
            self.fail(self.position(event), cause, "put it in a file of its own")
            raise _Stop
        self.start = event.start_mark.index
        self.line = event.start_mark.line
        self.anchors.clear()
        self.root = _Frame([], 0, None)
        self.stack = [self.root]

    def on_scalar(self, event: Any) -> None:
        """Put a plain value in its place."""
        position = self.position(event)
        value = self.scalar(event, position)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, position, 1)
        self.add(value, position, event)

    def on_map(self, event: Any) -> None:
        """Begin a map."""
        self.begin(event, {})

    def on_list(self, event: Any) -> None:
        """Begin a list."""
        self.begin(event, [])

    def begin(self, event: Any, data: list[Any] | dict[str, Any]) -> None:
        """Begin a list or map."""
        position = self.position(event)
        self.check_tag(event, position)
        if len(self.stack) > DEEPEST:
            self.fail(position, f"values are nested deeper than {DEEPEST} levels")
            raise _Stop
        self.stack.append(_Frame(data, position, event.anchor))

    def on_end(self, _event: Any) -> None:
        """Put a list or map that is complete in its place."""
        frame = self.stack.pop()
        if frame.merged:
            self.merge(frame)
        if frame.anchor is not None:
            self.anchors[frame.anchor] = (frame.data, frame.spots, frame.size)
        self.add(frame.data, frame.spots, None, frame.size)

    def on_alias(self, event: Any) -> None:
        """Put what an alias stands for in its place."""
        position = self.position(event)
        if event.anchor not in self.anchors:
            self.fail(position, f"no `&{event.anchor}` is complete before `*{event.anchor}`")
            self.add("", position, None)
            return
        value, spots, size = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > self.dialect.aliased + self.dialect.share * self.written:
            self.fail(position, "aliases stand for too many values", "write the values out")
            raise _Stop
        self.add(value, spots, None, size)

    def fail(self, position: int, cause: str, help_: str | None = None) -> None:
        """Add a problem; give up when there are very many."""
        if len(self.problems) - self.first_problem >= _MOST_PROBLEMS:
            raise _Stop
        place = at_spot(self.file, position)
        self.problems.append(Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place))

    def position(self, event: Any) -> int:
        """Where an event starts; a tab in the indentation before it is a problem, once a line."""
        mark = event.start_mark
        line: int = mark.line + self.first_line
        if self.tabs and mark.column > self.tabs.get(mark.line, mark.column):
            self.fail(spot(line, self.tabs.pop(mark.line)), "a tab cannot indent", "indent with spaces")
        return spot(line, mark.column)

    def scalar(self, event: Any, position: int) -> Scalar:
        """The value of plain or quoted text."""
        text: str = event.value
        if not text.isascii() and _HALF.search(text):
            self.fail(position, NO_CHARACTER)
        tag: str | None = event.tag
        plain: bool = event.implicit[0]
        if tag is not None:
            plain = self.check_tag(event, position) and tag not in ("!", f"{_OWN_TAGS}str")
        if not plain:
            return text
        try:
            value = self.dialect.scalar(text)
        except ScalarFault as fault:
            self.fail(position, fault.cause, fault.help)
            return text
        if tag is not None:
            name = tag.removeprefix(_OWN_TAGS)
            if not isinstance(value, _TAG_TYPES[name]) or isinstance(value, bool) is not (name == "bool"):
                self.fail(position, f"`{text}` is not what its tag `!!{name}` says", "leave the tag out")
        return value

    def check_tag(self, event: Any, position: int) -> bool:
        """Whether there is no tag, or one that may stand here."""
        tag: str | None = event.tag
        if tag is None:
            return True
        own, name = tag.startswith(_OWN_TAGS), tag.removeprefix(_OWN_TAGS)
        if self.dialect.tags and (tag == "!" or (own and name in _TAG_TYPES)):
            return True
        self.fail(position, f"the tag `{'!!' if own else ''}{name}` has no meaning here", "leave it out")
        return False

    def add(self, value: Any, spots: Any, event: Any, size: int = 1) -> None:
        """Put a value that is complete into the list or map around it. ``event`` is set for a scalar."""
        frame = self.stack[-1]
        frame.size += size
        self.written += 1
        if frame.is_list:
            frame.data.append(value)
            frame.spots.append(spots)
        elif frame.key is None:
            frame.key_spot = spots if isinstance(spots, int) else spots[0]
            frame.key = self.key(frame, value, event)
        else:
            if frame.key is _Key.MERGE:
                frame.merged.append((value, spots))
            elif isinstance(frame.key, str):
                frame.data[frame.key] = value
                frame.spots += (frame.key_spot, spots)
            frame.key = None

    def key(self, frame: _Frame, value: Any, event: Any) -> str | _Key:
        """The key that a value stands for, unless it is refused."""
        if value == "<<" and event is not None and event.implicit[0]:
            if self.dialect.merges:
                return _Key.MERGE
            self.fail(frame.key_spot, "`<<` does not merge maps here", "write the members out")
            return _Key.OMIT
        compound = isinstance(value, list | dict)
        key = value if isinstance(value, str) else None if compound else self.dialect.key(value)
        if key is None:
            shown = "a list or map" if compound else f"`{value if event is None else event.value}`"
            self.fail(frame.key_spot, f"a key must be text, not {shown}", None if compound else "put it in quotes")
            return _Key.OMIT
        if key in frame.data:
            first = frame.spots[2 * list(frame.data).index(key) + 1]
            self.fail(
                frame.key_spot, f"the key `{key}` stands here twice", f"it is first at {at_spot(self.file, first)}"
            )
            return _Key.OMIT
        return key

    def merge(self, frame: _Frame) -> None:
        """Add what ``<<`` names where the map does not have the key itself."""
        for value, spots in frame.merged:
            for source, places in zip(value, spots[1:], strict=True) if is_list(value) else [(value, spots)]:
                self.merge_one(frame, source, places)

    def merge_one(self, frame: _Frame, source: Any, places: Any) -> None:
        """Add the members of one map that the other does not have."""
        if not is_map(source):
            self.fail(frame.spots[0], "`<<` takes a map or a list of maps")
            return
        for index, (key, member) in enumerate(source.items()):
            if key not in frame.data:
                frame.data[key] = member
                frame.spots += places[2 * index + 1 : 2 * index + 3]


def _tabs(text: str) -> dict[int, int]:
    """Lines whose indentation holds a tab, and the column of the first one."""
    found: dict[int, int] = {}
    for number, line in enumerate(_LINE_BREAK.split(text)):
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in indent:
            found[number] = indent.index("\t")
    return found


def trees(text: str, file: str, dialect: Dialect, problems: list[Problem], first_line: int = 0) -> Iterator[Tree]:
    """The documents of a text; whatever is wrong with it adds to ``problems``, and reading goes as far as it can.

    :param first_line: how many lines of the file stand before the text
    """
    import yaml

    builder = _Builder(text, file, dialect, problems, first_line)
    loader: Any = None
    try:
        if yaml.__with_libyaml__:
            loader = yaml.CSafeLoader(text)
        else:
            slow_loader.used = True
            loader = yaml.SafeLoader(text)
        yield from builder.documents(loader.get_event)
    except _Stop:
        return
    except yaml.YAMLError as error:
        problems.append(syntax_fault(error, text, file))
    finally:
        if loader is not None:
            loader.dispose()


class _SlowLoader:
    """Whether YAML was read without the C library, and whether somebody was told."""

    __slots__ = ("told", "used")

    def __init__(self) -> None:
        self.used = self.told = False

    def take(self) -> bool:
        """True once, after the slow loader was used."""
        if self.told or not self.used:
            return False
        self.told = True
        return True


slow_loader = _SlowLoader()
