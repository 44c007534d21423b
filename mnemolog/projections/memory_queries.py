"""Queries of the tables of `projections.memories`, as of any position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Curve
from mnemolog.ledger.events import Importance, MemoryKind, SourceType
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.projections.projection import exists, held, id_column, position_column

if TYPE_CHECKING:
    from apsw import SQLiteValue


Status = Literal[
    "active", "contested", "pending", "superseded", "archived", "summarized", "tombstone",
    "withdrawn", "redacted",
]  # fmt: skip
"""The statuses that events lead to."""


class MemoryRow(msgspec.Struct, frozen=True, array_like=True):
    """One state of a memory, as a reader of the views gets it."""

    memory: Position
    since: Position
    memory_id: MemoryId
    said_at: int
    kind: MemoryKind
    category: str | None
    source: str | None
    source_type: SourceType
    place: str | None
    run: str | None
    valid_from: int | None
    valid_until: int | None
    constraint_class: str | None
    weight: float
    immutable: bool
    importance: Importance
    curve: Curve
    rate: float
    initial: float
    tier: Tier
    status: Status


class SupersessionRow(msgspec.Struct, frozen=True, array_like=True):
    """One memory in the place of another, over the positions [since, until)."""

    old: Position
    new: Position
    since: Position
    until: Position | None
    closes: int


_ROW = (
    "memory, since, memory_id, said_at, kind, category, source, source_type, place, run, "
    "valid_from, valid_until, constraint_class, weight, immutable, importance, curve, rate, "
    "initial, tier, status"
)


def destroyed_as_of(
    db: apsw.Connection, space: str, position: Position
) -> list[tuple[Position, int]]:
    """The positions of redactions in a space as of a position, with the memories of each."""
    rows = db.execute(
        "SELECT at, count(*) FROM redactions WHERE space = ? AND at <= ? GROUP BY at ORDER BY at",
        (space, position),
    ).fetchall()
    return [(Position(cast("int", at)), cast("int", number)) for at, number in rows]


def _row(values: tuple[SQLiteValue, ...]) -> MemoryRow:
    return msgspec.convert(
        (
            *values[:2],
            cast("bytes", values[2]).hex(),
            *values[3:14],
            bool(values[14]),
            *values[15:],
        ),
        MemoryRow,
    )


def rows_after(db: apsw.Connection, space: str, after: Position) -> list[MemoryRow]:
    """The states of a space's memories that began after a position, in that order."""
    rows = db.execute(
        f"SELECT {_ROW} FROM memories WHERE space = ? AND since > ? ORDER BY since",
        (space, after),
    )
    return [_row(row) for row in rows]


# Two searches by index: an `or` over both would look at all that there ever were. The cross
# joins keep the few that are found in front.
_SUPERSESSIONS_AFTER = """
    SELECT o.memory, n.memory, s.since, s.until, s.closes FROM (
        SELECT * FROM supersessions WHERE space = ?1 AND since > ?2 UNION
        SELECT * FROM supersessions INDEXED BY supersessions_by_end
        WHERE space = ?1 AND until > ?2
    ) s
    CROSS JOIN memories o ON o.memory_id = s.old AND o.since = o.memory
    CROSS JOIN memories n ON n.memory_id = s.new AND n.since = n.memory
    ORDER BY s.since
"""


def supersessions_after(db: apsw.Connection, space: str, after: Position) -> list[SupersessionRow]:
    """The supersessions of a space that began or ended after a position."""
    rows = db.execute(_SUPERSESSIONS_AFTER, (space, after)).fetchall()
    return [msgspec.convert(row, SupersessionRow) for row in rows]


def memories_erased(db: apsw.Connection, space: str, after: Position) -> bool:
    """True if memories that were remembered up to a position were redacted after it."""
    query = "SELECT 1 FROM redactions WHERE space = ?1 AND at > ?2 AND memory <= ?2"
    return exists(db, query, (space, after))


