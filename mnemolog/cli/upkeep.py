"""The command that keeps a home up: maintain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.catching_up import agreed
from mnemolog.cli.exits import ExitCode, refuse
from mnemolog.cli.options import Name, actor, acts, as_json, home, quiet, yes
from mnemolog.cli.output import Row, when, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemolog import JobState, Kept, Maintenance, Memory, Schedule
    from mnemolog.cli.call import Call

JOBS = ("recency", "decay", "archiving", "forgetting", "consolidation", "centrality")


@click.command()
@click.option(
    "--space",
    "spaces",
    type=Name(),
    multiple=True,
    metavar="NAME",
    help="Only this space, instead of all of the home; may be repeated.",
)
@click.option(
    "--job",
    "jobs",
    type=click.Choice(JOBS),
    multiple=True,
    help="Do this job though its time has not come; may be repeated.",
)
@click.option("--dry-run", is_flag=True, help="Say what is due, and do nothing.")
@yes
@acts(home, actor, as_json, quiet)
def maintain(call: Call, *, jobs: tuple[str, ...], dry_run: bool, yes: bool) -> None:
    """Do what is due to keep a home up.

    In every space: move what has faded to a lower tier, and consolidate what is worth it.
    Meant for cron, as often as hourly; what is not due is left alone, and two at once do
    nothing twice.

    Asks first where `tick` does. Where nobody can be asked, that space is left as it is,
    the others are done, and the exit code is 4; cron gives --yes if it is to go ahead.
    """
    if dry_run and jobs:
        refuse("--job does a job, --dry-run does none: leave one of them out")
    with call.memory() as memory:
        if dry_run:
            due = memory.upkeep.schedule(*call.spaces)
            call.answer({"spaces": due}, lambda _: _write_due(due))
            return
        from msgspec.structs import replace  # noqa: PLC0415 - not needed for --help

        done = memory.upkeep.maintain(*call.spaces, jobs=jobs, confirmed=yes)
        done = replace(done, spaces=tuple(_asked(call, memory, kept) for kept in done.spaces))
    call.answer(done, _write_done)
    if any(kept.problem is not None for kept in done.spaces):
        click.get_current_context().exit(ExitCode.UNAVAILABLE)
    if any(kept.unconfirmed is not None for kept in done.spaces):
        click.get_current_context().exit(ExitCode.CONFLICT)


def _asked(call: Call, memory: Memory, kept: Kept) -> Kept:
    """What was done in a space, with the tick that somebody agrees to when asked."""
    from msgspec.structs import replace  # noqa: PLC0415 - as above

    if kept.unconfirmed is None:
        return kept
    if not agreed(call, kept.unconfirmed, f"space {kept.space}:"):
        return kept
    waiting = [job.job for job in kept.jobs if job.due and job.result is None]
    done = memory.upkeep.maintain(kept.space, jobs=waiting, confirmed=True)
    if not done.spaces:
        # Another process maintains the home since the question was asked.
        return replace(kept, problem=_both(kept.problem, done.message))
    (again,) = done.spaces
    jobs = {job.job: job for job in (*again.jobs, *kept.jobs) if job.result is not None}
    return replace(
        again,
        jobs=tuple(jobs.get(job.job, job) for job in again.jobs),
        consolidation=kept.consolidation,
        problem=_both(kept.problem, again.problem),
    )


def _both(*problems: str | None) -> str | None:
    """The problems of two runs as one, each told once."""
    return "; ".join(dict.fromkeys(filter(None, problems))) or None


def _write_due(due: Sequence[Schedule]) -> None:
    write_table(
        ("space", "job", "due", "last done", "why"),
        [
            Row((one.space, job.job, "due" if job.due else "-", _last(job), job.why))
            for one in due
            for job in one.jobs
        ],
    )
    for one in due:
        write_line(
            f"{one.space}: memories that would fall: {one.falling:,}, be consolidated: "
            f"{one.waiting:,}"
        )


def _write_done(done: Maintenance) -> None:
    if done.message is not None:
        write_line(done.message)
    write_table(
        ("space", "job", "what was done"),
        [
            Row((kept.space, job.job, job.result))
            for kept in done.spaces
            for job in kept.jobs
            if job.result is not None
        ],
    )
    for kept in done.spaces:
        if kept.consolidation is not None:
            for step in kept.consolidation.steps:
                write_line(f"{kept.space}: {step.changed[0]}")
        if kept.unconfirmed is not None:
            click.echo(f"error: {kept.unconfirmed.message}", err=True)
        if kept.problem is not None:
            click.echo(f"error: {kept.space}: {kept.problem}", err=True)


def _last(job: JobState) -> str:
    return "-" if job.last_at is None else when(job.last_at)
