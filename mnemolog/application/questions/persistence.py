"""Persistence of memories, and the other inputs of consolidation, read from the views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import apsw
import msgspec
import numpy as np

from mnemolog.application.home.elapsed import by_the_clock
from mnemolog.application.home.home import Home
from mnemolog.application.home.references import memory_named
from mnemolog.application.home.space import Cut, Space
from mnemolog.indexes.centrality import Centralities, centralities
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.errors import UnknownMemory
from mnemolog.ledger.events import Mark
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.settlement import CONTRADICTS
from mnemolog.policies.retention.consolidation import (
    GOAL_EDGES,
    LASTING_DAYS,
    MEANINGFUL,
    WORTH,
    Persistence,
    Signs,
    Standing,
    persistence,
)
from mnemolog.projections.conflicts import upheld_as_of
from mnemolog.projections.edges import joined_as_of
from mnemolog.projections.marks import marks_as_of
from mnemolog.projections.memory_queries import (
    MemoryRow,
    listed,
    rows_as_of,
    run_sizes,
    successions_as_of,
)
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.strengths import AccessCount, uses_as_of

_SUPPORTS = "SUPPORTS"
_NO_MARKS: frozenset[Mark] = frozenset()
_CORRECTION, _GOAL = "error_correction", "goal_progress"


def standings(
    home: Home, space: str, cut: Cut, rows: Sequence[MemoryRow]
) -> dict[MemoryId, Standing]:
    """Inputs of consolidation for memories of a space as of a moment; reads all of its edges."""
    now = by_the_clock(home, cut)
    before = Cut(home.log.position_at(_week_before(now)), _week_before(now))
    return home.views.read(lambda db: _standings(db, space, (now, before), rows))


def _week_before(cut: Cut) -> Micros:
    return Micros(max(0, cut.instant - int(LASTING_DAYS * DAY_US)))


def _standings(
    db: apsw.Connection, space: str, cuts: tuple[Cut, Cut], rows: Sequence[MemoryRow]
) -> dict[MemoryId, Standing]:
    now, before = cuts
    graph = _graph(db, space, now)
    state, then = _state(db, space, now), _state(db, space, before)
    # Lower bound of persistence since then: no later uses, and only pins that were kept.
    then = then._replace(pinned=then.pinned & state.pinned)
    marks = marks_as_of(db, space, now.position)
    talk = run_sizes(db, space, now.position)
    upheld = upheld_as_of(db, space, now.position)
    found = {}
    for row in rows:
        own, key = marks.get(row.memory, _NO_MARKS), bytes.fromhex(row.memory_id)
        for_goal = key in graph.goals
        signs = Signs(
            emphasised="emphasised" in own,
            corrects_error="corrects_error" in own or row.category == _CORRECTION,
            serves_goal="serves_goal" in own or row.category == _GOAL or for_goal,
            confirmed=row.memory_id in upheld or key in graph.supported,
            talk=max(0, talk.get(row.run or "", 1) - 1),
        )
        signs = graph.placed(row.memory_id, signs)
        present = state.used(row, signs, now.instant)
        kept = persistence(present)
        old = row.said_at <= before.instant and kept.value > WORTH
        found[row.memory_id] = Standing(
            signs=present,
            persistence=kept,
            edges=graph.meaningful[key],
            helped=for_goal or (signs.serves_goal and present.accesses > 0),
            lasted=persistence(then.used(row, signs, now.instant)).value if old else None,
        )
    return found


class _State(NamedTuple):
    """Successful recalls and pins as of one moment."""

    uses: dict[MemoryId, AccessCount]
    pinned: frozenset[MemoryId]

    def used(self, row: MemoryRow, signs: Signs, instant: int) -> Signs:
        """Signs of a memory, completed with its recalls and pin at an instant."""
        uses = self.uses.get(row.memory_id, AccessCount())
        last = row.said_at if uses.last_at is None else uses.last_at
        return msgspec.structs.replace(
            signs,
            accesses=uses.accesses,
            idle_days=max(0.0, (instant - last) / DAY_US),
            pinned=row.memory_id in self.pinned,
        )


def _state(db: apsw.Connection, space: str, cut: Cut) -> _State:
    pins = pins_as_of(db, space, cut.position)
    alive = (one for one, ends in pins.items() if ends is None or ends > cut.instant)
    return _State(uses_as_of(db, space, cut.position), frozenset(alive))


# -- the graph -------------------------------------------------------------------------


class _Graph(NamedTuple):
    """Measures of the graph of a space, by the ids of the memories that its edges join."""

    numbers: dict[bytes, int]
    central: Centralities
    meaningful: Counter[bytes]
    goals: set[bytes]
    supported: set[bytes]

    def placed(self, memory_id: MemoryId, signs: Signs) -> Signs:
        """Signs of a memory, completed with its degree and rank in the graph."""
        number = self.numbers.get(bytes.fromhex(memory_id))
        if number is None:
            return signs
        return msgspec.structs.replace(
            signs,
            degree=float(self.central.degrees[number]),
            rank=float(self.central.ranks[number]),
        )


def _graph(db: apsw.Connection, space: str, cut: Cut) -> _Graph:
    """Graph of a space as of a moment; edges of a superseded memory belong to its successor.

    Leaves out withdrawn and redacted memories, contradictions, and edges that do not hold
    at the instant or have no confidence.
    """
    by = successions_as_of(db, space, cut.position)
    out = {
        bytes.fromhex(row.memory_id)
        for row in listed(db, space, cut.position, ("withdrawn", "redacted"))
    }
    numbers: dict[bytes, int] = {}
    starts: list[int] = []
    ends: list[int] = []
    weights: list[float] = []
    meaningful: list[bytes] = []
    goals: set[bytes] = set()
    supported: set[bytes] = set()
    for source, target, kind, confidence, origin in joined_as_of(db, space, *cut):
        one, other = _newest(by, source), _newest(by, target)
        # Contradictions do not make a memory central.
        if kind == CONTRADICTS or one == other or one in out or other in out:
            continue
        starts.append(numbers.setdefault(one, len(numbers)))
        ends.append(numbers.setdefault(other, len(numbers)))
        weights.append(confidence)
        if confidence >= MEANINGFUL and origin != "speculative":
            meaningful += (one, other)
        if kind in GOAL_EDGES:
            goals |= {one, other}
        if kind == _SUPPORTS and origin == "verified":
            supported.add(other)
    central = centralities(
        np.array(starts, np.int64), np.array(ends, np.int64), np.array(weights, np.float64)
    )
    return _Graph(numbers, central, Counter(meaningful), goals, supported)


def _newest(by: Mapping[bytes, bytes], end: bytes) -> bytes:
    """Newest memory in the supersession chain of an edge's end, or the end itself."""
    while end in by:
        end = by[end]
    return end


def persistence_of(space: Space, reference: str) -> Persistence:
    """Persistence of a memory: how much it deserves to be kept, with the parts of this score.

    Raises `UnknownMemory` or `AmbiguousId`.
    """
    cut = space.cut()
    memory_id = memory_named(space, reference, cut)
    rows = space.home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
    if memory_id not in rows:
        raise UnknownMemory(reference, space.name)
    found = standings(space.home, space.name, cut, [rows[memory_id]])
    return found[memory_id].persistence
