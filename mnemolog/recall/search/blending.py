"""Blending: hybrid relevance of candidates from match, graph, votes and learned scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.recall.search.association import Learned, LearnedContext, learned
from mnemolog.recall.search.attention import heaviest
from mnemolog.recall.search.candidates import Found, Scored, best, placed
from mnemolog.recall.search.match import (
    Cue,
    Floats,
    Ordinals,
    Surroundings,
    Texts,
    around,
    dated_factor,
    distinct,
    matched,
    prior,
    speaker_factor,
    standing_factor,
)
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import COMPONENTS, evidence, recency
from mnemolog.recall.search.steering import nearby

_POOL = 64
_GRAPH_SHARE = 0.2
_VOTED_SHARE = 0.3
_ANSWERED_ABOVE, _LEAST_ABOVE = 1.25, 0.2
_MISLED_SHARE = 0.5


class Ground(NamedTuple):
    """Inputs of scoring: a space, the question, and the memories that may answer."""

    state: State
    question: Question
    texts: Texts
    allowed: Allowed


class Beside(NamedTuple):
    """Scores from other sources than the searches: learned ones, and nearness to voted memories."""

    learned: Learned
    nearby: tuple[Ordinals, Floats]


def blended(ground: Ground, found: Found, cue: Cue) -> Scored:
    """Candidates scored by hybrid relevance: the best of each search, and their neighbours."""
    beside = _beside(ground, found, cue)
    pool = _pool(ground, found, beside)
    talk = Surroundings(pool, around(ground.texts, pool))
    held = talk.words(ground.texts, cue.terms.weights)
    own, meant = talk.meaning(_cosines(ground, cue, talk.ordinals))
    factors = _factors(ground, pool, cue)
    near = _nearness(found, pool)
    voted = placed(pool, *beside.nearby)
    match = matched(meant, held) + _GRAPH_SHARE * near + _VOTED_SHARE * voted
    for factor in factors.values():
        match *= factor
    match = np.minimum(1.0, match)
    bearing = placed(pool, beside.learned.ordinals, beside.learned.bearing)
    association = placed(pool, beside.learned.ordinals, beside.learned.association)
    parts = (match, association, *_beside_the_match(ground, pool, own))
    weights = ground.question.blend.weights
    score = sum((w * part for w, part in zip(weights, parts, strict=True)), np.zeros(len(pool)))
    # Recency or a heavy neighbour alone must not make a memory a hit.
    score = np.where(match > 0, score, 0.0)
    taught = _taught(score, bearing)
    return Scored(
        pool,
        score + taught,
        {
            "cosine": own,
            "meaning": meant,
            "words": held,
            **factors,
            "graph": near,
            "voted": voted,
            "learned": bearing,
            **dict(zip(COMPONENTS, parts, strict=True)),
        },
        taught,
        evidence(own, held, cue.terms.known),
    )


def _taught(score: Floats, bearing: Floats) -> Floats:
    """Learned part of scores: up to just above the best score, or negative.

    Only a share of that distance is added, so that the answer to a merely similar query does
    not rank above a match of this one.
    """
    above = _ANSWERED_ABOVE * max(_LEAST_ABOVE, float(score.max(initial=0.0)))
    answered, misled = np.maximum(0.0, bearing), np.maximum(0.0, -bearing)
    taught: Floats = answered * np.maximum(0.0, above - score) - _MISLED_SHARE * misled * score
    return taught


def _beside(ground: Ground, found: Found, cue: Cue) -> Beside:
    question, lessons = ground.question, ground.state.lessons
    steering = question.steering
    origin = cue.vector if steering is None else steering.origin
    context = None if origin is None else LearnedContext(origin, question.subjects)
    toward = () if steering is None else sorted(steering.toward)
    size = ground.texts.size
    # The instant of asking, not `valid_at`: validity has no effect on co-access.
    horizon = Horizon(question.position, question.instant, size)
    return Beside(
        learned(lessons, context, found, horizon),
        nearby(ground.state.columns, toward, size),
    )


def _cosines(ground: Ground, cue: Cue, ordinals: Ordinals) -> Floats:
    if cue.vector is None:
        return np.zeros(len(ordinals))
    return ground.state.vectors.cosines(cue.vector, ordinals).astype(np.float64)


def _factors(ground: Ground, pool: Ordinals, cue: Cue) -> dict[str, Floats]:
    """Factors of the match: the shape of a text, its speaker and its time."""
    texts = ground.texts
    return {
        "prior": prior(texts, pool),
        "speaker": speaker_factor(texts, pool, cue.text, cue.words),
        "standing": standing_factor(texts, pool),
        "dated": dated_factor(texts, pool, ground.question.reading.span),
    }


def _nearness(found: Found, pool: Ordinals) -> Floats:
    """Nearness in the graph, relative to the nearest candidate; the root reduces differences."""
    reached, shares = found.graph
    if not len(reached):
        return np.zeros(len(pool))
    order = np.argsort(reached)
    return placed(pool, reached[order], np.sqrt(shares[order] / shares.max()))


def _beside_the_match(ground: Ground, pool: Ordinals, own: Floats) -> tuple[Floats, ...]:
    """Components of hybrid relevance after match and association, in their order."""
    state, question = ground.state, ground.question
    strengths = state.strengths.of(pool, state.columns, question.position, question.present)
    temporal = recency(state.columns.said_at(pool), question.present) * strengths
    weights = state.weights.of(pool, state.columns, question.position)
    return temporal, weights, _spread(ground, pool, own)


def _spread(ground: Ground, pool: Ordinals, own: Floats) -> Floats:
    """Activation spread from the attention's centroid and from the heaviest memories."""
    spread, vectors = own, ground.state.vectors
    centroid = ground.question.centroid
    if centroid is not None:
        spread = np.maximum(0.0, vectors.cosines(centroid, pool).astype(np.float64))
    position = ground.question.position
    for heavy in heaviest(ground.state, ground.texts.size, position, ground.allowed):
        vector = vectors.vectors[heavy]
        spread = np.maximum(spread, vectors.cosines(vector, pool).astype(np.float64))
    return np.minimum(1.0, spread)


def _pool(ground: Ground, found: Found, beside: Beside) -> Ordinals:
    """Candidates to score in full: the best of each search, their neighbours, and learned ones.

    A neighbour of a memory with the cue's words may be the answer, though it holds none of
    them itself.
    """
    columns, size, taught = ground.state.columns, ground.texts.size, beside.learned
    count = max(_POOL, ground.question.limit)
    by_words = best(*found.keyword, count)[0]
    after = columns.following(by_words, size)
    two_after = columns.following(np.maximum(after, 0), size)
    reached: list[npt.NDArray[np.integer]] = [
        by_words,
        columns.previous(by_words),
        after,
        np.where(after == NOBODY, NOBODY, two_after),
        best(*found.semantic, count)[0],
        best(*found.graph, count)[0],
        taught.ordinals[taught.bearing > 0],
        best(taught.ordinals, taught.association, count)[0],
        beside.nearby[0],
    ]
    pool = distinct(reached)
    pool = pool[pool != NOBODY]
    allowed: Ordinals = pool[ground.allowed.of(pool)]
    return allowed
