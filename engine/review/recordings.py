"""Recordings of a controller: what it made of a runtime and a TrainJob, held against an evaluation."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..decision import Decision
from ..errors import Place, Problem, ProblemKind
from ..evaluation import Evaluation
from ..kubernetes.content import is_list, is_map
from ..language.json_source import read_json
from ..language.ruleset import RuleSet
from ..language.yaml_dialects import DEEPEST
from ..outcome import Outcome
from ..record import Record, replace
from .difference import Difference, differences, normal

__all__ = ["Disagreement", "Recorded", "compare", "read_recorded"]

_REFUSALS = ("invalid", "runtimeDenied", "denied", "error")
_WARNED = ("spec", "runtimeRef")
"""The field that warnings of the controller are about (B-92); what rules advise about others is not recorded."""


class Recorded(Record):
    """One case of a recording: two manifests, and the result of each state of the controller by its name."""

    id: str
    place: Place
    runtime: Mapping[str, Any]
    train_job: Mapping[str, Any]
    results: Mapping[str, Mapping[str, Any]]


class Disagreement(Record):
    """What one part of a result should be and is not.

    ``part`` is ``outcome``, ``invalid``, ``runtimeDenied``, ``denied``, ``warnings``, or the key of an object.
    """

    part: str
    difference: Difference


def read_recorded(line: bytes, place: Place) -> Recorded | Problem:
    """One line of a recording; a problem when it is no case.

    :param line: UTF-8 JSON with ``id``, ``runtime``, ``trainJob`` and ``expect``, where a result that is that of
        another state is written ``{"sameAs": NAME}``
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return _malformed(place, f"the line is not UTF-8: byte {error.start + 1} is not part of a character")
    read = read_json(text)
    if read is None:
        return _malformed(place, *_unread(text))
    raw: object = read.data
    if not is_map(raw):
        return _malformed(place, "the line is no case", "a case is a map with `id`, `runtime`, `trainJob` and `expect`")
    wrong = [name for name in ("runtime", "trainJob", "expect") if not is_map(raw.get(name))]
    if not isinstance(raw.get("id"), str):
        wrong.insert(0, "id")
    if wrong:
        return _malformed(place, "the case lacks " + ", ".join(f"`{name}`" for name in wrong))
    results: dict[str, dict[str, Any]] = {}
    for name, result in raw["expect"].items():
        same = result.get("sameAs") if is_map(result) else None
        found = raw["expect"].get(same) if isinstance(same, str) else result
        if not is_map(found) or "sameAs" in found:
            return _malformed(place, f"`expect.{name}` is no result", "`sameAs` names a state that has one")
        fault = _fault(found)
        if fault is not None:
            return _malformed(place, f"`expect.{name}.{fault}` is of another form than recordings have")
        results[name] = found
    return Recorded(id=raw["id"], place=place, runtime=raw["runtime"], train_job=raw["trainJob"], results=results)


def _unread(text: str) -> tuple[str, str | None]:
    """Why a line could not be read as manifests are."""
    try:
        json.loads(text)
    except ValueError as error:
        return f"the line is no JSON: {str(error).lower()}", None
    except RecursionError:
        return f"values are nested deeper than {DEEPEST} levels", None
    return "the line holds what no manifest can", f"a key twice, half a character, or more than {DEEPEST} levels"


def _malformed(place: Place, cause: str, help_text: str | None = None) -> Problem:
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=place)


def _fault(result: Mapping[str, Any]) -> str | None:
    """The key of a result that has another form than recordings give it."""
    for name, value in result.items():
        match name:
            case "invalid" | "runtimeDenied" | "denied":
                good = is_list(value) and all(isinstance(path, str) for path in value)
            case "error" | "jobSetRejected":
                good = isinstance(value, bool)
            case "warnings":
                good = isinstance(value, int) and not isinstance(value, bool)
            case _:
                good = is_map(value) and all(isinstance(value.get(key), str) for key in ("apiVersion", "kind"))
        if not good:
            return name
    return None


def compare(result: Mapping[str, Any], evaluation: Evaluation, rule_set: RuleSet) -> tuple[Disagreement, ...]:
    """All that is not as it was recorded: the class of the outcome, field paths of refusals, warnings, objects.

    Objects are compared in the normal form of B-5. Of generated data only the keys are compared.
    """
    wanted = _recorded_class(result)
    found = _CLASSES[evaluation.outcome]
    if wanted != found:
        rules = tuple(dict.fromkeys(one.rule for one in evaluation.problems if one.rule is not None))
        said = "; ".join([found, *(str(one) for one in evaluation.problems if one.kind in _GRAVE)])
        return (Disagreement(part="outcome", difference=Difference(path="", wanted=wanted, found=said, rules=rules)),)
    parts = [*_paths(result, evaluation), *_warnings(result, evaluation)]
    if wanted != "refused":
        parts += _objects(result, evaluation, rule_set)
    return tuple(parts)


