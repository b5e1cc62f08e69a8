"""Results as data, in the shape of docs/output.md."""

from typing import TYPE_CHECKING

from .jobs import Json, job_rows, start_order
from .reasons import read_decisions

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainpolicy.engine import (
        Because,
        Decision,
        Loser,
        Manifest,
        Near,
        Origin,
        Place,
        Problem,
        Request,
        Rule,
        RuleSet,
    )

    from .result import Result

    Locate = Callable[[str | None, tuple[str | int, ...]], Place | None]

__all__ = ["VERSION", "explanation_data", "place_data", "result_data"]

VERSION = "trainpolicy/v1"
"""The shape of all documents; a field may be added under the same version, never changed or removed."""


def result_data(result: "Result", rule_set: "RuleSet") -> Json:
    """The whole of one evaluation."""
    evaluation = result.evaluation
    data = {**_header("Evaluation", result, rule_set), "outcome": str(result.outcome)}
    base, job_set = (evaluation.base, evaluation.job_set) if evaluation else (None, None)
    decisions = evaluation.decisions if evaluation else ()
    locate = result.request.place
    rules = {rule.id: rule for rule in rule_set.rules}
    data["jobs"] = [
        {**row, "decision": None if row["decision"] is None else decisions.index(row["decision"])}
        for row in job_rows(base, job_set, decisions)
    ]
    data["startOrder"] = start_order(job_set)
    data["decisions"] = [_decision(decision, rules, locate) for decision in decisions]
    derived = evaluation.derived if evaluation else ()
    data["derived"] = [_decision(decision, rules, locate) for decision in derived]
    data["problems"] = [_problem(problem) for problem in result.problems]
    data["jobSet"] = job_set
    data["objects"] = [_without_secrets(manifest) for manifest in evaluation.objects] if evaluation else []
    data["patch"] = None
    if evaluation is not None and job_set is not None:
        data["patch"] = {"json": evaluation.json_patch(), "merge": evaluation.merge_patch()}
    return data


def explanation_data(result: "Result", decisions: "tuple[Decision, ...]", rule_set: "RuleSet") -> Json:
    """Some decisions of one evaluation, and those that they were computed from."""
    rules = {rule.id: rule for rule in rule_set.rules}
    locate = result.request.place
    sources = read_decisions(decisions, result.evaluation) if result.evaluation else []
    return {
        **_header("Explanation", result, rule_set),
        "outcome": str(result.outcome),
        "decisions": [_decision(decision, rules, locate) for decision in decisions],
        "derived": [_decision(decision, rules, locate) for decision in sources],
        "problems": [_problem(problem) for problem in result.problems],
    }


def _header(kind: str, result: "Result", rule_set: "RuleSet") -> Json:
    """What every document about one TrainJob starts with."""
    request = result.request
    return {
        "version": VERSION,
        "kind": kind,
        "trainJob": _manifest(request.train_job),
        "runtime": _runtime(request),
        "profile": rule_set.profile,
        "ruleSet": {"name": rule_set.name, "digest": rule_set.digest},
    }


def _manifest(manifest: "Manifest") -> Json:
    return {"name": manifest.name, "namespace": manifest.namespace, "place": place_data(manifest.place())}


def _runtime(request: "Request") -> Json | None:
    runtime = request.runtime
    return None if runtime is None else {"kind": runtime.kind, **_manifest(runtime), "shipped": runtime.shipped}


def _without_secrets(manifest: Json) -> Json:
    """The manifest as it is; of a Secret everything but what it keeps secret."""
    if manifest.get("kind") != "Secret":
        return manifest
    return {member: value for member, value in manifest.items() if member not in {"data", "stringData"}}


def place_data(place: "Place | None") -> Json | None:
    """``file``, ``line`` and ``column``; a number is null when only the file is known."""
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _problem(problem: "Problem") -> Json:
    return {
        "kind": str(problem.kind),
        "cause": problem.cause,
        "help": problem.help,
        "rule": problem.rule,
        "document": problem.document,
        "field": problem.field,
        "place": place_data(problem.place),
    }


def _decision(decision: "Decision", rules: "dict[str, Rule]", locate: "Locate") -> Json:
    """One decision with its reasons; facts get their place in the user's files."""
    target = decision.target
    rule = rules.get(decision.rule)
    return {
        "target": {
            "name": target.name,
            "entity": [{"kind": kind, "name": name} for kind, name in target.entity],
            "key": target.key,
            "document": target.document,
            "paths": list(target.paths),
        },
        "old": decision.old,
        "new": decision.new,
        "rule": decision.rule,
        "title": rule.title if rule else None,
        "why": rule.why if rule else None,
        "source": list(rule.source) if rule else [],
        "rules": list(decision.rules),
        "place": place_data(decision.place),
        "because": [_because(because, locate) for because in decision.because],
        "reads": [_because(because, locate) for because in decision.reads],
        "shadowed": [_loser(loser) for loser in decision.shadowed],
        "near": [_near(near, locate) for near in decision.near],
    }


def _because(because: "Because", locate: "Locate") -> Json:
    origin = because.origin
    return {
        "fact": because.fact,
        "test": because.test,
        "value": because.value,
        "origin": None if origin is None else _origin(origin, locate),
    }


def _origin(origin: "Origin", locate: "Locate") -> Json:
    place = origin.place or locate(origin.document, origin.path)
    return {
        "kind": origin.kind,
        "document": origin.document,
        "path": list(origin.path),
        "rules": list(origin.rules),
        "place": place_data(place),
    }


def _loser(loser: "Loser") -> Json:
    return {"rule": loser.rule, "value": loser.value, "reason": loser.reason, "place": place_data(loser.place)}


def _near(near: "Near", locate: "Locate") -> Json:
    return {"rule": near.rule, "place": place_data(near.place), "test": _because(near.test, locate)}
