"""Whatever is done to a log behind its back is found, at the first position that it touches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.clock import to_iso
from mnemolog.ledger.digests import EMPTY, GENESIS
from mnemolog.ledger.errors import CheckpointMismatch, CorruptLog, ForeignFormat
from mnemolog.ledger.events import Draft, Redacted
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.sqlite import verification
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.verification import (
    Checkpoint,
    check_range,
    checkpoint_of,
    parse_checkpoint,
    verify,
)
from mnemolog.ledger.vocabulary import encode_payload
from tests.homes import SECOND, HandClock, draft
from tests.ledger.log_contract import all_events, digest_of

EVENTS = 12
Tamper = Callable[[apsw.Connection], None]

_TRIGGERS = ("events_are_kept", "events_are_facts", "content_is_only_destroyed")


def tamper(path: Path, change: Callable[[apsw.Connection], None]) -> None:
    """Change a log's file as someone with SQLite and without scruples would."""
    raw = apsw.Connection(str(path))
    for trigger in _TRIGGERS:
        raw.execute(f"DROP TRIGGER {trigger}")
    change(raw)
    raw.close()


def sql(statement: str) -> Tamper:
    """A change by one statement."""
    return lambda raw: raw.execute(statement).fetchall()


def swap(raw: apsw.Connection) -> None:
    """Let events 5 and 6 change places, ids, texts and digests included."""
    raw.execute("UPDATE events SET position = 99 WHERE position = 5")
    raw.execute("UPDATE events SET position = 5 WHERE position = 6")
    raw.execute("UPDATE events SET position = 6 WHERE position = 99")


def insert(raw: apsw.Connection) -> None:
    """Put a copy of event 5 in before it, under an id of its own, and move the rest up."""
    for position in range(EVENTS, 4, -1):
        raw.execute("UPDATE events SET position = ? WHERE position = ?", (position + 1, position))
    columns = [row[0] for row in raw.execute("SELECT name FROM pragma_table_info('events')")]
    rest = ", ".join(columns[2:])
    raw.execute(f"INSERT INTO events SELECT 5, zeroblob(16), {rest} FROM events WHERE position = 6")


def insert_rechained(raw: apsw.Connection) -> None:
    """Change an event and give it the digest that it should have: the next one tells."""
    raw.execute("UPDATE events SET actor = 'user:mallory' WHERE position = 4")
    path = raw.db_filename("main")
    log = SqliteLog(Path(path))
    third, fourth = log.events_at([Position(3), Position(4)])
    log.close()
    raw.execute(
        "UPDATE events SET digest = ? WHERE position = 4", (digest_of(fourth, third.digest),)
    )


def retyped(column: str, kind: str) -> Tamper:
    """The same bytes under another type, in a table that is strict no more."""

    def change(raw: apsw.Connection) -> None:
        raw.execute("PRAGMA writable_schema = 1").fetchall()
        raw.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'events'"
        ).fetchall()
        again = apsw.Connection(raw.db_filename("main"))
        again.execute(f"UPDATE events SET {column} = CAST({column} AS {kind}) WHERE position = 5")
        again.close()

    return change


# What is done, and the last position before the first one that it touches.
TAMPERINGS: dict[str, tuple[Tamper, int]] = {
    "structure changed": (sql("UPDATE events SET structure = '{ }' WHERE position = 5"), 4),
    "actor changed": (sql("UPDATE events SET actor = 'user:mallory' WHERE position = 5"), 4),
    "space changed": (sql("UPDATE events SET space = 'other' WHERE position = 1"), 0),
    "kind changed": (sql("UPDATE events SET kind = 'noted' WHERE position = 12"), 11),
    "version changed": (sql("UPDATE events SET version = 2 WHERE position = 5"), 4),
    "id changed": (sql("UPDATE events SET event_id = zeroblob(16) WHERE position = 5"), 4),
    "memory changed": (sql("UPDATE events SET memory_id = NULL WHERE position = 5"), 4),
    "run changed": (sql("UPDATE events SET correlation_id = 'x' WHERE position = 5"), 4),
    "content put in": (sql("UPDATE events SET content = '{}' WHERE position = 11"), 10),
    "content put back": (sql("UPDATE events SET content = '{}' WHERE position = 2"), 1),
    "salt put in": (sql("UPDATE events SET salt = x'' WHERE position = 2"), 1),
    "ids moved over their bounds": (
        sql(
            "UPDATE events SET event_id = x'', memory_id = "
            "CAST(substr(event_id, 2) || x'01' || memory_id AS BLOB) WHERE position = 5"
        ),
        4,
    ),
    "structure as a blob": (retyped("structure", "BLOB"), 4),
    "content as a blob": (retyped("content", "BLOB"), 4),
    "id as a text": (retyped("event_id", "TEXT"), 4),
    "salt as a text": (retyped("salt", "TEXT"), 4),
    "content hash as a text": (retyped("content_hash", "TEXT"), 4),
    "cause put in": (sql("UPDATE events SET causation_id = zeroblob(16) WHERE position = 5"), 4),
    "no id made zeros": (sql("UPDATE events SET memory_id = zeroblob(16) WHERE position = 11"), 10),
    "cause changed": (sql("UPDATE events SET causation_id = event_id WHERE position = 5"), 4),
    "content changed": (sql("UPDATE events SET content = '{}' WHERE position = 5"), 4),
    "salt changed": (sql("UPDATE events SET salt = zeroblob(16) WHERE position = 5"), 4),
    "salt gone": (sql("UPDATE events SET salt = NULL WHERE position = 5"), 4),
    "content hash gone": (sql("UPDATE events SET content_hash = NULL WHERE position = 5"), 4),
    "digest changed": (sql("UPDATE events SET digest = zeroblob(32) WHERE position = 5"), 4),
    "digest recomputed": (insert_rechained, 4),
    "time changed": (sql("UPDATE events SET recorded_at = 7 WHERE position = 5"), 4),
    "time moved on": (sql("UPDATE events SET recorded_at = recorded_at + 1"), 0),
    "first missing": (sql("DELETE FROM events WHERE position = 1"), 0),
    "one missing": (sql("DELETE FROM events WHERE position = 5"), 4),
    "several missing": (sql("DELETE FROM events WHERE position BETWEEN 3 AND 9"), 2),
    "one missing, the rest moved down": (
        sql(
            "DELETE FROM events WHERE position = 5;"
            "UPDATE events SET position = position - 1 WHERE position > 5"
        ),
        4,
    ),
    "inserted": (insert, 4),
    "inserted before the first": (
        sql(
            "INSERT INTO events SELECT 0, zeroblob(16), space, kind, version, recorded_at, actor,"
            "memory_id, correlation_id, causation_id, structure, content, salt, content_hash,"
            "digest FROM events WHERE position = 1"
        ),
        0,
    ),
    "reordered": (swap, 4),
}


