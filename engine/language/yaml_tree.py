"""One YAML file as plain data with the position of every value, read event by event.

Nothing recurses, so depth is bounded by a count and not by the stack; no object but plain data is ever made.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import Problem, ProblemKind
from .spots import Spots, at_spot, spot
from .yaml_dialects import DEEPEST, Dialect
from .yaml_scalars import Scalar, ScalarFault

if TYPE_CHECKING:
    from yaml.events import Event

__all__ = ["Tree", "slow_loader", "trees"]

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_MOST_PROBLEMS = 200
_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_TEXT_TAG = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One document of a file; ``start`` is the index of its first character, ``position`` where its value starts."""

    data: Any
    spots: Spots
    start: int

    @property
    def position(self) -> int:
        """Where the value starts."""
        return self.spots if isinstance(self.spots, int) else self.spots[0]


class _Stop(Exception):
    """Reading cannot go on; the problem has been added."""


class _Omit:
    """Stands for a key whose value is read and dropped."""


class _Merge:
    """Stands for the key ``<<``."""


_OMIT, _MERGE = _Omit(), _Merge()


class _Frame:
    """A list or map that is being read."""

    __slots__ = ("anchor", "data", "key", "key_spot", "merged", "size", "spots")

    def __init__(self, data: "list[Any] | dict[str, Any]", position: int, anchor: str | None) -> None:
        self.data = data
        self.spots: list[Any] = [position]
        self.anchor = anchor
        self.key: str | _Omit | _Merge | None = None
        self.key_spot = position
        self.merged: list[tuple[Any, Any]] = []
        self.size = 1


