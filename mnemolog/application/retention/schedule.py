"""Maintenance schedule: the due jobs of each space and the amount of work in each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.retention.worth import worthy
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Job
from mnemolog.policies.memories import checked_space, checked_texts
from mnemolog.policies.retention.forgetting import DueJob, schedule
from mnemolog.projections.dues import due_by
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.projections.upkeep import jobs_done
from mnemolog.recall.answers.items import moment
from mnemolog.results import Listing, Results, Value

_MOST = 1_000_000


class JobState(Value, frozen=True):
    """State of one maintenance job in a space: whether it is due, and `why`.

    `last_at` is the time of its last run. `result` describes what the job did; it is set after
    a maintenance run.
    """

    job: Job
    due: bool
    last_at: datetime | None
    due_at: datetime | None
    why: str
    result: str | None = None


class Schedule(Results[JobState], frozen=True):
    """Maintenance jobs of one space and the amount of work for them.

    `falling` counts the memories that a tick would downgrade, `waiting` those that
    consolidation would process.
    """

    _over = "jobs"

    space: str
    jobs: tuple[JobState, ...]
    falling: int
    waiting: int


def upkeep_schedule(space: Space, *spaces: str) -> Listing[Schedule]:
    """Maintenance schedule of every space of the home, or of the named spaces; read-only.

    Raises `InvalidField` for a space without memories.
    """
    cut = space.cut()
    return Listing(_schedule_of(space, name, cut) for name in kept_spaces(space, spaces, cut))


def kept_spaces(space: Space, spaces: Sequence[str], cut: Cut) -> tuple[str, ...]:
    """Named spaces, or all with memories. Raises `InvalidField` for one without memories."""
    known = space.home.views.read(lambda db: spaces_as_of(db, cut.position))
    for name in checked_texts("spaces", spaces):
        if checked_space(name) not in known:
            raise InvalidField("spaces", f"{name!r} holds no memories", "name one that does")
    return tuple(dict.fromkeys(spaces)) or known


def _schedule_of(space: Space, name: str, cut: Cut) -> Schedule:
    until = present(space.home, cut)
    falling = space.home.views.read(lambda db: due_by(db, name, until, _MOST))
    return Schedule(
        space=name,
        jobs=tuple(map(job_state, due_jobs(space.home, name, cut, frozenset()))),
        falling=len(falling),
        waiting=len(worthy(space.home, name, cut)),
    )


def due_jobs(home: Home, space: str, cut: Cut, wanted: frozenset[Job]) -> tuple[DueJob, ...]:
    """Job states of a space as of a cut; the jobs in `wanted` are always due.

    Uses the machine's clock only: with the time of a log that is ahead of the clock, no job
    would become due until the clock catches up.
    """
    done = home.views.read(lambda db: jobs_done(db, space, cut.position))
    last = {job: one.at for job, one in done.items()}
    return schedule(last, home.clock.now(), wanted)


def job_state(due: DueJob) -> JobState:
    """Public `JobState` of a job."""
    return JobState(due.job, due.due, moment(due.last_at), moment(due.due_at), due.why)
