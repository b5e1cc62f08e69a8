"""Parameters of the rules as people read them, and as data."""

from typing import TYPE_CHECKING

from trainpolicy.engine import Parameter

from .report import place_data
from .wording import place_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainpolicy.engine import RuleSet

    from .jobs import Json
    from .terminal import Paint

__all__ = ["changed_text", "parameter_data", "parameter_lines", "parameters_of"]


def parameters_of(rule_set: "RuleSet") -> list[Parameter]:
    """All of them, by name."""
    found = [entry for entry in rule_set.vocabulary.names.values() if isinstance(entry, Parameter)]
    return sorted(found, key=lambda parameter: parameter.name)


def changed_text(rule_set: "RuleSet") -> str:
    """Those that a profile or the caller gave another value, ``, minWorkers 0``; empty when there is none."""
    changed = [one for one in parameters_of(rule_set) if one.value != one.default]
    return "".join(f", {one.name} {value_text(one.value)}" for one in changed)


def parameter_lines(parameter: Parameter, paint: "Paint") -> "Iterator[str]":
    """The value in force, what it means, and which values it may have."""
    yield f"{paint.strong(parameter.name)} = {value_text(parameter.value)}  {paint.faint(place_text(parameter.place))}"
    yield f"  {parameter.meaning}"
    unit = f", {parameter.unit}" if parameter.unit else ""
    default = f"; default {value_text(parameter.default)}" if parameter.value != parameter.default else ""
    yield f"  {parameter.type}{_bounds(parameter)}{unit}{default}"


def _bounds(parameter: Parameter) -> str:
    match parameter.minimum, parameter.maximum:
        case None, None:
            return ""
        case least, None:
            return f", at least {least}"
        case None, most:
            return f", at most {most}"
        case least, most:
            return f" from {least} to {most}"


def parameter_data(parameter: Parameter) -> "Json":
    """All of the parameter."""
    return {
        "name": parameter.name,
        "value": parameter.value,
        "default": parameter.default,
        "type": parameter.type,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "unit": parameter.unit,
        "meaning": parameter.meaning,
        "place": place_data(parameter.place),
    }
