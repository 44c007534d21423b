"""Queries of the tables of `projections.memories` as of any position, and a space's changes."""

from collections.abc import Sequence
from typing import Literal, Self, TypeVar, cast

import msgspec
from apsw import Connection

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Curve, Pace
from mnemolog.ledger.events import Importance, MemoryKind, SourceType
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.projections import sql
from mnemolog.projections.edges import EdgeState
from mnemolog.projections.lessons import LessonChanges, learned_after
from mnemolog.projections.strengths import pace_as_of

_Lists = TypeVar("_Lists", bound=msgspec.Struct)

Status = Literal[
    "active", "superseded", "contested", "pending", "archived", "summarized", "tombstone",
    "withdrawn", "redacted",
]  # fmt: skip


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


_ROW = ", ".join(MemoryRow.__struct_fields__).replace("memory_id", sql.hex("memory_id"))
_OF_SPACE = f"FROM memories WHERE space = ?1 AND {sql.AS_OF}"


def rows_as_of(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, MemoryRow]:
    """The states of these memories as of a position; unknown ones are left out."""
    query = f"SELECT {_ROW} FROM memories WHERE memory_id = ?1 AND {sql.AS_OF}"
    return sql.by_memory(db, MemoryRow, query, memory_ids, position)


def known_of(
    db: Connection, space: str, references: Sequence[str], position: Position
) -> frozenset[str]:
    """Those of these references that are whole ids of a space's memories as of a position."""
    query = f"""
        SELECT memory_id FROM memories WHERE memory_id IN {sql.AMONG}
        AND since = memory AND memory <= ?1 AND +space = ?3
    """
    return frozenset(sql.ids(db, query, position, sql.as_list(references), space))


def superseders(db: Connection, memory_id: MemoryId, position: Position) -> tuple[MemoryId, ...]:
    """The memories that directly supersede one as of a position, oldest first."""
    query = f"SELECT new FROM supersessions WHERE old = ?1 AND {sql.AS_OF} ORDER BY since"
    return sql.ids(db, query, bytes.fromhex(memory_id), position)


def superseded(db: Connection, memory_id: MemoryId, position: Position) -> tuple[MemoryId, ...]:
    """The memories that one directly supersedes as of a position, oldest first."""
    query = f"SELECT old FROM supersessions WHERE new = ?1 AND {sql.AS_OF} ORDER BY since"
    return sql.ids(db, query, bytes.fromhex(memory_id), position)


class ReplacementRow(msgspec.Struct, frozen=True):
    """Supersession of a memory by another one, `until` an undo ended it."""

    old: MemoryId
    new: MemoryId
    until: Position | None


