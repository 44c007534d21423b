"""One question asked of one space: candidates of each search, scored, each chain by its newest."""

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
from mnemolog.ledger.falls import ARCHIVED
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
"""Decimals to which relevance tells memories apart."""

_SEEDS = 32
_EVERY_STATUS = frozenset(STATUSES)
_WEAKEST = {"archived": 0.99, "summarized": 0.7}
"""What a score is scaled by, by status, where no strength is left."""
_FOUNDABLE = frozenset({*PLAIN_STATUSES, "superseded"})


class Ranked(msgspec.Struct, frozen=True):
    """A memory in its place in the answer, with what put it there.

    `found` is the memory that the cue found; `time` is when what the shown one
    says began, or else when it was recorded. `score` orders, and so much of it as
    `taught` was learned; `relevance` is the score until it is calibrated by what the
    whole answer rests on.
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
    """What a space answers: its memories, and the best evidence that it holds what is asked for.

    None is no evidence either way: the scores are one search's own. `best` is the best score
    of what may be shown, had nothing been learned.
    """

    ranked: list[Ranked]
    evidence: float | None
    best: float = 0.0


class SpaceSearch:
    """One question asked of one space."""

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
        """What BM25 needs to know of this space.

        What was withdrawn counts for nothing, so that undoing what stored it leaves no
        trace in any score.
        """
        gone = self.state.columns.changed_to(self._question.position, {"withdrawn"})
        holders = {term: _others(self._texts.holders(term), gone) for term in terms}
        return Statistics(self.size - len(gone), holders)

    def answered(self, cue: Cue) -> Answered:
        """The memories of this space that answer a cue, best first."""
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
        """What may be shown for a memory that did not have to be searched for; None if nothing."""
        if ordinal >= self.size or not self._allowed.of(np.array([ordinal]))[0]:
            return None
        return self._shown(Position(int(self.state.columns.positions(np.array([ordinal]))[0])))

    def is_pinned(self, memory: Position) -> bool:
        """Whether a memory is in working memory."""
        return memory in self._pinned

    def _foundable(self, matching: Mask | None) -> Allowed:
        """Which memories may be found: those that may answer, and those whose successor may."""
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
            # Found, it may lead to a successor that does match.
            # As of the position: what was superseded later must not be found any sooner.
            mask[columns.changed_to(position, {"superseded"})] = True
        return Allowed(mask, excluded)

    def _less_judged(self, allowed: Allowed) -> Allowed:
        """The same without what was judged in a session and is not to come back."""
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
        """What the best hits of the two searches lead to, seeds among it."""
        if self._question.strategy != "rrf" and self._question.reading.route != "graph":
            return np.zeros(0, np.intp), np.zeros(0)
        meant, held = best(*by_meaning, _SEEDS), best(*by_words, _SEEDS)
        seeds = np.concatenate([meant[0], held[0]])
        weights = np.concatenate([meant[1], held[1]])
        reached, shares = walk(self.state, seeds, weights, self._horizon)
        allowed = self._allowed.of(reached)
        return best(reached[allowed], shares[allowed], self._depth)

    def _scored(self, found: Found, cue: Cue) -> Scored:
        """Candidates with their relevance by the strategy that was asked for."""
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
        """The same, with archived and summarized memories ranked by their strength.

        By the share that is left of the strength under which memories are archived. Of
        archived ones it decides among matches that are as good within a hundredth: what
        time hides by default must still be the first answer where it is the best one.
        Summarized ones count for less, but enough to be found by nearly their own words.
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
        """The candidates by weighted reciprocal rank fusion."""
        ranks = {name: ranking(*held) for name, held in found.named() if len(held[0])}
        fused = reciprocal_ranks(ranks, self._question.fusion)
        ordinals = np.array(sorted(fused), np.intp)
        scores = np.array([fused[one] for one in ordinals.tolist()])
        return Scored(ordinals, scores, {}, np.zeros(len(ordinals)))

    def _standing(self, scored: Scored, found: Found, terms: Terms) -> list[Ranked]:
        """The scored memories with each chain's newest in the place of its best."""
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
        """The best candidates: index, the memory that was found, and what is shown for it."""
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
                # What cannot be told apart from the last one may yet be newer than it.
                least = score - 10.0**-TOO_CLOSE
        return list(chosen.values())

    def _best_untaught(self, scored: Scored) -> float:
        """The best score of what may be shown, had nothing been learned, wherever it now stands."""
        scores = scored.score - scored.taught
        positions = self.state.columns.positions(scored.ordinals)
        for index in np.argsort(-scores).tolist():
            memory = self._shown(Position(int(positions[index])))
            if memory is not None and memory not in self._judged:
                return float(scores[index])
        return 0.0

    def _shown(self, found: Position) -> Position | None:
        """What is shown where a memory was found: itself if its status was asked for by name."""
        if self._question.statuses:
            return found if self.chains.status(found) in self._question.statuses else None
        return self.chains.standing(found)

    def _matched(self, ordinals: Ordinals, terms: Terms) -> dict[str, Mask]:
        """Which of these memories hold each of the cue's terms."""
        order = np.argsort(ordinals)
        held: dict[str, Mask] = {}
        for term in terms.weights:
            holding = np.zeros(len(ordinals), np.bool_)
            holding[order] = self._texts.held(term, ordinals[order], np.ones(len(ordinals))) > 0
            word = term.removeprefix(EXACT_PREFIX)
            held[word] = held[word] | holding if word in held else holding
        return held


def _others(holders: npt.NDArray[np.int32], gone: Ordinals) -> int:
    """How many of some memories are not among those that are gone; both ascend."""
    if not len(gone):
        return len(holders)
    places = holders.searchsorted(gone.astype(np.int32))
    inside = places < len(holders)
    return len(holders) - int(np.count_nonzero(holders[places[inside]] == gone[inside]))
