"""Edges, conflicts and associations, as of now or any past moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

import numpy as np

from mnemolog.application.home.references import memory_named
from mnemolog.application.home.space import Cut, Space
from mnemolog.indexes.horizon import Horizon
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import VOCABULARY, EdgeContent, EdgeOrigin, Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.rows import check_content, proven
from mnemolog.policies.linking import Thing, checked_end
from mnemolog.projections.conflicts import conflicts_as_of, open_conflicts_as_of
from mnemolog.projections.edges import EdgeRow, edges_as_of, edges_at, thing_key
from mnemolog.recall.answers.answers import AsOf
from mnemolog.recall.answers.conflicts import Conflict, read_conflicts
from mnemolog.recall.answers.items import moment, parts
from mnemolog.recall.search.chains import Chains
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Listing, Results, Value


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
    if end is None:
        rows = space.home.views.read(lambda db: edges_as_of(db, space.name, cut.position))
    else:
        rows = edges_touching(space, edge_end(space, "end", end, cut), cut)
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
    source, target = (
        None if one is None else Thing(one) for one in (content.source, content.target)
    )
    return Edge(
        edge_id=row.edge_id,
        position=row.since,
        recorded_at=to_datetime(event.recorded_at),
        actor=event.actor,
        source=row.source or source,
        type=row.type,
        target=row.target or target,
        confidence=row.confidence,
        origin=row.origin,
        valid_from=moment(row.valid_from),
        valid_until=moment(row.valid_until),
        condition=content.condition,
        reason=content.reason,
    )


Openness = Literal["open", "all"]
"""Selection of conflicts: `open` for unsettled ones, `all` for every one ever found."""


def list_conflicts(space: Space, which: Openness = "open") -> Listing[Conflict]:
    """Conflicts of this space, oldest first: the open ones, or `all` that were ever found.

    Raises `InvalidField` if `which` is neither.
    """
    if which not in get_args(Openness):
        raise InvalidField("which", f"{which!r} is unknown", "use open or all")
    cut = space.cut()
    asked = open_conflicts_as_of if which == "open" else conflicts_as_of
    rows = space.home.views.read(lambda db: asked(db, space.name, cut.position))
    sources = (space.home.log, space.home.views)
    return Listing(read_conflicts(rows, space.name, cut.position, cut.instant, sources))


_DECIMALS = 6


class Associate(Value, frozen=True):
    """Associated memory and the strength of its association, in (0, 1]."""

    memory_id: MemoryId
    content: str | None
    strength: float


class Associations(Results[Associate], frozen=True):
    """Associations of a memory as of a moment.

    `together` are memories that were found or used together with it, strongest first; each
    co-occurrence decays with a half-life of 30 days. `brings` are memories that recall adds
    when it finds this one, because this memory, or one that it superseded, led to them as a
    spark in at least two recall sessions.
    """

    _over = "together"

    memory_id: MemoryId
    together: tuple[Associate, ...]
    brings: tuple[MemoryId, ...]
    as_of: AsOf


def associations(space: Space, reference: str, *, limit: int = 50) -> Associations:
    """Associations of a memory; `together` holds at most `limit` memories.

    Raises `UnknownMemory` or `AmbiguousId`.
    """
    wanted, cut, log = checked_limit(limit), space.cut(), space.home.log
    memory_id = memory_named(space, reference, cut)
    state = space.home.index(space.name).words_at(cut.position, 0)
    columns = state.columns
    position = log.concerning(memory_id)[0].position
    ordinal = columns.ordinal(position)
    horizon = Horizon(cut.position, cut.instant, columns.size(cut.position))
    known = zip(*state.lessons.associated([(ordinal, 1.0)], horizon), strict=True)
    pairs = [(int(one), float(strength)) for one, strength in known]
    best = sorted(pairs, key=lambda one: (-one[1], one[0]))[:wanted]
    trail = Chains(columns, cut.position, cut.instant, horizon.size, None).trail(position)
    sparks = [ordinal, *map(columns.ordinal, trail)]
    hooked = state.lessons.hooked(sparks, cut.position)
    brings = list(dict.fromkeys(found for _, found in hooked))
    ordinals = [*(one for one, _ in best), *brings]
    at = columns.positions(np.array(ordinals, np.intp)).tolist()
    by_position = dict(zip(map(Position, at), ordinals, strict=True))
    items: dict[int, tuple[MemoryId, str | None]] = {}
    for where, event in proven(log, by_position).items():
        _, content = parts(event)
        text = None if content is None else content.text
        items[by_position[where]] = (MemoryId(event.event_id), text)
    return Associations(
        memory_id,
        tuple(Associate(*items[one], round(s, _DECIMALS)) for one, s in best if one in items),
        tuple(items[one][0] for one in brings if one in items),
        AsOf(cut.position, to_datetime(cut.instant)),
    )
