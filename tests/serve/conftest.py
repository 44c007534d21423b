"""The home of a user whose agent clients keep settings there."""

from __future__ import annotations

from pathlib import Path

import pytest

VARIABLES = (
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "MNEMOLOG_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a user who is in a project, and has set no variables."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    home = tmp_path / "dana"
    (home / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "project")
    return home
