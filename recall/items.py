"""A memory as it stood at a moment, put together from its event and the views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from ledger.clock import to_datetime
from ledger.events import (
    VOCABULARY,
    Decoded,
    Event,
    Importance,
    Mark,
    MemoryContent,
    MemoryKind,
    Remembered,
    SourceType,
    Volatility,
)
from ledger.ids import MemoryId, Position
from ledger.log import Log
from ledger.rows import check_content, proven
from projections.memory_queries import MemoryRow, superseded, superseders
from projections.pins import pins_as_of
from projections.strengths import strength_as_of
from projections.views import Views


class Item(msgspec.Struct, frozen=True):
    """Everything about one memory as of a moment; `content` is None once it is redacted.

    `strength` is in [0, 1], 1 from the beginning.
    """

    memory_id: MemoryId
    space: str
    position: Position
    recorded_at: datetime
    actor: str
    correlation_id: str | None
    content: str | None
    status: str
    kind: MemoryKind
    category: str | None
    source: str | None
    source_note: str | None
    source_type: SourceType
    source_confidence: float
    extraction_method: str | None
    extraction_confidence: float
    place: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    snippet: str | None
    constraint: str | None
    evidence: tuple[MemoryId, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    importance: Importance
    volatility: Volatility
    marks: tuple[Mark, ...]
    immutable: bool
    pinned: bool
    pinned_until: datetime | None
    strength: float
    supersedes: tuple[MemoryId, ...]
    superseded_by: tuple[MemoryId, ...]


class Links(msgspec.Struct, frozen=True):
    """What the views know of a memory beside its row."""

    supersedes: tuple[MemoryId, ...]
    superseded_by: tuple[MemoryId, ...]
    strength: float


def moment(instant: int | None) -> datetime | None:
    """An instant that may be missing as a datetime."""
    return None if instant is None else to_datetime(instant)


def read_items(
    rows: Sequence[MemoryRow],
    space: str,
    position: Position,
    instant: int,
    sources: tuple[Log, Views],
) -> tuple[Item, ...]:
    """The memories of these rows, in their order.

    Content is read from the log and held against its hash: raises `CorruptLog`
    rather than show what was never stored.
    """
    log, views = sources
    events = proven(log, [row.memory for row in rows])
    pins = views.read(lambda db: pins_as_of(db, space, position))
    links = views.read(
        lambda db: {
            row.memory_id: Links(
                superseded(db, row.memory_id, position),
                superseders(db, row.memory_id, position),
                strength_as_of(db, row.memory_id, position),
            )
            for row in rows
        }
    )
    alive = {
        memory_id: expires
        for memory_id, expires in pins.items()
        if expires is None or expires > instant
    }
    return tuple(
        _item(events[row.memory], row, links[row.memory_id], alive)
        for row in rows
        # A damaged row of the views must not show one memory under another's id.
        if row.memory in events and MemoryId(events[row.memory].event_id) == row.memory_id
    )


def _item(event: Event, row: MemoryRow, links: Links, pins: Mapping[MemoryId, int | None]) -> Item:
    structure, content = parts(event)
    return Item(
        memory_id=row.memory_id,
        space=event.space,
        position=event.position,
        recorded_at=to_datetime(event.recorded_at),
        actor=event.actor,
        correlation_id=event.correlation_id,
        content=None if content is None else content.text,
        status="redacted" if content is None else row.status,
        kind=structure.kind,
        category=structure.category,
        source=structure.source,
        source_note=None if content is None else content.source_note,
        source_type=structure.source_type,
        source_confidence=structure.source_confidence,
        extraction_method=structure.extraction_method,
        extraction_confidence=structure.extraction_confidence,
        place=structure.place,
        tags=() if content is None else content.tags,
        aliases=() if content is None else content.aliases,
        snippet=None if content is None else content.snippet,
        constraint=structure.constraint,
        evidence=structure.evidence,
        valid_from=moment(structure.valid_from),
        valid_until=moment(structure.valid_until),
        importance=structure.importance,
        volatility=structure.volatility,
        marks=structure.marks,
        immutable=structure.immutable,
        pinned=row.memory_id in pins,
        pinned_until=moment(pins.get(row.memory_id)),
        strength=links.strength,
        supersedes=links.supersedes,
        superseded_by=links.superseded_by,
    )


def parts(event: Event) -> tuple[Remembered, MemoryContent | None]:
    """The two parts of a `remembered` event, its content held against its hash."""
    decoded = VOCABULARY.decode(check_content(event))
    if not isinstance(decoded, Decoded) or not isinstance(decoded.structure, Remembered):
        return Remembered(), None
    content = decoded.content
    return decoded.structure, content if isinstance(content, MemoryContent) else None
