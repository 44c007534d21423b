"""Strengths of memories through time, pins and marks of salience, and depth weights.

A strength is that of a memory at an instant, and how it fades from there: the strength at
any later instant follows in closed form, so that time passing changes no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger import events as kinds
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import FOREVER, Curve, Decay, Pace, Trace, reinforced, strength_at
from mnemolog.ledger.events import Event, Mark
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections import sql

SPEED = "forgetting_speed"  # the setting of how fast time passes for the memories of a space
HELD = (
    "curve, rate, initial, said_at, "
    "strength, reinforced_at, slowing, sheltered_until, accesses, accessed_at, drops"
)
"""The columns that `strength_of` reads, of `memories` and then of `strengths`."""

STRENGTH_AS_OF = f"LEFT JOIN strengths s ON s.memory_id = m.memory_id AND {sql.held('?2', 's.')}"
"""Joins to `memories m` what changed a memory's strength as of the position `?2`."""

_drops = msgspec.json.Decoder(tuple[tuple[Micros, float], ...])
Sheltering: TypeAlias = kinds.Pinned | kinds.Unpinned | kinds.Restored | kinds.Reinstated
Change: TypeAlias = kinds.Recalled | kinds.Weakened | kinds.Strengthened | Sheltering


class Strength(msgspec.Struct, frozen=True):
    """Decay and trace of a memory, the number of its uses, and the last one."""

    decay: Decay
    trace: Trace
    accesses: int = 0
    accessed_at: Micros | None = None


def _changed(before: Strength, pace: Pace, change: Change, now: Micros) -> Strength:
    trace = before.trace
    if isinstance(change, kinds.Strengthened):
        return _strengthened(before, change, now)
    if isinstance(change, kinds.Recalled):
        # Not after it was recorded: time to come would count as passed.
        used = msgspec.structs.replace(change, at=min(change.at, now))
        trace = reinforced(before.decay, trace, pace, used)
        latest = max(trace.since, before.accessed_at or trace.since)
        return Strength(before.decay, trace, before.accesses + 1, Micros(latest))
    if isinstance(change, kinds.Weakened):
        # Its strength of the moment is multiplied, and its clock runs on: other curves are
        # multiples of their beginning, while a line falls by what it lost.
        left = trace.strength * change.factor
        if before.decay.curve == "linear":
            lost = (1 - change.factor) * strength_at(before.decay, trace, pace, now)
            left = trace.strength - lost
        drops = (*trace.drops, (now, trace.strength))
        trace = msgspec.structs.replace(trace, strength=left, drops=drops)
    else:
        until = _sheltered_until(trace, change, now)
        trace = msgspec.structs.replace(trace, sheltered_until=until)
    return msgspec.structs.replace(before, trace=trace)


def _strengthened(before: Strength, structure: kinds.Strengthened, now: Micros) -> Strength:
    trace = before.trace
    since = now if structure.since is None else Micros(structure.since)
    # Back on the curve of before a weakening, what had been weakened earlier stays so.
    earlier = trace.drops if since == trace.since else ()
    kept = tuple(drop for drop in earlier if drop[1] > structure.strength)
    new = Trace(structure.strength, since, structure.slowing, trace.sheltered_until, kept)
    if structure.accesses is None:
        return msgspec.structs.replace(before, trace=new)
    at = None if structure.accessed_at is None else Micros(structure.accessed_at)
    return Strength(before.decay, new, structure.accesses, at)


def _sheltered_until(trace: Trace, change: Sheltering, now: Micros) -> Micros:
    if isinstance(change, kinds.Pinned):
        return FOREVER if change.expires_at is None else Micros(change.expires_at)
    if change.sheltered_until is not None:
        return Micros(change.sheltered_until)
    # Only an unpin takes a shelter away: a pinned memory may be withdrawn and restored.
    return now if isinstance(change, kinds.Unpinned) else max(now, trace.sheltered_until)


def _change(db: Connection, event: Event, structure: Change) -> None:
    """Let an event change the strength of its memories, as far as they are there."""
    at, own = event.position, () if event.memory_id is None else (event.memory_id,)
    pace = pace_as_of(db, event.space, at)
    named = structure.memories if isinstance(structure, kinds.Recalled) else own
    for memory_id, before in strengths_as_of(db, named, Position(at - 1)).items():
        new = _changed(before, pace, structure, event.recorded_at)
        trace, key = new.trace, bytes.fromhex(memory_id)
        drops = msgspec.json.encode(trace.drops).decode() if trace.drops else None
        faded = (trace.strength, trace.since, trace.slowing, trace.sheltered_until)
        row = (key, at, event.space, *faded, new.accesses, new.accessed_at, drops)
        sql.end_row(db, "strengths", at, memory_id=key)
        # Twice named by one event, in other letters, a memory has changed twice at one position.
        db.execute(
            "INSERT OR REPLACE INTO strengths VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row
        )


