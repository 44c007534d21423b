"""Strengths of memories through time, for memories whose strength an event changed.

A row has the strength of a memory at an instant, and how it fades from there: the strength
at any later instant follows in closed form, so that time passing changes no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger.decay import FOREVER, Curve, Decay, Pace, Trace, reinforced, strength_at
from mnemolog.ledger.events import (
    Configured,
    Event,
    Pinned,
    Recalled,
    Reinstated,
    Restored,
    Strengthened,
    Unpinned,
    Weakened,
)
from mnemolog.ledger.ids_and_times import MemoryId, Micros, Position
from mnemolog.projections import sql
from mnemolog.projections.projection import on, projection

SPEED = "forgetting_speed"
"""The setting that says how fast time passes for the memories of a space."""

HELD = (
    "curve, rate, initial, said_at, "
    "strength, reinforced_at, slowing, sheltered_until, accesses, accessed_at, drops"
)
"""The columns that `strength_of` reads, of `memories` and then of `strengths`."""

STRENGTH_AS_OF = f"LEFT JOIN strengths s ON s.memory_id = m.memory_id AND {sql.held('?2', 's.')}"
"""Joins to `memories m` what changed a memory's strength as of the position `?2`."""

Sheltering: TypeAlias = Pinned | Unpinned | Restored | Reinstated
Change: TypeAlias = Recalled | Weakened | Strengthened | Sheltering
_drops = msgspec.json.Decoder(tuple[tuple[Micros, float], ...])


class Strength(msgspec.Struct, frozen=True):
    """Decay and trace of a memory, the number of its uses, and the last one."""

    decay: Decay
    trace: Trace
    accesses: int = 0
    accessed_at: Micros | None = None


def _changed(before: Strength, pace: Pace, change: Change, now: Micros) -> Strength:
    if isinstance(change, Strengthened):
        return _strengthened(before, change, now)
    if isinstance(change, Recalled):
        # Not after it was recorded: time to come would count as passed.
        used = msgspec.structs.replace(change, at=min(change.at, now))
        trace = reinforced(before.decay, before.trace, pace, used)
        latest = max(trace.since, before.accessed_at or trace.since)
        return Strength(before.decay, trace, before.accesses + 1, Micros(latest))
    if isinstance(change, Weakened):
        trace = _weakened(before, pace, change.factor, now)
    else:
        until = _sheltered_until(before.trace, change, now)
        trace = msgspec.structs.replace(before.trace, sheltered_until=until)
    return msgspec.structs.replace(before, trace=trace)


def _weakened(before: Strength, pace: Pace, factor: float, now: Micros) -> Trace:
    """A trace whose strength of the moment is multiplied, and whose clock runs on."""
    trace = before.trace
    strength = strength_at(before.decay, trace, pace, now)
    # Other curves are multiples of their beginning; a line falls by what it lost.
    linear = before.decay.curve == "linear"
    left = trace.strength - (1 - factor) * strength if linear else trace.strength * factor
    drops = (*trace.drops, (now, trace.strength))
    return msgspec.structs.replace(trace, strength=left, drops=drops)


def _strengthened(before: Strength, structure: Strengthened, now: Micros) -> Strength:
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
    if isinstance(change, Pinned):
        return FOREVER if change.expires_at is None else Micros(change.expires_at)
    if change.sheltered_until is not None:
        return Micros(change.sheltered_until)
    # Only an unpin takes a shelter away: a pinned memory may be withdrawn and restored.
    return now if isinstance(change, Unpinned) else max(now, trace.sheltered_until)


def _change(db: Connection, event: Event, change: Change) -> None:
    """Let an event change the strength of its memories, as far as they are there."""
    at, own = event.position, () if event.memory_id is None else (event.memory_id,)
    pace = pace_as_of(db, event.space, at)
    named = change.memories if isinstance(change, Recalled) else own
    for memory_id, before in strengths_as_of(db, named, Position(at - 1)).items():
        new = _changed(before, pace, change, event.recorded_at)
        trace, key = new.trace, bytes.fromhex(memory_id)
        drops = msgspec.json.encode(trace.drops).decode() if trace.drops else None
        faded = (trace.strength, trace.since, trace.slowing, trace.sheltered_until)
        used = (new.accesses, new.accessed_at)
        sql.end_row(db, "strengths", at, memory_id=key)
        # Twice named by one event, in other letters, a memory has changed twice at one position.
        db.execute(
            "INSERT OR REPLACE INTO strengths VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, at, event.space, *faded, *used, drops),
        )


def _set_pace(db: Connection, event: Event, configured: Configured) -> None:
    if SPEED in configured.settings:
        speed = configured.settings[SPEED]
        speed = float(speed) if isinstance(speed, int | float) else 1.0
        sql.add_row(db, "paces", event.space, event.position, event.recorded_at, speed)


STRENGTHS = projection(
    "strengths",
    5,
    """
    CREATE TABLE strengths (
        memory_id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, space TEXT NOT NULL,
        strength REAL NOT NULL, reinforced_at INTEGER NOT NULL, slowing REAL NOT NULL,
        sheltered_until INTEGER NOT NULL, accesses INTEGER NOT NULL, accessed_at INTEGER,
        drops TEXT, PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE paces (
        space TEXT NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL, speed REAL NOT NULL,
        PRIMARY KEY (space, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Configured, _set_pace),
    on(Recalled, _change),
    on(Weakened, _change),
    on(Strengthened, _change),
    on(Pinned, _change),
    on(Unpinned, _change),
    on(Restored, _change),
    on(Reinstated, _change),
    indexes="CREATE INDEX strengths_by_space ON strengths (space, since);",
)
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
    query = f"""
        SELECT {sql.hex("memory_id")}, accesses, accessed_at FROM strengths
        WHERE space = ?1 AND {sql.AS_OF} AND accesses > 0
    """
    rows = sql.fetch(db, tuple[MemoryId, int, Micros | None], query, space, position)
    return {memory_id: AccessCount(accesses, at) for memory_id, accesses, at in rows}


def strength_changed_at(db: Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of the changes of a memory's strength, in order."""
    query = "SELECT since FROM strengths WHERE memory_id = ? ORDER BY since"
    return sql.positions(db, query, bytes.fromhex(memory_id))
