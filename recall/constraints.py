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

from indexes.analysis import STOP_WORDS, Analyzer
from ledger.events import MemoryContent, Remembered
from ledger.ids import Position
from ledger.log import Log
from ledger.rows import proven
from policies.limits.subjects import USER, about, is_named
from recall.items import parts
from recall.questions import Question
from recall.reading.cues import CueReading
from recall.reading.doing import asks_to_do
from recall.space_search import Ranked, SpaceSearch, Vector

LIMIT = 5
"""How many constraints come with a recall."""

_READ = 300
"""How many texts are read at most: those nearest in meaning."""

_CLEAR = 0.3
_LEAST_SHARE = 0.35
_WHEN_UNCLEAR = LIMIT
_SAME, _SAME_SHARE = 0.15, 0.6
_SHARED_WORD, _MOST_FOR_WORDS = 0.1, 0.2
_NAMED, _USERS, _ANOTHERS = 0.25, 0.05, -0.4
_SAYS_LITTLE = frozenset(
    {"take", "make", "get", "give", "go", "use", "need", "want", "put", "plan", "work", "one"}
)
_SAFETY = 0.05
_FOR_SOMEONE = re.compile(
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

    ranked: Ranked
    structure: Remembered
    content: MemoryContent
    nearness: Nearness


def asks_what_to_do(cue: str, reading: CueReading) -> bool:
    """Whether a cue asks for a plan or a recommendation, or what to choose."""
    return reading.sought == "plan" or asks_to_do(cue)


def near_constraints(
    searches: Sequence[SpaceSearch],
    question: Question,
    vectors: npt.NDArray[np.float32],
    analyzer: Analyzer,
    log: Log,
) -> list[NearConstraint]:
    """The constraints in force of these spaces, the nearest to the question first.

    `vectors` are those of the cue and of whatever else is talked of, of shape
    (texts, dimensions); a constraint is as near as it is to the nearest of
    them. Constraints about someone whom the cue names come before others, and
    those about someone else only where the cue names nobody.
    """
    found: list[tuple[SpaceSearch, Position, float, Remembered, MemoryContent]] = []
    for search in searches:
        standing, cosines = _standing(search, vectors)
        events = proven(log, standing)
        for position, cosine in zip(standing, cosines, strict=True):
            if position not in events:
                continue
            structure, content = parts(events[position])
            if content is not None:
                found.append((search, position, cosine, structure, content))
    people = _people(question.cue, [(one[3], one[4]) for one in found])
    terms = set(analyzer.cue(question.cue))
    made = [_scored(one, _shared(terms, one[4].text, analyzer), people, question) for one in found]
    made.sort(key=lambda item: (-item.relevance, -item.time, -item.memory))
    by_place = {(one[0].space, one[1]): one for one in found}
    return [
        NearConstraint(
            msgspec.structs.replace(item, ranks={"constraints": rank}),
            by_place[item.space, item.memory][3],
            by_place[item.space, item.memory][4],
            _nearness(item, rank, made[0].relevance),
        )
        for rank, item in enumerate(made, 1)
    ]


def _nearness(item: Ranked, rank: int, best: float) -> Nearness:
    """How far a constraint is: held against the best where that is clearly about the topic.

    Where none clearly is, the few nearest may be: to bring one that turns out
    to be beside the point costs less than to forget the one that counts.
    """
    if item.scores["person"] < 0:
        return "far"
    related = item.relevance - item.scores["safety"]
    if related >= _SAME and item.relevance >= _SAME_SHARE * best:
        return "same"
    if best >= _CLEAR:
        return "near" if item.relevance >= _LEAST_SHARE * best else "far"
    return "near" if rank <= _WHEN_UNCLEAR else "far"


def _standing(search: SpaceSearch, vectors: Vector) -> tuple[list[Position], list[float]]:
    """The constraints that may answer, as they stand, with their cosines; the nearest ones."""
    columns = search.state.columns
    ordinals = columns.constraints(search.size)
    positions = [Position(int(one)) for one in columns.positions(ordinals)]
    kept = [
        index
        for index, position in enumerate(positions)
        if search.chains.standing(position) == position
    ]
    ordinals = ordinals[kept]
    if not len(ordinals):
        return [], []
    each = [search.state.vectors.cosines(vector, ordinals) for vector in vectors]
    cosines = np.maximum.reduce(each).astype(np.float64)
    nearest = np.argsort(-cosines, kind="stable")[:_READ]
    return [positions[kept[index]] for index in nearest], [float(cosines[i]) for i in nearest]


def _people(cue: str, known: Sequence[tuple[Remembered, MemoryContent]]) -> frozenset[str]:
    """The people whom a cue names: those that constraints are about, and 'for NAME'."""
    words = {word.lower() for word in re.findall(r"[A-Za-z]+", cue)}
    subjects = {
        name for structure, content in known for name in about(content.text, structure.source)
    }
    named = {(match["name"] or match["owner"]).lower() for match in _FOR_SOMEONE.finditer(cue)}
    return frozenset((subjects & words) | named) - {USER}


def _shared(terms: set[str], text: str, analyzer: Analyzer) -> tuple[str, ...]:
    words = {analyzer.stem(word) for word in analyzer.surface(text) if word not in STOP_WORDS}
    return tuple(sorted((terms & words) - _SAYS_LITTLE))


def _scored(
    one: tuple[SpaceSearch, Position, float, Remembered, MemoryContent],
    shared: Sequence[str],
    people: frozenset[str],
    question: Question,
) -> Ranked:
    search, position, cosine, structure, content = one
    scores = {
        "semantic": cosine,
        "words": min(_MOST_FOR_WORDS, _SHARED_WORD * len(shared)),
        "person": _person(about(content.text, structure.source), people),
        "safety": _SAFETY if structure.constraint == "safety" else 0.0,
    }
    columns = search.state.columns
    ordinals = np.array([columns.ordinal(position)], np.intp)
    return Ranked(
        space=search.space,
        memory=position,
        found=position,
        pinned=position in question.pinned.get(search.space, frozenset()),
        time=int(columns.times(ordinals)[0]),
        score=sum(scores.values()),
        relevance=float(np.clip(sum(scores.values()), 0.0, 1.0)),
        ranks={},
        scores=scores,
        matched=tuple(shared),
        note=search.chains.note(position),
        trail=tuple(search.chains.trail(position)),
    )


def _person(subjects: Sequence[str], people: frozenset[str]) -> float:
    """More for a constraint about someone whom the cue names, less for one about another."""
    if not subjects:
        return 0.0
    if people.intersection(subjects):
        return _NAMED
    if USER in subjects:
        return _USERS
    return _ANOTHERS if people and all(map(is_named, subjects)) else 0.0
