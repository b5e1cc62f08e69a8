"""Paths of the vocabulary."""

import pytest

from trainpolicy.engine.language.location import LocationFault, parse_location, parse_steps
from trainpolicy.engine.language.vocabulary import Each, Location, Member, Select, Step


def member(name: str) -> Member:
    return Member(name=name)


@pytest.mark.parametrize(
    ("text", "document", "steps"),
    [
        ("job/name", "job", (member("name"),)),
        ("trainJob/spec.trainer.numNodes", "trainJob", (member("spec"), member("trainer"), member("numNodes"))),
        ("jobSet/jobs[].name", "jobSet", (member("jobs"), Each(), member("name"))),
        (
            "jobSet/jobs[name=node].on[].name",
            "jobSet",
            (member("jobs"), Select(key="name", value="node"), member("on"), Each(), member("name")),
        ),
        ('runtime/metadata.labels["a.b/c"]', "runtime", (member("metadata"), member("labels"), member("a.b/c"))),
        ('runtime/labels["a/b"].x[][]', "runtime", (member("labels"), member("a/b"), member("x"), Each(), Each())),
        ("runtime/rest-of_it", "runtime", (member("rest-of_it"),)),
        (
            "runtime/mounts[mountPath=/data/a.b].name",
            "runtime",
            (member("mounts"), Select(key="mountPath", value="/data/a.b"), member("name")),
        ),
        ("args/[]", "args", (Each(),)),
    ],
)
def test_a_path_is_a_document_and_steps(text: str, document: str, steps: tuple[Step, ...]) -> None:
    assert parse_location(text) == Location(document=document, steps=steps, text=text)


def test_a_path_below_a_parent_needs_no_document() -> None:
    steps = (member("labels"), member("a/b"))
    assert parse_location('labels["a/b"]', "job") == Location(document="job", steps=steps, text='job/labels["a/b"]')
    assert parse_location("job/x", "job") == Location(document="job", steps=(member("x"),), text="job/x")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("name", "`name` names no document"),
        ('labels["a/b"]', '`labels["a/b"]` names no document'),
        ("job/", "`job/` names no field"),
        ("job/.a", "`.a` is no path"),
        ("job/a.", "`a.` is no path from `.` on"),
        ("job/a..b", "`a..b` is no path from `..b` on"),
        ("job/a/b", "`a/b` is no path from `/b` on"),
        ("job/a b", "`a b` is no path from ` b` on"),
        ("job/a[]b", "`a[]b` is no path from `b` on"),
        ("job/a[", "`a[` is no path from `[` on"),
        ("job/a[0]", "`a[0]` is no path from `[0]` on"),
        ('job/a[""]', '`a[""]` is no path from `[""]` on'),
        ("job/a[b=]", "`a[b=]` is no path from `[b=]` on"),
    ],
)
def test_what_is_no_path_is_told_from_where_on(text: str, cause: str) -> None:
    with pytest.raises(LocationFault) as caught:
        parse_location(text)
    assert caught.value.cause == cause


def test_a_path_has_64_steps_at_most() -> None:
    assert len(parse_steps(".".join("a" * 64))) == 64
    with pytest.raises(LocationFault) as caught:
        parse_steps(".".join("a" * 65))
    assert caught.value.cause == "a path has 65 steps; 64 are possible"
