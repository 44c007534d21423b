"""Associations of a memory: memories used together with it, and memories it adds to a recall."""

from __future__ import annotations

import numpy as np

from mnemolog.application.home.references import memory_named
from mnemolog.application.home.space import Space
from mnemolog.indexes.horizon import Horizon
from mnemolog.indexes.space_state import State
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import proven
from mnemolog.recall.answers.answers import AsOf
from mnemolog.recall.answers.items import parts
from mnemolog.recall.search.chains import Chains
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Results, Value

_DECIMALS = 6


class Associate(Value, frozen=True):
    """Associated memory and the strength of its association, in (0, 1]."""

    memory_id: MemoryId
    content: str | None
    strength: float


class Associations(Results[Associate], frozen=True):
    """Associations of a memory as of a moment.

    `together` are memories that were found or used together with it, strongest first; each
    co-occurrence decays with a half-life of 30 days. `brings` are memories that recall adds
    when it finds this one, because this memory, or one that it superseded, led to them as a
    spark in at least two recall sessions.
    """

    _over = "together"

    memory_id: MemoryId
    together: tuple[Associate, ...]
    brings: tuple[MemoryId, ...]
    as_of: AsOf


def associations(space: Space, reference: str, *, limit: int = 50) -> Associations:
    """Associations of a memory; `together` holds at most `limit` memories.

    Raises `UnknownMemory` or `AmbiguousId`.
    """
    wanted, cut = checked_limit(limit), space.cut()
    memory_id = memory_named(space, reference, cut)
    state = space.home.index(space.name).words_at(cut.position, 0)
    position = space.home.log.concerning(memory_id)[0].position
    ordinal = state.columns.ordinal(position)
    horizon = Horizon(cut.position, cut.instant, state.columns.size(cut.position))
    known = zip(*state.lessons.associated([(ordinal, 1.0)], horizon), strict=True)
    best = sorted(known, key=lambda one: (-one[1], one[0]))[:wanted]
    trail = Chains(state.columns, cut.position, cut.instant, horizon.size, None).trail(position)
    sparks = [ordinal, *map(state.columns.ordinal, trail)]
    hooked = state.lessons.hooked(sparks, cut.position)
    brings = list(dict.fromkeys(found for _, found in hooked))
    items = _by_ordinal(space, state, [*(int(one) for one, _ in best), *brings])
    return Associations(
        memory_id,
        tuple(
            Associate(*items[int(one)], round(float(strength), _DECIMALS))
            for one, strength in best
            if int(one) in items
        ),
        tuple(items[one][0] for one in brings if one in items),
        AsOf(cut.position, to_datetime(cut.instant)),
    )


def _by_ordinal(
    space: Space, state: State, ordinals: list[int]
) -> dict[int, tuple[MemoryId, str | None]]:
    """Ids and contents of memories by ordinal."""
    at = state.columns.positions(np.array(ordinals, np.intp)).tolist()
    positions = dict(zip(map(Position, at), ordinals, strict=True))
    found = {}
    for position, event in proven(space.home.log, positions).items():
        _, content = parts(event)
        found[positions[position]] = (
            MemoryId(event.event_id), None if content is None else content.text,
        )  # fmt: skip
    return found
