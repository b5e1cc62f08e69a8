"""``trainpolicy rules``: which rules, profiles and parameters there are, and what they say."""

import sys
from typing import TYPE_CHECKING

import click

from trainpolicy.engine import Problem, ProblemKind, UsageError, list_profiles, load_rule_set, nearest_name

from .data import data_text
from .example import example
from .options import colour_option, output_option, parameters, profile_path, rule_options, rules_folder
from .parameter_text import parameter_data, parameter_lines, parameters_of
from .problems import write_problems
from .report import VERSION
from .rule_text import profile_data, profile_lines, rule_data, rule_lines
from .table import columns
from .terminal import Colour, Paint, write
from .wording import place_text

if TYPE_CHECKING:
    from trainpolicy.engine import RuleSet

__all__ = ["command"]


@click.group(
    "rules",
    invoke_without_command=True,
    epilog=example(
        "trainpolicy rules list --profile before-4210",
        "trainpolicy rules show RULE-ID",
        "trainpolicy rules profiles",
        "trainpolicy rules parameters",
    ),
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List and show rules, profiles and parameters."""
    if ctx.invoked_subcommand is None:
        write(ctx.get_help() + "\n")


def _load(rules: str | None, profile: str, settings: tuple[str, ...]) -> "RuleSet":
    return load_rule_set(rules_folder(rules), profile=profile_path(profile), parameters=parameters(settings))


@command.command("list", epilog=example("trainpolicy rules list --profile before-4210"))
@output_option("human", "json", "yaml", "name")
@rule_options
@colour_option
def list_command(*, form: str, rules: str | None, profile: str, settings: tuple[str, ...], colour: Colour) -> int:
    """List all rules with place and title.

    A rule is off where the profile disables it.
    """
    rule_set = _load(rules, profile, settings)
    off = {rule.id for rule in rule_set.disabled}
    # Sorted by place, so that rules that are switched off stand where a person looks for them.
    found = sorted((*rule_set.rules, *rule_set.disabled), key=lambda rule: (rule.place.file, rule.place.line or 0))
    if form == "name":
        write("".join(f"{rule.id}\n" for rule in found))
    elif form == "human":
        rows = [(one.id, "off" if one.id in off else "on", place_text(one.place), one.title) for one in found]
        head, *rest = columns([("Rule", "", "Place", "Title"), *rows])
        write("\n".join([Paint(colour, sys.stdout).strong(head), *rest]) + "\n")
    else:
        data = {
            "version": VERSION,
            "kind": "RuleList",
            "profile": rule_set.profile,
            "ruleSet": {"name": rule_set.name, "digest": rule_set.digest},
            "rules": [rule_data(rule, enabled=rule.id not in off) for rule in found],
        }
        write(data_text([data], form, several=False))
    return 0


@command.command("show", epilog=example("trainpolicy rules show RULE-ID"))
@click.argument("rule_id", metavar="RULE-ID")
@output_option("human", "json", "yaml")
@rule_options
@colour_option
def show_command(
    *, rule_id: str, form: str, rules: str | None, profile: str, settings: tuple[str, ...], colour: Colour
) -> int:
    """Show one rule whole.

    Conditions, statements, why, source and examples.
    """
    rule_set = _load(rules, profile, settings)
    off = {rule.id for rule in rule_set.disabled}
    found = {rule.id: rule for rule in (*rule_set.rules, *rule_set.disabled)}
    rule = found.get(rule_id)
    if rule is None:
        hint = nearest_name(rule_id, found)
        hint = hint or "`trainpolicy rules list` shows them"
        raise UsageError([Problem(kind=ProblemKind.INVALID, cause=f"no rule `{rule_id}`", help=hint)])
    if form == "human":
        paint = Paint(colour, sys.stdout)
        write("\n".join(rule_lines(rule, enabled=rule_id not in off, paint=paint)) + "\n")
    else:
        data = {"version": VERSION, "kind": "Rule", **rule_data(rule, enabled=rule_id not in off)}
        write(data_text([data], form, several=False))
    return 0


@command.command("profiles", epilog=example("trainpolicy rules profiles"))
@click.option("--rules", metavar="DIR", type=click.Path(readable=False), help="Rule set; the shipped one if left out.")
@output_option("human", "json", "yaml", "name")
@colour_option
def profiles_command(*, rules: str | None, form: str, colour: Colour) -> int:
    """List the profiles and how they differ.

    Each says what it is for, what it extends, and what it changes in that.
    """
    profiles = list_profiles(rules_folder(rules))
    if form == "name":
        write("".join(f"{profile.name}\n" for profile in profiles))
    elif form == "human":
        if not profiles:
            note = "the rule set has no profiles: its rules and parameters count as they are"
            write_problems([Problem(kind=ProblemKind.NOTE, cause=note)], colour)
        paint = Paint(colour, sys.stdout)
        write("\n".join("\n".join(profile_lines(profile, paint)) + "\n" for profile in profiles))
    else:
        data = {"version": VERSION, "kind": "ProfileList", "profiles": [profile_data(one) for one in profiles]}
        write(data_text([data], form, several=False))
    return 0


@command.command("parameters", epilog=example("trainpolicy rules parameters --profile with-4045"))
@output_option("human", "json", "yaml", "name")
@rule_options
@colour_option
def parameters_command(*, form: str, rules: str | None, profile: str, settings: tuple[str, ...], colour: Colour) -> int:
    """List the parameters that --set can set.

    The value is the one in force with this profile and what --set gives.
    """
    rule_set = _load(rules, profile, settings)
    found = parameters_of(rule_set)
    if form == "name":
        write("".join(f"{parameter.name}\n" for parameter in found))
    elif form == "human":
        if not found:
            write_problems([Problem(kind=ProblemKind.NOTE, cause="the rule set has no parameters")], colour)
        paint = Paint(colour, sys.stdout)
        write("\n".join("\n".join(parameter_lines(parameter, paint)) + "\n" for parameter in found))
    else:
        data = {
            "version": VERSION,
            "kind": "ParameterList",
            "profile": rule_set.profile,
            "ruleSet": {"name": rule_set.name, "digest": rule_set.digest},
            "parameters": [parameter_data(parameter) for parameter in found],
        }
        write(data_text([data], form, several=False))
    return 0
