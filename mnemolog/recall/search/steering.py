"""Steering of a search by votes on its hits: toward some memories, away from others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.match import Floats, Ordinals, Vector

TOWARD: Mapping[Vote, float] = {"hot": 1.0, "warm": 0.4}
"""Votes that attract the search, and the weight of each."""

_AWAY: Mapping[Vote, float] = {"cold": 0.3, "wrong": 0.6}
_REACH = 3
"""Neighbours considered on each side of a memory in its conversation."""

_FURTHER = 0.7
"""Factor by which nearness decreases with each step away from a voted memory."""


class Steering(msgspec.Struct, frozen=True):
    """Result of votes on a question's earlier hits.

    `origin` is the unit vector of the query itself, `toward` the memories voted hot or warm.
    Memories in `stays` come first, whatever their rank; those in `judged` are left out.
    """

    origin: Vector
    toward: frozenset[Position] = frozenset()
    stays: frozenset[Position] = frozenset()
    judged: frozenset[Position] = frozenset()


def refined(origin: Vector, votes: Sequence[tuple[Vote, Vector]]) -> Vector:
    """Query vector after votes on memories with these unit vectors, as a unit vector.

    The anchor is the mean of the hot (weight 1) and warm (0.4) vectors, or else the query
    itself. It is reduced by 0.3 of the mean of the cold vectors and 0.6 of the mean of the
    wrong ones (SPEC §8.3; after Rocchio 1971).
    """
    for_it = [(TOWARD[vote], vector) for vote, vector in votes if vote in TOWARD]
    anchor = origin.astype(np.float64)
    if for_it:
        weights, vectors = zip(*for_it, strict=True)
        anchor = np.average(np.stack(vectors), axis=0, weights=weights)
    for vote, share in _AWAY.items():
        against = [vector for given, vector in votes if given == vote]
        if against:
            anchor -= share * np.mean(against, axis=0)
    length = float(np.linalg.norm(anchor))
    # Votes may cancel one another out; the query then stays unchanged.
    return (anchor / length).astype(np.float32) if length > 0 else origin


def nearby(columns: Columns, toward: Sequence[Position], size: int) -> tuple[Ordinals, Floats]:
    """Voted memories and their neighbours in conversation, ascending, with their nearness.

    Nearness is 1 for the voted memories and those next to them.
    """
    found: dict[int, float] = {}
    for position in toward:
        here = columns.ordinal(position)
        if here == NOBODY or here >= size:
            continue
        found[here] = 1.0
        for step in (columns.previous, partial(columns.following, size=size)):
            for further, ordinal in enumerate(_along(step, here)):
                found[ordinal] = max(found.get(ordinal, 0.0), _FURTHER**further)
    ordinals = sorted(found)
    return np.array(ordinals, np.intp), np.array([found[one] for one in ordinals])


def _along(step: Callable[[Ordinals], npt.NDArray[np.int32]], ordinal: int) -> list[int]:
    """Ordinals reached step by step, at most `_REACH`."""
    found: list[int] = []
    while len(found) < _REACH and ordinal != NOBODY:
        ordinal = int(step(np.array([ordinal]))[0])
        found += [ordinal] * (ordinal != NOBODY)
    return found
