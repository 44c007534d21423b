"""Backup of a live home, and restore into a home: verified before anything is replaced."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from itertools import chain, count
from pathlib import Path

import apsw

from mnemolog.application.home.home import LEDGER, RESTORING
from mnemolog.application.home.space import Space
from mnemolog.ledger import files
from mnemolog.ledger.errors import CorruptBackup, CorruptLog, ForeignFormat, InvalidField
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.scratch import scratch_directory, sweep_beside
from mnemolog.ledger.sqlite import switching
from mnemolog.ledger.sqlite.connections import refusal
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.tables import APPLICATION_ID
from mnemolog.ledger.sqlite.verification import Checkpoint, Verified, checkpoint_of, verify
from mnemolog.projections.folding import Progress
from mnemolog.results import Value

_TAKE_HOME_S = 30.0
_MAGIC, _HEADER_BYTES = b"SQLite format 3\0", 100  # begin of a database, with its size in pages
# Locks that a restore holds, in the order in which others take them.
_TAKEN = ("views-build.lock", "views.lock", "manifest.lock", f"{LEDGER}.lock")


class Restoration(Value, frozen=True):
    """Result of a restore: events, head, redacted events, and where the replaced log is `kept`."""

    events: int
    head_position: int
    head_digest: str
    erased: int
    kept: Path | None


def back_up(space: Space, target: Path | str, progress: Progress | None = None) -> Checkpoint:
    """Copy a home's log into a new file while others write, verify the copy, return its head.

    The copy is only the log, from which everything else is derived. It is made in
    `<target>.<token>.partial`, which the next backup to the target removes after a kill.
    """
    log = space.home.log
    target = files.checked_name("target", target)
    if target.exists():
        sweep_beside(target)
        raise InvalidField("target", f"{target} exists already", "name a new file")
    files.check_outside("target", target, log.path.parent)
    with files.failures_of(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep_beside(target)
        with scratch_directory(target.parent, f"{target.name}.") as scratch:
            copy = scratch / LEDGER
            log.backup_to(copy, progress)
            head = _verified(copy)[1]
            _settle(copy)
            copy.replace(target)
            files.sync_directory(target.parent)
    return head


def restore(source: Path | str, home: Path | str, progress: Progress | None = None) -> Restoration:
    """Replace a home's log by a backup, atomically, after verifying the backup.

    After a kill or failure at any point, the home holds the whole old log or the whole new one, and
    the next opening reports which. The old log is kept in `<home>.before-restore`; derived files
    are rebuilt. Raises `LogBusy` while another process writes to the home.
    """
    source, home = files.checked_name("source", source), files.checked_name("home", home)
    _check_source(source, home)
    ledger = home / LEDGER
    with files.failures_of(home), _made(home), ExitStack() as taken:
        with ExitStack() as prepared:
            scratch = prepared.enter_context(scratch_directory(home, RESTORING))
            copy = scratch / LEDGER
            _copy_log(files.real_path(source), copy)
            try:
                _check_is_ledger(copy)
                verified, _ = _verified(copy, progress)
                _settle(copy)
            except CorruptLog as error:
                # Name the backup, not its copy.
                raise CorruptBackup(source, error.problem, error.last_good) from error
            except ForeignFormat as error:
                raise ForeignFormat(str(source), error.found, error.supported) from error
            for name in _TAKEN:
                taken.enter_context(_locked(home / name))
            with suppress(CorruptLog):
                switching.finish_switch(ledger)
            switching.withdraw_staged(ledger)
            kept, to_link = _kept_before(ledger, scratch)
            prepared.enter_context(_withdrawn_after_error(ledger, kept, to_link=to_link))
            copy.replace(switching.staged_at(ledger))
            files.sync_directory(home)
            # A leftover scratch directory would tell the next opening that nothing changed.
            files.remove_tree(scratch)
            size = switching.staged_at(ledger).stat().st_size
            switching.decide_switch(ledger, switching.Switch(size, kept, to_link))
        switching.finish_switch(ledger)
    head = verified.head_position, verified.head_digest
    old = None if kept is None else switching.kept_at(home, kept)
    return Restoration(verified.events, *head, verified.erased, old)


@contextmanager
def _made(home: Path) -> Iterator[None]:
    """Create a home's directory; after an error, remove the new directories that are empty."""
    new = [path for path in (home, *home.parents) if not path.exists()]
    home.mkdir(parents=True, exist_ok=True, mode=files.PRIVATE_DIRECTORY)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for path in new:
                path.rmdir()
        raise


