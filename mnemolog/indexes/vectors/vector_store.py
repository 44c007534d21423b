"""Vectors kept by a keyed digest of what was embedded, so that nothing is embedded twice.

The digest is HMAC-SHA-256 with a secret of the ledger: a plain digest of a short text could be
guessed. A vector goes with its last holder. Numbers are float16, at an error of about 1e-5 in a
cosine. The checksum covers the digest too: a vector under another text's digest is damaged.

`vectors.db` says in which row of which `vectors-<token>.f16` each vector is. All processes map
these files into memory. A row is written before it is listed, never moved, and overwritten with
zeros when its vector goes.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

import apsw
import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.embedder import Embedder, Span, Vectors, embedded_parts
from mnemolog.indexes.vectors.vector_index import Halves
from mnemolog.indexes.vectors.vector_rows import RowFile
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import create_private, failures_of, remove_file, sync, sync_directory
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.connections import connect_reading, immediate, translated
from mnemolog.ledger.sqlite.database_files import DamagedFile, DerivedFile

_Result = TypeVar("_Result")

Rows: TypeAlias = "npt.NDArray[np.int32]"

NOT_KEPT = -1  # row of a vector that no memory holds
FILE = "vectors.db"
ROWS = "vectors-*.f16"  # pattern of the names of the files with the rows
_DIGEST_BYTES = 16
_TABLES = """
    CREATE TABLE rows (
        dimensions INTEGER PRIMARY KEY, file TEXT NOT NULL, next INTEGER NOT NULL) STRICT;
    CREATE TABLE vectors (
        digest BLOB NOT NULL, dimensions INTEGER NOT NULL, row INTEGER NOT NULL,
        crc32 INTEGER NOT NULL, PRIMARY KEY (digest, dimensions)) STRICT, WITHOUT ROWID;
    CREATE TABLE holders (position INTEGER PRIMARY KEY, digest BLOB NOT NULL) STRICT;
    CREATE INDEX holders_by_digest ON holders (digest);
"""
_VERSION = 3
_KEPT_IN_MEMORY = 8_192
_LISTED = """
    SELECT digest, row, crc32 FROM vectors JOIN rows USING (dimensions)
    WHERE dimensions = ? AND row BETWEEN 0 AND next - 1
"""


def digest_of(secret: bytes, model: str, text: str) -> bytes:
    """The key of a text's vector by one model: 16 bytes."""
    of_text = _keyed(secret, model).copy()
    of_text.update(text.encode())
    return of_text.digest()[:_DIGEST_BYTES]


@lru_cache(maxsize=64)
def _keyed(secret: bytes, model: str) -> hmac.HMAC:
    """The digest of a model's texts, begun: that takes most of its time.

    The secrets of the last ledgers stay in the process, as they do while a home is open.
    """
    return hmac.new(secret, f"{model}\0".encode(), sha256)


class StoredVectors(msgspec.Struct, frozen=True):
    """Content of the file: all digests, those whose checksum fails, and the holder of each."""

    digests: frozenset[bytes]
    damaged: frozenset[bytes]
    holders: dict[Position, bytes]


def _checksum(digest: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(digest))


