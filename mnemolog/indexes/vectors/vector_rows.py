"""File of vectors of one length, row after row, which all processes map into memory."""

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.vectors.vector_index import Halves
from mnemolog.ledger.files import failures_of, sync

_HALF_BYTES = 2


class RowFile(NamedTuple):
    """Vectors of float16 in a file, of which rows up to `following` are listed.

    All methods raise `StorageFailed`.
    """

    path: Path
    dimensions: int
    following: int

    @property
    def row_bytes(self) -> int:
        """Bytes of a vector."""
        return _HALF_BYTES * self.dimensions

    def read(self, rows: Iterable[int]) -> Iterator[bytes]:
        """The bytes of each of these rows, fewer where the file ends."""
        with self._opened(os.O_RDONLY) as descriptor:
            for row in rows:
                yield os.pread(descriptor, self.row_bytes, row * self.row_bytes)

    def write(self, vectors: Sequence[Halves]) -> None:
        """Write vectors behind the listed rows."""
        with self._opened(os.O_WRONLY) as descriptor:
            block = np.stack(vectors).astype(np.float16).tobytes()
            _write_at(descriptor, block, self.following * self.row_bytes)

    def erase_all_but(self, listed: Container[int]) -> None:
        """Overwrite all other rows with zeros, on the disk as well, and cut off what follows."""
        nothing = bytes(self.row_bytes)
        with self._opened(os.O_RDWR) as descriptor:
            # What a killed process wrote and did not list; nobody has mapped it.
            if os.fstat(descriptor).st_size > self.following * self.row_bytes:
                os.ftruncate(descriptor, self.following * self.row_bytes)
            for row in range(self.following):
                at = row * self.row_bytes
                if row not in listed and os.pread(descriptor, self.row_bytes, at) != nothing:
                    _write_at(descriptor, nothing, at)
            os.fsync(descriptor)

    def mapped(self, rows: int) -> Halves | None:
        """The first rows, float16 of shape (rows, dimensions); None if fewer are listed."""
        if rows == 0:
            return np.zeros((0, self.dimensions), np.float16)
        with failures_of(self.path):
            if rows > self.following or self.path.stat().st_size < rows * self.row_bytes:
                return None
            return np.memmap(self.path, np.float16, "r", shape=(rows, self.dimensions))

    def sync(self) -> None:
        """Flush what was written to the disk."""
        with failures_of(self.path):
            sync(self.path)

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        with failures_of(self.path):
            descriptor = os.open(self.path, flags | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                yield descriptor
            finally:
                os.close(descriptor)


def _write_at(descriptor: int, block: bytes, offset: int) -> None:
    view = memoryview(block)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written
