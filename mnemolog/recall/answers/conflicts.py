"""Conflicts between memories, and their notes on the hits of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw
import msgspec

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.events import (
    ConflictContent,
    ConflictType,
    Event,
    Outcome,
    Resolution,
    Severity,
    Winner,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log, proven
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections.conflicts import ConflictRow, conflicts_of, is_open
from mnemolog.projections.memory_queries import Status, rows_as_of
from mnemolog.projections.views import Views
from mnemolog.recall.answers.answers import Explanation, Hit, Recall
from mnemolog.recall.answers.items import Item, read_items
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
    items = {
        item.memory_id: item
        for item in read_items([*states.values()], space, position, instant, sources)
    }
    wanted = {at for row in rows for at in (row.at, row.since, row.until) if at is not None}
    events = proven(log, sorted(wanted))
    return tuple(
        _conflict(row, items, events, instant)
        for row in rows
        if row.new in items and row.other in items and row.at in events
    )


def _conflict(
    row: ConflictRow,
    items: Mapping[MemoryId, Item],
    events: Mapping[Position, Event],
    instant: int,
) -> Conflict:
    decoded = VOCABULARY.decode(events[row.at])
    said = decoded.content if isinstance(decoded.content, ConflictContent) else None
    began = None if row.since is None else events[row.since].recorded_at
    ended = None if row.until is None else events[row.until].recorded_at
    lasted = 0 if began is None else (instant if ended is None else ended) - began
    return Conflict(
        conflict_id=row.conflict,
        position=row.at,
        found_at=to_datetime(events[row.at].recorded_at),
        new=_side(items[row.new]),
        old=_side(items[row.other]),
        type=row.type,
        severity=row.severity,
        resolution=row.resolution,
        outcome=row.outcome,
        judge=row.judge,
        similarity=row.similarity,
        attribute=None if said is None else said.attribute,
        reason=None if said is None else said.reason,
        open=is_open(row) and items[row.new].status in _WAITING,
        age_days=round(max(0, lasted) / _DAY, 4),
        settled_at=None if ended is None else to_datetime(ended),
        winner=row.winner,
    )


def _side(item: Item) -> Side:
    return Side(
        memory_id=item.memory_id,
        position=item.position,
        recorded_at=item.recorded_at,
        content=item.content,
        status=item.status,
        source=item.source,
    )


def marked(found: Recall, instant: Micros, log: Log, views: Views) -> Recall:
    """Recall with conflicts marked: notes on the hits, and the other sides of the conflicts.

    `conflicts` holds the other side of each open conflict of a hit, even if it is a hit too.
    """
    at = found.as_of.position
    rows = views.read(lambda db: _waiting(db, [hit.memory_id for hit in found.hits], at))
    if not rows:
        return found
    states = views.read(
        lambda db: rows_as_of(db, [one for row in rows for one in (row.new, row.other)], at)
    )
    notes: dict[MemoryId, list[str]] = {}
    for row in rows:
        new, old = states[row.new], states[row.other]
        notes.setdefault(row.new, []).append(f"contradicts @{old.memory}")
        notes.setdefault(row.other, []).append(f"contradicted by @{new.memory}, {new.status}")
    hits = {hit.memory_id: _noted(hit, notes.get(hit.memory_id, ())) for hit in found.hits}
    others: dict[MemoryId, Hit] = {}
    for hit in found.hits:
        sides = [_other(row, hit.memory_id) for row in rows]
        wanted = [states[one] for one in dict.fromkeys(sides) if one is not None]
        if not wanted:
            continue
        for item in read_items(wanted, hit.space, at, instant, (log, views)):
            beside = hits.get(item.memory_id) or _beside(item, notes[item.memory_id])
            if item.content is not None:
                others[item.memory_id] = beside
    return msgspec.structs.replace(
        found, hits=tuple(hits.values()), conflicts=tuple(others.values())
    )


def _waiting(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[ConflictRow]:
    """Open conflicts of these memories whose new memory is contested or pending."""
    rows = [row for row in conflicts_of(db, memory_ids, position) if is_open(row)]
    states = rows_as_of(db, [one for row in rows for one in (row.new, row.other)], position)
    return [
        row
        for row in rows
        if row.other in states and row.new in states and states[row.new].status in _WAITING
    ]


def _other(row: ConflictRow, memory_id: MemoryId) -> MemoryId | None:
    """Other side of a conflict; None if the memory is not part of it."""
    return {row.new: row.other, row.other: row.new}.get(memory_id)


def _noted(hit: Hit, notes: Sequence[str]) -> Hit:
    said = "; ".join([*([] if hit.note is None else [hit.note]), *notes])
    return msgspec.structs.replace(hit, note=said or None)


def _beside(item: Item, notes: Sequence[str]) -> Hit:
    """Hit for a memory that the search did not find."""
    status = [item.status] if item.status in _WAITING else []
    return Hit(
        memory_id=item.memory_id,
        content=item.content or "",
        status=item.status,
        relevance=0.0,
        position=item.position,
        recorded_at=item.recorded_at,
        space=item.space,
        kind=item.kind,
        source=item.source,
        place=item.place,
        tags=item.tags,
        valid_from=item.valid_from,
        valid_until=item.valid_until,
        note="; ".join([*status, *notes]),
        explanation=Explanation({}, {}),
    )
