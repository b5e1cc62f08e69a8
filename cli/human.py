"""One evaluation as people read it."""

from typing import TYPE_CHECKING

from .jobs import Json, job_rows, start_decisions, start_order
from .parameter_text import changed_text
from .table import columns
from .terminal import one_line
from .wording import place_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainpolicy.engine import Decision, Outcome, RuleSet

    from .result import Result
    from .terminal import Paint

__all__ = ["evaluation_text", "heading_lines"]


def heading_lines(result: "Result", rule_set: "RuleSet", paint: "Paint") -> "Iterator[str]":
    """TrainJob, runtime, profile with the parameters that were changed, and outcome."""
    runtime = result.request.runtime
    rows = [("TrainJob", result.request.name, place_text(result.request.train_job.place()))]
    if runtime is not None:
        name = "/".join(part for part in (runtime.namespace, runtime.name or "?") if part)
        rows.append(("Runtime", name, "shipped" if runtime.shipped else place_text(runtime.place())))
    rows.append(("Profile", rule_set.profile, f"rules {rule_set.name}{changed_text(rule_set)}"))
    for label, name, about in rows:
        yield f"{label:<10}{paint.strong(one_line(name))}  {paint.faint(one_line(f'({about})'))}"
    yield f"{'Outcome':<10}{_outcome(result.outcome, paint)}"


def _outcome(outcome: "Outcome", paint: "Paint") -> str:
    return paint.good(outcome) if outcome == "decided" else paint.bad(outcome)


def evaluation_text(result: "Result", rule_set: "RuleSet", paint: "Paint") -> str:
    """The whole text, ending with a line break."""
    lines = list(heading_lines(result, rule_set, paint))
    evaluation = result.evaluation
    if evaluation is not None and evaluation.job_set is not None:
        titles = {rule.id: rule.title for rule in rule_set.rules}
        decisions = evaluation.decisions
        lines += ["", *_jobs(list(job_rows(evaluation.base, evaluation.job_set, decisions)), titles, paint)]
        lines += ["", *_start(start_order(evaluation.job_set), start_decisions(decisions), titles, paint)]
        created = [f"{one['kind']} {one['metadata']['name']}" for one in evaluation.objects]
        if created:
            lines += ["", f"{paint.strong('Also')}  {', '.join(created)}"]
    return "\n".join(lines) + "\n"


def _jobs(rows: list[Json], titles: dict[str, str], paint: "Paint") -> "Iterator[str]":
    copied = any(row["copies"]["after"] != 1 or row["copies"]["before"] not in {1, None} for row in rows)
    table: list[tuple[str, ...]] = [("Job", "Pods", *(["Copies"] if copied else []), "Because")]
    for row in rows:
        reasons = _reason(row["decision"], titles, paint)
        cells = [str(row["name"]), _change(row["pods"]), *([_change(row["copies"])] if copied else [])]
        table.append((*cells, reasons[0]))
        table += [(*("" for _ in cells), reason) for reason in reasons[1:]]
    head, *rest = columns(table)
    yield paint.strong(head)
    yield from rest


def _change(values: Json) -> str:
    before, after = ("-" if values[when] is None else str(values[when]) for when in ("before", "after"))
    return f"{before} → {after}"


def _reason(decision: "Decision | None", titles: dict[str, str], paint: "Paint") -> list[str]:
    if decision is None:
        return ["as the template says"]
    lines = [titles.get(decision.rule, decision.rule)]
    if decision.reads:
        lines.append("with " + ", ".join(f"{read.fact} {value_text(read.value)}" for read in decision.reads))
    return [*lines, paint.faint(f"{place_text(decision.place)} {', '.join(decision.rules)}")]


def _start(
    rows: list[Json], decisions: "Iterable[Decision]", titles: dict[str, str], paint: "Paint"
) -> "Iterator[str]":
    yield paint.strong("Start order")
    table: list[tuple[str, str, str]] = []
    for row in rows:
        step = "-" if row["step"] is None else f"{row['step']}."
        waits = " and ".join(f"{entry['job']} is {entry['status']}" for entry in row["after"])
        when = f"when {waits}" if waits else "at once"
        table.append((f"  {step}", str(row["job"]), f"never: waits for {waits}" if row["step"] is None else when))
    yield from columns(table)
    for decision in decisions:
        title, *_, place = _reason(decision, titles, paint)
        yield f"  {title}"
        yield f"  {place}"
