"""Buffered content of a space, as of now or any past moment."""

from __future__ import annotations

import builtins
from datetime import datetime

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import (
    Buffered,
    Event,
    MemoryContent,
    Novelty,
    Relevance,
    Remembered,
    Scores,
)
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import proven
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.memories import NewMemory
from mnemolog.projections.buffers import buffered_as_of
from mnemolog.recall.answers.items import moment
from mnemolog.results import Listing, Value

Submission = tuple[Remembered, MemoryContent]
"""Structure and content of the `Remembered` event that a submission would append."""


def list_buffer(space: Space) -> Listing[Waiting]:
    """Buffered content that has not been flushed, oldest first."""
    events = buffered(space.home, space.name, space.cut())
    return Listing(one for one in map(waiting, events) if one is not None)


def buffered(home: Home, space: str, cut: Cut) -> builtins.list[Event]:
    """Events whose content is in the buffer of a space, oldest first.

    Raises `CorruptLog` if content fails its digest check.
    """
    ids = home.views.read(lambda db: buffered_as_of(db, space, cut.position))
    known = home.log.positions_of(ids)
    positions: builtins.list[Position] = [known[one] for one in ids if one in known]
    events = proven(home.log, positions)
    return [events[one] for one in positions if one in events and events[one].content is not None]


def scores_of_event(event: Event) -> Scores | None:
    """Admission scores of an event that buffered content; None for other events."""
    structure = VOCABULARY.structure(event)
    return structure.scores if isinstance(structure, Buffered) else None


def submission_of(event: Event) -> Submission | None:
    """Submission that an event buffered; None if it is redacted."""
    decoded = VOCABULARY.decode(event)
    structure, content = decoded.structure, decoded.content
    if not isinstance(structure, Buffered) or not isinstance(content, MemoryContent):
        return None
    return None if structure.memory is None else (structure.memory, content)


def item_of(event: Event, submission: Submission) -> NewMemory:
    """New memory that buffered content would become."""
    said, content = submission
    return NewMemory(
        content.text,
        kind=said.kind,
        category=said.category,
        source=said.source,
        source_note=content.source_note,
        source_type=said.source_type,
        source_confidence=said.source_confidence,
        extraction_method=said.extraction_method,
        extraction_confidence=said.extraction_confidence,
        place=said.place,
        tags=content.tags,
        aliases=content.aliases,
        snippet=content.snippet,
        constraint=said.constraint,
        evidence=said.evidence,
        # Valid from its submission, so that later statements count as newer.
        valid_from=moment(event.recorded_at if said.valid_from is None else said.valid_from),
        valid_until=moment(said.valid_until),
        importance=said.importance,
        volatility=said.volatility,
        marks=said.marks,
        lasting=said.lasting or None,
    )


class Waiting(Value, frozen=True):
    """Buffered content with the time it was submitted and its admission scores."""

    event_id: EventId
    position: Position
    recorded_at: datetime
    actor: str
    content: str
    relevance: Relevance | None
    novelty: Novelty | None
    similarity: float | None


def waiting(event: Event) -> Waiting | None:
    """Buffered content of an event; None if it is redacted."""
    decoded = VOCABULARY.decode(event)
    structure, content = decoded.structure, decoded.content
    if not isinstance(structure, Buffered) or not isinstance(content, MemoryContent):
        return None
    scores = structure.scores
    return Waiting(
        event.event_id,
        event.position,
        to_datetime(event.recorded_at),
        event.actor,
        content.text,
        None if scores is None else scores.relevance,
        None if scores is None else scores.novelty,
        None if scores is None else scores.similarity,
    )
