"""What differs on a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import CommandLine


@pytest.fixture
def filled(cli: CommandLine) -> CommandLine:
    """A home with two memories, one of them long."""
    cli("remember", "The port is 8080")
    cli("remember", "Ferrets sleep " + "very " * 200 + "long")
    return cli


def test_a_terminal_gets_tables_in_colour(filled: CommandLine) -> None:
    """Headings, colour and a cut of long texts are for terminals."""
    code, shown = filled.terminal("list")
    assert code == 0
    assert "\x1b[" in shown
    assert "memory" in shown
    assert "…" in shown
    assert max(len(line) for line in shown.splitlines()) < 200


def test_colour_can_be_switched_off(filled: CommandLine) -> None:
    """NO_COLOR leaves the table without colours."""
    _, shown = filled.terminal("list", NO_COLOR="1")
    assert "\x1b[3" not in shown
    assert "memory" in shown


def test_a_redaction_asks_first(filled: CommandLine) -> None:
    """Declined, nothing happens and the exit code is 130; accepted, the content goes."""
    assert filled.terminal("redact", "@1", keys="n\n")[0] == 130
    assert filled.json("show", "@1")["content"] == "The port is 8080"
    assert filled.terminal("redact", "@1", keys="y\n")[0] == 0
    assert filled.json("show", "@1")["content"] is None


def test_a_replay_goes_step_by_step(filled: CommandLine) -> None:
    """With --step each event waits for Enter, and q ends the replay."""
    code, stopped = filled.terminal("replay", "--step", keys="q\n")
    assert code == 0
    assert "@1" in stopped
    assert "@2" not in stopped
    assert "@2" in filled.terminal("replay", "--step", keys="\n")[1]


def test_long_work_shows_its_progress(filled: CommandLine, tmp_path: Path) -> None:
    """A bar names the work on a terminal, unless told to be quiet."""
    code, shown = filled.terminal("export", tmp_path / "a.jsonl")
    assert code == 0
    assert "━" in shown
    assert "━" not in filled.terminal("export", tmp_path / "b.jsonl", "--quiet")[1]


def test_an_import_shows_its_rate(filled: CommandLine, tmp_path: Path) -> None:
    """Beside the bar stand the count and how many are done a second."""
    source = tmp_path / "talk.jsonl"
    source.write_text("".join(f'{{"content": "Crate {n} is of pine"}}\n' for n in range(1_200)))
    code, shown = filled.terminal("import", source, "--contradictions", "off", NO_COLOR="1")
    assert code == 0
    assert re.search(r"[1-9]\d*/1200 +[1-9][\d,]* a second", shown)
