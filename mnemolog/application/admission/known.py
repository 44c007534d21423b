"""Stored memories compared with new content, and earlier attempts of the same submission."""

import hmac
from hashlib import sha256
from typing import NamedTuple

import msgspec

from mnemolog.application.commands.command_history import command_events
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import events_of
from mnemolog.application.questions.listings import Submission
from mnemolog.application.questions.strength_curve import depth_weight_of
from mnemolog.application.storing.store import as_first_told
from mnemolog.ledger import events
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import EventIdTaken
from mnemolog.ledger.events import Draft, Event, MemoryContent, Remembered
from mnemolog.ledger.ids import EventId, MemoryId, Position, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.admission import Said
from mnemolog.policies.memories import NewMemory
from mnemolog.policies.retention.consolidation import MERGED
from mnemolog.policies.retention.forgetting import Weight
from mnemolog.projections.lifecycle import left_at
from mnemolog.recall.items import parts

_BYTES = 16
_DECISIONS = frozenset({"admitted", "reinforced", "buffered", "dropped"})


class StoredMemory(NamedTuple):
    """Stored memory compared with new content: what it says, its speaker and its weight."""

    memory_id: MemoryId
    structure: Remembered
    content: MemoryContent
    actor: str
    recorded_at: Micros
    weight: Weight


def stored_as(home: Home, memory_id: MemoryId, position: Position) -> StoredMemory | None:
    """Stored memory with its weight as of a position; None if it is redacted."""
    (event,) = events_of(home, [memory_id])
    structure, content = parts(event)
    if content is None:
        return None
    weight = depth_weight_of(home, memory_id, position)
    # The speaker of a merged memory is that of its first part.
    told, first = event, VOCABULARY.structure(event)
    while isinstance(first, Remembered) and first.extraction_method == MERGED:
        found = events_of(home, first.evidence[:1])
        if not found:
            break
        (told,) = found
        first = VOCABULARY.structure(told)
    return StoredMemory(memory_id, structure, content, told.actor, event.recorded_at, weight)


def said_by(known: StoredMemory) -> Said:
    """Statement of a memory, to compare with content."""
    began = known.structure.valid_from
    at = known.recorded_at if began is None else min(known.recorded_at, Micros(began))
    return said_of(known.structure, known.content, known.actor, at)


def said_of(structure: Remembered, content: MemoryContent, actor: str, at: Micros) -> Said:
    """Statement of an actor at an instant."""
    # An agent may store anybody's words; without a source the speaker is unknown.
    by = structure.source or (actor if actor.startswith("user:") else None)
    kept = structure.category, structure.place, structure.constraint
    return Said(
        content.text, at, by, content.tags, *kept, structure.valid_from, structure.valid_until
    )


def ids_of_turns(given: str | None, count: int) -> list[str | None]:
    """Ids of a conversation's turns: the given one, then ids derived from it; None without one."""
    if given is None:
        return [None] * count
    first = parse_id("id", given)
    turns = [f"turn {number} of {first}".encode() for number in range(1, count)]
    made = [sha256(turn).hexdigest() for turn in turns]
    # UUIDv7s of the same millisecond.
    return [
        first,
        *(f"{first[:12]}7{one[:3]}{'89ab'[int(one[3], 16) & 3]}{one[4:19]}" for one in made),
    ]


def digest_of(secret: bytes, submission: Submission) -> str:
    """Digest that recognises the same submission and reveals nothing: HMAC-SHA-256, in hex."""
    said = b"\x00".join(encode_payload(part) for part in submission)
    return hmac.digest(secret, b"submitted\x00" + said, sha256)[:_BYTES].hex()


def met_before(home: Home, space: str, item: NewMemory, submission: Submission) -> list[Draft]:
    """Events of an earlier attempt with the same id. Raises `EventIdTaken` if it told otherwise."""
    if item.id is None:
        return []
    event_id = EventId(parse_id("id", item.id))
    for event in events_of(home, [event_id]):
        command = command_events(home.log, event)
        if (
            event.space != space
            or event.causation_id is not None
            or _DECISIONS.isdisjoint(one.kind for one in command)
            or not _told_the_same(home, event, item, submission)
        ):
            raise EventIdTaken(event_id, event.position)
        return [as_draft(one) for one in command]
    return []


def _told_the_same(home: Home, event: Event, item: NewMemory, submission: Submission) -> bool:
    """True if an event came from the same submission, as far as its remaining data shows."""
    structure, digest = VOCABULARY.structure(event), digest_of(home.log.secret, submission)
    if isinstance(structure, Remembered):
        first = as_first_told(item, submission[0], structure)
        weighed = msgspec.structs.replace(first, depth_weight=structure.depth_weight)
        return weighed == structure and _has_content(event, submission[1])
    if not isinstance(structure, events.Buffered):
        return _has_digest(event, digest)
    if structure.memory != submission[0] or not event.erased:
        return structure.memory == submission[0] and _has_content(event, submission[1])
    # The content left the buffer and is erased there: compare with what became of it.
    left = home.views.read(lambda db: left_at(db, event.event_id))
    for decision in home.log.events_at([] if left is None else [left]):
        became = VOCABULARY.structure(decision)
        if isinstance(became, events.Admitted) and decision.memory_id is not None:
            memories = events_of(home, [decision.memory_id])
            return all(_has_content(one, submission[1]) for one in memories)
        if isinstance(became, events.Reinforced | events.Dropped):
            return _has_digest(decision, digest)
    # Redacted in the buffer or after it left: nothing remains to compare.
    return True


def _has_digest(decision: Event, digest: str) -> bool:
    """True if a decision has the digest; a redacted or undone one matches any digest."""
    decoded = VOCABULARY.decode(decision)
    if isinstance(decoded.structure, events.Dropped):
        return decoded.structure.digest in {None, digest}
    if isinstance(decoded.structure, events.Reinforced):
        return not isinstance(decoded.content, events.Met) or decoded.content.digest == digest
    return False


def _has_content(event: Event, submitted: MemoryContent) -> bool:
    """True if content was stored as submitted; redacted content matches any."""
    content = VOCABULARY.decode(event).content
    if not isinstance(content, MemoryContent):
        return True
    return content == msgspec.structs.replace(submitted, summary=content.summary)
