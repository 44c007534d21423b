"""Maintenance of a home: one command runs the due jobs of every space; safe from cron."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence

import apsw
import msgspec

from mnemolog.application.commands.command import command
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.home.space import Cut, WritableSpace, writable_space
from mnemolog.application.retention.consolidate import Consolidation, consolidate
from mnemolog.application.retention.schedule import JobState, due_jobs, job_state, kept_spaces
from mnemolog.application.retention.tick import Tick, tick
from mnemolog.application.retention.use import record_uses
from mnemolog.ledger.errors import CatchUpNotConfirmed, LedgerError
from mnemolog.ledger.events import Draft, Job, Maintained
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.memories import checked_texts
from mnemolog.policies.retention.schedule import JOBS, TICKING, DueJob, checked_jobs
from mnemolog.policies.supersession import Decision
from mnemolog.results import Results, Value

_LOCK = "maintain.lock"
_TROUBLE = (LedgerError, OSError, apsw.Error)
"""Errors that end maintenance of one space: mnemolog's own, file system, and busy views."""
_ELSEWHERE = "another process is maintaining this home: nothing is done here"


class CatchUp(Value, frozen=True):
    """Unconfirmed tick: the fields of `CatchUpNotConfirmed` and its message."""

    falls: dict[Tier, int]
    examples: tuple[tuple[str, str, str | None], ...]
    step_days: float | None
    doubt: str | None
    message: str


class Kept(Results[JobState], frozen=True):
    """Maintenance of one space: its jobs and their results.

    `problem` is the error that stopped maintenance of this space. `unconfirmed` is a tick that
    did not run because a user must confirm it first.
    """

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
    `jobs`. One process at a time maintains a home; a second one returns at once without doing
    anything, and other writers continue. The next run completes what an interrupted or killed
    run left undone. An error in one space is reported in its `problem`; the other spaces
    continue. A tick that needs confirmation is skipped unless `confirmed` is set; see `tick`.
    Raises `InvalidField`.
    """
    wanted = checked_jobs("jobs", checked_texts("jobs", jobs))
    lock = FileLock(space.home.path / _LOCK)
    try:
        if not lock.try_acquire():
            return Maintenance((), _ELSEWHERE)
        names = kept_spaces(space, spaces, space.cut())
        kept = tuple(_keep_space(_space_named(space, name), wanted, confirmed) for name in names)
    finally:
        lock.close()
    idle = all(job.result is None for one in kept for job in one.jobs)
    told = any(one.problem or one.unconfirmed for one in kept)
    return Maintenance(kept, "nothing is due" if idle and not told else None)


def _space_named(space: WritableSpace, name: str) -> WritableSpace:
    """Writable space `name` of the same home, with the same author."""
    if name == space.name:
        return space
    return writable_space(
        space.home, msgspec.structs.replace(space.author, space=name), record_uses
    )


def _keep_space(space: WritableSpace, wanted: frozenset[Job], confirmed: bool) -> Kept:  # noqa: FBT001 - as given
    """Run the due jobs of one space and record them in the log."""
    states: tuple[DueJob, ...] = ()
    results: dict[Job, str] = {}
    ticked, consolidation, unconfirmed = None, None, None
    problems: builtins.list[str] = []
    try:
        begun = space.cut()
        states = due_jobs(space.home, space.name, begun, wanted)
        due = frozenset(state.job for state in states if state.due)
        try:
            if due & TICKING:
                try:
                    ticked = tick(space, confirmed=confirmed)
                except CatchUpNotConfirmed as asked:
                    unconfirmed = CatchUp(
                        asked.falls, asked.examples, asked.step_days, asked.doubt, str(asked)
                    )
                else:
                    problems += ticked.problems
                    results.update(_results_of_tick(ticked, due))
            if "consolidation" in due:
                consolidation = consolidate(space)
                results["consolidation"] = _said_of_consolidation(consolidation)
        except _TROUBLE as error:
            problems.append(_said_of_trouble(error))
        _say_done(space, results, consolidation, begun)
    except _TROUBLE as error:
        problems.append(_said_of_trouble(error))
    told = tuple(
        msgspec.structs.replace(job_state(state), result=results.get(state.job)) for state in states
    )
    problem = "; ".join(dict.fromkeys(problems)) or None
    return Kept(space.name, told, ticked, consolidation, problem, unconfirmed)


def _say_done(
    space: WritableSpace,
    results: Mapping[Job, str],
    consolidation: Consolidation | None,
    begun: Cut,
) -> None:
    # An unfinished consolidation is not recorded, so it is due again at the next run.
    whole = consolidation is None or not consolidation.left
    done = [job for job in JOBS if job in results and (whole or job != "consolidation")]
    if done:
        command(space, lambda cut: (_maintained(space, done, begun, cut), []))


def _maintained(
    space: WritableSpace, jobs: Sequence[Job], begun: Cut, cut: Cut
) -> builtins.list[Draft]:
    """`Maintained` event of the jobs; it covers the log up to where they began."""
    now = space.home.clock.now()
    at = now if now < cut.instant else None
    decision = Decision(Maintained(tuple(jobs), begun.position, at), None)
    return drafts([decision], space.author, cut.instant)


def _said_of_trouble(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _results_of_tick(tick: Tick, due: frozenset[Job]) -> dict[Job, str]:
    """Result sentences of the jobs that one tick runs; the first job gets the details."""
    first, *others = [job for job in JOBS if job in due & TICKING]
    fallen = ", ".join(f"{count:,} {tier}" for tier, count in tick.falls.items())
    said = f"a tick: {fallen}" if fallen else "a tick: nothing had fallen due"
    return {first: said, **dict.fromkeys(others, "by the same tick")}


def _said_of_consolidation(done: Consolidation) -> str:
    mended = () if done.dropped is None else done.dropped.events
    dropped = sum(event.kind == "unlinked" for event in mended)
    said = (
        f"{len(done.steps):,} memories taken up, {done.merged:,} merged, "
        f"{done.linked:,} edges drawn, {dropped:,} dropped"
    )
    return f"{said}; {done.left:,} wait for the next run" if done.left else said
