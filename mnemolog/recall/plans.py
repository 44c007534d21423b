"""Constraints and preferences near a topic, for a plan; what a named thing is known to be.

A constraint often shares no words with the cue that it applies to, so all constraints of a
space are compared with the cue by meaning, words and the people they are about.
"""

import re
from collections import deque
from collections.abc import Sequence
from itertools import chain, islice
from typing import Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from mnemolog.indexes.columns import NOBODY, Floats, Selection
from mnemolog.indexes.filters import Filter, Horizon
from mnemolog.indexes.postings import relation_term
from mnemolog.indexes.space_state import State
from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.language.entities import normalised, thing_name
from mnemolog.language.lists import Lists
from mnemolog.language.relations import ALIAS, Relation
from mnemolog.ledger.events import EdgeOrigin, MemoryContent, Remembered
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, proven
from mnemolog.policies.constraints.recognition import SAFETY, USER, about, is_named
from mnemolog.recall.items import parts
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

LIMIT = 5  # Most constraints returned with a recall, and most of class safety
INSTRUCTIONS, _INSTRUCTION_NEAR = 5, 0.15  # Most instructions, and the least cosine to the cue
# Most texts to read, the nearest in meaning: a plan compares all of them with its options.
READ_FOR_RECALL, READ_FOR_PLAN = 100, 300
_CLEAR, _LEAST_SHARE, _WHEN_UNCLEAR = 0.3, 0.35, LIMIT
_SAME, _SAME_SHARE, _BESIDE = 0.15, 0.6, 0.35
_SHARED_WORD, _MOST_FOR_WORDS = 0.1, 0.2
_NAMED, _USERS, _ANOTHERS, _SAFETY = 0.25, 0.05, -0.4, 0.05
_PREFERENCES = 20
_STANDING = frozenset({"active", "contested", "archived", "summarized"})
_LISTS = Lists("mnemolog.recall", "constraints")
_FOR_SOMEONE, _DISLIKES = _LISTS.pattern("for_someone"), _LISTS.pattern("dislikes")

ALIAS_TYPES = frozenset({ALIAS, "SAME_AS"})  # They count in both directions
KIND_TYPES = ALIAS_TYPES | {"IS_A", "INSTANCE_OF"}  # Edges that say what a thing is
Nearness = Literal["same", "near", "far"]  # Nearness of a constraint to a plan


class NearConstraint(msgspec.Struct, frozen=True):
    """Constraint in force: `same` if about a plan, `near` if it may be and is shown, or `far`."""

    search: SpaceSearch
    position: Position
    time: int
    structure: Remembered
    content: MemoryContent
    beside: float  # Highest cosine to an option
    scores: dict[str, float]
    matched: tuple[str, ...]
    relevance: float
    rank: int = 0
    nearness: Nearness = "far"

    @property
    def place(self) -> tuple[str, Position]:
        """Space and position of the constraint."""
        return self.search.space, self.position

    @property
    def is_safety(self) -> bool:
        """True if it is of class safety."""
        return self.structure.constraint == SAFETY

    def ranked(self, question: Question) -> Ranked:
        """Constraint as a ranked memory of an answer."""
        (space, at), score = self.place, sum(self.scores.values())
        reasons = ({"constraints": self.rank}, self.scores, self.matched)
        pinned = at in question.pinned.get(space, ())
        return Ranked(space, at, at, score, self.relevance, *reasons, pinned=pinned)


def near_constraints(  # noqa: PLR0913 - what is asked, and where it is looked up
    searches: Sequence[SpaceSearch],
    question: Question,
    vectors: Vector,
    analyzer: Analyzer,
    log: Log,
    *,
    read: int = READ_FOR_RECALL,
) -> list[NearConstraint]:
    """Constraints in force in these spaces, the nearest to the question first.

    `vectors` are those of the cue and of the options compared with the constraints, of shape
    (1 + options, dimensions). The `read` nearest to any of them are read and then ranked by
    nearness to the cue; a constraint near an option alone counts as `near`. If the cue names
    anyone, constraints about them come first, and those about other people are ranked low.
    """
    read_ones = [one for search in searches for one in _read(search, vectors, log, read)]
    subjects = [about(one.content.text, one.structure.source) for one in read_ones]
    # People whom the cue names: subjects of constraints, and names as in 'for NAME'.
    said = {word.lower() for word in re.findall(r"[A-Za-z]+", question.cue)}
    named = {(one["name"] or one["owner"]).lower() for one in _FOR_SOMEONE.finditer(question.cue)}
    people = frozenset(said.intersection(chain.from_iterable(subjects)) | named) - {USER}
    terms = set(analyzer.cue(question.cue)) - _LISTS.words("says_little")
    found = []
    for one, names in zip(read_ones, subjects, strict=True):
        words = [word for word in analyzer.surface(one.content.text) if word not in STOP_WORDS]
        shared = tuple(sorted(terms.intersection(map(analyzer.stem, words))))
        scores = {
            **one.scores,
            "words": min(_MOST_FOR_WORDS, _SHARED_WORD * len(shared)),
            "person": _person(names, people),
            "safety": _SAFETY if one.is_safety else 0.0,
        }
        relevance = min(1.0, max(0.0, sum(scores.values())))
        found.append(replace(one, scores=scores, matched=shared, relevance=relevance))
    found.sort(key=lambda one: (-one.relevance, -one.time, -one.position))
    # Safety is measured by safety alone, so that nothing of another class makes it far.
    safety = [one for one in found if one.is_safety]
    return [
        replace(one, rank=rank, nearness=_nearness(one, safety if one.is_safety else found))
        for rank, one in enumerate(found, 1)
    ]


