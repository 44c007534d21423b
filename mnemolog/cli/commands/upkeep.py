"""Commands that maintain a home: maintain, verify, checkpoint, rebuild, index, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from click.exceptions import Exit

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.exit_codes import ExitCode, refuse
from mnemolog.cli.calls.inputs import input_file, read_input
from mnemolog.cli.output import printing as out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemolog import Kept, Maintenance, Memory, Schedule
    from mnemolog.cli.calls.call import CommandCall

JOBS = ("recency", "decay", "archiving", "forgetting", "consolidation", "centrality")
_CHECKPOINT_BYTES = 1 << 16


@opt.command(opt.yes, opt.home, opt.actor, opt.as_json, opt.quiet)
@opt.repeated(
    "-s --space spaces NAME: Only this space, instead of all spaces of the home.",
    type=opt.SpaceName(),
)
@opt.repeated("--job jobs: Run this job even if it is not due.", of=JOBS)
@opt.flag("--dry-run: Show what is due, and change nothing.")
def maintain(call: CommandCall, *, jobs: tuple[str, ...], dry_run: bool, yes: bool) -> None:
    """Run the maintenance jobs that are due.

    In every space, move faded memories to a lower tier, and consolidate memories. Meant for cron,
    as often as hourly: jobs that are not due do not run, and two runs at once do nothing twice.

    Maintain asks first where `mnemolog tick` does. Without a terminal it skips the tick of that
    space, maintains the others, and exits with 4; cron jobs give --yes to go ahead.
    """
    if dry_run and jobs:
        refuse("--job runs a job, --dry-run runs none: leave one of them out")
    with call.memory() as memory:
        if dry_run:
            due = memory.upkeep.schedule(*call.spaces)
            if not call.answered({"spaces": due}):
                _write_due(due)
            return
        done = memory.upkeep.maintain(*call.spaces, jobs=jobs, confirmed=yes)
        spaces = tuple(_with_agreed_tick(call, memory, kept) for kept in done.spaces)
    done = msgspec.structs.replace(done, spaces=spaces)
    if not call.answered(done):
        _write_done(done)
    if any(kept.problem is not None for kept in spaces):
        raise Exit(ExitCode.UNAVAILABLE)
    if any(kept.unconfirmed is not None for kept in spaces):
        raise Exit(ExitCode.CONFLICT)


def _with_agreed_tick(call: CommandCall, memory: Memory, kept: Kept) -> Kept:
    """The result of a space, after the tick that somebody agreed to."""
    asked = kept.unconfirmed
    if asked is None or not call.agreed_to_catch_up(asked, f"space {kept.space}:"):
        return kept
    waiting = [job.job for job in kept.jobs if job.due and job.result is None]
    done = memory.upkeep.maintain(kept.space, jobs=waiting, confirmed=True)
    if not done.spaces:
        # Another process began to maintain the home while the question was open.
        return msgspec.structs.replace(kept, problem=_joined(kept.problem, done.message))
    (again,) = done.spaces
    jobs = {job.job: job for job in (*again.jobs, *kept.jobs) if job.result is not None}
    return msgspec.structs.replace(
        again,
        jobs=tuple(jobs.get(job.job, job) for job in again.jobs),
        consolidation=kept.consolidation,
        problem=_joined(kept.problem, again.problem),
    )


def _joined(*problems: str | None) -> str | None:
    """The problems of two runs as one text, without repetition."""
    return "; ".join(dict.fromkeys(filter(None, problems))) or None


def _write_due(due: Sequence[Schedule]) -> None:
    rows = [
        (one.space, job.job, "due" if job.due else "-", job.last_at or "-", job.why)
        for one in due
        for job in one.jobs
    ]
    out.write_table("jobs", "space, job, due, last run, why", rows)
    for one in due:
        waiting = f"{one.falling:,}, to consolidate: {one.waiting:,}"
        out.write_line(f"{one.space}: memories to downgrade: {waiting}")


def _write_done(done: Maintenance) -> None:
    rows = [
        (kept.space, job.job, job.result) for kept in done.spaces for job in kept.jobs if job.result
    ]
    if rows:
        out.write_table("due jobs", "space, job, result", rows)
    elif not done.spaces and done.message is not None:
        out.write_line(done.message)
    elif done.message is not None:
        out.write_none("due jobs")
    for kept in done.spaces:
        for step in kept.consolidation.steps if kept.consolidation is not None else ():
            out.write_line(f"{kept.space}: {step.changed[0]}")
        if kept.unconfirmed is not None:
            out.write_error_line("error", kept.unconfirmed.message)
        if kept.problem is not None:
            out.write_error_line("error", f"{kept.space}: {kept.problem}")


@opt.command(*opt.WHOLE_HOME)
@opt.option(
    "--checkpoint FILE: Prove also that the log extends this checkpoint; - reads standard input.",
    type=input_file,
)
def verify(call: CommandCall, *, checkpoint: Path | None) -> None:
    """Prove that the log is unchanged.

    Every digest is computed again. If an event was changed, removed or inserted, verify names the
    first one and exits with 5. It also exits with 5 if the log has lost events or was replaced by
    another one.
    """
    from mnemolog import parse_checkpoint

    with call.memory() as memory, call.progress() as progress:
        known = None
        if checkpoint is not None:
            known = parse_checkpoint(read_input(checkpoint, _CHECKPOINT_BYTES), str(checkpoint))
        done = memory.log.verify(known, progress)
    if call.answered(done):
        return
    out.write_fields(
        [
            ("verified", out.counted(done.events, "event")),
            ("head", f"{out.at(done.head_position)} {done.head_digest}"),
            ("redacted", out.counted(done.erased, "event") if done.erased else None),
            ("extends", out.at(done.checkpoint.position) if done.checkpoint else None),
        ]
    )


@opt.command(opt.new_file, *opt.WHOLE_HOME)
def checkpoint(call: CommandCall, *, file: Path | None) -> None:
    """Write the log's head, to keep elsewhere.

    The output goes to FILE, which must not exist yet, or to standard output. `mnemolog verify
    --checkpoint` proves later that the log still extends it.
    """
    from mnemolog.ledger.scratch import written_new

    with call.memory() as memory:
        head = memory.log.checkpoint()
    if file is None:
        out.write_json(head)
        return
    with written_new(file) as target:
        target.write(msgspec.json.encode(head) + b"\n")
    said = f"wrote the checkpoint at {out.at(head.position)} to {file}"
    call.say(head, said)


@opt.command(*opt.WHOLE_HOME)
def rebuild(call: CommandCall) -> None:
    """Rebuild all views and indexes from the log.

    New views are built beside the old ones, which keep answering until the new ones replace them.
    """
    with call.memory() as memory, call.progress() as progress:
        rebuilt = memory.upkeep.rebuild(progress)
    memories, spaces = out.counted(rebuilt.memories, "memory"), out.counted(rebuilt.spaces, "space")
    said = f"rebuilt the views up to {out.at(rebuilt.position)}: {memories} in {spaces}"
    call.say(rebuilt, said)


@opt.command(*opt.PRESENT)
def index(call: CommandCall) -> None:
    """Embed and index new memories now.

    Recall does this by itself; after a large import this command does it once, and shows its
    progress. If the home cannot be written, the exit code is 7.
    """
    with call.memory() as memory, call.progress() as progress:
        count = memory.upkeep.index(progress)
    said = f"indexed: {out.counted(count, 'memory')}"
    call.say({"indexed": count}, said)


@opt.command(*opt.WHOLE_HOME)
@opt.flag("--accept-loss: Continue with a log that lost events, or was replaced by another one.")
@opt.flag("--all everything: Embed all texts again and compare the vectors, not only 500 of them.")
def doctor(call: CommandCall, *, accept_loss: bool, everything: bool) -> None:
    """Examine the home and report problems.

    The exit code is 5 if there is an error.
    """
    with call.memory() as memory, call.progress() as progress:
        if accept_loss:
            memory.log.accept_loss()
        examine = memory.upkeep.doctor
        diagnosis = examine(progress, sample=None) if everything else examine(progress)
    if not call.answered(diagnosis):
        rows = [(finding.level, finding.subject, finding.text) for finding in diagnosis.findings]
        out.write_table("findings", "level, subject, finding", rows)
    if any(finding.level == "error" for finding in diagnosis.findings):
        raise Exit(ExitCode.DAMAGED)
