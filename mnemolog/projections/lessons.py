"""Lessons of recall sessions: memories that answer in a context, or that belong together."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from apsw import Connection

from mnemolog.ledger.events import Event, Recalled, Resolved
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.projections import sql
from mnemolog.projections.spaces import command_of, not_undone

USED_TOGETHER = 0.05  # association by one use together; a session's event says that of its finds


class LearnedSession(msgspec.Struct, frozen=True):
    """The lessons of one resolved session; memories by their positions."""

    since: Position
    code: bytes
    embedder: str
    entity: bytes | None
    bearings: list[tuple[Position, float]]
    leads: list[tuple[Position, Position]]
    evidence: dict[str, float]


class CoAccess(msgspec.Struct, frozen=True):
    """Memories that were found or used together at an instant (µs), and how much it counts."""

    since: Position
    at: int
    gain: float
    memories: list[int]  # their positions; in an index, their ordinals


class Undoing(msgspec.Struct, frozen=True, array_like=True):
    """The positions [start, end) over which the lessons of an event are undone."""

    since: Position
    start: Position
    end: Position | None


class LessonChanges(msgspec.Struct, frozen=True):
    """The lessons of a space after a position, and all undoings of its lessons after that."""

    sessions: list[LearnedSession] = []
    together: list[CoAccess] = []
    undone: list[Undoing] = []


def _resolve(db: Connection, event: Event, structure: Resolved) -> None:
    at, context = event.position, structure.context
    entity = None if context.entity is None else bytes.fromhex(context.entity)
    size = (structure.rounds, len(structure.accepted))
    code = (bytes.fromhex(context.code), context.embedder)
    sql.add_row(db, "sessions", event.space, at, command_of(event), *size, *code, entity)
    for one in structure.lessons:
        sql.add_row(db, "bearings", at, bytes.fromhex(one.memory), one.bearing)
    for lead in structure.leads:
        sql.add_row(db, "leads", at, bytes.fromhex(lead.spark), bytes.fromhex(lead.found))
    for component, value in structure.evidence.items():
        sql.add_row(db, "evidence", at, component, value)
    _together(db, event, structure.together, (event.recorded_at, structure.gain))


def _recall(db: Connection, event: Event, structure: Recalled) -> None:
    _together(db, event, structure.memories, (structure.at, USED_TOGETHER))


def _together(
    db: Connection, event: Event, memories: Iterable[MemoryId], counts: tuple[int, float]
) -> None:
    """Note memories that were accessed together; one alone is together with nothing."""
    different = [bytes.fromhex(one) for one in dict.fromkeys(memories)]
    if len(different) > 1:
        at = event.position
        sql.add_row(db, "coaccesses", event.space, at, command_of(event), *counts)
        db.executemany("INSERT INTO coaccessed VALUES (?, ?)", [(at, one) for one in different])


_SCHEMA = """
    CREATE TABLE sessions (
        space TEXT NOT NULL, since INTEGER NOT NULL, command BLOB NOT NULL,
        rounds INTEGER NOT NULL, accepted INTEGER NOT NULL, code BLOB NOT NULL,
        embedder TEXT NOT NULL, entity BLOB, PRIMARY KEY (space, since)) STRICT, WITHOUT ROWID;
    CREATE TABLE bearings (
        since INTEGER NOT NULL, memory_id BLOB NOT NULL, bearing REAL NOT NULL,
        PRIMARY KEY (since, memory_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE leads (
        since INTEGER NOT NULL, spark BLOB NOT NULL, found BLOB NOT NULL,
        PRIMARY KEY (since, spark, found)) STRICT, WITHOUT ROWID;
    CREATE TABLE evidence (
        since INTEGER NOT NULL, component TEXT NOT NULL, value REAL NOT NULL,
        PRIMARY KEY (since, component)) STRICT, WITHOUT ROWID;
    CREATE TABLE coaccesses (
        space TEXT NOT NULL, since INTEGER NOT NULL, command BLOB NOT NULL, at INTEGER NOT NULL,
        gain REAL NOT NULL, PRIMARY KEY (space, since)) STRICT, WITHOUT ROWID;
    CREATE TABLE coaccessed (
        since INTEGER NOT NULL, memory_id BLOB NOT NULL,
        PRIMARY KEY (since, memory_id)) STRICT, WITHOUT ROWID;
"""
_INDEXES = """
    CREATE INDEX bearings_by_memory ON bearings (memory_id);
    CREATE INDEX sessions_by_command ON sessions (command);
    CREATE INDEX coaccesses_by_command ON coaccesses (command);
"""
LESSONS = sql.projection("lessons", 1, _SCHEMA, _resolve, _recall, indexes=_INDEXES)
"""One row a resolved session, with its lessons in rows of their own, and one a co-access.

Undone sessions stay: `projections.spaces` says when they count.
"""

_BEARINGS = """
    SELECT s.since, m.memory, b.bearing FROM sessions s
    CROSS JOIN bearings b ON b.since = s.since
    CROSS JOIN memories m ON m.memory_id = b.memory_id AND m.since = m.memory
    WHERE s.space = ? AND s.since > ? ORDER BY 1, 2
"""
_LEADS = """
    SELECT s.since, m.memory, f.memory FROM sessions s
    CROSS JOIN leads l ON l.since = s.since
    CROSS JOIN memories m ON m.memory_id = l.spark AND m.since = m.memory
    CROSS JOIN memories f ON f.memory_id = l.found AND f.since = f.memory
    WHERE s.space = ? AND s.since > ? ORDER BY 1, 2, 3
"""
_EVIDENCE = """
    SELECT s.since, e.component, e.value FROM sessions s
    CROSS JOIN evidence e ON e.since = s.since
    WHERE s.space = ? AND s.since > ? ORDER BY 1, 2
"""
_TOGETHER = """
    SELECT c.since, c.at, c.gain, m.memory FROM coaccesses c
    CROSS JOIN coaccessed x ON x.since = c.since
    CROSS JOIN memories m ON m.memory_id = x.memory_id AND m.since = m.memory
    WHERE c.space = ? AND c.since > ? ORDER BY 1, 4
"""
_UNDONE = """
    WITH changed AS (SELECT * FROM undos WHERE since > ?2 OR until > ?2)
    SELECT s.since, u.since, u.until FROM changed u
    CROSS JOIN sessions s INDEXED BY sessions_by_command ON s.command = u.command
    WHERE s.space = ?1
    UNION
    SELECT c.since, u.since, u.until FROM changed u
    CROSS JOIN coaccesses c INDEXED BY coaccesses_by_command ON c.command = u.command
    WHERE c.space = ?1
    ORDER BY 1, 2
"""
_SESSIONS = """
    SELECT since, code, embedder, entity FROM sessions WHERE space = ? AND since > ? ORDER BY since
"""


def learned_after(db: Connection, space: str, after: Position) -> LessonChanges:
    """The lessons of a space after a position, in order."""
    asked = (space, after)
    bearings: defaultdict[Position, list[tuple[Position, float]]] = defaultdict(list)
    for since, one, bearing in sql.fetch(db, tuple[Position, Position, float], _BEARINGS, *asked):
        bearings[since].append((one, bearing))
    leads: defaultdict[Position, list[tuple[Position, Position]]] = defaultdict(list)
    for since, one, found in sql.fetch(db, tuple[Position, Position, Position], _LEADS, *asked):
        leads[since].append((one, found))
    evidence: defaultdict[Position, dict[str, float]] = defaultdict(dict)
    for since, component, value in sql.fetch(db, tuple[Position, str, float], _EVIDENCE, *asked):
        evidence[since][component] = value
    together: dict[Position, CoAccess] = {}
    for since, at, gain, who in sql.fetch(db, tuple[Position, int, float, int], _TOGETHER, *asked):
        together.setdefault(since, CoAccess(since, at, gain, [])).memories.append(who)
    sessions = [
        LearnedSession(*one, bearings[one[0]], leads[one[0]], evidence[one[0]])
        for one in sql.fetch(db, tuple[Position, bytes, str, bytes | None], _SESSIONS, *asked)
    ]
    undone = sql.fetch(db, Undoing, _UNDONE, *asked)
    return LessonChanges(sessions, [*together.values()], undone)


def is_resolved(db: Connection, space: str, command: EventId) -> bool:
    """True if the session whose resolution is this event has been resolved."""
    query = "SELECT 1 FROM sessions WHERE command = ? AND space = ?"
    return sql.exists(db, query, bytes.fromhex(command), space)


def taught_at(db: Connection, memory_id: MemoryId) -> list[Position]:
    """The positions of the resolved sessions with a lesson on a memory, in order."""
    query = "SELECT since FROM bearings WHERE memory_id = ? ORDER BY since"
    return sql.positions(db, query, bytes.fromhex(memory_id))


def rounds_between(db: Connection, space: str, after: Position, position: Position) -> list[int]:
    """The rounds of each session that found something, between two positions."""
    query = f"""
        SELECT rounds FROM sessions s WHERE space = ?1 AND since > ?2 AND since <= ?3
        AND accepted > 0 AND {not_undone("s.command", "?3")} ORDER BY since
    """
    return [row[0] for row in sql.fetch(db, tuple[int], query, space, after, position)]
