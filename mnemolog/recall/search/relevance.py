"""Hybrid relevance: a weighted sum of five components of a memory's relation to a cue.

    relevance = Σ weight · component, the weights of a Dirichlet distribution

All components are in [0, 1]: semantic, the match of words and meaning (`recall.search.match`);
association, learned co-access; temporal, recency times strength; weight, the centre of the depth
weight; spread, activation from the attention's centroid and from the heaviest memories. Rank
fusion is the alternative to this sum.

Bearings are learned from resolved sessions, for queries like theirs; co-access from memories
that were accessed together. An as-of question uses only what was learned by then.
"""

import hmac
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, Columns, Floats, Mask, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors.vector_index import Allowed
from mnemolog.language.lists import regex
from mnemolog.language.quantities.numbers import digit_groups
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import Position
from mnemolog.recall.cues import CueReading
from mnemolog.recall.search.ending import evidence
from mnemolog.recall.search.match import (
    Cue,
    Surroundings,
    Terms,
    Texts,
    Vector,
    distinct,
    factors,
    in_both,
)
from mnemolog.recall.search.question import Fusion, Question
from mnemolog.recall.search.timing import BY_TIME, INSIDE, evidence_with_time, in_place, timeliest

OVERVIEW_SHARE = 1 / 3  # Of the usual cut-off: many memories hold a little of an overview
HEAVIEST = 8  # Most memories that spread activation because of their weight
_POOL = 64
# Share of meaning in a match, the rest is words: a turn of talk has its topic from the turns
# around it and repeats the words of what it answers; a note says all that it is about. That of
# notes is the least, for a cue of which the store holds every word.
_MEANING, _MEANING_OF_NOTES, _MEANING_FOR_ADVICE = 0.35, 0.75, 0.85
_GRAPH_SHARE, _VOTED_SHARE = 0.2, 0.3
_ANSWERED_ABOVE, _LEAST_ABOVE, _MISLED_SHARE = 1.25, 0.2, 0.5
_FADE_HOURS, _HOUR_US = 30 * 24.0, 3_600_000_000
_RRF_RANK, _SEEDS = 60, 8
_LONGEST_NAME = 8  # Words of a name that count for its identity
_KEY_BYTES = 16
_POSSESSIVE = regex(r"['\u2019]s$")
_WORD = regex(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")

TOWARD: Mapping[Vote, float] = {"hot": 1.0, "warm": 0.4}  # Weights of votes that attract
_AWAY: Mapping[Vote, float] = {"cold": 0.3, "wrong": 0.6}
_REACH = 3  # Neighbours considered on each side of a memory in its conversation
_FURTHER = 0.7  # Factor by which nearness decreases with each step away from a voted memory

Scores = tuple[Selection, Floats]  # Selection of memories, and the score of each
# Results of the searches in a space: `semantic`, `keyword` and `graph`, in this order.
Found = Mapping[str, Scores]


class Scored(msgspec.Struct, frozen=True):
    """Candidates with their scores, the components of these scores, and their evidence.

    `taught` is the learned part of each score, negative for a memory that misled. `evidence`
    is None if the scores are one search's own, which cannot be calibrated.
    """

    ordinals: Selection
    score: Floats
    components: dict[str, Floats]
    taught: Floats
    evidence: Floats | None = None


class SearchedSpace(Protocol):
    """Space searched for a question, with the memories that may answer it."""

    state: State
    question: Question
    size: int
    allowed: Allowed
    texts: Texts
    timely: Floats | None


def blended(search: SearchedSpace, found: Found, cue: Cue) -> Scored:
    """Candidates scored by hybrid relevance: the best of each search, and their neighbours."""
    state, question, texts = search.state, search.question, search.texts
    steering = question.steering
    origin = cue.vector if steering is None else steering.origin
    known, bearings, associated = _learned(search, origin, found)
    toward = () if steering is None else sorted(steering.toward)
    near_votes = _nearby(state.columns, toward, search.size)
    count = max(_POOL, question.limit)
    others = [known[bearings > 0], best(known, associated, count)[0], near_votes[0]]
    if search.timely is not None:
        for name in ("keyword", "semantic"):
            of, scores = found[name]
            others.append(best(of, scores * (search.timely[of] >= INSIDE), count)[0])
        others.append(timeliest(search.timely, search.allowed, count))
    pool = _pool(search, found, count, others)
    around = Surroundings(texts, pool)
    words = around.words(cue.terms)
    own, meaning = around.meaning(_cosines(state, cue.vector, around.ordinals))
    near, voted = _near_in_graph(pool, *found["graph"]), placed(pool, *near_votes)
    by_meaning = _share_of_meaning(texts.notes(pool), question.reading, cue.terms)
    own_match = by_meaning * meaning + (1 - by_meaning) * words
    match = own_match + _GRAPH_SHARE * near + _VOTED_SHARE * voted
    timely = None if search.timely is None else search.timely[pool]
    factor_of = factors(texts, pool, cue, timely)
    for factor in factor_of.values():
        match *= factor
    place = question.reading.place
    if place is not None and place.days != "to come":  # Which the day of saying does not tell
        named = texts.held(place.word, pool, np.ones(len(pool))) > 0
        inside = match if timely is None else match * (timely >= INSIDE)
        factor_of["place"] = in_place(place, inside, state.columns.times(pool), named)
        match *= factor_of["place"]
    if timely is not None:
        # A memory of the period counts as found, even if the cue names nothing else.
        match += BY_TIME * timely
    match = np.minimum(1.0, match)
    strengths = state.strengths.of(pool, state.columns, question.position, question.present)
    recent = recency(state.columns.said_at(pool), question.present)
    parts = {
        "semantic": match,
        "association": placed(pool, known, associated),
        "temporal": strengths * (recent if timely is None else timely),
        "weight": state.weights.of(pool, state.columns, question.position),
        "spread": _spread(search, pool, own),
    }
    weights = question.blend.by_component
    score = sum((weights[name] * part for name, part in parts.items()), np.zeros(len(pool)))
    # Recency or a heavy neighbour alone must not make a memory a hit.
    score = np.where(match > 0, score, 0.0)
    bearing = placed(pool, known, bearings)
    # A similar query's answer rises by a share of the distance to just above the best at most,
    # so that it does not rank above a match of this query; one that misled then is lowered.
    above = _ANSWERED_ABOVE * max(_LEAST_ABOVE, float(score.max(initial=0.0)))
    answered, misled = np.maximum(0.0, bearing), np.maximum(0.0, -bearing)
    taught = answered * np.maximum(0.0, above - score) - _MISLED_SHARE * misled * score
    shown = {"cosine": own, "meaning": meaning, "words": words, **factor_of, "graph": near}
    components = {**shown, "voted": voted, "learned": bearing, **parts}
    proof = evidence(own, words, cue.terms.known)
    if timely is not None:
        proof = evidence_with_time(proof, timely, cue.terms)
    return Scored(pool, score + taught, components, taught, proof)


def _near_in_graph(pool: Selection, reached: Selection, shares: Floats) -> Floats:
    # The root reduces differences between candidates near in the graph.
    order = np.argsort(reached)
    return placed(pool, reached[order], np.sqrt(shares[order] / shares.max(initial=1e-12)))


def _share_of_meaning(notes: Mask, reading: CueReading, topic: Terms) -> Floats:
    # The meaning of a cue that names a period alone is no topic, and a model knows no codes. Where
    # the notes hold few of the cue's words, those that they share with it say little; unless the
    # cue asks for the first or last of those on a subject.
    known = topic.known if reading.place is None else 1.0
    of_notes = 1 - (1 - _MEANING_OF_NOTES) * known
    of_notes += (_MEANING - of_notes) * topic.codes
    shares: Floats = np.where(notes & bool(topic.weights), of_notes, _MEANING)
    return np.maximum(shares, _MEANING_FOR_ADVICE) if reading.seeks_advice else shares


def _cosines(state: State, vector: Vector | None, ordinals: Selection) -> Floats:
    if vector is None:
        return np.zeros(len(ordinals))
    return state.vectors.cosines(vector, ordinals).astype(np.float64)


def _spread(search: SearchedSpace, pool: Selection, own: Floats) -> Floats:
    """Activation spread from the attention's centroid and from the heaviest memories."""
    spread, state, question = own, search.state, search.question
    if question.centroid is not None:
        spread = np.maximum(0.0, _cosines(state, question.centroid, pool))
    heavy = heaviest(state, search.size, question.position, search.allowed)
    for vector in state.vectors.of(heavy):
        spread = np.maximum(spread, _cosines(state, vector, pool))
    return np.minimum(1.0, spread)


def heaviest(state: State, size: int, position: Position, allowed: Allowed) -> Selection:
    """Up to 8 of the first `size` memories that weigh more than the default, heaviest first."""
    heavy = state.weights.heavy(state.columns, size, position)
    heavy = heavy[allowed.of(heavy)]
    order = np.lexsort((-heavy, -state.weights.of(heavy, state.columns, position)))
    chosen: Selection = heavy[order[:HEAVIEST]]
    return chosen


def _pool(search: SearchedSpace, found: Found, count: int, others: list[Selection]) -> Selection:
    """Candidates to score in full: the best of each search, their neighbours, and others."""
    # A neighbour of a memory with the cue's words may be the answer without having them.
    columns, size = search.state.columns, search.size
    by_words, *rest = (best(*found[name], count)[0] for name in ("keyword", "semantic", "graph"))
    after = columns.following(by_words, size)
    two_after = columns.following(np.maximum(after, 0), size)
    neighbours = [columns.previous(by_words), after, np.where(after == NOBODY, NOBODY, two_after)]
    pool = distinct([by_words, *neighbours, *rest, *others])
    pool = pool[pool != NOBODY]
    allowed: Selection = pool[search.allowed.of(pool)]
    return allowed


def recency(said_at: npt.NDArray[np.int64], instant: int) -> Floats:
    """Recency of memories at an instant (both in µs): 1 now, 1/e after 30 days."""
    # Whole hours, so that an answer does not change from one second to the next.
    faded: Floats = np.exp(-(np.maximum(0, instant - said_at) // _HOUR_US) / _FADE_HOURS)
    return faded


def placed(pool: Selection, ordinals: Selection, values: Floats) -> Floats:
    """Values of memories, ascending by ordinal, for each candidate: 0 where it has none."""
    found = np.zeros(len(pool))
    at, of = in_both(pool, ordinals)
    found[at] = values[of]
    return found


def best(ordinals: Selection, scores: Floats, count: int) -> Scores:
    """Highest positive scores and their ordinals: `count`, and all ties of the last."""
    kept = scores > 0
    if np.count_nonzero(kept) > count:
        kept &= scores >= np.partition(scores, len(scores) - count)[len(scores) - count]
    return ordinals[kept], scores[kept]


def ranks_in(found: Found, shown: Selection) -> list[dict[str, int]]:
    """Ranks from 1 of memories in each search that found them; equal scores share the best."""
    ranks: list[dict[str, int]] = [{} for _ in shown]
    for name, (ordinals, scores) in found.items():
        if not len(ordinals):
            continue
        order = np.argsort(ordinals)
        at, places = in_both(shown, ordinals[order])
        higher = len(scores) - np.sort(scores).searchsorted(scores[order[places]], side="right")
        for index, ahead in zip(np.flatnonzero(at).tolist(), higher.tolist(), strict=True):
            ranks[index][name] = 1 + ahead
    return ranks


def fused(found: Found, fusion: Fusion) -> Scores:
    """Weighted reciprocal rank fusion over its maximum: Σ w / (60 + rank) (Cormack et al. 2009)."""
    # The newer of two equal scores ranks first.
    searches = [(w, *each) for w, each in zip(fusion, found.values(), strict=True) if len(each[0])]
    most = sum(weight / (_RRF_RANK + 1) for weight, _, _ in searches)
    shares: dict[int, float] = {}
    for weight, ordinals, scores in searches:
        ranked = ordinals[np.lexsort((-ordinals, -scores))].tolist()
        for rank, ordinal in enumerate(ranked, 1):
            shares[ordinal] = shares.get(ordinal, 0.0) + weight / (_RRF_RANK + rank) / most
    return _in_order(shares)


def _in_order(scores: Mapping[int, float]) -> Scores:
    ordinals = sorted(scores)
    return np.array(ordinals, np.intp), np.array([scores[one] for one in ordinals])


def subject_key(secret: bytes, query: str, name: str | None) -> bytes | None:
    """Key of a query's subject: an HMAC-SHA-256 cut to 16 bytes; None if there is no subject.

    The subject is the given name of the person or thing, and the numbers beside it in the
    query: embeddings hardly distinguish one release, invoice or year from the next. Case,
    blanks, punctuation, words of the name after the eighth and the order of numbers are ignored.
    """
    known = _identity(name or "")
    numbers = digit_groups(query) - digit_groups(known)
    return _keyed(secret, known, numbers) if known or numbers else None


def subject_keys(secret: bytes, cue: str) -> frozenset[bytes]:
    """Keys of all possible subjects of a cue, with its numbers and without."""
    names, numbers = possible_names(cue), digit_groups(cue)
    keys = {_keyed(secret, name, frozenset()) for name in names}
    if numbers:
        keys |= {_keyed(secret, name, numbers - digit_groups(name)) for name in (*names, "")}
    return frozenset(keys)


def known_subjects(lessons: Sequence[LessonIndex], secret: bytes, cue: str) -> frozenset[bytes]:
    """Keys of all possible subjects of a cue; none if no lesson has a subject."""
    return subject_keys(secret, cue) if any(one.named for one in lessons) else frozenset()


def _keyed(secret: bytes, name: str, numbers: frozenset[str]) -> bytes:
    subject = "\0".join(("entity", name, *sorted(numbers)))
    return hmac.digest(secret, subject.encode(), sha256)[:_KEY_BYTES]


def holds_name(cue: str, name: str) -> bool:
    """True if a name is among the possible names in a cue."""
    return _identity(name) in possible_names(cue)


def _identity(name: str) -> str:
    return " ".join(words_of(name)[:_LONGEST_NAME])


def possible_names(cue: str) -> set[str]:
    """Possible names in a cue: every run of up to eight of its words."""
    words = words_of(cue)
    return {
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(start + _LONGEST_NAME, len(words)) + 1)
    }


def words_of(text: str) -> list[str]:
    """Normalised words of a name or a cue, for comparison."""
    return [_POSSESSIVE.sub("", word.casefold()) for word in _WORD.findall(text)]


def _learned(
    search: SearchedSpace, vector: Vector | None, found: Found
) -> tuple[Selection, Floats, Floats]:
    """Memories with learned scores, ascending: bearings on a question, and co-access.

    A bearing, in (-1, 1), is how well a memory answered similar questions. Co-access, in [0, 1),
    is with the candidates.
    """
    lessons, question = search.state.lessons, search.question
    # The instant of asking, not `valid_at`: validity has no effect on co-access.
    horizon = Horizon(question.position, question.instant, search.size)
    bore: Scores = (np.zeros(0, np.intp), np.zeros(0))
    if vector is not None:
        bore = lessons.bearings(vector, question.subjects, question.position)
    seeds: dict[int, float] = {}
    for name in ("semantic", "keyword"):
        ordinals, scores = best(*found[name], _SEEDS)
        first = np.lexsort((-ordinals, -scores))[:_SEEDS]
        for ordinal, score in zip(ordinals[first].tolist(), scores[first].tolist(), strict=True):
            seeds[ordinal] = max(seeds.get(ordinal, 0.0), min(1.0, score))
    beside = lessons.associated([*seeds.items()], horizon)
    every = distinct([bore[0], beside[0]])
    every = every[every < search.size]
    return every, placed(every, *bore), placed(every, *beside)


def refined(origin: Vector, votes: Sequence[tuple[Vote, Vector]]) -> Vector:
    """Query vector after votes on memories with these unit vectors, as a unit vector.

    The mean of the hot (weight 1) and warm (0.4) vectors, or else the query itself, less 0.3 of the
    mean of the cold vectors and 0.6 of that of the wrong ones (SPEC §8.3; after Rocchio 1971).
    """
    anchor = origin.astype(np.float64)
    if for_it := [(TOWARD[vote], vector) for vote, vector in votes if vote in TOWARD]:
        weights, vectors = zip(*for_it, strict=True)
        anchor = np.average(np.stack(vectors), axis=0, weights=weights)
    for vote, share in _AWAY.items():
        if against := [vector for given, vector in votes if given == vote]:
            anchor -= share * np.mean(against, axis=0)
    length = float(np.linalg.norm(anchor))
    # Votes may cancel one another out; the query then stays unchanged.
    return (anchor / length).astype(np.float32) if length > 0 else origin


def _nearby(columns: Columns, toward: Sequence[Position], size: int) -> Scores:
    """Voted memories and their neighbours in conversation, ascending, with their nearness."""
    found: dict[int, float] = {}
    for position in toward:
        here = columns.ordinal(position)
        if here == NOBODY or here >= size:
            continue
        found[here] = 1.0
        for step in (columns.previous, partial(columns.following, size=size)):
            ordinal = here
            for further in range(_REACH):
                ordinal = int(step(np.array([ordinal]))[0])
                if ordinal == NOBODY:
                    break
                found[ordinal] = max(found.get(ordinal, 0.0), _FURTHER**further)
    return _in_order(found)
