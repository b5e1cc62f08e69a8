"""``trainpolicy conformance``: do the rules decide what a controller was recorded to do."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainpolicy.engine import Place, Problem, ProblemKind, UsageError, list_profiles, nearest_name
from trainpolicy.engine.review.recording_file import read_recording
from trainpolicy.engine.review.recordings import Disagreement, Recorded, compare

from .data import data_text
from .example import example
from .options import colour_option, load_policy, output_option, rules_folder
from .problems import write_problems
from .report import VERSION, place_data
from .terminal import Colour, Paint, write
from .wording import place_text, short

if TYPE_CHECKING:
    from trainpolicy.engine import Policy, Rule

    from .jobs import Json

__all__ = ["command"]

_DIFFERS = 1
_INVALID = 4


@click.command(
    "conformance",
    epilog=example(
        "trainpolicy conformance recording.ndjson.gz",
        "trainpolicy conformance recording.ndjson --profile with-4210 -o json",
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(readable=False))
@output_option("human", "json")
@click.option("--rules", metavar="DIR", type=click.Path(readable=False), help="Rule set; the shipped one if left out.")
@click.option(
    "--profile", "profiles", multiple=True, metavar="NAME|FILE", help="Compare this profile only. Repeatable."
)
@colour_option
def command(*, file: str, form: str, rules: str | None, profiles: tuple[str, ...], colour: Colour) -> int:
    """Compare what the rules decide with what a controller was recorded to do.

    FILE has one case a line: a runtime, a TrainJob and the result of each state of the controller; it may be
    compressed with gzip, and - is standard input. Each state is compared with the profile of its name. Exit code:
    0 all cases agree, 1 some do not, 2 wrong command line, 4 invalid recording or rules, or nothing to compare.
    """
    if file != "-" and not Path(file).exists():
        raise UsageError([_problem("no such file", file=file)])
    with ExitStack() as stack:
        policies = _Policies(stack, rules, profiles)
        paint = Paint(colour, sys.stdout)
        tally = _Tally()
        stream = sys.stdin.buffer if file == "-" else stack.enter_context(Path(file).open("rb"))
        for case in read_recording(stream, "<stdin>" if file == "-" else file):
            if isinstance(case, Problem):
                tally.problems.append(case)
                continue
            for text in _compared(case, policies, tally, paint):
                if form == "human":
                    write(text)
        tally.problems += policies.missing(tally.states)
        if not tally.states:
            tally.problems.append(_problem("there is no case to compare", file=file))
        if form == "human" or not tally.counts:
            write_problems(tally.problems, colour)
        if tally.counts:
            write(_summary(tally) if form == "human" else data_text([_data(file, tally)], "json", several=False))
        return _INVALID if tally.problems else _DIFFERS if tally.failures else 0


@dataclass(slots=True)
class _Tally:
    """What has been compared so far: cases and agreeing ones by profile."""

    counts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    states: dict[str, None] = field(default_factory=dict[str, None])
    failures: "list[Json]" = field(default_factory=list["Json"])
    problems: list[Problem] = field(default_factory=list[Problem])


class _Policies:
    """The policy for each recorded state: loaded when first met, or those that were asked for."""

    def __init__(self, stack: ExitStack, rules: str | None, wanted: Sequence[str]) -> None:
        self._stack = stack
        self._rules = rules
        self._asked = bool(wanted)
        self._loaded: dict[str, Policy | None] = {}
        for profile in wanted:
            policy = stack.enter_context(load_policy(rules, profile, ()))
            self._loaded[policy.rule_set.profile] = policy
        self._known = () if wanted else tuple(one.name for one in list_profiles(rules_folder(rules)))

    def get(self, state: str) -> "Policy | None":
        """The policy to compare a state with; None when it was not asked for or there is no such profile."""
        if state not in self._loaded and not self._asked:
            known = state in self._known
            self._loaded[state] = self._stack.enter_context(load_policy(self._rules, state, ())) if known else None
        return self._loaded.get(state)

    def missing(self, states: Sequence[str] | dict[str, None]) -> Iterator[Problem]:
        """States without a profile, or profiles that were asked for and are not recorded."""
        if self._asked:
            for profile in self._loaded:
                if states and profile not in states:
                    hint = nearest_name(profile, states) or "recorded are " + ", ".join(f"`{one}`" for one in states)
                    yield _problem(f"no case has a result for `{profile}`", hint)
            return
        for state, policy in self._loaded.items():
            if policy is None:
                hint = nearest_name(state, self._known) or "name the profile to compare with `--profile`"
                yield _problem(f"there is no profile for the recorded state `{state}`", hint)


def _problem(cause: str, help_text: str | None = None, *, file: str | None = None) -> Problem:
    place = None if file is None else Place(file=file)
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=place)


def _compared(case: Recorded, policies: _Policies, tally: _Tally, paint: Paint) -> Iterator[str]:
    """Compare each state of a case; the text about each that does not agree."""
    for state, result in case.results.items():
        tally.states[state] = None
        policy = policies.get(state)
        if policy is None:
            continue
        evaluation = policy.evaluate(runtime=case.runtime, train_job=case.train_job)
        found = compare(result, evaluation, policy.rule_set)
        count = tally.counts.setdefault(state, [0, 0])
        count[0] += 1
        count[1] += not found
        if found:
            rules = {rule.id: rule for rule in policy.rule_set.rules}
            tally.failures += [_failure_data(case, state, one, rules) for one in found]
            yield paint.strong(f"{place_text(case.place)}: {case.id}, {state}") + "\n"
            yield "".join(_failure_text(one, rules, paint) for one in found)


def _failure_text(one: Disagreement, rules: "dict[str, Rule]", paint: Paint) -> str:
    difference = one.difference
    text = f"  {one.part}{': ' if difference.path else ''}{difference.path}\n"
    text += f"    recorded: {paint.good(short(difference.wanted))}\n"
    text += f"    decided:  {paint.bad(short(difference.found))}\n"
    for name in difference.rules:
        text += f"    rule:     {name} {paint.faint(place_text(rules[name].place))}\n"
    return text


def _failure_data(case: Recorded, state: str, one: Disagreement, rules: "dict[str, Rule]") -> "Json":
    difference = one.difference
    return {
        "case": case.id,
        "place": place_data(case.place),
        "profile": state,
        "part": one.part,
        "path": difference.path,
        "recorded": difference.wanted,
        "decided": difference.found,
        "rules": [{"id": name, "place": place_data(rules[name].place)} for name in difference.rules],
    }


def _summary(tally: _Tally) -> str:
    return "".join(f"{state}: {good} of {all_} cases agree\n" for state, (all_, good) in tally.counts.items())


def _data(file: str, tally: _Tally) -> "Json":
    return {
        "version": VERSION,
        "kind": "Conformance",
        "file": file,
        "profiles": [
            {"profile": state, "cases": all_, "agreeing": good} for state, (all_, good) in tally.counts.items()
        ],
        "disagreements": tally.failures,
        "problems": [{"cause": one.cause, "help": one.help, "place": place_data(one.place)} for one in tally.problems],
    }
