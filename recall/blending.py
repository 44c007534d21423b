"""Candidates scored in full: hybrid relevance, the match blended with what stands beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from indexes.columns import NOBODY
from indexes.space_state import State
from indexes.vectors import Allowed
from recall.candidates import Found, Scored, best
from recall.match import (
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
from recall.questions import Question
from recall.relevance import COMPONENTS, evidence, recency
from recall.spreading import heaviest

_POOL = 64
_GRAPH_SHARE = 0.2


class Ground(NamedTuple):
    """What candidates are scored on: a space, the question to it, and which memories may answer."""

    state: State
    question: Question
    texts: Texts
    allowed: Allowed


def blended(ground: Ground, found: Found, cue: Cue) -> Scored:
    """The best of what each search found, and what is near it, with their hybrid relevance."""
    pool = _pool(ground, found)
    talk = Surroundings(pool, around(ground.texts, pool))
    held = talk.words(ground.texts, cue.terms.weights)
    own, meant = talk.meaning(_cosines(ground, cue, talk.ordinals))
    factors = _factors(ground, pool, cue)
    near = _nearness(found, pool)
    match = matched(meant, held) + _GRAPH_SHARE * near
    for factor in factors.values():
        match *= factor
    match = np.minimum(1.0, match)
    parts = (match, *_beside_the_match(ground, pool, own))
    weights = ground.question.blend.weights
    score = sum((w * part for w, part in zip(weights, parts, strict=True)), np.zeros(len(pool)))
    return Scored(
        pool,
        # What does not match at all is not found because it is new or near something heavy.
        np.where(match > 0, score, 0.0),
        {
            "cosine": own,
            "meaning": meant,
            "words": held,
            **factors,
            "graph": near,
            **dict(zip(COMPONENTS, parts, strict=True)),
        },
        evidence(own, held, cue.terms.known),
    )


def _cosines(ground: Ground, cue: Cue, ordinals: Ordinals) -> Floats:
    if cue.vector is None:
        return np.zeros(len(ordinals))
    return ground.state.vectors.cosines(cue.vector, ordinals).astype(np.float64)


def _factors(ground: Ground, pool: Ordinals, cue: Cue) -> dict[str, Floats]:
    """What a match counts for by the shape of a text, its speaker and its time."""
    texts = ground.texts
    return {
        "prior": prior(texts, pool),
        "speaker": speaker_factor(texts, pool, cue.text, cue.words),
        "standing": standing_factor(texts, pool),
        "dated": dated_factor(texts, pool, ground.question.reading.span),
    }


def _nearness(found: Found, pool: Ordinals) -> Floats:
    """How near candidates lie in the graph, of the nearest one; the root evens it out."""
    reached, shares = found.graph
    near = np.zeros(len(pool))
    if len(reached):
        order = np.argsort(reached)
        places = order.take(np.searchsorted(reached, pool, sorter=order), mode="clip")
        inside = reached[places] == pool
        near[inside] = np.sqrt(shares[places][inside] / shares.max())
    return near


def _beside_the_match(ground: Ground, pool: Ordinals, own: Floats) -> tuple[Floats, ...]:
    """The components of hybrid relevance that are not the match, in their order."""
    state, question = ground.state, ground.question
    # Nothing has been recalled together yet.
    association = np.zeros(len(pool))
    strengths = state.strengths.of(pool, state.columns, question.position, question.instant)
    temporal = recency(state.columns.said_at(pool), question.instant) * strengths
    weights = state.weights.of(pool, state.columns, question.position)
    return association, temporal, weights, _spread(ground, pool, own)


def _spread(ground: Ground, pool: Ordinals, own: Floats) -> Floats:
    """Activation that spreads from the attention's centroid and from the heaviest memories."""
    spread, vectors = own, ground.state.vectors
    centroid = ground.question.centroid
    if centroid is not None:
        spread = np.maximum(0.0, vectors.cosines(centroid, pool).astype(np.float64))
    position = ground.question.position
    for heavy in heaviest(ground.state, ground.texts.size, position, ground.allowed):
        vector = vectors.vectors[heavy]
        spread = np.maximum(spread, vectors.cosines(vector, pool).astype(np.float64))
    return np.minimum(1.0, spread)


def _pool(ground: Ground, found: Found) -> Ordinals:
    """The candidates that are scored in full: the best of both searches, and what is near.

    A neighbour of a memory with the cue's words may be what is looked for,
    though it has none of them itself.
    """
    columns, size = ground.state.columns, ground.texts.size
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
    ]
    pool = distinct(reached)
    pool = pool[pool != NOBODY]
    allowed: Ordinals = pool[ground.allowed.of(pool)]
    return allowed
