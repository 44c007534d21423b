"""The command that an entry holds: the same whatever the client's surroundings are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.install import server_command

SCRIPT = Path(sys.executable).with_name("mnemolog")


def test_the_command_is_absolute(user: Path) -> None:
    """The program is named by its path, and what is as it would be anyway is left out."""
    program, *rest = server_command(None, "default", None)
    assert (Path(program).is_absolute(), os.access(program, os.X_OK)) == (True, True)
    assert rest == ["mcp", "stdio"]


def test_it_is_the_program_that_was_called(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name by which it runs stays, link or not: what is behind it may be moved."""
    (user / "bin").mkdir()
    (user / "bin" / "mnemolog").symlink_to(SCRIPT)
    monkeypatch.setattr(sys, "argv", [str(user / "bin" / "mnemolog")])
    assert server_command(None, "default", None)[0] == str(user / "bin" / "mnemolog")
    monkeypatch.setattr(sys, "argv", ["../bin/mnemolog"])
    assert Path(server_command(None, "default", None)[0]).samefile(SCRIPT)


def test_without_a_script_it_is_python(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no script is installed, the module is run by the interpreter's path."""
    monkeypatch.setattr(sys, "executable", str(user / "python3"))
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert server_command(None, "default", None) == [
        str(user / "python3"),
        *("-m", "mnemolog", "mcp", "stdio"),
    ]


def test_what_differs_from_the_defaults_is_written_out(user: Path) -> None:
    """Home, space and tools come after the command, the home as an absolute path."""
    assert server_command(Path("memories"), "notes", "all")[1:] == [
        *("mcp", "stdio", "--home", str(user / "project" / "memories")),
        *("--space", "notes", "--tools", "all"),
    ]


@pytest.mark.parametrize("variable", ["MNEMOLOG_HOME", "XDG_DATA_HOME"])
def test_a_home_that_a_variable_names_is_written_out(
    user: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """A client does not hand the variable on, and the server would open another home."""
    monkeypatch.setenv(variable, str(user / "data"))
    given = user / "data" if variable == "MNEMOLOG_HOME" else None
    words = server_command(given, "default", None)
    home = Path(words[words.index("--home") + 1])
    assert home.is_absolute()
    assert home.is_relative_to(user / "data")


@pytest.mark.parametrize("value", ["${HOME}", "$HOME", "{env:HOME}", "a\udcffb", ""])
def test_what_a_client_would_not_hand_on_is_refused(user: Path, value: str) -> None:
    """What reads like a variable is replaced by clients, and what names no space opens none."""
    with pytest.raises(InvalidField) as caught:
        server_command(None, value, None)
    assert caught.value.field == "space"
    if value:
        with pytest.raises(InvalidField, match="home"):
            server_command(user / value, "default", None)


def test_tools_that_there_are_not_are_refused(user: Path) -> None:
    """An entry whose server would not start is not written."""
    with pytest.raises(InvalidField, match="'forget' is unknown"):
        server_command(None, "default", "recall, forget")
