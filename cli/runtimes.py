"""``trainpolicy runtimes``: what is shipped."""

import sys
from typing import TYPE_CHECKING

import click

from trainpolicy.engine import (
    Problem,
    ProblemKind,
    UsageError,
    nearest_name,
    shipped_names,
    shipped_runtime,
    shipped_text,
)

from .data import data_text
from .example import example
from .jobs import Json, jobs_of
from .options import colour_option, output_option
from .report import VERSION
from .table import columns
from .terminal import Colour, Paint, write

if TYPE_CHECKING:
    from trainpolicy.engine import Manifest

__all__ = ["command"]


@click.group(
    "runtimes",
    invoke_without_command=True,
    epilog=example(
        "trainpolicy runtimes list",
        "trainpolicy runtimes show NAME > my-runtime.yaml",
    ),
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List and show the shipped runtimes."""
    if ctx.invoked_subcommand is None:
        write(ctx.get_help() + "\n")


@command.command("list", epilog=example("trainpolicy runtimes list -o json"))
@output_option("human", "json", "yaml", "name")
@colour_option
def list_command(*, form: str, colour: Colour) -> int:
    """List the shipped runtimes: name, kind, jobs and their pods."""
    runtimes = [shipped_runtime(name) for name in shipped_names()]
    if form == "name":
        write("".join(f"{runtime.name}\n" for runtime in runtimes))
    elif form == "human":
        rows = [("Name", "Kind", "Jobs"), *((str(one.name), one.kind, ", ".join(_jobs(one))) for one in runtimes)]
        head, *rest = columns(rows)
        write("\n".join([Paint(colour, sys.stdout).strong(head), *rest]) + "\n")
    else:
        data = {"version": VERSION, "kind": "RuntimeList", "runtimes": [_data(one) for one in runtimes]}
        write(data_text([data], form, several=False))
    return 0


@command.command("show", epilog=example("trainpolicy runtimes show NAME | kubectl apply -f -"))
@click.argument("name")
@output_option("human", "json", "yaml")
def show_command(*, name: str, form: str) -> int:
    """Print the manifest of a shipped runtime, as it is shipped."""
    if name not in shipped_names():
        raise UsageError(
            [
                Problem(
                    kind=ProblemKind.INVALID,
                    cause=f"no runtime `{name}` is shipped",
                    help=nearest_name(name, shipped_names()),
                )
            ]
        )
    write(data_text([shipped_runtime(name).data], form, several=False) if form == "json" else shipped_text(name))
    return 0


def _jobs(runtime: "Manifest") -> list[str]:
    return [str(job["name"]) for job in jobs_of(runtime.data["spec"]["template"])]


def _data(runtime: "Manifest") -> Json:
    return {"name": runtime.name, "kind": runtime.kind, "file": runtime.place().file, "jobs": _jobs(runtime)}
