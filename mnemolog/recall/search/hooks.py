"""What is brought along because it was found through what is recalled, more than once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mnemolog.recall.search.space_search import Ranked, SpaceSearch

LIMIT = 3
"""How many memories are brought along with a recall."""


def brought_along(searches: Sequence[SpaceSearch], ranked: Sequence[Ranked]) -> list[Ranked]:
    """What memories that were recalled bring along, and is not among them; the best one's first.

    They also bring what those that they superseded led to. `found` of each is the
    one that brings it, whose relevance it has.
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
