"""Maintenance of a home: the due jobs of every space, and one command that runs them."""

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from functools import partial

import apsw
from msgspec.structs import replace

from mnemolog.application.commands.command import command
from mnemolog.application.commands.receipts import drafts
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space, WritableSpace, present, writable_space
from mnemolog.application.retention.consolidate import Consolidation, consolidate
from mnemolog.application.retention.near_duplicates import worthy
from mnemolog.application.retention.tick import Tick, tick
from mnemolog.ledger.errors import CatchUpNotConfirmed, InvalidField, LedgerError
from mnemolog.ledger.events import Draft, Job, Maintained
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.memories import checked_space, checked_texts
from mnemolog.policies.retention.forgetting import JOBS, TICKING, checked_jobs, schedule
from mnemolog.policies.supersession import Decision
from mnemolog.projections.lifecycle import due_by
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.projections.spaces import jobs_done
from mnemolog.recall.items import moment
from mnemolog.results import Listing, Results, Value

_LOCK = "maintain.lock"
_TROUBLE = (LedgerError, OSError, apsw.Error)  # the last where views are busy
_MOST = 1_000_000


class JobState(Value, frozen=True):
    """State of one maintenance job in a space; `result` is what it did in a maintenance run."""

    job: Job
    due: bool
    last_at: datetime | None
    due_at: datetime | None
    why: str
    result: str | None = None


class Schedule(Results[JobState], frozen=True):
    """Maintenance jobs of one space, and the amount of work for a tick and for consolidation."""

    _over = "jobs"

    space: str
    jobs: tuple[JobState, ...]
    falling: int
    waiting: int


class CatchUp(Value, frozen=True):
    """Unconfirmed tick: the fields of `CatchUpNotConfirmed` and its message."""

    falls: dict[Tier, int]
    examples: tuple[tuple[str, str, str | None], ...]
    step_days: float | None
    doubt: str | None
    message: str


class Kept(Results[JobState], frozen=True):
    """Maintenance of one space: the `problem` that stopped it, a tick that must be confirmed."""

    _over = "jobs"

    space: str
    jobs: tuple[JobState, ...]
    tick: Tick | None = None
    consolidation: Consolidation | None = None
    problem: str | None = None
    unconfirmed: CatchUp | None = None


class Maintenance(Results[Kept], frozen=True):
    """Maintenance of a home, by space; `message` explains a run that did nothing."""

    _over = "spaces"

    spaces: tuple[Kept, ...]
    message: str | None = None


def maintain(
    space: WritableSpace, *spaces: str, jobs: Sequence[str] = (), confirmed: bool = False
) -> Maintenance:
    """Run the due jobs in every space of the home, or in the named spaces.

    A job is due when its interval has passed since its last run in the log, or when it is among
    `jobs`. One process at a time maintains a home; a second one returns at once, and other writers
    continue. The next run completes what an interrupted one left undone. An error in one space is
    its `problem`; the others continue. A tick that needs confirmation is skipped unless
    `confirmed`; see `tick`. Raises `InvalidField`.
    """
    wanted = checked_jobs("jobs", checked_texts("jobs", jobs))
    with closing(FileLock(space.home.path / _LOCK)) as lock:
        if not lock.try_acquire():
            message = "another process is maintaining this home: nothing is done here"
            return Maintenance((), message)
        names = _kept_spaces(space, spaces, space.cut())
        kept = tuple(_keep_space(space, name, wanted, confirmed) for name in names)
    idle = all(job.result is None for one in kept for job in one.jobs)
    told = any(one.problem or one.unconfirmed for one in kept)
    return Maintenance(kept, "nothing is due" if idle and not told else None)


def upkeep_schedule(space: Space, *spaces: str) -> Listing[Schedule]:
    """Maintenance schedule of every space with memories, or of the named ones; read-only."""
    home, cut = space.home, space.cut()
    until, found = present(home, cut), []
    for name in _kept_spaces(space, spaces, cut):
        jobs = _jobs_of(home, name, cut, frozenset())
        falling = home.views.read(partial(due_by, space=name, instant=until, limit=_MOST))
        found.append(Schedule(name, jobs, len(falling), len(worthy(home, name, cut))))
    return Listing(found)


