"""Learned associations for one question: bearings on similar queries, and co-access.

Bearings belong to a context: the neighbourhood of earlier queries of resolved sessions.
Co-access is between memories that were accessed together. Both are in the ledger, so that
an as-of question uses only associations learned by then.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.numerals import digit_groups
from mnemolog.recall.search.candidates import Found, best
from mnemolog.recall.search.match import Floats, Ordinals, Vector, distinct
from mnemolog.recall.search.relevance import COMPONENTS, PRIOR

_SEEDS = 8

_LONGEST_NAME = 8
"""Words of a name that count for its identity."""

_KEY_BYTES = 16
_POSSESSIVE = regex(r"['\u2019]s$")
_WORD = regex(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")


def subject_key(secret: bytes, query: str, name: str | None) -> bytes | None:
    """Key of a query's subject: an HMAC-SHA-256 cut to 16 bytes; None if there is no subject.

    The subject is the given name of the person or thing, and the numbers beside it in the
    query: embeddings hardly distinguish one release, invoice or year from the next. Case,
    blanks, punctuation and words of the name after the eighth are ignored, and so is the
    order of the numbers.
    """
    told = "" if name is None else _told(name)
    numbers = digit_groups(query) - digit_groups(told)
    return _keyed(secret, told, numbers) if told or numbers else None


def subject_keys(secret: bytes, cue: str) -> frozenset[bytes]:
    """Keys of all possible subjects of a cue, in the form of `subject_key`.

    Associations learned without a number also count for a cue with numbers.
    """
    names, numbers = possible_names(cue), digit_groups(cue)
    keys = {_keyed(secret, name, frozenset()) for name in names}
    if numbers:
        keys |= {_keyed(secret, name, numbers - digit_groups(name)) for name in (*names, "")}
    return frozenset(keys)


def _keyed(secret: bytes, told: str, numbers: frozenset[str]) -> bytes:
    subject = "\0".join(("entity", told, *sorted(numbers)))
    return hmac.digest(secret, subject.encode(), sha256)[:_KEY_BYTES]


def holds_name(cue: str, name: str) -> bool:
    """True if a name is among the possible names in a cue."""
    return _told(name) in possible_names(cue)


def _told(name: str) -> str:
    return " ".join(words_of(name)[:_LONGEST_NAME])


def possible_names(cue: str) -> set[str]:
    """Possible names in a cue: every run of up to eight of its words."""
    words = words_of(cue)
    return {
        " ".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, min(_LONGEST_NAME, len(words) - start) + 1)
    }


def words_of(text: str) -> list[str]:
    """Normalised words of a name or a cue, for comparison."""
    return [_POSSESSIVE.sub("", word.casefold()) for word in _WORD.findall(text)]


class LearnedContext(NamedTuple):
    """Context of a query: its unit vector, and keyed hashes of its possible subjects."""

    vector: Vector
    subjects: frozenset[bytes]


class Learned(NamedTuple):
    """Learned scores of memories, ascending by ordinal.

    `bearing` is how well each answered similar queries, in (-1, 1); `association` its
    co-access with the candidates, in [0, 1).
    """

    ordinals: Ordinals
    bearing: Floats
    association: Floats


def learned(
    lessons: LessonIndex, context: LearnedContext | None, found: Found, horizon: Horizon
) -> Learned:
    """Learned scores for a question: bearings on it, and co-access with its candidates."""
    bore = (np.zeros(0, np.intp), np.zeros(0))
    if context is not None:
        bore = lessons.bearings(context.vector, context.subjects, horizon.position)
    seeds: dict[int, float] = {}
    for ordinals, scores in (found.semantic, found.keyword):
        for ordinal, score in zip(*map(np.ndarray.tolist, _first(ordinals, scores)), strict=True):
            seeds[ordinal] = max(seeds.get(ordinal, 0.0), min(1.0, score))
    beside = lessons.associated([*seeds.items()], horizon)
    every = distinct([bore[0], beside[0]])
    both = [np.zeros(len(every)), np.zeros(len(every))]
    for values, (ordinals, known) in zip(both, (bore, beside), strict=True):
        values[every.searchsorted(ordinals)] = known
    within = every < horizon.size
    return Learned(every[within], both[0][within], both[1][within])


def _first(ordinals: Ordinals, scores: Floats) -> tuple[Ordinals, Floats]:
    """Best few, in a fixed order."""
    ordinals, scores = best(ordinals, scores, _SEEDS)
    order = np.lexsort((-ordinals, -scores))[:_SEEDS]
    return ordinals[order], scores[order]


def counts_with(evidence: Sequence[Mapping[str, float]]) -> tuple[float, ...]:
    """Pseudo-counts of the components of relevance, updated from resolved sessions.

    A component that ranked accepted hits no better than chance adds nothing. All additions
    together are at most the sum of the prior.
    """
    added = [max(0.0, sum(one.get(name, 0.0) for one in evidence)) for name in COMPONENTS]
    share = min(1.0, sum(PRIOR) / max(sum(added), 1e-9))
    return tuple(count + share * one for count, one in zip(PRIOR, added, strict=True))
