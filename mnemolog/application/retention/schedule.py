"""Questions about keeping a home up: which jobs are due in which space, and what there is to do."""

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
from mnemolog.policies.retention.schedule import DueJob, schedule
from mnemolog.projections.dues import due_by
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.projections.upkeep import jobs_done
from mnemolog.recall.answers.items import moment
from mnemolog.results import Listing, Results, Value

_MOST = 1_000_000


class JobState(Value, frozen=True):
    """How one job of a space stands: whether it is due, and `why`.

    `last_at` is when it was last done. After a run of maintenance, `result` says what
    doing it came to.
    """

    job: Job
    due: bool
    last_at: datetime | None
    due_at: datetime | None
    why: str
    result: str | None = None


class Schedule(Results[JobState], frozen=True):
    """How the jobs of one space stand, and how much there is to do for them.

    `falling` memories would fall to another tier, `waiting` ones would be consolidated.
    """

    _over = "jobs"

    space: str
    jobs: tuple[JobState, ...]
    falling: int
    waiting: int


def upkeep_schedule(space: Space, *spaces: str) -> Listing[Schedule]:
    """How the jobs of every space of the home stand, or of those named; writes nothing.

    Raises `InvalidField` for a space that holds no memories.
    """
    cut = space.cut()
    return Listing(_schedule_of(space, name, cut) for name in kept_spaces(space, spaces, cut))


def kept_spaces(space: Space, spaces: Sequence[str], cut: Cut) -> tuple[str, ...]:
    """Spaces named, or all that hold memories. Raises `InvalidField` for one that holds none."""
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
    """How the jobs of a space stand as of a moment; those `wanted` are due in any case.

    By the clock alone: a log that is ahead of it would stand still until it is caught up with.
    """
    done = home.views.read(lambda db: jobs_done(db, space, cut.position))
    last = {job: one.at for job, one in done.items()}
    return schedule(last, home.clock.now(), wanted)


def job_state(due: DueJob) -> JobState:
    """How a job stands, for a reader."""
    return JobState(due.job, due.due, moment(due.last_at), moment(due.due_at), due.why)
