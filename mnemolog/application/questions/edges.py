"""Edges of a space, as of now or any past moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mnemolog.application.home.references import memory_named
from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import proven
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.linking import Thing, checked_end
from mnemolog.projections.edges import EdgeRow, edges_as_of, edges_at, thing_key
from mnemolog.recall.answers.items import moment
from mnemolog.results import Listing, Value


class Edge(Value, frozen=True):
    """Typed edge from one memory or thing to another; `edge_id` is the id of its event.

    An end is None if it is a thing whose name was redacted. `condition` says in words
    when the edge holds.
    """

    edge_id: EventId
    position: Position
    recorded_at: datetime
    actor: str
    source: MemoryId | Thing | None
    type: str
    target: MemoryId | Thing | None
    confidence: float
    origin: EdgeOrigin
    valid_from: datetime | None
    valid_until: datetime | None
    condition: str | None
    reason: str | None


def list_links(space: Space, end: str | Thing | None = None) -> Listing[Edge]:
    """Edges of this space, oldest first; with `end`, only the edges of that memory or thing.

    `end` is a reference to a memory, a `Thing`, or `thing:` and its name.
    Raises `UnknownMemory`, `AmbiguousId` or `InvalidField`.
    """
    cut = space.cut()
    rows = (
        space.home.views.read(lambda db: edges_as_of(db, space.name, cut.position))
        if end is None
        else edges_touching(space, edge_end(space, "end", end, cut), cut)
    )
    return Listing(shown_edges(space, rows))


def edge_end(space: Space, field: str, value: str | Thing, cut: Cut) -> MemoryId | Thing:
    """Memory or thing that one end of an edge names, as of a moment."""
    end = checked_end(field, value)
    return end if isinstance(end, Thing) else memory_named(space, end, cut)


def edges_touching(space: Space, end: MemoryId | Thing, cut: Cut) -> list[EdgeRow]:
    """Rows of the open edges of one memory or thing, as of a moment."""
    key = thing_key(space.home.log.secret, end.name) if isinstance(end, Thing) else end
    return space.home.views.read(lambda db: edges_at(db, space.name, key, cut.position))


def shown_edges(space: Space, rows: Sequence[EdgeRow]) -> tuple[Edge, ...]:
    """Edges for edge rows, with their reasons."""
    events = proven(space.home.log, [row.since for row in rows])
    return tuple(_edge(events[row.since], row) for row in rows if row.since in events)


def _edge(event: Event, row: EdgeRow) -> Edge:
    decoded = VOCABULARY.decode(check_content(event)).content
    content = decoded if isinstance(decoded, EdgeContent) else EdgeContent()
    return Edge(
        edge_id=row.edge_id,
        position=row.since,
        recorded_at=to_datetime(event.recorded_at),
        actor=event.actor,
        source=row.source or _thing(content.source),
        type=row.type,
        target=row.target or _thing(content.target),
        confidence=row.confidence,
        origin=row.origin,
        valid_from=moment(row.valid_from),
        valid_until=moment(row.valid_until),
        condition=content.condition,
        reason=content.reason,
    )


def _thing(name: str | None) -> Thing | None:
    return None if name is None else Thing(name)
