"""Commands of the Model Context Protocol: mcp stdio, http, install, uninstall."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli import options as opt
from mnemolog.cli.exit_codes import SuggestingGroup, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog import Memory
    from mnemolog.cli.call import CommandCall
    from mnemolog.serve.install import ClientChange, Scope
    from mnemolog.serve.mcp.server import Service

CLIENTS = (
    "claude-desktop", "claude-code", "cursor", "vscode", "windsurf", "zed", "codex", "gemini",
    "copilot", "cline", "roo",
)  # fmt: skip
TOKEN_VARIABLE = "MNEMOLOG_MCP_TOKEN"  # noqa: S105 - the name of a variable

serves = opt.together(
    opt.option(
        "--tools NAMES: The tools to offer, separated by commas, or 'all'; default: a few.",
        default="",
    ),
    opt.flag("--any-space: Let clients name spaces other than the server's own."),
)
"""The options of every transport."""


class _TransportGroup(SuggestingGroup):
    """The transports of the server; without the name of one it is stdio, as clients start it."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        stdio_meant = not cmd_name or cmd_name.startswith("-")
        return super().get_command(ctx, "stdio" if stdio_meant else cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in {"-h", "--help"}):
            args = ["stdio", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_TransportGroup)
def mcp() -> None:
    """Serve the memory by the Model Context Protocol.

    Without a command it is `mnemolog mcp stdio`.
    """


@contextmanager
def _service(call: CommandCall, tools: str, *, any_space: bool) -> Iterator[Service]:
    from mnemolog.serve.mcp.server import Service
    from mnemolog.serve.mcp.stdio import log_to_stderr
    from mnemolog.serve.mcp.tools import tools_of

    log_to_stderr()
    offered = tools_of(tools)
    with call.memory("create", "background") as memory:
        yield Service(memory, offered, "any" if any_space else "own")


@opt.command(serves, opt.home, opt.space, group=mcp)
def stdio(call: CommandCall, *, tools: str, any_space: bool) -> None:
    """Serve one client over standard input and output.

    Agent clients start this command, and `mnemolog mcp` alone means it. It ends with standard
    input.
    """
    from mnemolog.serve.mcp.stdio import serve_stdio

    with _service(call, tools, any_space=any_space) as service:
        serve_stdio(service)


@opt.command(serves, opt.home, opt.space, group=mcp)
@opt.option("--host: Address to listen on.", default="127.0.0.1", show_default=True)
@opt.number("--port: Port to listen on; 0 chooses a free one.", 8765, 0, 65_535)
@opt.option(
    f"--token-file FILE: Token that clients must send; default: ${TOKEN_VARIABLE}, or a generated "
    "one."
)
@opt.repeated(
    "--allow-origin origins ORIGIN: Origin of a web page that may call, such as "
    "https://example.org."
)
@opt.repeated("--allow-host hosts NAME: Another host name of this server.")
@opt.flag("--beyond-loopback: Let other machines reach the server.")
def http(
    call: CommandCall,
    *,
    host: str,
    port: int,
    token_file: Path | None,
    origins: tuple[str, ...],
    hosts: tuple[str, ...],
    beyond_loopback: bool,
    tools: str,
    any_space: bool,
) -> None:
    """Serve several clients over streamable HTTP.

    The server listens on this machine only, and answers only requests with the token. It ends with
    SIGINT, SIGTERM or SIGHUP.
    """
    from mnemolog.serve.mcp import http as door

    if not beyond_loopback and not door.is_loopback(host):
        refuse(f"other machines can reach {host}: add --beyond-loopback to allow that")
    with _service(call, tools, any_space=any_space) as service:
        space, token = service.memory.space, _token(call, service.memory, token_file)
        door.serve_http(
            service,
            door.Door(host, port, token, origins, hosts),
            lambda address: call.notice(f"serving space {space!r} at {address}"),
        )


def _token(call: CommandCall, memory: Memory, file: Path | None) -> str:
    from mnemolog.serve.mcp import http

    if file is not None:
        token = http.token_from(file)
        if http.others_can_read(file):
            call.notice(f"others on this machine can read the token in {file}")
        return token
    if TOKEN_VARIABLE in os.environ:
        return http.checked_token(os.environ[TOKEN_VARIABLE])
    token, kept = http.kept_token(memory.home)
    call.notice(f"the token that clients must send is in {kept}")
    return token


_entry = opt.together(
    opt.option(
        "--scope: For the user everywhere, or for the project in the working directory; default: "
        "user, if the client has that.",
        ("user", "project"),
    ),
    opt.option("--name: Name of the entry.", default="mnemolog", show_default=True),
)
_dry_run = opt.flag("--dry-run: Show the file and the change, and write nothing.")


@opt.command(_dry_run, *opt.PRESENT, group=mcp)
@opt.arguments("[CLIENT]", type=click.Choice(CLIENTS))
@_entry
@opt.option("--tools NAMES: Tools that the server offers; default: a few.")
@opt.flag("--replace: Replace an entry of that name.")
@opt.flag("--print alone: Print only the entry, to paste it yourself.")
def install(
    call: CommandCall,
    *,
    client: str | None,
    scope: Scope | None,
    name: str,
    tools: str | None,
    replace: bool,
    alone: bool,
    dry_run: bool,
) -> None:
    """Configure a client to start the server.

    The settings of CLIENT get an entry that starts `mnemolog mcp stdio`. The rest of the file stays
    unchanged, comments included, and a backup copy is kept beside it. Without CLIENT, --print shows
    the entry that most clients accept.
    """
    from mnemolog.serve import install
    from mnemolog.serve.install import pasted, plan_install

    form = install.ConfigForm() if client is None else install.agent_clients()[client].form
    command = install.server_command(call.home, call.space, tools)
    if alone:
        entry = {"name": name, "section": form.section, "entry": form.entry(command)}
        call.say(entry, pasted(form, name, command))
        return
    if client is None:
        refuse(f"name a CLIENT, one of {', '.join(CLIENTS)}, or give --print")
    file = install.file_of(client, scope)
    change = plan_install(form, file, name, command, "replace" if replace else "refuse")
    _settle(call, change, install.agent_clients()[client].title, dry_run=dry_run)


@opt.command(_entry, _dry_run, opt.as_json, opt.quiet, group=mcp)
@opt.arguments("CLIENT", type=click.Choice(CLIENTS))
def uninstall(
    call: CommandCall, *, client: str, scope: Scope | None, name: str, dry_run: bool
) -> None:
    """Remove the entry from a client's settings.

    The settings file of CLIENT loses the entry; the rest stays unchanged. A file that contained
    only the entry is deleted.
    """
    from mnemolog.serve import install
    from mnemolog.serve.install import plan_uninstall

    known = install.agent_clients()[client]
    change = plan_uninstall(known.form, install.file_of(client, scope), name)
    _settle(call, change, known.title, dry_run=dry_run)


def _settle(call: CommandCall, change: ClientChange, title: str, *, dry_run: bool) -> None:
    diff, backup = change.diff(), None if dry_run else change.carry_out()
    changed = change.needed and not dry_run
    done = "removed" if change.after is None else "changed"
    said = diff if dry_run else f"{done} {change.file}"
    answer = {"file": change.file, "changed": changed, "backup": backup, "diff": diff}
    call.say(answer, said if change.needed else f"no changes needed in {change.file}")
    if backup is not None:
        call.notice(f"the previous file is kept in {backup}")
    if changed:
        call.notice(f"restart {title} to apply the change")
