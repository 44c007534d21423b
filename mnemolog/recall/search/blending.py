"""Blending: hybrid relevance of candidates from match, graph, votes and learned scores."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.ledger.ids_and_times import Position
from mnemolog.recall.search.match import (
    Cue,
    Floats,
    Ordinals,
    Surroundings,
    Texts,
    distinct,
    factors,
)
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import (
    Found,
    Scored,
    best,
    evidence,
    learned,
    nearby,
    placed,
    recency,
)

HEAVIEST = 8  # Most memories that spread activation because of their weight
_POOL = 64
_MEANING, _WORDS, _GRAPH_SHARE, _VOTED_SHARE = 0.35, 0.65, 0.2, 0.3
_ANSWERED_ABOVE, _LEAST_ABOVE, _MISLED_SHARE = 1.25, 0.2, 0.5


class SearchedSpace(Protocol):
    """Space searched for a question, with the memories that may answer it."""

    state: State
    question: Question
    size: int
    allowed: Allowed
    texts: Texts


def blended(search: SearchedSpace, found: Found, cue: Cue) -> Scored:
    """Candidates scored by hybrid relevance: the best of each search, and their neighbours."""
    state, question, texts = search.state, search.question, search.texts
    steering = question.steering
    origin = cue.vector if steering is None else steering.origin
    # The instant of asking, not `valid_at`: validity has no effect on co-access.
    horizon = Horizon(question.position, question.instant, texts.size)
    known, bearings, associated = learned(state.lessons, origin, question.subjects, found, horizon)
    toward = () if steering is None else sorted(steering.toward)
    near_votes = nearby(state.columns, toward, texts.size)
    count = max(_POOL, question.limit)
    others = [known[bearings > 0], best(known, associated, count)[0], near_votes[0]]
    pool = _pool(search, found, count, others)
    around = Surroundings(texts, pool)
    words = around.words(cue.terms)
    own, meaning = around.meaning(_cosines(state, cue.vector, around.ordinals))
    near, voted = _nearness(found, pool), placed(pool, *near_votes)
    match = (_MEANING * meaning + _WORDS * words) + _GRAPH_SHARE * near + _VOTED_SHARE * voted
    factor_of = factors(texts, pool, cue, question.reading.span)
    for factor in factor_of.values():
        match *= factor
    match = np.minimum(1.0, match)
    strengths = state.strengths.of(pool, state.columns, question.position, question.present)
    parts = {
        "semantic": match,
        "association": placed(pool, known, associated),
        "temporal": recency(state.columns.said_at(pool), question.present) * strengths,
        "weight": state.weights.of(pool, state.columns, question.position),
        "spread": _spread(search, pool, own),
    }
    weights = question.blend.by_component
    score = sum((weights[name] * part for name, part in parts.items()), np.zeros(len(pool)))
    # Recency or a heavy neighbour alone must not make a memory a hit.
    score = np.where(match > 0, score, 0.0)
    bearing = placed(pool, known, bearings)
    taught = _taught(score, bearing)
    shown = {"cosine": own, "meaning": meaning, "words": words, **factor_of, "graph": near}
    components = {**shown, "voted": voted, "learned": bearing, **parts}
    return Scored(pool, score + taught, components, taught, evidence(own, words, cue.terms.known))


def _taught(score: Floats, bearing: Floats) -> Floats:
    """Learned part of scores: raises one to just above the best at most, or lowers it."""
    # Only a share of the distance to `above` is added, so that the answer to a merely similar
    # query does not rank above a match of this one.
    above = _ANSWERED_ABOVE * max(_LEAST_ABOVE, float(score.max(initial=0.0)))
    answered, misled = np.maximum(0.0, bearing), np.maximum(0.0, -bearing)
    taught: Floats = answered * np.maximum(0.0, above - score) - _MISLED_SHARE * misled * score
    return taught


def _cosines(state: State, vector: npt.NDArray[np.float32] | None, ordinals: Ordinals) -> Floats:
    if vector is None:
        return np.zeros(len(ordinals))
    return state.vectors.cosines(vector, ordinals).astype(np.float64)


def _nearness(found: Found, pool: Ordinals) -> Floats:
    """Nearness in the graph, relative to the nearest candidate; the root reduces differences."""
    reached, shares = found["graph"]
    if not len(reached):
        return np.zeros(len(pool))
    order = np.argsort(reached)
    return placed(pool, reached[order], np.sqrt(shares[order] / shares.max()))


def _spread(search: SearchedSpace, pool: Ordinals, own: Floats) -> Floats:
    """Activation spread from the attention's centroid and from the heaviest memories."""
    spread, state, question = own, search.state, search.question
    if question.centroid is not None:
        spread = np.maximum(0.0, _cosines(state, question.centroid, pool))
    for heavy in heaviest(state, search.size, question.position, search.allowed):
        spread = np.maximum(spread, _cosines(state, state.vectors.vectors[heavy], pool))
    return np.minimum(1.0, spread)


def heaviest(state: State, size: int, position: Position, allowed: Allowed) -> Ordinals:
    """Up to 8 of the first `size` memories that weigh more than the default, heaviest first."""
    heavy = state.weights.heavy(state.columns, size, position)
    heavy = heavy[allowed.of(heavy)]
    order = np.lexsort((-heavy, -state.weights.of(heavy, state.columns, position)))
    chosen: Ordinals = heavy[order[:HEAVIEST]]
    return chosen


def _pool(search: SearchedSpace, found: Found, count: int, others: list[Ordinals]) -> Ordinals:
    """Candidates to score in full: the best of each search, their neighbours, and others."""
    # A neighbour of a memory with the cue's words may be the answer without having them.
    columns, size = search.state.columns, search.size
    by_words, *rest = (best(*found[name], count)[0] for name in ("keyword", "semantic", "graph"))
    after = columns.following(by_words, size)
    two_after = columns.following(np.maximum(after, 0), size)
    neighbours = [columns.previous(by_words), after, np.where(after == NOBODY, NOBODY, two_after)]
    pool = distinct([by_words, *neighbours, *rest, *others])
    pool = pool[pool != NOBODY]
    allowed: Ordinals = pool[search.allowed.of(pool)]
    return allowed
