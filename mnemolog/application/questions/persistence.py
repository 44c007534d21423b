"""Persistence and associations of memories, and the other inputs of consolidation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import apsw
import numpy as np
from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space, by_the_clock, memory_named
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.graph import centralities
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.errors import UnknownMemory
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import proven
from mnemolog.policies.contradictions.judge import CONTRADICTS
from mnemolog.policies.retention import consolidation
from mnemolog.policies.retention.consolidation import Persistence, Signs, Standing
from mnemolog.projections import memory_queries
from mnemolog.projections.edges import joined_as_of
from mnemolog.projections.memories import upheld_as_of
from mnemolog.projections.memory_queries import MemoryRow
from mnemolog.projections.strengths import AccessCount, marks_as_of, pins_as_of, uses_as_of
from mnemolog.recall.answers import AsOf
from mnemolog.recall.items import parts
from mnemolog.recall.search.checks import checked_limit
from mnemolog.recall.search.space_search import Chains
from mnemolog.results import Results, Value


class Associate(Value, frozen=True):
    """Associated memory and the strength of its association, in (0, 1]."""

    memory_id: MemoryId
    content: str | None
    strength: float


class Associations(Results[Associate], frozen=True):
    """Associations of a memory as of a moment.

    `together` are memories that were found or used together with it, strongest first; each
    co-occurrence decays with a half-life of 30 days. `brings` are memories that recall adds to
    it, because it, or one that it superseded, led to them in at least two recall sessions.
    """

    _over = "together"

    memory_id: MemoryId
    together: tuple[Associate, ...]
    brings: tuple[MemoryId, ...]
    as_of: AsOf


def persistence_of(space: Space, reference: str) -> Persistence:
    """Persistence of a memory, with its parts. Raises `UnknownMemory`, `AmbiguousId`."""
    cut = space.cut()
    memory_id = memory_named(space, reference, cut)
    rows = space.home.views.read(
        lambda db: memory_queries.rows_as_of(db, [memory_id], cut.position)
    )
    if memory_id not in rows:
        raise UnknownMemory(reference, space.name)
    return standings(space.home, space.name, cut, [*rows.values()])[memory_id].persistence


def standings(
    home: Home, space: str, cut: Cut, rows: Sequence[MemoryRow]
) -> dict[MemoryId, Standing]:
    """Inputs of consolidation for memories of a space as of a moment; reads all of its edges."""
    now = by_the_clock(home, cut)
    week_ago = Micros(max(0, now.instant - int(consolidation.LASTING_DAYS * DAY_US)))
    before = Cut(home.log.position_at(week_ago), week_ago)
    return home.views.read(lambda db: _standings(db, space, now, before, rows))


def _standings(
    db: apsw.Connection, space: str, now: Cut, before: Cut, rows: Sequence[MemoryRow]
) -> dict[MemoryId, Standing]:
    graph = _graph(db, space, now)
    state, then = _state(db, space, now), _state(db, space, before)
    # Lower bound of persistence since then: no later uses, and only pins that were kept.
    then = then._replace(pinned=then.pinned & state.pinned)
    marks = marks_as_of(db, space, now.position)
    talk = memory_queries.run_sizes(db, space, now.position)
    upheld = upheld_as_of(db, space, now.position)
    found = {}
    for row in rows:
        own, key = marks.get(row.memory, ()), bytes.fromhex(row.memory_id)
        degree, rank = graph.measures.get(key, (0.0, 0.0))
        for_goal = key in graph.goals
        signs = Signs(
            emphasised="emphasised" in own,
            corrects_error="corrects_error" in own or row.category == "error_correction",
            serves_goal="serves_goal" in own or row.category == "goal_progress" or for_goal,
            confirmed=row.memory_id in upheld or key in graph.supported,
            talk=max(0, talk.get(row.run or "", 1) - 1),
            degree=degree,
            rank=rank,
        )
        present = state.used(row, signs, now.instant)
        kept = consolidation.persistence(present)
        old = row.said_at <= before.instant and kept.value > consolidation.WORTH
        lasted = consolidation.persistence(then.used(row, signs, now.instant)) if old else None
        found[row.memory_id] = Standing(
            signs=present,
            persistence=kept,
            edges=graph.meaningful[key],
            helped=for_goal or (signs.serves_goal and present.accesses > 0),
            lasted=None if lasted is None else lasted.value,
        )
    return found


class _State(NamedTuple):
    uses: dict[MemoryId, AccessCount]
    pinned: frozenset[MemoryId]

    def used(self, row: MemoryRow, signs: Signs, instant: int) -> Signs:
        """Signs of a memory, completed with its recalls and pin at an instant."""
        uses = self.uses.get(row.memory_id, AccessCount())
        last = row.said_at if uses.last_at is None else uses.last_at
        return replace(
            signs,
            accesses=uses.accesses,
            idle_days=max(0.0, (instant - last) / DAY_US),
            pinned=row.memory_id in self.pinned,
        )


def _state(db: apsw.Connection, space: str, cut: Cut) -> _State:
    pins = pins_as_of(db, space, cut.position)
    alive = (one for one, ends in pins.items() if ends is None or ends > cut.instant)
    return _State(uses_as_of(db, space, cut.position), frozenset(alive))


class _Graph(NamedTuple):
    measures: dict[bytes, tuple[float, float]]  # degree and rank
    meaningful: Counter[bytes]
    goals: set[bytes]
    supported: set[bytes]


def _graph(db: apsw.Connection, space: str, cut: Cut) -> _Graph:
    """Graph of a space as of a moment; edges of a superseded memory belong to its successor.

    Leaves out withdrawn and redacted memories, contradictions, and edges that do not hold.
    """
    by = memory_queries.successions_as_of(db, space, cut.position)
    gone = memory_queries.listed(db, space, cut.position, ("withdrawn", "redacted"))
    out = {bytes.fromhex(row.memory_id) for row in gone}
    numbers: dict[bytes, int] = {}
    joined: list[tuple[int, int, float]] = []
    meaningful: Counter[bytes] = Counter()
    goals: set[bytes] = set()
    supported: set[bytes] = set()
    for source, target, kind, confidence, origin in joined_as_of(db, space, *cut):
        one, other = _newest(by, source), _newest(by, target)
        # Contradictions do not make a memory central.
        if kind == CONTRADICTS or one == other or one in out or other in out:
            continue
        begin, end = (numbers.setdefault(each, len(numbers)) for each in (one, other))
        joined.append((begin, end, confidence))
        if confidence >= consolidation.MEANINGFUL and origin != "speculative":
            meaningful.update((one, other))
        if kind in consolidation.GOAL_EDGES:
            goals |= {one, other}
        if kind == "SUPPORTS" and origin == "verified":
            supported.add(other)
    starts, ends, weights = zip(*joined, strict=True) if joined else ((), (), ())
    nodes = np.array(starts, np.int64), np.array(ends, np.int64)
    central = centralities(*nodes, np.array(weights, np.float64))
    measures = zip(central.degrees.tolist(), central.ranks.tolist(), strict=True)
    return _Graph(dict(zip(numbers, measures, strict=True)), meaningful, goals, supported)


def _newest(by: Mapping[bytes, bytes], end: bytes) -> bytes:
    while end in by:
        end = by[end]
    return end


# -- associations ----------------------------------------------------------------------


def associations(space: Space, reference: str, *, limit: int = 50) -> Associations:
    """At most `limit` associations of a memory. Raises `UnknownMemory`, `AmbiguousId`."""
    wanted, cut, log = checked_limit(limit), space.cut(), space.home.log
    memory_id = memory_named(space, reference, cut)
    state = space.home.index(space.name).words_at(cut.position, 0)
    columns = state.columns
    position = log.concerning(memory_id)[0].position
    ordinal = columns.ordinal(position)
    horizon = Horizon(cut.position, cut.instant, columns.size(cut.position))
    known = zip(*state.lessons.associated([(ordinal, 1.0)], horizon), strict=True)
    pairs = [(int(one), float(strength)) for one, strength in known]
    best = sorted(pairs, key=lambda one: (-one[1], one[0]))[:wanted]
    trail = Chains(columns, cut.position, cut.instant, horizon.size, None).trail(position)
    sparks = [ordinal, *map(columns.ordinal, trail)]
    hooked = state.lessons.hooked(sparks, cut.position)
    brings = list(dict.fromkeys(found for _, found in hooked))
    ordinals = [*(one for one, _ in best), *brings]
    at = columns.positions(np.array(ordinals, np.intp)).tolist()
    by_position = dict(zip(map(Position, at), ordinals, strict=True))
    items: dict[int, tuple[MemoryId, str | None]] = {}
    for where, event in proven(log, by_position).items():
        _, content = parts(event)
        text = None if content is None else content.text
        items[by_position[where]] = (MemoryId(event.event_id), text)
    together = (Associate(*items[one], round(s, 6)) for one, s in best if one in items)
    brought = tuple(items[one][0] for one in brings if one in items)
    as_of = AsOf(cut.position, to_datetime(cut.instant))
    return Associations(memory_id, tuple(together), brought, as_of)
