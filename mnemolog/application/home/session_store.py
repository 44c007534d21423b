"""Session file: the open recall sessions, as temporary state that is in no other file.

Each row is encrypted with a key derived from the session's id, which is not stored: deleted pages
and copies of the file reveal nothing without the id.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import apsw
import msgspec

from mnemolog.ledger.clock import Clock, Micros
from mnemolog.ledger.errors import SessionOver, UnknownSession
from mnemolog.ledger.events import Draft, Vote
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.ledger.sqlite.database_files import DerivedFile
from mnemolog.policies.learning import Shown
from mnemolog.projections.folding import Notify

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FILE, _LOCK = "sessions.db", "sessions.lock"
_Result = TypeVar("_Result")
UNUSED_S = 300  # seconds without use after which a session expires
_UNUSED_US = UNUSED_S * 1_000_000
_REMEMBERED_US = 86_400_000_000  # how long an ended session is told from one that never was
_EXPIRE = "UPDATE sessions SET sealed = NULL, ended = ? WHERE ended IS NULL AND used_at <= ?"
_EXPIRED = f"has expired: it was not used for {UNUSED_S // 60} minutes"
_ID_BYTES, _NONCE_BYTES = 16, 12
_VERSION = 1
_SCHEMA = """
    CREATE TABLE sessions (
        name    TEXT PRIMARY KEY,
        used_at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        sealed  BLOB,
        ended   TEXT
    ) STRICT, WITHOUT ROWID
"""


class SessionState(msgspec.Struct, frozen=True):
    """State from which a recall session continues.

    `vector` holds the bytes of the query's unit vector, float32, made by `embedder`. `line` lists
    the memories shown last, without branches, `shown` all that were ever shown. `told` holds the
    last round's votes as events: if the process is killed before it appends them, the next one
    does. `resolution` is the reserved id of the one event that can resolve the session.
    """

    space: str
    query: str
    entity: str | None
    limit: int
    max_rounds: int
    resolution: EventId
    embedder: str
    vector: bytes
    round: int = 0
    votes: dict[MemoryId, Vote] = {}
    shown: dict[MemoryId, Shown] = {}
    line: tuple[MemoryId, ...] = ()
    told: tuple[Draft, ...] = ()


class StoredSession(NamedTuple):
    """Stored state of a session and its version, the number of changes so far."""

    state: SessionState
    version: int


def name_of(session_id: str) -> str:
    """Name of a session in the log; it does not reveal the session's id."""
    return sha256(b"name\x00" + session_id.encode()).hexdigest()[: 2 * _ID_BYTES]


def new_session_id() -> str:
    """Random session id of 32 hexadecimal digits, which cannot be guessed."""
    return secrets.token_hex(_ID_BYTES)


class SessionFile:
    """Recall sessions of a home, shared by several processes and threads."""

    def __init__(self, home: Path, clock: Clock, notify: Notify) -> None:
        self._path, self._clock, self._notify = home / FILE, clock, notify

    def begin(self, session_id: str, state: SessionState) -> Micros:
        """Store a new session; return the instant at which it expires if unused."""
        now = self._clock.now()
        row = (name_of(session_id), now, _sealed(session_id, state))
        self._run(lambda db: db.execute("INSERT INTO sessions VALUES (?, ?, 0, ?, NULL)", row))
        return Micros(now + _UNUSED_US)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Lock that serialises votes and resolutions, which write to the log and to this file."""
        with closing(FileLock(self._path.with_name(_LOCK))) as lock, lock.held():
            yield

    def read(self, session_id: str, space: str) -> StoredSession:
        """Open session of a space. Raises `UnknownSession`, or `SessionOver` if it has ended."""
        asked, row = "SELECT version, sealed, ended FROM sessions WHERE name = ?", None
        if self._path.exists():
            row = self._run(lambda db: db.execute(asked, (name_of(session_id),)).fetchone())
        if row is None:
            raise UnknownSession(session_id, space)
        version, sealed, ended = row
        if ended is not None:
            raise SessionOver(session_id, ended, "start another one")
        state = _opened(session_id, sealed) if isinstance(sealed, bytes) else None
        if state is None or state.space != space:
            raise UnknownSession(session_id, space)
        return StoredSession(state, version)

    def replace(self, session_id: str, kept: StoredSession, state: SessionState) -> Micros | None:
        """Store a newer state of a session; return its expiry, or None if it changed meanwhile."""
        now = self._clock.now()
        changed = (
            "UPDATE sessions SET used_at = ?, version = version + 1, sealed = ? "
            "WHERE name = ? AND version = ? AND ended IS NULL RETURNING 1"
        )
        row = (now, _sealed(session_id, state), name_of(session_id), kept.version)
        done = self._run(lambda db: db.execute(changed, row).fetchall())
        return Micros(now + _UNUSED_US) if done else None

    def end(self, session_id: str, how: str) -> None:
        """End a session and delete its content; the fact that it existed is kept for a day."""
        ended = "UPDATE sessions SET sealed = NULL, ended = ? WHERE name = ?"
        self._run(lambda db: db.execute(ended, (how, name_of(session_id))))

    def _run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """Result of work in one transaction, after clearing expired sessions."""

        def written(db: apsw.Connection) -> _Result:
            db.execute("BEGIN IMMEDIATE")
            now = self._clock.now()
            # After a clock that was ahead is corrected, the session would not expire until then.
            db.execute("UPDATE sessions SET used_at = ?1 WHERE used_at > ?1", (now,))
            db.execute(_EXPIRE, (_EXPIRED, now - _UNUSED_US))
            db.execute("DELETE FROM sessions WHERE used_at <= ?", (now - _REMEMBERED_US,))
            done = work(db)
            db.execute("COMMIT")
            return done

        lost = f"{FILE} is begun anew and the sessions under way are lost"
        file = DerivedFile(
            self._path, _VERSION, _SCHEMA, lambda why: self._notify(f"{lost}: {why}")
        )
        with closing(file):
            return file.run(written)


def _cipher(session_id: str) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers import aead  # noqa: PLC0415 - for sessions alone

    return aead.ChaCha20Poly1305(sha256(b"key\x00" + session_id.encode()).digest())


def _sealed(session_id: str, state: SessionState) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + _cipher(session_id).encrypt(nonce, msgspec.json.encode(state), None)


def _opened(session_id: str, sealed: bytes) -> SessionState | None:
    """Decrypted state; None if it was sealed with another id or by another version."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - for sessions alone

    nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    with suppress(InvalidTag, ValueError, msgspec.MsgspecError):
        plain = _cipher(session_id).decrypt(nonce, rest, None)
        return msgspec.json.decode(plain, type=SessionState)
    return None