def _kept_spaces(space: Space, spaces: Sequence[str], cut: Cut) -> tuple[str, ...]:
    known = space.home.views.read(lambda db: spaces_as_of(db, cut.position))
    for name in checked_texts("spaces", spaces):
        if checked_space(name) not in known:
            raise InvalidField("spaces", f"{name!r} holds no memories", "name one that does")
    return tuple(dict.fromkeys(spaces)) or known


def _jobs_of(home: Home, space: str, cut: Cut, wanted: frozenset[Job]) -> tuple[JobState, ...]:
    done = home.views.read(lambda db: jobs_done(db, space, cut.position))
    last = {job: one.at for job, one in done.items()}
    # By the machine's clock: by that of a log that is ahead of it, no job would become due.
    return tuple(
        JobState(one.job, one.due, moment(one.last_at), moment(one.due_at), one.why)
        for one in schedule(last, home.clock.now(), wanted)
    )


def _keep_space(of: WritableSpace, name: str, wanted: frozenset[Job], confirmed: bool) -> Kept:  # noqa: FBT001 - as given
    space = of
    if name != of.name:
        space = writable_space(of.home, replace(of.author, space=name))
    states: tuple[JobState, ...] = ()
    results, problems = dict[Job, str](), list[str]()
    ticked, consolidation, unconfirmed = None, None, None
    try:
        begun = space.cut()
        states = _jobs_of(space.home, name, begun, wanted)
        due = frozenset(state.job for state in states if state.due)
        try:
            if due & TICKING:
                try:
                    ticked = tick(space, confirmed=confirmed)
                except CatchUpNotConfirmed as asked:
                    facts = asked.falls, asked.examples, asked.step_days, asked.doubt
                    unconfirmed = CatchUp(*facts, str(asked))
                else:
                    problems += ticked.problems
                    results |= _results_of_tick(ticked, due)
            if "consolidation" in due:
                consolidation = consolidate(space)
                results["consolidation"] = _said_of_consolidation(consolidation)
        except _TROUBLE as error:
            problems.append(str(error) or type(error).__name__)
        # An unfinished consolidation is not recorded, so it is due again at the next run.
        whole = consolidation is None or not consolidation.left
        done = tuple(job for job in JOBS if job in results and (whole or job != "consolidation"))
        if done:
            command(space, partial(_maintained, space, done, begun))
    except _TROUBLE as error:
        problems.append(str(error) or type(error).__name__)
    told = tuple(replace(state, result=results.get(state.job)) for state in states)
    problem = "; ".join(dict.fromkeys(problems)) or None
    return Kept(name, told, ticked, consolidation, problem, unconfirmed)


def _maintained(
    space: WritableSpace, jobs: tuple[Job, ...], begun: Cut, cut: Cut
) -> tuple[list[Draft], list[MemoryId]]:
    """`Maintained` event of the jobs; it covers the log up to where they began."""
    now = space.home.clock.now()
    maintained = Maintained(jobs, begun.position, now if now < cut.instant else None)
    return drafts([Decision(maintained, None)], space.author, cut.instant), []


def _results_of_tick(tick: Tick, due: frozenset[Job]) -> dict[Job, str]:
    first, *others = [job for job in JOBS if job in due & TICKING]
    fallen = ", ".join(f"{count:,} {tier}" for tier, count in tick.falls.items())
    said = f"a tick: {fallen or 'nothing had fallen due'}"
    return {first: said, **dict.fromkeys(others, "by the same tick")}


def _said_of_consolidation(done: Consolidation) -> str:
    mended = () if done.dropped is None else done.dropped.events
    dropped = sum(event.kind == "unlinked" for event in mended)
    said = (
        f"{len(done.steps):,} memories taken up, {done.merged:,} merged, "
        f"{done.linked:,} edges drawn, {dropped:,} dropped"
    )
    return f"{said}; {done.left:,} wait for the next run" if done.left else said
