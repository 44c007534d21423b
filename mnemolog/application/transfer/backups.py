"""Backup of a live home, and restore into a home: verified before anything is replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from mnemolog.application.home.home import LEDGER
from mnemolog.application.home.leftovers import RESTORING
from mnemolog.application.home.space import Space
from mnemolog.ledger.errors import CorruptBackup, CorruptLog, ForeignFormat, InvalidField
from mnemolog.ledger.files import (
    PRIVATE_DIRECTORY,
    PRIVATE_FILE,
    FileLock,
    check_outside,
    checked_name,
    copy_private,
    failures_of,
    real_path,
    remove_tree,
    sync,
    sync_directory,
)
from mnemolog.ledger.scratch import scratch_directory, sweep_beside
from mnemolog.ledger.sqlite.connections import refusal
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.switching import (
    BEFORE_RESTORE,
    Switch,
    decide_switch,
    finish_switch,
    kept_at,
    record_of,
    side_files,
    staged_at,
    withdraw_staged,
)
from mnemolog.ledger.sqlite.tables import APPLICATION_ID
from mnemolog.ledger.sqlite.verification import Checkpoint, Verified, checkpoint_of, verify
from mnemolog.projections.folding import Progress
from mnemolog.results import Value

_TAKE_HOME_S = 30.0
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
"""What a SQLite database begins with; its page size and number of pages are in it."""

_TAKEN = ("views-build.lock", "views.lock", "manifest.lock", f"{LEDGER}.lock")
"""Locks that a restore holds, in the order in which others take them."""


class Restored(Value, frozen=True):
    """Result of a restore: number of events, head, and number of redacted events.

    `kept` is the directory that holds the replaced log; None if there was none.
    """

    events: int
    head_position: int
    head_digest: str
    erased: int
    kept: Path | None


def back_up(space: Space, target: Path, progress: Progress | None = None) -> Checkpoint:
    """Copy a home's log into a new file while others write, verify the copy, return its head.

    The copy is only the log, from which everything else is derived, without a write-ahead
    log. It is made in `<target>.<token>.partial`. If this process is killed, the next backup
    to the same target removes that directory.
    """
    log = space.home.log
    if checked_name("target", target).exists():
        sweep_beside(target)
        raise InvalidField("target", f"{target} exists already", "name a new file")
    check_outside("target", target, log.path.parent)
    with failures_of(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep_beside(target)
        with scratch_directory(target.parent, f"{target.name}.") as scratch:
            copy = scratch / LEDGER
            log.backup_to(copy, progress)
            head = _verified(copy)[1]
            _settle(copy)
            copy.replace(target)
            sync_directory(target.parent)
    return head


def restore(source: Path, home: Path, progress: Progress | None = None) -> Restored:
    """Replace a home's log by a backup, atomically, after verifying the backup.

    After a kill or failure at any point, the home holds the whole old log or the whole new
    one, and the next opening reports which. The old log is kept beside the home, in
    `<home>.before-restore`; derived files are rebuilt. Raises `LogBusy` while another process
    writes to the home.
    """
    _check_source(source, checked_name("home", home))
    with failures_of(home), _made(home), ExitStack() as taken:
        with scratch_directory(home, RESTORING) as scratch:
            staged = scratch / LEDGER
            _copy_log(real_path(source), staged)
            with _told_of(source):
                _check_is_ledger(staged)
                verified, _ = _verified(staged, progress)
                _settle(staged)
            for name in _TAKEN:
                taken.enter_context(_locked(home / name))
            kept = _staged(home / LEDGER, scratch)
        _switch(home / LEDGER, kept, scratch)
    return Restored(
        events=verified.events,
        head_position=verified.head_position,
        head_digest=verified.head_digest,
        erased=verified.erased,
        kept=None if kept is None else kept_at(home, kept.name),
    )


@contextmanager
def _made(home: Path) -> Iterator[None]:
    """Create a home's directory; after an error, remove the new directories that are empty."""
    new = [path for path in (home, *home.parents) if not path.exists()]
    home.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for path in new:
                path.rmdir()
        raise


def _check_source(source: Path, home: Path) -> None:
    """Raise `InvalidField` for an invalid source, or for a home that cannot take a backup.

    The source must be a file outside the home; `ledger.db` in the home must be a file.
    """
    if source.is_dir():
        raise InvalidField("source", f"{source} is a directory", "name the backup in it")
    if not source.is_file():
        raise InvalidField("source", f"{source} is no file", "name a backup")
    ledger = home / LEDGER
    if ledger.exists() and ledger.samefile(source):
        raise InvalidField("source", f"{source} is the home's own log", "name a backup of it")
    if ledger.exists() and not ledger.is_file():
        raise InvalidField("home", f"{ledger} is no file", "move it away first")
    if real_path(source).is_relative_to(real_path(home)):
        raise InvalidField("source", f"{source} lies in the home", "move it out of the home first")


def _copy_log(source: Path, target: Path) -> None:
    """Copy a log with its WAL or journal, which may hold its last events."""
    with ExitStack() as stack:
        lock = source.with_name(source.name + ".lock")
        if os.access(lock, os.W_OK):
            # The log may be in use: no process may write between the copies of its files.
            stack.enter_context(_locked(lock))
        for path in (source, *side_files(source)):
            if not path.name.endswith("-shm"):
                copy_private(path, target.with_name(LEDGER + path.name.removeprefix(source.name)))


