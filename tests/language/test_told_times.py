"""Times that a text tells of, as seen from the day on which it was said."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.told_times import MOST, day_number, told_day, told_times

SAID = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)  # a Wednesday


def number(day: str) -> int:
    """Number of a day from 1970."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("The roofer came on Monday", "2026-03-09", "2026-03-09"),
        ("The roofer will come on Monday", "2026-03-16", "2026-03-16"),
        (
            "The parcel is in, and the lamp will be delivered on the 4th.",
            "2026-04-04",
            "2026-04-04",
        ),
        ("The course begins on 2 February", "2027-02-02", "2027-02-02"),
        ("The course began on 2 February", "2026-02-02", "2026-02-02"),
        ("The choir sings at the museum on 2 May", "2026-05-02", "2026-05-02"),
        ("I've booked the ferry for 2 May", "2026-05-02", "2026-05-02"),
        ("They married on 2 May", "2025-05-02", "2025-05-02"),
        ("New tyres since yesterday", "2026-03-10", "2026-03-10"),
        ("The fox took a hen last night", "2026-03-10", "2026-03-10"),
        ("The workshop ran Tuesday to Thursday", "2026-03-03", "2026-03-05"),
        ("We pay on the first of next month", "2026-04-01", "2026-04-01"),
        ("They married on the last Saturday of May last year", "2025-05-31", "2025-05-31"),
        ("We were in Bruges over the weekend", "2026-03-07", "2026-03-08"),
        ("My aunt stayed with us over Easter 2025", "2025-04-18", "2025-04-21"),
        ("We moved at the end of January", "2026-01-22", "2026-01-31"),
    ],
)
def test_a_text_tells_of_the_days_that_it_names(text: str, first: str, last: str) -> None:
    """A date counts from the day of saying: back, or ahead if the clause is about what comes."""
    (told,) = told_times(text, SAID)
    assert (told.first, told.end) == (number(first), number(last) + 1)


@pytest.mark.parametrize(
    "text", ["We live in Oslo", "We met before Christmas", "Recently the heating broke"]
)
def test_no_certain_day_is_none(text: str) -> None:
    """A text without a date, with an open period or with a vague one tells of no days."""
    assert told_times(text, SAID) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The dentist pulled a tooth on 3 March", "2026-03-03"),
        ("March 2019: the wisdom tooth came out", "2019-03-16"),
        ("Back in 2014 I ran a register", "2014-07-02"),
        ("Glasses came on 12 December, ordered on 27 November", "2025-12-12"),
        ("A new board in the boiler, 14/02/2025, guaranteed until February 2027", "2025-02-14"),
        ("Last August we sailed to Sweden, a wish of mine since 2022", "2025-08-16"),
        ("The driver since 12 February 2024", "2024-02-12"),
        ("The Christmas party was on 12 December", "2025-12-12"),
        ("Every Friday I swim; the race was on 3 May", "2025-05-03"),
        ("The desk came yesterday, ordered on 20 January", "2026-03-10"),
        ("Passover will be at my sister's", "2026-04-05"),
        ("The desk came on Sunday, ordered on 20 January", "2026-03-08"),
        ("We will move in March", "2026-03-16"),
        ("We swim every other Friday", None),
        ("The insurance runs until 30 June", None),
        ("We live in Oslo", None),
    ],
)
def test_what_happened_has_a_day(text: str, day: str | None) -> None:
    """The first date of at most a month says when; a name, a beginning or an end says less."""
    assert told_day(text, SAID) == (None if day is None else number(day))


@given(st.text(st.sampled_from("aeimnorst 0123456789.,:will on the yesterday May")), st.datetimes())
def test_any_text_can_be_read(text: str, said: datetime) -> None:
    """Whatever is said and when, the days are ascending and each period has one."""
    told = told_times(text, said.replace(tzinfo=UTC))
    assert told == sorted(told)
    assert len(told) <= MOST
    assert all(one.first < one.end for one in told)
    assert day_number(SAID) == number("2026-03-11")
