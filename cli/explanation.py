"""Why fields got their values, as people read it."""

from typing import TYPE_CHECKING

from trainpolicy.engine import field_text

from .human import heading_lines
from .reasons import behind
from .table import columns
from .wording import place_text, short, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainpolicy.engine import Because, Decision, Evaluation, Loser, Near, Origin, Rule, RuleSet

    from .result import Result
    from .terminal import Paint

__all__ = ["explanation_text"]

_STEP = "  "


def explanation_text(result: "Result", decisions: "tuple[Decision, ...]", rule_set: "RuleSet", paint: "Paint") -> str:
    """The heading and each decision with its reasons, ending with a line break."""
    lines = list(heading_lines(result, rule_set, paint))
    if result.evaluation is not None:
        teller = _Teller(result, result.evaluation, rule_set, paint)
        for decision in decisions:
            lines += ["", *teller.decision(decision)]
        if not decisions and result.evaluation.job_set is not None:
            lines += ["", "no rule decides this: the value is the template's"]
    return "\n".join(lines) + "\n"


class _Teller:
    def __init__(self, result: "Result", evaluation: "Evaluation", rule_set: "RuleSet", paint: "Paint") -> None:
        self._request = result.request
        self._evaluation = evaluation
        self._rules: dict[str, Rule] = {rule.id: rule for rule in rule_set.rules}
        self._paint = paint

    def decision(self, decision: "Decision") -> "Iterator[str]":
        target = decision.target
        whose = "".join(f" of {kind} {name}" for kind, name in reversed(target.entity))
        key = "" if target.key is None else f"[{target.key}]"
        value = value_text(decision.new) if decision.new is not None else "removed"
        yield f"{self._paint.strong(target.name + key)}{whose} = {self._paint.good(value)}"
        for path in target.paths:
            yield f"{_STEP}{path}"
        if target.document is not None:
            yield f"{_STEP}{value_text(decision.old)} before policy"
        yield from self._told(decision, _STEP, frozenset())

    def _told(self, decision: "Decision", indent: str, above: frozenset[int]) -> "Iterator[str]":
        """The rule and everything about it; ``above`` are the decisions being told, so that none is told in itself."""
        rule = self._rules.get(decision.rule)
        yield f"{indent}rule    {rule.title if rule else decision.rule}"
        where = f"{place_text(decision.place)} {', '.join(decision.rules)}"
        yield f"{indent}        {self._paint.faint(where)}"
        if rule and rule.why:
            yield f"{indent}why     {rule.why}"
        if rule and rule.source:
            yield f"{indent}source  {', '.join(rule.source)}"
        for label, facts in (("because", decision.because), ("from", decision.reads)):
            if facts:
                yield f"{indent}{label}"
            for line in columns([self._fact(fact) for fact in facts]):
                yield f"{indent}{_STEP}{line}"
        if decision.shadowed:
            yield f"{indent}not used"
            for line in columns([self._loser(loser) for loser in decision.shadowed]):
                yield indent + _STEP + line
        if decision.near:
            yield f"{indent}one test away"
            for line in columns([self._near(near) for near in decision.near]):
                yield indent + _STEP + line
        yield from self._sources(decision, indent, above | {id(decision)})

    def _sources(self, decision: "Decision", indent: str, above: frozenset[int]) -> "Iterator[str]":
        told = set(above)
        for because in (*decision.because, *decision.reads):
            for one in behind(decision, because, self._evaluation):
                if id(one) not in told:
                    told.add(id(one))
                    yield f"{indent}{self._paint.strong(one.target.name)} = {value_text(one.new)}"
                    yield from self._told(one, indent + _STEP, frozenset(told))

    def _fact(self, fact: "Because") -> list[str]:
        """Name, test if there is one, value, origin; a test for presence says all there is to say about a map."""
        shown = "" if fact.test.startswith("present") and isinstance(fact.value, list | dict) else short(fact.value)
        origin = "" if fact.origin is None else self._paint.faint(self._origin(fact.origin))
        return [fact.fact, *([fact.test] if fact.test else []), shown, origin]

    def _origin(self, origin: "Origin") -> str:
        place = origin.place or self._request.place(origin.document, origin.path)
        where = "" if place is None else f", {place_text(place)}"
        match origin.kind:
            case "document":
                return f"({origin.document} {field_text(origin.path)}{where})"
            case "rule":
                return f"(rule {', '.join(origin.rules)}{where})"
            case "default":
                return f"(default{where})"
            case "parameter":
                return f"(parameter{where})"
            case "base":
                return f"(template{where})"

    def _loser(self, loser: "Loser") -> tuple[str, str, str]:
        where = "" if loser.place is None else f" ({place_text(loser.place)})"
        return short(loser.value), f"{loser.rule}{where}" if loser.rule else "", loser.reason

    def _near(self, near: "Near") -> tuple[str, str, str]:
        name, test, value, origin = self._fact(near.test)
        rule = f"{near.rule} ({place_text(near.place)})"
        return rule, f"needs {name} {test}", f"is {value}  {origin}" if value else origin
