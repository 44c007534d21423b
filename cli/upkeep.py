"""The command that keeps a home up: maintain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.exits import ExitCode, refuse
from cli.options import Name, actor, acts, as_json, home, quiet
from cli.output import Row, when, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.call import Call
    from mnemolog import JobState, Maintenance, Schedule

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
@acts(home, actor, as_json, quiet)
def maintain(call: Call, *, jobs: tuple[str, ...], dry_run: bool) -> None:
    """Do what is due to keep a home up.

    In every space: let fall what has faded, and consolidate what is worth it. Meant
    for cron, as often as hourly; what is not due is left alone, and two at once do
    nothing twice.
    """
    if dry_run and jobs:
        refuse("--job does a job, --dry-run does none: leave one of them out")
    with call.memory() as memory:
        if dry_run:
            due = memory.upkeep(*call.spaces)
            call.answer({"spaces": due}, lambda _: _write_due(due))
            return
        done = memory.maintain(*call.spaces, jobs=jobs)
    call.answer(done, _write_done)
    if any(kept.problem is not None for kept in done.spaces):
        click.get_current_context().exit(ExitCode.UNAVAILABLE)


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
            f"{one.space}: {one.falling:,} memories would fall, {one.waiting:,} be consolidated"
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
        if kept.problem is not None:
            click.echo(f"error: {kept.space}: {kept.problem}", err=True)


def _last(job: JobState) -> str:
    return "-" if job.last_at is None else when(job.last_at)
