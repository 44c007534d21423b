"""Commands that show events and what they changed: history, audit, log, diff, replay."""

from __future__ import annotations

import sys
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from mnemolog.cli import options as opt, printing as out
from mnemolog.cli.call import log_moment
from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.memories import WHOLE_ID
from mnemolog.cli.printing import at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from mnemolog import Change, Entry, Step
    from mnemolog.cli.call import CommandCall

FOLLOW_EVERY_S = 0.5


@opt.command(opt.reference, *opt.READING)
def history(call: CommandCall, reference: str) -> None:
    """List the events of a memory and its chain.

    REFERENCE is an id, the beginning of one, or @position. The chain is what the memory superseded
    and what superseded it.
    """
    with call.reading() as reader:
        entries = reader.history(reference)
        memory_id = reader.get(reference).memory_id
    if not call.answered({"memory_id": memory_id, "entries": entries}):
        _write_entries(entries)


def _write_entries(entries: Collection[Entry]) -> None:
    ids = out.short_ids(entry.memory_id for entry in entries)
    rows = [
        (at(e.position), e.recorded_at, e.actor, ids.get(e.memory_id or "", "-"), e.summary)
        for e in entries
    ]
    out.write_table("events", "at, when, actor, id, event", rows)


@opt.command(opt.reference, *opt.READING)
def audit(call: CommandCall, reference: str) -> None:
    """Explain a memory's history: who, when and why.

    REFERENCE is an id, the beginning of one, or @position; superseded, withdrawn and redacted
    memories too. `mnemolog log` shows the history of a space.
    """
    with call.reading() as reader:
        memory, entries = reader.get(reference), reader.history(reference)
    if call.answered({"memory": memory, "entries": entries}):
        return
    out.write_line(f"memory {memory.memory_id} {at(memory.position)} is {memory.status}")
    for entry in entries:
        run = entry.correlation_id and f"in run {entry.correlation_id}"
        subject = entry.memory_id and f"on {entry.memory_id[: out.SHORTEST_ID]}"
        out.write_line(_sentence(entry, run, subject))
        text = out.one_line(str((entry.content or {}).get("text", "")))
        if text not in entry.summary:
            out.write_line(f"    {text}")
        if entry.erased:
            out.write_line("    its content was destroyed")
        if entry.opaque:
            out.write_line("    this version does not know the kind; the event is kept unchanged")


def _sentence(entry: Entry, *more: str | None) -> str:
    who = " ".join(filter(None, (entry.actor, *more)))
    summary = out.one_line(entry.summary)
    return f"{out.when(entry.recorded_at)}  {at(entry.position)}  {who}: {summary}"


@opt.command(*opt.READING)
@opt.option("--after POSITION: Only events after this position.", type=click.IntRange(0), default=0)
@opt.option("-n --limit: How many at most, counted from the oldest.", type=click.IntRange(min=1))
@opt.option("--last: Of those, only this many of the newest.", type=click.IntRange(min=1))
@opt.repeated("--kind kinds WORD: Only events of this kind, such as superseded.")
@opt.flag("--all-spaces: The events of every space of the home.")
@opt.flag("--follow: Continue with new events until interrupted; with --json, one object an event.")
def log(
    call: CommandCall, *, last: int | None, all_spaces: bool, follow: bool, **within: object
) -> None:
    """List events, newest last."""
    if follow and call.as_of is not None:
        refuse("the past gets no new events: leave out --as-of")
    with call.reading() as reader:
        events: Callable[..., Iterable[Entry]] = reader.log.events
        within["spaces"] = () if all_spaces else None
        found = deque(events(**within), maxlen=last)
        if follow:
            _follow(call, partial(events, **{**within, "limit": None}), found)
        if not call.answered({"events": tuple(found)}):
            _write_entries(found)


def _follow(
    call: CommandCall, events: Callable[..., Iterable[Entry]], found: Iterable[Entry]
) -> NoReturn:
    position = 0
    while True:
        for entry in found:
            call.say(entry, _sentence(entry))
            position = entry.position
        time.sleep(FOLLOW_EVERY_S)
        found = events(after=position)


@opt.command(opt.arguments("A", "B", callback=log_moment), *opt.PRESENT)
def diff(call: CommandCall, a: int | str, b: int | str) -> None:
    """Show what changed between two moments.

    A and B are moments as for --as-of: a position, or a time such as yesterday.
    """
    with call.memory() as memory:
        found = memory.diff(a, b)
    if call.answered(found):
        return
    start, end = (f"{at(one.position)} ({out.when(one.instant)})" for one in (found.a, found.b))
    out.write_line(f"from {start} to {end}")
    ids = out.short_ids(change.memory_id for change in found.changes)
    rows = [
        (at(one.position), ids.get(one.memory_id or "", "-"), _change(one), _subject(one))
        for one in found.changes
    ]
    out.write_table("changes", "at, id, change, memory", rows)


def _subject(change: Change) -> str:
    """Text of the changed memory; empty for a setting, which its change names."""
    return "" if change.memory_id is None else out.known_text(change.content)


def _change(change: Change) -> str:
    if change.before is None and change.after is None:
        return change.what
    before, after = (
        WHOLE_ID.sub(lambda found: found[0][: out.SHORTEST_ID], side or "nothing")
        for side in (change.before, change.after)
    )
    return f"{change.what}: {before} → {after}"


@opt.command(opt.into, *opt.WHOLE_HOME)
@opt.to_moment
@opt.flag("--step: Ask after each event whether to continue.")
def replay(call: CommandCall, *, to: int | str | None, step: bool, scratch: Path | None) -> None:
    """Fold the log again and show each event's changes.

    The result goes to a scratch home; your home is only read.
    """
    from mnemolog import default_home, replay

    steps = replay(call.home or default_home(), scratch, to=to)
    if step:
        steps = _one_by_one(steps)
    if call.as_json:
        out.write_json({"steps": tuple(steps)})
        return
    for each in steps:
        out.write_line(_sentence(each.entry))
        for change in each.changes:
            text = f"{at(change.position)}  {_change(change)}  “{_subject(change)}”"
            out.write_line("    " + out.one_line(text))


def _one_by_one(steps: Iterable[Step]) -> Iterator[Step]:
    if not sys.stdin.isatty():
        refuse("--step asks after each event, and there is no terminal: leave it out")
    ask = partial(click.prompt, default="", show_default=False, prompt_suffix=" ", err=True)
    for number, step in enumerate(steps):
        if number and ask("Enter continues, q stops").strip() == "q":
            return
        yield step
