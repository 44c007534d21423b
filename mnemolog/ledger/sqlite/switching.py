"""The switch of a home to another log: decided by one small file, finished by every opening.

Before the record `ledger.db.switch` is there, nothing of the old log has changed, and a staged
`ledger.db.new` is a leftover. From then on, the process that opens the log next goes on.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from mnemolog.ledger import files
from mnemolog.ledger.errors import CorruptLog, MalformedFile, MissingLog, StorageFailed
from mnemolog.ledger.scratch import DERIVED

BEFORE_RESTORE = ".before-restore"  # Suffix of the directory that holds a replaced log.
_FINISHED_LATER = "remove the cause; the next command finishes the restore"
_MOST_BYTES = 1 << 16
_JOURNAL_HEADER_BYTES = 28
# A record may come with a home from somebody else: it must name nothing but such a directory.
_KEPT = re.compile(r"[^/\0]+" + re.escape(BEFORE_RESTORE) + r"(?:-[0-9]+)?")


class Switch(msgspec.Struct, frozen=True):
    """A decided switch to the staged log, of `size` bytes."""

    size: int
    kept: str | None  # Name of the directory beside the home that gets the old log.
    to_link: bool  # The old log is not there yet.


def staged_at(ledger: Path) -> Path:
    """The file of a new log, whole and verified, until it takes the place of `ledger`."""
    return ledger.with_name(f"{ledger.name}.new")


def record_of(ledger: Path) -> Path:
    """The record that a switch is decided."""
    return ledger.with_name(f"{ledger.name}.switch")


def side_files(ledger: Path) -> list[Path]:
    """The files that SQLite left beside a log."""
    beside = (ledger.with_name(ledger.name + suffix) for suffix in files.SQLITE_SUFFIXES)
    return [path for path in beside if path.exists()]


def decide_switch(ledger: Path, switch: Switch) -> None:
    """Record that the staged log takes the place of `ledger`; only under its lock.

    After an error nothing is decided, unless the record is there: it could not be removed.
    """
    try:
        with files.written_whole(record_of(ledger)) as file:
            file.write(msgspec.json.encode(switch))
    except BaseException:
        # The record may have its name already, if only syncing its directory failed.
        with _finished_later(ledger):
            files.remove_file(record_of(ledger))
        raise


def withdraw_staged(ledger: Path) -> bool:
    """Remove a staged log that no record decided on; whether there was one. Only under the lock."""
    staged = staged_at(ledger)
    if not staged.exists() or record_of(ledger).exists():
        return False
    files.remove_file(staged)
    return True


def finish_switch(ledger: Path) -> Switch | None:
    """Put a staged log in the place of `ledger` if that was decided, under its lock; repeatable."""
    record = record_of(ledger)
    with _finished_later(ledger):
        try:
            switch = msgspec.json.decode(files.read_regular(record, _MOST_BYTES), type=Switch)
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, MalformedFile):
            raise CorruptLog(f"{record.name} cannot be read", 0) from None
        if switch.kept is not None and not _KEPT.fullmatch(switch.kept):
            raise CorruptLog(f"{record.name} names no place for the old log", 0)
        _finish(ledger, switch)
        return switch


@contextmanager
def _finished_later(ledger: Path) -> Iterator[None]:
    try:
        with files.failures_of(ledger):
            yield
    except StorageFailed as error:
        raise StorageFailed(error.path, error.problem, _FINISHED_LATER) from error


def _finish(ledger: Path, switch: Switch) -> None:
    home, staged = ledger.parent, staged_at(ledger)
    if staged.exists():
        if staged.stat().st_size != switch.size:
            raise CorruptLog(f"{staged.name} is not what the restore staged", 0)
        if switch.kept is not None and switch.to_link:
            _link_old(ledger, kept_at(home, switch.kept))
        _remove_side_files(ledger)
        files.sync_directory(home)
        staged.replace(ledger)
        files.sync_directory(home)
    # A reader that came in between may have made them anew, beside the old log.
    _remove_side_files(ledger)
    for path in [path for one in DERIVED for path in home.glob(one)]:
        (files.remove_tree if path.is_dir() and not path.is_symlink() else files.remove_file)(path)
    files.sync_directory(home)
    files.remove_file(record_of(ledger))
    files.sync_directory(home)


def _remove_side_files(ledger: Path) -> None:
    # A directory of such a name is not ours: it is refused.
    for path in side_files(ledger):
        files.remove_file(path)


def unfinished(ledger: Path, refused: StorageFailed) -> StorageFailed:
    """The error for a decided switch that the system does not let us finish."""
    if refused.fix == _FINISHED_LATER:
        return refused
    problem = f"a restore was begun and cannot be finished: {refused.path}: {refused.problem}"
    return StorageFailed(record_of(ledger), problem, _FINISHED_LATER)


def kept_at(home: Path, name: str) -> Path:
    """The directory `name` beside a home, wherever that has been moved to."""
    return files.real_path(home).with_name(name)


def kept_in(kept: Path) -> str:
    """The files of an old log in such a directory, in words."""
    if not kept.is_dir():
        return "the log that was there, since moved away,"
    logs = [path for path in kept.iterdir() if not path.name.endswith(files.SQLITE_SUFFIXES)]
    return "the log that was there" if logs else "the write-ahead log of a log that was gone"


def _link_old(ledger: Path, kept: Path) -> None:
    # Linked only now: before the switch is decided, two names of a log in use would be
    # two logs to SQLite, each with a WAL of its own.
    kept.mkdir(mode=files.PRIVATE_DIRECTORY, exist_ok=True)
    for path in (ledger, *side_files(ledger)):
        if path.exists() and not (kept / path.name).exists() and not path.name.endswith("-shm"):
            os.link(path, kept / path.name)
    files.sync_directory(kept)
    files.sync_directory(kept.parent)


def refuse_foreign_side_files(ledger: Path) -> None:
    """Raise `MissingLog` or `CorruptLog` for side files without a log: SQLite would replay them."""
    beside = side_files(ledger)
    if not beside:
        return
    try:
        empty = ledger.stat().st_size == 0
    except FileNotFoundError:
        raise MissingLog(ledger, _are(beside, " of it")) from None
    # A journal alone is that of a log whose creation was interrupted, if its log was empty.
    foreign = [path for path in beside if not _began_empty(path)]
    if empty and foreign:
        raise CorruptLog(f"{ledger.name} is empty, but {_are(foreign)} there", 0)


def _are(paths: list[Path], which: str = "") -> str:
    names = " and ".join(path.name for path in paths)
    return f"{names}{which} {'is' if len(paths) == 1 else 'are'}"


def _began_empty(side_file: Path) -> bool:
    # The header of its rollback journal says that the database had no pages.
    if not side_file.name.endswith("-journal"):
        return False
    with side_file.open("rb") as file:
        return not any(file.read(_JOURNAL_HEADER_BYTES)[16:20])
