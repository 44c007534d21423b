"""Commands that report on a memory: health, stats, gate."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.exit_codes import refuse
from mnemolog.cli.output.printing import at, known_text, when, write_fields, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from mnemolog import Count, FailureClass, Health, Stats
    from mnemolog.cli.calls.call import CommandCall


@opt.command(*opt.READING)
@opt.flag("--all-spaces: The health of every space of the home.")
@opt.flag("--prometheus: Print Prometheus' text format, for a textfile collector.")
def health(call: CommandCall, *, all_spaces: bool, prometheus: bool) -> None:
    """Check a memory's health against limits.

    Growth, the share that has faded, memories forgotten too soon, open conflicts, and ticks: each
    with its limit, and whether it is within it.
    """
    from mnemolog import prometheus_text

    if prometheus and call.as_json:
        refuse("choose one format: leave out --json or --prometheus")
    with call.reading() as reader:
        found = reader.upkeep.healths() if all_spaces else (reader.upkeep.health(),)
    if prometheus:
        click.echo(prometheus_text(found), nl=False)
    elif not call.answered({"spaces": found} if all_spaces else found[0]):
        for place, one in enumerate(found):
            if place:
                write_line()
            _write_health(one)


def _write_health(found: Health) -> None:
    held = "within its limits" if found.holds else "beyond a limit"
    write_fields([("space", found.space), ("health", held)])
    vitals = [
        ("growth a day", found.growth_per_day, "{:.2%}"),
        ("share active", found.active_share, "{:.1%}"),
        ("forgotten too soon", found.forgotten_too_soon, "{:.1%}"),
        ("destroyed after use", found.destroyed_after_use, "{:,.0f}"),
        ("conflicts settled after", found.settled_hours, "{:.1f} h"),
        ("oldest open conflict", found.open_hours, "{:.1f} h"),
        ("since the last tick", found.tick_hours, "{:.1f} h"),
    ]
    within = {None: "-", True: "yes", False: "NO"}
    rows = []
    for name, vital, form in vitals:
        value = "unknown" if vital.value is None else form.format(vital.value)
        rows.append((name, value, f"{vital.side} {form.format(vital.limit)}", within[vital.holds]))
    write_table("measures", "measure, value, limit, within", rows)
    by = {"redaction": "redacted by", "time": "by time, in a tick of"}
    destroyed = [f"{one.memories:,} {by[one.cause]} {one.actor}" for one in found.destroyed]
    rounds, sessions = found.rounds_per_session, "none in 30 days"
    if rounds is not None:
        sessions = f"{found.sessions:,} in 30 days, {rounds:.1f} rounds each"
    write_fields(
        [
            *((status, f"{count:,}") for status, count in found.memories.items()),
            ("conflicts open", f"{found.conflicts_open:,}"),
            ("stored again", f"{found.relearned:,} of {found.deletions:,} deleted"),
            ("destroyed", "; ".join(destroyed) or "none"),
            ("last tick", "never" if found.last_tick is None else when(found.last_tick)),
            ("uses", f"{found.uses.recalls:,} in seven days, {found.uses_ever.recalls:,} ever"),
            ("sessions", sessions),
        ]
    )


@opt.command(*opt.READING)
def stats(call: CommandCall) -> None:
    """Count memories, events and bytes."""
    with call.memory() as memory:
        if call.as_of is None:
            found = memory.upkeep.stats()
            if not call.answered(found):
                _write_stats(found)
            return
        moment = memory.as_of(call.as_of)
        counts = moment.inspect.counts()
        past = {
            "position": moment.position,
            "recorded_at": moment.instant,
            "memories": sum(count.memories for count in counts),
            "counts": counts,
        }
        if not call.answered(past):
            _write_counts(moment.position, moment.instant, counts)


def _write_stats(found: Stats) -> None:
    _write_counts(found.position, found.recorded_at, found.counts)
    write_fields(
        [
            ("events", f"{found.position:,}"),
            ("vectors", f"{found.vectors:,}"),
            *((f"bytes of {name}", f"{size:,}") for name, size in found.bytes.items()),
            ("bytes in total", f"{sum(found.bytes.values()):,}"),
        ]
    )


def _write_counts(position: int, instant: datetime, counts: Sequence[Count]) -> None:
    totals: Counter[str] = Counter()
    for one in counts:
        totals[one.space] += one.memories
    write_fields(
        [
            ("head", f"{at(position)} ({when(instant)})"),
            *((f"{one.space}, {one.kind}, {one.status}", f"{one.memories:,}") for one in counts),
            *((f"{space}, total", f"{total:,}") for space, total in totals.items()),
            ("memories", f"{totals.total():,}"),
        ]
    )


@opt.command(*opt.WRITING, opt.as_of)
@opt.arguments("[CUE]... words")
@opt.option(
    "--report FAILURE: Report that the memory failed on CUE: missed_correction, bad_trade_off, "
    "lost_focus "
    "or a word of your own."
)
@opt.flag("--mitigated: A mitigation was in place.")
@opt.option("--note TEXT: A note on the failure, stored with the report.")
def gate(call: CommandCall, words: tuple[str, ...], *, report: str | None, **facts: object) -> None:
    """Report failures, and see what they call for.

    With --report, a failure on CUE is recorded. If the same failure occurs on two different cues
    despite a mitigation, an operator is proposed: revision for a missed correction, evaluation for
    a bad trade-off, attention for lost focus.
    """
    if report is not None:
        call.refuse_past()
        facts |= {"failure": report, "cue": " ".join(words)}
        call.carry_out(lambda memory: memory.upkeep.report_failure, facts, "create")
        return
    if words or facts != {"mitigated": False, "note": None}:
        refuse("a CUE, --mitigated and --note belong to a report: add --report FAILURE")
    found = call.ask(lambda reader: reader.upkeep.gate)
    if call.answered(found):
        return
    write_line(found.message)
    if found.classes:
        rows = [(one.failure, str(len(one.reports)), one.says) for one in found.classes]
        write_table("failures", "failure, reports, conclusion", rows, map(_reports, found.classes))


def _reports(one: FailureClass) -> Iterator[str]:
    for report in one.reports:
        mitigated = "mitigated" if report.mitigated else "not mitigated"
        yield f"{at(report.position)} {mitigated}: {known_text(report.cue)}"
