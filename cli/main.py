"""The entry point: which commands there are, and what becomes of everything that can go wrong."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from . import __version__
from .example import example
from .terminal import write, write_error

__all__ = ["main"]

# Each command lives in a module of its own, imported only when it is used; with this help `--help` needs none of them.
_COMMANDS = {
    "evaluate": "Decide what TrainJobs become.",
    "explain": "Say why a field got its value.",
    "conformance": "Hold the rules against recordings of a controller.",
    "rules": "List and show rules and profiles.",
    "runtimes": "List and show the shipped runtimes.",
    "completion": "Print the completion script of a shell.",
}
_USAGE = 2
_INVALID = 4
_INTERRUPTED = 130
_BROKEN_PIPE = 141


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name}", __package__).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from trainpolicy.engine import nearest_name  # only a mistake needs it

            raise _UnknownCommand(f"no such command `{name}`", nearest_name(name, _COMMANDS))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        # The parser would answer both in its own way, and exit with 1.
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return _INTERRUPTED
        except BrokenPipeError:
            return _BROKEN_PIPE

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


class _UnknownCommand(click.UsageError):
    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.hint = hint


@click.group(
    cls=_Commands,
    epilog=example("trainpolicy evaluate trainjob.yaml"),
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def _cli(ctx: click.Context) -> None:
    """Say which pods a TrainJob becomes, in which order they start, and which reviewed rule says so."""
    if ctx.invoked_subcommand is None:
        write(ctx.get_help() + "\n")


_GARBAGE = 200_000
"""So many objects more than were freed before Python looks for garbage."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 decided, 1 denied, 2 wrong command line, 3 undecided, 4 invalid, 5 inadmissible."""
    # Nearly everything that a short run makes stays: looking for garbage meanwhile took a tenth of its time.
    gc.set_threshold(_GARBAGE)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller, as with `>&-`
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # lives as long as we do
    code = _run(arguments)
    if code == _BROKEN_PIPE:
        # Python flushes once more at exit; what is left has no reader.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result: Any = _cli.main(args=arguments, prog_name="trainpolicy", standalone_mode=False)
    except click.ClickException as error:
        _write_usage_error(error)
        return error.exit_code
    except OSError as error:
        write_error(f"{error.filename or '<stdout>'}: {(error.strerror or str(error)).lower()}\n")
        return _INVALID
    except Exception as error:
        code = _designed(error)
        if code is None:
            raise
        return code
    return result if isinstance(result, int) else 0


def _designed(error: Exception) -> int | None:
    """Write the problems of an exception that the engine raises by design; its exit code, or None for a bug."""
    from trainpolicy.engine import TrainPolicyError, UsageError  # `--version` and `--help` need no engine

    if not isinstance(error, TrainPolicyError):
        return None
    from .problems import write_problems

    write_problems(error.problems)
    return _USAGE if isinstance(error, UsageError) else _INVALID


def _write_usage_error(error: click.ClickException) -> None:
    message = " ".join(error.format_message().split()).rstrip(".,")  # the parser lists choices on lines of their own
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else "trainpolicy"
    hint = (error.hint if isinstance(error, _UnknownCommand) else None) or f"try `{command} --help`"
    write_error(f"{command}: {message[:1].lower()}{message[1:]}\n  help: {hint}\n")
