"""Options that several commands share, and the policy that they choose."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainpolicy.engine import Place, Problem, ProblemKind, UsageError

if TYPE_CHECKING:
    from trainpolicy.engine import Policy

__all__ = [
    "colour_option",
    "files_argument",
    "load_policy",
    "matcher_option",
    "output_option",
    "parameters",
    "profile_path",
    "rule_options",
    "rules_folder",
]

_F = TypeVar("_F", bound=Callable[..., Any])

files_argument = click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(readable=False))
matcher_option = click.option(
    "--matcher",
    type=click.Choice(["durable", "reference"]),
    default="durable",
    show_default=True,
    help="What decides which rules hold.",
)
colour_option = click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto means on a terminal and without NO_COLOR.",
)


def output_option(*forms: str) -> Callable[[_F], _F]:
    """``-o`` with these forms, the first being the default."""
    return click.option(
        "-o",
        "--output",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help="Form of the result.",
    )


def rule_options(function: _F) -> _F:
    """``--rules``, ``--profile`` and ``--set``."""
    settings = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set a parameter (see `rules parameters`). Repeatable.",
    )
    profile = click.option(
        "--profile", default="default", show_default=True, metavar="NAME|FILE", help="Profile to apply."
    )
    rules = click.option(
        "--rules", metavar="DIR", type=click.Path(readable=False), help="Rule set; the shipped one if left out."
    )
    return rules(profile(settings(function)))


def rules_folder(rules: str | None) -> Path | None:
    """The folder of ``--rules``. Raises UsageError when there is no such folder."""
    if rules is not None and not Path(rules).is_dir():
        cause = "not a folder" if Path(rules).exists() else "no such folder"
        raise UsageError([_usage(cause, "--rules takes a folder with a ruleset.yaml", Place(file=rules))])
    return None if rules is None else Path(rules)


def profile_path(profile: str) -> str | Path:
    """A name as it is, a file as a path. Raises UsageError when there is no such file."""
    if not (profile.endswith((".yaml", ".yml")) or os.sep in profile):
        return profile
    if not Path(profile).is_file():
        raise UsageError([_usage("no such profile file", "--profile takes a name or a file", Place(file=profile))])
    return Path(profile)


def parameters(settings: Sequence[str]) -> dict[str, Any]:
    """``name=value`` each; a value is JSON if it can be read so, else text.

    Raises UsageError for what is not of that form, and for a name given twice with different values.
    """
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip():
            problems.append(_usage(f"`--set {setting}` is not of the form name=value", "write --set name=value"))
            continue
        value = _value(text)
        if values.setdefault(name.strip(), value) != value:
            problems.append(_usage(f"`--set` gives `{name.strip()}` two values", "give it once"))
    if problems:
        raise UsageError(problems)
    return values


def load_policy(rules: str | None, profile: str, settings: Sequence[str], matcher: str = "durable") -> "Policy":
    """The policy that the options choose; the caller closes it.

    Raises UsageError for what does not exist, InvalidRules for what cannot be used.
    """
    from trainpolicy.engine import Policy  # heavy, and not needed where the options are wrong

    return Policy.load(
        rules=rules_folder(rules),
        profile=profile_path(profile),
        parameters=parameters(settings),
        matcher=matcher,
    )


def _value(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    # The rule language has neither fractions nor null; as text they get the message of a wrong type.
    return text if value is None or isinstance(value, float) else value


def _usage(cause: str, help_text: str, place: Place | None = None) -> Problem:
    return Problem(kind=ProblemKind.INVALID, cause=cause, help=help_text, place=place)
