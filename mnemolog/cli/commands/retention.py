"""Commands about strength and time: use, due, tick, strength."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from mnemolog.cli.exit_codes import ExitCode
from mnemolog.cli.options import PRESENT, READING, WRITING, limit, number, shared, yes
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.confirmation import agreed_to_catch_up, confirmed
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mnemolog import FallDue, Item, StrengthCurve, Tick
    from mnemolog.cli.call import CommandCall

_CHART_ROWS = 8
_LEVELS = " ▁▂▃▄▅▆▇█"


@click.command()
@click.argument("references", metavar="REFERENCE...", nargs=-1, required=True)
@click.option(
    "--cue",
    metavar="TEXT",
    help="The cue they were recalled for; stored if the setting `keep_cues` is on.",
)
@shared(*WRITING)
def use(call: CommandCall, references: tuple[str, ...], *, cue: str | None) -> None:
    """Report that memories were useful.

    An answer relied on each REFERENCE, or a prompt contained it. They become
    stronger, fade more slowly, and return from the tier to which they had faded.
    """
    with call.memory() as memory:
        memory.use(*references, cue=cue)
        memory.write_uses()
        used = [memory.get(reference) for reference in dict.fromkeys(references)]
    call.answer({"used": used}, lambda _: _write_used(used))


@click.command()
@limit(50)
@shared(*PRESENT)
def due(call: CommandCall, *, limit: int) -> None:
    """List memories the next tick will downgrade, and why."""
    with call.memory() as memory:
        found = memory.upkeep.falling_due(limit=limit)
    call.answer({"due": found}, lambda _: _write_due(found))


@click.command()
@yes
@shared(*WRITING)
def tick(call: CommandCall, *, yes: bool) -> None:
    """Move faded memories to a lower tier.

    Every memory of the space moves as far as it is due, even if the last tick was
    long ago; `mnemolog due` lists them beforehand. By default the lowest tier is
    `archived`, which recall still finds. The setting `lowest_tier` allows lower
    tiers; `deleted` destroys the text.

    Tick asks first if more than five memories would move below `archived`, or if
    nothing was recorded for more than 90 days. Without a terminal it then changes
    nothing and exits with 4; in cron jobs give --yes.
    """
    from mnemolog import CatchUpNotConfirmed

    with call.memory() as memory:
        done = confirmed(
            lambda sure: memory.upkeep.tick(confirmed=sure),
            CatchUpNotConfirmed,
            partial(agreed_to_catch_up, call),
            yes=yes,
        )
    call.answer(done, _write_tick)
    if done.problems:
        click.get_current_context().exit(ExitCode.UNAVAILABLE)
    if not done.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


@click.command()
@click.argument("reference")
@click.option("--ahead", type=int, metavar="DAYS", help="Days of future; default: as many as past.")
@number("--points", 60, "How many points to draw.", 2, 200)
@shared(*READING)
def strength(call: CommandCall, reference: str, *, ahead: int | None, points: int) -> None:
    """Draw the strength of a memory over time.

    REFERENCE is the memory. Below the curve are the events that changed it, and
    the downgrades that will happen if nothing else does.
    """
    call.show(
        lambda reader: reader.strength_curve(reference, points=points, ahead_days=ahead),
        _write_curve,
    )


def _write_used(used: Sequence[Item]) -> None:
    for item in used:
        out.write_line(f"{item.memory_id} has strength {item.strength:.2f} ({item.status})")


def _write_due(found: Sequence[FallDue]) -> None:
    ids = out.short_ids(one.memory_id for one in found)
    columns: dict[str, Callable[[FallDue], str | datetime]] = {
        "memory": lambda one: ids[one.memory_id],
        "from": lambda one: one.tier,
        "to": lambda one: one.to[-1],
        "strength": lambda one: f"{one.strength:.2f}",
        "due since": lambda one: one.due_at,
        "content": lambda one: out.known_text(one.content),
    }
    out.write_table("due memories", found, columns)


def _write_tick(done: Tick) -> None:
    falls = ", ".join(f"{number:,} to {tier}" for tier, number in done.falls.items())
    if done.positions:
        where = " ".join(map(out.at, done.positions))
        out.write_line(f"{where}  tick up to {when(done.until)}")
    if falls:
        out.write_line(f"downgraded: {falls}")
    else:
        out.write_none("due memories")
    if not done.complete:
        out.write_line("some deleted content remains for now; the next command tries again")
    for problem in done.problems:
        out.write_error_line("error", problem)


def _write_curve(curve: StrengthCurve) -> None:
    for row in reversed(range(_CHART_ROWS)):
        label = f"{(row + 1) / _CHART_ROWS:.2f}" if row % 2 else "    "
        bars = "".join(_bar(point.strength, row) for point in curve.points)
        out.write_line(f"{label} ┤{bars.rstrip()}")
    past = sum(point.at <= curve.now for point in curve.points)
    axis = "".join("┴" if place == past - 1 else "─" for place in range(len(curve.points)))
    out.write_line(f"     └{axis}")
    out.write_line(f"      {' ' * max(0, past - 1)}now")
    for mark in curve.marks:
        out.write_line(f"{when(mark.at)}  {out.one_line(mark.text)}")
    for mark in curve.to_come:
        out.write_line(f"{when(mark.at)}  {out.one_line(mark.text)}, if nothing happens")


def _bar(strength: float, row: int) -> str:
    """The block character of a column in one row of the chart."""
    eighths = round((strength * _CHART_ROWS - row) * 8)
    return _LEVELS[min(8, max(0, eighths))]
