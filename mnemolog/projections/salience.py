"""Salience of memories through time: pins, marks, and depth weights of reinforced memories."""

from collections.abc import Sequence

from apsw import Connection

from mnemolog.ledger.events import Event, Mark, Pinned, Reinforced, Remembered, Unpinned
from mnemolog.ledger.ids_and_times import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections import sql
from mnemolog.projections.projection import Projection, on, projection


# -- pins ------------------------------------------------------------------------------
def _pin(db: Connection, event: Event, structure: Pinned | Unpinned) -> None:
    if event.memory_id is None:
        return
    memory_id = bytes.fromhex(event.memory_id)
    sql.end_row(db, "pins", event.position, memory_id=memory_id)
    if isinstance(structure, Pinned):
        sql.add_row(db, "pins", memory_id, event.position, None, event.space, structure.expires_at)


# `expires_at` is compared with the instant that a question asks about: no event marks it.
PINS = projection(
    "pins",
    1,
    """
    CREATE TABLE pins (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER,
        space TEXT NOT NULL, expires_at INTEGER, PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Pinned, _pin),
    on(Unpinned, _pin),
    indexes="CREATE INDEX pins_by_space ON pins (space, since);",
)
"""One row a pin, with the positions [since, until) at which it held."""


def pinned_positions(
    db: Connection, space: str, position: Position, instant: int
) -> frozenset[Position]:
    """The positions of the memories that are pinned as of a position and instant."""
    query = f"""
        SELECT m.memory FROM pins p
        JOIN memories m ON m.memory_id = p.memory_id AND m.since = m.memory
        WHERE p.space = ?1 AND {sql.held("?2", "p.")}
        AND (p.expires_at IS NULL OR p.expires_at > ?3)
    """
    return frozenset(sql.positions(db, query, space, position, instant))


def pins_as_of(db: Connection, space: str, position: Position) -> dict[MemoryId, int | None]:
    """The pinned memories of a space as of a position, with the instant at which each expires."""
    query = f"""
        SELECT {sql.hex("memory_id")}, expires_at FROM pins
        WHERE space = ?1 AND {sql.AS_OF} ORDER BY since
    """
    return dict(sql.fetch(db, tuple[MemoryId, int | None], query, space, position))


# -- marks -----------------------------------------------------------------------------
def _mark(db: Connection, events: Sequence[Event]) -> None:
    rows: list[tuple[int, str, str]] = []
    for event in events:
        # Most memories have none, and are not decoded once more to learn that.
        if event.kind != "remembered" or event.structure.find(b'"marks"') < 0:
            continue
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Remembered):
            rows += [(event.position, mark, event.space) for mark in dict.fromkeys(structure.marks)]
    db.executemany("INSERT INTO marks VALUES (?, ?, ?)", rows)


MARKS = Projection(
    "marks",
    1,
    frozenset({"remembered"}),
    """
    CREATE TABLE marks (
        memory INTEGER NOT NULL, mark TEXT NOT NULL, space TEXT NOT NULL, PRIMARY KEY (memory, mark)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX marks_by_space ON marks (space, memory);
    """,
    _mark,
)
"""One row a mark of a memory, by the memory's position; a mark stays.

Marks of salience: emphasised, correcting an error, serving a goal.
"""


def marks_as_of(db: Connection, space: str, position: Position) -> dict[Position, frozenset[Mark]]:
    """The marks of a space's memories as of a position, by the position of each memory."""
    query = "SELECT memory, mark FROM marks WHERE space = ? AND memory <= ?"
    found: dict[Position, frozenset[Mark]] = {}
    for memory, mark in sql.fetch(db, tuple[Position, Mark], query, space, position):
        found[memory] = found.get(memory, frozenset()) | {mark}
    return found


# -- depth weights ---------------------------------------------------------------------
Beta = tuple[float, float]
"""Parameters of a depth weight, alpha and beta."""


def _reinforce(db: Connection, event: Event, structure: Reinforced) -> None:
    if event.memory_id is None:
        return
    memory_id, at = bytes.fromhex(event.memory_id), event.position
    query = """
        SELECT 1 FROM memories
        WHERE memory_id = ? AND since = memory AND memory < ? AND NOT immutable
    """
    if sql.exists(db, query, memory_id, at):
        sql.end_row(db, "weights", at, memory_id=memory_id)
        sql.add_row(db, "weights", memory_id, at, None, event.space, *structure.depth_weight)


WEIGHTS = projection(
    "weights",
    1,
    """
    CREATE TABLE weights (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER,
        space TEXT NOT NULL, alpha REAL NOT NULL, beta REAL NOT NULL, PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Reinforced, _reinforce),
    indexes="CREATE INDEX weights_by_space ON weights (space, since);",
)
"""One row a memory and depth weight, with the positions [since, until) at which it held.

A memory that was never reinforced has no row and its first weight. So has an immutable
one, whatever an event says.
"""


def weights_as_of(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, Beta]:
    """The depth weights of those of these memories that were reinforced, as of a position."""
    query = f"SELECT alpha, beta FROM weights WHERE memory_id = ?1 AND {sql.AS_OF}"
    return sql.by_memory(db, tuple[float, float], query, memory_ids, position)


def reinforced_in(db: Connection, space: str, position: Position) -> dict[MemoryId, Beta]:
    """The depth weights of all memories of a space that were reinforced, as of a position."""
    query = f"""
        SELECT {sql.hex("memory_id")}, alpha, beta FROM weights
        WHERE space = ?1 AND {sql.AS_OF}
    """
    rows = sql.fetch(db, tuple[MemoryId, float, float], query, space, position)
    return {memory_id: (alpha, beta) for memory_id, alpha, beta in rows}
