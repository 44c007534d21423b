"""How strong memories are, through time, where something happened to their strength.

A row says how strong a memory was at an instant, and how it fades from there: what it
is at any later instant follows in closed form, so that time passing changes no row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Curve, Decay, Pace
from mnemolog.ledger.events import (
    VOCABULARY,
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
from mnemolog.ledger.falls import FOREVER, Trace, reinforced, strength_at
from mnemolog.ledger.ids import MemoryId, Position

if TYPE_CHECKING:
    from apsw import SQLiteValue

SPEED = "forgetting_speed"
"""The setting that says how fast time passes for the memories of a space."""

_SHELTER_ENDS = frozenset({"unpinned", "restored", "reinstated"})
_BEGINNING = ("curve", "rate", "initial", "said_at")
HELD = (
    f"{', '.join(_BEGINNING)}, "
    "strength, reinforced_at, slowing, sheltered_until, accesses, accessed_at, drops"
)
"""The columns that `strength_of` reads, of `memories` and then of `strengths`."""

STRENGTH_AS_OF = (
    "LEFT JOIN strengths s ON s.memory_id = m.memory_id AND s.since <= ?2 "
    "AND (s.until IS NULL OR s.until > ?2)"
)
"""Joins to `memories m` what changed a memory's strength as of the position `?2`."""


class Strength(msgspec.Struct, frozen=True):
    """How a memory fades, and how often and when it was last of use."""

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


class Strengths:
    """One row a memory and trace, with the positions [since, until) at which it held.

    A memory to which nothing happened has no row: it fades from its beginning. In
    `paces`, a space's time passes at `speed` from the instant `at` on.
    """

    name = "strengths"
    version = 5
    kinds = frozenset(
        {"recalled", "weakened", "strengthened", "pinned", "configured"} | _SHELTER_ENDS
    )
    tables = ("strengths", "paces")
    indexes = """
    CREATE INDEX strengths_by_space ON strengths (space, since);
    """
    schema = """
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
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            if isinstance(structure, Configured):
                _set_pace(db, event, structure)
            elif isinstance(structure, Recalled):
                pace = pace_as_of(db, event.space, event.position)
                for memory_id in structure.memories:
                    _change(db, memory_id, event, _recalled(structure, event), pace)
            elif structure is not None and event.memory_id is not None:
                pace = pace_as_of(db, event.space, event.position)
                _change(db, event.memory_id, event, _changed(structure, event), pace)


_drops = msgspec.json.Decoder(tuple[tuple[Micros, float], ...])

Changed = Callable[[Strength, Pace], Strength]
"""What an event makes of a memory's strength, at the pace of its space."""


def _recalled(recalled: Recalled, event: Event) -> Changed:
    # Not after it was recorded: time to come would count as passed.
    used = msgspec.structs.replace(recalled, at=min(recalled.at, event.recorded_at))

    def changed(held: Strength, pace: Pace) -> Strength:
        trace = reinforced(held.decay, held.trace, pace, used)
        latest = max(trace.since, held.accessed_at or trace.since)
        return Strength(held.decay, trace, held.accesses + 1, Micros(latest))

    return changed


def _changed(structure: Payload, event: Event) -> Changed:
    def changed(held: Strength, pace: Pace) -> Strength:
        trace = held.trace
        if isinstance(structure, Weakened):
            strength = strength_at(held.decay, trace, pace, now)
            trace = _weakened(held, structure.factor, strength, now)
        elif isinstance(structure, Strengthened):
            since = now if structure.since is None else Micros(structure.since)
            # Back on the curve of before a weakening, what had been weakened earlier stays so.
            earlier = trace.drops if since == trace.since else ()
            kept = tuple(drop for drop in earlier if drop[1] > structure.strength)
            shelter = trace.sheltered_until
            trace = Trace(structure.strength, since, structure.slowing, shelter, kept)
            if structure.accesses is not None:
                return Strength(
                    held.decay, trace, structure.accesses, _micros(structure.accessed_at)
                )
        else:
            # Only an unpin takes a shelter away: what is pinned may be withdrawn and restored.
            until = now if isinstance(structure, Unpinned) else max(now, trace.sheltered_until)
            if isinstance(structure, Unpinned | Restored | Reinstated):
                given = structure.sheltered_until
                until = until if given is None else Micros(given)
            if isinstance(structure, Pinned):
                until = FOREVER if structure.expires_at is None else Micros(structure.expires_at)
            trace = msgspec.structs.replace(trace, sheltered_until=until)
        return msgspec.structs.replace(held, trace=trace)

    now = event.recorded_at
    return changed


