"""`mnemolog mcp install` and `uninstall`, as a user types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemolog.cli.commands import mcp
from mnemolog.serve import install

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def user(cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a user who is in a project, and has set no variables."""
    home = tmp_path / "dana"
    (home / "project").mkdir(parents=True)
    monkeypatch.chdir(home / "project")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(home))
    del cli.variables["MNEMOLOG_HOME"]
    monkeypatch.delenv("MNEMOLOG_HOME", raising=False)
    return home


def test_the_choices_are_the_clients_that_are_known() -> None:
    """The words that the commands accept are those of the table of clients."""
    assert tuple(install.agent_clients()) == mcp.CLIENTS


@pytest.mark.parametrize("client", mcp.CLIENTS)
def test_every_client_is_installed_once_and_taken_out(
    cli: CommandLine, user: Path, client: str
) -> None:
    """The file says how to start the program; a second time there is nothing to do."""
    done = cli.json("mcp", "install", client, "--space", "boats")
    file = Path(str(done["file"]))
    said = (tomllib if file.suffix == ".toml" else json).loads(file.read_text())
    entry = said[install.agent_clients()[client].form.section]["mnemolog"]
    assert os.access(entry["command"], os.X_OK)
    assert entry["args"] == ["mcp", "stdio", "--space", "boats"]
    assert (done["changed"], done["backup"]) == (True, None)
    assert cli.json("mcp", "install", client, "--space", "boats")["changed"] is False
    assert "no changes needed" in cli("mcp", "install", client, "--space", "boats").stdout
    assert "removed" in cli("mcp", "uninstall", client).stdout
    assert not file.exists()
    assert "no changes needed" in cli("mcp", "uninstall", client).stdout


def test_a_dry_run_shows_the_change_and_writes_nothing(cli: CommandLine, user: Path) -> None:
    """The diff names the file; with --json it is one of the answer's fields."""
    file = user / "project" / ".mcp.json"
    shown = cli("mcp", "install", "claude-code", "--scope", "project", "--dry-run").stdout
    assert f"--- /dev/null\n+++ {file}\n" in shown
    assert '+      "type": "stdio",\n' in shown
    told = cli.json("mcp", "install", "claude-code", "--scope", "project", "--dry-run")
    assert (told["changed"], told["diff"]) == (False, shown.removesuffix("\n"))
    assert list((user / "project").iterdir()) == []
    cli("mcp", "install", "claude-code", "--scope", "project")
    written = file.read_text()
    cli("mcp", "uninstall", "claude-code", "--scope", "project", "--dry-run")
    assert file.read_text() == written


def test_the_entry_alone_can_be_pasted(cli: CommandLine, user: Path) -> None:
    """In the format of a client, or in that of most; nothing is written, whatever is there."""
    plain = json.loads(cli("mcp", "install", "--print", "--name", "notes").stdout)
    assert plain["mcpServers"]["notes"]["args"] == ["mcp", "stdio"]
    code = json.loads(cli("mcp", "install", "vscode", "--print").stdout)
    assert code["servers"]["mnemolog"]["type"] == "stdio"
    assert cli("mcp", "install", "codex", "--print").stdout.startswith("[mcp_servers.mnemolog]\n")
    told = cli.json("mcp", "install", "--print", "--tools", "all")
    assert (told["section"], told["name"]) == ("mcpServers", "mnemolog")
    assert cli("mcp", "install", code=2).stderr.endswith("or give --print\n")
    assert [path.name for path in user.iterdir()] == ["project"]


def test_where_the_memory_is_goes_into_the_entry(cli: CommandLine, user: Path) -> None:
    """Home and space count from options before or after the command, and from variables."""

    def args(*words: str) -> list[str]:
        entry = json.loads(cli(*words).stdout)["mcpServers"]["mnemolog"]
        return list(entry["args"][2:])

    home = str(user / "project" / "m")
    wanted = ["--home", home, "--space", "boats"]
    assert args("mcp", "install", "--print", "--home", "m", "--space", "boats") == wanted
    assert args("--home", "m", "--space", "boats", "mcp", "install", "--print") == wanted
    cli.variables |= {"MNEMOLOG_HOME": "m", "MNEMOLOG_SPACE": "boats"}
    assert args("mcp", "install", "--print") == wanted


def test_another_entry_is_replaced_when_asked_for(cli: CommandLine, user: Path) -> None:
    """Without --replace it is a conflict that shows the entry that is there."""
    cli("mcp", "install", "gemini")
    error = cli.failure("mcp", "install", "gemini", "--space", "boats", code=4)
    assert error["class"] == "EntryTaken"
    assert "stdio" in str(error["entry"])
    done = cli("mcp", "install", "gemini", "--space", "boats", "--replace")
    assert (
        f"the previous file is kept in {user}/.gemini/settings.json.mnemolog-backup" in done.stderr
    )
    assert "boats" in (user / ".gemini" / "settings.json").read_text()


def test_a_broken_file_is_bad_input_and_stays(cli: CommandLine, user: Path) -> None:
    """The error names the file and its line."""
    file = user / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  "mcpServers": {\n')
    for command in ("install", "uninstall"):
        error = cli.failure("mcp", command, "cursor", code=2)
        assert (error["class"], error["file"], error["line"]) == ("MalformedConfig", str(file), 3)
    assert file.read_text() == '{\n  "mcpServers": {\n'
    assert (
        cli.failure("mcp", "install", "windsurf", "--scope", "project", code=2)["field"] == "scope"
    )
    assert cli.failure("mcp", "install", "cursor", "--name", "a b", code=2)["field"] == "name"


def test_the_installed_program_names_itself(cli: CommandLine, user: Path) -> None:
    """A process of its own writes the path by which it was started."""
    done = cli.process("mcp", "install", "cursor")
    assert done.returncode == 0, done.stderr
    entry = json.loads((user / ".cursor" / "mcp.json").read_text())["mcpServers"]["mnemolog"]
    assert Path(entry["command"]).name == "mnemolog"
    assert Path(entry["command"]).is_absolute()


def test_python_starts_the_command_line_too(cli: CommandLine) -> None:
    """`python -m mnemolog` is what an entry holds where no script is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "mnemolog", "mcp", "install", "--print"],
        capture_output=True,
        cwd=Path(mcp.__file__).parents[1],
        env=cli.environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "mnemolog" in json.loads(done.stdout)["mcpServers"]