def rows_as_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, MemoryRow]:
    """The states of these memories as of a position; unknown ones are left out."""
    found: dict[MemoryId, MemoryRow] = {}
    for memory_id in memory_ids:
        for values in db.execute(
            f"SELECT {_ROW} FROM memories WHERE memory_id = ?1 AND {held('?2')}",
            (bytes.fromhex(memory_id), position),
        ).fetchall():
            found[memory_id] = _row(values)
    return found


def known_of(
    db: apsw.Connection, space: str, references: Sequence[str], position: Position
) -> frozenset[str]:
    """Those of these references that are whole ids of a space's memories as of a position."""
    rows = db.execute(
        "SELECT lower(hex(memory_id)) FROM memories WHERE memory_id IN "
        "(SELECT unhex(value) FROM json_each(?)) AND since = memory AND memory <= ? AND +space = ?",
        (msgspec.json.encode(references).decode(), position, space),
    )
    return frozenset(str(row[0]) for row in rows)


def superseders(
    db: apsw.Connection, memory_id: MemoryId, position: Position
) -> tuple[MemoryId, ...]:
    """The memories that directly supersede one as of a position, oldest first."""
    return _across(db, ("old", "new"), memory_id, position)


def superseded(
    db: apsw.Connection, memory_id: MemoryId, position: Position
) -> tuple[MemoryId, ...]:
    """The memories that one directly supersedes as of a position, oldest first."""
    return _across(db, ("new", "old"), memory_id, position)


def _across(
    db: apsw.Connection,
    sides: tuple[Literal["old", "new"], Literal["old", "new"]],
    memory_id: MemoryId,
    position: Position,
) -> tuple[MemoryId, ...]:
    """The memories on the second side of the supersessions that have one on the first."""
    here, there = sides
    rows = db.execute(
        f"SELECT {there} FROM supersessions WHERE {here} = ?1 AND {held('?2')} ORDER BY since",
        (bytes.fromhex(memory_id), position),
    )
    return id_column(rows)


def successions_as_of(db: apsw.Connection, space: str, position: Position) -> dict[bytes, bytes]:
    """For each memory of a space that is superseded as of a position, what did so last, by id."""
    rows = db.execute(
        f"SELECT old, new FROM supersessions WHERE space = ?1 AND {held('?2')} ORDER BY since",
        (space, position),
    )
    return dict(rows)


def superseded_after(db: apsw.Connection, space: str, after: Position) -> tuple[MemoryId, ...]:
    """The memories of a space that something superseded after a position, in that order."""
    rows = db.execute(
        "SELECT old FROM supersessions WHERE space = ? AND since > ? ORDER BY since", (space, after)
    )
    return id_column(rows)


def redacted_after(db: apsw.Connection, space: str, after: Position) -> tuple[MemoryId, ...]:
    """The memories of a space whose content was destroyed after a position."""
    rows = db.execute(
        "SELECT m.memory_id FROM redactions r CROSS JOIN memories m ON m.since = r.memory "
        "WHERE r.space = ? AND r.at > ?",
        (space, after),
    )
    return id_column(rows)


def closing(db: apsw.Connection, old: MemoryId, new: MemoryId, position: Position) -> int | None:
    """The instant at which the valid time of `old` ends because of `new`, as of a position."""
    found: int | None = db.execute(
        "SELECT closes FROM supersessions WHERE old = ?1 AND new = ?2 AND since <= ?3 "
        "ORDER BY since DESC LIMIT 1",
        (bytes.fromhex(old), bytes.fromhex(new), position),
    ).get
    return found


def tagged(db: apsw.Connection, keys: Sequence[bytes], space: str) -> list[Position]:
    """The memories of a space that carry all of these tags, ascending."""
    rows = db.execute(
        f"""
        SELECT t.memory FROM taggings t JOIN memories m ON m.since = t.memory
        WHERE +m.space = ? AND t.tag IN ({",".join("?" * len(keys))})
        GROUP BY t.memory HAVING count(*) = ? ORDER BY t.memory
        """,
        (space, *keys, len(set(keys))),
    )
    return position_column(rows)


