"""Memories and their states through time, what superseded them, their tags and conflicts."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import cast

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger import events as kinds
from mnemolog.ledger.decay import decay_of
from mnemolog.ledger.events import ConflictType, Event, Outcome, Resolution, Severity, Winner
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.sqlite.connections import insert
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY, decoded_part
from mnemolog.projections import sql


class _Tags(msgspec.Struct):
    """The tags alone, so that folding does not copy a memory's text."""

    tags: tuple[str, ...] = ()


_tags = msgspec.json.Decoder(_Tags)
_TAG_BYTES = 8
_KEY_BITS = 48
_FIRST_STATE = "(?,?,NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'active',0,?)"
_CONFLICT_KINDS = frozenset({"conflicted", "settled", "reopened"})
_CHANGES = _CONFLICT_KINDS | {
    "superseded", "reinstated", "withdrawn", "restored", "redacted", "degraded", "revived",
}  # fmt: skip


def tag_key(secret: bytes, tag: str) -> bytes:
    """The key of a tag in the views, which hold no content: 8 bytes of HMAC-SHA-256."""
    return hmac.digest(secret, b"tag\x00" + tag.casefold().encode(), sha256)[:_TAG_BYTES]


def key_of(version: int) -> int:
    """The key that a version of the tables was made with, which a log keeps in all its copies."""
    return version & ((1 << _KEY_BITS) - 1)


def _apply(db: Connection, events: Sequence[Event], secret: bytes) -> None:
    # By runs of one kind: what changes a memory may follow it in this very batch.
    for kind, run in groupby(events, key=attrgetter("kind")):
        if kind == "remembered":
            _remember(db, list(run), secret)
        elif kind in _CHANGES:
            for event in run:
                _change(db, event)


def _remember(db: Connection, events: Sequence[Event], secret: bytes) -> None:
    rows: list[tuple[apsw.SQLiteValue, ...]] = []
    tags: list[tuple[bytes, int]] = []
    for event, structure in zip(events, VOCABULARY.structures(events), strict=True):
        if isinstance(structure, kinds.Remembered):
            content = event.content
            rows.append(_first_state(event, structure))
            # `in` would first try to take the text for a number: half as fast.
            if content is not None and content.find(b'"tags"') >= 0:
                own = decoded_part(event, content, _tags.decode).tags
                tags += [(key, event.position) for key in {tag_key(secret, tag) for tag in own}]
    insert(db, "memories", _FIRST_STATE, rows)
    insert(db, "taggings", "(?, ?)", tags)


def _change(db: Connection, event: Event) -> None:
    structure, at = VOCABULARY.structure(event), event.position
    if isinstance(structure, kinds.Redacted):
        for event_id in structure.events:
            _redact(db, bytes.fromhex(event_id), at)
    elif event.kind in _CONFLICT_KINDS:
        if (concerned := _fold_conflict(db, event, structure)) is not None:
            _restate(db, concerned, at, withdrawn=None, tier=None)
    elif event.memory_id is not None and structure is not None:
        memory_id = bytes.fromhex(event.memory_id)
        withdrawn: bool | None = None
        tier: Tier | None = None
        match structure:
            case kinds.Superseded(by=by, valid_until=ends):
                closes = event.recorded_at if ends is None else ends
                _supersede(db, memory_id, bytes.fromhex(by), at, closes)
            case kinds.Reinstated(by=by):
                sql.end_row(db, "supersessions", at, old=memory_id, new=bytes.fromhex(by))
            case kinds.Degraded() | kinds.Revived():
                tier = structure.tier
            case _:
                withdrawn = event.kind == "withdrawn"
        _restate(db, memory_id, at, withdrawn=withdrawn, tier=tier)


def _first_state(event: Event, structure: kinds.Remembered) -> tuple[apsw.SQLiteValue, ...]:
    """The row of a memory as it begins, `since` and `memory` being its own position."""
    at, decay, one = event.position, decay_of(structure), structure
    said_at = event.recorded_at if one.said_at is None else one.stated_at(event.recorded_at)
    alpha, beta = one.depth_weight
    # The mean of a Beta distribution; a half for equal parameters, and for invalid ones.
    weight = alpha / (alpha + beta) if alpha != beta and alpha > 0 and beta > 0 else 0.5
    return (
        at, at, bytes.fromhex(event.event_id), event.space, said_at, one.kind, one.category,
        one.source, one.origin, one.source_type, one.place, event.correlation_id,
        one.valid_from, one.valid_until, one.constraint, weight, one.immutable, one.importance,
        decay.curve, decay.rate, one.initial_strength,
        "redacted" if event.content is None else "active",
    )  # fmt: skip


