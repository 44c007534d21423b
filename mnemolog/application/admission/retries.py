"""Retries of `admit` with an id: repeat the earlier events, or refuse different content."""

from __future__ import annotations

import hmac
from hashlib import sha256

import msgspec

from mnemolog.application.commands.command_history import command_events
from mnemolog.application.home.home import Home
from mnemolog.application.questions.buffer import Submission
from mnemolog.application.storing.store import as_first_told
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import EventIdTaken
from mnemolog.ledger.events import (
    Admitted,
    Buffered,
    Draft,
    Dropped,
    Event,
    MemoryContent,
    Met,
    Reinforced,
    Remembered,
)
from mnemolog.ledger.ids import EventId, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.memories import NewMemory
from mnemolog.projections.buffers import left_at

_BYTES = 16
_DECISIONS = frozenset({"admitted", "reinforced", "buffered", "dropped"})


def ids_of_turns(given: str | None, count: int) -> list[str | None]:
    """Ids of a conversation's turns: the given one, then ids derived from it.

    Deterministic, and independent of later turns; None for each turn if no id is given. Raises
    `InvalidField`.
    """
    if given is None:
        return [None] * count
    first = parse_id("id", given)
    ids: list[str | None] = [first]
    for number in range(1, count):
        made = sha256(f"turn {number} of {first}".encode()).hexdigest()
        # A UUIDv7 of the same millisecond.
        ids.append(f"{first[:12]}7{made[:3]}{'89ab'[int(made[3], 16) & 3]}{made[4:19]}")
    return ids


def digest_of(secret: bytes, submission: Submission) -> str:
    """Digest that recognises the same submission and reveals nothing: HMAC-SHA-256, in hex."""
    said = b"\x00".join(encode_payload(part) for part in submission)
    return hmac.digest(secret, b"submitted\x00" + said, sha256)[:_BYTES].hex()


def met_before(home: Home, space: str, item: NewMemory, submission: Submission) -> list[Draft]:
    """Events of an earlier attempt with the same id; empty if there was none.

    Raises `EventIdTaken` if the id belongs to something else: another text or other fields.
    """
    if item.id is None:
        return []
    log = home.log
    event_id = EventId(parse_id("id", item.id))
    for event in log.events_at([*log.positions_of([event_id]).values()]):
        command = command_events(log, event)
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
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Remembered):
        first = msgspec.structs.replace(
            as_first_told(item, submission[0], structure), depth_weight=structure.depth_weight
        )
        return first == structure and _has_content(event, submission[1])
    if isinstance(structure, Buffered):
        if structure.memory != submission[0]:
            return False
        if not event.erased:
            return _has_content(event, submission[1])
        return _left_as_the_same(home, event, submission)
    return _has_digest(event, digest_of(home.log.secret, submission))


def _left_as_the_same(home: Home, event: Event, submission: Submission) -> bool:
    """True if content that left the buffer, and is erased there, matches the submission."""
    left = home.views.read(lambda db: left_at(db, event.event_id))
    for decision in home.log.events_at([] if left is None else [left]):
        structure = VOCABULARY.structure(decision)
        if isinstance(structure, Admitted) and decision.memory_id is not None:
            stored = home.log.positions_of([EventId(decision.memory_id)])
            memories = home.log.events_at([*stored.values()])
            return all(_has_content(one, submission[1]) for one in memories)
        if isinstance(structure, Reinforced | Dropped):
            return _has_digest(decision, digest_of(home.log.secret, submission))
    # Redacted in the buffer or after it left: nothing remains to compare.
    return True


def _has_digest(decision: Event, digest: str) -> bool:
    """True if a decision has the digest; a redacted or undone one matches any digest."""
    decoded = VOCABULARY.decode(decision)
    if isinstance(decoded.structure, Dropped):
        return decoded.structure.digest in {None, digest}
    if isinstance(decoded.structure, Reinforced):
        return not isinstance(decoded.content, Met) or decoded.content.digest == digest
    return False


def _has_content(event: Event, submitted: MemoryContent) -> bool:
    """True if content was stored as submitted; redacted content matches any."""
    content = VOCABULARY.decode(event).content
    if not isinstance(content, MemoryContent):
        return True
    return content == msgspec.structs.replace(submitted, summary=content.summary)