def _read(search: SpaceSearch, vectors: Vector, log: Log, most: int) -> list[NearConstraint]:
    """Current constraints nearest to any vector: up to `most` of class safety, and of others."""
    columns = search.state.columns
    every = columns.constraints(search.size)
    safety = columns.constraints_of(SAFETY, search.size)
    among = (safety, np.setdiff1d(every, safety))
    return [one for each in among for one in _nearest(search, each, vectors, log, most)]


def _nearest(
    search: SpaceSearch, ordinals: Selection, vectors: Vector, log: Log, most: int
) -> list[NearConstraint]:
    """Current constraints among these, scored by their cosine to the first vector alone."""
    columns = search.state.columns
    each = [search.state.vectors.cosines(vector, ordinals) for vector in vectors]
    nearest = np.maximum.reduce(each).astype(np.float64)
    beside = np.maximum.reduce([np.zeros_like(nearest), *each[1:]])
    # Check the chains of the nearest only, until there are enough.
    places = _in_force(search, ordinals, np.argsort(-nearest, kind="stable"), most)
    positions = search.positions(ordinals[places])
    times, events = columns.times(ordinals[places]).tolist(), proven(log, positions)
    found = []
    for place, position, time in zip(places, positions, times, strict=True):
        structure, content = parts(events[position]) if position in events else (Remembered(), None)
        if content is not None:
            known = (search, position, time, structure, content, float(beside[place]))
            found.append(NearConstraint(*known, {"semantic": float(each[0][place])}, (), 0.0))
    return found


def constraints_to_show(near: Sequence[NearConstraint]) -> list[NearConstraint]:
    """The nearest constraints, and the nearest of class safety, which the others never displace."""
    there = [one for one in near if one.nearness != "far"]
    safety = [one for one in there if one.is_safety]
    kept = {one.place for one in (*there[:LIMIT], *safety[:LIMIT])}
    return [one for one in there if one.place in kept]


def near_instructions(
    search: SpaceSearch, marked: Sequence[Position], vector: Vector, question: Question
) -> list[Ranked]:
    """Standing instructions of a space near a question by meaning, the nearest first.

    `marked` are the positions of all of them, `vector` is that of the cue.
    """
    columns = search.state.columns
    ordinals = np.sort(columns.ordinals(np.array(marked, np.int64)))
    ordinals = ordinals[(ordinals != NOBODY) & (ordinals < search.size)]
    cosines = search.state.vectors.cosines(vector, ordinals).astype(np.float64)
    places = _in_force(search, ordinals, np.argsort(-cosines, kind="stable"), INSTRUCTIONS)
    positions, pinned = search.positions(ordinals), question.pinned.get(search.space, ())
    found = []
    for rank, place in enumerate(places, 1):
        at, near = positions[place], float(cosines[place])
        if near >= _INSTRUCTION_NEAR:
            reasons = ({"instructions": rank}, {"semantic": near})
            found.append(Ranked(search.space, at, at, near, near, *reasons, pinned=at in pinned))
    return found


def _in_force(
    search: SpaceSearch, ordinals: Selection, order: Selection, most: int | None = None
) -> list[int]:
    positions, shown = search.positions(ordinals), search.chains.standing
    standing = (one for one in order.tolist() if shown(positions[one], {}) == positions[one])
    return list(islice(standing, most))