def _supersede(db: Connection, old: bytes, new: bytes, position: int, closes: int) -> None:
    db.execute(
        """
        INSERT INTO supersessions
        SELECT ?1, ?2, ?3, NULL, ?4, (SELECT space FROM memories WHERE memory_id = ?1 LIMIT 1)
        WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = ?1)
        AND NOT EXISTS (SELECT 1 FROM supersessions WHERE old = ?1 AND new = ?2 AND until IS NULL)
        """,
        (old, new, position, closes),
    )


def _restate(
    db: Connection, memory_id: bytes, at: int, *, withdrawn: bool | None, tier: Tier | None
) -> None:
    """Close a memory's present row and open the next, if its state changed; None: as it was."""
    db.execute(
        f"""
        INSERT INTO memories
        SELECT ?1, memory, NULL, memory_id, space, said_at, kind, category, source, origin,
               source_type, place, run, valid_from, valid_until, constraint_class, weight,
               immutable, importance, curve, rate, initial, t, w, new_status
        FROM (SELECT *, CASE WHEN w THEN 'withdrawn' WHEN s THEN 'superseded'
                             WHEN o IS NOT NULL THEN o
                             -- Until its text is destroyed, which the same command does.
                             WHEN t = 'deleted' THEN 'tombstone' ELSE t END AS new_status
              FROM (SELECT *, coalesce(?3, withdrawn) AS w, coalesce(?4, tier) AS t,
                           EXISTS (SELECT 1 FROM supersessions
                                   WHERE old = ?2 AND until IS NULL) AS s,
                           {_OPEN_STATUS} AS o
                    FROM memories
                    WHERE memory_id = ?2 AND until IS NULL AND status <> 'redacted'))
        WHERE new_status <> status OR w <> withdrawn OR t <> tier
        """,
        (at, memory_id, withdrawn, tier),
    )
    if db.changes():
        ended = "memory_id = ?2 AND until IS NULL AND since < ?1"
        db.execute(f"UPDATE memories SET until = ?1 WHERE {ended}", (at, memory_id))


def _redact(db: Connection, event_id: bytes, at: Position) -> None:
    """Let a memory be redacted from its beginning; any other event's redaction changes nothing."""
    query = "SELECT memory, space FROM memories WHERE memory_id = ? LIMIT 1"
    for memory, space in db.execute(query, (event_id,)).fetchall():
        redacted = "status = 'redacted', until = NULL, withdrawn = 0"
        db.execute("DELETE FROM memories WHERE memory_id = ?1 AND since <> memory", (event_id,))
        db.execute(f"UPDATE memories SET {redacted} WHERE memory_id = ?", (event_id,))
        db.execute("DELETE FROM taggings WHERE memory = ?", (memory,))
        db.execute("INSERT OR IGNORE INTO redactions VALUES (?, ?, ?)", (memory, space, at))


# -- conflicts -------------------------------------------------------------------------
# An open conflict is part of a memory's status, unless its settlement is only offered. In
# `openings`, [since, until) are the positions at which a conflict was open, and `winner` is how
# it ended then.
_CONFLICTS = """
    CREATE TABLE conflicts (
        conflict BLOB NOT NULL PRIMARY KEY, at INTEGER NOT NULL, space TEXT NOT NULL,
        new BLOB NOT NULL, other BLOB NOT NULL, type TEXT NOT NULL, severity TEXT NOT NULL,
        resolution TEXT NOT NULL, outcome TEXT NOT NULL, judge TEXT NOT NULL,
        similarity REAL) STRICT, WITHOUT ROWID;
    CREATE INDEX conflicts_by_space ON conflicts (space, at);
    CREATE INDEX conflicts_by_new ON conflicts (new);
    CREATE INDEX conflicts_by_other ON conflicts (other);
    CREATE TABLE openings (
        conflict BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, new BLOB NOT NULL,
        outcome TEXT NOT NULL, winner TEXT, PRIMARY KEY (conflict, since)) STRICT, WITHOUT ROWID;
    CREATE INDEX openings_by_new ON openings (new) WHERE until IS NULL;
"""
# The status that they give the memory '?2': pending before contested.
_OPEN_STATUS = """
    (SELECT outcome FROM openings WHERE new = ?2 AND until IS NULL AND outcome <> 'offered'
     ORDER BY outcome = 'pending' DESC LIMIT 1)
"""
# A conflict of a memory that is there.
_BEGIN = """
    INSERT OR IGNORE INTO conflicts SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
    WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = ?4)
"""
_DISPUTED = "('contested', 'pending')"
# Nothing but a settlement ends it.
_OPEN = """
    INSERT INTO openings SELECT conflict, ?1, NULL, new, outcome, NULL FROM conflicts
    WHERE conflict = ?2 AND outcome IN ('contested', 'pending', 'offered')
    AND NOT EXISTS (SELECT 1 FROM openings WHERE conflict = ?2 AND until IS NULL)
"""


