"""Arrays that grow at the end while readers hold on to what they saw, and changes in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.ledger.ids import Position

_Scalar = TypeVar("_Scalar", bound=np.generic)

Ordinals = npt.NDArray[np.integer]
Selection = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]

NOBODY = -1
"""Stands for 'none' where an ordinal or a name's number is expected."""

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


class Names:
    """Strings as small numbers, in order of first use; `NOBODY` is none."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = list(known)
        self._codes = {name: code for code, name in enumerate(self.known)}

    def find(self, name: str) -> int | None:
        """The number of a name; None if it is new."""
        return self._codes.get(name)

    def code(self, name: str | None) -> int:
        """The number of a name, a new one if it is new."""
        if name is None:
            return NOBODY
        code = self._codes.get(name)
        if code is None:
            self.known.append(name)
            code = self._codes[name] = len(self.known) - 1
        return code


class LastChanges(msgspec.Struct, frozen=True):
    """The changed memories among the first `changes` changes, by ordinal, ascending.

    `rows` are the places of their last changes.
    """

    changes: int
    ordinals: Selection
    rows: Selection

    def of(self, ordinals: Ordinals) -> tuple[Mask, Selection]:
        """A mask of the changed ones among these memories, and the rows of their last changes."""
        if not len(self.ordinals):
            return np.zeros(len(ordinals), np.bool_), self.rows
        places = self.ordinals.searchsorted(ordinals)
        places[places == len(self.ordinals)] = 0
        changed = self.ordinals[places] == ordinals
        return changed, self.rows[places[changed]]


class ChangeLog:
    """Positions and ordinals of changes; their values lie in arrays of the same rows."""

    def __init__(self) -> None:
        self._ordinals = GrowingArray(np.int32)
        self._at = GrowingArray(np.int64)
        self._known: LastChanges | None = None

    def extend(self, ordinals: npt.ArrayLike, at: npt.ArrayLike) -> None:
        """Note the next changes, in order of position; their values must be there already."""
        self._ordinals.extend(ordinals)
        # Last: readers in other threads go by the number of positions.
        self._at.extend(at)

    def has_later(self, position: Position) -> bool:
        """True if anything changed after a position."""
        at = self._at.rows
        return bool(len(at)) and bool(at[-1] > position)

    def as_of(self, position: Position) -> LastChanges:
        """The last changes up to a position."""
        changes = int(self._at.rows.searchsorted(position, side="right"))
        known = self._known
        if known is None or known.changes != changes:
            # Reversed, so that the first place of an ordinal is its last change.
            ordinals, last = np.unique(self._ordinals[:changes][::-1], return_index=True)
            known = LastChanges(changes, ordinals.astype(np.intp), changes - 1 - last)
            self._known = known
        return known
