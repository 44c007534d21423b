"""Strengths of memories through time, for memories whose strength an event changed.

A row has the strength of a memory at an instant, and how it fades from there: the strength
at any later instant follows in closed form, so that time passing changes no row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import FOREVER, Curve, Decay, Pace, Trace, reinforced, strength_at
from mnemolog.ledger.events import (
    Configured,
    Event,
    Payload,
    Pinned,
    Recalled,
    Reinstated,
    Restored,
    Strengthened,
    Unpinned,
    Weakened,
)
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.projection import add_row, end_row, held, on, projection

if TYPE_CHECKING:
    from apsw import SQLiteValue

SPEED = "forgetting_speed"
"""The setting that says how fast time passes for the memories of a space."""

_Structure = TypeVar("_Structure", bound=Payload)
_BEGINNING = ("curve", "rate", "initial", "said_at")
HELD = (
    f"{', '.join(_BEGINNING)}, "
    "strength, reinforced_at, slowing, sheltered_until, accesses, accessed_at, drops"
)
"""The columns that `strength_of` reads, of `memories` and then of `strengths`."""

STRENGTH_AS_OF = f"LEFT JOIN strengths s ON s.memory_id = m.memory_id AND {held('?2', 's.')}"
"""Joins to `memories m` what changed a memory's strength as of the position `?2`."""


class Strength(msgspec.Struct, frozen=True):
    """Decay and trace of a memory, the number of its uses, and the last one."""

    decay: Decay
    trace: Trace
    accesses: int = 0
    accessed_at: Micros | None = None


class StrengthChange(msgspec.Struct, frozen=True, array_like=True):
    """The trace that a memory has from a position on, by where it was remembered."""

    at: Position
    memory: Position
    strength: float
    reinforced_at: int
    slowing: float


_drops = msgspec.json.Decoder(tuple[tuple[Micros, float], ...])

Change = Callable[[Strength, Pace], Strength]
"""The strength of a memory after an event, from that before it and the pace of its space."""


def _weakened(before: Strength, pace: Pace, structure: Weakened, now: Micros) -> Strength:
    """Strength whose value of the moment is multiplied, and whose clock runs on."""
    trace, factor = before.trace, structure.factor
    strength = strength_at(before.decay, trace, pace, now)
    # Other curves are multiples of their beginning; a line falls by what it lost.
    linear = before.decay.curve == "linear"
    left = trace.strength - (1 - factor) * strength if linear else trace.strength * factor
    drops = (*trace.drops, (now, trace.strength))
    return _with_trace(before, msgspec.structs.replace(trace, strength=left, drops=drops))


def _strengthened(before: Strength, _pace: Pace, structure: Strengthened, now: Micros) -> Strength:
    trace = before.trace
    since = now if structure.since is None else Micros(structure.since)
    # Back on the curve of before a weakening, what had been weakened earlier stays so.
    earlier = trace.drops if since == trace.since else ()
    kept = tuple(drop for drop in earlier if drop[1] > structure.strength)
    new = Trace(structure.strength, since, structure.slowing, trace.sheltered_until, kept)
    if structure.accesses is None:
        return _with_trace(before, new)
    at = None if structure.accessed_at is None else Micros(structure.accessed_at)
    return Strength(before.decay, new, structure.accesses, at)


def _pinned(before: Strength, _pace: Pace, structure: Pinned, _now: Micros) -> Strength:
    expires_at = structure.expires_at
    return _sheltered(before, FOREVER if expires_at is None else Micros(expires_at))


def _unpinned(before: Strength, _pace: Pace, structure: Unpinned, now: Micros) -> Strength:
    given = structure.sheltered_until
    return _sheltered(before, now if given is None else Micros(given))


def _restored(
    before: Strength, _pace: Pace, structure: Restored | Reinstated, now: Micros
) -> Strength:
    given = structure.sheltered_until
    # Only an unpin takes a shelter away: a pinned memory may be withdrawn and restored.
    until = max(now, before.trace.sheltered_until) if given is None else Micros(given)
    return _sheltered(before, until)


def _sheltered(before: Strength, until: Micros) -> Strength:
    return _with_trace(before, msgspec.structs.replace(before.trace, sheltered_until=until))


def _with_trace(before: Strength, trace: Trace) -> Strength:
    return msgspec.structs.replace(before, trace=trace)


def _recall(db: apsw.Connection, event: Event, recalled: Recalled) -> None:
    pace = pace_as_of(db, event.space, event.position)
    # Not after it was recorded: time to come would count as passed.
    used = msgspec.structs.replace(recalled, at=min(recalled.at, event.recorded_at))

    def change(before: Strength, pace: Pace) -> Strength:
        trace = reinforced(before.decay, before.trace, pace, used)
        latest = max(trace.since, before.accessed_at or trace.since)
        return Strength(before.decay, trace, before.accesses + 1, Micros(latest))

    for memory_id in recalled.memories:
        _change(db, memory_id, event, change, pace)


def _changing(
    changed: Callable[[Strength, Pace, _Structure, Micros], Strength],
) -> Callable[[apsw.Connection, Event, _Structure], None]:
    """A fold of events that change the strength of their own memory."""

    def fold(db: apsw.Connection, event: Event, structure: _Structure) -> None:
        if event.memory_id is None:
            return

        def change(before: Strength, pace: Pace) -> Strength:
            return changed(before, pace, structure, event.recorded_at)

        pace = pace_as_of(db, event.space, event.position)
        _change(db, event.memory_id, event, change, pace)

    return fold


