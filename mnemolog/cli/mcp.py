"""The commands that serve the memory to agents by the Model Context Protocol: mcp."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.mcp_install import install, uninstall
from mnemolog.cli.options import Command, acts, home, space

if TYPE_CHECKING:
    from mnemolog import Memory
    from mnemolog.cli.call import Call

TOKEN_VARIABLE = "MNEMOLOG_MCP_TOKEN"  # noqa: S105 - the name of a variable

tools = click.option(
    "--tools",
    metavar="NAMES",
    default="",
    help="The tools to offer, with commas between, or 'all'; else a few.",
)
any_space = click.option(
    "--any-space", is_flag=True, help="Let clients name other spaces than the server's own."
)


class Serving(click.Group):
    """Ways to serve; without the name of one it is stdio, as clients start it."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or else stdio."""
        return super().get_command(ctx, cmd_name) or self.commands["stdio"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the name of a way to serve in front."""
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help"}):
            args = ["stdio", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Serving)
def mcp() -> None:
    """Serve the memory to agents by the Model Context Protocol."""


mcp.add_command(install)
mcp.add_command(uninstall)


def serves(command: Command) -> Command:
    """Give a command the options that every way to serve takes."""
    for option in (any_space, tools):
        command = option(command)
    return command


@mcp.command()
@serves
@acts(home, space)
def stdio(call: Call, *, tools: str, any_space: bool) -> None:
    """Serve one client over standard input and output.

    This is what an agent client starts, and what `mnemolog mcp` alone does. Ends
    when standard input does.
    """
    from mnemolog.serve.mcp.logs import log_to_stderr  # noqa: PLC0415 - not needed for --help
    from mnemolog.serve.mcp.server import Service  # noqa: PLC0415 - half a second
    from mnemolog.serve.mcp.stdio import serve_stdio  # noqa: PLC0415 - as above
    from mnemolog.serve.mcp.tools import tools_of  # noqa: PLC0415 - as above

    log_to_stderr()
    offered = tools_of(tools)
    with call.memory("create") as memory:
        serve_stdio(Service(memory, offered, "any" if any_space else "own"))


@mcp.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8765,
    show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"The token that clients must send; else ${TOKEN_VARIABLE}, or one made for the home.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A web page's origin that may call, such as https://example.org; may be repeated.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which clients reach this server, beside its own; may be repeated.",
)
@click.option(
    "--beyond-loopback", is_flag=True, help="Listen where other machines can reach it as well."
)
@serves
@acts(home, space)
def http(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
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

    Listens on this machine alone, and answers nobody without the token. Ends with
    SIGINT, SIGTERM or SIGHUP.
    """
    from mnemolog.serve.mcp import http as door  # noqa: PLC0415 - half a second
    from mnemolog.serve.mcp.logs import log_to_stderr  # noqa: PLC0415 - not needed for --help
    from mnemolog.serve.mcp.server import Service  # noqa: PLC0415 - half a second
    from mnemolog.serve.mcp.tools import tools_of  # noqa: PLC0415 - as above

    if not beyond_loopback and not door.is_loopback(host):
        refuse(f"other machines can reach {host}: add --beyond-loopback if they are to")
    log_to_stderr()
    offered = tools_of(tools)
    with call.memory("create") as memory:
        token = _token(call, memory, token_file)
        door.serve_http(
            Service(memory, offered, "any" if any_space else "own"),
            door.Door(host, port, token, origins, hosts),
            lambda address: call.notice(f"serving space {memory.space!r} at {address}"),
        )


def _token(call: Call, memory: Memory, file: Path | None) -> str:
    from mnemolog.serve.mcp import tokens  # noqa: PLC0415 - not needed for --help

    if file is not None:
        token = tokens.token_from(file)
        if tokens.others_can_read(file):
            call.notice(f"others on this machine can read the token in {file}")
        return token
    if TOKEN_VARIABLE in os.environ:
        return tokens.checked_token(os.environ[TOKEN_VARIABLE])
    token, kept = tokens.kept_token(memory.home)
    call.notice(f"the token that clients must send is in {kept}")
    return token
