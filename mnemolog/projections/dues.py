"""Dates of the next fall of each memory: a tick reads only the memories that are due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import apsw

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import (
    LOWEST_BY_DEFAULT,
    TIERS,
    Curve,
    Decay,
    FallConditions,
    Pace,
    Trace,
    next_due,
)
from mnemolog.ledger.events import Configured, Event, Recalled, Redacted
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections.projection import Projection, held, id_column
from mnemolog.projections.settings import settings_as_of
from mnemolog.projections.strengths import (
    HELD,
    SPEED,
    STRENGTH_AS_OF,
    pace_as_of,
    strength_of,
)

if TYPE_CHECKING:
    from apsw import SQLiteValue

LOWEST = "lowest_tier"
"""The setting that says how low the memories of a space may fall."""

_OF_ONE = frozenset(
    {
        "superseded", "reinstated", "withdrawn", "restored", "pinned", "unpinned",
        "weakened", "strengthened", "degraded", "revived",
    }
)  # fmt: skip
_CONDITIONS = f"tier, status, said_at, {HELD}"
_KEPT_FOR_AUDIT = frozenset({"superseded", "withdrawn"})


def _apply(db: apsw.Connection, events: Sequence[Event]) -> None:
    remembered = [event.position for event in events if event.kind == "remembered"]
    if remembered:
        _begin(db, remembered[0], remembered[-1])
    if len(remembered) == len(events):
        return
    touched = dict.fromkeys(one for event in events for one in _touched(event))
    _reschedule(db, list(touched), events[-1].position)
    for space in {event.space for event in events if _reschedules_all(event)}:
        _reschedule_all(db, space, events[-1].position)


def _touched(event: Event) -> Iterable[MemoryId]:
    """The memories whose next fall an event may move."""
    if event.kind in _OF_ONE:
        return () if event.memory_id is None else (event.memory_id,)
    if event.kind not in {"recalled", "redacted"}:
        return ()
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Recalled):
        return structure.memories
    return map(MemoryId, structure.events) if isinstance(structure, Redacted) else ()


def _reschedules_all(event: Event) -> bool:
    structure = VOCABULARY.structure(event) if event.kind == "configured" else None
    return isinstance(structure, Configured) and not structure.settings.keys().isdisjoint(
        {SPEED, LOWEST}
    )


def _begin(db: apsw.Connection, first: Position, last: Position) -> None:
    """Schedule memories to which nothing has happened yet: all of one curve fall alike."""
    span = (first, last)
    classes = db.execute(
        "SELECT DISTINCT space, curve, rate, initial FROM memories "
        "WHERE since BETWEEN ? AND ? AND memory = since AND status <> 'redacted'",
        span,
    ).fetchall()
    plain: dict[str, tuple[Pace, Tier]] = {}
    for space, curve, rate, initial in cast("list[tuple[str, Curve, float, float]]", classes):
        if space not in plain:
            plain[space] = (pace_as_of(db, space, last), _lowest(db, space, last))
        pace, lowest = plain[space]
        if pace.speeds:
            rows = db.execute(
                "SELECT memory_id FROM memories WHERE since BETWEEN ? AND ? AND memory = since "
                "AND space = ? AND curve = ? AND rate = ? AND initial = ?",
                (*span, space, curve, rate, initial),
            ).fetchall()
            _reschedule(db, id_column(rows), last)
            continue
        decay, began = Decay(curve, rate), Micros(0)
        due = next_due(FallConditions(decay, Trace(initial, began), "active", lowest), pace)
        if due is not None:
            db.execute(
                "INSERT INTO dues SELECT memory, space, said_at + ? FROM memories "
                "WHERE since BETWEEN ? AND ? AND memory = since AND status <> 'redacted' "
                "AND space = ? AND curve = ? AND rate = ? AND initial = ?",
                (due.due_at, *span, space, curve, rate, initial),
            )


def _reschedule(db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position) -> None:
    """Schedule memories again by their present state."""
    paces: dict[str, Pace] = {}
    for memory, _, space, conditions in fall_conditions(db, memory_ids, position):
        if space not in paces:
            paces[space] = pace_as_of(db, space, position)
        due = None if conditions is None else next_due(conditions, paces[space])
        if due is None:
            db.execute("DELETE FROM dues WHERE memory = ?", (memory,))
        else:
            db.execute("INSERT OR REPLACE INTO dues VALUES (?, ?, ?)", (memory, space, due.due_at))


def _reschedule_all(db: apsw.Connection, space: str, position: Position) -> None:
    """Schedule all memories of a space anew, read together: one by one they take long."""
    pace, lowest = pace_as_of(db, space, position), _lowest(db, space, position)
    db.execute("DELETE FROM dues WHERE space = ?", (space,))
    rows = db.execute(
        f"SELECT memory, {_CONDITIONS} FROM memories m {STRENGTH_AS_OF} "
        "WHERE m.space = ?1 AND m.until IS NULL",
        (space, position),
    ).fetchall()
    for memory, *columns in rows:
        conditions = _conditions(columns, lowest)
        due = None if conditions is None else next_due(conditions, pace)
        if due is not None:
            db.execute("INSERT INTO dues VALUES (?, ?, ?)", (memory, space, due.due_at))


DUES = Projection(
    "dues",
    3,
    _OF_ONE | {"remembered", "recalled", "redacted", "configured"},
    """
    CREATE TABLE dues (
        memory INTEGER PRIMARY KEY,
        space  TEXT NOT NULL,
        due_at INTEGER NOT NULL
    ) STRICT;
    """,
    _apply,
    indexes="CREATE INDEX dues_by_time ON dues (space, due_at);",
)
"""One row a memory that will fall, with when: of the present alone, for ticks only.

