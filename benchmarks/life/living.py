"""A made-up life as a home lives it: told, changed, asked and ticked, day by day."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.life.acts import Asked, Changed, Day
from mnemolog import Durability, Embedder, Health, InvalidState, Memory, MiniLM
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.ids import MemoryId

SPACE = "life"
LOST = frozenset({"tombstone", "redacted"})
"""The statuses of what recall can no longer answer with, for no reason but that it faded."""

_BEGIN = 1_767_225_600_000_000
_MINUTE_US = 60_000_000
_DAY_US = 86_400_000_000
_MORNING, _NOON, _AFTERNOON, _EVENING, _NIGHT = 8, 12, 14, 20, 27
"""The hours at which a day's things are told, changed, asked and settled, and of its tick."""

_ASIDE = 0.2
"""How often an answer rests on what came first as well, though it was not what was meant."""


class HandClock:
    """A clock that shows what it is set to."""

    def __init__(self) -> None:
        self.time = _BEGIN

    def now(self) -> Micros:
        """The present instant."""
        return Micros(self.time)

    def set(self, day: int, hour: float) -> None:
        """Show an hour of a day of the year."""
        self.time = _BEGIN + day * _DAY_US + int(hour * 60) * _MINUTE_US


class KnownVectors:
    """The built-in model, which embeds each text once for all homes."""

    def __init__(self) -> None:
        self._model = MiniLM()
        self._known: dict[str, npt.NDArray[np.float32]] = {}
        self.name, self.dimensions = self._model.name, self._model.dimensions

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._model.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


class Night(msgspec.Struct, frozen=True):
    """How a home was after the tick of a night, how long that took, and how many fell by it."""

    health: Health
    tick_s: float
    falls: int


class Living:
    """A life in one home, from its first day on.

    `nights` are those that have passed. Of what was asked, `found` says whether the
    answer was among the first ten, and `lost` names what was no longer there to find;
    `used` is the last day on which a memory was of use.
    """

    def __init__(self, home: Path, embedder: Embedder, speed: float) -> None:
        self._home = home
        self._embedder = embedder
        self._forgets = speed > 0
        self._clock = HandClock()
        self._ids: dict[int, MemoryId] = {}
        self.nights: list[Night] = []
        self.found: list[bool] = []
        self.lost: list[Asked] = []
        self.used: dict[MemoryId, int] = {}
        with self.opened("settings") as memory:
            # All five tiers, and no memory kept for what it says.
            every_tier = {"lowest_tier": "deleted", "recognise_lasting": False}
            memory.configure({"forgetting_speed": speed, **every_tier})

    def opened(self, run: str) -> Memory:
        """The home, in a session of its own."""
        return Memory.open(
            self._home,
            SPACE,
            actor="agent:assistant",
            run=run,
            clock=self._clock,
            durability=Durability.MAY_LOSE_LAST_MOMENTS,
            embedder=self._embedder,
        )

    def live(self, number: int, day: Day) -> None:
        """One day, and the tick of its night."""
        with self.opened(f"day-{number}") as memory:
            self._clock.set(number, _MORNING)
            told = [one.memory for one in day.told]
            receipts = memory.remember_many(told, contradictions="off")
            for one, receipt in zip(day.told, receipts, strict=True):
                self._ids[one.key] = MemoryId(str(receipt.memory_id))
            self._clock.set(number, _NOON)
            for changed in day.changed:
                self._ids[changed.key] = self._change(memory, changed)
            for pinned in day.pinned:
                until = None if pinned.days is None else _morning(number + pinned.days)
                memory.pin(self._ids[pinned.key], until=until)
            for place, asked in enumerate(day.asked):
                self._clock.set(number, _AFTERNOON + place / 30)
                self._ask(memory, asked, number, random.Random(f"{number} {place}"))
            self._clock.set(number, _EVENING)
            for conflict in memory.conflicts.list():
                memory.conflicts.settle(conflict.conflict_id, "new", reason="it was said last")
            self._clock.set(number, _NIGHT)
            self._sleep(memory)

    def _change(self, memory: Memory, changed: Changed) -> MemoryId:
        """Tell what is so no longer, in one of the ways; the memory that it becomes."""
        old = self._ids[changed.old]
        if changed.way == "plain" or memory.get(old).content is None:
            return MemoryId(str(memory.remember(changed.memory).memory_id))
        if changed.way == "correct":
            correction = memory.correct(changed.sentence)
            if correction.memory_id is not None and old in correction.retired:
                return correction.memory_id
        try:
            return MemoryId(str(memory.supersede(old, changed.memory).memory_id))
        except InvalidState:
            # A correction has found another one, and that has led to it.
            return MemoryId(str(memory.remember(changed.memory).memory_id))

    def _ask(self, memory: Memory, asked: Asked, day: int, chance: random.Random) -> None:
        """Ask, and report what the answer rested on."""
        gold = self._ids[asked.gold]
        hits = [hit.memory_id for hit in memory.recall(asked.question).hits]
        self.found.append(gold in hits)
        if memory.get(gold).status in LOST:
            self.lost.append(asked)
        used = [gold] if gold in hits else []
        if hits and hits[0] != gold and chance.random() < _ASIDE:
            used.append(hits[0])
        if used:
            memory.use(*used)
            self.used.update(dict.fromkeys(used, day))
            # At once, so that every run of the year is the same.
            memory.upkeep.write_uses()

    def _sleep(self, memory: Memory) -> None:
        start = time.perf_counter()
        falls = sum(memory.upkeep.tick(confirmed=True).falls.values()) if self._forgets else 0
        tick_s = time.perf_counter() - start
        self.nights.append(Night(memory.upkeep.health(), tick_s, falls))

    # -- at the end --------------------------------------------------------------------

    def became(self, keys: Iterable[int]) -> list[MemoryId]:
        """The memories that these keys became, each once."""
        return list(dict.fromkeys(self._ids[key] for key in keys))

    def lost_of(self, memory_ids: Sequence[MemoryId]) -> int:
        """How many of these memories have faded until recall could not answer with them."""
        with self.opened("end") as memory:
            return sum(memory.get(one).status in LOST for one in memory_ids)

    def ranks(self, questions: Sequence[Asked], min_relevance: float | None) -> list[int | None]:
        """Where among the first ten each question finds its answer, from 1; None if not there."""
        with self.opened("end") as memory:
            return [self._rank(memory, asked, min_relevance) for asked in questions]

    def _rank(self, memory: Memory, asked: Asked, min_relevance: float | None) -> int | None:
        hits = memory.recall(asked.question, min_relevance=min_relevance).hits
        ids = [hit.memory_id for hit in hits]
        gold = self._ids[asked.gold]
        return ids.index(gold) + 1 if gold in ids else None

    def bytes(self) -> dict[str, int]:
        """What the home's files take, by file."""
        with self.opened("end") as memory:
            return memory.upkeep.stats().bytes


def _morning(day: int) -> datetime:
    return to_datetime(Micros(_BEGIN + day * _DAY_US + _MORNING * 60 * _MINUTE_US))
