"""A rule set survives being written as JSON, whatever is in it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.errors import Place
from trainpolicy.engine.language import condition as conditions
from trainpolicy.engine.language.condition import All, AnyOf, Not
from trainpolicy.engine.language.expression import Call, Constant, Entries, Items, Reference, Template
from trainpolicy.engine.language.rule import Example, Rule, Write
from trainpolicy.engine.language.rule_set_form import from_json, to_json
from trainpolicy.engine.record import maker

# With words and characters that the form itself uses, and half a pair of UTF-16.
TEXT = st.sampled_from(["()", "{}", "later", "Place", "\n", '"', "\\", "\ud800", "\U0001f600"]) | st.text(max_size=5)
VALUE = st.recursive(
    st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
PLACE = st.builds(lambda *parts: maker(Place)(parts), TEXT, st.none() | st.integers(), st.none() | st.integers())
TERM = st.recursive(
    st.builds(Constant, value=VALUE) | st.builds(Reference, name=TEXT),
    lambda inner: (
        st.builds(Call, function=TEXT, arguments=st.lists(inner, max_size=3).map(tuple))
        | st.builds(Template, parts=st.lists(inner | TEXT, max_size=3).map(tuple))
        | st.builds(Items, items=st.lists(inner, max_size=3).map(tuple))
        | st.builds(Entries, entries=st.lists(st.tuples(TEXT, inner), max_size=3).map(tuple))
    ),
    max_leaves=6,
)
CONDITION = st.recursive(
    st.builds(conditions.Test, name=TEXT, word=TEXT, operand=TERM, place=PLACE),
    lambda inner: (
        st.builds(All, items=st.lists(inner, max_size=3).map(tuple))
        | st.builds(AnyOf, items=st.lists(inner, max_size=3).map(tuple))
        | st.builds(Not, item=inner)
    ),
    max_leaves=4,
)
EXAMPLE = st.builds(
    Example,
    name=TEXT,
    facts=st.dictionaries(TEXT, VALUE, max_size=3),
    then=st.none() | st.just("deny") | st.dictionaries(TEXT, VALUE, max_size=2),
    cannot_tell=st.none() | st.lists(TEXT, max_size=2).map(tuple),
    place=PLACE,
)
ALL = st.builds(All, items=st.lists(CONDITION, max_size=2).map(tuple))
RULE = st.builds(
    Rule,
    id=TEXT,
    title=TEXT,
    why=st.none() | TEXT,
    source=st.lists(TEXT, max_size=2).map(tuple),
    for_each=st.none() | TEXT,
    given=ALL,
    condition=ALL,
    statements=st.lists(st.builds(Write, kind=st.just("set"), name=TEXT, value=TERM, place=PLACE), max_size=2).map(
        tuple
    ),
    overrides=st.lists(TEXT, max_size=2).map(tuple),
    examples=st.lists(EXAMPLE, max_size=2).map(tuple),
    place=PLACE,
)


@given(st.lists(RULE, max_size=2).map(tuple) | CONDITION | VALUE)
def test_what_is_written_is_read_again(value: Any) -> None:
    text = to_json(value)
    assert "\n" not in text
    assert text.isascii()
    read = from_json(text)
    assert read == value
    # Equality alone would take a number for a boolean.
    assert repr(read) == repr(value)
    # Examples that nobody has looked at are written as they are.
    assert to_json(from_json(text)) == text
