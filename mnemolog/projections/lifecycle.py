"""Lifecycle of memories: buffered content, dates of the next falls, and deletions."""

import hmac
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import cast

import msgspec
from apsw import Connection

from mnemolog.ledger import decay, events as kinds
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.sqlite.connections import insert
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections import sql
from mnemolog.projections.spaces import settings_as_of
from mnemolog.projections.strengths import HELD, SPEED, STRENGTH_AS_OF, pace_as_of, strength_of

# -- buffers ---------------------------------------------------------------------------
_Leaving = kinds.Admitted | kinds.Reinforced | kinds.Dropped | kinds.Redacted


def _enter(db: Connection, event: Event, structure: kinds.Buffered) -> None:
    item = bytes.fromhex(structure.of or event.event_id)
    db.execute(
        """
        INSERT INTO buffers SELECT ?1, ?2, NULL, ?3
        WHERE NOT EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND until IS NULL)
        AND (?4 OR EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND space = ?3))
        """,
        (item, event.position, event.space, structure.of is None),
    )


def _leave(db: Connection, event: Event, structure: _Leaving) -> None:
    for item in structure.events if isinstance(structure, kinds.Redacted) else (structure.of,):
        if item is not None:
            sql.end_row(db, "buffers", event.position, item=bytes.fromhex(item))


_BUFFERS = """
    CREATE TABLE buffers (
        item BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, space TEXT NOT NULL,
        PRIMARY KEY (item, since)) STRICT, WITHOUT ROWID;
"""
_BY_SPACE = "CREATE INDEX buffers_by_space ON buffers (space, since);"
BUFFERS = sql.projection("buffers", 1, _BUFFERS, _enter, _leave, indexes=_BY_SPACE)
"""One row a stay in the buffer, with the positions [since, until) at which it lasted.

`item` is the id of the event that holds the content. Redacted content waits no longer.
"""


def buffered_as_of(db: Connection, space: str, position: Position) -> list[EventId]:
    """The events that hold the content in a space's buffer as of a position, oldest first."""
    query = f"SELECT item FROM buffers WHERE space = ?1 AND {sql.AS_OF} ORDER BY since"
    return [EventId(item) for item in sql.ids(db, query, space, position)]


def left_at(db: Connection, item: EventId) -> Position | None:
    """The position at which content last left the buffer; None if it waits, or never did."""
    query = "SELECT until FROM buffers WHERE item = ? ORDER BY since DESC LIMIT 1"
    return cast("Position | None", db.execute(query, (bytes.fromhex(item),)).get)


# -- deletions -------------------------------------------------------------------------
_FINGERPRINT_BYTES = 16


def fingerprint(secret: bytes, text: str) -> str:
    """Keyed hash (HMAC-SHA-256, hex) of a deleted text; case and blanks do not matter."""
    said = " ".join(text.casefold().split())
    return hmac.digest(secret, b"deleted\x00" + said.encode(), sha256)[:_FINGERPRINT_BYTES].hex()


class Deletion(msgspec.Struct, frozen=True, array_like=True):
    """A memory that was deleted when it had faded, when, and when the same was stored again."""

    memory_id: MemoryId
    deleted_at: Micros
    relearned_at: Micros | None


def _delete(db: Connection, event: Event, structure: kinds.Degraded) -> None:
    if structure.tier == "deleted":
        memory_id, at = bytes.fromhex(event.memory_id or ""), event.recorded_at
        row = (memory_id, event.space, event.position, at, structure.fingerprint)
        db.execute("INSERT OR IGNORE INTO deletions VALUES (?, ?, ?, ?, ?)", row)


def _relearn(db: Connection, event: Event, structure: kinds.Relearned | kinds.Unlearned) -> None:
    memory_id, of = bytes.fromhex(event.memory_id or ""), bytes.fromhex(structure.of)
    if isinstance(structure, kinds.Relearned):
        sql.add_row(db, "relearnings", of, event.position, None, memory_id, event.recorded_at)
    else:
        sql.end_row(db, "relearnings", event.position, of=of, memory_id=memory_id)


