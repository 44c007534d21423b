"""The schedule by which a space is kept up."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.retention.forgetting import (
    CLOSED_FORM,
    EVERY_HOURS,
    JOBS,
    checked_jobs,
    schedule,
)

HOUR = 3600 * 1_000_000
DOING = [job for job in JOBS if job not in CLOSED_FORM]


def _due(last: dict[str, int], now: int, wanted: frozenset[str] = frozenset()) -> set[str]:
    return {one.job for one in schedule(last, now, wanted) if one.due}


def test_what_was_never_done_is_due() -> None:
    """In a new space everything is due that there is anything to do for."""
    assert _due({}, 5) == set(DOING)


@pytest.mark.parametrize("job", DOING)
def test_a_job_is_due_once_its_time_has_come(job: str) -> None:
    """Each job is due when its own hours have passed since it was last done, and not before."""
    last = dict.fromkeys(DOING, 1000 * HOUR)
    at = 1000 * HOUR + EVERY_HOURS[job] * HOUR
    assert job in _due(last, at)
    assert job not in _due(last, at - HOUR * EVERY_HOURS[job] // 10)


def test_a_little_early_is_in_time() -> None:
    """A cron that comes some seconds sooner than the last time finds its jobs due."""
    last = dict.fromkeys(DOING, 0)
    assert "consolidation" in _due(last, 6 * HOUR - 90_000_000)


@given(st.dictionaries(st.sampled_from(DOING), st.integers(0, 10**16)), st.integers(0, 10**16))
def test_time_only_makes_more_due(ages: dict[str, int], now: int) -> None:
    """What is due stays due until it is done, whatever the hour."""
    last = {job: now - age for job, age in ages.items()}
    assert _due(last, now) <= _due(last, now + HOUR)
    assert [one.job for one in schedule(last, now, frozenset())] == list(JOBS)


@pytest.mark.parametrize("job", DOING)
def test_what_was_done_in_the_future_is_due(job: str) -> None:
    """A job that was done by a clock that was years ahead does not wait for years, and says why."""
    last = dict.fromkeys(DOING, 50_000 * HOUR)
    (found,) = [one for one in schedule(last, HOUR, frozenset()) if one.job == job]
    assert found.due
    assert "a clock was wrong" in found.why
    assert job not in _due(last, 50_000 * HOUR - 1_000_000)


def test_closed_forms_are_never_due_and_say_why() -> None:
    """Jobs without anything to do say so instead of pretending, even when asked for."""
    wanted = frozenset(JOBS)
    for one in schedule({}, 0, wanted):
        if one.job in CLOSED_FORM:
            assert not one.due
            assert one.why.startswith("nothing to do")
        else:
            assert one.due


def test_jobs_are_known_by_name() -> None:
    """A word that is no job is refused by the field it was given in."""
    assert checked_jobs("jobs", ("decay", "consolidation")) == {"decay", "consolidation"}
    with pytest.raises(InvalidField, match="jobs"):
        checked_jobs("jobs", ("dusting",))
