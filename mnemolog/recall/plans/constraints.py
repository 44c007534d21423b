"""Constraints near a topic, which a plan or a recommendation must respect.

A constraint often shares no words with the cue that it applies to, so shared words are
not required: all constraints of a space are compared with the cue by meaning, words and
the people they are about, and the nearest few are returned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.language.patterns import regex
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, proven
from mnemolog.policies.constraints.subjects import USER, about, is_named
from mnemolog.recall.answers.items import parts
from mnemolog.recall.cues.cues import CueReading
from mnemolog.recall.cues.doing import asks_to_do
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

LIMIT = 5
"""Most constraints returned with a recall."""

READ_FOR_RECALL, READ_FOR_PLAN = 100, 300
"""Most texts to read, the nearest in meaning: a recall keeps a few of them, a plan compares
all of them with each option.
"""

_CLEAR = 0.3
_LEAST_SHARE = 0.35
_WHEN_UNCLEAR = LIMIT
_SAME, _SAME_SHARE = 0.15, 0.6
_BESIDE = 0.35
_SHARED_WORD, _MOST_FOR_WORDS = 0.1, 0.2
_NAMED, _USERS, _ANOTHERS = 0.25, 0.05, -0.4
_SAYS_LITTLE = frozenset(
    {"take", "make", "get", "give", "go", "use", "need", "want", "put", "plan", "work", "one"}
)
_SAFETY = 0.05
_FOR_SOMEONE = regex(
    r"\b(?:for|with|to|against|and|bring|give|help|helps|serve|suits?|pack|pick|of"
    r"|from) (?P<name>[A-Z][a-z]+)\b|\b(?P<owner>[A-Z][a-z]+)(?:'s|s')(?= )"
)


Nearness = Literal["same", "near", "far"]
"""Nearness of a constraint to a plan."""


class NearConstraint(msgspec.Struct, frozen=True):
    """Constraint in force, with its nearness to a plan.

    `nearness` is `same` if it is about the plan, `near` if it may be and should be shown,
    `far` otherwise.
    """

    search: SpaceSearch
    position: Position
    time: int
    structure: Remembered
    content: MemoryContent
    scores: dict[str, float]
    matched: tuple[str, ...]
    relevance: float
    rank: int
    nearness: Nearness

    @property
    def place(self) -> tuple[str, Position]:
        """Space and position of the constraint."""
        return self.search.space, self.position

    def ranked(self, question: Question) -> Ranked:
        """Constraint as a ranked memory of an answer."""
        return Ranked(
            space=self.search.space,
            memory=self.position,
            found=self.position,
            pinned=self.position in question.pinned.get(self.search.space, frozenset()),
            time=self.time,
            score=sum(self.scores.values()),
            relevance=self.relevance,
            ranks={"constraints": self.rank},
            scores=self.scores,
            matched=self.matched,
            note=self.search.chains.note(self.position),
            trail=tuple(self.search.chains.trail(self.position)),
        )


class _Found(msgspec.Struct, frozen=True):
    """Constraint read from the log, with its time and the people it is about."""

    search: SpaceSearch
    position: Position
    cosine: float
    beside: float
    time: int
    structure: Remembered
    content: MemoryContent
    about: tuple[str, ...]


def asks_what_to_do(cue: str, reading: CueReading) -> bool:
    """True if a cue asks for a plan, a recommendation or a choice."""
    return reading.sought == "plan" or asks_to_do(cue)


def near_constraints(  # noqa: PLR0913 - what is asked, and where it is looked up
    searches: Sequence[SpaceSearch],
    question: Question,
    vectors: npt.NDArray[np.float32],
    analyzer: Analyzer,
    log: Log,
    *,
    read: int = READ_FOR_RECALL,
) -> list[NearConstraint]:
    """Constraints in force in these spaces, the nearest to the question first.

    `vectors` are those of the cue and of the options compared with the constraints, of shape
    (1 + options, dimensions). The `read` nearest to any of them are read and then ranked by
    nearness to the cue; a constraint near an option alone counts as `near`. Constraints
    about a person whom the cue names come before others; if the cue names anyone,
    constraints about other people are ranked low.
    """
    found = [one for search in searches for one in _read(search, vectors, log, read)]
    people = _people(question.cue, found)
    terms = set(analyzer.cue(question.cue))
    made = []
    for one in found:
        shared = _shared(terms, one.content.text, analyzer)
        scores = _scores(one, shared, people)
        relevance = min(1.0, max(0.0, sum(scores.values())))
        made.append((one, shared, scores, relevance))
    made.sort(key=lambda item: (-item[3], -item[0].time, -item[0].position))
    return [
        NearConstraint(
            search=one.search,
            position=one.position,
            time=one.time,
            structure=one.structure,
            content=one.content,
            scores=scores,
            matched=shared,
            relevance=relevance,
            rank=rank,
            nearness=_nearness(one, scores, relevance, (rank, made[0][3])),
        )
        for rank, (one, shared, scores, relevance) in enumerate(made, 1)
    ]


def _read(search: SpaceSearch, vectors: Vector, log: Log, read: int) -> list[_Found]:
    """Constraints of a space that may answer, read from the log, the nearest in meaning first."""
    standing, cosines, beside = _standing(search, vectors, read)
    events = proven(log, standing)
    columns = search.state.columns
    times = columns.times(np.array([columns.ordinal(one) for one in standing], np.intp))
    found = []
    for position, cosine, other, time in zip(standing, cosines, beside, times, strict=True):
        if position not in events:
            continue
        structure, content = parts(events[position])
        if content is not None:
            whom = about(content.text, structure.source)
            found.append(
                _Found(search, position, cosine, other, int(time), structure, content, whom)
            )
    return found


def _nearness(
    one: _Found, scores: dict[str, float], relevance: float, among: tuple[int, float]
) -> Nearness:
    """Nearness of a constraint, relative to the best one if that is clearly about the topic.

    If none is clearly about it, the nearest few count as near: an irrelevant constraint costs
    less than a forgotten one. `among` is its rank and the best relevance.
    """
    rank, best = among
    if scores["person"] < 0:
        return "far"
    related = relevance - scores["safety"]
    if related >= _SAME and relevance >= _SAME_SHARE * best:
        return "same"
    if one.beside >= _BESIDE:
        return "near"
    if best >= _CLEAR:
        return "near" if relevance >= _LEAST_SHARE * best else "far"
    return "near" if rank <= _WHEN_UNCLEAR else "far"


def _standing(
    search: SpaceSearch, vectors: Vector, read: int
) -> tuple[list[Position], list[float], list[float]]:
    """Current constraints nearest to any of the vectors, with their cosines.

    Returns positions, cosines to the cue, and the highest cosines to the options, 0 without
    options.
    """
    columns = search.state.columns
    ordinals = columns.constraints(search.size)
    if not len(ordinals):
        return [], [], []
    each = [search.state.vectors.cosines(vector, ordinals) for vector in vectors]
    nearest = np.maximum.reduce(each).astype(np.float64)
    beside = np.maximum.reduce([np.zeros_like(nearest), *each[1:]])
    positions = columns.positions(ordinals)
    kept: list[Position] = []
    places: list[int] = []
    # Check the chains of the nearest only, until there are enough.
    for index in np.argsort(-nearest, kind="stable"):
        position = Position(int(positions[index]))
        if search.chains.standing(position) == position:
            kept.append(position)
            places.append(int(index))
            if len(kept) == read:
                break
    return kept, [float(each[0][one]) for one in places], [float(beside[one]) for one in places]


def _people(cue: str, known: Sequence[_Found]) -> frozenset[str]:
    """People named in a cue: subjects of constraints, and names as in 'for NAME'."""
    words = {word.lower() for word in re.findall(r"[A-Za-z]+", cue)}
    subjects = {name for one in known for name in one.about}
    named = {(match["name"] or match["owner"]).lower() for match in _FOR_SOMEONE.finditer(cue)}
    return frozenset((subjects & words) | named) - {USER}


def _shared(terms: set[str], text: str, analyzer: Analyzer) -> tuple[str, ...]:
    words = {analyzer.stem(word) for word in analyzer.surface(text) if word not in STOP_WORDS}
    return tuple(sorted((terms & words) - _SAYS_LITTLE))


def _scores(one: _Found, shared: Sequence[str], people: frozenset[str]) -> dict[str, float]:
    return {
        "semantic": one.cosine,
        "words": min(_MOST_FOR_WORDS, _SHARED_WORD * len(shared)),
        "person": _person(one.about, people),
        "safety": _SAFETY if one.structure.constraint == "safety" else 0.0,
    }


def _person(subjects: Sequence[str], people: frozenset[str]) -> float:
    """Person score: positive for a constraint about a named person, negative for another's."""
    if not subjects:
        return 0.0
    if people.intersection(subjects):
        return _NAMED
    if USER in subjects:
        return _USERS
    # A 'son' may be the person named in the cue, but a 'husband' cannot be a 'boss'.
    told_apart = all(map(is_named, subjects)) or not any(map(is_named, people))
    return _ANOTHERS if people and told_apart else 0.0
