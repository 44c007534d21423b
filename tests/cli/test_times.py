"""Times: people read them on their own clock, and programs in UTC."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_people_read_local_times_and_programs_utc(cli: CommandLine) -> None:
    """With a zone of the user's own, answers have its clock and offset, and JSON has UTC."""
    cli("remember", "The port is 8080", "--valid-from", "2026-01-01T12:00:00+00:00")
    cli.variables["TZ"] = "Asia/Kolkata"
    shown = cli.process("show", "@1").stdout.decode()
    assert "true: from 2026-01-01 17:30:00+05:30" in shown
    assert (
        '"valid_from":"2026-01-01T12:00:00Z"' in cli.process("show", "@1", "--json").stdout.decode()
    )


def test_a_time_that_is_shown_can_be_given_back(cli: CommandLine) -> None:
    """The time that a listing prints is a moment for --as-of."""
    cli("remember", "The port is 8080", "--contradictions", "off")
    when = cli("list").stdout.split("\t")[2]
    assert datetime.fromisoformat(when).tzinfo is not None
    cli("list", "--as-of", when)
