"""The log in a SQLite file keeps the contract of logs, and what a file promises beyond it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType

import apsw
import msgspec
import pytest

from mnemolog.ledger.digests import EMPTY, GENESIS, Head
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    EventIdTaken,
    ForeignFormat,
    LogBusy,
    MissingLog,
    StaleExpectation,
    UnsafeLibrary,
)
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Durability, head_at
from mnemolog.ledger.sqlite.connections import connect
from mnemolog.ledger.sqlite.group_commit import Request
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.tables import APPLICATION_ID, FORMAT
from mnemolog.ledger.sqlite.verification import verify
from tests.homes import HandClock, draft
from tests.ledger.log_contract import LogContract, all_events, digest_of

WRITER = """
import sys
from pathlib import Path
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import MemoryId, new_event_ids
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog

path, name, count = sys.argv[1:]
log = SqliteLog(Path(path))
sys.stdin.readline()
for number in range(int(count)):
    batch = [
        Draft(
            event_id=event_id,
            space=name,
            kind="remembered",
            actor="agent:writer",
            structure=b"{}",
            content=b'{"text":"%d"}' % number,
            memory_id=MemoryId(event_id),
        )
        for event_id in new_event_ids(2, 0)
    ]
    print(*log.append(batch).positions, flush=True)
