"""SQLite connections, opened one way everywhere, and errors of SQLite as damage or refusals."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EBADF, EIO, ENOENT
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw
from apsw import Connection

from mnemolog.ledger.errors import DiskFull, ForeignFormat, LogBusy, StorageFailed, UnsafeLibrary
from mnemolog.ledger.files import PARTIAL, create_private, failures_of
from mnemolog.ledger.scratch import temporary_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from apsw import SQLiteValue

# Before 3.51.3 a checkpoint that races with a writer can reset a WAL that still holds
# committed frames: acknowledged events would vanish.
_SAFE_SQLITE = (3, 51, 3)
BUSY_TIMEOUT_S = 60.0
_POLL_S = 0.005
_CHUNK_BYTES = 1 << 20
_PAGE_BYTES = 4096
_PRAGMAS = (
    "secure_delete = on",
    # A temporary file would hold content, and stay where a process is killed.
    "temp_store = memory",
    f"journal_size_limit = {64 << 20}",
    "foreign_keys = on",
)
_READING = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOMUTEX
# System errors that say nothing: SQLite went on without a file, or only reads it.
_UNTOLD = frozenset({0, ENOENT, EBADF})
_WRITE_VERSION_AT, _WAL_VERSION = 18, b"\x02"
# Rows a statement, which opens its table and indexes anew; parameters of many more cost it.
_TOGETHER = 8
# Errors of reading a damaged file, whose schema or texts may be hit.
_DAMAGE = (
    *(apsw.CorruptError, apsw.NotADBError, apsw.SQLError, apsw.FormatError, apsw.MismatchError),
    *(apsw.TooBigError, apsw.ConstraintError, UnicodeDecodeError),
)
_CUT_SHORT = frozenset({apsw.SQLITE_IOERR_SHORT_READ, apsw.SQLITE_IOERR_DATA})
_BUSY = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_REFUSED = (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError)


def connect(
    path: Path,
    *,
    synchronous: str,
    flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
) -> Connection:
    """An open connection in WAL mode with secure deletion, that can write; new files are private.

    Raises `UnsafeLibrary` for a SQLite with the WAL-reset bug, `ForeignFormat` if the file is no
    database, `StorageFailed` if the system refuses, `LogBusy`, and what apsw raises for damage.
    """
    _check_library()
    if flags & apsw.SQLITE_OPEN_CREATE:
        # SQLite creates files with the umask's permissions, and side files with the database's.
        # Where none can be made, connecting says why.
        with suppress(OSError):
            create_private(path).close()
    # SQLite does not tell why it could not open a file. What the system refused once it
    # may let through now; what it refuses again is asked of itself.
    with suppress(apsw.CantOpenError):
        return _prepared(path, synchronous, flags)
    try:
        return _prepared(path, synchronous, flags)
    except apsw.CantOpenError as error:
        check_refused(error, path)
        raise


def _prepared(path: Path, synchronous: str, flags: int) -> Connection:
    """The connection of `connect`; raises `CantOpenError` if SQLite did not open all it needs."""
    connection = Connection(str(path), flags=flags)
    try:
        _set_up(connection, path, synchronous)
    except BaseException as error:
        unopened = isinstance(error, apsw.CantOpenError)
        refused = None if unopened else refusal(error, path, connection)
        connection.close()
        if refused is not None:
            raise refused from error
        if isinstance(error, apsw.NotADBError):
            raise ForeignFormat(str(path), "no SQLite database", "a database it wrote") from None
        raise
    return connection


def _set_up(connection: Connection, path: Path, synchronous: str) -> None:
    if connection.readonly("main"):
        # It opens for reading alone what the system refuses to have written.
        raise apsw.CantOpenError("it cannot be opened for writing")
    _configure(connection)
    _use_wal(connection)
    for pragma in (f"synchronous = {synchronous}", *_PRAGMAS):
        # apsw stops at the first row, so each pragma is drained before the next.
        connection.execute(f"PRAGMA {pragma}").fetchall()
    if (mode := connection.pragma("journal_mode")) != "wal":
        raise ForeignFormat(str(path), f"in journal mode {mode}", "WAL, on a local file system")


def _configure(connection: Connection) -> None:
    connection.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))
    # Plans go by the text of a statement: a join would else be planned anew for every
    # value, which takes five times as long as its answer.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def _use_wal(connection: Connection) -> None:
    # SQLite itself does not wait for a lock while it holds a weaker one.
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = wal").fetchall()
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(_POLL_S)
        else:
            return


def _check_library() -> None:
    found = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if found < _SAFE_SQLITE:
        raise UnsafeLibrary("SQLite", apsw.sqlite_lib_version(), "apsw 3.51.3")


# A class, because a generator costs more and every query enters one.
class translated:  # noqa: N801 - as `suppress` and `closing`
    """Block whose errors of SQLite are raised as ours; see `check_ours`."""

    def __init__(
        self, path: Path, damaged: Callable[[str], Exception], db: Connection | None = None
    ) -> None:
        self._path, self._damaged, self._db = path, damaged, db

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            check_ours(error, self._path, self._damaged, self._db)


def check_ours(
    error: BaseException, path: Path, damaged: Callable[[str], Exception], db: Connection | None
) -> None:
    """Raise an error of SQLite as ours: a refusal of `refusal`, or damage as `damaged` says it."""
    if isinstance(error, apsw.Error | UnicodeDecodeError):
        check_refused(error, path, db)
        if is_damage(error):
            raise damaged(str(error)) from None


def is_damage(error: BaseException) -> bool:
    """True if an error says that bytes are not what was written; ask `refusal` first."""
    return isinstance(error, (*_DAMAGE, *_REFUSED))


def check_refused(error: BaseException, path: Path, db: Connection | None = None) -> None:
    """Raise the system's refusal behind an error of SQLite, if there is one."""
    if (refused := refusal(error, path, db)) is not None:
        raise refused from error


