"""Stored memory compared with new content: what it says, its speaker and its weight."""

from __future__ import annotations

from typing import NamedTuple

from mnemolog.application.home.home import Home
from mnemolog.application.questions.weighing import depth_weight_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event, MemoryContent, Remembered
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.retention.merging import MERGED
from mnemolog.policies.retention.restatement import Said
from mnemolog.policies.retention.weights import Weight
from mnemolog.recall.answers.items import parts


class StoredMemory(NamedTuple):
    """Stored memory compared with new content: what it says, its speaker and its weight."""

    memory_id: MemoryId
    structure: Remembered
    content: MemoryContent
    actor: str
    recorded_at: Micros
    weight: Weight


def stored_as(home: Home, event: Event, position: Position) -> StoredMemory | None:
    """Stored memory with its weight as of a position; None if it is redacted."""
    structure, content = parts(event)
    if content is None:
        return None
    memory_id = MemoryId(event.event_id)
    weight = depth_weight_of(home, memory_id, position)
    return StoredMemory(
        memory_id, structure, content, _teller(home, event), event.recorded_at, weight
    )


def _teller(home: Home, event: Event) -> str:
    """Speaker of a memory; for a merged memory, the speaker of its first part."""
    structure = VOCABULARY.structure(event)
    while isinstance(structure, Remembered) and structure.extraction_method == MERGED:
        told = home.log.positions_of([EventId(one) for one in structure.evidence[:1]])
        found = home.log.events_at([*told.values()])
        if not found:
            break
        (event,) = found
        structure = VOCABULARY.structure(event)
    return event.actor


def said_by(known: StoredMemory) -> Said:
    """Statement of a memory, to compare with content."""
    began = known.structure.valid_from
    at = known.recorded_at if began is None else min(known.recorded_at, Micros(began))
    return said_of(known.structure, known.content, known.actor, at)


def said_of(structure: Remembered, content: MemoryContent, actor: str, at: Micros) -> Said:
    """Statement of an actor at an instant."""
    # An agent may store anybody's words; without a source the speaker is unknown.
    by = actor if actor.startswith("user:") else None
    return Said(
        content.text,
        at,
        structure.source or by,
        content.tags,
        structure.category,
        structure.place,
        structure.constraint,
        structure.valid_from,
        structure.valid_until,
    )
