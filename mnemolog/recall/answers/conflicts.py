"""Conflicts between memories, and their notes on the hits of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.events import (
    VOCABULARY,
    ConflictContent,
    ConflictType,
    Event,
    Outcome,
    Resolution,
    Severity,
    Winner,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.rows import proven
from mnemolog.projections.conflicts import ConflictRow, conflicts_of, is_open
from mnemolog.projections.memory_queries import Status, rows_as_of
from mnemolog.projections.views import Views
from mnemolog.recall.answers.answers import Explanation, Hit, Recall
from mnemolog.recall.answers.items import Item, moment, read_items
from mnemolog.results import Value


class Side(Value, frozen=True):
    """Side of a conflict; `content` is None once it is redacted."""

    memory_id: MemoryId
    position: Position
    recorded_at: datetime
    content: str | None
    status: Status
    source: str | None


class Conflict(Value, frozen=True):
    """Conflict: two memories that contradict each other.

    `outcome` is the decision at detection: `contested` and `pending` leave the conflict open.
    `age_days` is how long it has been open, or was until it was settled; 0 if it never was.
    `winner` is set once it is settled. `reason` is None if the text it quotes was redacted.
    """

    conflict_id: EventId
    position: Position
    found_at: datetime
    new: Side
    old: Side
    type: ConflictType
    severity: Severity
    resolution: Resolution
    outcome: Outcome
    judge: str
    similarity: float | None
    attribute: str | None
    reason: str | None
    open: bool
    age_days: float
    settled_at: datetime | None
    winner: Winner | None


_DAY = 86_400_000_000
_WAITING = frozenset({"contested", "pending"})


def read_conflicts(
    rows: Sequence[ConflictRow],
    space: str,
    position: Position,
    instant: int,
    sources: tuple[Log, Views],
) -> tuple[Conflict, ...]:
    """Conflicts of these rows, completed from the log, in their order."""
    log, views = sources
    ids = dict.fromkeys(one for row in rows for one in (row.new, row.other))
    states = views.read(lambda db: rows_as_of(db, [*ids], position))
    read = read_items([*states.values()], space, position, instant, sources)
    items = {item.memory_id: item for item in read}
    wanted = {at for row in rows for at in (row.at, row.since, row.until) if at is not None}
    events = proven(log, sorted(wanted))
    return tuple(
        _conflict(row, (items[row.new], items[row.other]), events, instant)
        for row in rows
        if row.new in items and row.other in items and row.at in events
    )


def _conflict(
    row: ConflictRow, between: tuple[Item, Item], events: Mapping[Position, Event], instant: int
) -> Conflict:
    new, old = (
        Side(one.memory_id, one.position, one.recorded_at, one.content, one.status, one.source)
        for one in between
    )
    decoded = VOCABULARY.decode(events[row.at])
    said = decoded.content if isinstance(decoded.content, ConflictContent) else None
    began = None if row.since is None else events[row.since].recorded_at
    ended = None if row.until is None else events[row.until].recorded_at
    lasted = 0 if began is None else (instant if ended is None else ended) - began
    return Conflict(
        row.conflict,
        row.at,
        to_datetime(events[row.at].recorded_at),
        new,
        old,
        row.type,
        row.severity,
        row.resolution,
        row.outcome,
        row.judge,
        row.similarity,
        attribute=None if said is None else said.attribute,
        reason=None if said is None else said.reason,
        open=is_open(row) and new.status in _WAITING,
        age_days=round(max(0, lasted) / _DAY, 4),
        settled_at=moment(ended),
        winner=row.winner,
    )


def marked(found: Recall, instant: Micros, log: Log, views: Views) -> Recall:
    """Recall with conflicts marked: notes on the hits, and the other sides of the conflicts.

    `conflicts` holds the other side of each open conflict of a hit, even if it is a hit too.
    """
    at, ids = found.as_of.position, [hit.memory_id for hit in found.hits]
    rows = [row for row in views.read(lambda db: conflicts_of(db, ids, at)) if is_open(row)]
    sides = [one for row in rows for one in (row.new, row.other)]
    states = views.read(lambda db: rows_as_of(db, sides, at)) if rows else {}
    waiting = [
        (states[row.new], states[row.other])
        for row in rows
        if {row.new, row.other} <= states.keys() and states[row.new].status in _WAITING
    ]
    if not waiting:
        return found
    notes: dict[MemoryId, list[str]] = {hit.memory_id: [hit.note] for hit in found.hits if hit.note}
    for new, old in waiting:
        notes.setdefault(new.memory_id, []).append(f"contradicts @{old.memory}")
        note = f"contradicted by @{new.memory}, {new.status}"
        notes.setdefault(old.memory_id, []).append(note)
    hits = {
        hit.memory_id: replace(hit, note="; ".join(notes.get(hit.memory_id, ())) or None)
        for hit in found.hits
    }
    others: dict[MemoryId, Hit] = {}
    for hit in found.hits:
        beside = {
            side.memory_id: side
            for new, old in waiting
            for one, side in ((new, old), (old, new))
            if one.memory_id == hit.memory_id
        }
        if not beside:
            continue
        for item in read_items([*beside.values()], hit.space, at, instant, (log, views)):
            if item.content is not None:
                known = hits.get(item.memory_id)
                others[item.memory_id] = known or _beside(item, notes[item.memory_id])
    return replace(found, hits=tuple(hits.values()), conflicts=tuple(others.values()))


def _beside(item: Item, notes: Sequence[str]) -> Hit:
    """Hit for a memory that the search did not find."""
    status = [item.status] if item.status in _WAITING else []
    return Hit(
        **{name: getattr(item, name) for name in _OF_BOTH},
        relevance=0.0,
        note="; ".join([*status, *notes]),
        explanation=Explanation({}, {}),
    )


_OF_BOTH = tuple(name for name in Hit.__struct_fields__ if name in Item.__struct_fields__)