def _change(
    db: apsw.Connection, memory_id: MemoryId, event: Event, change: Change, pace: Pace
) -> None:
    """Let an event change the strength of a memory, if there is such a memory."""
    before = _held(db, memory_id, Position(event.position - 1))
    if before is None:
        return
    new = change(before, pace)
    key = bytes.fromhex(memory_id)
    end_row(db, "strengths", event.position, memory_id=key)
    # Twice named by one event, a memory has changed twice at one position.
    db.execute(
        "INSERT OR REPLACE INTO strengths VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            event.position,
            event.space,
            new.trace.strength,
            new.trace.since,
            new.trace.slowing,
            new.trace.sheltered_until,
            new.accesses,
            new.accessed_at,
            msgspec.json.encode(new.trace.drops).decode() if new.trace.drops else None,
        ),
    )


def _set_pace(db: apsw.Connection, event: Event, configured: Configured) -> None:
    if SPEED in configured.settings:
        speed = configured.settings[SPEED]
        speed = float(speed) if isinstance(speed, int | float) else 1.0
        add_row(db, "paces", event.space, event.position, event.recorded_at, speed)


STRENGTHS = projection(
    "strengths",
    5,
    """
    CREATE TABLE strengths (
        memory_id       BLOB NOT NULL,
        since           INTEGER NOT NULL,
        until           INTEGER,
        space           TEXT NOT NULL,
        strength        REAL NOT NULL,
        reinforced_at   INTEGER NOT NULL,
        slowing         REAL NOT NULL,
        sheltered_until INTEGER NOT NULL,
        accesses        INTEGER NOT NULL,
        accessed_at     INTEGER,
        drops           TEXT,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE paces (
        space TEXT NOT NULL,
        since INTEGER NOT NULL,
        at    INTEGER NOT NULL,
        speed REAL NOT NULL,
        PRIMARY KEY (space, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Configured, _set_pace),
    on(Recalled, _recall),
    on(Weakened, _changing(_weakened)),
    on(Strengthened, _changing(_strengthened)),
    on(Pinned, _changing(_pinned)),
    on(Unpinned, _changing(_unpinned)),
    on(Restored, _changing(_restored)),
    on(Reinstated, _changing(_restored)),
    indexes="CREATE INDEX strengths_by_space ON strengths (space, since);",
)
"""One row a memory and trace, with the positions [since, until) at which it held.

A memory to which nothing happened has no row: it fades from its beginning. In `paces`,
a space's time passes at `speed` from the instant `at` on.
"""


def _held(db: apsw.Connection, memory_id: MemoryId, position: Position) -> Strength | None:
    """The strength of a memory as of a position; None if it is not there."""
    rows = db.execute(
        f"SELECT {HELD} FROM memories m {STRENGTH_AS_OF} "
        "WHERE m.memory_id = ?1 AND m.since = m.memory AND m.memory <= ?2",
        (bytes.fromhex(memory_id), position),
    ).fetchall()
    return strength_of(rows[0]) if rows else None


def strength_of(columns: Sequence[SQLiteValue]) -> Strength:
    """The strength from the columns `HELD`, those of `strengths` None before any change."""
    beginning, changed = columns[: len(_BEGINNING)], columns[len(_BEGINNING) :]
    curve, rate, initial, said_at = cast("tuple[Curve, float, float, Micros]", beginning)
    if changed[0] is None:
        return Strength(Decay(curve, rate), Trace(initial, said_at))
    strength, since, slowing, sheltered, accesses, accessed_at, drops = cast(
        "tuple[float, Micros, float, Micros, int, Micros | None, str | None]", changed
    )
    trace = Trace(strength, since, slowing, sheltered, _drops.decode(drops) if drops else ())
    return Strength(Decay(curve, rate), trace, accesses, accessed_at)


def pace_as_of(db: apsw.Connection, space: str, position: Position) -> Pace:
    """The speed of time for the memories of a space, as known at a position."""
    rows = db.execute(
        "SELECT at, speed FROM paces WHERE space = ? AND since <= ? ORDER BY since",
        (space, position),
    ).fetchall()
    return Pace(tuple((Micros(cast("int", at)), cast("float", speed)) for at, speed in rows))


def strengths_as_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, Strength]:
    """The strengths of these memories as of a position; unknown ones are left out."""
    found = {one: _held(db, one, position) for one in memory_ids}
    return {one: strength for one, strength in found.items() if strength is not None}


class AccessCount(msgspec.Struct, frozen=True, array_like=True):
    """Number of a memory's uses, and the last one in microseconds since 1970 UTC."""

    accesses: int = 0
    last_at: Micros | None = None


def uses_as_of(db: apsw.Connection, space: str, position: Position) -> dict[MemoryId, AccessCount]:
    """The uses of a space's memories as of a position; without those that were of none."""
    rows = db.execute(
        "SELECT memory_id, accesses, accessed_at FROM strengths WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) AND accesses > 0",
        (space, position),
    )
    return {MemoryId(row[0].hex()): AccessCount(row[1], row[2]) for row in rows}


def strength_changed_at(db: apsw.Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of the changes of a memory's strength, in order."""
    rows = db.execute(
        "SELECT since FROM strengths WHERE memory_id = ? ORDER BY since",
        (bytes.fromhex(memory_id),),
    ).fetchall()
    return [Position(cast("int", row[0])) for row in rows]


def strength_changes(db: apsw.Connection, space: str, after: Position) -> list[StrengthChange]:
    """The changes of strength in a space after a position, in that order."""
    rows = db.execute(
        """
        SELECT s.since, m.memory, s.strength, s.reinforced_at, s.slowing FROM strengths s
        JOIN memories m ON m.memory_id = s.memory_id AND m.since = m.memory
        WHERE s.space = ?1 AND s.since > ?2
        ORDER BY s.since, m.memory
        """,
        (space, after),
    ).fetchall()
    return [msgspec.convert(row, StrengthChange) for row in rows]
