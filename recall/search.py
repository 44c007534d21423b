"""From a cue to ranked memories: candidates of each search, fused, each chain by its newest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from indexes.analysis import EXACT_PREFIX, Analyzer
from indexes.columns import NOBODY, STATUSES, Filter, Mask
from indexes.near_words import KnownWords
from indexes.postings import Statistics, inverse_frequencies
from indexes.space_index import State
from ledger.ids import Position
from recall.chains import Chains
from recall.questions import PLAIN_STATUSES, Question
from recall.relevance import (
    Floats,
    Ordinals,
    Terms,
    Texts,
    around,
    blend,
    meaning_in_context,
    own_words,
    prior,
    reciprocal_ranks,
    speaker_factor,
    words_in_context,
)

Vector = npt.NDArray[np.float32]

CANDIDATES = 500
_POOL = 200
_TOO_CLOSE = 3
_MISTYPED_WEIGHT = 0.5
_FOUNDABLE = frozenset({*PLAIN_STATUSES, "superseded"})


class Ranked(msgspec.Struct, frozen=True):
    """A memory in its place in the answer, with what put it there."""

    space: str
    memory: Position
    found: Position
    relevance: float
    ranks: dict[str, int]
    scores: dict[str, float]
    matched: tuple[str, ...]
    note: str | None
    trail: tuple[Position, ...]


class Found(msgspec.Struct, frozen=True):
    """What each search found in a space: ordinals with their scores."""

    semantic: tuple[Ordinals, Floats]
    keyword: tuple[Ordinals, Floats]

    def ranks(self, ordinal: int) -> dict[str, int]:
        """A memory's rank from 1 in each search that found it; equal scores share the best."""
        ranks = {}
        for name, (ordinals, scores) in self.named():
            place = np.flatnonzero(ordinals == ordinal)
            if len(place):
                ranks[name] = 1 + int(np.count_nonzero(scores > scores[place[0]]))
        return ranks

    def named(self) -> tuple[tuple[str, tuple[Ordinals, Floats]], ...]:
        """The searches by name."""
        return (("semantic", self.semantic), ("keyword", self.keyword))


