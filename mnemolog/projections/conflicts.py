"""Conflicts between memories through time, and which of them are open.

The rows are folded with the memories, by `projections.memories`: an open
conflict is part of a memory's status.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import apsw
import msgspec

from mnemolog.ledger.events import (
    Conflicted,
    ConflictType,
    Event,
    Outcome,
    Reopened,
    Resolution,
    Settled,
    Severity,
    Winner,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.projections.projection import add_row, exists, held, id_column

if TYPE_CHECKING:
    from apsw import SQLiteValue

KINDS = frozenset({"conflicted", "settled", "reopened"})
# In `openings`, [since, until) are the positions at which a conflict was open, and `winner`
# is how it ended then.
SCHEMA = """
    CREATE TABLE conflicts (
        conflict   BLOB NOT NULL PRIMARY KEY,
        at         INTEGER NOT NULL,
        space      TEXT NOT NULL,
        new        BLOB NOT NULL,
        other      BLOB NOT NULL,
        type       TEXT NOT NULL,
        severity   TEXT NOT NULL,
        resolution TEXT NOT NULL,
        outcome    TEXT NOT NULL,
        judge      TEXT NOT NULL,
        similarity REAL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX conflicts_by_space ON conflicts (space, at);
    CREATE INDEX conflicts_by_new ON conflicts (new);
    CREATE INDEX conflicts_by_other ON conflicts (other);
    CREATE TABLE openings (
        conflict BLOB NOT NULL,
        since    INTEGER NOT NULL,
        until    INTEGER,
        new      BLOB NOT NULL,
        outcome  TEXT NOT NULL,
        winner   TEXT,
        PRIMARY KEY (conflict, since)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX openings_by_new ON openings (new) WHERE until IS NULL;
"""
OPEN_STATUS = """
    (SELECT outcome FROM openings WHERE new = ?2 AND until IS NULL
     ORDER BY outcome = 'pending' DESC LIMIT 1)
"""
"""The status that open conflicts give the memory of parameter 2: pending before contested."""

_LEFT_OPEN = "('contested', 'pending')"


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


def fold_conflict(db: apsw.Connection, event: Event, structure: object) -> bytes | None:
    """Fold an event about a conflict; the memory whose status it may change, if any."""
    if isinstance(structure, Conflicted):
        return _begin(db, event, structure)
    if isinstance(structure, Settled):
        return _settle(db, event.position, structure)
    if isinstance(structure, Reopened):
        return _open(db, event.position, bytes.fromhex(structure.conflict))
    return None


def _begin(db: apsw.Connection, event: Event, structure: Conflicted) -> bytes | None:
    conflict, new = bytes.fromhex(event.event_id), bytes.fromhex(event.memory_id or "")
    query = (
        "SELECT 1 FROM memories WHERE memory_id = ? "
        "AND NOT EXISTS (SELECT 1 FROM conflicts WHERE conflict = ?)"
    )
    if not exists(db, query, (new, conflict)):
        return None
    parties = (new, bytes.fromhex(structure.other))
    found = (structure.type, structure.severity, structure.resolution, structure.outcome)
    by = (structure.judge, structure.similarity)
    add_row(db, "conflicts", conflict, event.position, event.space, *parties, *found, *by)
    return _open(db, event.position, conflict)


def _open(db: apsw.Connection, position: Position, conflict: bytes) -> bytes | None:
    """Open a conflict that nothing but a settlement ends, unless it is open."""
    db.execute(
        f"""
        INSERT INTO openings SELECT conflict, ?1, NULL, new, outcome, NULL FROM conflicts
        WHERE conflict = ?2 AND outcome IN {_LEFT_OPEN}
        AND NOT EXISTS (SELECT 1 FROM openings WHERE conflict = ?2 AND until IS NULL)
        """,
        (position, conflict),
    )
    return _new_of(db, conflict) if db.changes() else None


def _settle(db: apsw.Connection, position: Position, structure: Settled) -> bytes | None:
    conflict = bytes.fromhex(structure.conflict)
    db.execute(
        "UPDATE openings SET until = ?, winner = ? WHERE conflict = ? AND until IS NULL",
        (position, structure.winner, conflict),
    )
    return _new_of(db, conflict) if db.changes() else None


def _new_of(db: apsw.Connection, conflict: bytes) -> bytes | None:
    found: bytes | None = db.execute(
        "SELECT new FROM conflicts WHERE conflict = ?", (conflict,)
    ).get
    return found


# The newest opening up to the position decides the state of a conflict there; one that
# ended later is still open.
_AS_OF = """
    SELECT c.conflict, c.at, c.new, c.other, c.type, c.severity, c.resolution, c.outcome, c.judge,
           c.similarity, o.since,
           CASE WHEN o.until <= ?1 THEN o.until END,
           CASE WHEN o.until <= ?1 THEN o.winner END
    FROM conflicts c LEFT JOIN openings o ON o.conflict = c.conflict
    AND o.since = (SELECT max(since) FROM openings p
                   WHERE p.conflict = c.conflict AND p.since <= ?1)
    WHERE c.at <= ?1
"""


def conflicts_as_of(db: apsw.Connection, space: str, position: Position) -> list[ConflictRow]:
    """Every conflict that was found in a space up to a position, oldest first."""
    rows = db.execute(f"{_AS_OF} AND c.space = ?2 ORDER BY c.at", (position, space))
    return [_row(row) for row in rows]


def open_conflicts_as_of(db: apsw.Connection, space: str, position: Position) -> list[ConflictRow]:
    """The open conflicts of a space as of a position, oldest first.

    A conflict whose new memory was superseded, withdrawn or redacted otherwise is closed:
    nothing waits for its settlement.
    """
    rows = db.execute(
        f"""
        {_AS_OF} AND c.space = ?2 AND o.since IS NOT NULL AND (o.until IS NULL OR o.until > ?1)
        AND {_NEW_WAITS} ORDER BY c.at
        """,
        (position, space),
    )
    return [_row(row) for row in rows]


_NEW_WAITS = f"""
    EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = c.new AND {held("?1", "m.")}
            AND m.status IN {_LEFT_OPEN})
"""


def conflicts_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[ConflictRow]:
    """Every conflict in which one of these memories is a party as of a position, oldest first."""
    ids = [bytes.fromhex(memory_id) for memory_id in memory_ids]
    marks = ",".join(f"?{place}" for place in range(2, len(ids) + 2))
    rows = db.execute(
        f"{_AS_OF} AND (c.new IN ({marks}) OR c.other IN ({marks})) ORDER BY c.at",
        (position, *ids),
    )
    return [_row(row) for row in rows]


def upheld_as_of(db: apsw.Connection, space: str, position: Position) -> frozenset[MemoryId]:
    """The memories of a space in whose favour a conflict is settled as of a position."""
    rows = db.execute(
        """
        SELECT CASE winner WHEN 'new' THEN new ELSE other END FROM (
            SELECT c.new, c.other, CASE WHEN o.until <= ?1 THEN o.winner END AS winner
            FROM conflicts c JOIN openings o ON o.conflict = c.conflict
            AND o.since = (SELECT max(since) FROM openings p
                           WHERE p.conflict = c.conflict AND p.since <= ?1)
            WHERE c.space = ?2 AND c.at <= ?1
        ) WHERE winner IN ('new', 'old')
        """,
        (position, space),
    )
    return frozenset(id_column(rows))


def winner_as_of(db: apsw.Connection, conflict: EventId, position: Position) -> Winner | None:
    """The settlement of a conflict as of a position; None if it is open or was never settled."""
    rows = db.execute(f"{_AS_OF} AND c.conflict = ?2", (position, bytes.fromhex(conflict)))
    return next((_row(row).winner for row in rows.fetchall()), None)


def is_open(row: ConflictRow) -> bool:
    """True if a conflict waits for its settlement, as far as its own events say."""
    return row.since is not None and row.until is None


def _row(values: tuple[SQLiteValue, ...]) -> ConflictRow:
    ids = (cast("bytes", values[place]).hex() for place in (0, 2, 3))
    conflict, new, other = ids
    return msgspec.convert((conflict, values[1], new, other, *values[4:]), ConflictRow)