class _Builder:
    def __init__(self, text: str, file: str, dialect: Dialect, problems: list[Problem], first_line: int) -> None:
        self.first_line = first_line
        self.file = file
        self.dialect = dialect
        self.problems = problems
        self.lines_with_tabs = _lines_with_tabs(text) if not dialect.tabs and "\t" in text else {}
        self.written = self.aliased = 0
        self.first_problem = len(problems)

    def fail(self, position: int, cause: str, help_: str | None = None) -> None:
        """Add a problem; give up when there are very many."""
        if len(self.problems) - self.first_problem >= _MOST_PROBLEMS:
            raise _Stop
        place = at_spot(self.file, position)
        self.problems.append(Problem(kind=ProblemKind.INVALID, cause=cause, help=help_, place=place))

    def documents(self, next_event: "Callable[[], Event]") -> Iterator[Tree]:
        """Every document; one that has a fault is given too, as far as it can be read."""
        from yaml.events import (
            AliasEvent,
            DocumentEndEvent,
            DocumentStartEvent,
            MappingEndEvent,
            MappingStartEvent,
            ScalarEvent,
            SequenceEndEvent,
            SequenceStartEvent,
            StreamEndEvent,
        )

        stack: list[_Frame] = []
        start = count = 0
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                value, position = self.scalar(event), self.position(event)
                if event.anchor is not None:
                    self.anchors[event.anchor] = (value, position, 1)
                self.add(stack[-1], value, position, event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                position = self.position(event)
                self.check_tag(event, position)
                if len(stack) > DEEPEST:
                    self.fail(position, f"values are nested deeper than {DEEPEST} levels")
                    raise _Stop
                stack.append(_Frame({} if kind is MappingStartEvent else [], position, event.anchor))
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                frame = stack.pop()
                if frame.merged:
                    self.merge(frame)
                if frame.anchor is not None:
                    self.anchors[frame.anchor] = (frame.data, frame.spots, frame.size)
                self.add(stack[-1], frame.data, frame.spots, None, frame.size)
            elif kind is AliasEvent:
                self.alias(stack[-1], event)
            elif kind is DocumentStartEvent:
                count += 1
                if count > 1 and not self.dialect.several:
                    cause = "a second document starts here; a file holds one"
                    self.fail(self.position(event), cause, "put it in a file of its own")
                    return
                start = event.start_mark.index
                self.anchors: dict[str, tuple[Any, Any, int]] = {}
                stack = [_Frame([], 0, None)]
            elif kind is DocumentEndEvent:
                root = stack.pop()
                if not isinstance(root.data, list):
                    raise AssertionError(root.data)
                yield Tree(data=root.data[0], spots=root.spots[1], start=start)
            elif kind is StreamEndEvent:
                return

    def position(self, event: "Event") -> int:
        mark = event.start_mark
        tabbed = self.lines_with_tabs.pop(mark.line, None) if self.lines_with_tabs else None
        if tabbed is not None and mark.column > tabbed:
            self.fail(spot(mark.line, tabbed), "a tab cannot indent", "indent with spaces")
        return spot(mark.line + self.first_line, mark.column)

    def scalar(self, event: Any) -> Scalar:
        text: str = event.value
        if event.implicit[0]:
            try:
                return self.dialect.scalar(text)
            except ScalarFault as fault:
                self.fail(self.position(event), fault.cause, fault.help)
                return text
        if event.tag is None or not self.check_tag(event, self.position(event)) or event.tag == _TEXT_TAG:
            return text
        try:
            value = self.dialect.scalar(text)
        except ScalarFault as fault:
            self.fail(self.position(event), fault.cause, fault.help)
            return text
        kinds = {"int": int, "float": int | float, "bool": bool, "null": type(None)}
        name = event.tag.rpartition(":")[2]
        if not isinstance(value, kinds.get(name, object)) or (name != "bool" and isinstance(value, bool)):
            self.fail(self.position(event), f"`{text}` is not what its tag `!!{name}` says", "leave the tag out")
        return value

    def check_tag(self, event: Any, position: int) -> bool:
        tag = event.tag
        if tag is None or (self.dialect.tags and tag in _TAGS) or tag == "!":
            return True
        name = tag.replace("tag:yaml.org,2002:", "!!")
        self.fail(position, f"the tag `{name}` has no meaning here", "leave it out")
        return False

    def add(self, frame: _Frame, value: Any, spots: Any, event: Any, size: int = 1) -> None:
        """Put a value that is complete into the list or map around it. ``event`` is set for a scalar."""
        frame.size += size
        if isinstance(frame.data, list):
            frame.data.append(value)
            frame.spots.append(spots)
        elif frame.key is None:
            frame.key_spot = spots if isinstance(spots, int) else spots[0]
            frame.key = self.key(frame, value, event)
        else:
            if frame.key is _MERGE:
                frame.merged.append((value, spots))
            elif isinstance(frame.key, str):
                frame.data[frame.key] = value
                frame.spots += (frame.key_spot, spots)
            frame.key = None
        self.written += 1

    def key(self, frame: _Frame, value: Any, event: Any) -> str | _Omit | _Merge:
        """The key that a value stands for, unless it is refused."""
        if value == "<<" and event is not None and event.implicit[0]:
            if self.dialect.merges:
                return _MERGE
            self.fail(frame.key_spot, "`<<` does not merge maps here", "write the members out")
            return _OMIT
        key = value
        if not isinstance(key, str):
            key = None if isinstance(key, list | dict) else self.dialect.key(key)
        if key is None:
            shown = "a list or map" if isinstance(value, list | dict) else f"`{event.value if event else value}`"
            self.fail(frame.key_spot, f"a key must be text, not {shown}", "put it in quotes")
            return _OMIT
        if key in frame.data:
            first = frame.spots[2 * list(frame.data).index(key) + 1]
            place = at_spot(self.file, first)
            self.fail(frame.key_spot, f"the key `{key}` stands here twice", f"it is first at {place}")
            return _OMIT
        return key

    def alias(self, frame: _Frame, event: Any) -> None:
        position = self.position(event)
        if event.anchor not in self.anchors:
            self.fail(position, f"no `&{event.anchor}` is complete before `*{event.anchor}`")
            self.add(frame, "", position, None)
            return
        value, spots, size = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > self.dialect.aliased + self.dialect.share * self.written:
            self.fail(position, "aliases stand for too many values", "write the values out")
            raise _Stop
        self.add(frame, value, spots, None, size)

    def merge(self, frame: _Frame) -> None:
        """Add what ``<<`` names where the map does not have the key itself."""
        data = frame.data
        for value, spots in frame.merged:
            several = isinstance(value, list)
            sources = (
                list(zip(value, spots[1:], strict=True)) if several and isinstance(spots, list) else [(value, spots)]
            )
            for source, places in sources:
                if not isinstance(source, dict) or not isinstance(data, dict):
                    self.fail(frame.spots[0], "`<<` takes a map or a list of maps")
                    continue
                for index, (key, member) in enumerate(source.items()):
                    if key not in data:
                        data[key] = member
                        frame.spots += places[2 * index + 1 : 2 * index + 3]


def _lines_with_tabs(text: str) -> dict[int, int]:
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

    from .yaml_faults import syntax_fault

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