class SpaceSearch:
    """One question asked of one space."""

    def __init__(self, space: str, state: State, question: Question) -> None:
        self.space = space
        self.state = state
        self._question = question
        self.size = state.columns.size(question.position)
        self._codes = state.columns.statuses(question.position, self.size)
        self._matching = state.columns.matching(question.filters.get(space, Filter()), self.size)
        instant = question.instant if question.valid_at is None else question.valid_at
        self.chains = Chains(state.columns, question.position, instant, self._codes, self._matching)
        self._allowed = self._foundable()
        self._texts = Texts(state.columns, state.postings, state.shapes, self.size)

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """What BM25 needs to know of this space."""
        return self.state.postings.statistics(terms, self.size)

    def ranked(self, terms: Terms, vector: Vector | None, words: set[str]) -> list[Ranked]:
        """The memories of this space that answer, best first; `words` are the cue's."""
        if self.size == 0:
            return []
        own = np.where(self._allowed, own_words(self._texts, terms.weights), 0.0)
        found = Found(self._semantic(vector), _best(own, CANDIDATES))
        scored = self._scored(found, own, terms, vector, words)
        return self._standing(scored, found, terms)

    def _foundable(self) -> Mask:
        """Which memories may be found: those that may answer, and those whose successor may."""
        wanted = self._question.statuses or tuple(_FOUNDABLE)
        by_status: Mask = np.array([status in wanted for status in STATUSES])[self._codes]
        if self._matching is None:
            return by_status
        superseded = self._codes == STATUSES.index("superseded")
        either: Mask = by_status & (self._matching | superseded)
        return either

    def _semantic(self, vector: Vector | None) -> tuple[Ordinals, Floats]:
        if vector is None:
            return np.zeros(0, np.intp), np.zeros(0)
        narrowed = None if self._allowed.all() else self._allowed
        vectors = self.state.vectors
        ordinals, cosines = vectors.nearest(vector, self.size, CANDIDATES, narrowed)
        return ordinals, cosines.astype(np.float64)

    def _scored(
        self, found: Found, own: Floats, terms: Terms, vector: Vector | None, words: set[str]
    ) -> dict[int, dict[str, float]]:
        """For each candidate the components of its score, `relevance` among them."""
        strategy = self._question.strategy
        if strategy == "hybrid":
            return self._blended(found, own, terms, vector, words)
        if strategy == "rrf":
            fused = reciprocal_ranks({name: _ranking(*held) for name, held in found.named()})
            return {ordinal: {"relevance": score} for ordinal, score in fused.items()}
        ordinals, scores = found.semantic if strategy == "semantic" else found.keyword
        return {
            int(ordinal): {strategy: float(score), "relevance": max(0.0, float(score))}
            for ordinal, score in zip(ordinals, scores, strict=True)
        }

    def _blended(
        self, found: Found, own: Floats, terms: Terms, vector: Vector | None, words: set[str]
    ) -> dict[int, dict[str, float]]:
        texts = self._texts
        pool = self._pool(found, own)
        near = around(texts, pool)
        held = words_in_context(texts, terms.weights, pool, near)
        cosines = self._cosines(vector, [pool, near.before, near.after])
        meant = meaning_in_context(cosines, pool, near)
        match = blend(meant, held)
        likely = prior(texts, pool)
        speaker = speaker_factor(texts, pool, self._question.cue, words)
        relevance = np.minimum(1.0, match * likely * speaker)
        return {
            int(ordinal): {
                "semantic": float(cosines[ordinal]),
                "semantic_in_context": float(meant[index]),
                "keyword": float(own[ordinal]),
                "keyword_in_context": float(held[index]),
                "prior": float(likely[index]),
                "speaker": float(speaker[index]),
                "relevance": float(relevance[index]),
            }
            for index, ordinal in enumerate(pool)
            if relevance[index] > 0
        }

    def _pool(self, found: Found, own: Floats) -> Ordinals:
        """The candidates that are scored in full: the best of both searches, and what is near.

        A neighbour of a memory with the cue's words may be what is looked for,
        though it has none of them itself.
        """
        columns = self.state.columns
        by_words = _best(own, _POOL)[0]
        after = columns.following(by_words, self.size)
        two_after = columns.following(np.maximum(after, 0), self.size)
        reached: list[npt.NDArray[np.integer]] = [
            by_words,
            columns.previous(by_words),
            after,
            np.where(after == NOBODY, NOBODY, two_after),
            found.semantic[0][_best(np.maximum(found.semantic[1], 0.0), _POOL)[0]],
        ]
        pool = np.unique(np.concatenate(reached)).astype(np.intp)
        pool = pool[pool != NOBODY]
        allowed: Ordinals = pool[self._allowed[pool]]
        return allowed

    def _cosines(self, vector: Vector | None, wanted: Sequence[npt.NDArray[np.integer]]) -> Floats:
        """Cosines by ordinal, positive ones only, those of `wanted` filled in; the last is 0."""
        cosines = np.zeros(self.size + 1)
        if vector is not None:
            ordinals = np.unique(np.concatenate(wanted))
            ordinals = ordinals[ordinals != NOBODY]
            cosines[ordinals] = np.maximum(0.0, self.state.vectors.cosines(vector, ordinals))
        return cosines

    def _standing(
        self,
        scored: Mapping[int, Mapping[str, float]],
        found: Found,
        terms: Terms,
    ) -> list[Ranked]:
        """The scored memories with each chain's newest in the place of its best."""
        columns = self.state.columns
        best: dict[Position, Ranked] = {}
        least = 0.0
        for ordinal in sorted(scored, key=lambda o: (-scored[o]["relevance"], -o)):
            if scored[ordinal]["relevance"] < least:
                break
            position = Position(int(columns.positions(np.array([ordinal]))[0]))
            memory = self._shown(position)
            if memory is None or memory in best:
                continue
            best[memory] = Ranked(
                space=self.space,
                memory=memory,
                found=position,
                relevance=scored[ordinal]["relevance"],
                ranks=found.ranks(ordinal),
                scores=dict(scored[ordinal]),
                matched=self._matched(ordinal, terms),
                note=self.chains.note(memory),
                trail=tuple(self.chains.trail(memory)),
            )
            if len(best) == self._question.limit:
                # What cannot be told apart from the last one may yet be newer than it.
                least = best[memory].relevance - 10.0**-_TOO_CLOSE
        return list(best.values())

    def _shown(self, found: Position) -> Position | None:
        """What is shown where a memory was found: itself if its status was asked for by name."""
        if self._question.statuses:
            return found if self.chains.status(found) in self._question.statuses else None
        return self.chains.standing(found)

    def _matched(self, ordinal: int, terms: Terms) -> tuple[str, ...]:
        held = []
        for term in terms.weights:
            ordinals, _ = self.state.postings.postings(term, self.size)
            place = int(np.searchsorted(ordinals, ordinal))
            if place < len(ordinals) and ordinals[place] == ordinal:
                held.append(term.removeprefix(EXACT_PREFIX))
        return tuple(dict.fromkeys(held))


