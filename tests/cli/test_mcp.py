"""How the servers of the Model Context Protocol are started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from mnemolog.cli.commands.mcp import mcp

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--tools", "all"], "stdio"),
        (["--any-space"], "stdio"),
        (["stdio", "--tools", "all"], "stdio"),
        (["http", "--port", "0"], "http"),
    ],
)
def test_without_a_name_it_is_stdio(cli: CommandLine, words: list[str], meant: str) -> None:
    """`mnemolog mcp` with options is what clients start; `http` is asked for."""
    assert f"mnemolog mcp {meant} [OPTIONS]" in cli("mcp", *words, "--help").stdout
    assert "http" in cli("mcp", "--help").stdout


@pytest.mark.parametrize("words", [["mcp"], ["mcp", "stdio"], ["mcp", "--any-space"]])
def test_shared_options_may_stand_before_the_name(
    cli: CommandLine, tmp_path: Path, words: list[str]
) -> None:
    """The home given before `mcp` is served, until standard input ends."""
    other = tmp_path / "other"
    done = cli.process("--home", other, "--space", "work", *words)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (other / "ledger.db").exists()
    assert not cli.home.exists()


def test_a_mistyped_way_to_serve_is_refused(cli: CommandLine) -> None:
    """What is neither a way to serve nor an option starts nothing."""
    assert "htp" in cli("mcp", "htp", code=2).stderr
    assert not cli.home.exists()


def test_an_unknown_tool_is_refused(cli: CommandLine) -> None:
    """The error names the tools that there are."""
    assert "use some of all, remember, recall" in cli("mcp", "--tools", "forget", code=2).stderr
    assert not cli.home.exists()


def test_the_group_takes_further_commands() -> None:
    """It is a group like any other: a command that is added to it is found by its name."""

    @click.command()
    def other() -> None:
        """Do something else."""

    group = type(mcp)(name="mcp", commands={**mcp.commands})
    group.add_command(other)
    context = group.make_context("mcp", ["other"])
    assert group.resolve_command(context, ["other"])[1] is other
