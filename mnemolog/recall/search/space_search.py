"""Search of one space: candidates are found and scored, then replaced by their successors."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, Mask
from mnemolog.indexes.filters import STATUSES, Filter
from mnemolog.indexes.graph import walk
from mnemolog.indexes.horizon import Horizon
from mnemolog.indexes.postings import Statistics
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.language.analysis import EXACT_PREFIX
from mnemolog.ledger.decay import ARCHIVED
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.blending import Ground, blended
from mnemolog.recall.search.candidates import Found, Scored, best, ranking, reciprocal_ranks
from mnemolog.recall.search.chains import Chains
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import (
    Cue,
    Floats,
    Ordinals,
    Terms,
    Texts,
    Vector,
    own_words,
    touched_by,
)
from mnemolog.recall.search.question import Question

_CANDIDATES = 500
TOO_CLOSE = 3
"""Decimals at which two scores count as equal."""

_SEEDS = 32
_EVERY_STATUS = frozenset(STATUSES)
_WEAKEST = {"archived": 0.99, "summarized": 0.7}
"""Factor of a score at strength 0, by status."""
_FOUNDABLE = frozenset({*PLAIN_STATUSES, "superseded"})


class Ranked(msgspec.Struct, frozen=True):
    """Ranked memory of an answer, with the reasons for its rank.

    `found` is the memory that matched the cue; `time` is the start of validity of the shown
    memory, or else the time of recording. `score` determines the order, and `taught` is the
    learned part of it. `relevance` is the score until it is calibrated by the evidence of the
    whole answer.
    """

    space: str
    memory: Position
    found: Position
    pinned: bool
    time: int
    score: float
    relevance: float
    ranks: dict[str, int]
    scores: dict[str, float]
    matched: tuple[str, ...]
    note: str | None
    trail: tuple[Position, ...]
    taught: float = 0.0


class Answered(msgspec.Struct, frozen=True):
    """Answer of one space: its ranked memories, and the best evidence for an answer in it.

    `evidence` is None for the strategies whose scores cannot be calibrated. `best` is the best
    score of a memory that may be shown, without the learned part.
    """

    ranked: list[Ranked]
    evidence: float | None
    best: float = 0.0


class SpaceSearch:
    """Search of one space for one question."""

    def __init__(self, space: str, state: State, question: Question) -> None:
        self.space = space
        self.state = state
        self.position = question.position
        self._question = question
        self._depth = max(_CANDIDATES, question.limit)
        self._pinned = question.pinned.get(space, frozenset())
        columns = state.columns
        self.size = columns.size(question.position)
        self._instant = question.instant if question.valid_at is None else question.valid_at
        matching = columns.matching(question.filters.get(space, Filter()), self.size)
        self.chains = Chains(columns, question.position, self._instant, self.size, matching)
        self._allowed = self._foundable(matching)
        self._judged, self._staying = frozenset[Position](), frozenset[Position]()
        if question.steering is not None:
            self._judged, self._staying = question.steering.judged, question.steering.stays
            self._allowed = self._less_judged(self._allowed)
        self._horizon = Horizon(question.position, self._instant, self.size)
        self._texts = Texts(columns, state.postings, state.shapes, self.size)
        self._ground = Ground(state, question, self._texts, self._allowed)

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Statistics of this space for BM25.

        Withdrawn memories are not counted, so that undoing a write leaves no trace in any score.
        """
        gone = self.state.columns.changed_to(self._question.position, {"withdrawn"})
        holders = {term: _others(self._texts.holders(term), gone) for term in terms}
        return Statistics(self.size - len(gone), holders)

    def answered(self, cue: Cue) -> Answered:
        """Memories of this space that answer a cue, best first."""
        if self.size == 0:
            return Answered([], None)
        by_meaning, by_words = self._semantic(cue.vector), self._keyword(cue.terms)
        found = Found(by_meaning, by_words, self._graph(by_meaning, by_words))
        scored = self._faded(self._scored(found, cue))
        held = scored.evidence
        ranked = self._standing(scored, found, cue.terms)
        if held is None:
            return Answered(ranked, None)
        return Answered(ranked, float(held.max(initial=0.0)), self._best_untaught(scored))

    def answer_at(self, ordinal: int) -> Position | None:
        """Memory to show for one not found by search; None if there is none."""
        if ordinal >= self.size or not self._allowed.of(np.array([ordinal]))[0]:
            return None
        return self._shown(Position(int(self.state.columns.positions(np.array([ordinal]))[0])))

    def is_pinned(self, memory: Position) -> bool:
        """True if a memory is in working memory."""
        return memory in self._pinned

    def _foundable(self, matching: Mask | None) -> Allowed:
        """Memories that a search may find: those that may answer, or whose successor may."""
        columns, wanted = self.state.columns, self._question.statuses
        position = self._question.position
        if wanted and "active" not in wanted:
            named = np.zeros(self.size, np.bool_)
            named[columns.changed_to(position, wanted)] = True
            return Allowed(named if matching is None else named & matching, np.zeros(0, np.intp))
        excluded = columns.changed_to(position, _EVERY_STATUS - set(wanted or _FOUNDABLE))
        holding = None if wanted else columns.holding(self._instant, self.size)
        masks = [mask for mask in (matching, holding) if mask is not None]
        if not masks:
            return Allowed(None, excluded)
        mask = np.logical_and.reduce(masks)
        if not wanted:
            # A superseded memory may lead to a successor that does match.
            # Read as of the position: a later supersession must not affect this answer.
            mask[columns.changed_to(position, {"superseded"})] = True
        return Allowed(mask, excluded)

    def _less_judged(self, allowed: Allowed) -> Allowed:
        """Allowed memories without those judged in the session."""
        judged = self.state.columns.ordinals(np.array(sorted(self._judged), np.int64))
        judged = judged[(judged != NOBODY) & (judged < self.size)]
        return Allowed(allowed.mask, np.union1d(allowed.excluded, judged))

    def _keyword(self, terms: Terms) -> tuple[Ordinals, Floats]:
        touched = touched_by(self._texts, terms.weights)
        touched = touched[self._allowed.of(touched)]
        return best(touched, own_words(self._texts, terms.weights, touched), self._depth)

    def _semantic(self, vector: Vector | None) -> tuple[Ordinals, Floats]:
        if vector is None:
            return np.zeros(0, np.intp), np.zeros(0)
        vectors = self.state.vectors
        ordinals, cosines = vectors.nearest(vector, self.size, self._depth, self._allowed)
        return ordinals, cosines.astype(np.float64)

    def _graph(
        self, by_meaning: tuple[Ordinals, Floats], by_words: tuple[Ordinals, Floats]
    ) -> tuple[Ordinals, Floats]:
        """Memories reached in the graph from the best hits of both searches, and these hits."""
        if self._question.strategy != "rrf" and self._question.reading.route != "graph":
            return np.zeros(0, np.intp), np.zeros(0)
        meant, held = best(*by_meaning, _SEEDS), best(*by_words, _SEEDS)
        seeds = np.concatenate([meant[0], held[0]])
        weights = np.concatenate([meant[1], held[1]])
        reached, shares = walk(self.state, seeds, weights, self._horizon)
        allowed = self._allowed.of(reached)
        return best(reached[allowed], shares[allowed], self._depth)

    def _scored(self, found: Found, cue: Cue) -> Scored:
        """Candidates with their relevance by the question's strategy."""
        strategy = self._question.strategy
        if strategy == "hybrid":
            return blended(self._ground, found, cue)
        if strategy == "rrf":
            return self._fused(found)
        ordinals, scores = found.semantic if strategy == "semantic" else found.keyword
        return Scored(
            ordinals, np.maximum(0.0, scores), {strategy: scores}, np.zeros(len(ordinals))
        )

    def _faded(self, scored: Scored) -> Scored:
        """Scores with archived and summarized memories scaled by their strength.

        Strength is measured as a share of the threshold for archiving. It moves the score of an
        archived memory by at most a hundredth: archived memories are hidden by default, but the
        best match must still come first. Summarized memories lose more, but are still found by
        nearly their own words.
        """
        columns, position = self.state.columns, self._question.position
        left = np.ones(len(scored.ordinals))
        for status, weakest in _WEAKEST.items():
            faint = np.isin(scored.ordinals, columns.changed_to(position, {status}))
            strengths = self.state.strengths.of(
                scored.ordinals[faint], columns, position, self._question.present
            )
            left[faint] = weakest + (1 - weakest) * np.minimum(1.0, strengths / ARCHIVED.below)
        if (left == 1.0).all():
            return scored
        return msgspec.structs.replace(
            scored,
            score=scored.score * left,
            taught=scored.taught * left,
            components={**scored.components, "faded": left},
        )

    def _fused(self, found: Found) -> Scored:
        """Candidates scored by weighted reciprocal rank fusion."""
        ranks = {name: ranking(*held) for name, held in found.named() if len(held[0])}
        fused = reciprocal_ranks(ranks, self._question.fusion)
        ordinals = np.array(sorted(fused), np.intp)
        scores = np.array([fused[one] for one in ordinals.tolist()])
        return Scored(ordinals, scores, {}, np.zeros(len(ordinals)))

    def _standing(self, scored: Scored, found: Found, terms: Terms) -> list[Ranked]:
        """Ranked memories: each chain's newest member takes the rank of its best member."""
        columns = self.state.columns
        chosen = self._chosen(scored)
        indexes = np.array([index for index, _, _ in chosen], np.intp)
        ordinals = scored.ordinals[indexes]
        held = self._matched(ordinals, terms)
        shown = np.array([columns.ordinal(memory) for _, _, memory in chosen], np.intp)
        times = columns.times(shown)
        ranks = found.ranks(ordinals)
        return [
            Ranked(
                space=self.space,
                memory=memory,
                found=position,
                pinned=self.is_pinned(memory),
                time=int(times[place]),
                score=float(scored.score[index]),
                relevance=min(1.0, float(scored.score[index])),
                ranks=ranks[place],
                scores=scored.at(index),
                matched=tuple(word for word, holding in held.items() if holding[place]),
                note=self.chains.note(memory),
                trail=tuple(self.chains.trail(memory)),
                taught=float(scored.taught[index]),
            )
            for place, (index, position, memory) in enumerate(chosen)
        ]

    def _chosen(self, scored: Scored) -> list[tuple[int, Position, Position]]:
        """Best candidates: index, the memory found, and the memory shown for it."""
        positions = self.state.columns.positions(scored.ordinals)
        chosen: dict[Position, tuple[int, Position, Position]] = {}
        least = 0.0
        stays = np.isin(positions, sorted(self._staying)) & (scored.score > 0)
        for index in np.lexsort((-scored.ordinals, -scored.score, ~stays)).tolist():
            score = scored.score[index]
            if score <= 0 or score < least:
                break
            position = Position(int(positions[index]))
            memory = self._shown(position)
            if memory is None or memory in chosen or memory in self._judged:
                continue
            chosen[memory] = (index, position, memory)
            if len(chosen) == self._question.limit:
                # A candidate whose score equals that of the last one may be newer than it.
                least = score - 10.0**-TOO_CLOSE
        return list(chosen.values())

    def _best_untaught(self, scored: Scored) -> float:
        """Best score, without the learned part, of the memories that may be shown."""
        scores = scored.score - scored.taught
        positions = self.state.columns.positions(scored.ordinals)
        for index in np.argsort(-scores).tolist():
            memory = self._shown(Position(int(positions[index])))
            if memory is not None and memory not in self._judged:
                return float(scores[index])
        return 0.0

    def _shown(self, found: Position) -> Position | None:
        """Memory shown for a found one: itself if its status was asked for, else its successor."""
        if self._question.statuses:
            return found if self.chains.status(found) in self._question.statuses else None
        return self.chains.standing(found)

    def _matched(self, ordinals: Ordinals, terms: Terms) -> dict[str, Mask]:
        """Mask of the memories that hold each of the cue's terms."""
        order = np.argsort(ordinals)
        held: dict[str, Mask] = {}
        for term in terms.weights:
            holding = np.zeros(len(ordinals), np.bool_)
            holding[order] = self._texts.held(term, ordinals[order], np.ones(len(ordinals))) > 0
            word = term.removeprefix(EXACT_PREFIX)
            held[word] = held[word] | holding if word in held else holding
        return held


def _others(holders: npt.NDArray[np.int32], gone: Ordinals) -> int:
    """Count of the memories in `holders` that are not in `gone`; both are ascending."""
    if not len(gone):
        return len(holders)
    places = holders.searchsorted(gone.astype(np.int32))
    inside = places < len(holders)
    return len(holders) - int(np.count_nonzero(holders[places[inside]] == gone[inside]))
