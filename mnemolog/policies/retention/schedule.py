"""Maintenance schedule of a space: its jobs, and which of them are due."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Job

JOBS: tuple[Job, ...] = get_args(Job)
"""The jobs in the order in which they are done: what fell due first, so that nothing is
consolidated that has faded."""

_HOUR_US = 3600 * 1_000_000
EVERY_HOURS: dict[Job, int] = {
    "recency": 1,
    "decay": 24,
    "archiving": 30 * 24,
    "forgetting": 7 * 24,
    "consolidation": 6,
    "centrality": 24,
}
"""How often each job is looked at, in hours; a month has thirty days."""

_SAID: dict[int, str] = {1: "hour", 6: "6 hours", 24: "day", 7 * 24: "week", 30 * 24: "30 days"}

_EARLY = 0.05
"""The share of its time that a job may come early, so that a cron that runs a few seconds
sooner than the last time does not leave it for an hour.
"""

CLOSED_FORM: dict[Job, str] = {
    "recency": "nothing to do: it is computed for the instant of each question",
    "centrality": "nothing to do: it is computed from the edges when it is asked for",
}
"""The jobs that have nothing to do, and why: nothing of them is stored that could be behind."""

TICKING: frozenset[Job] = frozenset({"decay", "archiving", "forgetting"})
"""The jobs that a tick does: it lets every memory pass to the tier that it has come to."""


_AHEAD = "it was last done at a time that is yet to come: a clock was wrong"


class DueJob(msgspec.Struct, frozen=True):
    """State of one job of a space at an instant.

    `last_at` is when it last ran and `due_at` when it is due next, in microseconds since
    1970 UTC; None if it never ran, and so is due. `why` gives the reason in words.
    """

    job: Job
    due: bool
    last_at: int | None
    due_at: int | None
    why: str


def schedule(last: Mapping[Job, int], now: int, wanted: frozenset[Job]) -> tuple[DueJob, ...]:
    """State of every job at an instant, in execution order.

    `last` is when each last ran. Jobs in `wanted` are always due. So are jobs whose last
    run is in the future: a clock was wrong, and waiting for that time could take years.
    """
    return tuple(_standing(job, last.get(job), now, wanted) for job in JOBS)


def _standing(job: Job, last: int | None, now: int, wanted: frozenset[Job]) -> DueJob:
    hours = EVERY_HOURS[job]
    due_at = None if last is None else last + hours * _HOUR_US
    if job in CLOSED_FORM:
        return DueJob(job, due=False, last_at=None, due_at=None, why=CLOSED_FORM[job])
    if job in wanted:
        return DueJob(job, due=True, last_at=last, due_at=due_at, why="it was asked for")
    if due_at is None:
        return DueJob(job, due=True, last_at=last, due_at=due_at, why="it was never done")
    early = _EARLY * hours * _HOUR_US
    if last is not None and last > now + early:
        return DueJob(job, due=True, last_at=last, due_at=due_at, why=_AHEAD)
    due = now >= due_at - early
    why = f"it is done every {_SAID[hours]}"
    return DueJob(job, due=due, last_at=last, due_at=due_at, why=why)


def checked_jobs(field: str, jobs: tuple[str, ...]) -> frozenset[Job]:
    """Jobs by name. Raises `InvalidField` for an unknown name."""
    for job in jobs:
        if job not in JOBS:
            raise InvalidField(field, f"{job!r} is unknown", f"use {', '.join(JOBS)}")
    return frozenset(known for known in JOBS if known in jobs)
