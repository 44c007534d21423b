"""A log whose file or disk refuses: what is said of it, and what is in it afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from mnemolog.ledger.errors import CorruptLog, DiskFull, OutcomeUnknown, StorageFailed
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from tests.failing_files import FailingFiles
from tests.homes import HandClock, draft


@pytest.fixture
def log(files: FailingFiles, tmp_path: Path) -> Iterator[SqliteLog]:
    """A log of one event on such files."""
    del files
    opened = SqliteLog(tmp_path / "ledger.db", clock=HandClock())
    opened.append([draft("before")])
    yield opened
    opened.close()


def recovered(log: SqliteLog, into: Path) -> int:
    """The position that a log reaches where its process is killed now, and another opens it."""
    into.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{log.path}{suffix}", into / f"ledger.db{suffix}")
    other = SqliteLog(into / "ledger.db")
    head = other.head().position
    other.close()
    return head


@pytest.mark.parametrize("call", ["write", "sync"])
def test_an_append_that_the_disk_refuses_once_is_not_stored(
    log: SqliteLog, files: FailingFiles, tmp_path: Path, call: str
) -> None:
    """What is refused is not in the log, nor brought back by a recovery; the next append is."""
    with (
        files.failing(call, "-wal", apsw.SQLITE_IOERR_FSYNC, "passes"),
        pytest.raises(StorageFailed, match="SQLITE_IOERR_FSYNC") as refused,
    ):
        log.append([draft("refused")])
    assert not isinstance(refused.value, OutcomeUnknown)
    assert refused.value.path == log.path
    assert log.head().position == 1
    assert recovered(log, tmp_path / "recovered") == 1
    log.append([draft("after")])
    assert log.head().position == 2


def test_an_append_may_be_stored_whose_last_flush_failed(
    log: SqliteLog, files: FailingFiles, tmp_path: Path
) -> None:
    """While the disk goes on failing, the error says so; the same events are appended once."""
    again = draft("in doubt")
    with (
        files.failing("sync", "-wal", apsw.SQLITE_IOERR_FSYNC, "all fail"),
        pytest.raises(OutcomeUnknown, match="may be in the log"),
    ):
        log.append([again])
    assert recovered(log, tmp_path / "recovered") == 2
    assert log.append([again]).positions == (2,)
    assert log.append([again]).positions == (2,)
    assert log.head().position == 2


def test_a_full_disk_is_no_damage(log: SqliteLog, files: FailingFiles, tmp_path: Path) -> None:
    """Where no space is left, that is said; nothing is stored, and what is there is read."""
    with files.failing("write", "-wal", apsw.SQLITE_FULL), pytest.raises(DiskFull):
        log.append([draft("too much")])
    assert [event.position for event in log.read(Position(0), 10)] == [1]
    assert recovered(log, tmp_path / "recovered") == 1


def test_a_page_that_cannot_be_read_is_no_damage(files: FailingFiles, tmp_path: Path) -> None:
    """An error of the disk while reading names the file; the log is not called damaged."""
    first = SqliteLog(tmp_path / "ledger.db", clock=HandClock())
    first.append([draft("x" * 200) for _ in range(200)])
    first.close()
    log = SqliteLog(tmp_path / "ledger.db")
    with files.failing("read", "ledger.db", apsw.SQLITE_IOERR_READ):
        with pytest.raises(StorageFailed, match="SQLITE_IOERR_READ") as refused:
            log.read(Position(100), 10)
        with pytest.raises(StorageFailed):
            [*log.hashed_between(1, 200)]
    assert not isinstance(refused.value, CorruptLog)
    assert len(log.read(Position(100), 10)) == 10
    log.close()


def test_a_header_that_forbids_writing_is_damage(tmp_path: Path) -> None:
    """A file that the system lets be written, and its own header does not, is a damaged log."""
    path = tmp_path / "ledger.db"
    SqliteLog(path).close()
    content = bytearray(path.read_bytes())
    content[18] = 9
    path.write_bytes(content)
    with pytest.raises(CorruptLog):
        SqliteLog(path).append([draft()])
