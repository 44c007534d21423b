"""The commands that write into a client's settings how to start the server, and take it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import LOOKING, acts, as_json, quiet
from mnemolog.cli.output import write_line

if TYPE_CHECKING:
    from mnemolog.cli.call import Call
    from mnemolog.serve.mcp.clients import Scope
    from mnemolog.serve.mcp.install import Change

CLIENTS = (
    "claude-desktop",
    "claude-code",
    "cursor",
    "vscode",
    "windsurf",
    "zed",
    "codex",
    "gemini",
    "copilot",
    "cline",
    "roo",
)

_name = click.option("--name", default="mnemolog", show_default=True, help="The name of the entry.")
_scope = click.option(
    "--scope",
    type=click.Choice(("user", "project")),
    help="For all that the user does, or for the project in the working directory; "
    "else the user's, where the client has that.",
)
_dry_run = click.option(
    "--dry-run", is_flag=True, help="Show the file and the change, and write nothing."
)


@click.command()
@click.argument("client", metavar="[CLIENT]", required=False, type=click.Choice(CLIENTS))
@_scope
@_name
@click.option(
    "--tools", metavar="NAMES", help="The tools that the server offers; else those by default."
)
@click.option("--replace", is_flag=True, help="Put it in the place of an entry of that name.")
@click.option("--print", "alone", is_flag=True, help="Print the entry alone, to be pasted.")
@_dry_run
@acts(*LOOKING)
def install(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    *,
    client: str | None,
    scope: Scope | None,
    name: str,
    tools: str | None,
    replace: bool,
    alone: bool,
    dry_run: bool,
) -> None:
    """Have a client start the server.

    CLIENT is the one whose settings get an entry that starts `mnemolog mcp stdio`.
    Everything else in its file stays as it is, comments too, and a copy of what
    the file was is kept beside it. Without CLIENT, --print shows what most
    clients take.
    """
    from mnemolog.serve.mcp import clients  # noqa: PLC0415 - not needed for --help
    from mnemolog.serve.mcp.install import pasted, plan_install  # noqa: PLC0415 - as above
    from mnemolog.serve.mcp.starting import server_command  # noqa: PLC0415 - as above

    form = clients.PLAIN if client is None else clients.CLIENTS[client].form
    command = server_command(call.home, call.spaces[0] if call.spaces else "default", tools)
    if alone:
        entry = {"name": name, "section": form.section, "entry": form.entry(command)}
        text = pasted(form, name, command)
        call.answer(entry, lambda _: write_line(text))
        return
    if client is None:
        refuse(f"name a CLIENT, one of {', '.join(CLIENTS)}, or give --print")
    file = clients.file_of(client, scope)
    change = plan_install(form, file, name, command, "replace" if replace else "refuse")
    _settle(call, change, clients.CLIENTS[client].title, dry_run=dry_run)


@click.command()
@click.argument("client", metavar="CLIENT", type=click.Choice(CLIENTS))
@_scope
@_name
@_dry_run
@acts(as_json, quiet)
def uninstall(call: Call, *, client: str, scope: Scope | None, name: str, dry_run: bool) -> None:
    """Take the entry out of a client's settings.

    CLIENT is the one whose file loses the entry. What else it holds stays as it
    is; a file that only the entry was in goes.
    """
    from mnemolog.serve.mcp import clients  # noqa: PLC0415 - not needed for --help
    from mnemolog.serve.mcp.install import plan_uninstall  # noqa: PLC0415 - as above

    known = clients.CLIENTS[client]
    change = plan_uninstall(known.form, clients.file_of(client, scope), name)
    _settle(call, change, known.title, dry_run=dry_run)


def _settle(call: Call, change: Change, title: str, *, dry_run: bool) -> None:
    """Carry a change out, or only show it."""
    backup = None if dry_run else change.carry_out()
    told = {
        "file": change.file,
        "changed": change.needed and not dry_run,
        "backup": backup,
        "diff": change.diff(),
    }

    def write(_: object) -> None:
        if not change.needed:
            write_line(f"nothing to do in {change.file}")
        elif dry_run:
            write_line(change.diff())
        else:
            write_line(f"{'changed' if change.after is not None else 'removed'} {change.file}")

    call.answer(told, write)
    if backup is not None:
        call.notice(f"what it was is kept in {backup}")
    if change.needed and not dry_run:
        call.notice(f"start {title} again, so that it learns of it")
