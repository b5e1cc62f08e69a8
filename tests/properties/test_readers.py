"""Reading facts step by step and by the compiled reader gives the same, whatever the document holds."""

from random import Random
from typing import Any

import pytest

from trainpolicy.engine.errors import Place
from trainpolicy.engine.inference.layout import Row, make_layout
from trainpolicy.engine.inference.reader_code import Mistyped, compile_reader, plain_reader
from trainpolicy.engine.language.expression import TypeName, Value
from trainpolicy.engine.language.location import parse_location
from trainpolicy.engine.language.vocabulary import Fact, Keep, Vocabulary

PATHS = (
    "a",
    "a.b",
    "a.b.c",
    "a.c",
    "b",
    "a[]",
    "a[].b",
    "a[].b.c",
    "a[].b[].c",
    "a[name=x]",
    "a[name=x].b",
    "a[name=x].b[]",
    "a[name=x].b[name=y].c",
    "a.b[].c",
    "b[].a[name=x].b",
)
KEEP = (Keep(path=("a",)), Keep(path=("b", "c"), default="0"), Keep(path=("c",), unless=("b",)))


def document(random: Random, depth: int = 4) -> Any:
    kind = random.choice(("map", "map", "list", "leaf")) if depth else "leaf"
    match kind:
        case "map":
            made: dict[str, Any] = {
                key: document(random, depth - 1) for key in random.sample("abc", k=random.randint(0, 3))
            }
            return made | ({"name": random.choice("xyz")} if random.random() < 0.6 else {})
        case "list":
            return [document(random, depth - 1) for _ in range(random.randint(0, 3))]
        case _:
            leaves: list[Any] = [None, 1, 0, True, False, "x", "", [], {}]
            return random.choice(leaves)


def fact(random: Random, number: int) -> Fact:
    path = random.choice(PATHS)
    collects = "[]" in path
    types: tuple[TypeName, ...] = ("integer", "boolean", "text", "list", "map")
    kind = "list" if collects else random.choice(types)
    default: Value | None = random.choice((None, [] if kind == "list" else {} if kind == "map" else 7))
    return Fact(
        name=f"fact{number}",
        at=parse_location(f"trainJob/{path}"),
        type=kind,
        of=None,
        required=False,
        default=default,
        minimum=None,
        maximum=None,
        keep=KEEP if kind in ("list", "map") and random.random() < 0.3 else None,
        unit=None,
        meaning="",
        entity=None,
        place=Place(file="names.yaml"),
    )


@pytest.mark.parametrize("seed", range(40))
def test_both_readers_read_the_same(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - tests, no secrets
    facts = [fact(random, number) for number in range(random.randint(1, 12))]
    layout = make_layout((), Vocabulary(names={one.name: one for one in facts}, entities={}, objects={}))
    listed = list(enumerate(facts))
    plain, compiled = plain_reader(listed), compile_reader(layout, listed)
    for _ in range(50):
        content = {"a": document(random), "b": document(random)}
        found: list[str] = []
        for read in (plain, compiled):
            row: Row = [layout.default(one.name) for one in facts]
            mistyped: Mistyped = []
            read(content, row, mistyped)
            found.append(repr((row, sorted((index, problem.cause) for index, problem in mistyped))))
        assert found[0] == found[1], content