def refusal(
    error: BaseException, path: Path, db: Connection | None = None
) -> StorageFailed | LogBusy | None:
    """The system's refusal behind an error of SQLite on a connection; None if there is none."""
    if isinstance(error, _BUSY):
        return LogBusy(path, BUSY_TIMEOUT_S)
    if isinstance(error, apsw.FullError):
        return DiskFull(path)
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        # SQLite calls it damage as well where the system fails to read a page.
        unread = _unread(path)
        return None if unread is None else StorageFailed.from_os(unread, path)
    if not isinstance(error, _REFUSED) or getattr(error, "extendedresult", 0) in _CUT_SHORT:
        return None
    if isinstance(error, apsw.ReadOnlyError) and _is_marked_read_only(path):
        return None
    return StorageFailed.from_os(_system_error(error, path, db), path)


def _system_error(error: apsw.Error, path: Path, db: Connection | None) -> OSError:
    if not isinstance(error, apsw.IOError):
        missing = None
        try:
            path.open("r+b").close()
        except FileNotFoundError as gone:
            missing = gone
        except OSError as refused:
            return refused
        if (cause := _not_created(path) or missing) is not None:
            return cause
    code = getattr(error, "extendedresult", 0)
    number = 0 if db is None else db.system_errno
    if code == apsw.SQLITE_IOERR_CORRUPTFS:
        return OSError(EIO, os.strerror(number or EIO))
    # It looks for what it could not make: that this is missing says nothing.
    if number in _UNTOLD and (cause := _not_created(path)) is not None:
        return cause
    words = str(error)
    if number not in _UNTOLD:
        words = os.strerror(number)
    elif number == EBADF:
        words = "it could be opened for reading only"
    elif words == "not an error":  # Of a backup whose other side failed.
        words = "it could not be opened, read or written"
    name = apsw.mapping_extended_result_codes.get(code)
    return OSError(number, f"{words} ({name})" if name else words)


def _not_created(path: Path) -> OSError | None:
    """Why no file can be made and written beside `path`, as SQLite does; None if one can."""
    probe = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with create_private(probe) as file:
            file.write(bytes(_PAGE_BYTES))
    except OSError as refused:
        # Without the probe's name: it is `path` that SQLite works on.
        return OSError(refused.errno, refused.strerror)
    finally:
        with suppress(OSError):
            probe.unlink()
    return None


def _unread(path: Path) -> OSError | None:
    """Why the system does not give all bytes of a database; None if it does."""
    try:
        for part in (path, path.with_name(f"{path.name}-wal")):
            with suppress(FileNotFoundError), part.open("rb", buffering=0) as file:
                while file.read(_CHUNK_BYTES):
                    pass
    except OSError as refused:
        return refused
    return None