_DELETIONS = """
    CREATE TABLE deletions (
        memory_id BLOB PRIMARY KEY, space TEXT NOT NULL, since INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL, fingerprint TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE relearnings (
        of BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, memory_id BLOB NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (of, since)) STRICT, WITHOUT ROWID;
    CREATE INDEX deletions_by_fingerprint ON deletions (space, fingerprint);
"""
DELETIONS = sql.projection("deletions", 2, _DELETIONS, _delete, _relearn)
"""One row a deleted memory, and one each time that the same was stored again.

In `relearnings`, `memory_id` says from `since` on what `of` had said, until that was undone.
"""


def deleted_as(db: Connection, space: str, fingerprint: str, position: Position) -> MemoryId | None:
    """The memory of this fingerprint last deleted, and not stored again, as of a position."""
    query = f"""
        SELECT memory_id FROM deletions d WHERE space = ?1 AND fingerprint = ?2 AND since <= ?3
        AND NOT EXISTS (SELECT 1 FROM relearnings WHERE of = d.memory_id AND {sql.held("?3")})
        ORDER BY since DESC LIMIT 1
    """
    return next(iter(sql.ids(db, query, space, fingerprint, position)), None)


def has_deletions(db: Connection, space: str) -> bool:
    """True if anything was ever deleted in a space for having faded."""
    return sql.exists(db, "SELECT 1 FROM deletions WHERE space = ?1", space)


def deletions_as_of(db: Connection, space: str, position: Position) -> list[Deletion]:
    """The deletions in a space as of a position, in that order."""
    query = f"""
        SELECT {sql.hex("memory_id")}, deleted_at, (
            SELECT min(at) FROM relearnings WHERE of = d.memory_id AND {sql.AS_OF}
        )
        FROM deletions d WHERE space = ?1 AND since <= ?2 ORDER BY since
    """
    return sql.fetch(db, Deletion, query, space, position)


# -- dates of the next falls -----------------------------------------------------------
LOWEST = "lowest_tier"  # the setting that says how low the memories of a space may fall
_OF_ONE = frozenset({
    "superseded", "reinstated", "withdrawn", "restored", "pinned", "unpinned",
    "weakened", "strengthened", "degraded", "revived",
})  # fmt: skip
_DECODED = frozenset({"recalled", "redacted", "configured"})
_SAID_AT = 5 + HELD.split(", ").index("said_at")
_KEPT_FOR_AUDIT = frozenset({"superseded", "withdrawn"})

Falling = tuple[Position, MemoryId, str, decay.FallConditions | None]
"""The position, id and space of a memory, and its fall conditions: None if it cannot fall."""


def _schedule(db: Connection, events: Sequence[Event]) -> None:
    remembered = [event.position for event in events if event.kind == "remembered"]
    if remembered:
        _begin(db, remembered[0], remembered[-1])
    if len(remembered) == len(events):
        return
    last = events[-1].position
    touched: set[MemoryId] = set()
    spaces = set()
    for event in events:
        structure = VOCABULARY.structure(event) if event.kind in _DECODED else None
        match structure:
            case kinds.Recalled(memories=memories):
                touched.update(memories)
            case kinds.Redacted(events=redacted):
                touched.update(map(MemoryId, redacted))
            case kinds.Configured(settings=settings) if not {SPEED, LOWEST}.isdisjoint(settings):
                spaces.add(event.space)
        if event.kind in _OF_ONE and event.memory_id is not None:
            touched.add(event.memory_id)
    _reschedule(db, fall_conditions(db, [*touched], last), last)
    for space in spaces:
        whole = "(SELECT * FROM memories WHERE space = ?1) m"
        _reschedule(db, _conditions_of(db, whole, space, last), last)


def _begin(db: Connection, first: Position, last: Position) -> None:
    """Schedule memories to which nothing has happened yet: all of one curve fall alike."""
    query = """
        SELECT memory, memory_id, space, said_at, curve, rate, initial FROM memories
        WHERE since BETWEEN ? AND ? AND memory = since AND status <> 'redacted'
    """
    plain = cache(lambda space: (pace_as_of(db, space, last), _lowest(db, space, last)))
    paced: list[MemoryId] = []
    dues: list[tuple[Position, str, int]] = []
    for memory, memory_id, space, said_at, *curve in cast(
        "list[tuple[Position, bytes, str, int, decay.Curve, float, float]]",
        db.execute(query, (first, last)).fetchall(),
    ):
        pace, lowest = plain(space)
        if pace.speeds:
            paced.append(MemoryId(memory_id.hex()))
        elif (after := _first_fall(*curve, lowest)) is not None:
            dues.append((memory, space, said_at + after))
    insert(db, "dues", "(?, ?, ?)", dues)
    if paced:
        _reschedule(db, fall_conditions(db, paced, last), last)


