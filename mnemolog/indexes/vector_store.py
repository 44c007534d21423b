"""Vectors kept by a keyed digest of what was embedded, so that nothing is embedded twice.

The digest is HMAC-SHA-256 with a secret of the ledger: a plain digest of a short text could be
guessed. A vector goes with its last holder. Numbers are float16, at an error of about 1e-5 in a
cosine. The checksum covers the digest too: a vector under another text's digest is damaged.
"""

import hmac
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.embedder import Embedder, Vectors
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.connections import connect_reading, translated
from mnemolog.ledger.sqlite.database_files import DamagedFile, DerivedFile

Halves = npt.NDArray[np.float16]
_Result = TypeVar("_Result")

FILE = "vectors.db"
_DIGEST_BYTES = 16
_TABLES = """
    CREATE TABLE vectors (
        digest BLOB PRIMARY KEY, vector BLOB NOT NULL, crc32 INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE holders (position INTEGER PRIMARY KEY, digest BLOB NOT NULL) STRICT;
    CREATE INDEX holders_by_digest ON holders (digest);
"""
_VERSION = 2
_KEPT_IN_MEMORY = 1_024
_VECTORS = "SELECT digest, vector, crc32 FROM vectors"


def digest_of(secret: bytes, model: str, text: str) -> bytes:
    """The key of a text's vector by one model: 16 bytes."""
    return hmac.digest(secret, f"{model}\0{text}".encode(), sha256)[:_DIGEST_BYTES]


class StoredVectors(msgspec.Struct, frozen=True):
    """Content of the file: all digests, those whose checksum fails, and the holder of each."""

    digests: frozenset[bytes]
    damaged: frozenset[bytes]
    holders: dict[Position, bytes]


def _checksum(digest: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(digest))


class VectorStore:
    """The file `vectors.db` of a home; a damaged or missing one is started anew, with a notice.

    If the system refuses reading or writing, vectors are neither found nor kept, with one notice,
    and the file is left alone. A refused removal raises.
    """

    def __init__(self, home: Path, notify: Callable[[str], None]) -> None:
        self._path = home / FILE
        self._notify = notify
        renewed = f"{FILE} is begun anew and memories are embedded again"
        self._file = DerivedFile(
            self._path, _VERSION, _TABLES, lambda why: notify(f"{renewed}: {why}")
        )
        self._refused = False

    def get(self, digests: Sequence[bytes]) -> dict[bytes, Halves]:
        """The vectors that are kept under these digests, as float16; damaged ones left out."""
        query = f"{_VECTORS} WHERE digest IN (SELECT unhex(value) FROM json_each(?))"
        wanted = msgspec.json.encode([digest.hex() for digest in digests]).decode()

        def read(db: apsw.Connection) -> dict[bytes, Halves]:
            return {
                digest: np.frombuffer(vector, np.float16)
                for digest, vector, crc32 in db.execute(query, (wanted,))
                if _checksum(digest, vector) == crc32
            }

        return self._read(read, {})

    def put(
        self,
        vectors: Mapping[bytes, Halves],
        holders: Iterable[tuple[Position, bytes]],
        still_there: Callable[[], set[Position]],
    ) -> StorageFailed | None:
        """Keep vectors, and who holds them; why that was refused, if it was.

        `still_there` is asked inside the transaction, for which a redaction in another process
        waits, which of the positions still have the content that was read.
        """
        wanted = list(holders)
        content = ((digest, vector.tobytes()) for digest, vector in vectors.items())
        rows = [(digest, vector, _checksum(digest, vector)) for digest, vector in content]

        def write(db: apsw.Connection) -> None:
            with db:
                alive = still_there()
                kept = [(position, digest) for position, digest in wanted if position in alive]
                used = {digest for _, digest in kept}
                held = [row for row in rows if row[0] in used]
                db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", held)
                db.executemany("INSERT OR REPLACE INTO holders VALUES (?, ?)", kept)

        try:
            self._run(write)
        except StorageFailed as refused:
            self._say_refused(refused)
            return refused
        return None

    def forget(self, positions: Sequence[Position]) -> None:
        """Remove holders, and vectors without one, byte for byte, or raise `StorageFailed`."""

        def remove(db: apsw.Connection) -> None:
            with db:
                held = [(position,) for position in positions]
                db.executemany("DELETE FROM holders WHERE position = ?", held)
                db.execute("DELETE FROM vectors WHERE digest NOT IN (SELECT digest FROM holders)")

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
        """Everything in the file, with every checksum computed again."""

        def read(db: apsw.Connection) -> StoredVectors:
            rows = db.execute(_VECTORS)
            sound = {digest: _checksum(digest, vector) == crc32 for digest, vector, crc32 in rows}
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
            return self._run(question)
        except StorageFailed as refused:
            if not self._path.exists():
                return unknown
            path = self._path
            try:
                with translated(path, DamagedFile), closing(connect_reading(path)) as db:
                    return question(db)
            except (DamagedFile, StorageFailed):
                self._say_refused(refused)
                return unknown

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
            with self._lock:
                self._known.update(made)
                while len(self._known) > _KEPT_IN_MEMORY:
                    self._known.popitem(last=False)
        return np.array([vectors[key] for key in keys], np.float32).reshape(-1, self.dimensions)
