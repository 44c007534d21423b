"""Agent clients that `mnemolog mcp install` can configure: their files and formats."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.clients.documents import Document, Entry
from mnemolog.serve.clients.json_document import JsonDocument
from mnemolog.serve.clients.toml_document import TomlDocument

Scope = Literal["user", "project"]


class ConfigForm(NamedTuple):
    """Format of an entry: its section, and the fields besides command and arguments."""

    section: str = "mcpServers"
    fields: Mapping[str, str | Sequence[str]] = {}
    syntax: Literal["json", "toml"] = "json"

    def document(self, file: Path, text: str) -> Document:
        """Document of a file's text; raises `MalformedConfig` if it cannot be changed."""
        return JsonDocument(file, text) if self.syntax == "json" else TomlDocument(file, text)

    def entry(self, command: Sequence[str]) -> Entry:
        """Entry that starts a command."""
        return {**self.fields, "command": command[0], "args": list(command[1:])}


class AgentClient(NamedTuple):
    """Agent client: its user and project configuration files, and their documentation."""

    title: str
    form: ConfigForm
    user: str | None
    project: str | None
    told_at: str


PLAIN = ConfigForm()
"""What most clients take, and what those that are not listed probably do."""

CLIENTS: Mapping[str, AgentClient] = {
    "claude-desktop": AgentClient(
        "Claude Desktop",
        PLAIN,
        "{apps}/Claude/claude_desktop_config.json",
        None,
        "modelcontextprotocol.io/quickstart/user; the folder on Linux: "
        "github.com/aaddrick/claude-desktop-debian",
    ),
    "claude-code": AgentClient(
        "Claude Code",
        ConfigForm(fields={"type": "stdio"}),
        "{claude}/.claude.json",
        ".mcp.json",
        "code.claude.com/docs/en/mcp; CLAUDE_CONFIG_DIR: github.com/microsoft/apm/pull/2096",
    ),
    "cursor": AgentClient(
        "Cursor",
        PLAIN,
        "{home}/.cursor/mcp.json",
        ".cursor/mcp.json",
        "cursor.com/docs/mcp",
    ),
    "vscode": AgentClient(
        "VS Code",
        ConfigForm("servers", {"type": "stdio"}),
        "{apps}/Code/User/mcp.json",
        ".vscode/mcp.json",
        "code.visualstudio.com/docs/agents/reference/mcp-configuration; the folder of the default "
        "profile: code.visualstudio.com/docs/configure/settings",
    ),
    "windsurf": AgentClient(
        "Windsurf",
        PLAIN,
        "{home}/.codeium/windsurf/mcp_config.json",
        None,
        "docs.windsurf.com/windsurf/cascade/mcp",
    ),
    "zed": AgentClient(
        "Zed",
        ConfigForm("context_servers"),
        "{config}/zed/settings.json",
        ".zed/settings.json",
        "zed.dev/docs/ai/mcp; zed.dev/docs/configuring-zed",
    ),
    "codex": AgentClient(
        "Codex",
        ConfigForm("mcp_servers", syntax="toml"),
        "{codex}/config.toml",
        ".codex/config.toml",
        "developers.openai.com/codex/mcp",
    ),
    "gemini": AgentClient(
        "Gemini CLI",
        PLAIN,
        "{gemini}/.gemini/settings.json",
        ".gemini/settings.json",
        "geminicli.com/docs/reference/configuration; geminicli.com/docs/tools/mcp-server",
    ),
    "copilot": AgentClient(
        "GitHub Copilot CLI",
        ConfigForm(fields={"type": "local", "tools": ["*"]}),
        "{copilot}/mcp-config.json",
        None,
        "docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    ),
    "cline": AgentClient(
        "Cline",
        PLAIN,
        "{home}/.cline/data/settings/cline_mcp_settings.json",
        None,
        "docs.cline.bot/getting-started/config",
    ),
    "roo": AgentClient(
        "Roo Code",
        PLAIN,
        None,
        ".roo/mcp.json",
        "docs.roocode.com/features/mcp/using-mcp-in-roo",
    ),
}


def file_of(name: str, scope: Scope | None, platform: str = sys.platform) -> Path:
    """Configuration file that lists a client's servers, for the user or the current project.

    Without a scope: the user's file, or the project's if the client has no other. Raises
    `InvalidField` if the client has no file of that scope.
    """
    client = CLIENTS[name]
    if scope is None:
        scope = "user" if client.user is not None else "project"
    place = client.user if scope == "user" else client.project
    if place is None:
        other = "project" if scope == "user" else "user"
        raise InvalidField(
            "scope", f"{client.title} keeps no servers for a {scope}", f"give {other}"
        )
    if scope == "project":
        return Path.cwd() / place
    return Path(place.format_map(_folders(platform)))


def _folders(platform: str) -> Mapping[str, Path]:
    """Folders of client configurations; a path from an environment variable must be absolute."""
    home = Path.home()
    config = home / ".config"
    if platform != "darwin":
        config = _named("XDG_CONFIG_HOME", config)
    return {
        "home": home,
        "config": config,
        "apps": home / "Library" / "Application Support" if platform == "darwin" else config,
        "claude": _named("CLAUDE_CONFIG_DIR", home),
        "codex": _named("CODEX_HOME", home / ".codex"),
        "copilot": _named("COPILOT_HOME", home / ".copilot"),
        "gemini": _named("GEMINI_CLI_HOME", home),
    }


def _named(variable: str, default: Path) -> Path:
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else default