log.close()
"""


class TestSqliteLog(LogContract):
    """The contract, on a file."""

    def open(self, directory: Path, clock: HandClock) -> SqliteLog:
        """An empty log."""
        return SqliteLog(directory / "ledger.db", clock=clock)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log of a test is."""
    return tmp_path / "ledger.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    """An empty log in a file."""
    opened = SqliteLog(path, clock=HandClock())
    yield opened
    opened.close()


def test_what_was_appended_is_there_after_reopening(log: SqliteLog, path: Path) -> None:
    """Events, head and secret outlive the handle."""
    log.append([draft("one"), draft("two")])
    events, head, secret = all_events(log), log.head(), log.secret
    log.close()
    again = SqliteLog(path)
    assert (all_events(again), again.head(), again.secret) == (events, head, secret)
    again.close()


def together(log: SqliteLog, appends: list[Callable[[], object]]) -> None:
    """Carry out the first of some appends alone and all others as one group behind it.

    The group's leader is the second: the first holds the turn until the others wait.
    """
    gate = FileLock(log.path.with_name("ledger.db.lock"))
    assert gate.try_acquire()
    threads = [threading.Thread(target=append) for append in appends]
    threads[0].start()
    while not log._file.turn.locked():
        pass
    for number, thread in enumerate(threads[1:], 1):
        thread.start()
        while log._group._open is None or len(log._group._open.requests) < number:
            pass
    gate.release()
    for thread in threads:
        thread.join()
    gate.close()


def test_threads_that_wait_share_a_commit(log: SqliteLog) -> None:
    """Fifteen appends that wait behind one go to disk in one transaction."""
    commits: list[int] = []

    def committed(*_: object) -> bool:
        commits.append(1)
        return False

    log._file.writer.set_commit_hook(committed)
    together(log, [lambda: log.append([draft()]) for _ in range(16)])
    assert log.head().position == 16
    assert len(commits) == 2


def test_one_bad_request_does_not_harm_its_group(log: SqliteLog) -> None:
    """Of appends that share a commit each succeeds or fails for itself."""
    taken = draft("taken")
    log.append([taken])
    no_draft = msgspec.structs.replace(draft(), space="\ud800")
    batches = [
        [draft("good")],
        [draft("good")],
        [draft("before"), draft("other", event_id=taken.event_id)],
        [draft("before"), no_draft],
        [draft("good")],
        [taken],
    ]
    outcomes: list[str] = []

    def append(batch: list[Draft]) -> None:
        try:
            log.append(batch)
            outcomes.append("appended")
        except (EventIdTaken, UnicodeEncodeError) as error:
            outcomes.append(type(error).__name__)

    together(log, [partial(append, batch) for batch in batches])
    assert sorted(outcomes) == ["EventIdTaken", "UnicodeEncodeError", *["appended"] * 4]
    assert log.head().position == 4
    verify(log)


@pytest.mark.parametrize("written", [False, True], ids=["before it wrote", "after it wrote"])
def test_an_interrupted_leader_leaves_nobody_waiting(log: SqliteLog, *, written: bool) -> None:
    """Whoever waited for a thread that was interrupted is written by another, and once."""
    leader = threading.local()
    commit = log._group._commit
    interrupted: list[BaseException] = []

    def commit_interrupted(group: list[Request]) -> None:
        if not getattr(leader, "is_this", False):
            commit(group)
            return
        leader.is_this = False
        if written:
            commit(group)
            for request in group:
                request.result = None
        raise KeyboardInterrupt

    def lead() -> None:
        leader.is_this = True
        try:
            log.append([draft("the leader's")])
        except KeyboardInterrupt as error:
            interrupted.append(error)

    log._group._commit = commit_interrupted
    together(log, [lambda: log.append([draft()]), lead, *[lambda: log.append([draft()])] * 6])
    assert len(interrupted) == 1
    assert log.head().position == (8 if written else 7)
    verify(log)


def test_who_waits_when_the_log_closes_is_told(log: SqliteLog, path: Path) -> None:
    """An append that has not had its turn when the log closes fails as on a closed log."""
    told: list[BaseException] = []

    def append() -> None:
        try:
            log.append([draft()])
        except ClosedHandle as error:
            told.append(error)

    with log._file.turn:
        threads = [threading.Thread(target=append) for _ in range(3)]
        for thread in threads:
            thread.start()
        while log._group._open is None or len(log._group._open.requests) < len(threads):
            pass
        closing = threading.Thread(target=log.close)
        closing.start()
        while not log._file._closed:
            pass
    for thread in (*threads, closing):
        thread.join()
    assert len(told) == len(threads)
    again = SqliteLog(path)
    assert again.head().position == 0
    again.close()


def test_an_interrupt_at_any_call_locks_nobody_out(log: SqliteLog) -> None:
    """Wherever Ctrl-C reaches an append, the next one goes through, here and elsewhere."""
    # Every call and return of the append's own code is interrupted once, in turn.
    for step in count(1):
        steps = 0

        def interrupted(frame: FrameType, event: str, _: object, step: int = step) -> None:
            nonlocal steps
            if "/ledger/" not in frame.f_code.co_filename or event not in {"call", "c_return"}:
                return
            steps += 1
            if steps == step:
                sys.setprofile(None)
                raise KeyboardInterrupt

        one = draft(f"step {step}")
        try:
            sys.setprofile(interrupted)
            log.append([one])
        except KeyboardInterrupt:
            pass
        finally:
            sys.setprofile(None)
        assert not log._file.turn.locked()
        lock = FileLock(log.path.with_name("ledger.db.lock"))
        assert lock.try_acquire(), step
        lock.close()
        assert len(log.append([one]).positions) == 1
        if steps < step:
            break
    assert step > 20
    assert log.head().position == step
    verify(log)


def test_processes_lose_nothing_and_leave_no_gap(log: SqliteLog, path: Path) -> None:
    """Four processes write at once: each gets positions of its own, the chain is whole."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, f"space-{number}", "25"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    positions: list[int] = []
    for writer in writers:
        output, _ = writer.communicate()
        assert writer.returncode == 0
        positions += map(int, output.split())
    assert sorted(positions) == list(range(1, 201))
    assert verify(log).events == 200


def test_a_reader_hears_of_another_process(log: SqliteLog, path: Path) -> None:
    """`wait` returns when another process has appended."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, path, "elsewhere", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    heads: list[Head] = []
    # Longer than it is waited for: at the end of its time it would tell the new head as well.
    reader = threading.Thread(target=lambda: heads.append(log.wait(Position(0), 120.0)))
    reader.start()
    writer.communicate("go\n")
    reader.join(60.0)
    assert [head.position for head in heads] == [2]


def test_a_fork_has_connections_of_its_own(log: SqliteLog) -> None:
    """Parent and child of a fork both go on writing to the same log."""
    log.append([draft("before")])
    child = os.fork()
    if child == 0:
        code = 1
        try:
            log.append([draft("child")])
            code = 0 if log.head().position >= 2 else 2
        finally:
            os._exit(code)
    log.append([draft("parent")])
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert sorted(event.content for event in all_events(log)) == [
        b'{"text":"before"}',
        b'{"text":"child"}',
        b'{"text":"parent"}',
    ]
    verify(log)


@pytest.mark.parametrize(
    ("durability", "synchronous"),
    [(Durability.DURABLE, 2), (Durability.MAY_LOSE_LAST_MOMENTS, 1)],
)
def test_durability_is_what_was_asked_for(
    path: Path, durability: Durability, synchronous: int
) -> None:
    """The writer's pragmas, read back, are those of the mode; secure deletion is always on."""
    log = SqliteLog(path, durability=durability)
    found = {
        name: log._file.writer.pragma(name)
        for name in ("synchronous", "journal_mode", "secure_delete", "temp_store")
    }
    log.close()
    assert found == {
        "synchronous": synchronous,
        "journal_mode": "wal",
        "secure_delete": 1,
        # No content in temporary files.
        "temp_store": 2,
    }


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library with the WAL-reset bug opens nothing, and the error says what to install."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    with pytest.raises(UnsafeLibrary) as raised:
        connect(path, synchronous="FULL")
    assert (raised.value.name, raised.value.found) == ("SQLite", "3.51.2")
    assert not path.exists()


