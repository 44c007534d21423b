"""Vectors kept by a keyed digest of what was embedded, so that rebuilding embeds nothing twice.

The digest is HMAC-SHA-256 with a secret of the ledger: a plain digest of a short
text could be guessed. A vector goes with its last holder. Numbers are stored as
float16, half the bytes at an error of about 1e-5 in a cosine.
"""

from __future__ import annotations

import hmac
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import apsw
import numpy as np
import numpy.typing as npt

from ledger.connections import connect
from ledger.errors import ClosedHandle, ForeignFormat
from ledger.ids import Position

Halves = npt.NDArray[np.float16]
_Result = TypeVar("_Result")

_VERSION = 1
_DIGEST_BYTES = 16
_SCHEMA = """
CREATE TABLE vectors (
    digest BLOB PRIMARY KEY,
    vector BLOB NOT NULL,
    crc32  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE holders (
    position INTEGER PRIMARY KEY,
    digest   BLOB NOT NULL
) STRICT;
CREATE INDEX holders_by_digest ON holders (digest);
"""
_CHUNK = 500
_DAMAGE = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.CantOpenError,
    apsw.SQLError,
    apsw.IOError,
    apsw.ConstraintError,
    ForeignFormat,
)


def digest_of(secret: bytes, model: str, text: str) -> bytes:
    """The key of a text's vector by one model: 16 bytes."""
    message = model.encode() + b"\x00" + text.encode()
    return hmac.digest(secret, message, sha256)[:_DIGEST_BYTES]


class VectorStore:
    """The file `vectors.db` of a home; a damaged or missing one is begun anew, and said so."""

    def __init__(self, home: Path, notify: Callable[[str], None]) -> None:
        self._path = home / "vectors.db"
        self._notify = notify
        self._lock = threading.Lock()
        self._connection: apsw.Connection | None = None
        self._inode: int | None = None
        self._pid = os.getpid()
        self._closed = False

    def get(self, digests: Sequence[bytes]) -> dict[bytes, Halves]:
        """The vectors that are kept under these digests, as float16; damaged ones left out."""

        def read(connection: apsw.Connection) -> dict[bytes, Halves]:
            found: dict[bytes, Halves] = {}
            for start in range(0, len(digests), _CHUNK):
                part = digests[start : start + _CHUNK]
                rows = connection.execute(
                    "SELECT digest, vector, crc32 FROM vectors "
                    f"WHERE digest IN ({','.join('?' * len(part))})",
                    part,
                )
                for digest, vector, checksum in rows:
                    if zlib.crc32(vector) == checksum:
                        found[digest] = np.frombuffer(vector, np.float16)
            return found

        return self._run(read)

    def put(
        self,
        vectors: Mapping[bytes, Halves],
        holders: Iterable[tuple[Position, bytes]],
        still_there: Callable[[], set[Position]],
    ) -> None:
        """Keep vectors, and who holds them.

        `still_there` is asked inside the transaction which of the positions
        have their content still: a redaction in another process may have come
        between reading a text and keeping its vector, and waits for this lock.
        """
        wanted = list(holders)

        def write(connection: apsw.Connection) -> None:
            with connection:
                alive = still_there()
                kept = [(position, digest) for position, digest in wanted if position in alive]
                used = {digest for _, digest in kept}
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                    [
                        (digest, vector.tobytes(), zlib.crc32(vector.tobytes()))
                        for digest, vector in vectors.items()
                        if digest in used
                    ],
                )
                connection.executemany("INSERT OR REPLACE INTO holders VALUES (?, ?)", kept)

        self._run(write)

    def forget(self, positions: Sequence[Position]) -> None:
        """Remove these holders and every vector that nobody holds any more, byte for byte."""

        def remove(connection: apsw.Connection) -> None:
            with connection:
                connection.executemany(
                    "DELETE FROM holders WHERE position = ?", [(p,) for p in positions]
                )
                connection.execute(
                    "DELETE FROM vectors WHERE NOT EXISTS "
                    "(SELECT 1 FROM holders WHERE holders.digest = vectors.digest)"
                )

        self._run(remove)

    def truncate_wal(self, timeout_s: float) -> bool:
        """Empty the WAL of old pages; False if a reader kept it in use until time was up."""

        def checkpoint(connection: apsw.Connection) -> bool:
            connection.set_busy_timeout(int(timeout_s * 1000))
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
            finally:
                connection.set_busy_timeout(60_000)
            return True

        return self._run(checkpoint)

    def count(self) -> int:
        """How many vectors are kept."""
        return int(self._run(lambda c: c.execute("SELECT count(*) FROM vectors").get))

    def _run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """Do `work`, beginning the file anew if it turns out to be damaged."""
        with self._lock:
            try:
                return work(self._open())
            except _DAMAGE as error:
                self._discard(str(error))
                return work(self._open())

    def _open(self) -> apsw.Connection:
        if self._closed:
            raise ClosedHandle("home")
        try:
            inode = self._path.stat().st_ino
        except FileNotFoundError:
            inode = None
        if self._connection is not None and self._pid == os.getpid() and inode == self._inode:
            return self._connection
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._pid = os.getpid()
        self._connection = connect(self._path, synchronous="NORMAL")
        # IMMEDIATE, so that two processes that find the file missing do not both create it.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._check_schema(self._connection)
        finally:
            self._connection.execute("COMMIT")
        self._inode = self._path.stat().st_ino
        return self._connection

    def _check_schema(self, connection: apsw.Connection) -> None:
        version = connection.pragma("user_version")
        if version == 0:
            connection.execute(_SCHEMA).fetchall()
            connection.execute(f"PRAGMA user_version = {_VERSION}").fetchall()
        elif version != _VERSION:
            raise ForeignFormat(str(self._path), f"version {version}", f"version {_VERSION}")

    def _discard(self, problem: str) -> None:
        self._notify(f"{self._path.name} is begun anew and memories are embedded again: {problem}")
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self._path.with_name(self._path.name + suffix).unlink()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._closed = True
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None