class VectorStore:
    """The vectors of a home; a damaged or missing `vectors.db` is begun anew, with a notice.

    If the system refuses reading or writing, vectors are neither found nor kept, with one notice,
    and the files are left alone. A refused removal raises.
    """

    def __init__(self, home: Path, dimensions: int, notify: Callable[[str], None]) -> None:
        self._path, self._dimensions = home / FILE, dimensions
        self._notify = notify
        renewed = f"{FILE} is begun anew and memories are embedded again"
        self._file = DerivedFile(
            self._path, _VERSION, _TABLES, lambda why: notify(f"{renewed}: {why}")
        )
        self._refused = False

    def get(self, digests: Sequence[bytes]) -> dict[bytes, Halves]:
        """The vectors that are kept under these digests, as float16; damaged ones left out."""
        return self._read(lambda db: self._found(db, digests), {})

    def _found(self, db: apsw.Connection, digests: Sequence[bytes]) -> dict[bytes, Halves]:
        wanted = msgspec.json.encode([digest.hex() for digest in digests]).decode()
        query = f"{_LISTED} AND digest IN (SELECT unhex(value) FROM json_each(?))"
        listed = _rows(db, query, self._dimensions, wanted)
        file = self._file_of(db, self._dimensions) if listed else None
        if file is None:
            return {}
        vectors = file.read(row for _, row, _ in listed)
        return {
            digest: np.frombuffer(vector, np.float16)
            for (digest, _, crc32), vector in zip(listed, vectors, strict=True)
            if _checksum(digest, vector) == crc32
        }

    def _file_of(self, db: apsw.Connection, dimensions: int) -> RowFile | None:
        query = "SELECT file, next FROM rows WHERE dimensions = ?"
        for name, following in db.execute(query, (dimensions,)).fetchall():
            # A damaged name must not lead out of the home.
            path = self._path.with_name(Path(str(name)).name)
            file = RowFile(path, dimensions, cast("int", following))
            return file if path.match(ROWS) and path.exists() else None
        return None

    def put(
        self,
        vectors: Mapping[bytes, Halves],
        holders: Iterable[tuple[Position, bytes]],
        still_there: Callable[[], set[Position]],
    ) -> StorageFailed | None:
        """Keep vectors, and who holds them; why that was refused, if it was.

        `still_there` is asked inside the transaction, for which a redaction in another process
        waits, which of the positions still have content.
        """
        wanted = list(holders)

        def write(db: apsw.Connection) -> None:
            with immediate(db):
                alive = still_there()
                kept = [(position, digest) for position, digest in wanted if position in alive]
                used = {digest for _, digest in kept}
                # Others may have kept some of them, or removed some, meanwhile.
                known = self._found(db, [digest for digest in vectors if digest in used])
                fresh = {
                    digest: vector
                    for digest, vector in vectors.items()
                    if digest in used and digest not in known
                }
                self._add(db, fresh)
                db.executemany("INSERT OR REPLACE INTO holders VALUES (?, ?)", kept)

        try:
            self._run(write)
        except StorageFailed as refused:
            self._say_refused(refused)
            return refused
        return None

    def _add(self, db: apsw.Connection, vectors: Mapping[bytes, Halves]) -> None:
        if not vectors:
            return
        file = self._file_of(db, self._dimensions) or self._begun(db)
        file.write([*vectors.values()])
        listed = [
            (digest, self._dimensions, row, _checksum(digest, vector.tobytes()))
            for row, (digest, vector) in enumerate(vectors.items(), file.following)
        ]
        # The row of a damaged vector stays as it is, as a base may use it, until the next removal.
        db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", listed)
        moved = (file.following + len(vectors), self._dimensions)
        db.execute("UPDATE rows SET next = ? WHERE dimensions = ?", moved)

    def _begun(self, db: apsw.Connection) -> RowFile:
        """A new file of rows; what was listed in a lost one is forgotten."""
        path = self._path.with_name(ROWS.replace("*", secrets.token_hex(8)))
        with failures_of(path):
            create_private(path).close()
        db.execute("DELETE FROM vectors WHERE dimensions = ?", (self._dimensions,))
        db.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, 0)", (self._dimensions, path.name))
        self._remove_unlisted(db)
        return RowFile(path, self._dimensions, 0)

    def _remove_unlisted(self, db: apsw.Connection) -> None:
        listed = {str(name) for (name,) in db.execute("SELECT file FROM rows")}
        for path in self._path.parent.glob(ROWS):
            if path.name not in listed:
                remove_file(path)
                sync_directory(path.parent)

    def rows_file(self) -> RowFile | None:
        """The file with the vectors of the embedder's dimensions; None if there is none.

        Raises `StorageFailed` where nobody can tell.
        """
        return self._asked(lambda db: self._file_of(db, self._dimensions))

    def rows_of(self, positions: npt.NDArray[np.int64]) -> tuple[RowFile | None, Rows]:
        """Rows of the vectors that memories hold, durable from now on, and the file.

        `positions` ascend; the rows are int32, `NOT_KEPT` where no vector is held.
        """
        query = """
            SELECT h.position, v.row FROM rows r JOIN vectors v USING (dimensions)
            JOIN holders h USING (digest)
            WHERE r.dimensions = ? AND v.row BETWEEN 0 AND r.next - 1
        """

        def read(db: apsw.Connection) -> tuple[RowFile | None, list[tuple[int, int]]]:
            held = db.execute(query, (self._dimensions,)).fetchall()
            return self._file_of(db, self._dimensions), cast("list[tuple[int, int]]", held)

        nothing: tuple[RowFile | None, list[tuple[int, int]]] = (None, [])
        file, held = self._read(read, nothing)
        rows = np.full(len(positions), NOT_KEPT, np.int32)
        if file is not None and held and len(positions):
            holders, listed = np.array(held, np.int64).T
            places = np.minimum(positions.searchsorted(holders), len(positions) - 1)
            there = positions[places] == holders
            rows[places[there]] = listed[there]
            file.sync()
            wal = self._path.with_name(self._path.name + "-wal")
            with failures_of(wal), suppress(FileNotFoundError):
                sync(wal)
        return file, rows

    def held(self, pairs: Sequence[tuple[Position, bytes]]) -> bool:
        """True if each of these positions is listed as a holder of its digest."""
        positions = msgspec.json.encode([position for position, _ in pairs]).decode()
        query = """
            SELECT position, digest FROM holders WHERE position IN (SELECT value FROM json_each(?))
        """
        return set(pairs) <= self._read(lambda db: {*db.execute(query, (positions,))}, set())

    def forget(self, positions: Sequence[Position]) -> None:
        """Remove holders, and vectors without one, byte for byte, or raise `StorageFailed`."""

        def remove(db: apsw.Connection) -> None:
            with immediate(db):
                held = [(position,) for position in positions]
                db.executemany("DELETE FROM holders WHERE position = ?", held)
                db.execute("DELETE FROM vectors WHERE digest NOT IN (SELECT digest FROM holders)")
                for (dimensions,) in db.execute("SELECT dimensions FROM rows").fetchall():
                    file = self._file_of(db, cast("int", dimensions))
                    if file is not None:
                        listed = {row for _, row, _ in _rows(db, _LISTED, file.dimensions)}
                        file.erase_all_but(listed)
                self._remove_unlisted(db)

        self._run(remove)

    def truncate_wal(self, timeout_s: float) -> bool:
        """Empty the WAL of old pages; False if a reader kept it in use until time was up."""

        def checkpoint(db: apsw.Connection) -> bool:
            db.set_busy_timeout(int(timeout_s * 1000))
            try:
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
            finally:
                db.set_busy_timeout(60_000)
            return True

        return self._run(checkpoint)

    def stored(self) -> StoredVectors:
        """Everything in the files, with every checksum computed again."""

        def read(db: apsw.Connection) -> StoredVectors:
            sound: dict[bytes, bool] = {}
            for (dimensions,) in db.execute("SELECT DISTINCT dimensions FROM vectors").fetchall():
                listed = _rows(db, _LISTED, cast("int", dimensions))
                own = "SELECT digest FROM vectors WHERE dimensions = ?"
                # Those whose row there cannot be are damaged.
                found = db.execute(own, (dimensions,)).fetchall()
                sound |= {cast("bytes", digest): False for (digest,) in found}
                file = self._file_of(db, cast("int", dimensions))
                places = (row for _, row, _ in listed)
                vectors = [b""] * len(listed) if file is None else file.read(places)
                sound |= {
                    digest: _checksum(digest, vector) == crc32
                    for (digest, _, crc32), vector in zip(listed, vectors, strict=True)
                }
            damaged = frozenset(digest for digest, good in sound.items() if not good)
            holders = dict(db.execute("SELECT position, digest FROM holders"))
            return StoredVectors(frozenset(sound), damaged, holders)

        return self._read(read, StoredVectors(frozenset(), frozenset(), {}))

    def count(self) -> int:
        """The number of vectors kept, as far as that can be read."""
        return self._read(lambda db: int(db.execute("SELECT count(*) FROM vectors").get), 0)

    def _read(self, question: Callable[[apsw.Connection], _Result], unknown: _Result) -> _Result:
        """The answer of a question; `unknown` where the system lets nobody read the file."""
        try:
            return self._asked(question)
        except StorageFailed as refused:
            if self._path.exists():
                self._say_refused(refused)
            return unknown

    def _asked(self, question: Callable[[apsw.Connection], _Result]) -> _Result:
        """The answer of a question, also where the file can be read alone."""
        try:
            return self._run(question)
        except StorageFailed as refused:
            path = self._path
            if not path.exists():
                raise
            try:
                with translated(path, DamagedFile), closing(connect_reading(path)) as db:
                    return question(db)
            except (DamagedFile, StorageFailed):
                raise refused from None

    def _run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        done = self._file.run(work)
        self._refused = False
        return done

    def _say_refused(self, refused: StorageFailed) -> None:
        if not self._refused:
            self._refused = True
            self._notify(f"vectors are kept in memory: {refused.path}: {refused.problem}")

    def close(self) -> None:
        """Close the connection."""
        self._file.close()


