"""Times are microseconds in UTC, and never guessed."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.clock import (
    FIRST,
    NEVER,
    SystemClock,
    from_datetime,
    parse_time,
    to_datetime,
    to_iso,
)
from mnemolog.ledger.errors import InvalidTime

zoned = st.datetimes(
    min_value=datetime(1, 1, 3),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9999, 12, 29),  # noqa: DTZ001 - as above
    timezones=st.integers(-1439, 1439).map(lambda m: timezone(timedelta(minutes=m))),
)


@given(moment=zoned)
def test_an_instant_survives_every_form(moment: datetime) -> None:
    """Aware datetimes and ISO texts of any zone come back as the same instant."""
    instant = from_datetime("at", moment)
    assert to_datetime(instant) == moment
    assert parse_time("at", moment.isoformat()) == instant
    if moment.astimezone(UTC).year >= 1000:
        assert parse_time("at", to_iso(instant)) == instant


def test_a_date_is_its_midnight_in_utc() -> None:
    """A date without a time needs no zone."""
    assert parse_time("at", " 2026-04-30 ") == from_datetime(
        "at", datetime(2026, 4, 30, tzinfo=UTC)
    )
    assert to_iso(parse_time("at", "2026-04-30")) == "2026-04-30T00:00:00.000000Z"


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-01", "2026-04-30T25:00Z", "30.04.2026", "2026-04-30T14:00"]
)
def test_other_texts_are_refused(text: str) -> None:
    """What is not ISO 8601, or a time without a zone, names the field and the way to write it."""
    with pytest.raises(InvalidTime) as raised:
        parse_time("valid_from", text)
    assert raised.value.field == "valid_from"
    assert raised.value.fix


def test_a_datetime_without_a_zone_is_refused() -> None:
    """Guessing a zone would store another instant on another machine."""
    with pytest.raises(InvalidTime, match="time zone"):
        from_datetime("at", datetime(2026, 4, 30))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+14:00"])
def test_a_time_that_is_none_in_utc_is_refused(text: str) -> None:
    """What could not be shown again is not stored: the ends of the calendar, elsewhere."""
    with pytest.raises(InvalidTime, match="UTC"):
        parse_time("valid_until", text)


def test_an_instant_that_no_calendar_has_is_shown_as_the_nearest() -> None:
    """A log that holds one can be read all the same."""
    assert to_datetime(FIRST) == to_datetime(FIRST - 1) == datetime.min.replace(tzinfo=UTC)
    assert to_datetime(NEVER - 1) == to_datetime(10**30) == datetime.max.replace(tzinfo=UTC)


def test_the_systems_clock_counts_microseconds() -> None:
    """The machine's clock gives the present in microseconds."""
    before = time.time_ns() // 1000
    assert before <= SystemClock().now() <= time.time_ns() // 1000
