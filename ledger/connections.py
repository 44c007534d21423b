"""SQLite connections, opened one way everywhere: bundled library, WAL, explicit limits."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import apsw

from ledger.errors import ForeignFormat, UnsafeLibrary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from apsw import SQLiteValue

# Before 3.51.3 a checkpoint that races with a writer can reset a WAL that still holds
# committed frames: acknowledged events would vanish.
_SAFE_SQLITE = (3, 51, 3)
_JOURNAL_LIMIT_BYTES = 64 << 20
BUSY_TIMEOUT_S = 60.0
_TOGETHER = 8
"""Rows a statement: each opens its table and indexes anew, a sixth of the price of one row.
With many more, the statement's own parameters cost what that saves."""

SynchronousMode = str
"""'FULL', 'NORMAL' or 'OFF', as in SQLite's pragma."""


def connect(
    path: Path, *, synchronous: SynchronousMode, flags: int | None = None
) -> apsw.Connection:
    """An open connection in WAL mode with secure deletion.

    Raises `UnsafeLibrary` for a SQLite with the WAL-reset bug, `ForeignFormat`
    if the file is no database, and what apsw raises for a missing one.
    """
    found = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if found < _SAFE_SQLITE:
        raise UnsafeLibrary("SQLite", apsw.sqlite_lib_version(), "apsw 3.51.3")
    if flags is None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags)
    try:
        connection.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))
        # Plans go by the text of a statement: a join would else be planned anew for every
        # value, which takes five times as long as its answer.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        for name, value in (
            ("journal_mode", "wal"),
            ("synchronous", synchronous),
            ("secure_delete", "on"),
            ("journal_size_limit", str(_JOURNAL_LIMIT_BYTES)),
            ("foreign_keys", "on"),
        ):
            # apsw stops at the first row, so each pragma is drained before the next.
            connection.execute(f"PRAGMA {name} = {value}").fetchall()
        mode = connection.pragma("journal_mode")
    except apsw.NotADBError:
        connection.close()
        raise ForeignFormat(str(path), "no SQLite database", "a database it wrote") from None
    except apsw.Error:
        connection.close()
        raise
    if mode != "wal":
        connection.close()
        raise ForeignFormat(str(path), f"in journal mode {mode}", "WAL, on a local file system")
    return connection


def insert(
    connection: apsw.Connection, table: str, marks: str, rows: Sequence[Sequence[SQLiteValue]]
) -> None:
    """Insert rows for the placeholders `marks`, such as '(?, ?, NULL)', in order.

    Call it in a transaction: an error leaves the rows before it inserted.
    """
    full = len(rows) - len(rows) % _TOGETHER
    groups = (
        tuple(chain.from_iterable(rows[at : at + _TOGETHER])) for at in range(0, full, _TOGETHER)
    )
    connection.executemany(_insertion(table, marks, _TOGETHER), groups)
    connection.executemany(_insertion(table, marks, 1), rows[full:])


@cache
def _insertion(table: str, marks: str, rows: int) -> str:
    return f"INSERT INTO {table} VALUES {','.join([marks] * rows)}"
