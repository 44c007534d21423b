"""Files written durably and privately, read within limits, and removed for certain.

Our files are readable by their owner only. Files of others are read through `open_regular`: no
pipe or device keeps the reader waiting, no size or line of theirs fills its memory.
"""

import errno
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from mnemolog.ledger.errors import InvalidField, LedgerError, LogBusy, MalformedFile, StorageFailed

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
_COPY_BYTES = 1 << 20
PARTIAL = ".partial"  # Of a file that is being written; after a crash, any process may remove it.
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")  # Of the files beside a database.
MOST_LINE_BYTES = 32 << 20  # Messages, pictures in them included, are far shorter.
_POLL_S = 0.005
_OTHERS = 0o077
_KINDS = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}


@contextmanager
def failures_of(path: Path) -> Iterator[None]:
    """Raise what the system refuses as `StorageFailed`; `path` is what was worked on."""
    try:
        yield
    except LedgerError:
        raise
    except OSError as error:
        raise StorageFailed.from_os(error, path) from error


def sync(path: Path, flags: int = 0) -> None:
    """Flush a file's content to the disk."""
    descriptor = os.open(path, os.O_RDONLY | flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Make renames, new files and removals in a directory survive a loss of power."""
    sync(path, os.O_DIRECTORY)


def private_directory(path: Path, within: Path) -> None:
    """Make a directory, and those between it and `within`, that its owner alone can enter."""
    above = [one for one in path.parents if one.is_relative_to(within) and one != within]
    for one in (*reversed(above), path):
        one.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)


def make_private(path: Path) -> bool:
    """Take a file or directory of our own, no link, from others; whether it was open to them."""
    try:
        found = path.lstat()
        mine = found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode)
        if mine and stat.S_IMODE(found.st_mode) & _OTHERS:
            path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)
            return True
    except OSError as error:
        # Harmless: gone meanwhile, or on a file system that cannot be changed.
        if error.errno not in {errno.ENOENT, errno.EPERM, errno.EACCES, errno.EROFS}:
            raise StorageFailed.from_os(error, path) from error
    return False


def make_tree_private(path: Path) -> None:
    """Take a directory with all that is in it away from others."""
    make_private(path)
    for one in path.rglob("*"):
        make_private(one)


def open_regular(path: Path) -> IO[bytes]:
    """A file of unknown origin, open for reading; `MalformedFile` for pipes and the like."""
    # Looked at first: opening a device can act on it. And again behind the opening: the
    # name may lead elsewhere by then, where without O_NONBLOCK a pipe would be waited for.
    _check_regular(path, path.stat().st_mode)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check_regular(path, os.fstat(descriptor).st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _check_regular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        found = _KINDS.get(stat.S_IFMT(mode), "a device")
        raise MalformedFile(path, None, f"is {found}, no regular file", "name a regular file")


def read_regular(path: Path, most_bytes: int) -> bytes:
    """The whole content of a regular file. Raises `MalformedFile` if it is larger."""
    with open_regular(path) as file:
        return read_at_most(file, path, most_bytes)


def read_at_most(file: IO[bytes], name: Path, most_bytes: int) -> bytes:
    """The rest of an open file or pipe. Raises `MalformedFile` if it is larger."""
    content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        problem = f"is larger than the {most_bytes:,} bytes allowed"
        raise MalformedFile(name, None, problem, "split it, or give another")
    return content


def bounded_lines(file: IO[bytes], name: Path, most: int = MOST_LINE_BYTES) -> Iterator[bytes]:
    """The lines of an open file with their ends. Raises `MalformedFile` at one that is longer."""
    for number, line in enumerate(iter(lambda: file.readline(most + 1), b""), 1):
        if len(line) > most:
            problem = f"is longer than the {most:,} bytes allowed"
            raise MalformedFile(name, number, problem, "end each line with a line break")
        yield line


def create_private(path: Path) -> IO[bytes]:
    """A new file, open for writing, that its owner alone can read; `FileExistsError` if taken."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, PRIVATE_FILE), "wb")


def copy_private(source: Path, target: Path) -> None:
    """Copy a file into a new private one and sync it; `StorageFailed` with the one that failed."""
    with failures_of(target), create_private(target) as copy:
        copy.writelines(_chunks(source))
        copy.flush()
        os.fsync(copy.fileno())


def _chunks(path: Path) -> Iterator[bytes]:
    with failures_of(path), path.open("rb") as file:
        while chunk := file.read(_COPY_BYTES):
            yield chunk


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that replaces `path` when the block ends well; raises `StorageFailed`."""
    with failures_of(path), partial_file(path) as (file, partial):
        yield file
        file.flush()
        os.fsync(file.fileno())
        partial.replace(path)
        sync_directory(path.parent)


@contextmanager
def partial_file(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """A file beside `path`, locked to tell it from leftovers, and its path; for the block."""
    while True:
        partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PARTIAL}")
        with create_private(partial) as file:
            if not claimed(file.fileno(), partial):
                continue
            try:
                yield file, partial
            finally:
                # A file that cannot be removed now is a leftover for the next opening.
                with suppress(OSError):
                    partial.unlink()
        return


def claimed(descriptor: int, path: Path) -> bool:
    """Lock a file or directory; False if another has the lock, or removed or replaced it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except (BlockingIOError, FileNotFoundError):
        return False


def real_path(path: Path) -> Path:
    """The path without links; one in a loop of them stays as it is, and opening it says why."""
    return type(path)(os.path.realpath(path))


def checked_name(field: str, path: Path | str) -> Path:
    """A path that SQLite can open; raises `InvalidField` if it is not UTF-8 or has a NUL."""
    try:
        name = str(path).encode()
    except UnicodeEncodeError:
        raise InvalidField(field, f"{str(path)!r} is not UTF-8", "name another place") from None
    if b"\0" in name:
        raise InvalidField(field, f"{str(path)!r} has a NUL in it", "leave it out")
    return Path(path)


def check_outside(field: str, path: Path, home: Path) -> None:
    """Raise `InvalidField` for a copy in a home: a redaction there would not reach it."""
    if real_path(path).is_relative_to(real_path(home)):
        raise InvalidField(field, f"{path} lies in the home", "name a place outside of it")


def remove_file(path: Path) -> None:
    """Remove a file or a link, if there is one; `StorageFailed` if it is still there."""
    with failures_of(path):
        path.unlink(missing_ok=True)


def remove_database(path: Path) -> None:
    """Remove a SQLite database with its side files; raises `StorageFailed` as `remove_file`."""
    # The database last: while it is there, an interrupted removal is noticed and repeated.
    for suffix in (*SQLITE_SUFFIXES, ""):
        remove_file(path.with_name(path.name + suffix))


def remove_tree(path: Path) -> None:
    """Remove as much as possible of a directory; `StorageFailed` for the first that stays."""
    failed: list[OSError] = []
    for where, folders, files in os.walk(path, topdown=False, onerror=failed.append):
        for name in (*files, *folders):
            _remove_entry(os.path.join(where, name), failed)  # noqa: PTH118 - of many entries
    _remove_entry(os.fspath(path), failed)
    for error in failed:
        # Another process may remove the same tree.
        if not isinstance(error, FileNotFoundError):
            raise StorageFailed.from_os(error, path) from error


def _remove_entry(path: str, failed: list[OSError]) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except (IsADirectoryError, PermissionError):
        # Unlinking a directory is EISDIR on Linux and EPERM elsewhere.
        try:
            os.rmdir(path)  # noqa: PTH106 - as above
        except NotADirectoryError:
            failed.append(PermissionError(errno.EPERM, os.strerror(errno.EPERM), path))
        except OSError as error:
            failed.append(error)
    except OSError as error:
        failed.append(error)


# By flock: fcntl's locks are lost as soon as the process closes any descriptor of the file.
class FileLock:
    """An exclusive lock of a process, not for its threads; `StorageFailed` if it is refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with failures_of(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)

    @contextmanager
    def held(self, timeout_s: float | None = None) -> Iterator[None]:
        """Hold the lock; raises `LogBusy` if it was not to be had in this time, if any is given."""
        if timeout_s is None:
            self.acquire()
        else:
            deadline = time.monotonic() + timeout_s
            while not self.try_acquire():
                if time.monotonic() >= deadline:
                    raise LogBusy(self.path, timeout_s)
                time.sleep(_POLL_S)
        try:
            yield
        finally:
            self.release()

    def acquire(self, flags: int = fcntl.LOCK_EX) -> None:
        """Take the lock, waiting for it as long as it takes."""
        try:
            fcntl.flock(self._descriptor, flags)
        except BlockingIOError:
            raise
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it, and say whether it was taken."""
        with suppress(BlockingIOError):
            self.acquire(fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    def release(self) -> None:
        """Let go of the lock; nothing happens if it is not held."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file, and with it any lock."""
        os.close(self._descriptor)