_CLASSES = {
    Outcome.DECIDED: "a result",
    Outcome.INADMISSIBLE: "rejected",
    Outcome.DENIED: "refused",
    Outcome.INVALID: "refused",
    Outcome.UNDECIDED: "undecided",
}
_GRAVE = frozenset({ProblemKind.DENIED, ProblemKind.INVALID, ProblemKind.INADMISSIBLE, ProblemKind.UNDECIDED})


def _recorded_class(result: Mapping[str, Any]) -> str:
    if any(result.get(name) for name in _REFUSALS):
        return "refused"
    return "rejected" if result.get("jobSetRejected") else "a result"


def _paths(result: Mapping[str, Any], evaluation: Evaluation) -> Iterator[Disagreement]:
    """Paths of refusing findings by gate. After an error of the controller there are none to compare with."""
    if result.get("error"):
        return
    gates: dict[str, dict[str, list[str]]] = {"invalid": {}, "runtimeDenied": {}, "denied": {}}
    for problem in evaluation.problems:
        field, rules = problem.field or "", [problem.rule] if problem.rule else []
        if problem.kind is ProblemKind.INVALID:
            gates["invalid"].setdefault(f"{problem.document}:{field}", []).extend(rules)
        elif problem.kind is ProblemKind.DENIED:
            gates["runtimeDenied" if problem.document == "runtime" else "denied"].setdefault(field, []).extend(rules)
    for gate, found in gates.items():
        wanted: list[str] = result.get(gate, [])
        for path in sorted({*wanted, *found}):
            if (path in wanted) is not (path in found):
                sides = ("refused", None) if path in wanted else (None, "refused")
                writers = tuple(dict.fromkeys(found.get(path, ())))
                difference = Difference(path=path, wanted=sides[0], found=sides[1], rules=writers)
                yield Disagreement(part=gate, difference=difference)


def _warnings(result: Mapping[str, Any], evaluation: Evaluation) -> Iterator[Disagreement]:
    if "invalid" in result:
        return
    said = [one for one in evaluation.problems if one.kind is ProblemKind.WARNING and one.path == _WARNED]
    wanted = result.get("warnings", 0)
    if len(said) != wanted:
        rules = tuple(dict.fromkeys(one.rule for one in said if one.rule is not None))
        difference = Difference(path="spec.runtimeRef", wanted=wanted, found=len(said), rules=rules)
        yield Disagreement(part="warnings", difference=difference)


def _objects(result: Mapping[str, Any], evaluation: Evaluation, rule_set: RuleSet) -> Iterator[Disagreement]:
    """Manifests are told apart by kind and name, as their order means nothing (B-73)."""
    left = {_identity(value): (name, value) for name, value in result.items() if is_map(value)}
    right = {_identity(one): one for one in (evaluation.job_set, *evaluation.objects) if one is not None}
    for identity in dict.fromkeys((*left, *right)):
        part, wanted = left.get(identity, (identity[1], None))
        found = right.get(identity)
        owner = _writer_of(found, rule_set)
        for one in differences(_comparable(wanted, ()), _comparable(found, owner[1])):
            rules = _writers(one.path, owner[0], evaluation.decisions)
            yield Disagreement(part=part, difference=replace(one, rules=rules))


def _identity(manifest: Mapping[str, Any]) -> tuple[str, str, str]:
    metadata = manifest.get("metadata")
    name = metadata.get("name") if is_map(metadata) else None
    return manifest["apiVersion"], manifest["kind"], str(name)


def _writer_of(manifest: Mapping[str, Any] | None, rule_set: RuleSet) -> tuple[str, tuple[str, ...]]:
    """The document that decisions name for a manifest, and the keys of its data that are generated."""
    if manifest is not None:
        for name, kind in rule_set.vocabulary.objects.items():
            if (kind.api_version, kind.kind) == (manifest["apiVersion"], manifest["kind"]):
                return name, tuple(key for key, _ in kind.generate)
    return "jobSet", ()


def _comparable(manifest: Mapping[str, Any] | None, generated: Iterable[str]) -> Any:
    """The normal form, without the empty namespace and uid of a TrainJob that has none.

    ``dataKeys`` stand in a recording for data that is generated anew each time.
    """
    if manifest is None:
        return None
    content = normal(manifest)
    metadata = content.get("metadata", {})
    if metadata.get("namespace") == "":
        del metadata["namespace"]
    for owner in metadata.get("ownerReferences", ()):
        if owner.get("uid") == "":
            del owner["uid"]
    keys = sorted({*content.pop("dataKeys", ()), *generated})
    return {**content, "dataKeys": keys} if keys else content


def _writers(path: str, document: str, decisions: Iterable[Decision]) -> tuple[str, ...]:
    """Rules of all decisions that wrote the field, something in it, or what it is in."""
    found: dict[str, None] = {}
    for decision in decisions:
        # What rules say about an object beside the JobSet is one decision about all of it.
        whole = document != "jobSet"
        if decision.target.document == document and (
            whole or any(_within(path, at) or _within(at, path) for at in decision.target.paths)
        ):
            found.update(dict.fromkeys(decision.rules))
    return tuple(found)


def _within(inner: str, outer: str) -> bool:
    return inner == outer or (inner.startswith(outer) and inner[len(outer)] in ".[")
