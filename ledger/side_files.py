"""Files of SQLite beside a ledger that they do not belong to: SQLite would mix the two.

Neither a database nor a write-ahead log says whose the other is. But events are only ever
appended, so the last event of the database alone must be in the log that both make.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from ledger.connections import BUSY_TIMEOUT_S
from ledger.errors import CorruptLog, MissingLog
from ledger.read_only import UnlockedConnection, wal_bytes
from ledger.switching import side_files

if TYPE_CHECKING:
    from pathlib import Path

    from apsw import SQLiteValue

_JOURNAL_HEADER_BYTES = 28
_TRIES = 5
_PAUSE_S = 0.02
_LAST = "SELECT position, digest FROM events ORDER BY position DESC LIMIT 1"
_IS_THERE = "SELECT 1 FROM events WHERE position = ? AND digest = ?"


def refuse_foreign_side_files(ledger: Path) -> None:
    """Raise `MissingLog` or `CorruptLog` where what lies beside a ledger is another one's.

    All files stay as they are. Call it before the log is opened: SQLite would begin a new log
    beside what an absent one left, or write it into this one.
    """
    _refuse_without_log(ledger)
    _refuse_foreign_wal(ledger)


def _refuse_without_log(ledger: Path) -> None:
    """Raise where there is no log beside them, or an empty one."""
    beside = side_files(ledger)
    if not beside:
        return
    try:
        empty = ledger.stat().st_size == 0
    except FileNotFoundError:
        raise MissingLog(ledger, f"{_names(beside)} of it {_are(beside)}") from None
    # A journal alone is that of a log whose creation was interrupted, if its log was empty.
    foreign = [path for path in beside if not _began_empty(path)]
    if empty and foreign:
        raise CorruptLog(f"{ledger.name} is empty, but {_names(foreign)} {_are(foreign)} there", 0)


def _names(paths: list[Path]) -> str:
    return " and ".join(path.name for path in paths)


def _are(paths: list[Path]) -> str:
    return "is" if len(paths) == 1 else "are"


def _began_empty(side_file: Path) -> bool:
    """Whether it is a rollback journal of a database that had no pages; its header says so."""
    if not side_file.name.endswith("-journal"):
        return False
    with side_file.open("rb") as file:
        return not any(file.read(_JOURNAL_HEADER_BYTES)[16:20])


def _refuse_foreign_wal(path: Path) -> None:
    """Raise `CorruptLog` if a log and the write-ahead log beside it are not of one log."""
    if not wal_bytes(path):
        return
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as both:
        both.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        both.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))
        for _ in range(_TRIES):
            last = _last_alone(path)
            if not last or both.execute(_IS_THERE, last[0]).fetchall():
                return
            # Another process may have been writing the page that was read.
            time.sleep(_PAUSE_S)
    problem = (
        f"{path.name} and {path.name}-wal are not of one log; one of them was replaced: "
        "put back the other one that was there"
    )
    raise CorruptLog(problem, 0)


def _last_alone(path: Path) -> list[tuple[SQLiteValue, ...]]:
    """The last event of a database without its write-ahead log, as far as it can be read."""
    try:
        with closing(UnlockedConnection.opened(path)) as alone:
            return alone.execute(_LAST).fetchall()
    except (apsw.Error, OSError, UnicodeDecodeError):
        return []
