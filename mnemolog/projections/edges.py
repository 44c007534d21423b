"""Edges between memories and named things through time."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, cast

import apsw
import msgspec

from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Event, Linked, Redacted, Unlinked
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections.projection import (
    Projection,
    add_row,
    end_row,
    exists,
    held,
    id_column,
    on,
    position_column,
    projection,
)

if TYPE_CHECKING:
    from apsw import SQLiteValue

_KEY_BYTES = 8
_SOURCE, _TARGET = 0, 1

_contents = msgspec.json.Decoder(EdgeContent)


def thing_key(secret: bytes, name: str) -> bytes:
    """The key of a thing in the views, which hold no content: 8 bytes of HMAC-SHA-256.

    Names that differ by case or blanks alone have one key.
    """
    folded = " ".join(name.casefold().split())
    return hmac.digest(secret, b"thing\x00" + folded.encode(), sha256)[:_KEY_BYTES]


def _link(db: apsw.Connection, event: Event, structure: Linked, secret: bytes) -> None:
    edge = bytes.fromhex(event.event_id)
    ends = [one and bytes.fromhex(one) for one in (event.memory_id, structure.target)]
    belief = (structure.confidence, structure.origin)
    valid = (structure.valid_from, structure.valid_until)
    first = (event.position, None, edge, event.space, structure.type)
    add_row(db, "edges", *first, *ends, *belief, *valid, None)
    db.executemany(
        "INSERT OR IGNORE INTO edge_evidence VALUES (?, ?)",
        [(bytes.fromhex(memory_id), event.position) for memory_id in structure.evidence],
    )
    if event.content is None:
        return
    content = decoded_part(event, event.content, _contents.decode)
    named = (
        (_SOURCE, content.source if event.memory_id is None else None),
        (_TARGET, content.target if structure.target is None else None),
    )
    db.executemany(
        "INSERT INTO things VALUES (?, ?, ?)",
        [
            (thing_key(secret, name), event.position, side)
            for side, name in named
            if name is not None
        ],
    )


def _unlink(db: apsw.Connection, event: Event, structure: Unlinked) -> None:
    end_row(db, "edges", event.position, edge=bytes.fromhex(structure.edge), space=event.space)


def _redact(db: apsw.Connection, event: Event, structure: Redacted) -> None:
    """Forget the things of redacted edges from the beginning of each."""
    for event_id in structure.events:
        _erase(db, bytes.fromhex(event_id), event.position)


def _erase(db: apsw.Connection, edge: bytes, at: Position) -> None:
    for (since,) in db.execute("SELECT since FROM edges WHERE edge = ?", (edge,)).fetchall():
        db.execute("DELETE FROM things WHERE edge = ?", (since,))
        db.execute(
            "UPDATE edges SET erased_at = ?1 WHERE since = ?2 AND erased_at IS NULL", (at, since)
        )


_SCHEMA = """
    CREATE TABLE edges (
        since       INTEGER PRIMARY KEY,
        until       INTEGER,
        edge        BLOB NOT NULL,
        space       TEXT NOT NULL,
        type        TEXT NOT NULL,
        source      BLOB,
        target      BLOB,
        confidence  REAL NOT NULL,
        origin      TEXT NOT NULL,
        valid_from  INTEGER,
        valid_until INTEGER,
        erased_at   INTEGER
    ) STRICT;
    CREATE INDEX edges_by_id ON edges (edge);
    CREATE INDEX edges_by_source ON edges (source) WHERE source IS NOT NULL;
    CREATE INDEX edges_by_target ON edges (target) WHERE target IS NOT NULL;
    CREATE INDEX edges_by_space ON edges (space, since);
    CREATE INDEX edges_by_end ON edges (space, until) WHERE until IS NOT NULL;
    CREATE INDEX edges_by_erasure ON edges (space, erased_at) WHERE erased_at IS NOT NULL;
    CREATE TABLE things (
        thing BLOB NOT NULL,
        edge  INTEGER NOT NULL,
        side  INTEGER NOT NULL,
        PRIMARY KEY (thing, edge, side)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX things_by_edge ON things (edge);
    CREATE TABLE edge_evidence (
        memory BLOB NOT NULL,
        edge   INTEGER NOT NULL,
        PRIMARY KEY (memory, edge)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX edge_evidence_by_edge ON edge_evidence (edge);
"""


def edges(secret: bytes) -> Projection:
    """One row an edge, with the positions [since, until) at which it was there.

    `since` is the position of the edge's own event. `source` and `target` are memories;
    an end that is a thing is NULL there and has its key in `things` (`side` 0 is the
    source), until the name is redacted. `erased_at` is the position of that redaction.
    `edge_evidence` has the memories that an edge was drawn from.
    """
    return projection(
        "edges",
        2,
        _SCHEMA,
        on(Linked, partial(_link, secret=secret)),
        on(Unlinked, _unlink),
        on(Redacted, _redact),
    )


class EdgeRow(msgspec.Struct, frozen=True, array_like=True):
    """One edge; an end that is None is a thing, named in the content of the edge's event."""

    since: Position
    until: Position | None
    edge_id: EventId
    type: str
    source: MemoryId | None
    target: MemoryId | None
    confidence: float
    origin: EdgeOrigin
    valid_from: int | None
    valid_until: int | None


class EdgeChange(msgspec.Struct, frozen=True, array_like=True):
    """An edge as an index follows it: its memories by position, None where an end is a thing."""

    since: Position
    until: Position | None
    type: str
    source: Position | None
    target: Position | None
    confidence: float
    origin: EdgeOrigin
    valid_from: int | None
    valid_until: int | None


_ROW = "since, until, edge, type, source, target, confidence, origin, valid_from, valid_until"
_AT_MEMORY = (
    "since IN (SELECT since FROM edges WHERE source = ?3 UNION "
    "SELECT since FROM edges WHERE target = ?3)"
)
_OPEN = f"space = ?1 AND {held('?2')}"


def edges_as_of(db: apsw.Connection, space: str, position: Position) -> list[EdgeRow]:
    """The edges of a space as of a position, oldest first."""
    rows = db.execute(
        f"SELECT {_ROW} FROM edges WHERE {_OPEN} ORDER BY since", (space, position)
    ).fetchall()
    return [_row(row) for row in rows]


def edges_at(
    db: apsw.Connection, space: str, end: MemoryId | bytes, position: Position
) -> list[EdgeRow]:
    """The edges to and from a memory, or a thing by its key, as of a position, oldest first."""
    if isinstance(end, bytes):
        chosen, key = "since IN (SELECT edge FROM things WHERE thing = ?3)", end
    else:
        chosen, key = _AT_MEMORY, bytes.fromhex(end)
    rows = db.execute(
        # With a plus the space is no index to go by: all of its edges would be looked at.
        f"SELECT {_ROW} FROM edges WHERE +{_OPEN} AND {chosen} ORDER BY since",
        (space, position, key),
    ).fetchall()
    return [_row(row) for row in rows]


class Between(NamedTuple):
    """The type of an edge between two things, and their keys."""

    type: str
    source: bytes
    target: bytes


def between_things(db: apsw.Connection, space: str, position: Position) -> dict[Between, EdgeRow]:
    """The edges ever made between two things of a space as of a position, with known names.

    Each with the newest edge of its kind, of those that are still there if there are any.
    """
    rows = db.execute(
        f"""
        SELECT type, (SELECT thing FROM things WHERE edge = since AND side = {_SOURCE}) AS a,
               (SELECT thing FROM things WHERE edge = since AND side = {_TARGET}) AS b, {_ROW}
        FROM edges WHERE space = ?1 AND since <= ?2 AND source IS NULL AND target IS NULL
        AND a IS NOT NULL AND b IS NOT NULL
        ORDER BY until IS NULL OR until > ?2, since
        """,
        (space, position),
    )
    return {
        Between(cast("str", kind), cast("bytes", a), cast("bytes", b)): _row(tuple(row))
        for kind, a, b, *row in rows
    }


def edge_at(db: apsw.Connection, space: str, edge: EventId, position: Position) -> EdgeRow | None:
    """One edge of a space, if it is there as of a position."""
    rows = db.execute(
        f"SELECT {_ROW} FROM edges WHERE +{_OPEN} AND edge = ?3",
        (space, position, bytes.fromhex(edge)),
    ).fetchall()
    return _row(rows[0]) if rows else None


def edge_events_of(db: apsw.Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of the edges that have a memory at either end, or were drawn from it.

    Ended ones included.
    """
    rows = db.execute(
        "SELECT since FROM edges WHERE source = ?1 OR target = ?1 "
        "UNION SELECT edge FROM edge_evidence WHERE memory = ?1 ORDER BY 1",
        (bytes.fromhex(memory_id),),
    )
    return position_column(rows)


def edge_changes(db: apsw.Connection, space: str, after: Position) -> list[EdgeChange]:
    """The edges of a space that began or ended after a position, oldest first."""
    rows = db.execute(
        """
        SELECT e.since, e.until, e.type,
               CASE WHEN e.source IS NULL THEN NULL ELSE ifnull(s.memory, 0) END,
               CASE WHEN e.target IS NULL THEN NULL ELSE ifnull(t.memory, 0) END,
               e.confidence, e.origin, e.valid_from, e.valid_until
        FROM edges e
        LEFT JOIN memories s ON s.memory_id = e.source AND s.since = s.memory
        LEFT JOIN memories t ON t.memory_id = e.target AND t.since = t.memory
        WHERE e.since IN (SELECT since FROM edges WHERE space = ?1 AND since > ?2 UNION
                          SELECT since FROM edges WHERE space = ?1 AND until > ?2)
        ORDER BY e.since
        """,
        (space, after),
    ).fetchall()
    return [msgspec.convert(row, EdgeChange) for row in rows]


class Joined(NamedTuple):
    """An edge as the graph is made of it; each end is a memory's id or a thing's key."""

    source: bytes
    target: bytes
    type: str
    confidence: float
    origin: EdgeOrigin


def joined_as_of(
    db: apsw.Connection, space: str, position: Position, instant: int
) -> Iterator[Joined]:
    """The edges of a space whose two ends are known as of a position, oldest first.

    Without those that do not hold at the instant, or have no confidence at all.
    """
    rows = db.execute(
        f"""
        SELECT ifnull(source, (SELECT thing FROM things
                               WHERE edge = since AND side = {_SOURCE})) AS a,
               ifnull(target, (SELECT thing FROM things
                               WHERE edge = since AND side = {_TARGET})) AS b,
               type, confidence, origin
        FROM edges WHERE {_OPEN} AND a IS NOT NULL AND b IS NOT NULL AND confidence > 0
        AND (valid_from IS NULL OR valid_from <= ?3)
        AND (valid_until IS NULL OR valid_until > ?3) ORDER BY since
        """,
        (space, position, instant),
    )
    return map(Joined._make, rows)


def evidence_of(
    db: apsw.Connection, edges: Sequence[Position]
) -> dict[Position, tuple[MemoryId, ...]]:
    """The memories that each of these edges was drawn from; without those drawn from none."""
    found: dict[Position, tuple[MemoryId, ...]] = {}
    for edge in edges:
        rows = db.execute(
            "SELECT memory FROM edge_evidence WHERE edge = ? ORDER BY memory", (edge,)
        )
        if by := id_column(rows):
            found[edge] = by
    return found


def edges_erased(db: apsw.Connection, space: str, after: Position) -> bool:
    """True if names in edges that began up to a position were destroyed after it."""
    query = "SELECT 1 FROM edges WHERE space = ?1 AND erased_at > ?2 AND since <= ?2"
    return exists(db, query, (space, after))


def _row(values: tuple[SQLiteValue, ...]) -> EdgeRow:
    since, until, edge, kind, source, target, *rest = values
    return msgspec.convert(
        (since, until, cast("bytes", edge).hex(), kind, _hex(source), _hex(target), *rest), EdgeRow
    )


def _hex(value: SQLiteValue) -> str | None:
    return None if value is None else cast("bytes", value).hex()
