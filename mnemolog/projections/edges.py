"""Edges between memories and named things through time."""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Generic, NamedTuple, TypeVar, cast

import msgspec
from apsw import Connection

from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Event, Linked, Redacted, Unlinked
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections import sql
from mnemolog.results import converted

_KEY_BYTES = 8
_End = TypeVar("_End")
_contents = msgspec.json.Decoder(EdgeContent)


def thing_key(secret: bytes, name: str) -> bytes:
    """The key of a thing in the views: 8 bytes of HMAC-SHA-256; case and blanks do not matter."""
    folded = " ".join(name.casefold().split())
    return hmac.digest(secret, b"thing\x00" + folded.encode(), sha256)[:_KEY_BYTES]


_SCHEMA = """
    CREATE TABLE edges (
        since INTEGER PRIMARY KEY, until INTEGER, edge BLOB NOT NULL, space TEXT NOT NULL,
        type TEXT NOT NULL, source BLOB, target BLOB, confidence REAL NOT NULL,
        origin TEXT NOT NULL, valid_from INTEGER, valid_until INTEGER, erased_at INTEGER) STRICT;
    CREATE INDEX edges_by_id ON edges (edge);
    CREATE INDEX edges_by_source ON edges (source) WHERE source IS NOT NULL;
    CREATE INDEX edges_by_target ON edges (target) WHERE target IS NOT NULL;
    CREATE INDEX edges_by_space ON edges (space, since);
    CREATE INDEX edges_by_end ON edges (space, until) WHERE until IS NOT NULL;
    CREATE INDEX edges_by_erasure ON edges (space, erased_at) WHERE erased_at IS NOT NULL;
    CREATE TABLE things (
        thing BLOB NOT NULL, edge INTEGER NOT NULL, side INTEGER NOT NULL,
        PRIMARY KEY (thing, edge, side)) STRICT, WITHOUT ROWID;
    CREATE INDEX things_by_edge ON things (edge);
    CREATE TABLE edge_evidence (
        memory BLOB NOT NULL, edge INTEGER NOT NULL,
        PRIMARY KEY (memory, edge)) STRICT, WITHOUT ROWID;
    CREATE INDEX edge_evidence_by_edge ON edge_evidence (edge);
"""


def edges(secret: bytes) -> sql.Projection:
    """One row an edge, with the positions [since, until) at which it was there.

    `since` is the position of the edge's own event. `source` and `target` are memories;
    an end that is a thing is NULL there and has its key in `things` (`side` 0 is the
    source), until the name is redacted. `erased_at` is the position of that redaction.
    `edge_evidence` has the memories that an edge was drawn from.
    """

    def link(db: Connection, event: Event, structure: Linked) -> None:
        at, ends = event.position, (event.memory_id, structure.target)
        first = (at, None, bytes.fromhex(event.event_id), event.space, structure.type)
        memories = (end and bytes.fromhex(end) for end in ends)
        belief = (structure.confidence, structure.origin)
        valid = (structure.valid_from, structure.valid_until)
        sql.add_row(db, "edges", *first, *memories, *belief, *valid, None)
        for one in dict.fromkeys(bytes.fromhex(memory_id) for memory_id in structure.evidence):
            sql.add_row(db, "edge_evidence", one, at)
        if event.content is not None:
            content = decoded_part(event, event.content, _contents.decode)
            # By side: the source is 0, the target 1.
            for side, name in enumerate((content.source, content.target)):
                if ends[side] is None and name is not None:
                    sql.add_row(db, "things", thing_key(secret, name), at, side)

    return sql.projection("edges", 2, _SCHEMA, link, _unlink, _redact)


def _unlink(db: Connection, event: Event, structure: Unlinked) -> None:
    sql.end_row(db, "edges", event.position, edge=bytes.fromhex(structure.edge), space=event.space)


def _redact(db: Connection, event: Event, structure: Redacted) -> None:
    """Forget the things of redacted edges from the beginning of each."""
    for event_id in structure.events:
        query = "SELECT since FROM edges WHERE edge = ?"
        for since in sql.positions(db, query, bytes.fromhex(event_id)):
            erased = "UPDATE edges SET erased_at = ? WHERE since = ? AND erased_at IS NULL"
            db.execute("DELETE FROM things WHERE edge = ?", (since,))
            db.execute(erased, (event.position, since))


class EdgeState(msgspec.Struct, Generic[_End], frozen=True, array_like=True):
    """An edge, with the positions [since, until) at which it was there, and its two ends."""

    since: Position
    until: Position | None
    source: _End
    type: str
    target: _End
    confidence: float
    origin: EdgeOrigin
    valid_from: int | None
    valid_until: int | None


