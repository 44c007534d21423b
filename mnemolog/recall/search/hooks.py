"""Associated memories: those that recalled memories led to in at least two earlier sessions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mnemolog.recall.search.space_search import Ranked, SpaceSearch

LIMIT = 3
"""Most associated memories that are added to a recall."""


def brought_along(searches: Sequence[SpaceSearch], ranked: Sequence[Ranked]) -> list[Ranked]:
    """Memories that recalled ones led to in earlier sessions, in the order of the hits.

    Memories that a hit supersedes count as the hit. `found` of each is the hit that led to
    it; its relevance is that of the hit.
    """
    by_space = {search.space: search for search in searches}
    recalled = {(one.space, one.memory) for one in ranked}
    brought: list[Ranked] = []
    for one in ranked:
        search = by_space[one.space]
        columns = search.state.columns
        sparks = [columns.ordinal(memory) for memory in (one.memory, *one.trail)]
        for _, ordinal in search.state.lessons.hooked(sparks, search.position):
            if len(brought) == LIMIT:
                return brought
            memory = search.answer_at(ordinal)
            if memory is not None and (one.space, memory) not in recalled:
                recalled.add((one.space, memory))
                shown = np.array([columns.ordinal(memory)])
                brought.append(
                    Ranked(
                        space=one.space,
                        memory=memory,
                        found=one.memory,
                        pinned=search.is_pinned(memory),
                        time=int(columns.times(shown)[0]),
                        score=one.score,
                        relevance=one.relevance,
                        ranks={},
                        scores={},
                        matched=(),
                        note=search.chains.note(memory),
                        trail=tuple(search.chains.trail(memory)),
                    )
                )
    return brought
