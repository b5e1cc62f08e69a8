"""Rules against a vocabulary: every case of check_cases.yaml, and what holds for all of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainpolicy.engine.errors import Place, Problem
from trainpolicy.engine.language.check import check_rules
from trainpolicy.engine.language.document import Cursor
from trainpolicy.engine.language.expression import ObjectName, Reference, Template, Term, TypeName, Value
from trainpolicy.engine.language.functions import FUNCTIONS
from trainpolicy.engine.language.rule_reader import parse_rule_file
from trainpolicy.engine.language.statement_reader import STATEMENTS
from trainpolicy.engine.language.vocabulary import (
    Derived,
    Each,
    Entity,
    Fact,
    Location,
    Member,
    ObjectKind,
    Parameter,
    Setting,
    Vocabulary,
)
from trainpolicy.engine.language.words import WORDS
from trainpolicy.engine.language.yaml_source import read_rules

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "check_cases.yaml").read_text(encoding="utf-8"))
HERE = Place(file="vocabulary.yaml", line=1, column=1)


def location(document: str, name: str, *, each: bool = False) -> Location:
    steps = (Member(name=name), Each()) if each else (Member(name=name),)
    return Location(document=document, steps=steps, text=f"{document}/{name}")


def fact(
    name: str,
    type_: TypeName,
    of: str | None = None,
    *,
    entity: str | None = None,
    required: bool = False,
    default: Value | None = None,
    bounds: tuple[int | None, int | None] = (None, None),
    each: bool = False,
) -> Fact:
    return Fact(
        name=name,
        at=location(entity or "trainJob", name, each=each),
        type=type_,
        of=of,
        required=required,
        default=default,
        minimum=bounds[0],
        maximum=bounds[1],
        keep=None,
        unit=None,
        meaning="",
        entity=entity,
        place=HERE,
    )


def derived(
    name: str, type_: TypeName, of: str | None = None, *, entity: str | None = None, default: Value | None = None
) -> Derived:
    return Derived(
        name=name,
        type=type_,
        of=of,
        default=default,
        minimum=None,
        maximum=None,
        unit=None,
        meaning="",
        entity=entity,
        place=HERE,
    )


def setting(
    name: str,
    type_: TypeName,
    write: Literal["set", "merge", "upsert", "append", "order"],
    of: str | None = None,
    *,
    entity: str | None = None,
    bounds: tuple[int | None, int | None] = (None, None),
) -> Setting:
    return Setting(
        name=name,
        to=(location(entity or "jobSet", name),),
        type=type_,
        of=of,
        key="name" if write in ("upsert", "order") else None,
        write=write,
        minimum=bounds[0],
        maximum=bounds[1],
        unit=None,
        meaning="",
        entity=entity,
        place=HERE,
    )


def entity(name: str, of: str | None = None, order: str | None = None) -> Entity:
    return Entity(
        name=name,
        each=location(of or "jobSet", name),
        of=of,
        key="name",
        order=order,
        waits=None,
        meaning="",
        place=HERE,
    )


def manifest(name: str, metadata_name: Term) -> ObjectKind:
    return ObjectKind(
        name=name,
        api_version="v1",
        kind="ConfigMap",
        metadata_name=metadata_name,
        owner=None,
        generate=(),
        meaning="",
        place=HERE,
    )


LEAST = Parameter(
    name="least", type="integer", value=1, default=1, minimum=0, maximum=None, unit=None, meaning="", place=HERE
)


def vocabulary(*objects: ObjectKind) -> Vocabulary:
    names = [
        fact("trainJob.name", "text", required=True),
        fact("size", "integer", bounds=(0, 100)),
        fact("shape", "text", default=""),
        fact("ready", "boolean", default=False),
        fact("labels", "map", "text"),
        fact("names", "list", "text", each=True),
        fact("extras", "list", "text"),
        fact("limits", "map", "quantity", default={}),
        fact("job.name", "text", entity="job", required=True),
        fact("template.name", "text", entity="template", required=True),
        fact("container.name", "text", entity="container", required=True),
        derived("total", "integer"),
        derived("lines", "list", "text"),
        derived("found", "list", "map"),
        derived("tags", "map", default={}),
        derived("job.flag", "boolean", entity="job", default=False),
        setting("jobs", "list", "order"),
        setting("job.pods", "integer", "set", entity="job", bounds=(0, 2**31 - 1)),
        setting("job.volumes", "list", "upsert", entity="job"),
        setting("job.labels", "map", "merge", "text", entity="job"),
        setting("job.limits", "map", "merge", "quantity", entity="job"),
        setting("job.command", "list", "set", "text", entity="job"),
        setting("container.sources", "list", "append", entity="container"),
        LEAST,
    ]
    notes = manifest("notes", Template(parts=(Reference(name="trainJob.name"), "-notes")))
    return Vocabulary(
        names={name.name: name for name in names},
        entities={
            one.name: one for one in (entity("template"), entity("job", order="jobs"), entity("container", "job"))
        },
        objects={one.name: one for one in (notes, *objects)},
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_check(read: Callable[[str], Cursor], case: dict[str, Any]) -> None:
    problems: list[Problem] = []
    rules = parse_rule_file(read(case["rules"]), problems)
    assert problems == []
    assert [str(problem) for problem in check_rules(rules, vocabulary())] == case["problems"]


def test_every_problem_of_a_rule_names_it(read: Callable[[str], Cursor]) -> None:
    text = "rules:\n  - {id: r, when: [{fact: sise, equals: 1}], then: {set: {job.pods: 1}}, overrides: [r]}\n"
    assert [problem.rule for problem in check_rules(parse_rule_file(read(text), []), vocabulary())] == ["r", "r", "r"]


def test_what_was_not_read_is_not_told_again(read: Callable[[str], Cursor]) -> None:
    problems: list[Problem] = []
    text = "rules:\n  - {id: r, when: [{fact: size, at_least: null}], then: {define: {total: '${mx(1)}'}}}\n"
    found = check_rules(parse_rule_file(read(text), problems), vocabulary())
    assert len(problems) == 2
    assert [problem.cause for problem in found] == ["the fact `size` may be missing"]


@pytest.mark.parametrize("unread", ["{fact: size}", "{any: [{fact: size}]}", "{not: [{fact: size, present: false}]}"])
def test_a_condition_that_was_not_read_may_be_the_guard(read: Callable[[str], Cursor], unread: str) -> None:
    problems: list[Problem] = []
    when = f"[{unread}, {{fact: size, at_least: 2}}]"
    text = f"rules:\n  - {{id: r, when: {when}, then: {{define: {{total: '${{size}}'}}}}}}\n"
    rules = parse_rule_file(read(text), problems)
    assert len(problems) == 1
    assert check_rules(rules, vocabulary()) == []


@pytest.mark.parametrize(
    ("metadata_name", "problems"),
    [
        (Reference(name="trainJob.nam"), ["unknown name `trainJob.nam`"]),
        (Reference(name="shape"), []),
        (Reference(name="least"), ["the name of the object `other` is text, not an integer (`least`)"]),
        (
            Template(parts=(Reference(name="size"), "-x")),
            ["the name of the object `other` reads `size`, which may be missing"],
        ),
        (Reference(name="job.name"), ["`job.name` belongs to each `job`; the name of an object cannot read it"]),
        (ObjectName(object="other"), ["the name of the object `other` is made of the name of an object"]),
        (
            Template(parts=(ObjectName(object="notes"), "-x")),
            ["the name of the object `other` is made of the name of an object"],
        ),
    ],
)
def test_names_of_objects_are_known_for_every_trainjob(metadata_name: Term, problems: list[str]) -> None:
    found = check_rules((), vocabulary(manifest("other", metadata_name)))
    assert [problem.cause for problem in found] == problems


_NAMES = st.sampled_from([*vocabulary().names, "notes", "sise", "", "a"])
_SCALARS = st.one_of(
    st.sampled_from(
        [None, True, False, 0, 1, -1, 101, 2**63, "a", "true", "${", "${a", "$${a}", "${mx(1)}", "x ${1 + }"]
    ),
    _NAMES,
    st.builds("${{{}}}".format, _NAMES),
    st.builds("{} ${{{} + {}}}".format, _NAMES, _NAMES, _NAMES),
    st.builds("${{{}({}, {})}}".format, st.sampled_from(sorted(FUNCTIONS)), _NAMES, _NAMES),
    st.builds("${{{}({})}}".format, st.sampled_from([*sorted(FUNCTIONS), "name"]), _NAMES),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES | st.just("name"), inner, max_size=3),
    max_leaves=4,
)
_WRITES = st.dictionaries(_NAMES, _VALUES, max_size=2)


def a_test(name: str, word: str, right: object) -> dict[str, Any]:
    return {"fact": name, word: right}


def joined(word: str, items: list[Any]) -> dict[str, Any]:
    return {word: items}


def negated(item: object) -> dict[str, Any]:
    return {"not": item}


def wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    joins = st.builds(joined, st.sampled_from(["all", "any"]), st.lists(inner, max_size=3))
    return joins | st.builds(negated, inner)


_TESTS: st.SearchStrategy[Any] = st.builds(a_test, _NAMES, st.sampled_from(list(WORDS)), _VALUES)
_CONDITIONS: st.SearchStrategy[Any] = st.recursive(_TESTS | _VALUES, wider, max_leaves=4)
_RULES = st.fixed_dictionaries(
    {"id": _SCALARS, "then": st.dictionaries(st.sampled_from([*STATEMENTS, "a"]), _WRITES | _VALUES, max_size=3)},
    optional={
        "for_each": st.sampled_from(["job", "container", "template", "jop"]),
        "when": st.lists(_CONDITIONS, max_size=3) | _CONDITIONS,
        "overrides": st.lists(_SCALARS, max_size=2) | _SCALARS,
        "examples": st.lists(
            st.fixed_dictionaries({"name": _SCALARS, "facts": _WRITES, "then": _WRITES | _VALUES}), max_size=2
        ),
    },
)


@given(st.lists(_RULES, max_size=3), st.lists(_CONDITIONS, max_size=2))
def test_whatever_a_file_holds_gives_problems_with_places(rules: list[Any], given_: list[Any]) -> None:
    document, _ = read_rules(json.dumps({"given": given_, "rules": rules}), "r.yaml")
    if document is None:
        return
    problems: list[Problem] = []
    checked = check_rules(parse_rule_file(document.cursor, problems), vocabulary())
    for problem in [*problems, *checked]:
        assert problem.place is not None
        assert problem.place.file == "r.yaml"
        assert problem.cause
        assert not problem.cause.endswith(".")
    places = [(problem.place.line, problem.place.column) for problem in checked if problem.place is not None]
    assert places == sorted(places, key=lambda place: (place[0] or 0, place[1] or 0))