def active_by_origin(db: apsw.Connection, space: str) -> dict[str, MemoryId]:
    """The newest memory in force of each piece that imports found in a space."""
    rows = db.execute(
        "SELECT origin, memory_id FROM memories WHERE space = ? AND until IS NULL "
        "AND status NOT IN ('superseded', 'withdrawn', 'redacted') AND origin IS NOT NULL "
        "ORDER BY memory",
        (space,),
    )
    return {origin: MemoryId(memory_id.hex()) for origin, memory_id in rows}


def listed(
    db: apsw.Connection, space: str, position: Position, statuses: Sequence[str]
) -> list[MemoryRow]:
    """A space's memories in these states as of a position, oldest first."""
    rows = db.execute(
        f"SELECT {_ROW} FROM memories WHERE space = ?1 AND {held('?2')} "
        f"AND status IN (SELECT value FROM json_each(?3)) ORDER BY memory",
        (space, position, msgspec.json.encode(statuses).decode()),
    )
    return [_row(row) for row in rows]


def of_run(
    db: apsw.Connection, space: str, position: Position, run: str, after: int
) -> list[MemoryRow]:
    """A space's memories of one run, recorded after an instant, as of a position; oldest first."""
    rows = db.execute(
        f"SELECT {_ROW} FROM memories WHERE space = ?1 AND {held('?2')} "
        "AND run = ?3 AND said_at > ?4 ORDER BY memory",
        (space, position, run, after),
    )
    return [_row(row) for row in rows]


def run_sizes(db: apsw.Connection, space: str, position: Position) -> dict[str, int]:
    """The number of a space's memories by run, as of a position."""
    rows = db.execute(
        "SELECT run, count(*) FROM memories WHERE space = ?1 AND memory <= ?2 "
        "AND since = memory AND run IS NOT NULL GROUP BY run",
        (space, position),
    )
    return dict(rows)


def sources_of(db: apsw.Connection, space: str, position: Position) -> list[str]:
    """Every source that the memories of a space name as of a position."""
    rows = db.execute(
        "SELECT DISTINCT source FROM memories "
        "WHERE space = ? AND memory <= ? AND source IS NOT NULL",
        (space, position),
    )
    return [str(row[0]) for row in rows]


def spaces_as_of(db: apsw.Connection, position: Position) -> tuple[str, ...]:
    """The spaces of a home that hold memories as of a position, by name."""
    rows = db.execute(
        "SELECT DISTINCT space FROM memories WHERE since <= ? ORDER BY 1", (position,)
    )
    return tuple(str(row[0]) for row in rows)


def counts(db: apsw.Connection, position: Position) -> list[tuple[str, str, str, int]]:
    """The number of memories as of a position: (space, kind, status, number)."""
    rows = db.execute(
        f"SELECT space, kind, status, count(*) FROM memories WHERE {held('?1')} "
        "GROUP BY space, kind, status ORDER BY 1, 2, 3",
        (position,),
    )
    return [(space, kind, status, number) for space, kind, status, number in rows]


def statuses_of(db: apsw.Connection, space: str, position: Position) -> dict[str, int]:
    """The number of memories of a space by status, as of a position."""
    rows = db.execute(
        f"SELECT status, count(*) FROM memories WHERE space = ?1 AND {held('?2')} "
        "GROUP BY status ORDER BY status",
        (space, position),
    )
    return {str(status): cast("int", number) for status, number in rows}


def first_recorded(db: apsw.Connection, space: str, position: Position) -> Micros | None:
    """The instant of the first memory of a space, as of a position; None if there is none."""
    found: Micros | None = db.execute(
        "SELECT said_at FROM memories WHERE space = ? AND since <= ? ORDER BY since LIMIT 1",
        (space, position),
    ).get
    return found
