"""Events, histories and differences, as a person reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemolog.cli.output import printing as out
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from datetime import datetime

    from mnemolog import Change, Diff, Entry, Item, Step

_WHOLE_ID = re.compile(r"\b[0-9a-f]{32}\b")


@dataclass(frozen=True)
class Story:
    """A memory, with every event of it and of its chain."""

    memory: Item
    entries: tuple[Entry, ...]


def write_entries(entries: Collection[Entry]) -> None:
    """Events as a table, in the given order."""
    ids = out.short_ids(entry.memory_id for entry in entries)
    columns: dict[str, Callable[[Entry], str | datetime]] = {
        "at": lambda entry: out.at(entry.position),
        "when": lambda entry: entry.recorded_at,
        "actor": lambda entry: entry.actor,
        "id": lambda entry: ids.get(entry.memory_id or "", "-"),
        "event": lambda entry: entry.summary,
    }
    out.write_table("events", entries, columns)


def write_entry(entry: Entry) -> None:
    """One event on a line of its own."""
    out.write_line(_sentence(entry))


def write_story(story: Story) -> None:
    """A sentence for each event, with its text and details below."""
    memory = story.memory
    out.write_line(f"memory {memory.memory_id} {out.at(memory.position)} is {memory.status}")
    for entry in story.entries:
        out.write_line(_sentence(entry, *_context(entry)))
        for line in _details(entry):
            out.write_line(f"    {out.one_line(line)}")


def write_diff(diff: Diff) -> None:
    """The memories that changed between two moments, and how."""
    out.write_line(
        f"from {out.at(diff.a.position)} ({when(diff.a.instant)}) "
        f"to {out.at(diff.b.position)} ({when(diff.b.instant)})"
    )
    ids = out.short_ids(change.memory_id for change in diff.changes)
    columns: dict[str, Callable[[Change], str]] = {
        "at": lambda change: out.at(change.position),
        "id": lambda change: ids.get(change.memory_id or "", "-"),
        "change": _change,
        "memory": _subject,
    }
    out.write_table("changes", diff.changes, columns)


def write_step(step: Step) -> None:
    """An event of a replay, with the changes that it made below."""
    write_entry(step.entry)
    for change in step.changes:
        text = f"{out.at(change.position)}  {_change(change)}  “{_subject(change)}”"
        out.write_line("    " + out.one_line(text))


def _subject(change: Change) -> str:
    """Text of the changed memory; empty for a setting, which its change names."""
    return "" if change.memory_id is None else out.known_text(change.content)


def _change(change: Change) -> str:
    """The name of the change, with the values before and after."""
    if change.before is None and change.after is None:
        return change.what
    before, after = (
        _WHOLE_ID.sub(lambda found: found[0][: out.SHORTEST_ID], side or "nothing")
        for side in (change.before, change.after)
    )
    return f"{change.what}: {before} → {after}"


def _sentence(entry: Entry, *more: str) -> str:
    who = " ".join((entry.actor, *more))
    return (
        f"{when(entry.recorded_at)}  {out.at(entry.position)}  {who}: {out.one_line(entry.summary)}"
    )


def _context(entry: Entry) -> Iterator[str]:
    if entry.correlation_id is not None:
        yield f"in run {entry.correlation_id}"
    if entry.memory_id is not None:
        yield f"on {entry.memory_id[: out.SHORTEST_ID]}"


def _details(entry: Entry) -> Iterator[str]:
    text = out.one_line(str((entry.content or {}).get("text", "")))
    if text not in entry.summary:
        yield text
    if entry.erased:
        yield "its content was destroyed"
    if entry.opaque:
        yield "this version does not know the kind; the event is kept unchanged"
