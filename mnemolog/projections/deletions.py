"""Deletions of faded memories, by fingerprint, and their texts that were stored again."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Degraded, Event, Relearned, Unlearned
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.projection import add_row, end_row, exists, held, on, projection

_BYTES = 16


def fingerprint(secret: bytes, text: str) -> str:
    """Keyed hash (HMAC-SHA-256, hex) that recognises a deleted text, and reveals nothing else.

    Case and blanks make no difference.
    """
    said = " ".join(text.casefold().split())
    return hmac.digest(secret, b"deleted\x00" + said.encode(), sha256)[:_BYTES].hex()


class Deletion(msgspec.Struct, frozen=True, array_like=True):
    """A memory that was deleted when it had faded, when, and when the same was stored again."""

    memory_id: MemoryId
    deleted_at: Micros
    relearned_at: Micros | None


def _delete(db: apsw.Connection, event: Event, structure: Degraded) -> None:
    if structure.tier == "deleted":
        db.execute(
            "INSERT OR IGNORE INTO deletions VALUES (?, ?, ?, ?, ?)",
            (
                bytes.fromhex(event.memory_id or ""),
                event.space,
                event.position,
                event.recorded_at,
                structure.fingerprint,
            ),
        )


def _relearn(db: apsw.Connection, event: Event, structure: Relearned) -> None:
    memory_id = bytes.fromhex(event.memory_id or "")
    of = bytes.fromhex(structure.of)
    add_row(db, "relearnings", of, event.position, None, memory_id, event.recorded_at)


def _unlearn(db: apsw.Connection, event: Event, structure: Unlearned) -> None:
    memory_id = bytes.fromhex(event.memory_id or "")
    of = bytes.fromhex(structure.of)
    end_row(db, "relearnings", event.position, of=of, memory_id=memory_id)


DELETIONS = projection(
    "deletions",
    2,
    """
    CREATE TABLE deletions (
        memory_id   BLOB PRIMARY KEY,
        space       TEXT NOT NULL,
        since       INTEGER NOT NULL,
        deleted_at  INTEGER NOT NULL,
        fingerprint TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE relearnings (
        of        BLOB NOT NULL,
        since     INTEGER NOT NULL,
        until     INTEGER,
        memory_id BLOB NOT NULL,
        at        INTEGER NOT NULL,
        PRIMARY KEY (of, since)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deletions_by_fingerprint ON deletions (space, fingerprint);
    """,
    on(Degraded, _delete),
    on(Relearned, _relearn),
    on(Unlearned, _unlearn),
)
"""One row a deleted memory, and one each time that the same was stored again.

In `relearnings`, `memory_id` says from `since` on what `of` had said, until that was undone.
"""


def has_deletions(db: apsw.Connection, space: str) -> bool:
    """True if anything was ever deleted in a space for having faded."""
    query = "SELECT 1 FROM deletions WHERE space = ? AND fingerprint IS NOT NULL"
    return exists(db, query, (space,))


def deleted_as(
    db: apsw.Connection, space: str, fingerprint: str, position: Position
) -> MemoryId | None:
    """The memory of this fingerprint last deleted, and not stored again, as of a position."""
    found: bytes | None = db.execute(
        f"""
        SELECT memory_id FROM deletions d
        WHERE space = ?1 AND fingerprint = ?2 AND since <= ?3 AND NOT EXISTS (
            SELECT 1 FROM relearnings
            WHERE of = d.memory_id AND {held("?3")}
        )
        ORDER BY since DESC LIMIT 1
        """,
        (space, fingerprint, position),
    ).get
    return None if found is None else MemoryId(found.hex())


def deletions_as_of(db: apsw.Connection, space: str, position: Position) -> list[Deletion]:
    """The deletions in a space as of a position, in that order."""
    rows = db.execute(
        f"""
        SELECT memory_id, deleted_at, (
            SELECT min(at) FROM relearnings
            WHERE of = d.memory_id AND {held("?2")}
        )
        FROM deletions d WHERE space = ?1 AND since <= ?2 ORDER BY since
        """,
        (space, position),
    ).fetchall()
    return [
        Deletion(MemoryId(memory_id.hex()), Micros(at), again)
        for memory_id, at, again in cast("list[tuple[bytes, int, Micros | None]]", rows)
    ]
