"""A million memories in one space: storing, indexing, recall, agreement, memory and disk.

    python -m benchmarks.million [--work DIR] [--json] [--memories N] [--rounds N]
                                 [--vectors random|clustered]

The texts are made-up talk. A text's vector follows from a hash of the text alone: either any
direction is as likely as another (random), or it lies about one of 2,000 centres at a cosine
of 0.7 (clustered). Beside the answers by meaning stands an exact scan of all vectors.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.recalling import (
    Cue,
    asked_in_turns,
    disk_by_part,
    narrowed_figures,
    new_memory,
    opened,
    recall,
    ways_to_ask,
)
from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    memory_kib,
    milliseconds,
    percentile,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.talk import TALK_TEXTS, Language, Vectors
from mnemolog import Memory

LIMITS = (
    "how good the answers are (see quality); the embedding of texts and cues; real vectors, whose "
    "clusters differ in size and lie in clusters themselves; memories that were corrected or "
    "withdrawn; a first question whose files are not in the system's cache; several askers."
)
SHAPES = ("random", "clustered")
_DIMENSIONS = 384
_CENTRES = 2_000
_TO_CENTRE = 0.7  # cosine
_TO_MEMORY = 0.9  # cosine of a near cue's vector to a memory's
_TALKS_A_BATCH = 10
_AT_ONCE = 256
_CUES_OF_A_SORT = 100
_NEAR_CUE_WORDS = 6
_TOP = 10
_KIB = 1024


class HashedVectors:
    """An embedder that derives unit vectors from a hash of the text, 384 dimensions.

    About 100,000 texts a second on one core; `spent_s` is the time they took so far, in seconds.
    """

    dimensions = _DIMENSIONS

    def __init__(self, shape: str) -> None:
        self.name = f"hashed-{shape}-{_DIMENSIONS}"
        self.spent_s = 0.0
        centres = np.arange(_CENTRES, dtype=np.uint64)
        self._centres = directions(centres) if shape == "clustered" else None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, 384)."""
        start = time.perf_counter()
        hashes = np.array([_hash_of(text) for text in texts], np.uint64)
        vectors = directions(hashes)
        if self._centres is not None:
            vectors = beside(self._centres[hashes % np.uint64(_CENTRES)], vectors, _TO_CENTRE)
        self.spent_s += time.perf_counter() - start
        return vectors


def _hash_of(text: str) -> int:
    # A memory's place stands in a line before its text when it is embedded; an exact scan
    # knows the text alone.
    alone = text.rpartition("\n")[2]
    return int.from_bytes(blake2b(alone.encode(), digest_size=8).digest())


