"""``trainpolicy evaluate``: what TrainJobs become."""

import sys
from typing import TYPE_CHECKING

import click

from trainpolicy.engine import Outcome, Problem, ProblemKind, collect

from .data import data_text
from .example import example
from .options import colour_option, files_argument, load_policy, matcher_option, output_option, rule_options
from .problems import write_problems
from .result import EXIT_CODES, Result, results
from .terminal import Colour, Paint, Progress, write

if TYPE_CHECKING:
    from trainpolicy.engine import Evaluation, RuleSet

__all__ = ["command"]

_FORMS = ("human", "json", "yaml", "jsonpatch", "mergepatch", "apply", "objects")
_WHOLE = frozenset({"json", "yaml"})
_YAML = frozenset({"yaml", "apply", "objects"})


@click.command(
    "evaluate",
    epilog=example(
        "trainpolicy evaluate trainjob.yaml",
        "trainpolicy evaluate runtimes/ trainjob.yaml -o jsonpatch",
        "kubectl get trainjobs -A -o yaml | trainpolicy evaluate - -o json --profile with-4210",
    ),
)
@files_argument
@output_option(*_FORMS)
@rule_options
@matcher_option
@colour_option
def command(
    *,
    files: tuple[str, ...],
    form: str,
    rules: str | None,
    profile: str,
    settings: tuple[str, ...],
    matcher: str,
    colour: Colour,
) -> int:
    """Decide what TrainJobs become: pods, start order, the JobSet and which rule says so.

    FILE is a manifest file, a folder of them, or - for standard input. A TrainJob finds its runtime among the files,
    else among the shipped ones. Exit code: 0 decided, 1 denied, 2 wrong command line, 3 undecided, 4 invalid input or
    rules, 5 the JobSet API would refuse the result.
    """
    with load_policy(rules, profile, settings, matcher) as policy:
        inputs = collect(files, sys.stdin.buffer)
        write_problems(inputs.notes, colour)
        several = len(inputs.requests) > 1
        output = _Output(form, several=several, rule_set=policy.rule_set, colour=colour)
        progress = Progress(len(inputs.requests))
        code = 0
        for done, result in enumerate(results(policy, inputs)):
            progress.step(done)
            output.add(result)
            code = max(code, EXIT_CODES[result.outcome])
        progress.clear()
        output.close()
        return code


class _Output:
    """Writes results one by one, in one form.

    When no TrainJob of the input could be evaluated, nothing goes to standard output: what there is to say about
    invalid TrainJobs is held back until another one shows that the input as a whole is good.
    """

    def __init__(self, form: str, *, several: bool, rule_set: "RuleSet", colour: Colour) -> None:
        self._form = form
        self._several = several
        self._rule_set = rule_set
        self._colour: Colour = colour
        self._held: list[Result] = []
        self._written = 0

    def add(self, result: Result) -> None:
        """Write this result; its problems go to standard error where the form has no room for them."""
        if self._form not in _WHOLE:
            write_problems(result.problems, self._colour)
        if result.outcome is Outcome.INVALID and not self._written:
            self._held.append(result)
            return
        for one in (*self._held, result):
            text = self._text(one)
            if text and self._written and self._form == "human":
                text = "\n" + text
            write(text)
            self._written += 1
        self._held.clear()

    def close(self) -> None:
        """Write the problems that no document has told."""
        if self._form in _WHOLE:
            for result in self._held:
                write_problems(result.problems, self._colour)

    def _text(self, result: Result) -> str:
        if self._form == "human":
            from .human import evaluation_text  # each form imports what it needs

            return evaluation_text(result, self._rule_set, Paint(self._colour, sys.stdout))
        if self._form in _WHOLE:
            from .report import result_data

            return data_text([result_data(result, self._rule_set)], self._form, several=self._several)
        evaluation = result.evaluation
        decided = evaluation if result.outcome is Outcome.DECIDED else None
        if self._form in _YAML:
            documents = self._manifests(decided) if decided else []
            return data_text(documents, "yaml", several=self._several or self._form == "objects")
        if decided is None:
            # A line for each TrainJob keeps the lines in step with the input.
            return "null\n" if self._several else ""
        patch = decided.json_patch() if self._form == "jsonpatch" else decided.merge_patch()
        return data_text([patch], "json", several=self._several)

    def _manifests(self, evaluation: "Evaluation") -> list[object]:
        if self._form == "apply":
            write_problems(evaluation.apply_warnings(), self._colour)
            return [evaluation.apply_configuration()]
        secrets = [one for one in evaluation.objects if one.get("kind") == "Secret"]
        notes = [f"left out Secret `{one['metadata']['name']}`: keys are not printed" for one in secrets]
        write_problems((Problem(kind=ProblemKind.NOTE, cause=note) for note in notes), self._colour)
        return [one for one in evaluation.manifests() if one.get("kind") != "Secret"]
