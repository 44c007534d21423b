"""Commands that look at the ledger itself: history, audit, log, diff, stats."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from mnemolog.cli import stories
from mnemolog.cli.exits import refuse
from mnemolog.cli.options import LOOKING, READING, acts, moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mnemolog import Entry
    from mnemolog.cli.call import Call

FOLLOW_EVERY_S = 0.5

reference = click.argument("reference", metavar="REFERENCE")


@click.command()
@reference
@acts(*READING)
def history(call: Call, reference: str) -> None:
    """List the events of a memory and its chain.

    REFERENCE is an id, the beginning of one, or @position. The chain is what the
    memory superseded and what superseded it.
    """
    with call.reading() as reader:
        entries = reader.history(reference)
        answer = {"memory_id": reader.get(reference).memory_id, "entries": entries}
        call.answer(answer, lambda _: stories.write_entries(entries))


@click.command()
@reference
@acts(*READING)
def audit(call: Call, reference: str) -> None:
    """Tell a memory's whole story, with who, when and why.

    REFERENCE is an id, the beginning of one, or @position. Superseded, withdrawn
    and redacted memories have their story too. `log` tells that of a space.
    """
    with call.reading() as reader:
        story = stories.Story(reader.get(reference), reader.history(reference))
        call.answer(story, stories.write_story)


@click.command()
@click.option(
    "--after",
    type=click.IntRange(min=0),
    default=0,
    metavar="POSITION",
    help="Only events after this position.",
)
@click.option("--limit", type=click.IntRange(min=1), help="How many at most, from the oldest on.")
@click.option("--last", type=click.IntRange(min=1), help="Of those, only so many of the newest.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="WORD",
    help="Only of this kind, such as superseded; may be repeated.",
)
@click.option("--all-spaces", is_flag=True, help="The events of every space of the home.")
@click.option(
    "--follow",
    is_flag=True,
    help="Go on with what is appended until interrupted; with --json, one object an event.",
)
@acts(*READING)
def log(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    *,
    after: int,
    limit: int | None,
    last: int | None,
    kinds: tuple[str, ...],
    all_spaces: bool,
    follow: bool,
) -> None:
    """List events, the newest last."""
    if follow and call.as_of is not None:
        refuse("the past has no more events to follow: leave out --as-of")
    with call.reading() as reader:
        events = partial(reader.log.events, kinds=kinds, spaces=() if all_spaces else None)
        found = deque(events(after=after, limit=limit), maxlen=last)
        if follow:
            _follow(call, events, found)
        call.answer({"events": tuple(found)}, lambda _: stories.write_entries(found))


def _follow(call: Call, events: Callable[..., Iterable[Entry]], found: Iterable[Entry]) -> NoReturn:
    """Print events one by one, and then those that are appended, until interrupted."""
    position = 0
    while True:
        for entry in found:
            call.answer(entry, stories.write_entry)
            position = entry.position
        time.sleep(FOLLOW_EVERY_S)
        found = events(after=position)


@click.command()
@click.argument("a", metavar="A", callback=moment)
@click.argument("b", metavar="B", callback=moment)
@acts(*LOOKING)
def diff(call: Call, a: int | str, b: int | str) -> None:
    """Show what changed between two moments.

    A and B are moments as for --as-of: a position, or a time in ISO 8601.
    """
    with call.memory() as memory:
        call.answer(memory.diff(a, b), stories.write_diff)


@click.command()
@acts(*READING)
def stats(call: Call) -> None:
    """Count memories, events and bytes."""
    with call.memory() as memory:
        if call.as_of is None:
            call.answer(memory.upkeep.stats(), stories.write_sizes)
            return
        moment = memory.as_of(call.as_of)
        counts = moment.counts()
        total = sum(count.memories for count in counts)
        past = stories.PastStats(moment.position, moment.instant, total, counts)
        call.answer(past, stories.write_stats)