def test_a_new_file_that_another_process_just_makes_is_waited_for(path: Path) -> None:
    """SQLite refuses the switch to WAL without waiting while another writes the file."""
    other = apsw.Connection(str(path))
    other.set_busy_timeout(10_000)
    other.execute("BEGIN IMMEDIATE; CREATE TABLE made (x)")
    committed = threading.Timer(0.2, partial(other.execute, "COMMIT"))
    committed.start()
    connection = connect(path, synchronous="NORMAL")
    committed.join()
    assert connection.execute("SELECT name FROM sqlite_schema").get == "made"
    connection.close()
    other.close()


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    """Any other file in the log's place is refused and stays as it is."""
    path.write_bytes(b"not a database, but long enough to be looked at" * 40)
    before = path.read_bytes()
    with pytest.raises(ForeignFormat):
        SqliteLog(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(path: Path) -> None:
    """A SQLite database with other tables is refused and gets none of ours."""
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE notes (text)")
    other.close()
    with pytest.raises(ForeignFormat, match="another program"):
        SqliteLog(path)
    other = apsw.Connection(str(path))
    assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("notes",)]
    other.close()


def test_a_newer_format_is_refused(log: SqliteLog, path: Path) -> None:
    """A ledger of a later format is refused, and the error names both formats."""
    log.close()
    later = apsw.Connection(str(path))
    assert later.pragma("application_id") == APPLICATION_ID
    later.pragma("user_version", FORMAT + 1)
    later.close()
    with pytest.raises(ForeignFormat) as raised:
        SqliteLog(path)
    assert (raised.value.found, raised.value.supported) == (
        f"ledger format {FORMAT + 1}",
        f"format {FORMAT}",
    )


def test_a_row_in_the_place_of_another_is_damage(log: SqliteLog, path: Path) -> None:
    """Where a damaged page gives one event twice, what comes before is read and no more."""
    log.append([draft(f"text {number}") for number in range(6)])
    root = log._file.writer.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get
    size = log._file.writer.pragma("page_size")
    log.close()
    content = bytearray(path.read_bytes())
    leaf = (root - 1) * size
    assert content[leaf] == 0x0D
    # The pointers to the page's cells: the fourth now leads to the second event.
    second, fourth = leaf + 8 + 2, leaf + 8 + 6
    content[fourth : fourth + 2] = content[second : second + 2]
    path.write_bytes(content)
    again = SqliteLog(path)
    with pytest.raises(CorruptLog, match="event 2 is found in the place of 4") as raised:
        again.read(Position(0), 10)
    assert raised.value.last_good == 3
    assert [event.position for event in again.read(Position(0), 3)] == [1, 2, 3]
    again.close()


@pytest.mark.parametrize("position", [1, 9])
def test_a_last_event_that_is_misnumbered_ends_no_log(
    log: SqliteLog, path: Path, position: int
) -> None:
    """It would make the log look shorter or longer, and the next append go behind it."""
    log.append([draft(), draft(), draft(), draft()])
    root = log._file.writer.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get
    size = log._file.writer.pragma("page_size")
    log.close()
    content = bytearray(path.read_bytes())
    leaf = (root - 1) * size
    fourth = leaf + 8 + 6
    number = leaf + int.from_bytes(content[fourth : fourth + 2])
    # A cell begins with its size, whose bytes but the last have their first bit set.
    while content[number] & 0x80:
        number += 1
    number += 1
    assert content[number] == 4
    content[number] = position
    path.write_bytes(content)
    again = SqliteLog(path)
    for use in (again.head, lambda: again.append([draft()])):
        with pytest.raises(
            CorruptLog, match=f"event {position} is found in the place of 4"
        ) as told:
            use()
        assert told.value.last_good == 3
    again.close()


