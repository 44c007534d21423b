"""What was learned of memories, for one question: that they bear on such queries, or go together.

The first is of a context, the neighbourhood of earlier queries whose sessions were
resolved; the second between memories that were accessed together. Both are in the ledger,
so that a question as of a past moment knows what was learned by then.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.horizon import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.numerals import digit_groups
from mnemolog.recall.search.candidates import Found, best
from mnemolog.recall.search.match import Floats, Ordinals, Vector, distinct
from mnemolog.recall.search.relevance import COMPONENTS, PRIOR

_SEEDS = 8

_LONGEST_NAME = 8
"""How many words of a name tell it from others."""

_KEY_BYTES = 16
_POSSESSIVE = regex(r"['\u2019]s$")
_WORD = regex(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")


def subject_key(secret: bytes, query: str, name: str | None) -> bytes | None:
    """What tells that the same is meant, and nothing else: an HMAC-SHA-256, cut to 16 bytes.

    It is of the name of whom or what a query is about, if it was given, and of the numbers
    beside it in the query: to an embedder one release, invoice or year is much like the
    next. None where there is neither. Case, blanks and marks between the words of a name make
    no difference, nor what follows the first eight of them; the order of numbers makes none.
    """
    told = "" if name is None else _told(name)
    numbers = digit_groups(query) - digit_groups(told)
    return _keyed(secret, told, numbers) if told or numbers else None


def subject_keys(secret: bytes, cue: str) -> frozenset[bytes]:
    """What tells each subject that a cue may have, as `subject_key` gives it.

    What was learned where no number was named counts for a cue that names some as well.
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
    """Whether a name is among those that a cue may hold."""
    return _told(name) in possible_names(cue)


def _told(name: str) -> str:
    return " ".join(words_of(name)[:_LONGEST_NAME])


def possible_names(cue: str) -> set[str]:
    """Every run of up to eight words of a cue: the names that it may hold."""
    words = words_of(cue)
    return {
        " ".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, min(_LONGEST_NAME, len(words) - start) + 1)
    }


def words_of(text: str) -> list[str]:
    """The words that a name or a cue is told by."""
    return [_POSSESSIVE.sub("", word.casefold()) for word in _WORD.findall(text)]


class LearnedContext(NamedTuple):
    """Where a query lies: its own unit vector, and keyed hashes of what it may be about."""

    vector: Vector
    subjects: frozenset[bytes]


class Learned(NamedTuple):
    """What was learned of some memories, ascending by ordinal.

    `bearing` is how much each answered queries like this one, in (-1, 1), `association`
    how much it goes together with what is found, in [0, 1).
    """

    ordinals: Ordinals
    bearing: Floats
    association: Floats


def learned(
    lessons: LessonIndex, context: LearnedContext | None, found: Found, horizon: Horizon
) -> Learned:
    """What was learned that has to do with a question, or with what the searches found for it."""
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
    """The few best, in one order."""
    ordinals, scores = best(ordinals, scores, _SEEDS)
    order = np.lexsort((-ordinals, -scores))[:_SEEDS]
    return ordinals[order], scores[order]


def counts_with(evidence: Sequence[Mapping[str, float]]) -> tuple[float, ...]:
    """The pseudo-counts of the components of relevance, with what resolved sessions add.

    A component that ranked what was accepted no better than chance adds nothing; all of them
    together add as much as the prior at most.
    """
    added = [max(0.0, sum(one.get(name, 0.0) for one in evidence)) for name in COMPONENTS]
    share = min(1.0, sum(PRIOR) / max(sum(added), 1e-9))
    return tuple(count + share * one for count, one in zip(PRIOR, added, strict=True))
