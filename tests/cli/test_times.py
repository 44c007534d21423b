"""Times: people read them on their own clock, and programs in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mnemolog.cli.call import instant_of
from mnemolog.ledger.errors import InvalidTime

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


@pytest.mark.parametrize(
    ("words", "ago"),
    [
        ("yesterday", timedelta(days=1)),
        ("3 days ago", timedelta(days=3)),
        ("Yesterday 9:30", timedelta(days=1) - timedelta(hours=9, minutes=30)),
        ("today at 00:01", -timedelta(minutes=1)),
    ],
)
def test_days_begin_at_midnight_on_the_users_clock(words: str, ago: timedelta) -> None:
    """A day is its first instant; a time of day may follow."""
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    assert datetime.fromisoformat(instant_of("as_of", words)) == (today - ago)


@pytest.mark.parametrize(
    ("words", "ago"),
    [
        ("2 hours ago", timedelta(hours=2)),
        ("an hour ago", timedelta(hours=1)),
        ("30 minutes ago", timedelta(minutes=30)),
    ],
)
def test_hours_and_minutes_are_counted_from_now(words: str, ago: timedelta) -> None:
    """Hours and minutes ago are exact."""
    error = datetime.now().astimezone() - ago - datetime.fromisoformat(instant_of("as_of", words))
    assert abs(error) < timedelta(minutes=1)


@pytest.mark.parametrize("written", ["2026-04-30", "2026-13-99"])
def test_what_begins_with_a_year_is_left_to_the_library(written: str) -> None:
    """The library reads it or refuses it."""
    assert instant_of("as_of", written) == written


@pytest.mark.parametrize("words", ["soon", "yesterday-ish", "last month 9:30"])
def test_words_that_name_no_time_are_refused_with_the_forms_that_do(words: str) -> None:
    """The error names the option, and how to write it."""
    with pytest.raises(InvalidTime, match=r"as_of: .*'2 hours ago'"):
        instant_of("as_of", words)


@pytest.mark.parametrize("command", ["list", "recall tea", "log", "stats", "show @1", "health"])
def test_reading_commands_take_relative_times(cli: CommandLine, command: str) -> None:
    """As of an hour ago, nothing was stored; as of a second ago is no error either."""
    cli("remember", "tea", "--contradictions", "off")
    code = 3 if command == "show @1" else 0
    said = cli(*command.split(), "--as-of", "2 hours ago", code=code).stdout
    assert "tea" not in said
    assert cli.json("diff", "yesterday", "0 seconds ago")["changes"]
