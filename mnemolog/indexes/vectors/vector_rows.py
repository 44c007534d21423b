"""File of vectors of one length, row after row, which all processes map into memory."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.vectors.vector_index import Halves
from mnemolog.ledger.files import failures_of, sync

_HALF_BYTES = 2


class RowFile(NamedTuple):
    """Vectors of float16 in a file that keeps its listed rows; all raise `StorageFailed`."""

    path: Path
    dimensions: int

    @property
    def row_bytes(self) -> int:
        """Bytes of a vector."""
        return _HALF_BYTES * self.dimensions

    def read(self, rows: Iterable[int]) -> Iterator[bytes]:
        """The bytes of each of these rows, fewer where the file ends."""
        with self._opened(os.O_RDONLY) as descriptor:
            for row in rows:
                yield os.pread(descriptor, self.row_bytes, row * self.row_bytes)

    def write(self, first: int, vectors: Sequence[Halves]) -> None:
        """Write vectors into consecutive rows; a reader must not know of them yet."""
        with self._opened(os.O_WRONLY) as descriptor:
            block = np.stack(vectors).astype(np.float16).tobytes()
            _write_at(descriptor, block, first * self.row_bytes)

    def erase(self, rows: Iterable[int]) -> None:
        """Overwrite rows with zeros, on the disk as well."""
        with self._opened(os.O_WRONLY) as descriptor:
            for row in rows:
                _write_at(descriptor, bytes(self.row_bytes), row * self.row_bytes)
            os.fsync(descriptor)

    def truncate(self, rows: int) -> None:
        """Remove what lies behind the first rows, which nobody has mapped."""
        with self._opened(os.O_WRONLY) as descriptor:
            if os.fstat(descriptor).st_size > rows * self.row_bytes:
                os.ftruncate(descriptor, rows * self.row_bytes)

    def mapped(self, rows: int) -> Halves | None:
        """The first rows, float16 of shape (rows, dimensions); None if there are fewer."""
        if rows == 0:
            return np.zeros((0, self.dimensions), np.float16)
        with failures_of(self.path):
            if self.path.stat().st_size < rows * self.row_bytes:
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
