"""A graph of near vectors (HNSW) over the first memories of a very large space.

Below some hundred thousand memories reading every 1-bit code is as fast and
needs no building; above, a graph's cost grows with the logarithm. Labels are
ordinals, so a label tells whether a moment knew the memory yet.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import create_private

if TYPE_CHECKING:
    import hnswlib

GRAPH_FROM = 200_000
"""Memories that a space must have before a graph over them is built."""

_LINKS = 16
_BREADTH_BUILDING = 200
_SEED = 20260301
_SPARE = 1.2
_PROBED_BYTES = 1 << 20

Vectors = npt.NDArray[np.float32]


class HnswGraph:
    """An HNSW graph over the vectors of ordinals 0 to `size` - 1, for one thread at a time."""

    def __init__(self, index: hnswlib.Index, size: int) -> None:
        self._index = index
        self.size = size

    @classmethod
    def build(cls, vectors: Vectors) -> HnswGraph:
        """A graph over these unit vectors, of shape (memories, dimensions).

        With one thread and a fixed seed: the same vectors in the same order
        then give the same graph.
        """
        from hnswlib import Index  # noqa: PLC0415 - only very large spaces need it

        index = Index("ip", vectors.shape[1])
        index.init_index(
            len(vectors), ef_construction=_BREADTH_BUILDING, M=_LINKS, random_seed=_SEED
        )
        index.set_num_threads(1)
        index.add_items(vectors, np.arange(len(vectors)))
        return cls(index, len(vectors))

    @classmethod
    def load(cls, path: Path, dimensions: int, size: int) -> HnswGraph:
        """A graph from a file whose hash was checked: a crafted one could overflow the heap.

        Raises `FileNotFoundError` if it has gone since, `StorageFailed` if it cannot be read.
        """
        from hnswlib import Index  # noqa: PLC0415 - as above

        index = Index("ip", dimensions)
        try:
            index.load_index(str(path), max_elements=size)
        except RuntimeError as error:
            if path.exists():
                raise StorageFailed(path, str(error)) from None
            raise FileNotFoundError(errno.ENOENT, str(error), str(path)) from None
        index.set_num_threads(1)
        return cls(index, size)

    def extended(self, vectors: Vectors) -> HnswGraph:
        """The graph with the vectors of the ordinals that follow; this one is then spent."""
        grown = self.size + len(vectors)
        self._index.resize_index(grown)
        self._index.add_items(vectors, np.arange(self.size, grown))
        return HnswGraph(self._index, grown)

    def save(self, path: Path) -> None:
        """Write the graph into a new file; the caller syncs it. Raises `OSError`."""
        # The library does not look whether its writes succeed, nor why they do not.
        create_private(path).close()
        self._index.save_index(str(path))
        expected, written = self._index.index_file_size(), path.stat().st_size
        if written != expected:
            with path.open("ab") as file:
                file.write(bytes(min(expected - written, _PROBED_BYTES)))
            problem = f"only {written:,} of {expected:,} bytes were written"
            raise StorageFailed(path, problem, "make sure that the disk works and has room")

    def nearest(self, query: Vectors, size: int, count: int) -> npt.NDArray[np.intp]:
        """About the `count` nearest among the first `size` memories.

        As many more are fetched as are likely to be later than those.
        """
        wanted = min(self.size, int(count * _SPARE * max(1.0, self.size / max(1, size))) + 1)
        # `load_index` forgets it, and it must not be below what is asked for.
        self._index.set_ef(wanted)
        labels, _ = self._index.knn_query(query, k=wanted)
        found = labels[0].astype(np.intp)
        kept: npt.NDArray[np.intp] = np.sort(found[found < size])
        return kept
