"""Where clients keep their servers, and what an entry looks like in each."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.install import Scope, agent_clients, file_of

ROOT = Path(__file__).parents[2]
LINUX = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "copilot": ".copilot/mcp-config.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
}
MACOS = {
    **LINUX,
    "claude-desktop": "Library/Application Support/Claude/claude_desktop_config.json",
    "vscode": "Library/Application Support/Code/User/mcp.json",
}
PROJECT = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "zed": ".zed/settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "roo": ".roo/mcp.json",
}


@pytest.mark.parametrize(("platform", "files"), [("linux", LINUX), ("darwin", MACOS)])
def test_a_user_has_a_file_in_each_client(user: Path, platform: str, files: dict[str, str]) -> None:
    """The files of a user stand where the clients look on that platform."""
    found = {name: file_of(name, "user", platform) for name in agent_clients() if name in files}
    assert found == {name: user / path for name, path in files.items()}


def test_a_project_has_a_file_in_each_client(user: Path) -> None:
    """The files of a project stand in the working directory."""
    found = {name: file_of(name, "project") for name in agent_clients() if name in PROJECT}
    assert found == {name: user / "project" / path for name, path in PROJECT.items()}


def test_without_a_scope_it_is_the_users_file_if_there_is_one(user: Path) -> None:
    """A client that knows projects alone gets the project's."""
    assert {name: file_of(name, None) for name in agent_clients()} == {
        **{name: user / path for name, path in LINUX.items()},
        "roo": user / "project" / PROJECT["roo"],
    }


@pytest.mark.parametrize(
    ("name", "scope"),
    [(name, "user") for name in sorted(agent_clients().keys() - LINUX)]
    + [(name, "project") for name in sorted(agent_clients().keys() - PROJECT)],
)
def test_a_scope_that_a_client_does_not_know_is_refused(
    user: Path, name: str, scope: Scope
) -> None:
    """The error says which scope the client has."""
    with pytest.raises(InvalidField, match=r"give (user|project)") as caught:
        file_of(name, scope)
    assert caught.value.field == "scope"


@pytest.mark.parametrize(
    ("variable", "name", "path"),
    [
        ("XDG_CONFIG_HOME", "claude-desktop", "Claude/claude_desktop_config.json"),
        ("XDG_CONFIG_HOME", "vscode", "Code/User/mcp.json"),
        ("XDG_CONFIG_HOME", "zed", "zed/settings.json"),
        ("CLAUDE_CONFIG_DIR", "claude-code", ".claude.json"),
        ("CODEX_HOME", "codex", "config.toml"),
        ("COPILOT_HOME", "copilot", "mcp-config.json"),
        ("GEMINI_CLI_HOME", "gemini", ".gemini/settings.json"),
    ],
)
def test_variables_that_clients_go_by_move_their_files(
    user: Path, monkeypatch: pytest.MonkeyPatch, variable: str, name: str, path: str
) -> None:
    """An absolute path in the variable counts, anything else is as if it were not set."""
    monkeypatch.setenv(variable, str(user / "elsewhere"))
    assert file_of(name, "user", "linux") == user / "elsewhere" / path
    monkeypatch.setenv(variable, "elsewhere")
    assert file_of(name, "user", "linux") == user / LINUX[name]


@pytest.mark.parametrize("name", agent_clients())
def test_every_client_is_documented(name: str) -> None:
    """docs/mcp.md has a row for each client, with its files; the table says where it is told."""
    client = agent_clients()[name]
    page = (ROOT / "docs" / "mcp.md").read_text()
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    assert client.title in row
    if client.project is not None:
        assert f"`{client.project}`" in row
    assert "." in client.documented_at
