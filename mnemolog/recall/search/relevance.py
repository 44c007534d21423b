"""Hybrid relevance: a weighted sum of five components of a memory's relation to a cue.

    relevance = Σ weight · component, the weights of a Dirichlet distribution

All components are in [0, 1]: semantic, the match of words and meaning
(`recall.search.match`); association, learned co-access; temporal, recency times strength;
weight, the centre of the depth weight; spread, activation from the attention's centroid
and from the heaviest memories. Rank fusion is the alternative to this sum.

Associations are learned. Bearings belong to a context: the neighbourhood of earlier queries of
resolved sessions. Co-access is between memories that were accessed together. Both are in the
ledger, so that an as-of question uses only what was learned by then. Votes steer a search.
"""

import hmac
import math
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.language.lists import regex
from mnemolog.language.quantities.numbers import digit_groups
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids_and_times import Position
from mnemolog.recall.search.match import Floats, Ordinals, Vector, distinct, in_both

COMPONENTS = ("semantic", "association", "temporal", "weight", "spread")
# Pseudo-counts by component: the match decides, the others break near-ties.
PRIOR = (16.0, 1.0, 1.0, 1.0, 1.0)
# Relevance cut-off of lists for a cue that asks for an overview, as a share of the usual one.
# The answer is spread over many memories, and each contains little of it.
OVERVIEW_SHARE = 1 / 3
_FADE_HOURS, _HOUR_US = 30 * 24.0, 3_600_000_000
_MIDPOINT, _SLOPE, _STEEPNESS = 0.4, 0.07, 1.5
_MEANING = 0.65
_RRF_RANK = 60

# Weights of the searches in rank fusion: by meaning, by words and in the graph.
Fusion = tuple[float, float, float]
DEFAULT_FUSION: Fusion = (0.4, 0.3, 0.3)
# Fusion weights for cues of other routes.
FUSIONS: dict[str, Fusion] = {"single_shot": (0.3, 0.5, 0.2), "graph": (0.2, 0.2, 0.6)}
Scores = tuple[Ordinals, Floats]  # Ordinals of memories, and the score of each
Found = Mapping[str, Scores]
"""Results of the searches in a space: `semantic`, `keyword` and `graph`, in this order."""


class Scored(msgspec.Struct, frozen=True):
    """Candidates with their scores, the components of these scores, and their evidence.

    `taught` is the learned part of each score, negative for a memory that misled. `evidence`
    is None if the scores are one search's own, which cannot be calibrated.
    """

    ordinals: Ordinals
    score: Floats
    components: dict[str, Floats]
    taught: Floats
    evidence: Floats | None = None


class Blend(msgspec.Struct, frozen=True):
    """Weights of the components, which sum to 1; `seed` if they were drawn at random."""

    weights: tuple[float, ...]
    seed: int | None = None

    @property
    def by_component(self) -> dict[str, float]:
        """Weight of each component."""
        return dict(zip(COMPONENTS, self.weights, strict=True))


def blend(counts: tuple[float, ...] = PRIOR, seed: int | None = None) -> Blend:
    """Mean of a Dirichlet distribution, so that recall repeats; with a seed, a random draw."""
    if seed is None:
        return Blend(tuple(count / sum(counts) for count in counts))
    drawn = np.random.default_rng(seed).dirichlet(counts)
    return Blend(tuple(float(weight) for weight in drawn), seed)


MEAN = blend()  # Default weights, so that recall repeats


def recency(said_at: npt.NDArray[np.int64], instant: int) -> Floats:
    """Recency of memories at an instant (both in µs): 1 now, 1/e after 30 days."""
    # Whole hours, so that an answer does not change from one second to the next.
    age_hours = np.maximum(0, instant - said_at) // _HOUR_US
    faded: Floats = np.exp(-age_hours / _FADE_HOURS)
    return faded