def _rows(
    db: apsw.Connection, query: str, *values: apsw.SQLiteValue
) -> list[tuple[bytes, int, int]]:
    """Digest, row and checksum of vectors."""
    return cast("list[tuple[bytes, int, int]]", db.execute(query, values).fetchall())


class RecentVectors:
    """An embedder that knows its last texts' vectors again, by keyed digest.

    A text is compared with other memories, then stored, and indexed right after. Its vector is
    in this process alone until then: an append that fails leaves nothing behind.
    """

    def __init__(self, embedder: Embedder, secret: bytes) -> None:
        self._embedder = embedder
        self._secret = secret
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Vectors] = OrderedDict()
        self.name = embedder.name
        self.dimensions = embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, dimensions)."""
        keys = [digest_of(self._secret, self.name, text) for text in texts]
        with self._lock:
            vectors = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        if missing:
            made = dict(zip(missing, self._embedder.embed(list(missing.values())), strict=True))
            vectors |= made
            self._remember(made)
        return np.array([vectors[key] for key in keys], np.float32).reshape(-1, self.dimensions)

    def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """As `PartEmbedder` tells; the vectors of texts are known from now on."""
        vectors, of_parts = embedded_parts(self._embedder, texts, parts)
        keys = [digest_of(self._secret, self.name, text) for text in texts]
        self._remember(dict(zip(keys, vectors, strict=True)))
        return vectors, of_parts

    def _remember(self, made: Mapping[bytes, Vectors]) -> None:
        with self._lock:
            self._known.update(made)
            while len(self._known) > _KEPT_IN_MEMORY:
                self._known.popitem(last=False)
