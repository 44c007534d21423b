"""Match of a memory with a cue: words and meaning, with those of its neighbours.

    match = (0.35 meaning + 0.65 words) · statement · length · speaker · standing · dated

Scores are calibrated by their possible maximum, not by the other candidates, so that a
score means the same in every space and at every moment. All numbers are round and were
chosen for talk and notes in general; docs/decisions/0005-ranking.md gives the range in
which each can be changed without harm.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import Columns
from mnemolog.indexes.postings import Postings, Shapes
from mnemolog.language.patterns import regex
from mnemolog.recall.cues.cues import Span

Floats = npt.NDArray[np.float64]
Ordinals = npt.NDArray[np.intp]
Vector = npt.NDArray[np.float32]

_SHORT_WORDS = 80
_MEANING, _WORDS = 0.35, 0.65
_FROM_BEFORE, _FROM_QUESTION = 0.2, 0.7
_FROM_AFTER, _FROM_AFTER_ASKING = 0.4, 0.2
_FROM_TWO_BEFORE = 0.3
_MEANING_SHARE = 0.5
_LONG_EXPONENT = 0.15
_SPEAKER_BONUS = 1.1
_STANDING_BONUS = 1.2
_DATED_BONUS = 1.3
_TOUCHED = 1_000
_COMMON = 4_000
_SHORTEST_NAME = 3

_ASKS_WHAT_WAS_SAID = regex(
    r"\b(did|have|had) you\b|\byou (said|told|recommended|suggested|mentioned|explained|gave"
    r"|advised|proposed)\b"
)


class Terms(msgspec.Struct, frozen=True):
    """Terms of a keyword search: the weight of each, and the corrected words.

    `known` is the share of the cue's weight, in [0, 1], in words that occur in the store.
    """

    weights: dict[str, float]
    corrected: dict[str, tuple[str, ...]]
    known: float = 1.0


class Cue(msgspec.Struct, frozen=True):
    """Cue, or a part of one, prepared for search.

    `vector` is its unit vector, None for a search by words alone; `words` are as written.
    """

    text: str
    terms: Terms
    vector: Vector | None
    words: frozenset[str]


class Texts:
    """Text statistics of the first `size` memories of a space, cached for one question."""

    def __init__(self, columns: Columns, postings: Postings, shapes: Shapes, size: int) -> None:
        self.columns = columns
        self.shapes = shapes
        self.size = size
        self._postings = postings
        self._pivot = max(_SHORT_WORDS, shapes.usual_words(size))
        self._held: dict[str, tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]] = {}

    def holders(self, term: str) -> npt.NDArray[np.int32]:
        """Memories that hold a term, ascending."""
        return self._postings_of(term)[0]

    def concentration(self, ordinals: npt.NDArray[np.integer]) -> Floats:
        """Length factor: 1 for a short memory, proportional to 1/length beyond the usual length.

        The usual length is 80 words, about one turn of speech, or the harmonic mean of the
        space if that is more.
        """
        share: Floats = np.minimum(1.0, self._pivot / self.shapes.words[ordinals])
        return share

    def held(self, term: str, ordinals: Ordinals, concentration: Floats) -> Floats:
        """Saturated frequency of a term in each of these memories, in [0, 1).

        `ordinals` are ascending. Uses BM25's saturation with k1 = 1. Length counts only beyond the
        usual: between two short messages it says nothing about relevance (compare Lv & Zhai 2011).
        """
        holders, counts = self._postings_of(term)
        amounts = np.zeros(len(ordinals))
        # One type for both: numpy would convert the longer list to the type of the shorter.
        wanted = ordinals.astype(np.int32)
        # Look up each element of the shorter list in the longer one.
        if len(holders) < len(wanted):
            places = wanted.searchsorted(holders)
            inside = places < len(wanted)
            inside[inside] = wanted[places[inside]] == holders[inside]
            at, often = places[inside], counts[inside].astype(np.float64)
        else:
            places = holders.searchsorted(wanted)
            inside = places < len(holders)
            inside[inside] = holders[places[inside]] == wanted[inside]
            at, often = np.flatnonzero(inside), counts[places[inside]].astype(np.float64)
        amounts[at] = often / (often + 1.0 / concentration[at])
        return amounts

    def _postings_of(self, term: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
        if term not in self._held:
            self._held[term] = self._postings.postings(term, self.size)
        return self._held[term]


class Around(msgspec.Struct, frozen=True):
    """Neighbours of memories in their conversation, and the share that each contributes."""

    before: npt.NDArray[np.int32]
    after: npt.NDArray[np.int32]
    two_before: npt.NDArray[np.int32]
    from_before: Floats
    from_after: Floats
    from_two_before: Floats


def touched_by(texts: Texts, terms: Mapping[str, float]) -> Ordinals:
    """Memories that hold one of the cue's rarer terms, ascending.

    Terms are added from the rarest on until a thousand memories are reached: a memory that
    holds only very common words does not match by words.
    """
    touched: list[npt.NDArray[np.int32]] = []
    count = 0
    for term, _ in _in_order(terms):
        holders = texts.holders(term)
        if touched and len(holders) > _COMMON:
            break
        touched.append(holders)
        count += len(holders)
        if count >= _TOUCHED:
            break
    return distinct(touched)


def distinct(arrays: Sequence[npt.NDArray[np.integer]]) -> Ordinals:
    """Distinct ordinals of the arrays, ascending.

    Sorts, because numpy's own `unique` hashes, which took ten times as long here.
    """
    if not arrays:
        return np.zeros(0, np.intp)
    every = np.sort(np.concatenate(arrays))
    first = np.ones(len(every), np.bool_)
    np.not_equal(every[1:], every[:-1], out=first[1:])
    return every[first].astype(np.intp)


def own_words(texts: Texts, terms: Mapping[str, float], ordinals: Ordinals) -> Floats:
    """Share of the cue's weight that memories hold themselves, in [0, 1)."""
    scores = np.zeros(len(ordinals))
    concentration = texts.concentration(ordinals)
    for term, weight in _in_order(terms):
        scores += weight * texts.held(term, ordinals, concentration)
    return scores / max(sum(terms.values()), np.finfo(np.float64).tiny)