It follows the other projections, and reads from their tables the present state of the
memories that a batch of events concerns.
"""


def fall_conditions(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[tuple[Position, MemoryId, str, FallConditions | None]]:
    """The position, space and fall conditions of these memories.

    As of a position; unknown ones are left out, those that cannot fall have None.
    """
    lowest: dict[str, Tier] = {}
    found = []
    for memory_id in memory_ids:
        rows = db.execute(
            f"SELECT memory, m.space, {_CONDITIONS} FROM memories m {STRENGTH_AS_OF} "
            f"WHERE m.memory_id = ?1 AND {held('?2', 'm.')}",
            (bytes.fromhex(memory_id), position),
        ).fetchall()
        for row in rows:
            memory, space = cast("tuple[Position, str]", row[:2])
            if space not in lowest:
                lowest[space] = _lowest(db, space, position)
            found.append((memory, memory_id, space, _conditions(row[2:], lowest[space])))
    return found


def _conditions(columns: Sequence[SQLiteValue], lowest: Tier) -> FallConditions | None:
    """The fall conditions of a memory, from the columns `_CONDITIONS`; None if it cannot fall."""
    tier, status, said_at = cast("tuple[Tier, str, Micros]", columns[:3])
    if status == "redacted":
        return None
    least = "tombstone" if status in _KEPT_FOR_AUDIT and lowest == "deleted" else lowest
    strength = strength_of(columns[3:])
    return FallConditions(strength.decay, strength.trace, tier, least, said_at)


def _lowest(db: apsw.Connection, space: str, position: Position) -> Tier:
    given = settings_as_of(db, space, position).get(LOWEST)
    return next((tier for tier in TIERS if tier == given), LOWEST_BY_DEFAULT)


def due_by(db: apsw.Connection, space: str, instant: Micros, limit: int) -> tuple[MemoryId, ...]:
    """The memories of a space that fall by an instant, the earliest first, at most so many."""
    rows = db.execute(
        "SELECT m.memory_id FROM (SELECT memory, due_at FROM dues WHERE space = ? AND due_at <= ? "
        "ORDER BY due_at, memory LIMIT ?) d JOIN memories m ON m.since = d.memory "
        "ORDER BY d.due_at, d.memory",
        (space, instant, limit),
    )
    return id_column(rows)
