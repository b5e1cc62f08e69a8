"""Rules and profiles as people read them, and as data."""

from typing import TYPE_CHECKING, assert_never

from trainpolicy.engine import Advice, Create, Order, Repeat, Write

from .report import place_data
from .wording import condition_lines, place_text, term_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainpolicy.engine import Condition, Example, ProfileInfo, Rule, Statement, Term

    from .jobs import Json
    from .terminal import Paint

__all__ = ["profile_data", "profile_lines", "rule_data", "rule_lines"]


def rule_lines(rule: "Rule", *, enabled: bool, paint: "Paint") -> "Iterator[str]":
    """The whole rule."""
    yield paint.strong(rule.title)
    yield f"rule      {rule.id}" + ("" if enabled else paint.doubtful(" (off in this profile)"))
    yield f"place     {place_text(rule.place)}"
    if rule.why:
        yield f"why       {rule.why}"
    if rule.source:
        yield f"source    {', '.join(rule.source)}"
    if rule.for_each:
        yield f"for each  {rule.for_each}"
    yield from _listed("when", [*_conditions(rule.given.items), *_conditions(rule.condition.items)] or ["always"])
    yield from _listed("then", [line for statement in rule.statements for line in _statement(statement)])
    if rule.overrides:
        yield f"overrides {', '.join(rule.overrides)}"
    yield from _listed("examples", [line for example in rule.examples for line in _example(example)])


def _listed(label: str, lines: list[str]) -> "Iterator[str]":
    if lines:
        yield label
    yield from (f"  {line}" for line in lines)


def _conditions(conditions: "tuple[Condition, ...]") -> list[str]:
    return [line for condition in conditions for line in condition_lines(condition)]


def _statement(statement: "Statement") -> "Iterator[str]":
    match statement:
        case Write():
            yield f"{statement.kind} {statement.name}: {_written(statement.value)}"
        case Order():
            yield f"order {statement.name}: first {statement.first}, then {statement.then}"
        case Create():
            yield f"create {statement.object}: {term_text(statement.manifest)}"
        case Advice():
            yield f"{statement.kind} {statement.about}: {term_text(statement.message)}"
            if statement.help is not None:
                yield f"  help: {term_text(statement.help)}"
        case _:
            assert_never(statement)


def _written(value: "Term | Repeat") -> str:
    if not isinstance(value, Repeat):
        return term_text(value)
    loops = ", ".join(f"{name} below {term_text(count)}" for name, count in value.loops)
    return f"{term_text(value.text)} for each {loops}"


def _example(example: "Example") -> "Iterator[str]":
    yield example.name
    yield "  facts " + ", ".join(f"{name}: {value_text(value)}" for name, value in example.facts.items())
    if example.cannot_tell is not None:
        yield "  then  cannot tell, for lack of " + ", ".join(example.cannot_tell)
    elif isinstance(example.then, dict):
        yield "  then  " + ", ".join(f"{name}: {value_text(value)}" for name, value in example.then.items())
    else:
        yield f"  then  {example.then}"


def rule_data(rule: "Rule", *, enabled: bool) -> "Json":
    """The rule with its conditions and statements in words."""
    return {
        "id": rule.id,
        "title": rule.title,
        "enabled": enabled,
        "place": place_data(rule.place),
        "why": rule.why,
        "source": list(rule.source),
        "forEach": rule.for_each,
        "when": [*_conditions(rule.given.items), *_conditions(rule.condition.items)],
        "then": [line for statement in rule.statements for line in _statement(statement)],
        "overrides": list(rule.overrides),
        "examples": [_example_data(example) for example in rule.examples],
    }


def _example_data(example: "Example") -> "Json":
    cannot_tell = None if example.cannot_tell is None else list(example.cannot_tell)
    return {"name": example.name, "facts": example.facts, "then": example.then, "cannotTell": cannot_tell}


def profile_lines(profile: "ProfileInfo", paint: "Paint") -> "Iterator[str]":
    """The profile and what it changes."""
    extends = f" extends {profile.extends}" if profile.extends else ""
    yield f"{paint.strong(profile.name)}{extends}  {paint.faint(place_text(profile.place))}"
    yield f"  {profile.meaning}"
    if profile.parameters:
        yield "  sets " + ", ".join(f"{name} {value_text(value)}" for name, value in profile.parameters.items())
    for label, names in (("disables", profile.disable), ("enables", profile.enable), ("adds", profile.files)):
        if names:
            yield f"  {label} {', '.join(names)}"
    for waiver in profile.waivers:
        until = f" until {waiver.until}" if waiver.until else ""
        yield f"  waives {waiver.rule}{f' about {waiver.about}' if waiver.about else ''}{until}: {waiver.reason}"


def profile_data(profile: "ProfileInfo") -> "Json":
    """The profile as its file says; what it extends is not spelled out."""
    return {
        "name": profile.name,
        "meaning": profile.meaning,
        "extends": profile.extends,
        "parameters": dict(profile.parameters),
        "disable": list(profile.disable),
        "enable": list(profile.enable),
        "files": list(profile.files),
        "waivers": [
            {
                "rule": one.rule,
                "about": one.about,
                "reason": one.reason,
                "until": one.until,
                "place": place_data(one.place),
            }
            for one in profile.waivers
        ],
        "place": place_data(profile.place),
    }
