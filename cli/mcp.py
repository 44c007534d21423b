"""The commands about agents that speak the Model Context Protocol."""

from __future__ import annotations

import click

from cli.mcp_install import install, uninstall


@click.group()
def mcp() -> None:
    """Serve the memory to agents by the Model Context Protocol."""


mcp.add_command(install)
mcp.add_command(uninstall)