class EdgeRow(EdgeState[MemoryId | None], frozen=True):
    """One edge; an end that is None is a thing, named in the content of the edge's event."""

    edge_id: EventId


_ROW = (
    f"since, until, {sql.hex('source')}, type, {sql.hex('target')}, confidence, origin, "
    f"valid_from, valid_until, {sql.hex('edge')}"
)
_AT_MEMORY = """
    SELECT since FROM edges WHERE source = ?3 UNION SELECT since FROM edges WHERE target = ?3
"""
_OPEN = f"space = ?1 AND {sql.AS_OF}"
# The keys of the things that an edge is between, where they are things and not redacted.
_SOURCE_KEY = "(SELECT thing FROM things WHERE edge = since AND side = 0)"
_TARGET_KEY = "(SELECT thing FROM things WHERE edge = since AND side = 1)"


def edges_as_of(db: Connection, space: str, position: Position) -> list[EdgeRow]:
    """The edges of a space as of a position, oldest first."""
    query = f"SELECT {_ROW} FROM edges WHERE {_OPEN} ORDER BY since"
    return sql.fetch(db, EdgeRow, query, space, position)


def edges_at(db: Connection, space: str, at: MemoryId | bytes, position: Position) -> list[EdgeRow]:
    """The edges to and from a memory, or a thing by its key, as of a position, oldest first."""
    key = at if isinstance(at, bytes) else bytes.fromhex(at)
    chosen = "SELECT edge FROM things WHERE thing = ?3" if isinstance(at, bytes) else _AT_MEMORY
    # With a plus the space is no index to go by: all of its edges would be looked at.
    query = f"SELECT {_ROW} FROM edges WHERE +{_OPEN} AND since IN ({chosen}) ORDER BY since"
    return sql.fetch(db, EdgeRow, query, space, position, key)


def edge_at(db: Connection, space: str, edge: EventId, position: Position) -> EdgeRow | None:
    """One edge of a space, if it is there as of a position."""
    query = f"SELECT {_ROW} FROM edges WHERE +{_OPEN} AND edge = ?3"
    return next(iter(sql.fetch(db, EdgeRow, query, space, position, bytes.fromhex(edge))), None)


class Between(NamedTuple):
    """The type of an edge between two things, and their keys."""

    type: str
    source: bytes
    target: bytes


def between_things(db: Connection, space: str, position: Position) -> dict[Between, EdgeRow]:
    """The edges ever made between two things of a space as of a position, with known names.

    Each with the newest edge of its kind, of those that are still there if there are any.
    """
    query = f"""
        SELECT type, {_SOURCE_KEY} AS a, {_TARGET_KEY} AS b, {_ROW} FROM edges
        WHERE space = ?1 AND since <= ?2 AND source IS NULL AND target IS NULL
        AND a IS NOT NULL AND b IS NOT NULL ORDER BY until IS NULL OR until > ?2, since
    """
    rows = db.execute(query, (space, position)).fetchall()
    return {converted(row[:3], Between): converted(row[3:], EdgeRow) for row in rows}


def edge_events_of(db: Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of edges at a memory, or drawn from it, ended ones included."""
    query = """
        SELECT since FROM edges WHERE source = ?1 OR target = ?1
        UNION SELECT edge FROM edge_evidence WHERE memory = ?1 ORDER BY 1
    """
    return sql.positions(db, query, bytes.fromhex(memory_id))


def joined_as_of(
    db: Connection, space: str, position: Position, instant: int
) -> list[tuple[bytes, bytes, str, float, EdgeOrigin]]:
    """The edges of a space whose two ends are known as of a position, oldest first.

    Each end is a memory's id or a thing's key; type, confidence and origin follow. Without edges
    that do not hold at the instant, or have no confidence at all.
    """
    query = f"""
        SELECT ifnull(source, {_SOURCE_KEY}) AS a, ifnull(target, {_TARGET_KEY}) AS b,
               type, confidence, origin
        FROM edges WHERE {_OPEN} AND a IS NOT NULL AND b IS NOT NULL AND confidence > 0
        AND (valid_from IS NULL OR valid_from <= ?3)
        AND (valid_until IS NULL OR valid_until > ?3) ORDER BY since
    """
    rows = db.execute(query, (space, position, instant)).fetchall()
    return cast("list[tuple[bytes, bytes, str, float, EdgeOrigin]]", rows)


def evidence_of(db: Connection, edges: Sequence[Position]) -> dict[Position, tuple[MemoryId, ...]]:
    """The memories that each of these edges was drawn from; without those drawn from none."""
    query = "SELECT memory FROM edge_evidence WHERE edge = ? ORDER BY memory"
    return {edge: by for edge in edges if (by := sql.ids(db, query, edge))}
