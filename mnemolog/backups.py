"""Backup of a live home, and restore into one: verified before anything is replaced."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

import apsw

from ledger.checkpoints import Checkpoint, checkpoint_of
from ledger.errors import InvalidField
from ledger.locks import FileLock
from ledger.sqlite_log import SqliteLog
from ledger.verification import Verified, verify
from mnemolog.home import LEDGER
from projections.folding import Progress
from projections.manifest import sync_directory

_DERIVED = (
    "views-*.db", "views-*.db-wal", "views-*.db-shm", "vectors.db*", "manifest*", "sessions.db*",
)  # fmt: skip
_TAKE_HOME_S = 30.0


def back_up(log: SqliteLog, target: Path, progress: Progress | None) -> Checkpoint:
    """Copy a log into a new file while others go on writing; verify the copy; its head.

    The copy is the log alone, which is all that needs keeping, and has no
    write-ahead log beside it.
    """
    if target.exists():
        raise InvalidField("target", f"{target} exists already", "name a new file")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    try:
        log.backup_to(partial, progress)
        head = _verified(partial)[1]
        _settle(partial)
        partial.replace(target)
        sync_directory(target.parent)
    finally:
        _remove(partial)
    return head


def _settle(path: Path) -> None:
    """Take a copy out of WAL mode, so that it is one file that any SQLite tool can read."""
    connection = apsw.Connection(str(path))
    try:
        connection.execute("PRAGMA journal_mode = delete").fetchall()
    finally:
        connection.close()


def restore(source: Path, home: Path, progress: Progress | None = None) -> Verified:
    """Replace a home's log by a backup, after verifying it; derived files are built anew.

    The log that was there is kept outside the home, in `<home>.before-restore`,
    where a later redaction need not look for it. Takes the home for itself:
    raises `LogBusy` while another process writes to it.
    """
    if not source.is_file():
        raise InvalidField("source", f"{source} is no file", "name a backup")
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    ledger = home / LEDGER
    staged = home / f"{LEDGER}.{secrets.token_hex(4)}.partial"
    try:
        shutil.copyfile(source, staged)
        verified, _ = _verified(staged, progress)
        lock = FileLock(ledger.with_name(ledger.name + ".lock"))
        try:
            with lock.held_within(_TAKE_HOME_S):
                _swap(ledger, staged)
        finally:
            lock.close()
    finally:
        _remove(staged)
    _discard_derived(home)
    return verified


def _swap(ledger: Path, staged: Path) -> None:
    if ledger.exists():
        kept = _unused(ledger.parent.with_name(f"{ledger.parent.name}.before-restore"))
        kept.mkdir(mode=0o700)
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                shutil.move(ledger.with_name(ledger.name + suffix), kept / (LEDGER + suffix))
    descriptor = os.open(staged, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    staged.replace(ledger)
    sync_directory(ledger.parent)


def _unused(path: Path) -> Path:
    """The path, or the first of `path-2`, `path-3` … that does not exist."""
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
        for suffix in ("-wal", "-shm", ".lock"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).unlink()


def _discard_derived(home: Path) -> None:
    for pattern in _DERIVED:
        for path in home.glob(pattern):
            path.unlink(missing_ok=True)
    shutil.rmtree(home / "indexes", ignore_errors=True)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", ".lock"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()
