"""Commands about what is kept and how strongly: admit, flush, use, due, tick, strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.exceptions import Exit

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.call import confirmed
from mnemolog.cli.calls.exit_codes import ExitCode, refuse
from mnemolog.cli.calls.inputs import conversation, text_of, turns_of
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.printing import at, known_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemolog import Admission, Tick
    from mnemolog.cli.calls.call import CommandCall

_CHART_ROWS = 8
_LEVELS = " ▁▂▃▄▅▆▇█"

attention = opt.option(
    "--attention TEXT: The topic of attention; default: in a conversation, what the user said."
)


@opt.command(conversation, attention, opt.memory_fields, opt.contradictions, *opt.WRITING)
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
        admission = store(content, **opt.given(fields, memory))
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
            headings = "at, when, relevance, novelty, content"
            out.write_table("waiting contents", headings, rows)
        return
    call.refuse_past(", or give --show")
    with call.memory() as memory:
        store: Callable[..., Admission] = memory.admission.flush
        admission = store(**options)
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
        done = confirmed(
            lambda sure: memory.upkeep.tick(confirmed=sure),
            CatchUpNotConfirmed,
            call.agreed_to_catch_up,
            yes=yes,
        )
    if not call.answered(done):
        _write_tick(done)
    if done.problems:
        raise Exit(ExitCode.UNAVAILABLE)
    if not done.complete:
        raise Exit(ExitCode.INCOMPLETE)


def _write_tick(done: Tick) -> None:
    falls = ", ".join(f"{number:,} to {tier}" for tier, number in done.falls.items())
    if done.positions:
        where = " ".join(map(at, done.positions))
        out.write_line(f"{where}  tick up to {out.when(done.until)}")
    if falls:
        out.write_line(f"downgraded: {falls}")
    else:
        out.write_none("due memories")
    if not done.complete:
        out.write_line("some deleted content remains for now; the next command tries again")
    for problem in done.problems:
        out.write_error_line("error", problem)


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
    for mark in curve.marks:
        out.write_line(f"{out.when(mark.at)}  {out.one_line(mark.text)}")
    for mark in curve.to_come:
        out.write_line(f"{out.when(mark.at)}  {out.one_line(mark.text)}, if nothing happens")
