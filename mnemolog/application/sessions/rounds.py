"""Round of a recall session: a search steered by the votes so far, and its spark branches."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.session_store import SessionState
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.recall import (
    _answered,
    _counts_of,
    _subjects_of,
    pinned_in,
    reranker_of,
)
from mnemolog.indexes.columns import NOBODY
from mnemolog.indexes.filters import Filter
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.learning import Shown
from mnemolog.recall.answers.answers import Hit, Recall
from mnemolog.recall.cues.cues import read_cue
from mnemolog.recall.search.candidates import DEFAULT_FUSION, FUSIONS
from mnemolog.recall.search.checks import checked_strategy
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import COMPONENTS, blend
from mnemolog.recall.search.steering import TOWARD, Steering, refined
from mnemolog.results import Results


class SparkBranch(Results[Hit], frozen=True):
    """Memories near a memory that was voted `spark`, nearest first."""

    _over = "memories"

    spark: MemoryId
    memories: tuple[Hit, ...]


class Round(NamedTuple):
    """Result of a session's round: the main line, and one branch for each spark."""

    line: tuple[Hit, ...]
    branches: tuple[SparkBranch, ...]


def round_of(space: Space, state: SessionState, cut: Cut) -> Round:
    """Next round of a session: the main line, and one branch for each spark."""
    index = space.home.index(space.name).at(cut.position)
    places = space.home.log.positions_of([EventId(one) for one in state.votes])
    positions = {MemoryId(one): position for one, position in places.items()}
    vectors: dict[MemoryId, Vector] = {}
    for one, position in positions.items():
        ordinal = index.columns.ordinal(position)
        if ordinal != NOBODY:
            vectors[one] = index.vectors.vectors[ordinal]
    origin = origin_of(state)
    judged = [(vote, vectors[one]) for one, vote in state.votes.items() if one in vectors]
    gone = frozenset(at for one, at in positions.items() if state.votes[one] != "hot")
    toward = frozenset(positions[one] for one in vectors if state.votes[one] in TOWARD)
    stays = frozenset(at for one, at in positions.items() if state.votes[one] == "hot")
    steering = Steering(origin, toward, stays, gone)
    question = _steered(space, state, refined(origin, judged), steering, cut)
    if state.votes:
        line = _answered(space, question, None).hits
    else:
        line = _as_recalled(space, question, cut).hits
    seen = frozenset({*positions.values(), *(hit.position for hit in line)})
    aside = msgspec.structs.replace(
        question, strategy="semantic", steering=Steering(origin, judged=seen)
    )
    branches = [
        SparkBranch(one, _near_of(space, aside, vectors[one]))
        for one, vote in state.votes.items()
        if vote == "spark" and one in vectors
    ]
    return Round(line, tuple(one for one in branches if one.memories))


def _as_recalled(space: Space, question: Question, cut: Cut) -> Recall:
    """Answer of a plain recall; the first round shows what one query would show."""
    settings = settings_of(space, cut)
    question = msgspec.structs.replace(
        question,
        strategy=checked_strategy(settings.strategy),
        fusion=FUSIONS.get(question.reading.route, DEFAULT_FUSION),
    )
    return _answered(space, question, reranker_of(space, settings))


def _near_of(space: Space, question: Question, vector: Vector) -> tuple[Hit, ...]:
    return _answered(space, msgspec.structs.replace(question, vector=vector), None).hits


def _steered(
    space: Space, state: SessionState, vector: Vector, steering: Steering, cut: Cut
) -> Question:
    names = (space.name,)
    reading = read_cue(state.query, cut.instant)
    if state.votes:
        # Votes were on answers to the whole query: they steer its search, not those of its parts.
        reading = msgspec.structs.replace(reading, parts=())
    return Question(
        cue=state.query,
        reading=reading,
        position=cut.position,
        instant=cut.instant,
        present=present(space.home, cut),
        limit=state.limit,
        filters={space.name: Filter()},
        pinned=pinned_in(space, names, cut),
        vector=vector,
        blend=blend(_counts_of(space, names, cut)),
        subjects=_subjects_of(space, state.query, names, cut),
        steering=steering,
    )


def origin_of(state: SessionState) -> Vector:
    """Unit vector of a session's query."""
    return np.frombuffer(state.vector, np.float32)


def having_shown(state: SessionState, found: Round) -> SessionState:
    """Session state after the hits of a round were shown.

    Keeps the relevance components of first-round hits only: votes affect later rankings.
    """
    shown = dict(state.shown)
    for hit in found.line:
        components = {} if state.votes else _components(hit)
        shown.setdefault(hit.memory_id, Shown(components))
    for branch in found.branches:
        for hit in branch.memories:
            shown.setdefault(hit.memory_id, Shown({}, branch.spark))
    return msgspec.structs.replace(
        state, shown=shown, line=tuple(hit.memory_id for hit in found.line)
    )


def _components(hit: Hit) -> dict[str, float]:
    scores = hit.explanation.scores
    return {name: scores[name] for name in COMPONENTS if name in scores}
