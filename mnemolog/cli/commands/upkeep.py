"""Commands that maintain a home and what it keeps, from admit and tick to verify and doctor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from click.exceptions import Exit

from mnemolog.cli import options as opt, printing as out
from mnemolog.cli.call import given, read_input, text_of, turns_of
from mnemolog.cli.exit_codes import ExitCode, refuse
from mnemolog.cli.printing import at, known_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import Admission, Kept, Maintenance, Memory
    from mnemolog.cli.call import CommandCall

JOBS = ("recency", "decay", "archiving", "forgetting", "consolidation", "centrality")


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
            if call.answered({"spaces": due}):
                return
            rows = [
                (one.space, job.job, "due" if job.due else "-", job.last_at or "-", job.why)
                for one in due
                for job in one.jobs
            ]
            out.write_table("jobs", "space, job, due, last run, why", rows)
            for one in due:
                waiting = f"{one.falling:,}, to consolidate: {one.waiting:,}"
                out.write_line(f"{one.space}: memories to downgrade: {waiting}")
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
    asked = kept.unconfirmed
    if asked is None or not call.agreed_to_catch_up(asked, f"space {kept.space}:"):
        return kept
    waiting = [job.job for job in kept.jobs if job.due and job.result is None]
    done = memory.upkeep.maintain(kept.space, jobs=waiting, confirmed=True)
    # Another process may have begun to maintain the home while the question was open.
    again = done.spaces[0] if done.spaces else kept
    problems = (kept.problem, again.problem if done.spaces else done.message)
    jobs = {job.job: job for job in (*again.jobs, *kept.jobs) if job.result is not None}
    return msgspec.structs.replace(
        again,
        jobs=tuple(jobs.get(job.job, job) for job in again.jobs),
        consolidation=kept.consolidation,
        problem="; ".join(dict.fromkeys(filter(None, problems))) or None,
    )


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
    type=opt.input_file,
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
            known = parse_checkpoint(read_input(checkpoint, 1 << 16), str(checkpoint))
        done = memory.log.verify(known, progress)
    if call.answered(done):
        return
    out.write_fields(
        ("verified", out.counted(done.events, "event")),
        ("head", f"{at(done.head_position)} {done.head_digest}"),
        ("redacted", out.counted(done.erased, "event") if done.erased else None),
        ("extends", at(done.checkpoint.position) if done.checkpoint else None),
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
    call.say(head, f"wrote the checkpoint at {at(head.position)} to {file}")


@opt.command(*opt.WHOLE_HOME)
def rebuild(call: CommandCall) -> None:
    """Rebuild all views and indexes from the log.

    New views are built beside the old ones, which keep answering until the new ones replace them.
    """
    with call.memory() as memory, call.progress() as progress:
        rebuilt = memory.upkeep.rebuild(progress)
    memories, spaces = out.counted(rebuilt.memories, "memory"), out.counted(rebuilt.spaces, "space")
    call.say(rebuilt, f"rebuilt the views up to {at(rebuilt.position)}: {memories} in {spaces}")


@opt.command(*opt.PRESENT)
def index(call: CommandCall) -> None:
    """Embed and index new memories now.

    Recall does this by itself; after a large import this command does it once, and shows its
    progress. If the home cannot be written, the exit code is 7.
    """
    with call.memory() as memory, call.progress() as progress:
        count = memory.upkeep.index(progress)
    call.say({"indexed": count}, f"indexed: {out.counted(count, 'memory')}")


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


_CHART_ROWS = 8
_LEVELS = " ▁▂▃▄▅▆▇█"

attention = opt.option(
    "--attention TEXT: The topic of attention; default: in a conversation, what the user said."
)


@opt.command(opt.conversation, attention, opt.memory_fields, opt.contradictions, *opt.WRITING)
@opt.arguments("[TEXT]... words")
def admit(
    call: CommandCall, words: tuple[str, ...], *, conversation: Path | None, **fields: object
) -> None:
    """Store content if it is relevant and new.

    TEXT (a single - reads it from standard input), or each turn of a conversation, becomes a
    memory, reinforces the memory that says the same, waits in the buffer until `mnemolog flush`, or
    is dropped. The setting `admission` holds the rules.
    """
    if (conversation is None) == (not words):
        refuse("give either a TEXT or --conversation FILE")
    with call.memory("create") as memory:
        store: Callable[..., Admission] = memory.admission.admit
        content = text_of(words) if conversation is None else turns_of(conversation)
        admission = store(content, **given(fields, memory))
    if not call.answered(admission):
        _write_admission(admission)


@opt.command(attention, opt.contradictions, *opt.WRITING, opt.as_of)
@opt.flag("--show: Show the waiting content, and leave it there.")
def flush(call: CommandCall, *, show: bool, **options: object) -> None:
    """Decide on the content that waits in the buffer.

    Each content is scored again as of now: it becomes a memory, reinforces one, or is dropped. Its
    copy in the buffer is destroyed in any case.
    """
    if show:
        if any(value is not None for value in options.values()):
            refuse("--show decides nothing: leave out --attention and --contradictions")
        waiting = call.ask(lambda reader: reader.admission.buffer)
        rows = [
            (at(w.position), w.recorded_at, w.relevance or "", w.novelty or "", w.content)
            for w in waiting
        ]
        if not call.answered({"waiting": waiting}):
            out.write_table("waiting contents", "at, when, relevance, novelty, content", rows)
        return
    call.refuse_past(", or give --show")
    with call.memory() as memory:
        decide: Callable[..., Admission] = memory.admission.flush
        admission = decide(**given(options, memory))
    if not call.answered(admission):
        _write_admission(admission)
    if not admission.complete:
        raise Exit(ExitCode.INCOMPLETE)


def _write_admission(admission: Admission) -> None:
    made = admission.decisions
    ids = out.short_ids(one.memory_id for one in made)
    rows = [(at(m.position), m.placement, ids.get(m.memory_id or "", ""), m.content) for m in made]
    below = [(one.says,) for one in made]
    out.write_table("waiting contents", "at, decision, memory, content", rows, below)
    out.write_remarks(admission.conflicts, admission.warnings)
    if not admission.complete:
        out.write_line("some content of the buffer remains for now; the next command tries again")


@opt.command(*opt.WRITING)
@opt.references
@opt.option("--cue TEXT: The cue they were recalled for; stored if the setting `keep_cues` is on.")
def use(call: CommandCall, references: tuple[str, ...], *, cue: str | None) -> None:
    """Report that memories were useful.

    An answer relied on each REFERENCE, or a prompt contained it. They become stronger, fade more
    slowly, and return from the tier to which they had faded.
    """
    with call.memory() as memory:
        memory.use(*references, cue=cue)
        memory.upkeep.write_uses()
        used = [memory.get(reference) for reference in dict.fromkeys(references)]
    lines = [f"{one.memory_id} has strength {one.strength:.2f} ({one.status})" for one in used]
    call.say({"used": used}, "\n".join(lines))


@opt.command(opt.limit(50), *opt.PRESENT)
def due(call: CommandCall, *, limit: int) -> None:
    """List memories the next tick will downgrade, and why."""
    with call.memory() as memory:
        found = memory.upkeep.falling_due(limit=limit)
    ids = out.short_ids(one.memory_id for one in found)
    rows = [
        (ids[d.memory_id], d.tier, d.to[-1], f"{d.strength:.2f}", d.due_at, known_text(d.content))
        for d in found
    ]
    if not call.answered({"due": found}):
        out.write_table("due memories", "memory, from, to, strength, due since, content", rows)


@opt.command(opt.yes, *opt.WRITING)
def tick(call: CommandCall, *, yes: bool) -> None:
    """Move faded memories to a lower tier.

    Every memory of the space moves as far as it is due, even if the last tick was long ago;
    `mnemolog due` lists them beforehand. By default the lowest tier is `archived`, which recall
    still finds. The setting `lowest_tier` allows lower tiers; `deleted` destroys the text.

    Tick asks first if more than five memories would move below `archived`, or if nothing was
    recorded for more than 90 days. Without a terminal it then changes nothing and exits with 4; in
    cron jobs give --yes.
    """
    from mnemolog import CatchUpNotConfirmed

    with call.memory() as memory:
        try:
            done = memory.upkeep.tick(confirmed=yes)
        except CatchUpNotConfirmed as asked:
            if not call.agreed_to_catch_up(asked):
                raise
            done = memory.upkeep.tick(confirmed=True)
    if not call.answered(done):
        if done.positions:
            where = " ".join(map(at, done.positions))
            out.write_line(f"{where}  tick up to {out.when(done.until)}")
        if done.falls:
            falls = ", ".join(f"{number:,} to {tier}" for tier, number in done.falls.items())
            out.write_line(f"downgraded: {falls}")
        else:
            out.write_none("due memories")
        if not done.complete:
            out.write_line("some deleted content remains for now; the next command tries again")
        for problem in done.problems:
            out.write_error_line("error", problem)
    if done.problems:
        raise Exit(ExitCode.UNAVAILABLE)
    if not done.complete:
        raise Exit(ExitCode.INCOMPLETE)


@opt.command(opt.number("--points: How many points to draw.", 60, 2, 200), *opt.READING)
@opt.reference
@opt.option("--ahead ahead_days DAYS: Days of future; default: as many as past.", type=int)
def strength(call: CommandCall, **options: object) -> None:
    """Draw the strength of a memory over time.

    REFERENCE is the memory. Below the curve are the events that changed it, and the downgrades that
    will happen if nothing else does.
    """
    curve = call.ask(lambda reader: reader.inspect.strength_curve, options)
    if call.answered(curve):
        return
    for row in reversed(range(_CHART_ROWS)):
        label = f"{(row + 1) / _CHART_ROWS:.2f}" if row % 2 else "    "
        eighths = [round((point.strength * _CHART_ROWS - row) * 8) for point in curve.points]
        bars = "".join(_LEVELS[min(8, max(0, each))] for each in eighths)
        out.write_line(f"{label} ┤{bars.rstrip()}")
    past = sum(point.at <= curve.now for point in curve.points)
    axis = "".join("┴" if place == past - 1 else "─" for place in range(len(curve.points)))
    out.write_line(f"     └{axis}")
    out.write_line(f"      {' ' * max(0, past - 1)}now")
    for marks, condition in ((curve.marks, ""), (curve.to_come, ", if nothing happens")):
        for mark in marks:
            out.write_line(f"{out.when(mark.at)}  {out.one_line(mark.text)}{condition}")
