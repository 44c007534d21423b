"""Items: the state of memories at a moment, from their events and the views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw
import msgspec

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import strength_at
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import (
    Event,
    Importance,
    Mark,
    MemoryContent,
    MemoryKind,
    Remembered,
    SourceType,
    Summary,
    Volatility,
)
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Log, proven
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.retention.reviews import review_at
from mnemolog.policies.retention.weights import Weight, centre
from mnemolog.projections.memory_queries import MemoryRow, Status, superseded, superseders
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.strengths import pace_as_of, strengths_as_of
from mnemolog.projections.views import Views
from mnemolog.projections.weights import weights_as_of
from mnemolog.results import Value


class Item(Value, frozen=True):
    """Item: all fields of one memory as of a moment; `content` is None once it is redacted.

    `strength` is in [0, 1], 1 at the start, as of the instant; `tier` is its level of
    forgetting; `accesses` counts its uses. `summary` is a short form of the text, if it was
    admitted with one or was summarized, and replaces the text in answers once the memory is
    summarized. `depth_weight` is a Beta distribution, `weight` its centre. `review_at` is the
    next review of an important memory.
    """

    memory_id: MemoryId
    space: str
    position: Position
    recorded_at: datetime
    actor: str
    correlation_id: str | None
    content: str | None
    status: Status
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
    lasting: bool
    pinned: bool
    pinned_until: datetime | None
    strength: float
    tier: Tier
    accesses: int
    last_access: datetime | None
    review_at: datetime | None
    summary: str | None
    weight: float
    depth_weight: tuple[float, float]
    supersedes: tuple[MemoryId, ...]
    superseded_by: tuple[MemoryId, ...]


class Links(msgspec.Struct, frozen=True):
    """Supersession links of a memory, from the views."""

    supersedes: tuple[MemoryId, ...]
    superseded_by: tuple[MemoryId, ...]


class Vitality(msgspec.Struct, frozen=True):
    """Strength of a memory at an instant, with the count and time of its accesses."""

    strength: float
    accesses: int
    accessed_at: int | None


def moment(instant: int | None) -> datetime | None:
    """Datetime of an instant; None stays None."""
    return None if instant is None else to_datetime(instant)


def read_items(
    rows: Sequence[MemoryRow],
    space: str,
    position: Position,
    instant: int,
    sources: tuple[Log, Views],
) -> tuple[Item, ...]:
    """Items of these rows, in their order.

    Content is read from the log and checked against its hash: raises `CorruptLog` if it does
    not match.
    """
    log, views = sources
    events = proven(log, [row.memory for row in rows])
    pins = views.read(lambda db: pins_as_of(db, space, position))
    links = views.read(
        lambda db: {
            row.memory_id: Links(
                superseded(db, row.memory_id, position),
                superseders(db, row.memory_id, position),
            )
            for row in rows
        }
    )
    ids = [row.memory_id for row in rows]
    vitality = views.read(lambda db: vitality_of(db, ids, space, position, instant))
    weights = views.read(lambda db: weights_as_of(db, ids, position))
    alive = {
        memory_id: expires
        for memory_id, expires in pins.items()
        if expires is None or expires > instant
    }
    return tuple(
        _item(
            events[row.memory],
            row,
            links[row.memory_id],
            vitality[row.memory_id],
            alive,
            summary_of(log, row.memory_id, position) if row.tier == "summarized" else None,
            weights.get(row.memory_id),
        )
        for row in rows
        # A damaged row of the views must not show one memory under another's id.
        if row.memory in events and MemoryId(events[row.memory].event_id) == row.memory_id
    )


_DECIMALS = 4
"""Decimals of a strength: more would change from one second to the next."""


def vitality_of(
    db: apsw.Connection,
    memory_ids: Sequence[MemoryId],
    space: str,
    position: Position,
    instant: int,
) -> dict[MemoryId, Vitality]:
    """Vitality of these memories of a space at an instant, as of a position.

    Raises `KeyError` for a memory that the views listed but cannot find: they are damaged.
    """
    pace, held = pace_as_of(db, space, position), strengths_as_of(db, memory_ids, position)
    return {
        one: Vitality(
            round(strength_at(held[one].decay, held[one].trace, pace, Micros(instant)), _DECIMALS),
            held[one].accesses,
            held[one].accessed_at,
        )
        for one in memory_ids
    }


def summary_of(log: Log, memory_id: MemoryId, position: Position) -> str | None:
    """Last summary of a memory as of a position; None if there is none."""
    found = None
    for event in log.concerning(memory_id):
        if event.kind == "degraded" and event.position <= position:
            decoded = VOCABULARY.decode(check_content(event))
            content = decoded.content if isinstance(decoded, Decoded) else None
            found = content.summary if isinstance(content, Summary) else found
    return found


def _item(  # noqa: PLR0913, PLR0917 - a memory's event, and what the views know of it
    event: Event,
    row: MemoryRow,
    links: Links,
    vitality: Vitality,
    pins: Mapping[MemoryId, int | None],
    summary: str | None,
    weight: Weight | None,
) -> Item:
    structure, content = parts(event)
    depth_weight = structure.depth_weight if weight is None else weight
    if summary is None and content is not None:
        summary = content.summary
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
        lasting=structure.lasting,
        pinned=row.memory_id in pins,
        pinned_until=moment(pins.get(row.memory_id)),
        strength=vitality.strength,
        tier=row.tier,
        accesses=vitality.accesses,
        last_access=moment(vitality.accessed_at),
        review_at=moment(
            review_at(
                structure.importance,
                Micros(vitality.accessed_at or event.recorded_at),
                vitality.accesses,
            )
        ),
        summary=summary,
        weight=round(centre(depth_weight), _DECIMALS),
        depth_weight=depth_weight,
        supersedes=links.supersedes,
        superseded_by=links.superseded_by,
    )


def parts(event: Event) -> tuple[Remembered, MemoryContent | None]:
    """Structure and content of a `remembered` event, the content checked against its hash."""
    decoded = VOCABULARY.decode(check_content(event))
    if not isinstance(decoded, Decoded) or not isinstance(decoded.structure, Remembered):
        return Remembered(), None
    content = decoded.content
    return decoded.structure, content if isinstance(content, MemoryContent) else None
