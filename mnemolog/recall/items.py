"""Items: the state of memories at a moment, from their events and the views."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import apsw
import msgspec
from msgspec.structs import asdict

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
from mnemolog.policies.retention.forgetting import centre, review_at
from mnemolog.projections.memory_queries import MemoryRow, Status, superseded, superseders
from mnemolog.projections.strengths import pace_as_of, pins_as_of, strengths_as_of, weights_as_of
from mnemolog.projections.views import Views
from mnemolog.results import Value

Sources = tuple[Log, Views]
_DECIMALS = 4  # Decimals of a strength: more would change from one second to the next


class Item(Value, frozen=True):
    """Item: all fields of one memory as of a moment; `content` is None once it is redacted.

    `strength` is in [0, 1], 1 at the start, as of the instant; `tier` is its level of
    forgetting; `accesses` counts its uses. `summary` is a short form of the text, which replaces
    it in answers once the memory is summarized. `depth_weight` is a Beta distribution, `weight`
    its centre. `review_at` is the next review of an important memory.
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


class Vitality(msgspec.Struct, frozen=True):
    """Strength of a memory at an instant, with the count and time of its accesses."""

    strength: float
    accesses: int
    accessed_at: int | None


def moment(instant: int | None) -> datetime | None:
    """Datetime of an instant; None stays None."""
    return None if instant is None else to_datetime(instant)


def read_items(
    rows: Sequence[MemoryRow], space: str, position: Position, instant: int, sources: Sources
) -> tuple[Item, ...]:
    """Items of these rows, in their order. Raises `CorruptLog` for content of another hash."""
    log, views = sources
    events = proven(log, [row.memory for row in rows])
    ids = [row.memory_id for row in rows]
    pins, vitality, weights, links = views.read(
        lambda db: (
            pins_as_of(db, space, position),
            vitality_of(db, ids, space, position, instant),
            weights_as_of(db, ids, position),
            [(superseded(db, one, position), superseders(db, one, position)) for one in ids],
        )
    )
    items = []
    for row, (older, newer) in zip(rows, links, strict=True):
        memory_id, event = row.memory_id, events.get(row.memory)
        # A damaged row of the views must not show one memory under another's id.
        if event is None or MemoryId(event.event_id) != memory_id:
            continue
        structure, content = parts(event)
        summary = summary_of(log, memory_id, position) if row.tier == "summarized" else None
        alive = vitality[memory_id]
        accessed_at = Micros(alive.accessed_at or event.recorded_at)
        expires = pins.get(memory_id)
        pinned = memory_id in pins and (expires is None or expires > instant)
        depth_weight = weights.get(memory_id, structure.depth_weight)
        known = {**asdict(event), **asdict(row), **asdict(content or MemoryContent(""))}
        known |= {**asdict(structure), **asdict(alive)}
        known |= {
            "recorded_at": to_datetime(event.recorded_at),
            "content": None if content is None else content.text,
            "status": "redacted" if content is None else row.status,
            "valid_from": moment(structure.valid_from),
            "valid_until": moment(structure.valid_until),
            "pinned": pinned,
            "pinned_until": moment(expires) if pinned else None,
            "last_access": moment(alive.accessed_at),
            "review_at": moment(review_at(structure.importance, accessed_at, alive.accesses)),
            "summary": known["summary"] if summary is None else summary,
            "weight": round(centre(depth_weight), _DECIMALS),
            "depth_weight": depth_weight,
            "supersedes": older,
            "superseded_by": newer,
        }
        items.append(Item(**{name: known[name] for name in Item.__struct_fields__}))
    return tuple(items)


def vitality_of(
    db: apsw.Connection, ids: Sequence[MemoryId], space: str, position: Position, instant: int
) -> dict[MemoryId, Vitality]:
    """Vitality of memories at an instant as of a position; `KeyError` if the views are damaged."""
    pace, held = pace_as_of(db, space, position), strengths_as_of(db, ids, position)
    return {
        one: Vitality(
            round(strength_at(held[one].decay, held[one].trace, pace, Micros(instant)), _DECIMALS),
            held[one].accesses,
            held[one].accessed_at,
        )
        for one in ids
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


class HitText(NamedTuple):
    """Text of a hit, empty for one redacted in the meantime.

    `judged` says whether it was compared with what was stored before; `since` is the start of its
    own valid time. `memory_id` is its id, `because_of` that of the memory with which it was stored.
    `guarded` ones are immutable or constraints of class `safety`.
    """

    text: str
    judged: bool = False
    since: int | None = None
    memory_id: str | None = None
    because_of: str | None = None
    guarded: bool = False


def parts(event: Event) -> tuple[Remembered, MemoryContent | None]:
    """Structure and content of a `remembered` event, the content checked against its hash."""
    decoded = VOCABULARY.decode(check_content(event))
    if not isinstance(decoded, Decoded) or not isinstance(decoded.structure, Remembered):
        return Remembered(), None
    content = decoded.content
    return decoded.structure, content if isinstance(content, MemoryContent) else None
