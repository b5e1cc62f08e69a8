"""``trainpolicy completion``: the script that makes a shell complete commands and options."""

import click
from click.shell_completion import get_completion_class

from .example import example
from .terminal import write

__all__ = ["command"]

_VARIABLE = "_TRAINPOLICY_COMPLETE"


@click.command(
    "completion",
    epilog=example(
        "source <(trainpolicy completion bash)",
        "trainpolicy completion fish > ~/.config/fish/completions/trainpolicy.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}")
    write(kind(ctx.find_root().command, {}, "trainpolicy", _VARIABLE).source() + "\n")
    return 0