def _micros(instant: int | None) -> Micros | None:
    return None if instant is None else Micros(instant)


def _weakened(held: Strength, factor: float, strength: float, now: Micros) -> Trace:
    """A trace whose strength of the moment is multiplied, and whose clock runs on."""
    trace = held.trace
    drops = (*trace.drops, (now, trace.strength))
    # The others are multiples of where they began; a line falls by what it lost.
    linear = held.decay.curve == "linear"
    left = trace.strength - (1 - factor) * strength if linear else trace.strength * factor
    return msgspec.structs.replace(trace, strength=left, drops=drops)


def _change(
    db: apsw.Connection, memory_id: MemoryId, event: Event, changed: Changed, pace: Pace
) -> None:
    """Let an event change the strength of a memory, if there is such a memory."""
    held = _held(db, memory_id, Position(event.position - 1))
    if held is None:
        return
    new = changed(held, pace)
    key = bytes.fromhex(memory_id)
    db.execute(
        "UPDATE strengths SET until = ? WHERE memory_id = ? AND until IS NULL",
        (event.position, key),
    )
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


def _held(db: apsw.Connection, memory_id: MemoryId, position: Position) -> Strength | None:
    """The strength of a memory as of a position; None if it is not there."""
    rows = db.execute(
        f"SELECT {HELD} FROM memories m {STRENGTH_AS_OF} "
        "WHERE m.memory_id = ?1 AND m.since = m.memory AND m.memory <= ?2",
        (bytes.fromhex(memory_id), position),
    ).fetchall()
    return strength_of(rows[0]) if rows else None


def strength_of(held: Sequence[SQLiteValue]) -> Strength:
    """The strength that the columns `HELD` tell, those of `strengths` None before any change."""
    beginning, changed = held[: len(_BEGINNING)], held[len(_BEGINNING) :]
    curve, rate, initial, said_at = cast("tuple[Curve, float, float, Micros]", beginning)
    if changed[0] is None:
        return Strength(Decay(curve, rate), Trace(initial, said_at))
    strength, since, slowing, sheltered, accesses, accessed_at, drops = cast(
        "tuple[float, Micros, float, Micros, int, Micros | None, str | None]", changed
    )
    trace = Trace(strength, since, slowing, sheltered, _drops.decode(drops) if drops else ())
    return Strength(Decay(curve, rate), trace, accesses, accessed_at)


def _set_pace(db: apsw.Connection, event: Event, configured: Configured) -> None:
    if SPEED in configured.settings:
        speed = configured.settings[SPEED]
        speed = float(speed) if isinstance(speed, int | float) else 1.0
        db.execute(
            "INSERT INTO paces VALUES (?, ?, ?, ?)",
            (event.space, event.position, event.recorded_at, speed),
        )


def pace_as_of(db: apsw.Connection, space: str, position: Position) -> Pace:
    """How fast time has passed for the memories of a space, as known at a position."""
    rows = db.execute(
        "SELECT at, speed FROM paces WHERE space = ? AND since <= ? ORDER BY since",
        (space, position),
    ).fetchall()
    return Pace(tuple((Micros(cast("int", at)), cast("float", speed)) for at, speed in rows))


def strengths_as_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, Strength]:
    """How these memories fade as of a position; unknown ones are left out."""
    found = {one: _held(db, one, position) for one in memory_ids}
    return {one: held for one, held in found.items() if held is not None}


class Uses(msgspec.Struct, frozen=True, array_like=True):
    """How often a memory was of use, and when last, in microseconds since 1970 UTC."""

    accesses: int = 0
    last_at: Micros | None = None


def uses_as_of(db: apsw.Connection, space: str, position: Position) -> dict[MemoryId, Uses]:
    """The uses of a space's memories as of a position; without those that were of none."""
    rows = db.execute(
        "SELECT memory_id, accesses, accessed_at FROM strengths WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) AND accesses > 0",
        (space, position),
    )
    return {MemoryId(row[0].hex()): Uses(row[1], row[2]) for row in rows}


def strength_changed_at(db: apsw.Connection, memory_id: MemoryId) -> list[Position]:
    """Where something happened to the strength of a memory, in order."""
    rows = db.execute(
        "SELECT since FROM strengths WHERE memory_id = ? ORDER BY since",
        (bytes.fromhex(memory_id),),
    ).fetchall()
    return [Position(cast("int", row[0])) for row in rows]


def strength_changes(db: apsw.Connection, space: str, after: Position) -> list[StrengthChange]:
    """What changed in the strengths of a space's memories after a position, in that order."""
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
