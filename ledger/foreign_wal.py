"""A write-ahead log beside a database that it does not belong to: SQLite would mix the two.

Neither file says whose the other is. But events are only ever appended, so the last event
of the database alone must be in the log that both make.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from ledger.connections import BUSY_TIMEOUT_S
from ledger.errors import CorruptLog
from ledger.read_only import UnlockedConnection, wal_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from apsw import SQLiteValue

_TRIES = 5
_PAUSE_S = 0.02
_LAST = "SELECT position, digest FROM events ORDER BY position DESC LIMIT 1"
_IS_THERE = "SELECT 1 FROM events WHERE position = ? AND digest = ?"


def refuse_foreign_wal(path: Path) -> None:
    """Raise `CorruptLog` if a log and the write-ahead log beside it are not of one log.

    Both stay as they are. Call it before the log is opened: closing writes one into the other.
    """
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
