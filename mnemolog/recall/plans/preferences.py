"""Preferences: likes and dislikes of the user, compared with options."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.filters import Filter
from mnemolog.language.patterns import regex
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, proven
from mnemolog.recall.answers.items import parts
from mnemolog.recall.search.space_search import SpaceSearch

_CONSIDERED = 20
_DISLIKES = regex(
    r"\b(?:dislikes?|hates?|(?:do not|don't|does not|doesn't|not) (?:like|enjoy|want|care for)"
    r"|can't stand|cannot stand|detests?|loathes?|tired of|not a fan|rather not|no fan)\b",
    re.IGNORECASE,
)


def overlap_with_preferences(
    searches: Sequence[SpaceSearch], vectors: npt.NDArray[np.float32], log: Log
) -> npt.NDArray[np.float64]:
    """Similarity of each option to preferences, in [-1, 1]; negative if it is disliked.

    `vectors` are those of the goal and of the options, of shape (1 + options, dimensions).
    Compares the memories of kind `preference` that are nearest to the goal.
    """
    liked = np.zeros(len(vectors) - 1)
    disliked = np.zeros(len(vectors) - 1)
    for search in searches:
        ordinals = _nearest(search, vectors[0])
        positions = [Position(int(one)) for one in search.state.columns.positions(ordinals)]
        events = proven(log, positions)
        cosines = [search.state.vectors.cosines(one, ordinals) for one in vectors[1:]]
        for column, position in enumerate(positions):
            content = parts(events[position])[1] if position in events else None
            if content is None:
                continue
            against = _DISLIKES.search(content.text) is not None
            for row, cosine in enumerate(cosines):
                side = disliked if against else liked
                side[row] = max(side[row], float(cosine[column]))
    return np.clip(liked - disliked, -1.0, 1.0)


def _nearest(search: SpaceSearch, goal: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """Preferences in force that are nearest to a goal."""
    columns = search.state.columns
    matching = columns.matching(Filter(kinds=("preference",)), search.size)
    ordinals = np.flatnonzero(matching) if matching is not None else np.zeros(0, np.intp)
    kept = [
        index
        for index, position in enumerate(columns.positions(ordinals))
        if search.chains.standing(Position(int(position))) == position
    ]
    ordinals = ordinals[kept]
    if not len(ordinals):
        return ordinals
    cosines = search.state.vectors.cosines(goal, ordinals)
    nearest: npt.NDArray[np.intp] = ordinals[np.argsort(-cosines, kind="stable")[:_CONSIDERED]]
    return nearest