def _fold_conflict(db: Connection, event: Event, structure: object) -> bytes | None:
    """Fold an event about a conflict; the memory whose status it may change, if any."""
    at = event.position
    if isinstance(structure, kinds.Conflicted):
        conflict, new = bytes.fromhex(event.event_id), bytes.fromhex(event.memory_id or "")
        between = (conflict, at, event.space, new, bytes.fromhex(structure.other))
        found = (structure.type, structure.severity, structure.resolution, structure.outcome)
        db.execute(_BEGIN, (*between, *found, structure.judge, structure.similarity))
        if not db.changes():
            return None
    elif isinstance(structure, kinds.Settled | kinds.Reopened):
        conflict = bytes.fromhex(structure.conflict)
    else:
        return None
    if isinstance(structure, kinds.Settled):
        ended = "UPDATE openings SET until = ?, winner = ? WHERE conflict = ? AND until IS NULL"
        db.execute(ended, (at, structure.winner, conflict))
    else:
        db.execute(_OPEN, (at, conflict))
    query = "SELECT new FROM conflicts WHERE conflict = ?"
    return cast("bytes | None", db.execute(query, (conflict,)).get) if db.changes() else None


# -- the projection --------------------------------------------------------------------
NAME = "memories"
_VERSION = 10
_SCHEMA = f"""
    CREATE TABLE memories (
        since INTEGER PRIMARY KEY, memory INTEGER NOT NULL, until INTEGER,
        memory_id BLOB NOT NULL, space TEXT NOT NULL, said_at INTEGER NOT NULL,
        kind TEXT NOT NULL, category TEXT, source TEXT, origin TEXT, source_type TEXT NOT NULL,
        place TEXT, run TEXT, valid_from INTEGER, valid_until INTEGER, constraint_class TEXT,
        weight REAL NOT NULL, immutable INTEGER NOT NULL, importance TEXT NOT NULL,
        curve TEXT NOT NULL, rate REAL NOT NULL, initial REAL NOT NULL,
        tier TEXT NOT NULL, withdrawn INTEGER NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE INDEX memories_by_id ON memories (memory_id);
    CREATE TABLE supersessions (
        old BLOB NOT NULL, new BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER,
        closes INTEGER NOT NULL, space TEXT NOT NULL,
        PRIMARY KEY (old, new, since)) STRICT, WITHOUT ROWID;
    CREATE TABLE taggings (
        tag BLOB NOT NULL, memory INTEGER NOT NULL,
        PRIMARY KEY (tag, memory)) STRICT, WITHOUT ROWID;
    CREATE INDEX taggings_by_memory ON taggings (memory);
    CREATE TABLE redactions (
        memory INTEGER PRIMARY KEY, space TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    {_CONFLICTS}
"""
_INDEXES = """
    CREATE INDEX memories_by_space ON memories (space);
    CREATE INDEX later_states ON memories (space, since) WHERE since <> memory;
    CREATE INDEX supersessions_by_new ON supersessions (new);
    CREATE INDEX supersessions_by_space ON supersessions (space, since);
    CREATE INDEX supersessions_by_end ON supersessions (space, until) WHERE until IS NOT NULL;
    CREATE INDEX redactions_by_space ON redactions (space, at);
"""


def memories(secret: bytes) -> sql.Projection:
    """One row a memory and state, with the positions [since, until) at which it held.

    `memory` is the position of the memory's own event, `weight` the centre of its depth weight;
    `curve`, `rate` and `initial` say how its strength fades, and `tier` how far it has fallen. An
    event changes the state of one memory, so that `since` is a key of its own. A memory without
    content is redacted from its beginning: the log's bytes, from which any moment is read, no
    longer have it. In `supersessions`, `closes` is the end of the old memory's valid time.
    """
    # Tags lie under keys made with the secret: views made with another are useless.
    made_with = int.from_bytes(hmac.digest(secret, b"views", sha256)[:6])
    version, fold = (_VERSION << _KEY_BITS) + made_with, partial(_apply, secret=secret)
    return sql.Projection(NAME, version, _CHANGES | {"remembered"}, _SCHEMA, fold, _INDEXES)