def test_a_log_without_its_secret_is_damaged(log: SqliteLog, path: Path) -> None:
    """A ledger whose properties are gone is reported, not given a new secret."""
    log.close()
    raw = apsw.Connection(str(path))
    raw.execute("DELETE FROM properties")
    raw.close()
    with pytest.raises(CorruptLog, match="secret"):
        SqliteLog(path)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE position = 1",
        "UPDATE events SET position = 9 WHERE position = 2",
        "UPDATE events SET recorded_at = 0",
        "UPDATE events SET structure = '{}' WHERE position = 1",
        "UPDATE events SET digest = zeroblob(32)",
        "UPDATE events SET content = 'other' WHERE position = 1",
        "UPDATE events SET salt = zeroblob(16) WHERE position = 1",
        "REPLACE INTO events SELECT * FROM events WHERE position = 1",
    ],
)
def test_the_file_itself_refuses_change(log: SqliteLog, path: Path, statement: str) -> None:
    """Triggers in the file keep any SQLite tool from changing or deleting events by mistake."""
    log.append([draft("one"), draft("two")])
    events = all_events(log)
    raw = apsw.Connection(str(path))
    raw.pragma("recursive_triggers", 1)
    with pytest.raises(apsw.ConstraintError):
        raw.execute(statement)
    raw.close()
    assert all_events(log) == events


def test_content_is_readable_by_any_sqlite_tool(log: SqliteLog, path: Path) -> None:
    """Content and structure are JSON that SQL can look into."""
    log.append([draft("tea")])
    raw = apsw.Connection(str(path))
    assert raw.execute("SELECT content ->> '$.text' FROM events").get == "tea"
    raw.close()


def test_a_log_that_was_replaced_is_noticed(log: SqliteLog, path: Path, tmp_path: Path) -> None:
    """An open handle goes over to the file that a restore puts in the log's place."""
    log.append([draft("kept")])
    backup = tmp_path / "backup.db"
    log.backup_to(backup)
    log.append([draft("lost")])
    shutil.move(path, tmp_path / "old.db")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    backup.replace(path)
    assert log.head().position == 1
    assert log.append([draft("after")]).positions == (2,)
    assert [event.content for event in all_events(log)] == [
        b'{"text":"kept"}',
        b'{"text":"after"}',
    ]
    verify(log)


def test_a_log_that_is_gone_is_not_begun_anew(log: SqliteLog, path: Path, tmp_path: Path) -> None:
    """A handle whose file was taken away raises, and leaves no empty file in its place."""
    log.append([draft("one")])
    shutil.move(path, tmp_path / "elsewhere.db")
    with pytest.raises(MissingLog):
        log.append([draft("two")])
    with pytest.raises(MissingLog):
        log.head()
    assert not path.exists()


def test_a_backup_is_the_log(log: SqliteLog, tmp_path: Path) -> None:
    """A copy taken while the log is open holds every event, in one file alone."""
    log.append([draft("one"), draft("two")])
    told: list[tuple[str, int, int]] = []
    log.backup_to(tmp_path / "copy.db", lambda *step: told.append(step))
    assert told[-1][1] == told[-1][2]
    assert sorted(path.name for path in tmp_path.glob("copy.db*")) == ["copy.db"]
    copy = SqliteLog(tmp_path / "copy.db")
    assert all_events(copy) == all_events(log)
    assert copy.integrity() == []
    copy.close()


def test_a_whole_log_has_integrity(log: SqliteLog) -> None:
    """SQLite's own check finds nothing wrong with a healthy file."""
    log.append([draft()])
    assert log.integrity() == []


def test_the_last_events_are_told_by_number_and_size(log: SqliteLog) -> None:
    """At most so many, of so many bytes together, and one however large it is."""
    assert log.tail(Position(0), 5, 100).first == 1
    large = [
        msgspec.structs.replace(draft(f"event {number}"), content=b'"' + b"x" * 998 + b'"')
        for number in range(10)
    ]
    log.append(large)
    size = 1000 + len(large[0].structure)
    head = Position(10)
    assert log.tail(head, 4, 100 * size).first == 7
    assert log.tail(head, 100, 3 * size).first == 8
    assert log.tail(head, 100, 10).first == 10
    first, before, rows = log.tail(head, 100, 3 * size)
    assert before == head_at(log, Position(first - 1))
    assert [row[0] for chunk in rows for row in chunk] == [8, 9, 10]
    assert log.tail(head, 100, 100 * size)[:2] == (1, EMPTY)


