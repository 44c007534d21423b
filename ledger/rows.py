"""Events as rows: prepared by the caller's thread, chained by the writer."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ledger.clock import Micros
from ledger.digests import SALT_BYTES, chain, content_hash, leaf_hash
from ledger.errors import CorruptLog, EventIdTaken, InvalidField
from ledger.events import Draft, Event
from ledger.ids import EventId, MemoryId, Position
from ledger.log import Head

Row = tuple[
    int,
    bytes,
    str,
    str,
    int,
    int,
    str,
    bytes | None,
    str | None,
    bytes | None,
    str,
    str | None,
    bytes | None,
    bytes | None,
    bytes,
]
"""The columns of `events`, in the order of the table."""


class Prepared:
    """A draft with its salt and content hash, waiting for a position and a time."""

    __slots__ = (
        "actor",
        "causation_id",
        "content",
        "content_hash",
        "correlation_id",
        "event_id",
        "kind",
        "memory_id",
        "salt",
        "space",
        "structure",
        "version",
    )

    def __init__(self, draft: Draft, salt: bytes | None, hashed: bytes | None) -> None:
        self.event_id = bytes.fromhex(draft.event_id)
        self.space = draft.space
        self.kind = draft.kind
        self.version = draft.version
        self.actor = draft.actor
        self.memory_id = None if draft.memory_id is None else bytes.fromhex(draft.memory_id)
        self.correlation_id = draft.correlation_id
        self.causation_id = (
            None if draft.causation_id is None else bytes.fromhex(draft.causation_id)
        )
        self.structure = draft.structure
        self.content = draft.content
        self.salt = salt
        self.content_hash = hashed

    def leaf(self, position: int, recorded_at: int) -> bytes:
        """The event's leaf hash at a position and time."""
        return leaf_hash(
            position,
            self.event_id,
            self.space,
            self.kind,
            self.version,
            recorded_at,
            self.actor,
            self.memory_id,
            self.correlation_id,
            self.causation_id,
            self.structure,
            self.content_hash,
        )

    def row(self, position: int, recorded_at: int, digest: bytes) -> Row:
        """The event's row at a position and time."""
        return (
            position,
            self.event_id,
            self.space,
            self.kind,
            self.version,
            recorded_at,
            self.actor,
            self.memory_id,
            self.correlation_id,
            self.causation_id,
            self.structure.decode(),
            None if self.content is None else self.content.decode(),
            self.salt,
            self.content_hash,
            digest,
        )

    def check_same(self, row: Row) -> None:
        """Raise `EventIdTaken` unless the row has this draft's payload.

        Content that has been destroyed cannot be compared and counts as the
        same: a retry must not bring back what was redacted, nor fail.
        """
        erased = row[11] is None and row[13] is not None
        same_content = (
            (self.content is not None or self.content_hash is not None)
            if erased
            else row[11] == (None if self.content is None else self.content.decode())
        )
        mine = (self.space, self.kind, self.version, self.memory_id, self.structure.decode())
        if (row[2], row[3], row[4], row[7], row[10]) != mine or not same_content:
            raise EventIdTaken(self.event_id.hex(), row[0])

    def check_follows(self, head: Head, event: Event) -> Head:
        """The head after an adopted event; raises `CorruptLog` if it does not fit."""
        digest = chain(head.digest, self.leaf(event.position, event.recorded_at))
        content_fits = event.content is None or (
            event.salt is not None and content_hash(event.salt, event.content) == event.content_hash
        )
        if (
            event.position != head.position + 1
            or digest != event.digest
            or event.recorded_at < head.recorded_at
            or not content_fits
        ):
            raise CorruptLog(f"event {event.position} does not continue it", head.position)
        return Head(event.position, event.recorded_at, digest)

    def as_row(self, event: Event) -> Row:
        """The row of an adopted event."""
        return self.row(event.position, event.recorded_at, event.digest)


def prepare(draft: Draft) -> Prepared:
    """Salt and hash a draft's content; everything that needs no lock."""
    if draft.content is None:
        return Prepared(draft, None, None)
    salt = os.urandom(SALT_BYTES)
    return Prepared(draft, salt, content_hash(salt, draft.content))


def as_draft(event: Event) -> Draft:
    """An event of a log as it was drafted, to be met again by its id."""
    return Draft(
        event_id=event.event_id,
        space=event.space,
        kind=event.kind,
        version=event.version,
        actor=event.actor,
        memory_id=event.memory_id,
        correlation_id=event.correlation_id,
        causation_id=event.causation_id,
        structure=event.structure,
        content=event.content,
    )


def payload_of(event: Event) -> Prepared:
    """An adopted event's payload, with the salt and hash that it came with."""
    return Prepared(as_draft(event), event.salt, event.content_hash)


def chained(
    prepared: Sequence[Prepared], head: Head, recorded_at: Micros
) -> tuple[list[Row], Head]:
    """Rows that continue the chain after `head`, and the head after them.

    Raises `InvalidField` if two of them have one event id.
    """
    if len({item.event_id for item in prepared}) < len(prepared):
        raise InvalidField("event_id", "is given twice in one batch", "give each event its own")
    position, digest = head.position, head.digest
    rows = []
    for item in prepared:
        position = Position(position + 1)
        digest = chain(digest, item.leaf(position, recorded_at))
        rows.append(item.row(position, recorded_at, digest))
    return rows, Head(position, recorded_at if rows else head.recorded_at, digest)


def event_of(row: Row) -> Event:
    """A row as an event."""
    return Event(
        Position(row[0]),
        EventId(row[1].hex()),
        row[2],
        row[3],
        row[4],
        Micros(row[5]),
        row[6],
        None if row[7] is None else MemoryId(row[7].hex()),
        row[8],
        None if row[9] is None else EventId(row[9].hex()),
        row[10].encode(),
        None if row[11] is None else row[11].encode(),
        row[12],
        row[13],
        row[14],
    )


def check_content(event: Event) -> Event:
    """The event, its content held against its hash; raises `CorruptLog` if it was changed."""
    if event.content is not None and (
        event.salt is None or content_hash(event.salt, event.content) != event.content_hash
    ):
        raise CorruptLog(f"the content of event {event.position} was changed", event.position - 1)
    return event