def evidence(cosines: Floats, words: Floats, known: float) -> Floats:
    """Evidence from each memory, in [0, 1], that the store contains an answer to the cue.

    `words` is the share of the cue's known weight that the memory or its neighbours hold, a
    half if each word occurs once. `known` is the share of the cue in words that the store
    contains: a cue of unknown words is probably about something else.
    """
    covered = np.minimum(1.0, 2 * words) * known
    return _MEANING * np.maximum(0.0, cosines) + (1 - _MEANING) * covered


def calibrated(best: float) -> float:
    """Probability that an answer exists, given the best evidence for one: a logistic curve."""
    # Evidence is about 0.55 for cues that have an answer, 0.3 for cues about something else.
    return 1 / (1 + math.exp(-(best - _MIDPOINT) / _SLOPE))


def relevance_of(score: float, best_score: float, answered: float) -> float:
    """Relevance of a hit in [0, 1]: that of the best hit, reduced by its distance in score."""
    if best_score <= 0:
        return 0.0
    return answered * math.pow(min(1.0, max(0.0, score) / best_score), _STEEPNESS)


def placed(pool: Ordinals, ordinals: Ordinals, values: Floats) -> Floats:
    """Values of memories, ascending by ordinal, for each candidate: 0 where it has none."""
    found = np.zeros(len(pool))
    at, of = in_both(pool, ordinals)
    found[at] = values[of]
    return found


def best(ordinals: Ordinals, scores: Floats, count: int) -> Scores:
    """Highest positive scores and their ordinals: `count`, and all ties of the last."""
    kept = scores > 0
    if np.count_nonzero(kept) > count:
        kept &= scores >= np.partition(scores, len(scores) - count)[len(scores) - count]
    return ordinals[kept], scores[kept]


def ranks_in(found: Found, shown: Ordinals) -> list[dict[str, int]]:
    """Ranks from 1 of memories in each search that found them; equal scores share the best."""
    ranks: list[dict[str, int]] = [{} for _ in shown]
    for name, (ordinals, scores) in found.items():
        order = np.argsort(ordinals)
        at, places = in_both(shown, ordinals[order])
        higher = len(scores) - np.sort(scores).searchsorted(scores[order[places]], side="right")
        for index, ahead in zip(np.flatnonzero(at).tolist(), higher.tolist(), strict=True):
            ranks[index][name] = 1 + ahead
    return ranks


def fused(found: Found, fusion: Fusion) -> dict[int, float]:
    """Weighted reciprocal rank fusion over its maximum: Σ w / (60 + rank) (Cormack et al. 2009)."""
    # The newer of two equal scores ranks first.
    searches = [(w, *each) for w, each in zip(fusion, found.values(), strict=True) if len(each[0])]
    most = sum(weight / (_RRF_RANK + 1) for weight, _, _ in searches)
    shares: dict[int, float] = {}
    for weight, ordinals, scores in searches:
        ranked = ordinals[np.lexsort((-ordinals, -scores))].tolist()
        for rank, ordinal in enumerate(ranked, 1):
            shares[ordinal] = shares.get(ordinal, 0.0) + weight / (_RRF_RANK + rank) / most
    return shares


