"""Listings of a space as of a moment: its edges, its conflicts, and its buffered content."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space, memory_named
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Event, MemoryContent
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import proven
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.linking import Thing, checked_end
from mnemolog.policies.memories import NewMemory
from mnemolog.projections.edges import EdgeRow, edges_as_of, edges_at, thing_key
from mnemolog.projections.lifecycle import buffered_as_of
from mnemolog.projections.memories import conflicts_as_of, is_open, open_conflicts_as_of
from mnemolog.recall.answers import Conflict, read_conflicts
from mnemolog.recall.items import moment
from mnemolog.results import Listing, Value


class Edge(Value, frozen=True):
    """Typed edge from one memory or thing to another; `edge_id` is the id of its event.

    An end is None if it is a thing whose name was redacted. `condition` says when it holds.
    """

    edge_id: EventId
    position: Position
    recorded_at: datetime
    actor: str
    source: MemoryId | Thing | None
    type: str
    target: MemoryId | Thing | None
    confidence: float
    origin: events.EdgeOrigin
    valid_from: datetime | None
    valid_until: datetime | None
    condition: str | None
    reason: str | None


def list_links(space: Space, end: str | Thing | None = None) -> Listing[Edge]:
    """Edges of this space, oldest first; with `end`, only the edges of that memory or thing.

    `end` is a reference to a memory, a `Thing`, or `thing:` and its name. Raises
    `UnknownMemory`, `AmbiguousId` or `InvalidField`.
    """
    cut = space.cut()
    if end is not None:
        touching = edges_touching(space, edge_end(space, "end", end, cut), cut)
        return Listing(shown_edges(space, touching))
    rows = space.home.views.read(lambda db: edges_as_of(db, space.name, cut.position))
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
    made = proven(space.home.log, [row.since for row in rows])
    return tuple(_edge(made[row.since], row) for row in rows if row.since in made)


def _edge(event: Event, row: EdgeRow) -> Edge:
    decoded = VOCABULARY.decode(check_content(event)).content
    content = decoded if isinstance(decoded, events.EdgeContent) else events.EdgeContent()
    names = (content.source, content.target)
    source, target = (None if one is None else Thing(one) for one in names)
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


Openness = Literal["open", "offered", "all"]


def list_conflicts(space: Space, which: Openness = "open") -> Listing[Conflict]:
    """Conflicts of this space, oldest first: the open ones, or `all` that were ever found.

    `offered` are those in which a newer memory may replace an older one, and nobody has said so.
    """
    if which not in (known := get_args(Openness)):
        raise InvalidField("which", f"{which!r} is unknown", f"use one of {', '.join(known)}")
    cut = space.cut()
    asked = open_conflicts_as_of if which == "open" else conflicts_as_of
    rows = space.home.views.read(lambda db: asked(db, space.name, cut.position))
    if which == "offered":
        rows = [row for row in rows if row.outcome == "offered" and is_open(row)]
    sources = (space.home.log, space.home.views)
    return Listing(read_conflicts(rows, space.name, cut.position, cut.instant, sources))


Submission = tuple[events.Remembered, MemoryContent]
"""Structure and content of the `Remembered` event that a submission would append."""


class Waiting(Value, frozen=True):
    """Buffered content with the time it was submitted and its admission scores."""

    event_id: EventId
    position: Position
    recorded_at: datetime
    actor: str
    content: str
    relevance: events.Relevance | None
    novelty: events.Novelty | None
    similarity: float | None


def list_buffer(space: Space) -> Listing[Waiting]:
    """Buffered content that has not been flushed, oldest first."""
    found = []
    for event in buffered(space.home, space.name, space.cut()):
        match VOCABULARY.decode(event):
            case Decoded(events.Buffered(scores=told), MemoryContent(text=text)):
                at = to_datetime(event.recorded_at)
                said = (event.event_id, event.position, at, event.actor, text)
                if told is None:
                    found.append(Waiting(*said, None, None, None))
                else:
                    found.append(Waiting(*said, told.relevance, told.novelty, told.similarity))
    return Listing(found)


def buffered(home: Home, space: str, cut: Cut) -> list[Event]:
    """Events whose content is in the buffer of a space, oldest first. Raises `CorruptLog`."""
    ids = home.views.read(lambda db: buffered_as_of(db, space, cut.position))
    known = home.log.positions_of(ids)
    positions = [known[one] for one in ids if one in known]
    found = proven(home.log, positions)
    return [found[at] for at in positions if at in found and found[at].content is not None]


def scores_of_event(event: Event) -> events.Scores | None:
    """Admission scores of an event that buffered content; None for other events."""
    structure = VOCABULARY.structure(event)
    return structure.scores if isinstance(structure, events.Buffered) else None


def submission_of(event: Event) -> Submission | None:
    """Submission that an event buffered; None if it is redacted."""
    match VOCABULARY.decode(event):
        case Decoded(events.Buffered(memory=events.Remembered() as said), MemoryContent() as text):
            return said, text
    return None


def item_of(event: Event, submission: Submission) -> NewMemory:
    """New memory that buffered content would become."""
    said, content = submission
    given = msgspec.structs.asdict(said) | msgspec.structs.asdict(content)
    fields = {name: given[name] for name in NewMemory.__struct_fields__ if name in given}
    # Valid from its submission, so that later statements count as newer.
    begins = moment(event.recorded_at if said.valid_from is None else said.valid_from)
    fields |= {"valid_from": begins, "valid_until": moment(said.valid_until)}
    fields |= {"lasting": said.lasting or None, "immutable": False}
    return replace(NewMemory(content.text), **fields)