def search(
    spaces: Sequence[SpaceSearch],
    question: Question,
    analyzer: Analyzer,
    known: KnownWords,
    embed: Callable[[str], Vector],
) -> tuple[list[Ranked], Terms]:
    """The memories of one space, or of several together, that answer; best first."""
    terms = _terms(spaces, question, analyzer, known)
    vector = None
    if question.strategy != "keyword" and any(space.size for space in spaces):
        vector = question.vector if question.vector is not None else embed(question.cue)
    words = set(analyzer.surface(question.cue))
    ranked = [item for space in spaces for item in space.ranked(terms, vector, words)]
    times = {
        space.space: lambda item, s=space: int(
            s.state.columns.times(np.array([s.state.columns.ordinal(item.memory)]))[0]
        )
        for space in spaces
    }
    ranked.sort(
        # Scores that differ by less than a thousandth say nothing; what is newer wins.
        key=lambda item: (
            -round(item.relevance, _TOO_CLOSE),
            -times[item.space](item),
            -item.memory,
        )
    )
    by_space = {space.space: space.chains for space in spaces}
    return _successors_first(ranked, by_space)[: question.limit], terms


def _terms(
    spaces: Sequence[SpaceSearch], question: Question, analyzer: Analyzer, known: KnownWords
) -> Terms:
    """The cue's terms with their weights over all spaces asked, mistyped words corrected."""
    terms = [] if question.strategy == "semantic" else analyzer.cue(question.cue)
    statistics = _joined(spaces, terms)
    missing = {term for term in terms if not statistics.frequencies[term]}
    corrected: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(analyzer.surface(question.cue)):
        if missing.isdisjoint(analyzer.words(word)):
            continue
        meant = {
            near.word for space in spaces for near in space.state.meant(word, known, space.size)
        }
        if meant:
            corrected[word] = tuple(sorted(meant))
    extra = {
        term for words in corrected.values() for word in words for term in analyzer.words(word)
    } - set(terms)
    present = [term for term in terms if term not in missing]
    weights = inverse_frequencies(_joined(spaces, [*present, *sorted(extra)]))
    for term in extra:
        weights[term] *= _MISTYPED_WEIGHT
    # Terms that are nowhere are left out: they would lower every score alike.
    return Terms(weights, corrected)


def _joined(spaces: Sequence[SpaceSearch], terms: Sequence[str]) -> Statistics:
    joined = Statistics(0, dict.fromkeys(terms, 0))
    for space in spaces:
        joined = joined.joined(space.statistics(terms))
    return joined


def _successors_first(ranked: Sequence[Ranked], chains: Mapping[str, Chains]) -> list[Ranked]:
    """The same order, but nothing before what supersedes it.

    Matters where superseded memories are asked for by name, or where a
    contested successor stands beside what it would replace.
    """
    place = {(item.space, item.memory): item for item in ranked}
    placed: dict[tuple[str, Position], Ranked] = {}

    def put(item: Ranked, above: frozenset[Position]) -> None:
        if (item.space, item.memory) in placed:
            return
        for newer in chains[item.space].above(item.memory):
            successor = place.get((item.space, newer))
            if successor is not None and newer not in above:
                put(successor, above | {item.memory})
        placed.setdefault((item.space, item.memory), item)

    for item in ranked:
        put(item, frozenset())
    return list(placed.values())


def _best(scores: Floats, count: int) -> tuple[Ordinals, Floats]:
    """The `count` highest positive scores and where they are, with all ties at the end."""
    positive = int(np.count_nonzero(scores > 0))
    if positive > count:
        last = np.partition(scores, len(scores) - count)[len(scores) - count]
        ordinals = np.flatnonzero(scores >= max(last, np.finfo(np.float64).tiny))
    else:
        ordinals = np.flatnonzero(scores > 0)
    return ordinals, scores[ordinals]


def _ranking(ordinals: Ordinals, scores: Floats) -> dict[int, int]:
    """Ranks from 1; of equal scores the newer memory comes first."""
    order = np.lexsort((-ordinals, -scores))
    return {int(ordinals[index]): rank for rank, index in enumerate(order, 1)}