def _set_pace(db: Connection, event: Event, structure: kinds.Configured) -> None:
    if SPEED in structure.settings:
        speed = structure.settings[SPEED]
        speed = float(speed) if isinstance(speed, int | float) else 1.0
        sql.add_row(db, "paces", event.space, event.position, event.recorded_at, speed)


_STRENGTHS = """
    CREATE TABLE strengths (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, space TEXT NOT NULL,
        strength REAL NOT NULL, reinforced_at INTEGER NOT NULL, slowing REAL NOT NULL,
        sheltered_until INTEGER NOT NULL, accesses INTEGER NOT NULL, accessed_at INTEGER,
        drops TEXT, PRIMARY KEY (memory_id, since)) STRICT, WITHOUT ROWID;
    CREATE TABLE paces (
        space TEXT NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL, speed REAL NOT NULL,
        PRIMARY KEY (space, since)) STRICT, WITHOUT ROWID;
"""
_BY_SPACE = "CREATE INDEX strengths_by_space ON strengths (space, since);"
STRENGTHS = sql.projection("strengths", 5, _STRENGTHS, _set_pace, _change, indexes=_BY_SPACE)
"""One row a memory and trace, with the positions [since, until) at which it held.

A memory to which nothing happened has no row: it fades from its beginning. In `paces`,
a space's time passes at `speed` from the instant `at` on.
"""


def strength_of(columns: Sequence[apsw.SQLiteValue]) -> Strength:
    """The strength from the columns `HELD`, those of `strengths` None before any change."""
    curve, rate, initial, said_at = cast("tuple[Curve, float, float, Micros]", columns[:4])
    if columns[4] is None:
        return Strength(Decay(curve, rate), Trace(initial, said_at))
    strength, since, slowing, sheltered, accesses, accessed_at, drops = cast(
        "tuple[float, Micros, float, Micros, int, Micros | None, str | None]", columns[4:]
    )
    trace = Trace(strength, since, slowing, sheltered, _drops.decode(drops) if drops else ())
    return Strength(Decay(curve, rate), trace, accesses, accessed_at)


def strengths_as_of(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, Strength]:
    """The strengths of these memories as of a position; unknown ones are left out."""
    query = f"""
        SELECT {HELD} FROM memories m {STRENGTH_AS_OF}
        WHERE m.memory_id = ?1 AND m.since = m.memory AND m.memory <= ?2
    """
    return {
        one: strength_of(row)
        for one in memory_ids
        for row in db.execute(query, (bytes.fromhex(one), position)).fetchall()
    }


def pace_as_of(db: Connection, space: str, position: Position) -> Pace:
    """The speed of time for the memories of a space, as known at a position."""
    query = "SELECT at, speed FROM paces WHERE space = ? AND since <= ? ORDER BY since"
    rows = db.execute(query, (space, position)).fetchall()
    return Pace(tuple(cast("list[tuple[Micros, float]]", rows)))


class AccessCount(msgspec.Struct, frozen=True, array_like=True):
    """Number of a memory's uses, and the last one in microseconds since 1970 UTC."""

    accesses: int = 0
    last_at: Micros | None = None


def uses_as_of(db: Connection, space: str, position: Position) -> dict[MemoryId, AccessCount]:
    """The uses of a space's memories as of a position; without those that were of none."""
    columns = f"{sql.hex('memory_id')}, accesses, accessed_at"
    query = f"SELECT {columns} FROM strengths WHERE space = ?1 AND {sql.AS_OF} AND accesses > 0"
    rows = sql.fetch(db, tuple[MemoryId, int, Micros | None], query, space, position)
    return {memory_id: AccessCount(accesses, at) for memory_id, accesses, at in rows}


