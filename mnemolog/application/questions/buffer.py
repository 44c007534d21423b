"""Buffered content of a space, as of now or any past moment."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import (
    VOCABULARY,
    Buffered,
    Decoded,
    Event,
    MemoryContent,
    Novelty,
    Relevance,
    Remembered,
    Scores,
)
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.rows import proven
from mnemolog.policies.memories import NewMemory
from mnemolog.projections.buffers import buffered_as_of
from mnemolog.recall.answers.items import moment
from mnemolog.results import Listing, Value

Submission = tuple[Remembered, MemoryContent]
"""Structure and content of the `Remembered` event that a submission would append."""


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


def list_buffer(space: Space) -> Listing[Waiting]:
    """Buffered content that has not been flushed, oldest first."""
    found = []
    for event in buffered(space.home, space.name, space.cut()):
        match VOCABULARY.decode(event):
            case Decoded(structure=Buffered(scores=told), content=MemoryContent(text=text)):
                one = Waiting(
                    event.event_id,
                    event.position,
                    to_datetime(event.recorded_at),
                    event.actor,
                    text,
                    None if told is None else told.relevance,
                    None if told is None else told.novelty,
                    None if told is None else told.similarity,
                )
                found.append(one)
    return Listing(found)


def buffered(home: Home, space: str, cut: Cut) -> list[Event]:
    """Events whose content is in the buffer of a space, oldest first.

    Raises `CorruptLog` if content fails its digest check.
    """
    ids = home.views.read(lambda db: buffered_as_of(db, space, cut.position))
    known = home.log.positions_of(ids)
    positions = [known[one] for one in ids if one in known]
    events = proven(home.log, positions)
    return [events[one] for one in positions if one in events and events[one].content is not None]


def scores_of_event(event: Event) -> Scores | None:
    """Admission scores of an event that buffered content; None for other events."""
    structure = VOCABULARY.structure(event)
    return structure.scores if isinstance(structure, Buffered) else None


def submission_of(event: Event) -> Submission | None:
    """Submission that an event buffered; None if it is redacted."""
    match VOCABULARY.decode(event):
        case Decoded(
            structure=Buffered(memory=Remembered() as said), content=MemoryContent() as text
        ):
            return said, text
    return None


def item_of(event: Event, submission: Submission) -> NewMemory:
    """New memory that buffered content would become."""
    said, content = submission
    given = msgspec.structs.asdict(said) | msgspec.structs.asdict(content)
    fields = {name: given[name] for name in NewMemory.__struct_fields__ if name in given}
    return replace(
        NewMemory(content.text),
        **fields
        | {
            # Valid from its submission, so that later statements count as newer.
            "valid_from": moment(event.recorded_at if said.valid_from is None else said.valid_from),
            "valid_until": moment(said.valid_until),
            "lasting": said.lasting or None,
            "immutable": False,
        },
    )
