"""Learned associations for one question, and the steering of a search by votes on its hits.

Bearings belong to a context: the neighbourhood of earlier queries of resolved sessions.
Co-access is between memories that were accessed together. Both are in the ledger, so that
an as-of question uses only associations learned by then.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256

import msgspec
import numpy as np

from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.indexes.horizon import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.numerals import digit_groups
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.match import Floats, Ordinals, Vector, distinct
from mnemolog.recall.search.relevance import COMPONENTS, PRIOR, Found, Scores, best, placed

_SEEDS = 8
_LONGEST_NAME = 8  # Words of a name that count for its identity
_KEY_BYTES = 16
_POSSESSIVE = regex(r"['\u2019]s$")
_WORD = regex(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")

TOWARD: Mapping[Vote, float] = {"hot": 1.0, "warm": 0.4}
"""Votes that attract the search, and the weight of each."""

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
