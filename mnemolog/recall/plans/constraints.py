"""Constraints near a topic: what a plan or a recommendation must not forget.

A constraint is seldom worded like the cue that it matters for, so nothing is asked
of shared words: all constraints of a space are compared with the cue in meaning, in
words and in whom they are about, and the few nearest come back.
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
from mnemolog.ledger.log import Log
from mnemolog.ledger.rows import proven
from mnemolog.policies.constraints.subjects import USER, about, is_named
from mnemolog.recall.answers.items import parts
from mnemolog.recall.cues.cues import CueReading
from mnemolog.recall.cues.doing import asks_to_do
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

LIMIT = 5
"""How many constraints come with a recall."""

READ_FOR_RECALL, READ_FOR_PLAN = 100, 300
"""How many texts are read at most, those nearest in meaning: a recall keeps a few of them, a plan
holds every option against each."""

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
"""How far a constraint is from what is planned."""


class NearConstraint(msgspec.Struct, frozen=True):
    """A constraint that stands, with how near it is to what is planned.

    `nearness` is `same` where it is about that, `near` where it may be and should be known,
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
        """Its space and its position."""
        return self.search.space, self.position

    def ranked(self, question: Question) -> Ranked:
        """The constraint as it stands in an answer."""
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
    """A constraint that was read, with the time it is of and the people whom it is about."""

    search: SpaceSearch
    position: Position
    cosine: float
    beside: float
    time: int
    structure: Remembered
    content: MemoryContent
    about: tuple[str, ...]


def asks_what_to_do(cue: str, reading: CueReading) -> bool:
    """Whether a cue asks for a plan or a recommendation, or what to choose."""
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
    """The constraints in force of these spaces, the nearest to the question first.

    `vectors` are those of the cue and of the options that are held against them, of
    shape (1 + options, dimensions). The `read` nearest to any of them are read, and
    ranked by how near they are to the cue; one that is near to an option alone may be
    about it. Constraints about someone whom the cue names come before others, and those
    about someone else only where the cue names nobody.
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
    """The constraints of a space that may answer, as they stand, the nearest in meaning."""
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
    """How far a constraint is: held against the best where that is clearly about the topic.

    Where none clearly is, the few nearest may be: to bring one that turns out
    to be beside the point costs less than to forget the one that counts. `among` is its
    rank and the best relevance.
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
    """The constraints that may answer, as they stand, the nearest to any of the vectors.

    With their cosines to the cue, and the highest to what stands beside it, 0 if nothing does.
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
    # Whether one stands is asked of the nearest alone, until there are enough.
    for index in np.argsort(-nearest, kind="stable"):
        position = Position(int(positions[index]))
        if search.chains.standing(position) == position:
            kept.append(position)
            places.append(int(index))
            if len(kept) == read:
                break
    return kept, [float(each[0][one]) for one in places], [float(beside[one]) for one in places]


def _people(cue: str, known: Sequence[_Found]) -> frozenset[str]:
    """The people whom a cue names: those that constraints are about, and 'for NAME'."""
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
    """More for a constraint about someone whom the cue names, less for one about another."""
    if not subjects:
        return 0.0
    if people.intersection(subjects):
        return _NAMED
    if USER in subjects:
        return _USERS
    # A son may be whom the cue calls by his name, but no husband is a boss.
    told_apart = all(map(is_named, subjects)) or not any(map(is_named, people))
    return _ANOTHERS if people and told_apart else 0.0
