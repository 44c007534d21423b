"""Commands that show events and what they changed: history, audit, log, diff, replay."""

from __future__ import annotations

import sys
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.options import PRESENT, READING, WHOLE_HOME, into, repeated, shared, to_moment
from mnemolog.cli.output import events as tables
from mnemolog.cli.output.printing import write_json
from mnemolog.cli.times import log_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from mnemolog import Entry, Step
    from mnemolog.cli.call import CommandCall

FOLLOW_EVERY_S = 0.5

reference = click.argument("reference", metavar="REFERENCE")


@click.command()
@reference
@shared(*READING)
def history(call: CommandCall, reference: str) -> None:
    """List the events of a memory and its chain.

    REFERENCE is an id, the beginning of one, or @position. The chain is what the
    memory superseded and what superseded it.
    """
    with call.reading() as reader:
        entries = reader.history(reference)
        answer = {"memory_id": reader.get(reference).memory_id, "entries": entries}
        call.answer(answer, lambda _: tables.write_entries(entries))


@click.command()
@reference
@shared(*READING)
def audit(call: CommandCall, reference: str) -> None:
    """Explain a memory's history: who, when and why.

    REFERENCE is an id, the beginning of one, or @position; superseded, withdrawn
    and redacted memories too. `mnemolog log` shows the history of a space.
    """
    with call.reading() as reader:
        story = tables.Story(reader.get(reference), reader.history(reference))
        call.answer(story, tables.write_story)


@click.command()
@click.option(
    "--after",
    type=click.IntRange(min=0),
    default=0,
    metavar="POSITION",
    help="Only events after this position.",
)
@click.option(
    "-n", "--limit", type=click.IntRange(min=1), help="How many at most, counted from the oldest."
)
@click.option("--last", type=click.IntRange(min=1), help="Of those, only this many of the newest.")
@repeated("--kind", "kinds", metavar="WORD", help="Only events of this kind, such as superseded.")
@click.option("--all-spaces", is_flag=True, help="The events of every space of the home.")
@click.option(
    "--follow",
    is_flag=True,
    help="Continue with new events until interrupted; with --json, one object an event.",
)
@shared(*READING)
def log(
    call: CommandCall,
    *,
    after: int,
    limit: int | None,
    last: int | None,
    kinds: tuple[str, ...],
    all_spaces: bool,
    follow: bool,
) -> None:
    """List events, newest last."""
    if follow and call.as_of is not None:
        refuse("the past gets no new events: leave out --as-of")
    with call.reading() as reader:
        events = partial(reader.log.events, kinds=kinds, spaces=() if all_spaces else None)
        found = deque(events(after=after, limit=limit), maxlen=last)
        if follow:
            _follow(call, events, found)
        call.answer({"events": tuple(found)}, lambda _: tables.write_entries(found))


@click.command()
@click.argument("a", metavar="A", callback=log_moment)
@click.argument("b", metavar="B", callback=log_moment)
@shared(*PRESENT)
def diff(call: CommandCall, a: int | str, b: int | str) -> None:
    """Show what changed between two moments.

    A and B are moments as for --as-of: a position, or a time such as yesterday.
    """
    with call.memory() as memory:
        found = memory.diff(a, b)
        call.answer(found, tables.write_diff)


@click.command()
@to_moment
@click.option("--step", is_flag=True, help="Ask after each event whether to continue.")
@into
@shared(*WHOLE_HOME)
def replay(call: CommandCall, *, to: int | str | None, step: bool, into: Path | None) -> None:
    """Fold the log again and show each event's changes.

    The result goes to a scratch home; your home is only read.
    """
    from mnemolog import default_home, replay

    steps = replay(call.home or default_home(), into, to=to)
    if step:
        steps = _one_by_one(steps)
    if call.as_json:
        write_json({"steps": tuple(steps)})
    else:
        for each in steps:
            tables.write_step(each)


def _follow(
    call: CommandCall, events: Callable[..., Iterable[Entry]], found: Iterable[Entry]
) -> NoReturn:
    """Print events, and then new ones as they are appended, until interrupted."""
    position = 0
    while True:
        for entry in found:
            call.answer(entry, tables.write_entry)
            position = entry.position
        time.sleep(FOLLOW_EVERY_S)
        found = events(after=position)


def _one_by_one(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each after the first only when a person continues."""
    if not sys.stdin.isatty():
        refuse("--step asks after each event, and there is no terminal: leave it out")
    for number, step in enumerate(steps):
        if number and _declined():
            return
        yield step


def _declined() -> bool:
    answer: str = click.prompt(
        "Enter continues, q stops", default="", show_default=False, prompt_suffix=" ", err=True
    )
    return answer.strip() == "q"
