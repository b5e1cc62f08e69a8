"""Facts read by compiled code are the facts read step by step."""

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from trainpolicy.engine.errors import Place
from trainpolicy.engine.inference.layout import Layout
from trainpolicy.engine.inference.reader_code import Mistyped, compile_reader, plain_reader
from trainpolicy.engine.language.expression import Value
from trainpolicy.engine.language.vocabulary import (
    Each,
    Fact,
    Keep,
    Location,
    Member,
    Select,
    Step,
    TypeName,
    Vocabulary,
)

PLACE = Place(file="names.yaml", line=1, column=1)
LAYOUT = Layout(
    vocabulary=Vocabulary(names={}, entities={}, objects={}),
    slots={},
    names={},
    parameters={},
    appended=frozenset(),
    gathered=frozenset(),
)
NAMES = st.sampled_from(["a", "b", "name"])
STEPS = st.lists(
    st.builds(Member, name=NAMES)
    | st.builds(Select, key=st.just("name"), value=st.sampled_from(["x", "y"]))
    | st.just(Each()),
    min_size=1,
    max_size=4,
)
SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y", "1Gi"])
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)),
)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    steps: tuple[Step, ...] = tuple(draw(STEPS))
    collected = any(isinstance(step, Each) for step in steps)
    kind: TypeName = "list" if collected else draw(st.sampled_from(get_args(TypeName)))
    default: Value | None = ["x"] if collected and draw(st.booleans()) else None
    keep = draw(st.none() | st.just((Keep(path=("a", "b"), default="x"), Keep(path=("name",), unless=("b",)))))
    return Fact(
        name="fact",
        at=Location(document="trainJob", steps=steps, text="path"),
        type=kind,
        of=None,
        required=False,
        default=default,
        minimum=None,
        maximum=None,
        keep=keep if kind in ("list", "map") else None,
        unit=None,
        meaning="",
        entity=None,
        place=PLACE,
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(facts(), max_size=6), DOCUMENTS)
def test_compiled_readers_read_what_plain_ones_read(wanted: list[Fact], document: dict[str, Any]) -> None:
    numbered = list(enumerate(wanted))
    seen: list[tuple[list[Any], Mistyped]] = []
    for reader in (plain_reader(numbered), compile_reader(LAYOUT, numbered)):
        row: list[Any] = [fact.default or ([] if fact.type == "list" else None) for fact in wanted]
        mistyped: Mistyped = []
        reader(document, row, mistyped)
        seen.append((row, sorted(mistyped, key=lambda pair: pair[0])))
    assert seen[0] == seen[1]
