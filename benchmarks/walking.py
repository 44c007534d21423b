"""How fast names are drawn from texts, and how fast the graph of a large space is walked.

    python -m benchmarks.walking [--work DIR] [--json]

The texts are the made-up ones with made-up names put into them, two in each on
average; how often a name is said follows Zipf's law.
"""

from __future__ import annotations

import itertools
import random
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    milliseconds,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.talk import TALK_TEXTS, Language
from mnemolog import Durability, Memory, NewMemory
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.space_state import State
from mnemolog.language.entities import entities
from mnemolog.language.relations import relations
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.graph_walk import walk

LIMITS = (
    "what a walk adds to answers; names as they are spread over real talk; edges that users make, "
    "of which a space has few; a machine with nothing else to do."
)
MEMORIES = 100_000
_NAMES = 15_000
_SEEDS = 64
_ROUNDS = 40
_TARGET_S = 0.0015
_TEXTS = 2_000


class NamedTalk:
    """Talk with names in it, always the same."""

    def __init__(self, language: Language) -> None:
        self._language = language
        chance = random.Random(5)
        syllables = ("ka", "lo", "mi", "ren", "sha", "tor", "ve", "zu", "bel", "dri", "fen", "gus")
        self._names = sorted(
            {"".join(chance.choices(syllables, k=4)).title() for _ in range(3 * _NAMES)}
        )
        chance.shuffle(self._names)
        self._cumulative = list(
            itertools.accumulate(1 / rank for rank in range(1, len(self._names) + 1))
        )

    def talk(self, number: int) -> list[str]:
        """The texts of one talk."""
        chance = random.Random(f"names {number}")
        texts = []
        for said in self._language.talk(number):
            words = said.text.split()
            count = chance.randint(0, 4)
            for name in chance.choices(self._names, cum_weights=self._cumulative, k=count):
                words.insert(chance.randint(1, len(words) - 1), name)
            texts.append(" ".join(words))
        return texts


def built(work: Path, language: Language, talk: NamedTalk) -> Path:
    """A home of 100,000 memories, kept for the next run."""
    home = work / f"walking-{MEMORIES}"
    if (home / "complete").exists():
        return home
    with Memory.open(
        home,
        actor="user:dana",
        durability=Durability.MAY_LOSE_LAST_MOMENTS,
        embedder=language,
    ) as memory:
        for number in range(MEMORIES // TALK_TEXTS):
            memory.remember_many([NewMemory(text) for text in talk.talk(number)])
        memory.upkeep.index()
    (home / "complete").touch()
    return home


def walked(state: State, size: int, chance: random.Random) -> list[Spell]:
    """How long one walk from random seeds took."""
    position = Position(int(state.columns.positions(np.array([size - 1]))[0]))
    seeds = np.array(chance.sample(range(size), _SEEDS))
    weights = 1.0 / (60 + np.arange(_SEEDS))
    horizon = Horizon(position, 0, size)
    return [spell(partial(walk, state, seeds, weights, horizon))]


def measure(work: Path) -> Report:
    """All figures."""
    language = Language()
    talk = NamedTalk(language)
    plain = [said.text for number in range(_TEXTS // TALK_TEXTS) for said in language.talk(number)]
    named = [text for number in range(_TEXTS // TALK_TEXTS) for text in talk.talk(number)]

    def drawn(texts: list[str]) -> list[Spell]:
        return [spell(lambda: [(entities(text), relations(text)) for text in texts])]

    with Memory.open(built(work, language, talk), embedder=language) as memory:
        memory.upkeep.index()
        state = memory._space.home.index(memory.space).at(memory._space.home.head())  # noqa: SLF001 - the index
        size = len(state.columns)
        found = interleaved(
            _ROUNDS,
            {
                "now": partial(walked, state, size, random.Random(1)),
                "then": partial(walked, state, size // 2, random.Random(2)),
                "plain": partial(drawn, plain),
                "named": partial(drawn, named),
            },
        )
    per_text = {
        name: f"{1e6 * wall_s(found[name]) / _TEXTS:.0f} µs a text" for name in ("plain", "named")
    }
    met = wall_s(found["now"]) <= _TARGET_S
    figures = [
        Figure(f"a walk over {size:,} memories", milliseconds(found["now"]), "", "<= 1.5 ms", met),
        Figure("the same as of half-way", milliseconds(found["then"])),
        Figure("names and relations of a text", per_text["named"], f"{per_text['plain']} unnamed"),
    ]
    return Report("Walking", LIMITS, conditions(work), figures)


def main() -> None:
    """Measure and print the report."""
    given = arguments("Measure walks over the graph of a space.").parse_args()
    with workplace(given.work) as work:
        show(measure(work), as_json=given.json)


if __name__ == "__main__":
    main()
