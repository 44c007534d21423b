"""Advisory locks between processes: one file, one lock, gone with its holder."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mnemolog.ledger.errors import LogBusy, StorageFailed
from mnemolog.ledger.files import PRIVATE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_POLL_S = 0.005


class FileLock:
    """An exclusive lock that the kernel releases when its process dies.

    flock rather than fcntl locks: those are lost as soon as any descriptor of
    the file is closed by the same process. Not for several threads at once:
    callers order themselves before they ask. Raises `StorageFailed` where the system
    refuses the file or the lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        except OSError as error:
            raise StorageFailed.from_os(error, path) from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock, waiting for it as long as it takes."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    @contextmanager
    def held_within(self, timeout_s: float) -> Iterator[None]:
        """Hold the lock; raises `LogBusy` if it was not to be had in time."""
        deadline = time.monotonic() + timeout_s
        while not self.try_acquire():
            if time.monotonic() >= deadline:
                raise LogBusy(self.path, timeout_s)
            time.sleep(_POLL_S)
        try:
            yield
        finally:
            self.release()

    def acquire(self) -> None:
        """Take the lock, waiting for it as long as it takes."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it, and say whether it was taken."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error
        return True

    def release(self) -> None:
        """Let go of the lock; nothing happens if it is not held."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file, and with it any lock."""
        os.close(self._descriptor)
