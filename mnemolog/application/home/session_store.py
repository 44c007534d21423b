"""The file of the recall sessions that are under way: state that no other file has, and that ends.

A row is sealed with a key that only the session's id gives, and the id is kept nowhere:
what a session is asked can be read by who has its id, while the row is there, and by
nobody after that, in whatever pages or copies of the file are left.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

import apsw
import msgspec

from mnemolog.ledger.clock import Clock, Micros
from mnemolog.ledger.derived_file import DerivedFile, FileFormat
from mnemolog.ledger.errors import SessionOver, UnknownSession
from mnemolog.ledger.events import Draft, Vote
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.ledger.locks import FileLock
from mnemolog.policies.learning import Shown
from mnemolog.projections.folding import Notify

FILE = "sessions.db"
_LOCK = "sessions.lock"
_Result = TypeVar("_Result")

UNUSED_S = 300
"""How long a session may be unused before it expires, in seconds."""

_ID_BYTES = 16
_NONCE_BYTES = 12
_REMEMBERED_S = 86_400
"""How long an ended session is told from one that never was, in seconds."""

_SECOND_US = 1_000_000
_FORMAT = FileFormat(
    1,
    """
    CREATE TABLE sessions (
        name    TEXT PRIMARY KEY,
        used_at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        sealed  BLOB,
        ended   TEXT
    ) STRICT, WITHOUT ROWID
""",
)


class SessionState(msgspec.Struct, frozen=True):
    """What a recall session goes on from.

    `vector` are the bytes of the query's unit vector, float32, which `embedder` made. `line`
    is what it showed last, beside branches; `shown` everything that it ever showed.
    `told` are the last round's votes as events, which a process that is killed may leave to be
    appended by the next one. `resolution` is the id that the event of its resolution will
    have, so that there cannot be two.
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
    """A session's state as it is kept, and its version: how often it was changed."""

    state: SessionState
    version: int


def name_of(session_id: str) -> str:
    """What a session is called in the log; its id cannot be told from it."""
    return sha256(b"name\x00" + session_id.encode()).hexdigest()[: 2 * _ID_BYTES]


def new_session_id() -> str:
    """An id that nobody can guess, 32 hexadecimal digits."""
    return secrets.token_hex(_ID_BYTES)


class SessionFile:
    """The recall sessions of a home, for several processes and threads."""

    def __init__(self, home: Path, clock: Clock, notify: Notify) -> None:
        self._path = home / FILE
        self._clock = clock
        self._notify = notify

    def begin(self, session_id: str, state: SessionState) -> Micros:
        """Keep a new session; when it expires if it is not used."""
        now = self._clock.now()
        row = (name_of(session_id), now, _sealed(session_id, state))
        self._run(lambda db: db.execute("INSERT INTO sessions VALUES (?, ?, 0, ?, NULL)", row))
        return _expiry(now)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold what votes and resolutions take turns by, in all processes of a home.

        What becomes of a session is told in two files, of which one alone may fail.
        """
        lock = FileLock(self._path.with_name(_LOCK))
        try:
            with lock.held():
                yield
        finally:
            lock.close()

    def read(self, session_id: str, space: str) -> StoredSession:
        """A session of a space that is under way.

        Raises `UnknownSession`, and `SessionOver` for one that expired or was resolved.
        """
        row = None
        if self._path.exists():
            row = self._run(
                lambda db: db.execute(
                    "SELECT version, sealed, ended FROM sessions WHERE name = ?",
                    (name_of(session_id),),
                ).fetchone()
            )
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
        """Keep a later state of a session; when it expires, or None if another was first."""
        now = self._clock.now()
        row = (now, _sealed(session_id, state), name_of(session_id), kept.version)

        def write(db: apsw.Connection) -> bool:
            db.execute(
                "UPDATE sessions SET used_at = ?, version = version + 1, sealed = ? "
                "WHERE name = ? AND version = ? AND ended IS NULL",
                row,
            )
            return db.changes() > 0

        return _expiry(now) if self._run(write) else None

    def end(self, session_id: str, how: str) -> None:
        """Forget what a session was about; that it was there is known for a day."""
        ended = "UPDATE sessions SET sealed = NULL, ended = ? WHERE name = ?"
        self._run(lambda db: db.execute(ended, (how, name_of(session_id))))

    def _run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """Do `work` in a transaction, with expired sessions forgotten first.

        Raises `LogBusy` and `StorageFailed`; the file is then as it was.
        """

        def written(db: apsw.Connection) -> _Result:
            db.execute("BEGIN IMMEDIATE")
            self._forget_expired(db)
            done = work(db)
            db.execute("COMMIT")
            return done

        with closing(DerivedFile(self._path, _FORMAT, self._say_renewed)) as file:
            return file.run(written)

    def _say_renewed(self, problem: str) -> None:
        self._notify(f"{FILE} is begun anew and the sessions under way are lost: {problem}")

    def _forget_expired(self, db: apsw.Connection) -> None:
        now = self._clock.now()
        # By a clock that was ahead and is put right it would be in use until that time comes.
        db.execute("UPDATE sessions SET used_at = ?1 WHERE used_at > ?1", (now,))
        db.execute(
            "UPDATE sessions SET sealed = NULL, ended = ? WHERE ended IS NULL AND used_at <= ?",
            (f"has expired: it was not used for {UNUSED_S // 60} minutes", now - _us(UNUSED_S)),
        )
        db.execute("DELETE FROM sessions WHERE used_at <= ?", (now - _us(_REMEMBERED_S),))


def _us(seconds: int) -> int:
    return seconds * _SECOND_US


def _expiry(used_at: Micros) -> Micros:
    return Micros(used_at + _us(UNUSED_S))


def _key(session_id: str) -> bytes:
    return sha256(b"key\x00" + session_id.encode()).digest()


def _sealed(session_id: str, state: SessionState) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415 - for sessions alone
        ChaCha20Poly1305,
    )

    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = msgspec.json.encode(state)
    return nonce + ChaCha20Poly1305(_key(session_id)).encrypt(nonce, plain, None)


def _opened(session_id: str, sealed: bytes) -> SessionState | None:
    """The state that was sealed; None if it was not with this id, or by another version."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - for sessions alone
    from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415 - as above
        ChaCha20Poly1305,
    )

    nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    with suppress(InvalidTag, ValueError, msgspec.MsgspecError):
        plain = ChaCha20Poly1305(_key(session_id)).decrypt(nonce, rest, None)
        return msgspec.json.decode(plain, type=SessionState)
    return None