# -- conflicts as of a position --------------------------------------------------------
class ConflictRow(msgspec.Struct, frozen=True, array_like=True):
    """A conflict as of a position; `since` and `until` are when it was last open, if it ever was.

    `at` is the position of its `conflicted` event. `winner` is set once it is settled.
    """

    conflict: EventId
    at: Position
    new: MemoryId
    other: MemoryId
    type: ConflictType
    severity: Severity
    resolution: Resolution
    outcome: Outcome
    judge: str
    similarity: float | None
    since: Position | None
    until: Position | None
    winner: Winner | None


# The newest opening up to the position decides the state of a conflict there; one that
# ended later is still open.
_OPENING = """
    openings o ON o.conflict = c.conflict
    AND o.since = (SELECT max(since) FROM openings p
                   WHERE p.conflict = c.conflict AND p.since <= ?1)
"""
_AS_OF = f"""
    SELECT {sql.hex("c.conflict")}, c.at, {sql.hex("c.new")}, {sql.hex("c.other")}, c.type,
           c.severity, c.resolution, c.outcome, c.judge, c.similarity, o.since,
           CASE WHEN o.until <= ?1 THEN o.until END, CASE WHEN o.until <= ?1 THEN o.winner END
    FROM conflicts c LEFT JOIN {_OPENING} WHERE c.at <= ?1
"""


def conflicts_as_of(db: Connection, space: str, position: Position) -> list[ConflictRow]:
    """Every conflict that was found in a space up to a position, oldest first."""
    return sql.fetch(db, ConflictRow, f"{_AS_OF} AND c.space = ?2 ORDER BY c.at", position, space)


def open_conflicts_as_of(db: Connection, space: str, position: Position) -> list[ConflictRow]:
    """The open conflicts of a space as of a position, oldest first.

    Once its new memory is superseded, withdrawn or redacted, nothing waits for a settlement.
    """
    query = f"""
        {_AS_OF} AND c.space = ?2 AND c.outcome IN {_DISPUTED}
        AND o.since IS NOT NULL AND (o.until IS NULL OR o.until > ?1)
        AND EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = c.new AND {sql.held("?1", "m.")}
                    AND m.status IN {_DISPUTED})
        ORDER BY c.at
    """
    return sql.fetch(db, ConflictRow, query, position, space)


def conflicts_of(db: Connection, ids: Sequence[MemoryId], position: Position) -> list[ConflictRow]:
    """Every conflict in which one of these memories is a party as of a position, oldest first."""
    either = f"(c.new IN {sql.AMONG} OR c.other IN {sql.AMONG})"
    query = f"{_AS_OF} AND {either} ORDER BY c.at"
    return sql.fetch(db, ConflictRow, query, position, sql.as_list(ids))


class DisputeRow(msgspec.Struct, frozen=True, array_like=True):
    """Positions of two memories of which the newer may replace the older; `winner` if settled."""

    old: Position
    new: Position
    winner: Winner | None


def disputes_of(db: Connection, olds: Sequence[Position], position: Position) -> list[DisputeRow]:
    """Conflicts as of a position that left these older memories in force, oldest first."""
    query = f"""
        SELECT older.memory, newer.memory, CASE WHEN o.until <= ?1 THEN o.winner END
        FROM memories older JOIN conflicts c ON c.other = older.memory_id AND c.at <= ?1
        JOIN {_OPENING} JOIN memories newer ON newer.memory_id = c.new
        WHERE older.since IN (SELECT value FROM json_each(?2))
        AND newer.since = newer.memory ORDER BY c.at
    """
    return sql.fetch(db, DisputeRow, query, position, msgspec.json.encode(olds).decode())


def upheld_as_of(db: Connection, space: str, position: Position) -> frozenset[MemoryId]:
    """The memories of a space in whose favour a conflict is settled as of a position."""
    query = f"""
        SELECT CASE o.winner WHEN 'new' THEN c.new ELSE c.other END FROM conflicts c
        JOIN {_OPENING} AND o.until <= ?1 AND o.winner IN ('new', 'old')
        WHERE c.space = ?2 AND c.at <= ?1
    """
    return frozenset(sql.ids(db, query, position, space))


def winner_as_of(db: Connection, conflict: EventId, position: Position) -> Winner | None:
    """The settlement of a conflict as of a position; None if it is open or was never settled."""
    query = f"{_AS_OF} AND c.conflict = ?2"
    rows = sql.fetch(db, ConflictRow, query, position, bytes.fromhex(conflict))
    return rows[0].winner if rows else None


def is_open(row: ConflictRow) -> bool:
    """True if a conflict waits for its settlement, as far as its own events say."""
    return row.since is not None and row.until is None