def test_ids_are_found_by_their_beginning(log: SqliteLog) -> None:
    """A prefix finds the events of a space whose ids begin with it, by id, of kinds if given."""
    ids = ["0a" * 16, "0b" + "0c" * 15, "0b" * 16, "ff" * 16]
    log.append([draft(event_id=one) for one in ids])
    log.append([draft(event_id="0b" + "0d" * 15, space="other")])
    log.append([draft(event_id="fe" * 16, kind="pinned", memory_id=ids[0])])

    def found(prefix: str, limit: int = 9) -> list[int]:
        return [event.position for event in log.events_with_prefix(prefix, limit, "default")]

    assert found("0") == [1, 3, 2]
    assert found("0b") == [3, 2]
    assert found("0b0") == [3, 2]
    assert found("0", 1) == [1]
    assert found("f" * 32) == [4]
    assert found("1") == []
    assert found("f") == [6, 4]
    of_kind = log.events_with_prefix("f", 9, "default", ("remembered", "linked"))
    assert [event.position for event in of_kind] == [4]


def test_erasure_is_finished_once_no_reader_holds_old_pages(log: SqliteLog, path: Path) -> None:
    """Erased positions stay pending while a reader keeps the write-ahead log in use."""
    log.append([draft("secret-word")])
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM events").get == 1
    log.append([draft(kind="redacted", content=None)], erase=[Position(1)])
    assert log.pending_erasures() == [1]
    assert not log.finish_erasure([Position(1)], timeout_s=0.0)
    assert log.pending_erasures() == [1]
    reader.execute("ROLLBACK")
    reader.close()
    assert log.finish_erasure([Position(1)], timeout_s=60.0)
    assert log.pending_erasures() == []
    written = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"secret-word" not in written


def test_a_lock_is_one_holders_at_a_time(tmp_path: Path) -> None:
    """A second lock is refused until the first lets go, and waits no longer than told."""
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.try_acquire()
    assert not second.try_acquire()
    with pytest.raises(LogBusy), second.held(0.0):
        pass
    first.release()
    with second.held(60.0):
        assert not first.try_acquire()
    with first.held():
        assert not second.try_acquire()
    first.close()
    second.close()


def test_the_chain_begins_at_genesis(log: SqliteLog) -> None:
    """The first event's digest follows from 32 zero bytes."""
    log.append([draft()])
    (event,) = all_events(log)
    assert event.digest == digest_of(event, GENESIS)


# -- adopting all of a log -------------------------------------------------------------


def test_a_log_is_adopted_whole_or_not_at_all(tmp_path: Path) -> None:
    """Events that fail half-way leave nothing; otherwise drafts of this log follow them."""
    log, copy = SqliteLog(tmp_path / "one.db"), SqliteLog(tmp_path / "two.db")
    log.append([draft(f"text {number}") for number in range(5)])
    events = log.read(Position(0), 10)

    def failing() -> Iterator[Event]:
        yield from events[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy.adopt(failing(), onto=EMPTY)
    assert copy.head() == EMPTY
    own = draft("own")
    head = copy.adopt(events, onto=EMPTY, then=[own], erase=[Position(2)])
    assert copy.head() == head
    adopted = copy.read(Position(0), 10)
    assert [one.digest for one in adopted[:5]] == [one.digest for one in events]
    assert adopted[5].event_id == own.event_id
    assert adopted[1].erased
    assert copy.pending_erasures() == [2]
    assert copy.append([draft("later")]).positions == (7,)
    with pytest.raises(StaleExpectation):
        copy.adopt([], onto=log.head())
    log.close()
    copy.close()


def test_a_log_is_not_adopted_behind_another_of_the_same_length(tmp_path: Path) -> None:
    """What was decided on one log is not appended to another that a restore put in its place."""
    log, other = SqliteLog(tmp_path / "one.db"), SqliteLog(tmp_path / "two.db")
    for one in (log, other):
        one.append([draft("text")])
    before = log.head()
    log.append([draft("later")])
    with pytest.raises(StaleExpectation):
        other.adopt(log.read(Position(1), 10), onto=before)
    assert other.head().position == 1
    verify(other)
    log.close()
    other.close()