def strength_changed_at(db: Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of the changes of a memory's strength, in order."""
    query = "SELECT since FROM strengths WHERE memory_id = ? ORDER BY since"
    return sql.positions(db, query, bytes.fromhex(memory_id))


# -- pins ------------------------------------------------------------------------------
def _pin(db: Connection, event: Event, structure: kinds.Pinned | kinds.Unpinned) -> None:
    if event.memory_id is None:
        return
    memory_id = bytes.fromhex(event.memory_id)
    sql.end_row(db, "pins", event.position, memory_id=memory_id)
    if isinstance(structure, kinds.Pinned):
        sql.add_row(db, "pins", memory_id, event.position, None, event.space, structure.expires_at)


_PINS = """
    CREATE TABLE pins (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, space TEXT NOT NULL,
        expires_at INTEGER, PRIMARY KEY (memory_id, since)) STRICT, WITHOUT ROWID;
"""
_PINS_BY_SPACE = "CREATE INDEX pins_by_space ON pins (space, since);"
PINS = sql.projection("pins", 1, _PINS, _pin, indexes=_PINS_BY_SPACE)
"""One row a pin, with the positions [since, until) at which it held.

`expires_at` is compared with the instant that a question asks about: no event marks it.
"""


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
    columns = f"{sql.hex('memory_id')}, expires_at"
    query = f"SELECT {columns} FROM pins WHERE space = ?1 AND {sql.AS_OF} ORDER BY since"
    return dict(sql.fetch(db, tuple[MemoryId, int | None], query, space, position))


# -- marks -----------------------------------------------------------------------------
def _mark(db: Connection, events: Sequence[Event]) -> None:
    rows: list[tuple[int, str, str]] = []
    for event in events:
        # Most memories have none, and are not decoded once more to learn that.
        if event.kind != "remembered" or event.structure.find(b'"marks"') < 0:
            continue
        structure = VOCABULARY.structure(event)
        if isinstance(structure, kinds.Remembered):
            rows += [(event.position, mark, event.space) for mark in dict.fromkeys(structure.marks)]
    db.executemany("INSERT INTO marks VALUES (?, ?, ?)", rows)


_MARKS = """
    CREATE TABLE marks (
        memory INTEGER NOT NULL, mark TEXT NOT NULL, space TEXT NOT NULL,
        PRIMARY KEY (memory, mark)) STRICT, WITHOUT ROWID;
    CREATE INDEX marks_by_space ON marks (space, memory);
"""
MARKS = sql.Projection("marks", 1, frozenset({"remembered"}), _MARKS, _mark)
"""One row a mark of a memory, for good: emphasised, correcting an error, serving a goal,
instructing the agent."""


def marks_as_of(db: Connection, space: str, position: Position) -> dict[Position, frozenset[Mark]]:
    """The marks of a space's memories as of a position, by the position of each memory."""
    query = "SELECT memory, mark FROM marks WHERE space = ? AND memory <= ?"
    found: dict[Position, frozenset[Mark]] = {}
    for memory, mark in sql.fetch(db, tuple[Position, Mark], query, space, position):
        found[memory] = found.get(memory, frozenset()) | {mark}
    return found


def marked_as_of(db: Connection, space: str, mark: Mark, position: Position) -> list[MemoryId]:
    """The memories of a space with one mark as of a position, the newest first."""
    query = f"""
        SELECT {sql.hex("m.memory_id")} FROM marks k JOIN memories m ON m.since = k.memory
        WHERE k.space = ? AND k.mark = ? AND k.memory <= ? ORDER BY k.memory DESC
    """
    return [
        memory_id for (memory_id,) in sql.fetch(db, tuple[MemoryId], query, space, mark, position)
    ]


def marked_positions(db: Connection, space: str, mark: Mark, position: Position) -> list[Position]:
    """Positions of the memories of a space with one mark as of a position, ascending."""
    query = "SELECT memory FROM marks WHERE space = ? AND mark = ? AND memory <= ? ORDER BY memory"
    # Whole numbers, of which a large space has many: to convert each would take ten times as long.
    rows = db.execute(query, (space, mark, position)).fetchall()
    return [cast("Position", found) for (found,) in rows]


# -- depth weights ---------------------------------------------------------------------
Beta = tuple[float, float]  # parameters of a depth weight, alpha and beta


def _reinforce(db: Connection, event: Event, structure: kinds.Reinforced) -> None:
    if event.memory_id is None:
        return
    memory_id, at = bytes.fromhex(event.memory_id), event.position
    query = "SELECT 1 FROM memories WHERE memory_id = ? AND since = memory AND memory < ?"
    if sql.exists(db, f"{query} AND NOT immutable", memory_id, at):
        sql.end_row(db, "weights", at, memory_id=memory_id)
        sql.add_row(db, "weights", memory_id, at, None, event.space, *structure.depth_weight)


_WEIGHTS = """
    CREATE TABLE weights (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, space TEXT NOT NULL,
        alpha REAL NOT NULL, beta REAL NOT NULL,
        PRIMARY KEY (memory_id, since)) STRICT, WITHOUT ROWID;
"""
_WEIGHTS_BY_SPACE = "CREATE INDEX weights_by_space ON weights (space, since);"
WEIGHTS = sql.projection("weights", 1, _WEIGHTS, _reinforce, indexes=_WEIGHTS_BY_SPACE)
"""One row a memory and depth weight, with the positions [since, until) at which it held.

A memory that was never reinforced has no row and its first weight; so has an immutable one.
"""


def weights_as_of(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, Beta]:
    """The depth weights of those of these memories that were reinforced, as of a position."""
    query = f"SELECT alpha, beta FROM weights WHERE memory_id = ?1 AND {sql.AS_OF}"
    return sql.by_memory(db, tuple[float, float], query, memory_ids, position)


def reinforced_in(db: Connection, space: str, position: Position) -> dict[MemoryId, Beta]:
    """The depth weights of all memories of a space that were reinforced, as of a position."""
    columns = f"{sql.hex('memory_id')}, alpha, beta"
    query = f"SELECT {columns} FROM weights WHERE space = ?1 AND {sql.AS_OF}"
    rows = sql.fetch(db, tuple[MemoryId, float, float], query, space, position)
    return {memory_id: (alpha, beta) for memory_id, alpha, beta in rows}