@contextmanager
def _told_of(source: Path) -> Iterator[None]:
    """Name the backup in errors about its copy: `CorruptBackup` and `ForeignFormat`."""
    try:
        yield
    except CorruptLog as error:
        raise CorruptBackup(source, error.problem, error.last_good) from error
    except ForeignFormat as error:
        raise ForeignFormat(str(source), error.found, error.supported) from error


def _check_is_ledger(copy: Path) -> None:
    """Raise `ForeignFormat` for a file that is not a ledger.

    `SqliteLog` would turn an empty file into a ledger.
    """
    _check_whole(copy)
    connection = None
    try:
        connection = apsw.Connection(str(copy))
        found = connection.pragma("application_id")
    except apsw.Error as error:
        refused = refusal(error, copy, connection)
        if refused is not None:
            raise refused from error
        if isinstance(error, apsw.NotADBError):
            raise ForeignFormat(str(copy), "no SQLite database", "its own ledgers") from None
        raise CorruptLog(f"it cannot be read: {error}", 0) from None
    finally:
        if connection is not None:
            connection.close()
    if found != APPLICATION_ID:
        raise ForeignFormat(str(copy), "another program's database", "its own ledgers")


def _check_whole(copy: Path) -> None:
    """Raise `ForeignFormat` for an empty file, `CorruptLog` for a truncated database."""
    size = copy.stat().st_size
    if size == 0:
        raise ForeignFormat(str(copy), "empty", "its own ledgers")
    with copy.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    # With a write-ahead log or a journal, the header may be out of date.
    if not header.startswith(_MAGIC[: len(header)]) or side_files(copy):
        return
    page, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    wanted = (1 << 16 if page == 1 else page) * pages
    if len(header) < _HEADER_BYTES or size < wanted:
        told = f"{size:,} of {wanted:,} bytes" if wanted else f"{size:,} bytes"
        raise CorruptLog(f"it is cut off, with {told}", 0)


class _Kept(NamedTuple):
    """Name of the directory beside a home for its old log; `to_link` is false after a copy."""

    name: str
    to_link: bool


def _staged(ledger: Path, scratch: Path) -> _Kept | None:
    """Put a new log beside `ledger`, and copy the old log if it cannot be linked later."""
    with suppress(CorruptLog):
        finish_switch(ledger)
    withdraw_staged(ledger)
    kept = _kept_before(ledger, scratch)
    try:
        (scratch / LEDGER).replace(staged_at(ledger))
        sync_directory(ledger.parent)
    except BaseException:
        _take_back(ledger, kept)
        raise
    return kept


def _switch(ledger: Path, kept: _Kept | None, scratch: Path) -> None:
    """Replace `ledger` by the staged log; an error before the decision undoes the preparation."""
    staged = staged_at(ledger)
    to_link = kept is not None and kept.to_link
    try:
        # A leftover scratch directory would tell the next opening that nothing changed.
        remove_tree(scratch)
        decided = Switch(staged.stat().st_size, kept and kept.name, to_link)
        decide_switch(ledger, decided)
    except BaseException:
        _take_back(ledger, kept)
        raise
    finish_switch(ledger)


def _take_back(ledger: Path, kept: _Kept | None) -> None:
    """Remove the files prepared for a switch, unless the switch is already decided."""
    if record_of(ledger).exists():
        return
    withdraw_staged(ledger)
    if kept is not None and not kept.to_link:
        remove_tree(kept_at(ledger.parent, kept.name))


def _kept_before(ledger: Path, scratch: Path) -> _Kept | None:
    """Directory for the old log; None if there is no old log.

    If files cannot be linked beside the home, for example because it is a mount, the old log
    is copied there before anything changes.
    """
    old = [path for path in (ledger, *side_files(ledger)) if path.exists()]
    if not old:
        return None
    beside = kept_at(ledger.parent, f"{real_path(ledger.parent).name}{BEFORE_RESTORE}")
    kept = _unused(beside)
    sweep_beside(beside)
    with scratch_directory(beside.parent, f"{beside.name}.") as aside:
        try:
            probe = scratch / "probe"
            probe.touch()
            (aside / "probe").hardlink_to(probe)
        except OSError:
            whole = aside / "log"
            whole.mkdir(mode=PRIVATE_DIRECTORY)
            for path in old:
                copy_private(path, whole / path.name)
            sync_directory(whole)
            whole.replace(kept)
            sync_directory(kept.parent)
            return _Kept(kept.name, to_link=False)
    return _Kept(kept.name, to_link=True)


def _unused(path: Path) -> Path:
    """Path that does not exist: `path` itself, or the first of `path-2`, `path-3` …."""
    candidate, number = path, 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate


def _verified(path: Path, progress: Progress | None = None) -> tuple[Verified, Checkpoint]:
    log = SqliteLog(path)
    try:
        return verify(log, progress=progress), checkpoint_of(log)
    finally:
        log.close()


def _settle(path: Path) -> None:
    """Make a copy one synced, private file that any SQLite tool can read."""
    connection = None
    try:
        connection = apsw.Connection(str(path))
        connection.execute("PRAGMA journal_mode = delete").fetchall()
    except apsw.Error as error:
        raise refusal(error, path, connection) or CorruptLog(str(error), 0) from error
    finally:
        if connection is not None:
            connection.close()
    path.chmod(PRIVATE_FILE)
    sync(path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = FileLock(path)
    try:
        with lock.held_within(_TAKE_HOME_S):
            yield
    finally:
        lock.close()
