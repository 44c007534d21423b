"""Steering a search by votes on what it found: nearer to some memories, away from others."""

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
"""The votes that say where to look, and what each counts."""

_AWAY: Mapping[Vote, float] = {"cold": 0.3, "wrong": 0.6}
_REACH = 3
"""How far around a memory its talk is looked at, in memories."""

_FURTHER = 0.7
"""What a memory counts of the one that is a step nearer to what was voted for."""


class Steering(msgspec.Struct, frozen=True):
    """What votes made of a question.

    `origin` is the unit vector of the query itself, `toward` the memories that were hot or
    warm; what is in `stays` comes first, however it ranks, and what is in `judged` does not
    come back.
    """

    origin: Vector
    toward: frozenset[Position] = frozenset()
    stays: frozenset[Position] = frozenset()
    judged: frozenset[Position] = frozenset()


def refined(origin: Vector, votes: Sequence[tuple[Vote, Vector]]) -> Vector:
    """Where to search after votes on memories with these unit vectors, as a unit vector.

    The anchor is the mean of what was hot (weight 1) and warm (0.4), or else the query
    itself; from it, 0.3 of the mean of what was cold and 0.6 of the mean of what was wrong
    are taken away (SPEC §8.3; after Rocchio 1971).
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
    # Votes may cancel one another out: then the query stands as it was.
    return (anchor / length).astype(np.float32) if length > 0 else origin


def nearby(columns: Columns, toward: Sequence[Position], size: int) -> tuple[Ordinals, Floats]:
    """The memories that were said just before or after some, ascending, and how near: 1 beside.

    Those themselves are among them.
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
    """The memories that are reached step by step, as far as the talk is looked at."""
    found: list[int] = []
    while len(found) < _REACH and ordinal != NOBODY:
        ordinal = int(step(np.array([ordinal]))[0])
        found += [ordinal] * (ordinal != NOBODY)
    return found