def _check_source(source: Path, home: Path) -> None:
    if source.is_dir():
        raise InvalidField("source", f"{source} is a directory", "name the backup in it")
    if not source.is_file():
        raise InvalidField("source", f"{source} is no file", "name a backup")
    ledger = home / LEDGER
    if ledger.exists() and ledger.samefile(source):
        raise InvalidField("source", f"{source} is the home's own log", "name a backup of it")
    if ledger.exists() and not ledger.is_file():
        raise InvalidField("home", f"{ledger} is no file", "move it away first")
    if files.real_path(source).is_relative_to(files.real_path(home)):
        raise InvalidField("source", f"{source} lies in the home", "move it out of the home first")


def _copy_log(source: Path, target: Path) -> None:
    """Copy a log with its WAL or journal, which may hold its last events."""
    lock = source.with_name(source.name + ".lock")
    # If the log may be in use, no process may write between the copies of its files.
    with _locked(lock) if os.access(lock, os.W_OK) else nullcontext():
        for path in (source, *switching.side_files(source)):
            if not path.name.endswith("-shm"):
                suffix = path.name.removeprefix(source.name)
                files.copy_private(path, target.with_name(LEDGER + suffix))


def _check_is_ledger(copy: Path) -> None:
    """Raise `ForeignFormat` for a file that is no ledger, `CorruptLog` for a truncated one."""
    size = copy.stat().st_size
    # `SqliteLog` would turn an empty file into a ledger.
    if size == 0:
        raise ForeignFormat(str(copy), "empty", "its own ledgers")
    with copy.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    # With a write-ahead log or a journal, the header may be out of date.
    if header.startswith(_MAGIC[: len(header)]) and not switching.side_files(copy):
        page, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
        wanted = (1 << 16 if page == 1 else page) * pages
        if len(header) < _HEADER_BYTES or size < wanted:
            told = f"{size:,} of {wanted:,} bytes" if wanted else f"{size:,} bytes"
            raise CorruptLog(f"it is cut off, with {told}", 0)
    with _connected(copy, "it cannot be read: ") as connection:
        found = connection.pragma("application_id")
    if found != APPLICATION_ID:
        raise ForeignFormat(str(copy), "another program's database", "its own ledgers")


@contextmanager
def _withdrawn_after_error(ledger: Path, kept: str | None, *, to_link: bool) -> Iterator[None]:
    """Remove the files prepared for a switch after an error, unless the switch is decided."""
    try:
        yield
    except BaseException:
        if not switching.record_of(ledger).exists():
            switching.withdraw_staged(ledger)
            if kept is not None and not to_link:
                files.remove_tree(switching.kept_at(ledger.parent, kept))
        raise


def _kept_before(ledger: Path, scratch: Path) -> tuple[str | None, bool]:
    """Name of a directory for the old log, if any; True if it can be linked there, or is copied."""
    old = [path for path in (ledger, *switching.side_files(ledger)) if path.exists()]
    if not old:
        return None, False
    name = files.real_path(ledger.parent).name + switching.BEFORE_RESTORE
    beside = switching.kept_at(ledger.parent, name)
    others = (beside.with_name(f"{beside.name}-{number}") for number in count(2))
    kept = next(one for one in chain((beside,), others) if not one.exists())
    sweep_beside(beside)
    with scratch_directory(beside.parent, f"{beside.name}.") as aside:
        try:
            probe = scratch / "probe"
            probe.touch()
            (aside / "probe").hardlink_to(probe)
        except OSError:
            whole = aside / "log"
            whole.mkdir(mode=files.PRIVATE_DIRECTORY)
            for path in old:
                files.copy_private(path, whole / path.name)
            files.sync_directory(whole)
            whole.replace(kept)
            files.sync_directory(kept.parent)
            return kept.name, False
    return kept.name, True


def _verified(path: Path, progress: Progress | None = None) -> tuple[Verified, Checkpoint]:
    with closing(SqliteLog(path)) as log:
        return verify(log, progress=progress), checkpoint_of(log)


def _settle(path: Path) -> None:
    """Make a copy one synced, private file that any SQLite tool can read."""
    with _connected(path) as connection:
        connection.execute("PRAGMA journal_mode = delete").fetchall()
    path.chmod(files.PRIVATE_FILE)
    files.sync(path)


@contextmanager
def _connected(path: Path, problem: str = "") -> Iterator[apsw.Connection]:
    """Connection to a copy, with errors of mnemolog; `problem` precedes the words of SQLite."""
    connection = None
    try:
        connection = apsw.Connection(str(path))
        yield connection
    except apsw.Error as error:
        refused = refusal(error, path, connection)
        if refused is None and isinstance(error, apsw.NotADBError):
            raise ForeignFormat(str(path), "no SQLite database", "its own ledgers") from None
        raise refused or CorruptLog(f"{problem}{error}", 0) from error
    finally:
        if connection is not None:
            connection.close()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with closing(FileLock(path)) as lock, lock.held(_TAKE_HOME_S):
        yield
