"""Commands that report on a memory: health, stats, gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.options import READING, WRITING, as_of, shared
from mnemolog.cli.output.printing import at, known_text, write_fields, write_line, write_table
from mnemolog.cli.output.receipts import carry_out
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from mnemolog import Count, FailureClass, Gate, Health, Stats, Vital
    from mnemolog.cli.call import CommandCall


@dataclass(frozen=True)
class PastStats:
    """Number of memories at a past moment, by space, kind and status."""

    position: int
    recorded_at: datetime
    memories: int
    counts: tuple[Count, ...]


@click.command()
@click.option("--all-spaces", is_flag=True, help="The health of every space of the home.")
@click.option(
    "--prometheus", is_flag=True, help="Print Prometheus' text format, for a textfile collector."
)
@shared(*READING)
def health(call: CommandCall, *, all_spaces: bool, prometheus: bool) -> None:
    """Check a memory's health against limits.

    Growth, the share that has faded, memories forgotten too soon, open conflicts,
    and ticks: each with its limit, and whether it is within it.
    """
    from mnemolog import prometheus_text

    if prometheus and call.as_json:
        refuse("choose one format: leave out --json or --prometheus")
    with call.reading() as reader:
        found = reader.upkeep.healths() if all_spaces else (reader.upkeep.health(),)
    if prometheus:
        click.echo(prometheus_text(found), nl=False)
    elif all_spaces:
        call.answer({"spaces": found}, lambda _: _write_all(found))
    else:
        call.answer(found[0], _write_health)


@click.command()
@shared(*READING)
def stats(call: CommandCall) -> None:
    """Count memories, events and bytes."""
    with call.memory() as memory:
        if call.as_of is None:
            found = memory.upkeep.stats()
            call.answer(found, _write_sizes)
            return
        moment = memory.as_of(call.as_of)
        counts = moment.counts()
        total = sum(count.memories for count in counts)
        past = PastStats(moment.position, moment.instant, total, counts)
        call.answer(past, _write_counts)


@click.command()
@click.argument("words", metavar="[CUE]...", nargs=-1)
@click.option(
    "--report",
    metavar="FAILURE",
    help="Report that the memory failed on CUE: missed_correction, bad_trade_off, lost_focus "
    "or a word of your own.",
)
@click.option("--mitigated", is_flag=True, help="A mitigation was in place.")
@click.option("--note", metavar="TEXT", help="A note on the failure, stored with the report.")
@shared(*WRITING, as_of)
def gate(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    report: str | None,
    mitigated: bool,
    note: str | None,
) -> None:
    """Report failures, and see what they call for.

    With --report, a failure on CUE is recorded. If the same failure occurs on two
    different cues despite a mitigation, an operator is proposed: revision for a
    missed correction, evaluation for a bad trade-off, attention for lost focus.
    """
    if report is not None:
        if call.as_of is not None:
            refuse("the past cannot be changed: leave out --as-of")
        cue = " ".join(words)
        carry_out(
            call,
            lambda memory: memory.report_failure(report, cue, mitigated=mitigated, note=note),
            "create",
        )
        return
    if words or mitigated or note is not None:
        refuse("a CUE, --mitigated and --note belong to a report: add --report FAILURE")
    call.show(lambda reader: reader.gate(), _write_gate)


def _write_all(found: Sequence[Health]) -> None:
    for place, one in enumerate(found):
        if place:
            write_line()
        _write_health(one)


def _write_health(found: Health) -> None:
    write_fields(
        [
            ("space", found.space),
            ("health", "within its limits" if found.holds else "beyond a limit"),
        ]
    )
    columns: dict[str, Callable[[tuple[str, Vital, str]], str]] = {
        "measure": lambda row: row[0],
        "value": lambda row: "unknown" if row[1].value is None else row[2].format(row[1].value),
        "limit": lambda row: f"{row[1].side} {row[2].format(row[1].limit)}",
        "within": lambda row: {None: "-", True: "yes", False: "NO"}[row[1].holds],
    }
    rows = [
        ("growth a day", found.growth_per_day, "{:.2%}"),
        ("share active", found.active_share, "{:.1%}"),
        ("forgotten too soon", found.forgotten_too_soon, "{:.1%}"),
        ("destroyed after use", found.destroyed_after_use, "{:,.0f}"),
        ("conflicts settled after", found.settled_hours, "{:.1f} h"),
        ("oldest open conflict", found.open_hours, "{:.1f} h"),
        ("since the last tick", found.tick_hours, "{:.1f} h"),
    ]
    write_table("measures", rows, columns)
    write_fields(
        [
            *((status, f"{count:,}") for status, count in found.memories.items()),
            ("conflicts open", f"{found.conflicts_open:,}"),
            ("stored again", f"{found.relearned:,} of {found.deletions:,} deleted"),
            ("destroyed", _destroyed(found)),
            ("last tick", "never" if found.last_tick is None else when(found.last_tick)),
            ("uses", f"{found.uses.recalls:,} in seven days, {found.uses_ever.recalls:,} ever"),
            ("sessions", _sessions(found)),
        ]
    )


def _sessions(found: Health) -> str:
    if found.rounds_per_session is None:
        return "none in 30 days"
    return f"{found.sessions:,} in 30 days, {found.rounds_per_session:.1f} rounds each"


def _destroyed(found: Health) -> str:
    by = {"redaction": "redacted by", "time": "by time, in a tick of"}
    return (
        "; ".join(f"{one.memories:,} {by[one.cause]} {one.actor}" for one in found.destroyed)
        or "none"
    )


def _write_sizes(found: Stats) -> None:
    _write_counts(found)
    write_fields(
        [
            ("events", f"{found.position:,}"),
            ("vectors", f"{found.vectors:,}"),
            *((f"bytes of {name}", f"{size:,}") for name, size in found.bytes.items()),
            ("bytes in total", f"{sum(found.bytes.values()):,}"),
        ]
    )


def _write_counts(found: Stats | PastStats) -> None:
    totals: dict[str, int] = {}
    for count in found.counts:
        totals[count.space] = totals.get(count.space, 0) + count.memories
    write_fields(
        [
            ("head", f"{at(found.position)} ({when(found.recorded_at)})"),
            *((f"{c.space}, {c.kind}, {c.status}", f"{c.memories:,}") for c in found.counts),
            *((f"{space}, total", f"{total:,}") for space, total in totals.items()),
            ("memories", f"{found.memories:,}"),
        ]
    )


def _write_gate(found: Gate) -> None:
    write_line(found.message)
    columns: dict[str, Callable[[FailureClass], str]] = {
        "failure": lambda one: one.failure,
        "reports": lambda one: str(len(one.reports)),
        "conclusion": lambda one: one.says,
    }
    if found.classes:
        write_table("failures", found.classes, columns, _reports)


def _reports(one: FailureClass) -> Iterator[str]:
    for report in one.reports:
        mitigated = "mitigated" if report.mitigated else "not mitigated"
        yield f"{at(report.position)} {mitigated}: {known_text(report.cue)}"