@lru_cache(maxsize=1024)
def _first_fall(curve: decay.Curve, rate: float, initial: float, lowest: Tier) -> Micros | None:
    """Time from a memory's beginning to its first fall, at the usual pace; None if it has none."""
    trace = decay.Trace(initial, Micros(0))
    conditions = decay.FallConditions(decay.Decay(curve, rate), trace, "active", lowest)
    due = decay.next_due(conditions, decay.Pace())
    return None if due is None else due.due_at


def _reschedule(db: Connection, memories: Iterable[Falling], position: Position) -> None:
    pace = cache(lambda space: pace_as_of(db, space, position))
    safe: list[tuple[Position]] = []
    dues: list[tuple[Position, str, Micros]] = []
    for memory, _, space, conditions in memories:
        due = None if conditions is None else decay.next_due(conditions, pace(space))
        if due is None:
            safe.append((memory,))
        else:
            dues.append((memory, space, due.due_at))
    db.executemany("DELETE FROM dues WHERE memory = ?", safe)
    db.executemany("INSERT OR REPLACE INTO dues VALUES (?, ?, ?)", dues)


_DUES = """
    CREATE TABLE dues (
        memory INTEGER PRIMARY KEY, space TEXT NOT NULL, due_at INTEGER NOT NULL) STRICT;
"""
_DUES_BY_TIME = "CREATE INDEX dues_by_time ON dues (space, due_at);"
_KINDS = _OF_ONE | _DECODED | {"remembered"}
DUES = sql.Projection("dues", 3, _KINDS, _DUES, _schedule, _DUES_BY_TIME)
"""One row a memory that will fall, with when: of the present alone, for ticks only.

A tick so reads only the memories that are due. It follows the other projections, and reads
from their tables the present state of the memories that a batch of events concerns.
"""


def fall_conditions(
    db: Connection, memory_ids: Sequence[MemoryId], position: Position
) -> list[Falling]:
    """Memories with their fall conditions as of a position; unknown ones are left out."""
    chosen = "json_each(?1) j CROSS JOIN memories m ON m.memory_id = unhex(j.value)"
    ids = [bytes.fromhex(memory_id).hex() for memory_id in memory_ids]
    return _conditions_of(db, chosen, sql.as_list(ids), position)


def _conditions_of(db: Connection, chosen: str, key: str, position: Position) -> list[Falling]:
    """The same of the memories `m` that are chosen by a key."""
    query = f"""
        SELECT memory, m.memory_id, m.space, tier, status, {HELD}
        FROM {chosen} {STRENGTH_AS_OF} WHERE {sql.held("?2", "m.")}
    """
    lowest = cache(lambda space: _lowest(db, space, position))
    found: list[Falling] = []
    for row in db.execute(query, (key, position)).fetchall():
        memory, memory_id, space, tier, status = cast(
            "tuple[Position, bytes, str, Tier, str]", row[:5]
        )
        conditions = None
        if status != "redacted":
            least: Tier = lowest(space)
            if least == "deleted" and status in _KEPT_FOR_AUDIT:
                least = "tombstone"
            strength, began = strength_of(row[5:]), cast("Micros", row[_SAID_AT])
            conditions = decay.FallConditions(strength.decay, strength.trace, tier, least, began)
        found.append((memory, MemoryId(memory_id.hex()), space, conditions))
    return found


def _lowest(db: Connection, space: str, position: Position) -> Tier:
    given = settings_as_of(db, space, position).get(LOWEST)
    return next((tier for tier in decay.TIERS if tier == given), decay.LOWEST_BY_DEFAULT)


def due_by(db: Connection, space: str, instant: Micros, limit: int) -> tuple[MemoryId, ...]:
    """The memories of a space that fall by an instant, the earliest first, at most so many."""
    query = """
        SELECT m.memory_id FROM (SELECT memory, due_at FROM dues WHERE space = ? AND due_at <= ?
                                 ORDER BY due_at, memory LIMIT ?) d
        JOIN memories m ON m.since = d.memory ORDER BY d.due_at, d.memory
    """
    return sql.ids(db, query, space, instant, limit)
