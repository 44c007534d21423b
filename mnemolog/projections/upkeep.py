"""Upkeep of a space: consolidated and merged memories, and when each job was last done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import apsw
import msgspec

from mnemolog.ledger.events import Consolidated, Event, Job, Maintained
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.projection import add_row, exists, held, id_column, on, projection
from mnemolog.projections.undos import not_undone

if TYPE_CHECKING:
    from apsw import SQLiteValue


class MergeRow(msgspec.Struct, frozen=True, array_like=True):
    """A memory that became part of a merged one; `until` is where the merge was undone."""

    part: MemoryId
    merged: MemoryId
    since: Position
    until: Position | None


def _maintain(db: apsw.Connection, event: Event, structure: Maintained) -> None:
    at = event.recorded_at if structure.at is None else structure.at
    # Nobody has looked beyond where it is said.
    through = min(event.position, structure.through or event.position)
    command = bytes.fromhex(event.causation_id or event.event_id)
    db.executemany(
        "INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, ?, ?, ?)",
        [(event.space, job, event.position, at, through, command) for job in structure.jobs],
    )


def _consolidate(db: apsw.Connection, event: Event, structure: Consolidated) -> None:
    if event.memory_id is None:
        return
    memory = bytes.fromhex(event.memory_id)
    add_row(db, "consolidations", event.position, memory, event.space)
    if structure.merged is not None:
        merged = bytes.fromhex(structure.merged)
        db.executemany(
            "INSERT OR IGNORE INTO merges VALUES (?, ?, ?, ?)",
            [
                (bytes.fromhex(part), merged, event.position, event.space)
                for part in structure.parts
            ],
        )


UPKEEP = projection(
    "upkeep",
    2,
    """
    CREATE TABLE consolidations (
        since     INTEGER PRIMARY KEY,
        memory_id BLOB NOT NULL,
        space     TEXT NOT NULL
    ) STRICT;
    CREATE INDEX consolidations_by_space ON consolidations (space, since);
    CREATE INDEX consolidations_by_memory ON consolidations (memory_id);
    CREATE TABLE merges (
        part   BLOB NOT NULL,
        merged BLOB NOT NULL,
        since  INTEGER NOT NULL,
        space  TEXT NOT NULL,
        PRIMARY KEY (part, merged)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX merges_by_merged ON merges (merged);
    CREATE INDEX merges_by_space ON merges (space, since);
    CREATE TABLE jobs (
        space   TEXT NOT NULL,
        job     TEXT NOT NULL,
        since   INTEGER NOT NULL,
        at      INTEGER NOT NULL,
        through INTEGER NOT NULL,
        command BLOB NOT NULL,
        PRIMARY KEY (space, job, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Maintained, _maintain),
    on(Consolidated, _consolidate),
)
"""Consolidations and merges, and when each job of a space was last done.

A consolidation is never taken back: undone, it is left as it is. A job that was done is:
undone, it is due again. It looked at events up to `through`; `command` is the first event
of the command that did it.
"""


def consolidated_as_of(db: apsw.Connection, space: str, position: Position) -> frozenset[MemoryId]:
    """The memories of a space that were consolidated, or made by it, as of a position."""
    rows = db.execute(
        "SELECT memory_id FROM consolidations WHERE space = ?1 AND since <= ?2 "
        "UNION SELECT merged FROM merges WHERE space = ?1 AND since <= ?2",
        (space, position),
    )
    return frozenset(id_column(rows))


def is_consolidated(db: apsw.Connection, memory_id: MemoryId, position: Position) -> bool:
    """True if a memory was consolidated, or made by it, as of a position."""
    query = (
        "SELECT 1 FROM consolidations WHERE memory_id = ?1 AND since <= ?2 "
        "UNION ALL SELECT 1 FROM merges WHERE merged = ?1 AND since <= ?2"
    )
    return exists(db, query, (bytes.fromhex(memory_id), position))


# A merge holds as long as its supersession does; an undo or a redaction ends that.
_MERGES = f"""
    SELECT g.part, g.merged, g.since, (
        SELECT max(s.until) FROM supersessions s
        WHERE s.old = g.part AND s.new = g.merged AND s.since > g.since AND s.until <= ?1
        AND NOT EXISTS (SELECT 1 FROM supersessions n WHERE n.old = g.part AND n.new = g.merged
                        AND {held("?1", "n.")}))
    FROM merges g WHERE g.since <= ?1
"""


def merges_as_of(db: apsw.Connection, space: str, position: Position) -> list[MergeRow]:
    """The merges of a space as of a position, undone ones included, oldest first."""
    rows = db.execute(f"{_MERGES} AND g.space = ?2 ORDER BY g.since, g.part", (position, space))
    return [_row(row) for row in rows]


def merges_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[MergeRow]:
    """The merges of which one of these memories is a part, or the result, oldest first."""
    found: dict[tuple[MemoryId, MemoryId], MergeRow] = {}
    for memory_id in memory_ids:
        rows = db.execute(
            f"{_MERGES} AND (g.part = ?2 OR g.merged = ?2)", (position, bytes.fromhex(memory_id))
        )
        for row in map(_row, rows):
            found[row.part, row.merged] = row
    return sorted(found.values(), key=lambda row: (row.since, row.part))


def _row(values: tuple[SQLiteValue, ...]) -> MergeRow:
    part, merged = (cast("bytes", value).hex() for value in values[:2])
    return msgspec.convert((part, merged, *values[2:]), MergeRow)


class JobRun(NamedTuple):
    """A job that was done: when, in microseconds since 1970 UTC, and how far it looked."""

    at: int
    through: Position


def jobs_done(db: apsw.Connection, space: str, position: Position) -> dict[Job, JobRun]:
    """The last run of each job of a space as of a position, undone ones left out."""
    # Beside a lone max() SQLite takes the other columns from the row that has it.
    rows = db.execute(
        "SELECT j.job, j.at, j.through, max(j.since) FROM jobs j WHERE j.space = ?1 "
        f"AND j.since <= ?2 AND {not_undone('j.command', '?2')} GROUP BY j.job",
        (space, position),
    )
    return {cast("Job", job): JobRun(at, Position(through)) for job, at, through, _ in rows}