def _is_marked_read_only(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        file.seek(_WRITE_VERSION_AT)
        return file.read(1) > _WAL_VERSION
    return False


class UnlockedConnection(Connection):
    """A connection to a file as it is, without locks: what is read counts while it is current."""

    def __init__(self, path: Path) -> None:
        self._path, self._seen = path, _fingerprint(path)
        uri = f"file:{quote(str(path.absolute()))}?immutable=1"
        super().__init__(uri, flags=_READING | apsw.SQLITE_OPEN_URI)

    def is_current(self) -> bool:
        """True if nobody has written the file since it was opened."""
        try:
            return _fingerprint(self._path) == self._seen
        except OSError:
            return False


class ReaderPool:
    """Idle connections of a database file; no lock, since a list's pop and append are atomic."""

    def __init__(self) -> None:
        self._idle: list[Connection] = []
        self._closed = False

    def take(self) -> Connection | None:
        """An idle connection that is still good; None if there is none."""
        try:
            while (connection := self._idle.pop()) and not is_current(connection):
                connection.close()
        except IndexError:
            return None
        return connection

    def give(self, connection: Connection) -> None:
        """Take a connection in, or close it if the pool is closed."""
        self._idle.append(connection)
        # After the append: a closing thread finds it in the list, or is noticed here.
        if self._closed:
            self.close()

    def close(self) -> None:
        """Close the idle connections, and each other one when it is given back."""
        self._closed = True
        while (connection := self.take()) is not None:
            connection.close()


def is_current(connection: Connection) -> bool:
    """True unless an unlocked connection reads what was written since it was opened."""
    return not isinstance(connection, UnlockedConnection) or connection.is_current()


def connect_reading(path: Path) -> Connection:
    """A connection that reads a database of ours and writes nothing, not even beside it.

    SQLite needs a shared-memory file for a database in WAL mode. Where it can make none, no other
    process has the database open: the file, with its write-ahead log if any, is all there is.

    Raises `StorageFailed` if it cannot be read, `LogBusy`, and what apsw raises for damage.
    """
    _check_library()
    try:
        return _answering(path, lambda path: Connection(str(path), flags=_READING))
    except StorageFailed:
        if not path.exists():
            raise
    return _answering(path, _copied if _wal_bytes(path) else UnlockedConnection)


def _answering(path: Path, opened: Callable[[Path], Connection]) -> Connection:
    with ExitStack() as undone, failures_of(path):
        connection = None
        try:
            connection = opened(path)
            undone.callback(connection.close)
            _configure(connection)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except apsw.Error as error:
            check_refused(error, path, connection)
            raise
        undone.pop_all()
    return connection


def _copied(path: Path) -> Connection:
    memory = Connection(":memory:")
    with temporary_directory("mnemolog-reading-") as directory:
        copy = directory / path.name
        for suffix in ("", "-wal"):
            shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
        with (
            closing(Connection(str(copy))) as source,
            memory.backup("main", source, "main") as backup,
        ):
            backup.step(-1)
    return memory


def _wal_bytes(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.with_name(path.name + "-wal").stat().st_size
    return 0


def _fingerprint(path: Path) -> tuple[int, ...]:
    stat = path.stat()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, _wal_bytes(path)


@contextmanager
def immediate(db: Connection) -> Iterator[None]:
    """Write transaction, begun as one so that it waits for other writers instead of failing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def insert(db: Connection, table: str, marks: str, rows: Sequence[Sequence[SQLiteValue]]) -> None:
    """Insert rows for placeholders such as '(?, NULL)'; in a transaction: errors stop midway."""
    full = len(rows) - len(rows) % _TOGETHER
    if full:
        groups = (
            tuple(chain.from_iterable(rows[at : at + _TOGETHER]))
            for at in range(0, full, _TOGETHER)
        )
        db.executemany(_insertion(table, marks, _TOGETHER), groups)
    if full < len(rows):
        db.executemany(_insertion(table, marks, 1), rows[full:])


@cache
def _insertion(table: str, marks: str, rows: int) -> str:
    return f"INSERT INTO {table} VALUES {','.join([marks] * rows)}"
