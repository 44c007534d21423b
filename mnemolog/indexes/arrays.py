"""Arrays that grow, in memory or behind those of a file that is mapped into memory."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.mapping import mapped

_Scalar = TypeVar("_Scalar", bound=np.generic)

Ordinals = npt.NDArray[np.integer]
AnyArray = npt.NDArray[np.generic]

_FIRST_CAPACITY = 1024
_ALIGNMENT = 65_536  # Bytes; a multiple of the page sizes in use
_MAPPED_FROM = _ALIGNMENT  # Bytes from which an array is mapped, smaller ones are read
_ROOM = 1 << 20  # Rows that can be added behind a mapped array before it is copied


class GrowingArray(Generic[_Scalar]):
    """Rows of one type, added behind views that stay valid; a row costs O(1) on average."""

    def __init__(
        self, dtype: type[_Scalar], width: int | None = None, rows: npt.ArrayLike = ()
    ) -> None:
        self._shape = () if width is None else (width,)
        self._rows: npt.NDArray[_Scalar] = np.empty((_FIRST_CAPACITY, *self._shape), dtype)
        self._size = 0
        self.extend(rows)

    def __len__(self) -> int:
        return self._size

    @property
    def rows(self) -> npt.NDArray[_Scalar]:
        """A view of what is there."""
        return self._rows[: self._size]

    def __getitem__(self, places: slice | Ordinals) -> npt.NDArray[_Scalar]:
        found: npt.NDArray[_Scalar] = self._rows[: self._size][places]
        return found

    def extend(self, rows: npt.ArrayLike) -> None:
        """Add rows at the end."""
        added = np.asarray(rows, self._rows.dtype).reshape(-1, *self._shape)
        needed = self._size + len(added)
        if needed > len(self._rows):
            grown = np.empty((max(needed, 2 * len(self._rows)), *self._shape), self._rows.dtype)
            grown[: self._size] = self._rows[: self._size]
            self._rows = grown
        self._rows[self._size : needed] = added
        self._size = needed

    def begin_with(self, capacity: npt.NDArray[_Scalar], size: int) -> None:
        """Take an array in the place of all rows: `size` rows, and room for more behind them."""
        self._rows, self._size = capacity, size


class ArrayPlace(msgspec.Struct, frozen=True, array_like=True):
    """Place of an array in a file: its type as numpy spells it, shape, and first byte."""

    dtype: str
    shape: list[int]
    offset: int


class StoredArrays:
    """Arrays of a file by name; those that are not there are empty."""

    def __init__(self, held: Mapping[str, tuple[AnyArray, int]] | None = None) -> None:
        self._held = held or {}

    def __getitem__(self, name: str) -> AnyArray:
        rows, size = self._held[name]
        return rows[:size]

    def growing(
        self, name: str, dtype: type[_Scalar], width: int | None = None
    ) -> GrowingArray[_Scalar]:
        """Growing array that begins with a stored one, which is then its own."""
        array = GrowingArray(dtype, width)
        if name in self._held:
            rows, size = self._held[name]
            array.begin_with(rows.view(dtype), size)
        return array


def write_arrays(file: IO[bytes], arrays: Mapping[str, AnyArray]) -> dict[str, ArrayPlace]:
    """Write arrays into a file from its beginning; the place of each. Raises `OSError`."""
    places = {}
    offset = 0
    # The large ones first, so that few bytes are lost to alignment.
    for name, array in sorted(arrays.items(), key=lambda item: -item[1].nbytes):
        whole = np.ascontiguousarray(array)
        if whole.nbytes >= _MAPPED_FROM:
            gap = -offset % _ALIGNMENT
            file.write(bytes(gap))
            offset += gap
        places[name] = ArrayPlace(whole.dtype.str, list(whole.shape), offset)
        file.write(whole.data)
        offset += whole.nbytes
    return places


def read_arrays(path: Path, places: Mapping[str, ArrayPlace]) -> StoredArrays:
    """Arrays of a file that must stay as long as it is; large ones are mapped, not read.

    Raises `OSError`, and `ValueError` if the file is too short.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return StoredArrays(dict(_arrays_of(file, places, size)))


def _arrays_of(
    file: IO[bytes], places: Mapping[str, ArrayPlace], size: int
) -> Iterator[tuple[str, tuple[AnyArray, int]]]:
    for name, place in places.items():
        dtype, count = np.dtype(place.dtype), place.shape[0]
        row_bytes = dtype.itemsize * int(np.prod(place.shape[1:]))
        length = count * row_bytes
        if place.offset + length > size:
            raise ValueError(f"{name} ends beyond the file's {size:,} bytes")
        if length >= _MAPPED_FROM:
            held = mapped(file.fileno(), place.offset, length, _ROOM * row_bytes)
            rows = np.frombuffer(memoryview(held), dtype)
        else:
            file.seek(place.offset)
            rows = np.frombuffer(bytearray(file.read(length)), dtype)
        yield name, (rows.reshape(-1, *place.shape[1:]), count)