def directions(seeds: npt.NDArray[np.uint64]) -> Vectors:
    """One unit vector a seed, uniform over all directions, always the same for a seed.

    SplitMix64 as a counter-based generator, then normal numbers by Box and Muller.
    """
    vectors = np.empty((len(seeds), _DIMENSIONS), np.float32)
    half = _DIMENSIONS // 2
    steps = np.arange(1, half + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for start in range(0, len(seeds), _AT_ONCE):
        state = seeds[start : start + _AT_ONCE, None] + steps
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
        # The upper 24 bits of each half as a number in (0, 1).
        uniform = (state.view(np.uint32) >> np.uint32(8)).astype(np.float32)
        uniform = (uniform + np.float32(0.5)) * np.float32(2.0**-24)
        radius = np.sqrt(-2 * np.log(uniform[:, ::2]))
        angle = np.float32(2 * np.pi) * uniform[:, 1::2]
        rows = vectors[start : start + _AT_ONCE]
        np.multiply(radius, np.cos(angle), out=rows[:, :half])
        np.multiply(radius, np.sin(angle), out=rows[:, half:])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return vectors


def beside(vectors: Vectors, noise: Vectors, cosine: float) -> Vectors:
    """Unit vectors at about this cosine to others, into the directions of the noise."""
    mixed = np.float32(cosine) * vectors + np.float32((1 - cosine**2) ** 0.5) * noise
    moved: Vectors = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return moved


class Building(msgspec.Struct, frozen=True):
    """How long a home took: storing, indexing, and of that the made-up vectors, in seconds."""

    storing_s: float
    indexing_s: float
    vectors_s: float


def built(work: Path, language: Language, shape: str, memories: int) -> tuple[Path, Building]:
    """A home with so many memories, kept with the time that it took."""
    home = work / f"million-{shape}-{memories}"
    kept = home / "complete"
    if kept.exists():
        return home, msgspec.json.decode(kept.read_bytes(), type=Building)
    shutil.rmtree(home, ignore_errors=True)
    embedder = HashedVectors(shape)
    storing_s = 0.0
    with opened(home, embedder) as memory:
        for first in range(0, memories // TALK_TEXTS, _TALKS_A_BATCH):
            talks = range(first, min(first + _TALKS_A_BATCH, memories // TALK_TEXTS))
            items = [new_memory(said) for number in talks for said in language.talk(number)]
            talking = memory.acting(run=f"talks-{first}")
            store = partial(talking.remember_many, items, contradictions="off")
            storing_s += spell(store).wall_s
            talking.close()
        embedder.spent_s = 0.0
        indexing_s = spell(memory.upkeep.index).wall_s
    building = Building(storing_s, indexing_s, embedder.spent_s)
    kept.write_bytes(msgspec.json.encode(building))
    return home, building


# -- cues and what is nearest to them --------------------------------------------------


def text_of(language: Language, row: int) -> str:
    """The text of the memory that was stored as number `row`."""
    return _texts_of_talk(language, row // TALK_TEXTS)[row % TALK_TEXTS]


@lru_cache(_CUES_OF_A_SORT)
def _texts_of_talk(language: Language, number: int) -> list[str]:
    return [said.text for said in language.talk(number)]


def random_cues(language: Language, embedder: HashedVectors) -> list[Cue]:
    """Made-up cues with vectors by their own hashes."""
    texts = language.cues(_CUES_OF_A_SORT, seed=11)
    return list(zip(texts, embedder.embed(texts), strict=True))


def near_cues(language: Language, embedder: HashedVectors, memories: int) -> list[Cue]:
    """The first words of stored memories, with vectors at a cosine of 0.9 to theirs."""
    chance = np.random.default_rng(13)
    rows = chance.integers(0, memories, _CUES_OF_A_SORT).tolist()
    texts = [text_of(language, row) for row in rows]
    noise = directions(chance.integers(0, 2**63, _CUES_OF_A_SORT).astype(np.uint64))
    vectors = beside(embedder.embed(texts), noise, _TO_MEMORY)
    words = [" ".join(text.split()[:_NEAR_CUE_WORDS]) for text in texts]
    return list(zip(words, vectors, strict=True))


def batches(language: Language, memories: int) -> Iterator[list[str]]:
    """The texts of all memories in order, a thousand at a time."""
    for first in range(0, memories // TALK_TEXTS, _TALKS_A_BATCH):
        talks = range(first, min(first + _TALKS_A_BATCH, memories // TALK_TEXTS))
        yield [said.text for number in talks for said in language.talk(number)]


def exact_top(cues: Vectors, all_vectors: Iterator[Vectors]) -> npt.NDArray[np.int64]:
    """Rows of the ten vectors nearest to each cue, shape (cues, 10), in no order."""
    scores = np.empty((len(cues), 0), np.float32)
    rows = np.empty((len(cues), 0), np.int64)
    seen = 0
    for vectors in all_vectors:
        here = np.broadcast_to(np.arange(seen, seen + len(vectors)), (len(cues), len(vectors)))
        scores = np.concatenate([scores, cues @ vectors.T], axis=1)
        rows = np.concatenate([rows, here], axis=1)
        best = np.argpartition(-scores, _TOP - 1, axis=1)[:, :_TOP]
        scores = np.take_along_axis(scores, best, axis=1)
        rows = np.take_along_axis(rows, best, axis=1)
        seen += len(vectors)
    return rows


def agreement(
    memory: Memory, language: Language, cues: Sequence[Cue], exact: npt.NDArray[np.int64]
) -> float:
    """The share of the exact ten nearest that recall by meaning finds, over all cues."""
    common = 0
    for (text, vector), rows in zip(cues, exact, strict=True):
        found = memory.recall(text, vector=vector, strategy="semantic", min_relevance=0.0).hits
        nearest = {text_of(language, row) for row in rows.tolist()}
        common += len(nearest & {hit.content for hit in found})
    return common / exact.size


# -- a fresh process -------------------------------------------------------------------


class Answering(msgspec.Struct, frozen=True):
    """A fresh process: KiB of memory before, after one question and after 200; first in seconds.

    `private_kib` is what of the last is in no file and shared with no other process.
    """

    before_kib: int
    first_kib: int
    after_kib: int
    private_kib: int
    first_s: float


def answer_in(home: Path, shape: str, memories: int) -> None:
    """A fresh process: ask the home 200 questions and print the `Answering`."""
    cues = _cues(Language(), HashedVectors(shape), memories)
    before = memory_kib("VmRSS")
    start = time.perf_counter()
    with opened(home, HashedVectors(shape)) as memory:
        ask = recall(memory)
        ask(cues[0])
        first_s = time.perf_counter() - start
        first = memory_kib("VmRSS")
        for cue in cues[1:]:
            ask(cue)
        answering = Answering(before, first, memory_kib("VmRSS"), memory_kib("RssAnon"), first_s)
        if memory.notices:
            raise RuntimeError(memory.notices)
    print(msgspec.json.encode(answering).decode())


def _cues(language: Language, embedder: HashedVectors, memories: int) -> list[Cue]:
    pairs = zip(
        random_cues(language, embedder), near_cues(language, embedder, memories), strict=True
    )
    return [cue for pair in pairs for cue in pair]


def _asked_in_fresh_process(home: Path, shape: str, memories: int) -> Answering:
    command = [sys.executable, "-m", "benchmarks.million", "--answer-in", str(home)]
    options = ["--vectors", shape, "--memories", str(memories)]
    output = subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(output, type=Answering)


# -- figures ---------------------------------------------------------------------------


def measure(work: Path, shape: str, memories: int, rounds: int) -> Report:
    """All figures for vectors of one shape; each round asks 20 cues in every way."""
    language, embedder = Language(), HashedVectors(shape)
    memories -= memories % TALK_TEXTS
    home, building = built(work, language, shape, memories)
    with opened(home, embedder) as memory:
        # Of a home kept since another version the derived files are made anew.
        memory.upkeep.index()
    figures = [
        *_building_figures(building, memories),
        *_process_figures(_asked_in_fresh_process(home, shape, memories), memories),
        _disk_figure(disk_by_part(home), memories),
    ]
    with opened(home, embedder) as memory:
        memory.upkeep.index()
        head = memory.log.checkpoint().position
        cues = _cues(language, embedder, memories)
        found = asked_in_turns(ways_to_ask(memory, head), cues, rounds)
        figures = [
            *_recall_figures(found),
            *_agreement_figures(memory, language, embedder, memories),
            *figures,
        ]
    title = f"{memories:,} memories with {shape} vectors"
    return Report(title, LIMITS, conditions(work), figures)


def _recall_figures(found: dict[str, list[Spell]]) -> list[Figure]:
    now, half = found["now"], found["as of half-way"]
    p95, p99 = (percentile([one.wall_s for one in now], share) for share in (0.95, 0.99))
    return [
        Figure("recall, p50", milliseconds(now), "", "<= 10 ms", wall_s(now) <= 0.010),  # noqa: PLR2004
        Figure("recall, p95", f"{1000 * p95:.2f} ms", "", "<= 25 ms", p95 <= 0.025),  # noqa: PLR2004
        Figure("recall, p99", f"{1000 * p99:.2f} ms"),
        Figure(
            "recall as of half-way, p50",
            milliseconds(half),
            f"{ratio(half, now):.2f} of now",
            "<= 1.5 of now",
            ratio(half, now) <= 1.5,  # noqa: PLR2004
        ),
        *narrowed_figures(found),
    ]


def _agreement_figures(
    memory: Memory, language: Language, embedder: HashedVectors, memories: int
) -> list[Figure]:
    sorts = {
        "random cues": random_cues(language, embedder),
        "cues near a memory": near_cues(language, embedder, memories),
    }
    vectors = np.array([vector for cues in sorts.values() for _, vector in cues])
    exact = exact_top(vectors, map(embedder.embed, batches(language, memories)))
    shares = {
        name: agreement(memory, language, cues, rows)
        for (name, cues), rows in zip(sorts.items(), np.split(exact, len(sorts)), strict=True)
    }
    return [
        Figure(
            f"top ten by meaning as by an exact scan, {name}",
            f"{100 * share:.1f} %",
            "one numpy product of all vectors with the cue's",
            ">= 99 %",
            share >= 0.99,  # noqa: PLR2004
        )
        for name, share in shares.items()
    ]


def _building_figures(building: Building, memories: int) -> list[Figure]:
    rate = memories / max(building.indexing_s - building.vectors_s, 1e-9)
    return [
        Figure("storing, unchecked", f"{memories / building.storing_s:,.0f} a second"),
        Figure(
            "indexing, without making vectors",
            f"{rate:,.0f} a second",
            f"{building.indexing_s:.1f} s, of which vectors {building.vectors_s:.1f} s",
            ">= 20,000 a second",
            rate >= 20_000,  # noqa: PLR2004
        ),
    ]


def _process_figures(answering: Answering, memories: int) -> list[Figure]:
    after = {
        "the first question": answering.first_kib,
        f"{2 * _CUES_OF_A_SORT} questions": answering.after_kib,
    }
    private = f", of which {answering.private_kib // _KIB} MiB private"
    return [
        Figure(
            "first question of a process",
            f"{answering.first_s:.2f} s",
            "opening included",
            "<= 2 s",
            answering.first_s <= 2,  # noqa: PLR2004
        ),
        *(
            Figure(
                f"bytes in memory a memory, after {name}",
                f"{_KIB * (kib - answering.before_kib) / memories:,.0f}",
                f"RSS {answering.before_kib // _KIB} MiB before, {kib // _KIB} MiB after"
                + (private if kib == answering.after_kib else ""),
                "<= 1,536",
                _KIB * (kib - answering.before_kib) <= 1_536 * memories,
            )
            for name, kib in after.items()
        ),
    ]


def _disk_figure(parts: dict[str, int], memories: int) -> Figure:
    return Figure(
        "bytes on disk a memory",
        f"{sum(parts.values()) / memories:,.0f}",
        ", ".join(f"{name} {size / memories:,.0f}" for name, size in parts.items()),
        "<= 2,560",
        sum(parts.values()) <= 2_560 * memories,
    )


def main() -> None:
    """Measure and print the report; or be the fresh process that a measure needs."""
    parser = arguments("Measure a million memories in one space.")
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--vectors", choices=SHAPES, default="clustered", help="their shape")
    parser.add_argument("--rounds", type=int, default=20, help="of 20 cues, asked in every way")
    parser.add_argument("--answer-in", type=Path, help="used between this program's processes")
    given = parser.parse_args()
    if given.answer_in is not None:
        answer_in(given.answer_in, given.vectors, given.memories)
        return
    with workplace(given.work) as work:
        show(measure(work, given.vectors, given.memories, given.rounds), as_json=given.json)


if __name__ == "__main__":
    main()
