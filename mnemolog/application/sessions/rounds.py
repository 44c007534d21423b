"""One round of a recall session: the search that the votes so far steer, and its branches."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.session_store import SessionState
from mnemolog.application.home.space import Cut
from mnemolog.application.questions.recall import Questions
from mnemolog.indexes.columns import NOBODY, Filter
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.learning import Shown
from mnemolog.recall.answers.answers import Hit, Recall
from mnemolog.recall.cues.cues import read_cue
from mnemolog.recall.search.candidates import DEFAULT_FUSION, FUSIONS
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question, checked_strategy
from mnemolog.recall.search.relevance import COMPONENTS, blend
from mnemolog.recall.search.steering import TOWARD, Steering, refined


class SparkBranch(msgspec.Struct, frozen=True):
    """What was found from a memory that reminded of something, the nearest first."""

    spark: MemoryId
    memories: tuple[Hit, ...]


class Round(NamedTuple):
    """What a session shows: the main line, and a branch a spark."""

    line: tuple[Hit, ...]
    branches: tuple[SparkBranch, ...]


class Rounds(Questions):
    """The searches of recall sessions."""

    def _round(self, state: SessionState, cut: Cut) -> Round:
        """What a session shows next: the main line, and a branch a spark."""
        index = self._home.index(self.space).at(cut.position)
        places = self._home.log.positions_of([EventId(one) for one in state.votes])
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
        question = self._steered(state, refined(origin, judged), steering, cut)
        if state.votes:
            line = self._answered(question, None).hits
        else:
            line = self._as_recalled(question, cut).hits
        seen = frozenset({*positions.values(), *(hit.position for hit in line)})
        aside = msgspec.structs.replace(
            question, strategy="semantic", steering=Steering(origin, judged=seen)
        )
        branches = [
            SparkBranch(one, self._near(aside, vectors[one]))
            for one, vote in state.votes.items()
            if vote == "spark" and one in vectors
        ]
        return Round(line, tuple(one for one in branches if one.memories))

    def _as_recalled(self, question: Question, cut: Cut) -> Recall:
        """The answer of a recall: what is voted on first is what one query shows."""
        settings = self._settings(cut)
        question = msgspec.structs.replace(
            question,
            strategy=checked_strategy(settings.strategy),
            fusion=FUSIONS.get(question.reading.route, DEFAULT_FUSION),
        )
        return self._answered(question, self._reranker(settings))

    def _near(self, question: Question, vector: Vector) -> tuple[Hit, ...]:
        return self._answered(msgspec.structs.replace(question, vector=vector), None).hits

    def _steered(
        self, state: SessionState, vector: Vector, steering: Steering, cut: Cut
    ) -> Question:
        names = (self.space,)
        reading = read_cue(state.query, cut.instant)
        if state.votes:
            # Votes were on answers to the whole: they steer the search for it, and for no part.
            reading = msgspec.structs.replace(reading, parts=())
        return Question(
            cue=state.query,
            reading=reading,
            position=cut.position,
            instant=cut.instant,
            present=present(self._home, cut),
            limit=state.limit,
            filters={self.space: Filter()},
            pinned=self._pinned_in(names, cut),
            vector=vector,
            blend=blend(self._counts(names, cut)),
            subjects=self._subjects_of(state.query, names, cut),
            steering=steering,
        )


def origin_of(state: SessionState) -> Vector:
    """The unit vector of a session's query."""
    return np.frombuffer(state.vector, np.float32)


def having_shown(state: SessionState, found: Round) -> SessionState:
    """The state once a round's hits were shown.

    Of the first round it keeps how relevance ranked them; later ones are ranked by votes as well.
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
