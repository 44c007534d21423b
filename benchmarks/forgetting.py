"""What forgetting costs: a tick over a large space, and reporting what a recall was of use for.

    python -m benchmarks.forgetting [--work DIR] [--json] [--memories N]

The same number of memories falls in a large space and in a small one, tick by tick in
turns. Recalls are asked in turns with and without `use` of all that they gave, in the
home of 100,000 memories that `recalling` measures.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import mean

from benchmarks.recalling import Cue, built, opened
from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    milliseconds,
    percentile,
    ratio,
    show,
    spell,
    workplace,
)
from benchmarks.talk import Language
from mnemolog import Memory, NewMemory
from mnemolog.ledger.clock import Micros

LIMITS = (
    "ticks that destroy much text, which wait for readers to let go of it; several spaces; recalls "
    "by several askers; what strength does to the answers; a machine with nothing else to do."
)
_LARGE, _SMALL = 1_000_000, 1_000
_DUE = 100
_ROUNDS = 8
_TIMES = 5
_BATCH = 50_000
_BEGIN = 1_767_225_600_000_000
_DAY_US = 86_400_000_000
_UNTIL_ARCHIVED = 16
"""Days after which an episode of low importance has fallen: under 0.3 after 8.03, for 7 days."""

_RECALLED = 100_000
_TURNS = 8
_RECALLS_A_TURN = 400
"""So many take longer than uses wait to be written: some of it falls within every turn."""

_SLOWER = 1.25


class HandClock:
    """A clock that shows the day that it is set to."""

    def __init__(self) -> None:
        self.day = 0

    def now(self) -> Micros:
        """The beginning of the day."""
        return Micros(_BEGIN + self.day * _DAY_US)


def _home(path: Path, clock: HandClock) -> Memory:
    return Memory.open(path, "life", actor="user:dana", clock=clock)


def _filled(path: Path, memories: int) -> Path:
    """A home of so many memories, of which 100 fall on each of the days that are measured."""
    if (path / "complete").exists():
        return path
    shutil.rmtree(path, ignore_errors=True)
    clock = HandClock()
    with _home(path, clock) as memory:
        # Off as well: what is stored is made up, and would be embedded for it.
        memory.configure(
            {
                "recognise_constraints": False,
                "recognise_lasting": False,
                "contradictions": "off",
                "lowest_tier": "deleted",
            }
        )
        lasting = (f"Fact {number} holds for long" for number in range(memories - _due()))
        for batch in _batches(lasting):
            memory.remember_many(NewMemory(text, volatility="stable") for text in batch)
        for day in range(_ROUNDS + 1):
            clock.day = day
            memory.remember_many(
                NewMemory(f"Note {number} of day {day}", kind="episodic", importance="low")
                for number in range(_DUE)
            )
    (path / "complete").touch()
    return path


def _due() -> int:
    """How many memories fall in all rounds, the one that warms caches included."""
    return _DUE * (_ROUNDS + 1)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(itertools.islice(rest, _BATCH)):
        yield batch


class Ticker:
    """A copy of a home in which a day passes, and is ticked, at each call."""

    def __init__(self, home: Path, copy: Path) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
        self._clock = HandClock()
        self._clock.day = _ROUNDS
        self.memory = _home(copy, self._clock)
        self._next = _UNTIL_ARCHIVED

    def __call__(self) -> list[Spell]:
        """How long the tick of the next day took."""
        self._clock.day = self._next
        self._next += 1
        falls: list[int] = []
        taken = spell(
            lambda: falls.append(sum(self.memory.upkeep.tick(confirmed=True).falls.values()))
        )
        if falls != [_DUE]:
            raise RuntimeError(falls)
        return [taken]


def _ticks(work: Path, memories: int) -> list[Figure]:
    large = _filled(work / f"forgetting-{memories}", memories)
    small = _filled(work / f"forgetting-{_SMALL}", _SMALL)
    with ExitStack() as stack:
        tickers = {
            name: Ticker(home, work / f"forgetting-{name}")
            for name, home in (("large", large), ("small", small))
        }
        for ticker in tickers.values():
            stack.callback(ticker.memory.close)
        found = interleaved(_ROUNDS, tickers)
    for name in tickers:
        shutil.rmtree(work / f"forgetting-{name}")
    times = ratio(found["large"], found["small"])
    return [
        Figure(
            f"a tick over {memories:,} memories, {_DUE} due",
            milliseconds(found["large"]),
            f"{times:.2f} times {milliseconds(found['small'])} over {_SMALL:,}, {_DUE} due",
            f"<= {_TIMES} times",
            times <= _TIMES,
        )
    ]


def _recalls(work: Path) -> list[Figure]:
    language = Language()
    kept, home = built(work, language, _RECALLED), work / "forgetting-recalls"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(kept, home)
    texts = language.cues(200, seed=11)
    turns = itertools.cycle(zip(texts, language.embed(texts), strict=True))
    with opened(home, language) as memory:
        memory.upkeep.index()
        found = interleaved(
            _TURNS,
            {
                "plain": partial(_turn, memory, turns, _plain),
                "used": partial(_turn, memory, turns, _used),
            },
        )
    shutil.rmtree(home)
    plain, used = found["plain"], found["used"]
    times = ratio(used, plain)
    means = [mean(one.wall_s for one in spells) for spells in (used, plain)]
    tails = [1000 * percentile([one.wall_s for one in spells], 0.95) for spells in (used, plain)]
    return [
        Figure(
            f"recall from {_RECALLED:,} with use of all that it gave, p50",
            milliseconds(used),
            f"{times:.2f} times {milliseconds(plain)} without",
            f"<= {_SLOWER} times",
            times <= _SLOWER,
        ),
        Figure(
            "the same, mean",
            f"{1000 * means[0]:.2f} ms",
            f"{means[0] / means[1]:.2f} times {1000 * means[1]:.2f} ms without",
        ),
        Figure("the same, p95", f"{tails[0]:.2f} ms", f"{tails[1]:.2f} ms without"),
    ]


def _turn(
    memory: Memory, cues: Iterator[Cue], ask: Callable[[Memory, Cue], object]
) -> Sequence[Spell]:
    """How long the recalls of one turn took; what they left to write is not left to the next."""
    spells = [spell(partial(ask, memory, cue)) for cue in itertools.islice(cues, _RECALLS_A_TURN)]
    memory.upkeep.write_uses()
    _plain(memory, next(cues))
    return spells


def _plain(memory: Memory, cue: Cue) -> object:
    return memory.recall(cue[0], vector=cue[1])


def _used(memory: Memory, cue: Cue) -> object:
    hits = memory.recall(cue[0], vector=cue[1]).hits
    if hits:
        memory.use(*(hit.memory_id for hit in hits))
    return hits


def measure(work: Path, memories: int) -> Report:
    """All figures."""
    figures = [*_ticks(work, memories), *_recalls(work)]
    return Report("Forgetting", LIMITS, conditions(work), figures)


def main() -> None:
    """Measure and print the report."""
    parser = arguments("Measure ticks over a large space, and recalls that report their use.")
    parser.add_argument("--memories", type=int, default=_LARGE, help="of the large space")
    given = parser.parse_args()
    with workplace(given.work) as work:
        show(measure(work, given.memories), as_json=given.json)


if __name__ == "__main__":
    main()
