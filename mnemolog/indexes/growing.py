"""Arrays that grow at the end while readers hold on to what they saw."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

_Scalar = TypeVar("_Scalar", bound=np.generic)
_FIRST_CAPACITY = 1024


class GrowingArray(Generic[_Scalar]):
    """Rows of one type; growing copies to twice the room, so that a row costs O(1) on average.

    A view taken earlier stays valid: rows are only added behind it.
    """

    def __init__(self, dtype: type[_Scalar], width: int | None = None) -> None:
        self._shape = () if width is None else (width,)
        self._rows: npt.NDArray[_Scalar] = np.empty((_FIRST_CAPACITY, *self._shape), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def rows(self) -> npt.NDArray[_Scalar]:
        """A view of what is there."""
        return self._rows[: self._size]

    def at(self, places: npt.NDArray[np.integer]) -> npt.NDArray[_Scalar]:
        """The rows at these places, copied."""
        found: npt.NDArray[_Scalar] = self.rows[places]
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
