"""The hash chain: events as rows of the log's table, sealed with digests and checked.

For event n, with ‖ for concatenation and SHA-256 throughout:

    content_hash = H(salt ‖ content)
    leaf         = event_id ‖ memory_id ‖ causation_id ‖ content_hash ‖ envelope ‖ structure
    digest       = H(0x02 ‖ previous digest ‖ leaf)     (before the first: 32 zero bytes)

In the leaf, memory_id, causation_id and content_hash are 0x01 and their bytes, or 0x00 alone if
they are absent. Ids are 16 raw bytes. `envelope` is the JSON array [position, space, kind,
version, recorded_at, actor, correlation_id] as msgspec writes it; `content` and `structure` are
the stored bytes. Fixed sizes and the end of JSON keep two events from having one leaf. Hashing
it first would prove nothing more; H(0x00 ‖ leaf) is its hash in a Merkle tree of RFC 9162.
"""

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import CorruptLog, EventIdTaken, InvalidField
from mnemolog.ledger.events import Draft, Envelope, Event, Row
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sealing import seal
from mnemolog.results import converted

GENESIS = bytes(32)  # The digest before the first event.
_SALT_BYTES = _ID_BYTES = 16
_HASH_BYTES = 32
_ABSENT, _PRESENT, _LINK = b"\x00", b"\x01", b"\x02"
_BLOB = frozenset({bytes, type(None)})
_encode_json = msgspec.json.Encoder().encode


class Head(msgspec.Struct, frozen=True):
    """The last event of a log: its position, time and digest."""

    position: Position
    recorded_at: Micros
    digest: bytes


EMPTY = Head(Position(0), Micros(0), GENESIS)


def content_hash(salt: bytes, content: bytes) -> bytes:
    """The 32 bytes that stay when content and salt are destroyed."""
    return sha256(salt + content).digest()


def leaf(envelope: Envelope, structure: bytes, hashed_content: bytes | None) -> bytes:
    """The bytes of an event that its digest covers; `ValueError` for a wrong size of id or hash."""
    position, event_id, *names, memory_id, correlation_id, causation_id = envelope
    ids = (event_id, memory_id, causation_id)
    if any(one is not None and len(one) != _ID_BYTES for one in ids) or (
        hashed_content is not None and len(hashed_content) != _HASH_BYTES
    ):
        raise ValueError("an id has 16 bytes and a hash has 32")
    optional = (memory_id, causation_id, hashed_content)
    parts = [_ABSENT if one is None else _PRESENT + one for one in optional]
    return b"".join((event_id, *parts, _encode_json((position, *names, correlation_id)), structure))


def chain(previous: bytes, leaf_bytes: bytes) -> bytes:
    """The digest of an event: everything up to and including it."""
    return sha256(_LINK + previous + leaf_bytes).digest()


def sealed(drafts: Sequence[Draft], head: Head, recorded_at: Micros) -> tuple[list[Row], Head]:
    """Rows that continue the chain, and the head then; `InvalidField` for an id given twice."""
    if len(drafts) > 1 and len({draft.event_id for draft in drafts}) < len(drafts):
        raise InvalidField("event_id", "is given twice in one batch", "give each event its own")
    if not drafts:
        return [], head
    salts = os.urandom(_SALT_BYTES * len(drafts))
    rows = seal(list(drafts), salts, head.position, head.digest, recorded_at)
    return rows, Head(Position(head.position + len(rows)), recorded_at, rows[-1][14])


def check_same(draft: Draft, row: Row) -> None:
    """Raise `EventIdTaken` unless a row has the draft's payload, or had it before a redaction."""
    (event,) = events_of([row])
    mine = (draft.space, draft.kind, draft.version, draft.memory_id, draft.structure)
    same = mine == (event.space, event.kind, event.version, event.memory_id, event.structure)
    if not same or not (event.erased or event.content == draft.content):
        raise EventIdTaken(draft.event_id, event.position)


def check_follows(event: Event, head: Head) -> Head:
    """The head after an event; `CorruptLog` unless the chain has it behind `head`."""
    if event.position != head.position + 1:
        problem = f"event {event.position} stands in the place of event {head.position + 1}"
    elif not follows(head.digest, event):
        problem = f"event {event.position}: its digest does not follow from its bytes"
    elif event.recorded_at < head.recorded_at:
        problem = f"event {event.position}: its time is before that of the event before it"
    elif not _content_fits(event):
        problem = f"event {event.position}: its content was changed"
    else:
        return Head(event.position, event.recorded_at, event.digest)
    raise CorruptLog(problem, head.position)


def _content_fits(event: Event) -> bool:
    if event.content is None or event.salt is None:
        return event.content is None and event.salt is None
    return content_hash(event.salt, event.content) == event.content_hash


def as_draft(event: Event) -> Draft:
    """An event of a log as it was drafted, to be met again by its id."""
    return converted(event, Draft, from_attributes=True)


def row_of(event: Event) -> Row:
    """An event as a row."""
    return (
        event.position,
        bytes.fromhex(event.event_id),
        event.space,
        event.kind,
        event.version,
        event.recorded_at,
        event.actor,
        None if event.memory_id is None else bytes.fromhex(event.memory_id),
        event.correlation_id,
        None if event.causation_id is None else bytes.fromhex(event.causation_id),
        event.structure.decode(),
        None if event.content is None else event.content.decode(),
        event.salt,
        event.content_hash,
        event.digest,
    )


def events_of(rows: Iterable[Row]) -> list[Event]:
    """Rows as events; raises `CorruptLog` at the first whose values have lost their types."""
    # Flat, and without calls of the types' names: every fold reads the log through here.
    events: list[Event] = []
    add, blob = events.append, _BLOB
    position = Position(0)
    try:
        for (
            position, event_id, space, kind, version, recorded_at, actor, memory_id,
            correlation_id, causation_id, structure, content, salt, hashed, digest,
        ) in rows:  # fmt: skip
            if type(digest) is not bytes or type(salt) not in blob or type(hashed) not in blob:
                raise CorruptLog(f"event {position} cannot be read: bad hash", position - 1)
            add(
                Event(
                    position,
                    event_id.hex(),  # type: ignore[arg-type]
                    space,
                    kind,
                    version,
                    recorded_at,
                    actor,
                    None if memory_id is None else memory_id.hex(),  # type: ignore[arg-type]
                    correlation_id,
                    None if causation_id is None else causation_id.hex(),  # type: ignore[arg-type]
                    structure.encode(),
                    None if content is None else content.encode(),
                    salt,
                    hashed,
                    digest,
                )
            )
    except AttributeError as error:
        raise CorruptLog(f"event {position} cannot be read: {error}", position - 1) from None
    return events


def follows(previous: bytes, event: Event) -> bool:
    """True if an event's digest is that of its bytes behind the digest before it."""
    try:
        covered = leaf(row_of(event)[:10], event.structure, event.content_hash)
    except ValueError:
        return False
    return chain(previous, covered) == event.digest


def check_content(event: Event) -> Event:
    """The event, its content compared with its hash; raises `CorruptLog` if it was changed."""
    if not _content_fits(event):
        raise CorruptLog(f"the content of event {event.position} was changed", event.position - 1)
    return event