def around(texts: Texts, ordinals: Ordinals) -> Around:
    """Neighbours of memories in their conversation, and the weight of each neighbour.

    A short message takes its meaning from its neighbours, a long one brings its own. An
    answer inherits from the question before it. The message after a statement elaborates
    it; the message after a question does so less.
    """
    columns, shapes = texts.columns, texts.shapes
    before = columns.previous(ordinals)
    two_before = np.where(before >= 0, columns.previous(np.maximum(before, 0)), -1)
    lean = np.minimum(1.0, _SHORT_WORDS / shapes.words[ordinals])
    asking = shapes.asks[ordinals] * lean
    earlier = np.maximum(before, 0)
    asked = (
        (before >= 0) * shapes.asks[earlier] * np.minimum(1.0, _SHORT_WORDS / shapes.words[earlier])
    )
    return Around(
        before=before,
        after=columns.following(ordinals, texts.size),
        two_before=two_before.astype(np.int32),
        from_before=lean * (_FROM_BEFORE + (_FROM_QUESTION - _FROM_BEFORE) * asked),
        from_after=lean * (_FROM_AFTER + (_FROM_AFTER_ASKING - _FROM_AFTER) * asking),
        from_two_before=lean * _FROM_TWO_BEFORE,
    )


class Surroundings:
    """Memories and their neighbours as one set, so that each is looked up once."""

    def __init__(self, ordinals: Ordinals, near: Around) -> None:
        every: list[npt.NDArray[np.integer]] = [
            ordinals, near.before, near.after, near.two_before,
        ]  # fmt: skip
        union = distinct(every)
        # -1, 'nobody', sorts first: its values are 0.
        self._nobody = int(len(union) > 0 and union[0] < 0)
        self.ordinals: Ordinals = union[self._nobody :]
        self._places = [union.searchsorted(one) for one in every]
        self._near = near

    def words(self, texts: Texts, terms: Mapping[str, float]) -> Floats:
        """Share of the cue's weight that memories or their neighbours hold, in [0, 1).

        Each term counts once, where it weighs most: neighbours only contribute terms that the
        memory lacks.
        """
        own, before, after, two_before = self._places
        near = self._near
        scores = np.zeros(len(own))
        concentration = texts.concentration(self.ordinals)
        for term, weight in _in_order(terms):
            held = self._with_nobody(texts.held(term, self.ordinals, concentration))
            scores += weight * np.maximum.reduce(
                [
                    held[own],
                    near.from_before * held[before],
                    near.from_after * held[after],
                    near.from_two_before * held[two_before],
                ]
            )
        return scores / max(sum(terms.values()), np.finfo(np.float64).tiny)

    def meaning(self, cosines: Floats) -> tuple[Floats, Floats]:
        """Cosines of the memories themselves, and with half of the neighbours' contributions.

        `cosines` are those of `ordinals`; negative ones count as 0.
        """
        own, before, after, _ = self._places
        positive = self._with_nobody(np.maximum(0.0, cosines))
        lent = self._near.from_before * positive[before] + self._near.from_after * positive[after]
        return positive[own], positive[own] + _MEANING_SHARE * lent

    def _with_nobody(self, values: Floats) -> Floats:
        return np.concatenate([np.zeros(self._nobody), values])