def _nearness(one: NearConstraint, among: Sequence[NearConstraint]) -> Nearness:
    """Nearness of a constraint, relative to the first of `among` if that is clearly on topic."""
    # If none is, the nearest few are near: a needless constraint costs less than a forgotten one.
    if one.scores["person"] < 0:
        return "far"
    best = among[0].relevance
    related = one.relevance - one.scores["safety"]
    if related >= _SAME and one.relevance >= _SAME_SHARE * best:
        return "same"
    near = (
        one.relevance >= _LEAST_SHARE * best
        if best >= _CLEAR
        else any(one is other for other in among[:_WHEN_UNCLEAR])
    )
    return "near" if near or one.beside >= _BESIDE else "far"


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


def overlap_with_preferences(searches: Sequence[SpaceSearch], vectors: Vector, log: Log) -> Floats:
    """Similarity of each option to preferences, in [-1, 1]; negative if it is disliked.

    `vectors` are those of the goal and of the options, of shape (1 + options, dimensions).
    Compares the memories of kind `preference` that are nearest to the goal.
    """
    liked, disliked = np.zeros((2, len(vectors) - 1))
    for search in searches:
        known = search.state.vectors
        matching = search.state.columns.matching(Filter(kinds=("preference",)), search.size)
        ordinals = np.zeros(0, np.intp) if matching is None else np.flatnonzero(matching)
        ordinals = ordinals[_in_force(search, ordinals, np.arange(len(ordinals)))]
        nearest = np.argsort(-known.cosines(vectors[0], ordinals), kind="stable")
        ordinals = ordinals[nearest[:_PREFERENCES]]
        positions = search.positions(ordinals)
        events = proven(log, positions)
        cosines = np.array([known.cosines(one, ordinals) for one in vectors[1:]])
        for column, position in enumerate(positions):
            content = parts(events[position])[1] if position in events else None
            if content is not None and len(cosines):
                side = disliked if _DISLIKES.search(content.text) else liked
                np.maximum(side, cosines[:, column], out=side)
    return np.clip(liked - disliked, -1.0, 1.0)


class KindStep(msgspec.Struct, frozen=True):
    """Edge on the way from a name to a kind; `evidence` is the memory or event that says so."""

    source: str
    type: str
    target: str
    evidence: Position
    origin: EdgeOrigin | Literal["drawn"]


class KnownKind(msgspec.Struct, frozen=True):
    """Something that a name is known to be, with the shortest way there."""

    name: str
    path: tuple[KindStep, ...]


def spellings(name: str) -> tuple[str, ...]:
    """Forms under which a name may be known: as a thing's, as it is, and in the singular."""
    plain = normalised(name)
    return tuple(dict.fromkeys((thing_name(name), plain, thing_name(plain))))


def kinds_of(
    state: State, name: str, horizon: Horizon, types: frozenset[str] = KIND_TYPES
) -> tuple[KnownKind, ...]:
    """Kinds of a name, without itself, nearest first.

    Follows edges of these types (add `CONTAINS` for what a thing is made of), made or stated by
    memories in force, transitively. What is a tree nut is a nut, too, without a step.
    """
    found: dict[str, tuple[KindStep, ...]] = dict.fromkeys(spellings(name), ())
    ahead = deque(found)
    while ahead:
        one = ahead.popleft()
        for step in _steps(state, one, horizon, types):
            heads = () if step.type in ALIAS_TYPES else (step.target.rpartition(" ")[2],)
            for kind in (step.target, *heads):
                if kind not in found:
                    found[kind] = (*found[one], step)
                    ahead.append(kind)
    return tuple(KnownKind(kind, path) for kind, path in found.items() if path)


def _steps(state: State, name: str, horizon: Horizon, types: frozenset[str]) -> list[KindStep]:
    # Explicit edges first.
    steps = []
    for edge in state.edges.at(name, horizon):
        other = edge.target if edge.source == name else edge.source
        follows = edge.source == name or edge.type in ALIAS_TYPES
        if isinstance(other, str) and follows and edge.type in types:
            steps.append(KindStep(name, edge.type, other, edge.since, edge.origin))
    for relation in state.relations.of(name):
        evidence = _evidence(state, relation, horizon) if relation.type in types else None
        if evidence is not None:
            steps.append(KindStep(name, relation.type, relation.target, evidence, "drawn"))
    return steps


def _evidence(state: State, relation: Relation, horizon: Horizon) -> Position | None:
    """Newest memory in force that states a relation and is valid; None if there is none."""
    columns = state.columns
    holders = state.postings.postings(relation_term(relation), horizon.size)[0]
    changed = columns.changed(horizon.position)
    for ordinal in holders[::-1].tolist():
        if changed.get(ordinal, "active") in _STANDING and columns.holds(ordinal, horizon.instant):
            return Position(int(columns.positions(np.array([ordinal]))[0]))
    return None