def replacements_of(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[ReplacementRow]:
    """Supersessions of these memories up to a position, ended ones too."""
    return _replacements(db, "old", memory_ids, position)


def replaced_by(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[ReplacementRow]:
    """Supersessions by these memories up to a position, ended ones too."""
    return _replacements(db, "new", memory_ids, position)


def _replacements(
    db: Connection, side: Literal["old", "new"], memory_ids: Sequence[MemoryId], position: Position
) -> list[ReplacementRow]:
    query = f"""
        SELECT old, new, CASE WHEN until <= ?1 THEN until END FROM supersessions
        WHERE {side} IN {sql.AMONG} AND since <= ?1 ORDER BY since
    """
    rows = db.execute(query, (position, sql.as_list(memory_ids)))
    return [ReplacementRow(MemoryId(old.hex()), MemoryId(new.hex()), end) for old, new, end in rows]


def successions_as_of(db: Connection, space: str, position: Position) -> dict[bytes, bytes]:
    """For each memory of a space that is superseded as of a position, what did so last, by id."""
    query = f"SELECT old, new FROM supersessions WHERE space = ?1 AND {sql.AS_OF} ORDER BY since"
    return dict(db.execute(query, (space, position)))


def superseded_after(db: Connection, space: str, after: Position) -> tuple[MemoryId, ...]:
    """The memories of a space that something superseded after a position, in that order."""
    query = "SELECT old FROM supersessions WHERE space = ? AND since > ? ORDER BY since"
    return sql.ids(db, query, space, after)


def redacted_after(db: Connection, space: str, after: Position) -> tuple[MemoryId, ...]:
    """The memories of a space whose content was destroyed after a position."""
    query = """
        SELECT m.memory_id FROM redactions r CROSS JOIN memories m ON m.since = r.memory
        WHERE r.space = ? AND r.at > ?
    """
    return sql.ids(db, query, space, after)


def destroyed_as_of(db: Connection, space: str, position: Position) -> list[tuple[Position, int]]:
    """The positions of redactions in a space as of a position, with the memories of each."""
    query = "SELECT at, count(*) FROM redactions WHERE space = ? AND at <= ? GROUP BY 1 ORDER BY 1"
    return sql.fetch(db, tuple[Position, int], query, space, position)


def closing(db: Connection, old: MemoryId, new: MemoryId, position: Position) -> int | None:
    """The instant at which the valid time of `old` ends because of `new`, as of a position."""
    which = "old = ? AND new = ? AND since <= ? ORDER BY since DESC LIMIT 1"
    query = f"SELECT closes FROM supersessions WHERE {which}"
    asked = (bytes.fromhex(old), bytes.fromhex(new), position)
    return cast("int | None", db.execute(query, asked).get)


def tagged(db: Connection, keys: Sequence[bytes], space: str) -> list[Position]:
    """The memories of a space that carry all of these tags, ascending."""
    query = f"""
        SELECT t.memory FROM taggings t JOIN memories m ON m.since = t.memory
        WHERE +m.space = ? AND t.tag IN ({",".join("?" * len(keys))})
        GROUP BY t.memory HAVING count(*) = ? ORDER BY t.memory
    """
    return sql.positions(db, query, space, *keys, len(set(keys)))


def active_by_origin(db: Connection, space: str) -> dict[str, MemoryId]:
    """The newest memory in force of each piece that imports found in a space."""
    query = f"""
        SELECT origin, {sql.hex("memory_id")} FROM memories WHERE space = ? AND until IS NULL
        AND status NOT IN ('superseded', 'withdrawn', 'redacted') AND origin IS NOT NULL
        ORDER BY memory
    """
    return dict(sql.fetch(db, tuple[str, MemoryId], query, space))


def listed(db: Connection, space: str, position: Position, among: Sequence[str]) -> list[MemoryRow]:
    """A space's memories in these states as of a position, oldest first."""
    chosen = "status IN (SELECT value FROM json_each(?3))"
    query = f"SELECT {_ROW} {_OF_SPACE} AND {chosen} ORDER BY memory"
    return sql.fetch(db, MemoryRow, query, space, position, sql.as_list(among))


def of_run(db: Connection, space: str, position: Position, run: str, after: int) -> list[MemoryRow]:
    """A space's memories of one run, recorded after an instant, as of a position; oldest first."""
    query = f"SELECT {_ROW} {_OF_SPACE} AND run = ?3 AND said_at > ?4 ORDER BY memory"
    return sql.fetch(db, MemoryRow, query, space, position, run, after)


def run_sizes(db: Connection, space: str, position: Position) -> dict[str, int]:
    """The number of a space's memories by run, as of a position."""
    query = """
        SELECT run, count(*) FROM memories
        WHERE space = ?1 AND memory <= ?2 AND since = memory AND run IS NOT NULL GROUP BY run
    """
    return dict(db.execute(query, (space, position)))


def sources_of(db: Connection, space: str, position: Position) -> list[str]:
    """Every source that the memories of a space name as of a position."""
    query = (
        "SELECT DISTINCT source FROM memories WHERE space = ? AND memory <= ? AND source NOT NULL"
    )
    return [str(row[0]) for row in db.execute(query, (space, position))]


def spaces_as_of(db: Connection, position: Position) -> tuple[str, ...]:
    """The spaces of a home that hold memories as of a position, by name."""
    query = "SELECT DISTINCT space FROM memories WHERE since <= ? ORDER BY 1"
    return tuple(str(row[0]) for row in db.execute(query, (position,)))


def counts(db: Connection, position: Position) -> list[tuple[str, str, str, int]]:
    """The number of memories as of a position: (space, kind, status, number)."""
    query = f"SELECT space, kind, status, count(*) FROM memories WHERE {sql.held('?1')}"
    query += " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
    return sql.fetch(db, tuple[str, str, str, int], query, position)


def statuses_of(db: Connection, space: str, position: Position) -> dict[str, int]:
    """The number of memories of a space by status, as of a position."""
    query = f"SELECT status, count(*) {_OF_SPACE} GROUP BY status ORDER BY status"
    return dict(db.execute(query, (space, position)))


def first_recorded(db: Connection, space: str, position: Position) -> Micros | None:
    """The instant of the first memory of a space, as of a position; None if there is none."""
    query = "SELECT said_at FROM memories WHERE space = ? AND since <= ? ORDER BY since LIMIT 1"
    return cast("Micros | None", db.execute(query, (space, position)).get)


# -- changes, which indexes follow -----------------------------------------------------
class SupersessionRow(msgspec.Struct, frozen=True, array_like=True):
    """One memory in the place of another, over the positions [since, until)."""

    old: Position
    new: Position
    since: Position
    until: Position | None
    closes: int


EdgeChange = EdgeState[Position | None]
"""An edge as an index follows it: its memories by position, None where an end is a thing."""


class StrengthChange(msgspec.Struct, frozen=True, array_like=True):
    """The trace that a memory has from a position on, by where it was remembered."""

    since: Position
    memory: Position
    strength: float
    reinforced_at: int
    slowing: float


class WeightChange(msgspec.Struct, frozen=True, array_like=True):
    """The depth weight of a memory from a position on."""

    since: Position
    memory: Position
    alpha: float
    beta: float


class Changes(msgspec.Struct, frozen=True):
    """Changes of a space's memories and edges after a position, and the position reached.

    `digest` is that of the moment reached; None if it is not known. `redacted` says that content of
    earlier memories or edges was destroyed, so that what was made from them has to be made anew.
    """

    reached: Position
    digest: bytes | None
    rows: list[MemoryRow]
    supersessions: list[SupersessionRow]
    redacted: bool
    edges: list[EdgeChange] = []
    strengths: list[StrengthChange] = []
    pace: Pace = Pace()
    weights: list[WeightChange] = []
    lessons: LessonChanges = LessonChanges()

    def cut(self, until: Position) -> Self:
        """These changes up to a position alone."""
        lessons = _cut(self.lessons, until)
        own = _cut(self, until)
        return msgspec.structs.replace(own, reached=until, digest=None, lessons=lessons)


def _cut(changes: _Lists, until: Position) -> _Lists:
    """The rows of every list that began up to a position."""
    kept = {
        name: [row for row in rows if row.since <= until]
        for name, rows in msgspec.structs.asdict(changes).items()
        if isinstance(rows, list)
    }
    return msgspec.structs.replace(changes, **kept)


_MEMORIES = f"SELECT {_ROW} FROM memories WHERE space = ?1 AND since > ?2 ORDER BY since"
_LATER_STATES = f"""
    SELECT {_ROW} FROM memories WHERE space = ?1 AND since <= ?2 AND since <> memory ORDER BY since
"""
# Two searches by index: an `or` over both would look at all that there ever were. The cross
# joins keep the few that are found in front.
_SUPERSESSIONS = """
    SELECT o.memory, n.memory, s.since, s.until, s.closes FROM (
        SELECT * FROM supersessions WHERE space = ?1 AND since > ?2 UNION
        SELECT * FROM supersessions INDEXED BY supersessions_by_end
        WHERE space = ?1 AND until > ?2
    ) s
    CROSS JOIN memories o ON o.memory_id = s.old AND o.since = o.memory
    CROSS JOIN memories n ON n.memory_id = s.new AND n.since = n.memory
    ORDER BY s.since
"""
_ERASED = """
    SELECT 1 FROM redactions WHERE space = ?1 AND at > ?2 AND memory <= ?2
    UNION ALL SELECT 1 FROM edges WHERE space = ?1 AND erased_at > ?2 AND since <= ?2
"""
_EDGES = """
    SELECT e.since, e.until, CASE WHEN e.source IS NULL THEN NULL ELSE ifnull(s.memory, 0) END,
           e.type, CASE WHEN e.target IS NULL THEN NULL ELSE ifnull(t.memory, 0) END,
           e.confidence, e.origin, e.valid_from, e.valid_until
    FROM edges e
    LEFT JOIN memories s ON s.memory_id = e.source AND s.since = s.memory
    LEFT JOIN memories t ON t.memory_id = e.target AND t.since = t.memory
    WHERE e.since IN (SELECT since FROM edges WHERE space = ?1 AND since > ?2 UNION
                      SELECT since FROM edges WHERE space = ?1 AND until > ?2)
    ORDER BY e.since
"""
_STRENGTHS = """
    SELECT s.since, m.memory, s.strength, s.reinforced_at, s.slowing FROM strengths s
    JOIN memories m ON m.memory_id = s.memory_id AND m.since = m.memory
    WHERE s.space = ?1 AND s.since > ?2 ORDER BY s.since, m.memory
"""
_WEIGHTS = """
    SELECT w.since, m.memory, w.alpha, w.beta FROM weights w
    JOIN memories m ON m.memory_id = w.memory_id AND m.since = m.memory
    WHERE w.space = ?1 AND w.since > ?2 ORDER BY w.since
"""


def changes_after(
    db: Connection, space: str, after: Position, known: Position | None = None
) -> Changes:
    """The changes of a space after a position, each list in order of position.

    With `known`, memories that began up to that position are left out; their later states are not.
    `redacted` says what was destroyed of those.
    """
    reached, digest = db.execute("SELECT position, digest FROM checkpoint").get
    asked = (space, after)
    rows: list[MemoryRow] = []
    if known is not None:
        rows = sql.fetch(db, MemoryRow, _LATER_STATES, space, known)
    begun = after if known is None else known
    return Changes(
        Position(reached),
        digest,
        [*rows, *sql.fetch(db, MemoryRow, _MEMORIES, space, begun)],
        sql.fetch(db, SupersessionRow, _SUPERSESSIONS, *asked),
        sql.exists(db, _ERASED, space, begun),
        sql.fetch(db, EdgeChange, _EDGES, *asked),
        sql.fetch(db, StrengthChange, _STRENGTHS, *asked),
        pace_as_of(db, space, Position(reached)),
        sql.fetch(db, WeightChange, _WEIGHTS, *asked),
        learned_after(db, *asked),
    )
