"""The command that prints completion scripts: completion."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    SHELL is bash, zsh or fish. Put eval "$(mnemolog completion bash)" into
    ~/.bashrc, the same with zsh into ~/.zshrc, or run mnemolog completion fish |
    source.
    """
    root = context.find_root().command
    click.echo(SHELLS[shell](root, {}, "mnemolog", "_MNEMOLOG_COMPLETE").source())
