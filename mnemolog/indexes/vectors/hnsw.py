"""Graph of near vectors (HNSW), and its file."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import Selection
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import create_private

if TYPE_CHECKING:
    import hnswlib

Vectors = npt.NDArray[np.float32]

_LINKS, _BREADTH_BUILDING = 16, 200
_SEED = 20260301
_SPARE = 1.2
_PROBED_BYTES = 1 << 20


class HnswGraph:
    """An HNSW graph over the vectors of ordinals 0 to `size` - 1, its labels; for one thread."""

    def __init__(self, index: hnswlib.Index, size: int) -> None:
        self._index = index
        self.size = size

    @classmethod
    def build(cls, vectors: Vectors) -> HnswGraph:
        """A graph over unit vectors, of shape (memories, dimensions)."""
        from hnswlib import Index  # noqa: PLC0415 - only very large spaces need it

        size, dimensions = vectors.shape
        index = Index("ip", dimensions)
        # With one thread and a fixed seed the same vectors give the same graph.
        index.init_index(size, ef_construction=_BREADTH_BUILDING, M=_LINKS, random_seed=_SEED)
        index.set_num_threads(1)
        index.add_items(vectors, np.arange(size))
        return cls(index, size)

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

    def nearest(self, query: Vectors, size: int, count: int) -> Selection:
        """About the `count` nearest among the first `size` memories, ascending."""
        # As many more are fetched as are likely to be later than those.
        wanted = min(self.size, int(count * _SPARE * max(1.0, self.size / max(1, size))) + 1)
        # `load_index` forgets it, and it must not be below what is asked for.
        self._index.set_ef(wanted)
        labels, _ = self._index.knn_query(query, k=wanted)
        found = labels[0].astype(np.intp)
        kept: Selection = np.sort(found[found < size])
        return kept
