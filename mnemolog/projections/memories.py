"""Memories and their states through time, what superseded them, and their tags."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger.decay import decay_of
from mnemolog.ledger.events import (
    Degraded,
    Event,
    Redacted,
    Reinstated,
    Remembered,
    Revived,
    Superseded,
)
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.connections import insert
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY, decoded_part
from mnemolog.projections import conflicts, sql


class _Tags(msgspec.Struct):
    """The tags alone, so that folding does not copy a memory's text."""

    tags: tuple[str, ...] = ()


_tags = msgspec.json.Decoder(_Tags)

_TAG_BYTES = 8
_KEY_BITS = 48
_FIRST_STATE = "(?,?,NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'active',0,?)"


_CHANGES = conflicts.KINDS | {
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
        if isinstance(structure, Remembered):
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
    if isinstance(structure, Redacted):
        for event_id in structure.events:
            _redact(db, bytes.fromhex(event_id), at)
    elif event.kind in conflicts.KINDS:
        if (concerned := conflicts.fold_conflict(db, event, structure)) is not None:
            _restate(db, concerned, at, withdrawn=None, tier=None)
    elif event.memory_id is not None and structure is not None:
        memory_id = bytes.fromhex(event.memory_id)
        withdrawn: bool | None = None
        tier: Tier | None = None
        match structure:
            case Superseded(by=by, valid_until=ends):
                closes = event.recorded_at if ends is None else ends
                _supersede(db, memory_id, bytes.fromhex(by), at, closes)
            case Reinstated(by=by):
                sql.end_row(db, "supersessions", at, old=memory_id, new=bytes.fromhex(by))
            case Degraded() | Revived():
                tier = structure.tier
            case _:
                withdrawn = event.kind == "withdrawn"
        _restate(db, memory_id, at, withdrawn=withdrawn, tier=tier)


def _first_state(event: Event, structure: Remembered) -> tuple[apsw.SQLiteValue, ...]:
    """The row of a memory as it begins, `since` and `memory` being its own position."""
    at, decay, one = event.position, decay_of(structure), structure
    said_at = event.recorded_at if one.said_at is None else one.told_at(event.recorded_at)
    alpha, beta = one.depth_weight
    # The mean of a Beta distribution; a half for invalid parameters.
    weight = alpha / (alpha + beta) if alpha > 0 and beta > 0 else 0.5
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
    """Close the memory's present row at a position and open the next, if its state changed.

    None leaves whether it is withdrawn, or its tier, as it is.
    """
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
                           {conflicts.OPEN_STATUS} AS o
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


NAME = "memories"
_VERSION = 8
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
    {conflicts.SCHEMA}
"""
_INDEXES = """
    CREATE INDEX memories_by_space ON memories (space);
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
