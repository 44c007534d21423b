"""Instant reader: one point in time, as a person types it for an option."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.instants import UnreadTime, read_instant

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 11, 15, 20, tzinfo=BERLIN)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("now", "2026-03-11T15:20"),
        ("today", "2026-03-11"),
        ("Yesterday", "2026-03-10"),
        ("the day before yesterday", "2026-03-09"),
        ("yesterday at 9:30 pm", "2026-03-10T21:30"),
        ("last monday 14:00", "2026-03-09T14:00"),
        ("tomorrow noon", "2026-03-12T12:00"),
        ("14:00", "2026-03-11T14:00"),
        ("2 hours ago", "2026-03-11T13:20"),
        ("2h ago", "2026-03-11T13:20"),
        ("90 min ago", "2026-03-11T13:50"),
        ("one and a half hours ago", "2026-03-11T13:50"),
        ("3 days ago", "2026-03-08"),
        ("3 days ago 14:00", "2026-03-08T14:00"),
        ("two weeks ago at 14:00", "2026-02-25T14:00"),
        ("a fortnight ago", "2026-02-25"),
        ("half a year ago", "2025-09-11"),
        ("in 2 hours", "2026-03-11T17:20"),
        ("last week", "2026-03-02"),
        ("march 2026", "2026-03-01"),
        ("May", "2025-05-01"),
        ("3 June", "2025-06-03"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T10:00", "2026-03-01T10:00"),
    ],
)
def test_a_time_is_read_in_the_local_zone(text, local):
    """A named period is its first instant, hours are exact, and a time of day is added."""
    assert read_instant(text, NOW) == datetime.fromisoformat(local).replace(tzinfo=BERLIN)


def test_a_time_with_a_zone_is_of_that_zone():
    """An ISO 8601 time with its zone is the same instant everywhere."""
    assert read_instant("2026-03-01T10:00Z", NOW) == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "gibberish", "since monday", "before 2020", "between monday and friday", "someday"),
        *("recently", "99999 years ago", "9999 years ago", "2026-13-01", "monday tuesday"),
        *("2 hours", "at 9:00 at 10:00", "last month 9:30", "3" * 5000, "yes" * 5000),
    ],
)
def test_what_names_no_single_instant_is_refused_in_words(text):
    """The refusal has the text and a sentence that says what to give instead."""
    refusal = read_instant(text, NOW)
    assert isinstance(refusal, UnreadTime)
    assert refusal.text == text
    assert "ISO 8601" in refusal.reason


@given(st.integers(1, 5000), st.sampled_from(["hour", "minute", "second"]))
def test_elapsed_time_is_exact(count, unit):
    """So many hours ago is that long before now, whatever the clocks did meanwhile."""
    elapsed = count * timedelta(**{f"{unit}s": 1})
    assert read_instant(f"{count} {unit}s ago", NOW) == NOW.astimezone(UTC) - elapsed


@given(st.text(max_size=150))
def test_any_text_is_read_or_refused(text):
    """No text raises an error."""
    read_instant(text, NOW)