def matched(meaning: Floats, words: Floats) -> Floats:
    """Weighted sum of meaning and words."""
    return _MEANING * meaning + _WORDS * words


def prior(texts: Texts, ordinals: Ordinals) -> Floats:
    """Prior probability that memories of such a shape answer a question, in (0, 1].

    A greeting states little, words in a question count half, and a long reply contains much
    that is not asked about.
    """
    shapes = texts.shapes
    stated = np.maximum(1.0, shapes.words[ordinals] - shapes.asked[ordinals] / 2)
    likely: Floats = stated / (stated + 1.0) * texts.concentration(ordinals) ** _LONG_EXPONENT
    return likely


def speaker_factor(
    texts: Texts, ordinals: Ordinals, cue: str, cue_words: Collection[str]
) -> Floats:
    """Speaker factor: 1.1 for memories of the speaker whom the cue is about, else 1.

    The cue is about the speaker it names. If it names none, it is about the user, or, if it
    asks what 'you' said, about every other speaker.
    """
    named = [
        any(len(part) >= _SHORTEST_NAME and part in cue_words for part in name.split())
        for name in texts.shapes.names_of(texts.size)
    ]
    speaks = np.array([*named, False], np.bool_)[texts.shapes.speakers[ordinals]]
    if not any(named):
        by_user = texts.columns.user_stated(ordinals)
        speaks = ~by_user if _ASKS_WHAT_WAS_SAID.search(cue.lower()) else by_user
    return np.where(speaks, _SPEAKER_BONUS, 1.0)


def dated_factor(texts: Texts, ordinals: Ordinals, span: Span | None) -> Floats:
    """Date factor: 1.3 for memories valid from or said in the period that the cue names, else 1.

    Not a filter: an event of May is often reported in June.
    """
    if span is None:
        return np.ones(len(ordinals))
    columns = texts.columns
    inside = np.zeros(len(ordinals), np.bool_)
    for times in (columns.times(ordinals), columns.said_at(ordinals)):
        inside |= (span.start <= times) & (times < span.end)
    return np.where(inside, _DATED_BONUS, 1.0)


def standing_factor(texts: Texts, ordinals: Ordinals) -> Floats:
    """Standing factor: 1.2 for standing instructions and preferences, else 1.

    'Always cite the source when I ask about history' applies to every such question,
    though it shares few words with any.
    """
    return np.where(texts.shapes.standing[ordinals], _STANDING_BONUS, 1.0)


def _in_order(terms: Mapping[str, float]) -> list[tuple[str, float]]:
    """Terms in a fixed order, so that equal questions get bitwise equal sums."""
    return sorted(terms.items(), key=lambda item: (-item[1], item[0]))
