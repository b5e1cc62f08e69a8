"""What JobSet asks of a failure policy (B-109, B-110)."""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from ..errors import Problem
from ..values.pattern import Pattern
from .finding import inadmissible

__all__ = ["failure_problems"]

_NAME: Final = Pattern(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?", re.ASCII)
_LONGEST_NAME: Final = 128
_REASONS: Final = (
    "BackoffLimitExceeded",
    "DeadlineExceeded",
    "FailedIndexes",
    "MaxFailedIndexesExceeded",
    "PodFailurePolicy",
)
_OFF_BY_DEFAULT: Final = ("RestartJob", "RestartJobAndIgnoreMaxRestarts")
_STRATEGY_OFF_BY_DEFAULT: Final = "InPlaceRestart"
_GATE: Final = "it needs a feature gate of JobSet that is off by default"
_POLICY: Final = ("spec", "failurePolicy")


def failure_problems(policy: Mapping[str, Any], jobs: AbstractSet[str]) -> Iterator[Problem]:
    """Yield what is wrong with a failure policy whose rules have their default names; ``jobs`` are the jobs' names."""
    strategy = policy.get("restartStrategy")
    if strategy == _STRATEGY_OFF_BY_DEFAULT:
        yield inadmissible(f"restart strategy `{strategy}` is not available", (*_POLICY, "restartStrategy"), _GATE)
    first: dict[str, int] = {}
    for index, rule in enumerate(policy.get("rules") or ()):
        at = (*_POLICY, "rules", index)
        name = rule["name"]
        if first.setdefault(name, index) != index:
            yield inadmissible(f"failure rules {first[name]} and {index} are both named `{name}`", (*at, "name"))
        yield from _rule(name, rule, jobs, at)


def _rule(name: str, rule: Mapping[str, Any], jobs: AbstractSet[str], at: tuple[str | int, ...]) -> Iterator[Problem]:
    if len(name) > _LONGEST_NAME:
        yield inadmissible(f"failure rule name `{name}` has over {_LONGEST_NAME} characters", (*at, "name"))
    if not _NAME.fullmatch(name):
        cause = f"failure rule name `{name}` must start with a letter, hold letters, digits, `_`, `,` and `:`"
        yield inadmissible(f"{cause}, and end with a letter, a digit or `_`", (*at, "name"))
    if rule.get("action") in _OFF_BY_DEFAULT:
        yield inadmissible(f"action `{rule['action']}` is not available", (*at, "action"), _GATE)
    for place, reason in enumerate(rule.get("onJobFailureReasons") or ()):
        if reason not in _REASONS:
            cause = f"failure reason `{reason}` is not one of {', '.join(f'`{known}`' for known in _REASONS)}"
            yield inadmissible(cause, (*at, "onJobFailureReasons", place))
    for place, target in enumerate(rule.get("targetReplicatedJobs") or ()):
        if target not in jobs:
            cause = f"failure rule `{name}` names job `{target}`, which does not exist"
            yield inadmissible(cause, (*at, "targetReplicatedJobs", place))
