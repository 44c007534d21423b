"""What a name is known to be: aliases and kinds, from edges and from what memories say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from indexes.horizon import Horizon
from ledger.events import EdgeOrigin
from ledger.ids import Position

if TYPE_CHECKING:
    from indexes.space_index import State

KIND_TYPES = frozenset({"ALIAS_OF", "SAME_AS", "IS_A", "INSTANCE_OF"})
"""The types of edges that say what a thing is; aliases count in both directions."""


class Step(msgspec.Struct, frozen=True):
    """One edge on the way from a name to a kind, and what it is known by.

    `evidence` is the position of the memory that says so (`origin` is then
    `drawn`) or of the event that made the edge.
    """

    source: str
    type: str
    target: str
    evidence: Position
    origin: EdgeOrigin | Literal["drawn"]


class KnownKind(msgspec.Struct, frozen=True):
    """Something that a name is known to be, with the shortest way there."""

    name: str
    path: tuple[Step, ...]


def entity_holders(state: State, name: str, size: int) -> npt.NDArray[np.int32]:
    """Those of the first `size` memories whose text names an entity, ascending."""
    del state, name, size
    return np.zeros(0, np.int32)


def knows(state: State, name: str, size: int) -> bool:
    """Whether one of the first `size` memories names an entity."""
    return len(entity_holders(state, name, size)) > 0


def kinds_of(
    state: State, name: str, horizon: Horizon, types: frozenset[str] = KIND_TYPES
) -> tuple[KnownKind, ...]:
    """Everything that a name is known to be, nearest first; the name itself is not among it.

    Follows edges of these types (add `CONTAINS` for what a thing is made of)
    transitively, those that were made and those drawn from memories that stand.
    """
    del state, name, horizon, types
    return ()
