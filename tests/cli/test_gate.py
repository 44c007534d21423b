"""The operator gate on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_the_gate_shows_what_was_reported(cli: CommandLine) -> None:
    """One miss proposes nothing; recurring on another cue with mitigation, it does."""
    cli("config", "strategy", "hybrid")
    assert cli("gate").stdout == "No failure is reported, so nothing is proposed.\n"
    cli("gate", "--report", "missed_correction", "--mitigated", "which", "port")
    assert cli("gate").stdout.startswith("One miss is reported")
    cli("gate", "--report", "missed_correction", "--mitigated", "--note", "old", "which host")
    shown = cli("gate").stdout
    assert "Proposed: revision." in shown
    assert "@2 mitigated: which port" in shown
    assert cli.json("gate")["proposals"][0]["operator"] == "revision"
    assert cli.json("gate", "--as-of", 2)["proposals"] == []


def test_a_report_is_whole_or_refused(cli: CommandLine) -> None:
    """What belongs to a report needs one, and the past takes none."""
    cli("gate", "which port", code=2)
    cli("gate", "--report", "lost_focus", "x", "--as-of", "0", code=2)
    assert cli.failure("gate", "--report", "lost_focus", code=2)["field"] == "cue"