def redacted(event_id: EventId) -> Draft:
    """The event that says that another's content was destroyed."""
    structure = encode_payload(Redacted((event_id,)))
    return msgspec.structs.replace(draft(kind="redacted", content=None), structure=structure)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    """A log of twelve events, one of them erased, one without content."""
    clock = HandClock()
    opened = SqliteLog(tmp_path / "ledger.db", clock=clock)
    for number in range(EVENTS - 2):
        opened.append([draft(f"text {number}")])
        clock.move(SECOND)
    (second,) = opened.events_at([Position(2)])
    opened.append([redacted(second.event_id)], erase=[Position(2)])
    opened.append([draft("last")])
    yield opened
    opened.close()


@pytest.fixture(params=["one process", "several processes"])
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verify in this process, or in ranges by processes of their own, as long logs are."""
    if request.param == "several processes":
        monkeypatch.setattr(verification, "_PARALLEL_FROM", 1)
        monkeypatch.setattr(os, "cpu_count", lambda: 3)


def test_a_whole_log_verifies(log: SqliteLog, ways: None) -> None:
    """A log as it was appended passes, redacted events counted, with its head."""
    told: list[tuple[str, int, int]] = []
    verified = verify(log, progress=lambda *step: told.append(step))
    head = log.head()
    assert (verified.events, verified.erased) == (EVENTS, 1)
    assert (verified.head_position, verified.head_digest) == (EVENTS, head.digest.hex())
    assert told[-1] == ("verifying", EVENTS, EVENTS)


def test_an_empty_log_verifies(tmp_path: Path) -> None:
    """A log without events is whole."""
    log = SqliteLog(tmp_path / "ledger.db")
    assert (verify(log).events, verify(log).head_digest) == (0, GENESIS.hex())
    log.close()


@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_is_found_at_its_first_position(log: SqliteLog, what: str) -> None:
    """Whatever was changed, removed, inserted or moved: the last good position is named."""
    change, last_good = TAMPERINGS[what]
    tamper(log.path, change)
    with pytest.raises(CorruptLog) as raised:
        verify(log)
    assert raised.value.last_good == last_good


@pytest.mark.parametrize("what", ["one missing", "content changed", "time moved on", "reordered"])
def test_several_processes_find_the_same(
    log: SqliteLog, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A log verified in ranges gives the same first position as in one piece."""
    monkeypatch.setattr(verification, "_PARALLEL_FROM", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    change, last_good = TAMPERINGS[what]
    tamper(log.path, change)
    with pytest.raises(CorruptLog) as raised:
        verify(log)
    assert raised.value.last_good == last_good


@pytest.mark.parametrize("position", [1, 3, 4, 5, 8, 9, 12])
def test_ranges_leave_no_seam(
    log: SqliteLog, monkeypatch: pytest.MonkeyPatch, position: int
) -> None:
    """With one event missing at or beside the bounds of ranges, its position is still named."""
    monkeypatch.setattr(verification, "_PARALLEL_FROM", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    head = log.head()
    tamper(log.path, sql(f"DELETE FROM events WHERE position = {position}"))
    if position == EVENTS:
        assert verify(log).events == EVENTS - 1
        with pytest.raises(CheckpointMismatch):
            verify(log, Checkpoint(head.position, head.digest.hex(), to_iso(head.recorded_at)))
        return
    with pytest.raises(CorruptLog) as raised:
        verify(log)
    assert raised.value.last_good == position - 1


@given(data=st.data())
def test_any_flipped_bit_of_an_event_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whichever bit of whichever column changes, the event's position is named."""
    path = tmp_path_factory.mktemp("flipped") / "ledger.db"
    log = SqliteLog(path, clock=HandClock())
    log.append([draft(f"text {number}") for number in range(4)])
    column = data.draw(
        st.sampled_from(["event_id", "memory_id", "salt", "content_hash", "digest", "content"])
    )
    position = data.draw(st.integers(1, 4))

    def flip(raw: apsw.Connection) -> None:
        where = (position,)
        value = raw.execute(f"SELECT {column} FROM events WHERE position = ?", where).get
        found = bytearray(value.encode() if isinstance(value, str) else value)
        bit = data.draw(st.integers(0, len(found) * (7 if column == "content" else 8) - 1))
        width = 7 if column == "content" else 8
        found[bit // width] ^= 1 << bit % width
        new = found.decode() if isinstance(value, str) else bytes(found)
        raw.execute(f"UPDATE events SET {column} = ? WHERE position = ?", (new, position))

    tamper(path, flip)
    with pytest.raises(CorruptLog) as raised:
        verify(log)
    log.close()
    assert raised.value.last_good == position - 1


def test_a_range_says_what_is_wrong(log: SqliteLog) -> None:
    """A part of the log is checked against the digest stored before it."""
    assert check_range(log, 3, 7).bad_position is None
    tamper(log.path, sql("UPDATE events SET content = '{}' WHERE position = 5"))
    found = check_range(log, 3, 7)
    assert (found.bad_position, found.problem) == (5, "its content was changed")
    assert check_range(log, 6, 12).bad_position is None


# -- checkpoints -----------------------------------------------------------------------


def test_a_log_extends_its_checkpoints(log: SqliteLog) -> None:
    """A checkpoint taken at any time is held by every later state of the log."""
    checkpoint = checkpoint_of(log)
    log.append([draft("later")])
    assert verify(log, checkpoint).checkpoint == checkpoint
    checkpoint_of(log).check_against(log)


def test_a_checkpoint_of_an_empty_log_fits_any(log: SqliteLog, tmp_path: Path) -> None:
    """Position 0 says nothing that a log could contradict."""
    empty = SqliteLog(tmp_path / "empty.db")
    checkpoint = checkpoint_of(empty)
    empty.close()
    assert (checkpoint.position, checkpoint.digest) == (EMPTY.position, GENESIS.hex())
    checkpoint.check_against(log)


@pytest.mark.parametrize(
    "changes",
    [
        {"position": Position(99)},
        {"position": Position(-1)},
        {"position": Position(3)},
        {"digest": "00" * 32},
        {"recorded_at": "2026-01-01T00:00:00.000000Z"},
    ],
    ids=str,
)
def test_a_checkpoint_of_another_log_is_refused(log: SqliteLog, changes: dict[str, object]) -> None:
    """A position, digest or time that is not this log's is named."""
    checkpoint = msgspec.structs.replace(checkpoint_of(log), **changes)
    with pytest.raises(CheckpointMismatch) as raised:
        verify(log, checkpoint)
    assert raised.value.position == checkpoint.position


def test_a_rewritten_log_does_not_fit_its_checkpoint(log: SqliteLog, tmp_path: Path) -> None:
    """A log whose whole chain was computed anew verifies by itself, but not with a checkpoint."""
    checkpoint = checkpoint_of(log)
    forged = SqliteLog(tmp_path / "forged.db", clock=HandClock())
    previous = GENESIS
    events = []
    for event in all_events(log):
        actor = "user:mallory" if event.position == 6 else event.actor
        changed = msgspec.structs.replace(event, actor=actor)
        changed = msgspec.structs.replace(changed, digest=digest_of(changed, previous))
        previous = changed.digest
        events.append(changed)
    forged.adopt(events)
    assert verify(forged).events == EVENTS
    with pytest.raises(CheckpointMismatch):
        verify(forged, checkpoint)
    forged.close()


def test_a_checkpoint_outlives_its_export(log: SqliteLog) -> None:
    """What was exported as JSON is read back equal."""
    checkpoint = checkpoint_of(log)
    assert parse_checkpoint(msgspec.json.encode(checkpoint), "kept.json") == checkpoint


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no JSON",
        b"[]",
        b'{"position":1}',
        b'{"position":"1","digest":"","recorded_at":"2026-01-01"}',
        b'{"position":1,"digest":"zz","recorded_at":"2026-01-01"}',
        b'{"position":1,"digest":"00","recorded_at":"yesterday"}',
        b'{"position":1,"digest":"00","recorded_at":"2026-01-01","format":"mnemolog-checkpoint/2"}',
    ],
)
def test_what_is_no_checkpoint_is_refused(data: bytes) -> None:
    """Other bytes, and later formats, are refused under the name that they came by."""
    with pytest.raises(ForeignFormat) as raised:
        parse_checkpoint(data, "kept.json")
    assert raised.value.path == "kept.json"