_SEEDS = 8
_LONGEST_NAME = 8  # Words of a name that count for its identity
_KEY_BYTES = 16
_POSSESSIVE = regex(r"['\u2019]s$")
_WORD = regex(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")

# Votes that attract the search, and the weight of each.
TOWARD: Mapping[Vote, float] = {"hot": 1.0, "warm": 0.4}
_AWAY: Mapping[Vote, float] = {"cold": 0.3, "wrong": 0.6}
_REACH = 3  # Neighbours considered on each side of a memory in its conversation
_FURTHER = 0.7  # Factor by which nearness decreases with each step away from a voted memory


def subject_key(secret: bytes, query: str, name: str | None) -> bytes | None:
    """Key of a query's subject: an HMAC-SHA-256 cut to 16 bytes; None if there is no subject.

    The subject is the given name of the person or thing, and the numbers beside it in the
    query: embeddings hardly distinguish one release, invoice or year from the next. Case,
    blanks, punctuation and words of the name after the eighth are ignored, and so is the
    order of the numbers.
    """
    known = "" if name is None else _identity(name)
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


def learned(
    lessons: LessonIndex,
    vector: Vector | None,
    subjects: frozenset[bytes],
    found: Found,
    horizon: Horizon,
) -> tuple[Ordinals, Floats, Floats]:
    """Memories with learned scores, ascending: bearings on a question, and co-access.

    A bearing, in (-1, 1), is how well a memory answered similar questions. Co-access, in [0, 1),
    is with the candidates. `vector` is the question's unit vector, `subjects` are keyed hashes of
    its possible subjects.
    """
    bore: Scores = (np.zeros(0, np.intp), np.zeros(0))
    if vector is not None:
        bore = lessons.bearings(vector, subjects, horizon.position)
    seeds: dict[int, float] = {}
    for name in ("semantic", "keyword"):
        ordinals, scores = best(*found[name], _SEEDS)
        for index in np.lexsort((-ordinals, -scores))[:_SEEDS].tolist():
            ordinal, score = int(ordinals[index]), float(scores[index])
            seeds[ordinal] = max(seeds.get(ordinal, 0.0), min(1.0, score))
    beside = lessons.associated([*seeds.items()], horizon)
    every = distinct([bore[0], beside[0]])
    every = every[every < horizon.size]
    return every, placed(every, *bore), placed(every, *beside)


def counts_with(evidence: Sequence[Mapping[str, float]]) -> tuple[float, ...]:
    """Pseudo-counts of the components of relevance, updated from resolved sessions.

    A component that ranked accepted hits no better than chance adds nothing. All additions
    together are at most the sum of the prior.
    """
    added = [max(0.0, sum(one.get(name, 0.0) for one in evidence)) for name in COMPONENTS]
    share = min(1.0, sum(PRIOR) / max(sum(added), 1e-9))
    return tuple(count + share * one for count, one in zip(PRIOR, added, strict=True))


class Steering(msgspec.Struct, frozen=True):
    """Result of votes on a question's earlier hits.

    `origin` is the unit vector of the query itself, `toward` the memories voted hot or warm.
    Memories in `stays` come first, whatever their rank; those in `judged` are left out.
    """

    origin: Vector
    toward: frozenset[Position] = frozenset()
    stays: frozenset[Position] = frozenset()
    judged: frozenset[Position] = frozenset()


def refined(origin: Vector, votes: Sequence[tuple[Vote, Vector]]) -> Vector:
    """Query vector after votes on memories with these unit vectors, as a unit vector.

    The anchor is the mean of the hot (weight 1) and warm (0.4) vectors, or else the query
    itself. It is reduced by 0.3 of the mean of the cold vectors and 0.6 of the mean of the
    wrong ones (SPEC §8.3; after Rocchio 1971).
    """
    for_it = [(TOWARD[vote], vector) for vote, vector in votes if vote in TOWARD]
    anchor = origin.astype(np.float64)
    if for_it:
        weights, vectors = zip(*for_it, strict=True)
        anchor = np.average(np.stack(vectors), axis=0, weights=weights)
    for vote, share in _AWAY.items():
        against = [vector for given, vector in votes if given == vote]
        if against:
            anchor -= share * np.mean(against, axis=0)
    length = float(np.linalg.norm(anchor))
    # Votes may cancel one another out; the query then stays unchanged.
    return (anchor / length).astype(np.float32) if length > 0 else origin


def nearby(columns: Columns, toward: Sequence[Position], size: int) -> Scores:
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
    ordinals = sorted(found)
    return np.array(ordinals, np.intp), np.array([found[one] for one in ordinals])
