"""Reading a SQLite database of ours whose file or directory cannot be written.

SQLite needs its shared-memory file for a database in WAL mode. Where that is there, it
reads through it. Where it is missing and cannot be made, no other process has the file
open: without a write-ahead log the file is then all there is, and with one it is read
from a copy in memory.
"""

from __future__ import annotations

import shutil
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import apsw

from mnemolog.ledger.connections import BUSY_TIMEOUT_S, check_library, refusal
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.scratch import temporary_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_READING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOMUTEX
_Fingerprint = tuple[int, int, int, int]


class UnlockedConnection(apsw.Connection):
    """A connection to a file as it is, without locks: what is read counts while it is current."""

    @classmethod
    def opened(cls, path: Path) -> Self:
        """A connection to a database that has no write-ahead log."""
        seen = _fingerprint(path)
        uri = f"file:{quote(str(path.absolute()))}?immutable=1"
        connection = cls(uri, flags=_READING | apsw.SQLITE_OPEN_URI)
        connection._path, connection._seen = path, seen
        return connection

    _path: Path
    _seen: _Fingerprint

    def is_current(self) -> bool:
        """True if nobody has written the file since it was opened."""
        try:
            return _fingerprint(self._path) == self._seen
        except OSError:
            return False


def connect_reading(path: Path) -> apsw.Connection:
    """A connection that reads a database of ours and writes nothing, not even beside it.

    Raises `StorageFailed` if it cannot be read, `LogBusy`, and what apsw raises for damage.
    """
    check_library()
    try:
        return _answering(path, _shared)
    except StorageFailed:
        if not path.exists():
            raise
    return _answering(path, _copied if _wal_bytes(path) else UnlockedConnection.opened)


def _answering(path: Path, opened: Callable[[Path], apsw.Connection]) -> apsw.Connection:
    """A connection that has answered a first question."""
    connection = None
    try:
        connection = opened(path)
        connection.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.Error as error:
        refused = refusal(error, path, connection)
        if connection is not None:
            connection.close()
        if refused is not None:
            raise refused from error
        raise
    except OSError as error:
        raise StorageFailed.from_os(error, path) from error
    return connection


def _shared(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path), flags=_READING)


def _copied(path: Path) -> apsw.Connection:
    """A copy in memory of a database with its write-ahead log."""
    memory = apsw.Connection(":memory:")
    with temporary_directory("mnemolog-reading-") as directory:
        copy = directory / path.name
        for suffix in ("", "-wal"):
            shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
        with (
            closing(apsw.Connection(str(copy))) as source,
            memory.backup("main", source, "main") as backup,
        ):
            backup.step(-1)
    return memory


def _wal_bytes(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.with_name(path.name + "-wal").stat().st_size
    return 0


def _fingerprint(path: Path) -> _Fingerprint:
    stat = path.stat()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, _wal_bytes(path)
