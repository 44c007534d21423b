"""Round of a recall session: a search steered by the votes so far, and its spark branches."""

from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.home.session_store import SessionState
from mnemolog.application.home.space import Cut, Space, present
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.recall import (
    answered,
    lessons_of,
    pinned_in,
    reranker_of,
)
from mnemolog.indexes.columns import NOBODY
from mnemolog.indexes.filters import Filter
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.learning import Shown
from mnemolog.recall.answers import Hit
from mnemolog.recall.cues import read_cue
from mnemolog.recall.search.checks import checked_strategy
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import (
    COMPONENTS,
    DEFAULT_FUSION,
    FUSIONS,
    Question,
    Steering,
    blend,
    counts_with,
)
from mnemolog.recall.search.relevance import TOWARD, known_subjects, refined
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
    found = space.home.log.positions_of([EventId(one) for one in state.votes])
    positions = {MemoryId(one): position for one, position in found.items()}
    ordinals = {one: index.columns.ordinal(position) for one, position in positions.items()}
    vectors = {one: index.vectors.vectors[at] for one, at in ordinals.items() if at != NOBODY}
    origin, votes = origin_of(state), state.votes
    stays = frozenset(at for one, at in positions.items() if votes[one] == "hot")
    steering = Steering(
        origin,
        toward=frozenset(positions[one] for one in vectors if votes[one] in TOWARD),
        stays=stays,
        judged=frozenset(positions.values()) - stays,
    )
    reading, names = read_cue(state.query, cut.instant), (space.name,)
    if votes:
        # Votes were on answers to the whole query: they steer its search, not those of its parts.
        reading = msgspec.structs.replace(reading, parts=())
    voted = [(vote, vectors[one]) for one, vote in votes.items() if one in vectors]
    lessons = lessons_of(space, names, cut)
    question = Question(
        cue=state.query,
        reading=reading,
        position=cut.position,
        instant=cut.instant,
        present=present(space.home, cut),
        limit=state.limit,
        filters={space.name: Filter()},
        pinned=pinned_in(space, names, cut),
        vector=refined(origin, voted),
        blend=blend(counts_with([one.evidence(cut.position) for one in lessons])),
        subjects=known_subjects(lessons, space.home.log.secret, state.query),
        steering=steering,
    )
    if votes:
        line = answered(space, question, None).hits
    else:
        # The first round shows what a plain recall would show.
        settings = settings_of(space, cut)
        plain = msgspec.structs.replace(
            question,
            strategy=checked_strategy(settings.strategy),
            fusion=FUSIONS.get(question.reading.route, DEFAULT_FUSION),
        )
        line = answered(space, plain, reranker_of(space, settings)).hits
    seen = frozenset({*positions.values(), *(hit.position for hit in line)})
    steering = Steering(origin, judged=seen)
    branches = []
    for one in [one for one, vote in votes.items() if vote == "spark" and one in vectors]:
        aside = msgspec.structs.replace(
            question, strategy="semantic", steering=steering, vector=vectors[one]
        )
        branches.append(SparkBranch(one, answered(space, aside, None).hits))
    return Round(line, tuple(one for one in branches if one.memories))


def origin_of(state: SessionState) -> Vector:
    """Unit vector of a session's query."""
    return np.frombuffer(state.vector, np.float32)


def having_shown(state: SessionState, found: Round) -> SessionState:
    """Session state after a round; only first-round hits keep the components of their relevance."""
    shown = dict(state.shown)
    for hit in found.line:
        scores = {} if state.votes else hit.explanation.scores
        components = {name: scores[name] for name in COMPONENTS if name in scores}
        shown.setdefault(hit.memory_id, Shown(components))
    for branch in found.branches:
        for hit in branch.memories:
            shown.setdefault(hit.memory_id, Shown({}, branch.spark))
    line = tuple(hit.memory_id for hit in found.line)
    return msgspec.structs.replace(state, shown=shown, line=line)
