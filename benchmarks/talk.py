"""Made-up talk to measure with: texts that look like talk to a search, and vectors for them.

Real texts would do as well, but a hundred thousand of them take the real model
a quarter of an hour, and none may be shipped. Word frequencies follow Zipf's
law, talks have topics, and a vector is the weighted sum of its words', which lie
around their topic's: so nearest neighbours are texts of one topic with words in
common, as with a model's.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.ledger.events import MemoryKind

Vectors = npt.NDArray[np.float32]

VOCABULARY = 20_000
TOPICS = 200
TALK_TEXTS = 100
_TOPIC_WORDS = 150
_DIMENSIONS = 384
_SYLLABLES = [a + b for a in "bcdfghklmnprstvwz" for b in ("a", "e", "i", "o", "u", "ar", "en")]
# The commonest words are English ones, so that an analysis by language has its stop words.
_KINDS: tuple[MemoryKind, ...] = ("semantic", "semantic", "episodic", "procedural")
_COMMON = """
the to and a of I in it is that you was for on my with he at we this have be not as she but so they
are had what by me all if there will when can do out up about just one from been how would his them
some like her get go no know our their were more did or who time
"""


class Said(msgspec.Struct, frozen=True):
    """One text of a talk: who said it, in which room of the palace, under which tag."""

    text: str
    talk: int
    source: str
    place: str
    tags: tuple[str, ...]
    kind: MemoryKind


class Language:
    """A vocabulary in order of frequency, its topics, and a unit vector for any text."""

    name = "made-up-words-384"
    dimensions = _DIMENSIONS

    def __init__(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        made = (
            "".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3)))) for _ in iter(int, 1)
        )
        distinct = dict.fromkeys(_COMMON.split())
        while len(distinct) < VOCABULARY:
            distinct[next(made)] = None
        self.words = list(distinct)
        # Zipf's law: the frequency of a word falls as one over its rank.
        self._cumulative = list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
        rare = range(len(_COMMON.split()), VOCABULARY)
        self.topics = [chance.sample(rare, _TOPIC_WORDS) for _ in range(TOPICS)]
        self._index = {word: index for index, word in enumerate(self.words)}
        self._vectors = self._word_vectors(seed)

    def _word_vectors(self, seed: int) -> Vectors:
        noise = np.random.default_rng(seed)
        vectors = noise.standard_normal((VOCABULARY, _DIMENSIONS), np.float32)
        for topic in self.topics:
            vectors[topic] += noise.standard_normal(_DIMENSIONS, np.float32)
        # Common words say little of what a text is about.
        weights = np.log(np.arange(2, VOCABULARY + 2, dtype=np.float32)) / np.log(VOCABULARY)
        weighted: Vectors = vectors * weights[:, None]
        return weighted

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; a word outside the vocabulary adds nothing."""
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
        for row, text in enumerate(texts):
            words = text.replace(".", " ").replace("?", " ").split()
            known = [self._index[word] for word in words if word in self._index]
            total = self._vectors[known or [0]].sum(axis=0)
            vectors[row] = total / np.linalg.norm(total)
        return vectors

    def talk(self, number: int) -> list[Said]:
        """The texts of one talk, always the same for one number."""
        chance = random.Random(f"talk {number}")
        topic = self.topics[chance.randrange(TOPICS)]
        room = f"room-{number % 10}"
        return [
            Said(
                text=self._sentences(chance, topic),
                talk=number,
                source="user:dana" if turn % 2 == 0 else "agent:assistant",
                place=f"{room}/drawer-{number % 100}",
                tags=(f"tag-{chance.randrange(100)}",),
                kind=chance.choice(_KINDS),
            )
            for turn in range(TALK_TEXTS)
        ]

    def _sentences(self, chance: random.Random, topic: Sequence[int]) -> str:
        """8 to 40 words, a third of them of the topic, in sentences of about ten."""
        count = chance.randint(8, 40)
        common = iter(chance.choices(self.words, cum_weights=self._cumulative, k=count))
        words = [
            self.words[chance.choice(topic)] if chance.random() < 1 / 3 else next(common)
            for _ in range(count)
        ]
        mark = "?" if chance.random() < 1 / 6 else "."
        return " ".join(
            " ".join(words[start : start + 10]) + ("." if start + 10 < count else mark)
            for start in range(0, count, 10)
        )

    def cues(self, count: int, seed: int) -> list[str]:
        """Cues of 4 to 8 words, half of them of one topic, one in five with a rare word."""
        chance = random.Random(seed)
        cues = []
        for _ in range(count):
            topic = self.topics[chance.randrange(TOPICS)]
            size = chance.randint(4, 8)
            words = chance.choices(self.words, cum_weights=self._cumulative, k=size)
            words[size // 2 :] = [self.words[one] for one in chance.sample(topic, size - size // 2)]
            if chance.random() < 1 / 5:
                words[0] = self.words[chance.randrange(VOCABULARY // 2, VOCABULARY)]
            cues.append(" ".join(words))
        return cues
