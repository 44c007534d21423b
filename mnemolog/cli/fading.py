"""Commands with which time passes: tick, due, use."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from mnemolog.cli.catching_up import agreed
from mnemolog.cli.confirming import confirmed
from mnemolog.cli.exits import ExitCode
from mnemolog.cli.options import LOOKING, WRITING, acts, yes
from mnemolog.cli.output import Row, at, one_line, short_ids, when, write_line, write_table

if TYPE_CHECKING:
    from mnemolog import FallDue, Item, Tick
    from mnemolog.cli.call import Call


@click.command()
@yes
@acts(*WRITING)
def tick(call: Call, *, yes: bool) -> None:
    """Move memories that have faded for long enough to a lower tier.

    Every memory of the space falls as far as it is due, however long ago the last
    tick was; `due` lists beforehand which. By default a memory falls to `archived` at most:
    it is still found. The setting `lowest_tier` allows lower tiers; `deleted` destroys the
    text.

    Asks first if more than five memories would fall below `archived`, or if nothing was
    recorded for more than 90 days. Where nobody can be asked, it changes nothing and exits
    with 4; cron gives --yes.
    """
    from mnemolog import CatchUpNotConfirmed  # noqa: PLC0415 - heavy, and not needed for help

    with call.memory() as memory:
        done = confirmed(
            lambda sure: memory.upkeep.tick(confirmed=sure),
            CatchUpNotConfirmed,
            partial(agreed, call),
            yes=yes,
        )
    call.answer(done, _write_tick)
    if done.problems:
        click.get_current_context().exit(ExitCode.UNAVAILABLE)
    if not done.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


@click.command()
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="How many at most."
)
@acts(*LOOKING)
def due(call: Call, *, limit: int) -> None:
    """List the memories that the next tick moves to a lower tier, and why."""
    with call.memory() as memory:
        found = memory.upkeep.falling_due(limit=limit)
    call.answer({"due": found}, lambda _: _write_due(found))


@click.command()
@click.argument("references", metavar="REFERENCE...", nargs=-1, required=True)
@click.option(
    "--cue", metavar="TEXT", help="What they were recalled for; kept if `keep_cues` is set."
)
@acts(*WRITING)
def use(call: Call, references: tuple[str, ...], *, cue: str | None) -> None:
    """Report that memories were of use.

    An answer rested on each REFERENCE, or a prompt was given it. They grow stronger,
    fade more slowly, and come back from the tier to which they had faded.
    """
    with call.memory() as memory:
        memory.use(*references, cue=cue)
        memory.write_uses()
        used = [memory.get(reference) for reference in dict.fromkeys(references)]
    call.answer(
        {"used": used},
        lambda _: _write_used(used),
    )


def _write_used(used: list[Item]) -> None:
    for item in used:
        write_line(f"{item.memory_id} has strength {item.strength:.2f} ({item.status})")


def _write_tick(told: Tick) -> None:
    falls = ", ".join(f"{number:,} to {tier}" for tier, number in told.falls.items())
    if told.positions:
        where = " ".join(map(at, told.positions))
        write_line(f"{where}  time has passed up to {when(told.until)}")
    write_line(f"fallen: {falls}" if falls else "nothing was due")
    if not told.complete:
        write_line("what was deleted is not gone everywhere yet: the next opening goes on with it")
    for problem in told.problems:
        click.echo(f"error: {problem}", err=True)


def _write_due(found: tuple[FallDue, ...]) -> None:
    if not found:
        write_line("nothing is due")
        return
    ids = short_ids([one.memory_id for one in found])
    write_table(
        ("memory", "from", "to", "strength", "due since", "content"),
        [
            Row(
                (
                    ids[one.memory_id],
                    one.tier,
                    one.to[-1],
                    f"{one.strength:.2f}",
                    when(one.due_at),
                    one_line(one.content or "(redacted)"),
                )
            )
            for one in found
        ],
    )
