"""``trainpolicy explain``: why fields got their values."""

import sys
from typing import TYPE_CHECKING

import click

from trainpolicy.engine import (
    Derived,
    Inputs,
    Outcome,
    Problem,
    ProblemKind,
    Setting,
    UsageError,
    collect,
    nearest_name,
)

from .data import data_text
from .example import example
from .jobs import containers_of, jobs_of
from .options import colour_option, files_argument, load_policy, matcher_option, output_option, rule_options
from .problems import write_problems
from .result import EXIT_CODES, Result, results
from .terminal import Colour, Paint, write

if TYPE_CHECKING:
    from trainpolicy.engine import Decision, RuleSet

__all__ = ["command"]


@click.command(
    "explain",
    epilog=example(
        "trainpolicy explain trainjob.yaml --job node",
        "trainpolicy explain trainjob.yaml --field job.pods -o json",
    ),
)
@files_argument
@click.option("--job", metavar="NAME", help="Only fields of this job.")
@click.option("--container", metavar="NAME", help="Only fields of this container.")
@click.option("--field", metavar="SETTING", help="Only this setting or derived name.")
@click.option("--trainjob", metavar="NAME", help="Only this TrainJob, by name or namespace/name.")
@output_option("human", "json", "yaml")
@rule_options
@matcher_option
@colour_option
def command(  # noqa: PLR0913  # one for each option
    *,
    files: tuple[str, ...],
    job: str | None,
    container: str | None,
    field: str | None,
    trainjob: str | None,
    form: str,
    rules: str | None,
    profile: str,
    settings: tuple[str, ...],
    matcher: str,
    colour: Colour,
) -> int:
    """Say why fields got their values: the rule, its conditions, where each fact came from, and what was not used."""
    with load_policy(rules, profile, settings, matcher) as policy:
        inputs = collect(files, sys.stdin.buffer)
        write_problems(inputs.notes, colour)
        chosen = list(results(policy, _chosen(inputs, trainjob)))
        _check_field(policy.rule_set, field)
        entity = {kind: name for kind, name in (("job", job), ("container", container)) if name is not None}
        _check_entity(chosen, entity)
        told = [(result, _matching(result, entity, field)) for result in chosen]
        if form == "human" or all(result.outcome is Outcome.INVALID for result in chosen):
            write_problems((problem for result in chosen for problem in result.problems), colour)
        _write(told, policy.rule_set, form, colour)
        return max(EXIT_CODES[result.outcome] for result in chosen)


def _chosen(inputs: Inputs, trainjob: str | None) -> Inputs:
    if trainjob is None:
        return inputs
    requests = tuple(one for one in inputs.requests if trainjob in {one.name, one.train_job.name})
    if not requests:
        known = (request.name for request in inputs.requests)
        raise _unknown(f"no TrainJob `{trainjob}` in the files", nearest_name(trainjob, known))
    return Inputs(requests=requests, notes=inputs.notes)


def _check_field(rule_set: "RuleSet", field: str | None) -> None:
    names = rule_set.vocabulary.names
    decided = [name for name, entry in names.items() if isinstance(entry, Setting | Derived)]
    decided += rule_set.vocabulary.objects
    if field is None or field in decided:
        return
    if field in names:
        raise _unknown(f"`{field}` is given, not decided", "rules decide settings, derived names and objects")
    raise _unknown(f"no setting `{field}`", nearest_name(field, decided))


def _check_entity(chosen: "list[Result]", entity: dict[str, str]) -> None:
    """Raise UsageError for a job or container that no evaluated TrainJob has, before policy or after."""
    evaluations = [result.evaluation for result in chosen if result.evaluation is not None]
    job_sets = [one for evaluation in evaluations for one in (evaluation.job_set, evaluation.base) if one]
    if not job_sets:
        return
    jobs = [job for job_set in job_sets for job in jobs_of(job_set)]
    wanted_job = entity.get("job")
    containers = [one for job in jobs if wanted_job in {None, job.get("name")} for one in containers_of(job)]
    for kind, known in (("job", jobs), ("container", containers)):
        wanted = entity.get(kind)
        names = [str(one.get("name")) for one in known]
        if wanted is not None and wanted not in names:
            raise _unknown(f"no {kind} `{wanted}`", nearest_name(wanted, names))


def _unknown(cause: str, help_text: str | None) -> UsageError:
    return UsageError([Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text)])


def _matching(result: Result, entity: dict[str, str], field: str | None) -> "tuple[Decision, ...]":
    """The decisions asked for; derived names only when one is asked for by its name."""
    evaluation = result.evaluation
    if evaluation is None:
        return ()
    decisions = evaluation.decisions if field is None else (*evaluation.decisions, *evaluation.derived)
    return tuple(
        decision
        for decision in decisions
        if field in {None, decision.target.name} and entity.items() <= dict(decision.target.entity).items()
    )


def _write(told: "list[tuple[Result, tuple[Decision, ...]]]", rule_set: "RuleSet", form: str, colour: Colour) -> None:
    told = [one for one in told if one[0].outcome is not Outcome.INVALID] and told
    if form == "human":
        from .explanation import explanation_text  # each form imports what it needs

        paint = Paint(colour, sys.stdout)
        write("\n".join(explanation_text(result, decisions, rule_set, paint) for result, decisions in told))
    else:
        from .report import explanation_data

        documents = [explanation_data(result, decisions, rule_set) for result, decisions in told]
        write(data_text(documents, form, several=len(documents) > 1))
