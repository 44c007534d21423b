"""Events, stories and differences, as a person reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemolog.cli.output import (
    SHORTEST_ID,
    Row,
    at,
    one_line,
    short_ids,
    when,
    write_fields,
    write_line,
    write_table,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from mnemolog import Change, Count, Diff, Entry, Item, Stats

_WHOLE_ID = re.compile(r"\b[0-9a-f]{32}\b")


@dataclass(frozen=True)
class Story:
    """A memory, and every event of it and of the chain that it belongs to."""

    memory: Item
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class PastStats:
    """How many memories there were at a past moment, by space, kind and status."""

    position: int
    recorded_at: datetime
    memories: int
    counts: tuple[Count, ...]


def write_entries(entries: Collection[Entry]) -> None:
    """Events as a table, in the order given."""
    ids = short_ids(entry.memory_id for entry in entries if entry.memory_id is not None)
    write_table(
        ("at", "when", "actor", "id", "event"),
        [
            Row(
                (
                    at(entry.position),
                    when(entry.recorded_at),
                    entry.actor,
                    ids.get(entry.memory_id or "", "-"),
                    entry.summary,
                )
            )
            for entry in entries
        ],
    )


def write_entry(entry: Entry) -> None:
    """One event on a line of its own."""
    write_line(_told(entry))


def write_story(story: Story) -> None:
    """What became of a memory: a sentence an event, with its words and reasons below."""
    memory = story.memory
    write_line(f"memory {memory.memory_id} {at(memory.position)} is {memory.status}")
    for entry in story.entries:
        write_line(_told(entry, *_whereabouts(entry)))
        for line in _details(entry):
            write_line(f"    {one_line(line)}")


def write_diff(diff: Diff) -> None:
    """The memories that changed between two moments, and how."""
    write_line(
        f"from {at(diff.a.position)} ({when(diff.a.instant)}) "
        f"to {at(diff.b.position)} ({when(diff.b.instant)})"
    )
    write_changes(diff.changes)


def write_changes(changes: Collection[Change]) -> None:
    """Changes of memories as a table."""
    ids = short_ids(change.memory_id for change in changes if change.memory_id is not None)
    write_table(
        ("at", "id", "change", "memory"),
        [
            Row(
                (
                    at(change.position),
                    ids.get(change.memory_id or "", "-"),
                    changed(change),
                    subject(change),
                )
            )
            for change in changes
        ],
    )


def subject(change: Change) -> str:
    """What the changed memory says; nothing for a setting, which its change names."""
    if change.memory_id is None:
        return ""
    return "(redacted)" if change.content is None else change.content


def changed(change: Change) -> str:
    """What changed, and from what to what."""
    if change.before is None and change.after is None:
        return change.what
    before, after = (
        _WHOLE_ID.sub(_brief, side or "nothing") for side in (change.before, change.after)
    )
    return f"{change.what}: {before} → {after}"


def _brief(whole_id: re.Match[str]) -> str:
    return whole_id[0][:SHORTEST_ID]


def write_stats(stats: Stats | PastStats) -> None:
    """How much there is of everything."""
    write_fields(
        [
            ("head", f"{at(stats.position)} ({when(stats.recorded_at)})"),
            ("memories", f"{stats.memories:,}"),
            *((f"{c.space}, {c.kind}, {c.status}", f"{c.memories:,}") for c in stats.counts),
        ]
    )


def write_sizes(stats: Stats) -> None:
    """How much there is of everything, and what it takes."""
    write_stats(stats)
    write_fields(
        [
            ("vectors", f"{stats.vectors:,}"),
            *((f"bytes of {name}", f"{size:,}") for name, size in stats.bytes.items()),
        ]
    )


def _told(entry: Entry, *more: str) -> str:
    who = " ".join((entry.actor, *more))
    return f"{when(entry.recorded_at)}  {at(entry.position)}  {who}: {one_line(entry.summary)}"


def _whereabouts(entry: Entry) -> Iterator[str]:
    if entry.correlation_id is not None:
        yield f"in run {entry.correlation_id}"
    if entry.memory_id is not None:
        yield f"on {entry.memory_id[:SHORTEST_ID]}"


def _details(entry: Entry) -> Iterator[str]:
    text = one_line(str((entry.content or {}).get("text", "")))
    if text not in entry.summary:
        yield text
    if entry.erased:
        yield "its content was destroyed"
    if entry.opaque:
        yield "this version does not know the kind; the event is kept as it is"
