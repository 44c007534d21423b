"""SQLite file of derived or passing state: started anew where it is damaged."""

import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import apsw

from mnemolog.ledger.errors import ClosedHandle, ForeignFormat, StorageFailed
from mnemolog.ledger.files import remove_database
from mnemolog.ledger.sqlite.connections import connect, translated

_Result = TypeVar("_Result")


class DamagedFile(Exception):
    """The file cannot be used, for the reason in the text. Callers of `run` never see it."""


class DerivedFile:
    """A SQLite file with one connection, which all threads use in turn.

    `version`, of the tables that `schema` creates, is kept in `user_version`. `renewed` is told
    the problem before a damaged file is removed. A fork, or a file that another has replaced,
    gets a connection of its own.
    """

    def __init__(
        self, path: Path, version: int, schema: str, renewed: Callable[[str], None]
    ) -> None:
        self.path = path
        self._version, self._schema = version, schema
        self._renewed = renewed
        self._lock = threading.Lock()
        self._connection: apsw.Connection | None = None
        self._inode: int | None = None
        self._pid = os.getpid()
        self._closed = False

    def run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """The result of `work`, in a new file if this one is damaged; raises `StorageFailed`."""
        with self._lock:
            try:
                return self._done(work)
            except (DamagedFile, ForeignFormat) as error:
                self._renewed(str(error))
                self._disconnect()
                remove_database(self.path)
            try:
                return self._done(work)
            except (DamagedFile, ForeignFormat) as error:
                raise StorageFailed(self.path, f"cannot be begun anew: {error}") from None

    def _done(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        with translated(self.path, DamagedFile):
            connection = self._open()
        with translated(self.path, DamagedFile, connection):
            return work(connection)

    def _open(self) -> apsw.Connection:
        if self._closed:
            raise ClosedHandle("home")
        mine = self._pid == os.getpid()
        if mine and self._connection is not None and self._found_inode() == self._inode:
            return self._connection
        self._disconnect()
        self._pid = os.getpid()
        connection = connect(self.path, synchronous="NORMAL")
        with ExitStack() as unless_ready:
            unless_ready.callback(connection.close)
            # IMMEDIATE: of two processes that find the file missing, one creates its tables.
            connection.execute("BEGIN IMMEDIATE")
            version, wanted = connection.pragma("user_version"), self._version
            if version == 0:
                connection.execute(self._schema).fetchall()
                connection.execute(f"PRAGMA user_version = {wanted}").fetchall()
            elif version != wanted:
                raise ForeignFormat(str(self.path), f"version {version}", f"version {wanted}")
            connection.execute("COMMIT")
            self._inode = self._found_inode()
            unless_ready.pop_all()
        self._connection = connection
        return connection

    def _found_inode(self) -> int | None:
        try:
            return self.path.stat().st_ino
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error

    def _disconnect(self) -> None:
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._connection = None

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._closed = True
            self._disconnect()
