"""Conflicts between memories through time, and which of them are open.

The rows are folded with the memories, by `projections.memories`: an open
conflict is part of a memory's status.
"""

from collections.abc import Sequence
from typing import cast

import msgspec
from apsw import Connection

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
from mnemolog.projections import sql

KINDS = frozenset({"conflicted", "settled", "reopened"})
# In `openings`, [since, until) are the positions at which a conflict was open, and `winner`
# is how it ended then.
SCHEMA = """
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
OPEN_STATUS = """
    (SELECT outcome FROM openings WHERE new = ?2 AND until IS NULL
     ORDER BY outcome = 'pending' DESC LIMIT 1)
"""
"""The status that open conflicts give the memory of parameter 2: pending before contested."""

_LEFT_OPEN = "('contested', 'pending')"
# Nothing but a settlement ends it.
_OPEN = f"""
    INSERT INTO openings SELECT conflict, ?1, NULL, new, outcome, NULL FROM conflicts
    WHERE conflict = ?2 AND outcome IN {_LEFT_OPEN}
    AND NOT EXISTS (SELECT 1 FROM openings WHERE conflict = ?2 AND until IS NULL)
"""


def fold_conflict(db: Connection, event: Event, structure: object) -> bytes | None:
    """Fold an event about a conflict; the memory whose status it may change, if any."""
    if isinstance(structure, Settled | Reopened):
        conflict = bytes.fromhex(structure.conflict)
    elif isinstance(structure, Conflicted) and _begin(db, event, structure):
        conflict = bytes.fromhex(event.event_id)
    else:
        return None
    if isinstance(structure, Settled):
        ended = "UPDATE openings SET until = ?, winner = ? WHERE conflict = ? AND until IS NULL"
        db.execute(ended, (event.position, structure.winner, conflict))
    else:
        db.execute(_OPEN, (event.position, conflict))
    query = "SELECT new FROM conflicts WHERE conflict = ?"
    return cast("bytes | None", db.execute(query, (conflict,)).get) if db.changes() else None


def _begin(db: Connection, event: Event, structure: Conflicted) -> bool:
    """Add a conflict of a memory that is there; False if there is nothing to add."""
    conflict, new = bytes.fromhex(event.event_id), bytes.fromhex(event.memory_id or "")
    query = """
        SELECT 1 FROM memories
        WHERE memory_id = ? AND NOT EXISTS (SELECT 1 FROM conflicts WHERE conflict = ?)
    """
    there = sql.exists(db, query, new, conflict)
    if there:
        between = (event.position, event.space, new, bytes.fromhex(structure.other))
        found = (structure.type, structure.severity, structure.resolution, structure.outcome)
        judged = (structure.judge, structure.similarity)
        sql.add_row(db, "conflicts", conflict, *between, *found, *judged)
    return there


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

    A conflict whose new memory was superseded, withdrawn or redacted otherwise is closed:
    nothing waits for its settlement.
    """
    query = f"""
        {_AS_OF} AND c.space = ?2 AND o.since IS NOT NULL AND (o.until IS NULL OR o.until > ?1)
        AND EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = c.new AND {sql.held("?1", "m.")}
                    AND m.status IN {_LEFT_OPEN})
        ORDER BY c.at
    """
    return sql.fetch(db, ConflictRow, query, position, space)


def conflicts_of(db: Connection, ids: Sequence[MemoryId], position: Position) -> list[ConflictRow]:
    """Every conflict in which one of these memories is a party as of a position, oldest first."""
    either = f"(c.new IN {sql.AMONG} OR c.other IN {sql.AMONG})"
    query = f"{_AS_OF} AND {either} ORDER BY c.at"
    return sql.fetch(db, ConflictRow, query, position, sql.as_list(ids))


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
