"""Agent clients that `mnemolog mcp install` can configure, and the command that they start."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from mnemolog import default_home
from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.memories import checked_space
from mnemolog.serve.clients.documents import Document, Entry, JsonDocument, TomlDocument

Scope = Literal["user", "project"]
_SCRIPT = "mnemolog"
_REPLACED = re.compile(r"\$[{\w]|\{(?:env|file):")
"""Variables in the syntax of the clients."""


class ConfigForm(msgspec.Struct, frozen=True):
    """Format of an entry: its section, and the fields besides command and arguments.

    The default is what most clients take, and what those that are not listed probably do.
    """

    section: str = "mcpServers"
    fields: Mapping[str, str | Sequence[str]] = {}
    syntax: Literal["json", "toml"] = "json"

    def document(self, file: Path, text: str) -> Document:
        """Document of a file's text; raises `MalformedConfig` if it cannot be changed."""
        return JsonDocument(file, text) if self.syntax == "json" else TomlDocument(file, text)

    def entry(self, command: Sequence[str]) -> Entry:
        """Entry that starts a command."""
        return {**self.fields, "command": command[0], "args": list(command[1:])}


class AgentClient(msgspec.Struct, frozen=True):
    """Agent client: its user and project configuration files, and their documentation."""

    title: str
    told_at: str
    user: str | None = None
    project: str | None = None
    form: ConfigForm = ConfigForm()


@cache
def agent_clients() -> Mapping[str, AgentClient]:
    """Agent clients by name, as listed in `clients.toml`."""
    listed = files("mnemolog.serve.clients").joinpath("clients.toml").read_bytes()
    return msgspec.toml.decode(listed, type=dict[str, AgentClient])


def file_of(name: str, scope: Scope | None, platform: str = sys.platform) -> Path:
    """Configuration file that lists a client's servers, for the user or the current project.

    Without a scope: the user's file, or the project's if the client has no other. Raises
    `InvalidField` if the client has no file of that scope.
    """
    client = agent_clients()[name]
    if scope is None:
        scope = "user" if client.user is not None else "project"
    place = client.user if scope == "user" else client.project
    if place is None:
        other = "project" if scope == "user" else "user"
        problem = f"{client.title} keeps no servers for a {scope}"
        raise InvalidField("scope", problem, f"give {other}")
    if scope == "project":
        return Path.cwd() / place
    return Path(place.format_map(_folders(platform)))


def _folders(platform: str) -> Mapping[str, Path]:
    """Folders of client configurations; a path from an environment variable must be absolute."""
    home, mac = Path.home(), platform == "darwin"
    config = home / ".config" if mac else _named("XDG_CONFIG_HOME", home / ".config")
    return {
        "home": home,
        "config": config,
        "apps": home / "Library" / "Application Support" if mac else config,
        "claude": _named("CLAUDE_CONFIG_DIR", home),
        "codex": _named("CODEX_HOME", home / ".codex"),
        "copilot": _named("COPILOT_HOME", home / ".copilot"),
        "gemini": _named("GEMINI_CLI_HOME", home),
    }


def _named(variable: str, default: Path) -> Path:
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else default


def server_command(home: Path | None, space: str, tools: str | None) -> list[str]:
    """Command and arguments that start the server over standard streams.

    A client passes on few environment variables and lets none be chosen, so their values are
    written as options. Raises `InvalidField` for a value that a client would not pass on unchanged,
    and for unknown tools.
    """
    from mnemolog.serve.mcp.tools import tools_of  # noqa: PLC0415 - only for an installation

    options: dict[str, str] = {}
    if home is not None or "XDG_DATA_HOME" in os.environ:
        options["--home"] = str((default_home() if home is None else home).absolute())
    if checked_space(space) != "default":
        options["--space"] = space
    if tools is not None:
        # A server with an unknown tool does not start, and few clients show the reason.
        tools_of(tools)
        options["--tools"] = tools
    for option, value in options.items():
        _check(option.removeprefix("--"), value)
    return [*_program(), "mcp", "stdio", *(word for pair in options.items() for word in pair)]


def _program() -> list[str]:
    """Command and arguments that start the running mnemolog, with absolute paths."""
    called = shutil.which(sys.argv[0])
    beside = Path(sys.executable).with_name(_SCRIPT)
    if called is not None and Path(called).name == _SCRIPT:
        words = [str(Path(called).absolute())]
    elif beside.is_file():
        words = [str(beside)]
    else:
        words = [sys.executable, "-m", "mnemolog"]
    _check("command", words[0])
    return words


def _check(field: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidField(field, f"{value!a} is no text", "give a name in UTF-8") from error
    if _REPLACED.search(value):
        problem = f"{value!r} reads like a variable, which clients replace"
        raise InvalidField(field, problem, "give another name")
