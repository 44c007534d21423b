"""Match of a memory with a cue by words and meaning.

    match = (m meaning + (1 - m) words) · statement · length · speaker · standing · dated · place

The share m of meaning is 0.35; of notes 0.75, more the less of the cue is in words of the store,
and less the more of it is in codes and numbers.

Scores are calibrated by their possible maximum, not by the other candidates, so that a
score means the same in every space and at every moment. All numbers are round and were
chosen for talk and notes in general; docs/decisions/0005-ranking.md gives the range in
which each can be changed without harm.
"""

import sys
from collections.abc import Sequence
from functools import cache, partial

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import Ordinals
from mnemolog.indexes.columns import Columns, Floats, Mask, Selection
from mnemolog.indexes.postings import Postings
from mnemolog.indexes.shapes import Shapes
from mnemolog.language.analysis import is_code
from mnemolog.language.lists import regex

Vector = npt.NDArray[np.float32]

_SHORT_WORDS, _LONG_EXPONENT, _SHORTEST_NAME = 80, 0.15, 3
_FROM_BEFORE, _FROM_QUESTION = 0.2, 0.7
_FROM_AFTER, _FROM_AFTER_ASKING = 0.4, 0.2
_FROM_TWO_BEFORE, _MEANING_SHARE = 0.3, 0.5
_SPEAKER_BONUS, _STANDING_BONUS = 1.1, 1.2
_UNDATED = 0.3  # Factor of a memory far from the period that the cue names
_LONGEST_NOTE = 40  # Words
_TOUCHED, _COMMON = 1_000, 4_000
_ASKS_WHAT_WAS_SAID = regex(
    r"\b(did|have|had) you\b|\byou (said|told|recommended|suggested|mentioned|explained|gave"
    r"|advised|proposed)\b"
)


class Terms(msgspec.Struct, frozen=True):
    """Terms of a keyword search by weight; `known` is the share of weight in words of the store."""

    weights: dict[str, float]
    corrected: dict[str, tuple[str, ...]]
    known: float = 1.0

    def in_order(self) -> list[tuple[str, float]]:
        """Terms from the rarest on: a fixed order, so that equal questions get equal sums."""
        return sorted(self.weights.items(), key=lambda item: (-item[1], item[0]))

    @property
    def codes(self) -> float:
        """Share of the weight in codes and numbers, in [0, 1]."""
        codes = (weight for term, weight in self.weights.items() if is_code(term))
        return sum(codes) / self.whole

    @property
    def whole(self) -> float:
        """Weight of all terms together, above 0."""
        return max(sum(self.weights.values()), sys.float_info.min)


class Cue(msgspec.Struct, frozen=True):
    """Cue, or a part of one: its terms, unit vector (None for words alone), words as written."""

    text: str
    terms: Terms
    vector: Vector | None
    words: frozenset[str]


class Texts:
    """Text statistics of the first `size` memories of a space, cached for one question."""

    def __init__(self, columns: Columns, postings: Postings, shapes: Shapes, size: int) -> None:
        self.columns, self.shapes, self.size = columns, shapes, size
        self._pivot = max(_SHORT_WORDS, shapes.usual_words(size))
        # Memories that hold a term, ascending, and how often each does.
        self.postings = cache(partial(postings.postings, size=size))

    def concentration(self, ordinals: Ordinals) -> Floats:
        """Length factor: 1 for a short memory, proportional to 1/length beyond the usual length."""
        # That is 80 words, about one turn of speech, or the space's harmonic mean if it is more.
        share: Floats = np.minimum(1.0, self._pivot / self.shapes.words[ordinals])
        return share

    def notes(self, ordinals: Selection) -> Mask:
        """Mask of the notes: short statements of the user outside talk."""
        short = self.shapes.words[ordinals] <= _LONGEST_NOTE
        spoken = self.shapes.in_talk(ordinals, self.size)
        stated: Mask = self.columns.user_stated(ordinals) & short & ~spoken
        return stated

    def held(self, term: str, ordinals: Selection, concentration: Floats) -> Floats:
        """Saturated frequency of a term in each of these memories, in [0, 1).

        `ordinals` are ascending. Uses BM25's saturation with k1 = 1. Length counts only beyond the
        usual: between two short messages it says nothing about relevance (compare Lv & Zhai 2011).
        """
        holders, counts = self.postings(term)
        # One type for both: numpy would convert the longer list to the type of the shorter.
        wanted = ordinals.astype(np.int32)
        # Look up each element of the shorter list in the longer one.
        fewer = len(holders) < len(wanted)
        inside, places = in_both(holders, wanted) if fewer else in_both(wanted, holders)
        of, at = (inside, places) if fewer else (places, inside)
        often, amounts = counts[of].astype(np.float64), np.zeros(len(ordinals))
        amounts[at] = often / (often + 1.0 / concentration[at])
        return amounts

    def touched_by(self, terms: Terms) -> Selection:
        """Memories that hold one of the cue's rarer terms, ascending."""
        # The rarest terms that reach a thousand memories together: a memory that holds only very
        # common words does not match by words.
        touched: list[npt.NDArray[np.int32]] = []
        for term, _ in terms.in_order():
            holders, _ = self.postings(term)
            if touched and (sum(map(len, touched)) >= _TOUCHED or len(holders) > _COMMON):
                break
            touched.append(holders)
        return distinct(touched)

    def own_words(self, terms: Terms, ordinals: Selection) -> Floats:
        """Share of the cue's weight that memories hold themselves, in [0, 1)."""
        scores = np.zeros(len(ordinals))
        concentration = self.concentration(ordinals)
        for term, weight in terms.in_order():
            scores += weight * self.held(term, ordinals, concentration)
        return scores / terms.whole


def in_both(some: Ordinals, others: Ordinals) -> tuple[Mask, Selection]:
    """Mask of the elements of `some` that are in the ascending `others`, and their places there."""
    places = others.searchsorted(some)
    inside = places < len(others)
    inside[inside] = others[places[inside]] == some[inside]
    return inside, places[inside]


def distinct(arrays: Sequence[Ordinals]) -> Selection:
    """Distinct ordinals of the arrays, ascending."""
    # Sorts, because numpy's own `unique` hashes, which took ten times as long here.
    if not arrays:
        return np.zeros(0, np.intp)
    every = np.sort(np.concatenate(arrays))
    first = np.ones(len(every), np.bool_)
    np.not_equal(every[1:], every[:-1], out=first[1:])
    return every[first].astype(np.intp)


class Surroundings:
    """Memories and their neighbours in conversation as one set: each is looked up once.

    A short message takes its meaning from its neighbours, an answer from the question before it.
    The message after a statement elaborates it; that after a question does so less. A note
    stands alone.
    """

    def __init__(self, texts: Texts, memories: Selection) -> None:
        columns, shapes = texts.columns, texts.shapes
        before = columns.previous(memories)
        earlier = np.maximum(before, 0)
        after = columns.following(memories, texts.size)
        two_before = np.where(before >= 0, columns.previous(earlier), -1).astype(np.int32)
        lean = np.minimum(1.0, _SHORT_WORDS / shapes.words[memories]) * ~texts.notes(memories)
        asking = shapes.asks[memories] * lean
        leaning = np.minimum(1.0, _SHORT_WORDS / shapes.words[earlier])
        asked = (before >= 0) * shapes.asks[earlier] * leaning
        self._from_before = lean * (_FROM_BEFORE + (_FROM_QUESTION - _FROM_BEFORE) * asked)
        self._from_after = lean * (_FROM_AFTER + (_FROM_AFTER_ASKING - _FROM_AFTER) * asking)
        self._from_two_before = lean * _FROM_TWO_BEFORE
        every: list[Ordinals] = [memories, before, after, two_before]
        union = distinct(every)
        # -1, 'nobody', sorts first: its values are 0.
        self._nobody = np.zeros(int(len(union) > 0 and union[0] < 0))
        self._places = [union.searchsorted(one) for one in every]
        self._texts = texts
        self.ordinals: Selection = union[len(self._nobody) :]

    def words(self, terms: Terms) -> Floats:
        """Share of the cue's weight that memories or their neighbours hold, in [0, 1)."""
        # Each term counts once, where it weighs most: neighbours only lend what the memory lacks.
        own, before, after, two_before = self._places
        scores = np.zeros(len(own))
        concentration = self._texts.concentration(self.ordinals)
        for term, weight in terms.in_order():
            amounts = self._texts.held(term, self.ordinals, concentration)
            held = np.concatenate([self._nobody, amounts])
            beside = [self._from_before * held[before], self._from_after * held[after]]
            further = self._from_two_before * held[two_before]
            scores += weight * np.maximum.reduce([held[own], *beside, further])
        return scores / terms.whole

    def meaning(self, cosines: Floats) -> tuple[Floats, Floats]:
        """Cosines of the memories, and those with half of what neighbours lend; none below 0."""
        own, before, after, _ = self._places
        positive = np.concatenate([self._nobody, np.maximum(0.0, cosines)])
        lent = self._from_before * positive[before] + self._from_after * positive[after]
        return positive[own], positive[own] + _MEANING_SHARE * lent


def factors(
    texts: Texts, ordinals: Selection, cue: Cue, timely: Floats | None
) -> dict[str, Floats]:
    """Factors of the match of memories with a cue; `timely` is their fit to its period, if any.

    - `prior`, in (0, 1]: the chance that a memory of such a shape answers a question. A greeting
      states little, words in a question count half, and a long reply holds much else.
    - `speaker`: 1.1 for memories of the speaker whom the cue is about, else 1.
    - `standing`: 1.2 for standing instructions and preferences, which may share few words, else 1.
    - `dated`, in (0, 1]: almost a filter by the period that the cue names (`search.timing`). An
      event of May is often reported in June, so that what lies outside only counts less.
    """
    shapes = texts.shapes
    stated = np.maximum(1.0, shapes.words[ordinals] - shapes.asked[ordinals] / 2)
    fit = np.ones(len(ordinals)) if timely is None else timely
    return {
        "prior": stated / (stated + 1.0) * texts.concentration(ordinals) ** _LONG_EXPONENT,
        "speaker": np.where(_by_speaker(texts, ordinals, cue), _SPEAKER_BONUS, 1.0),
        "standing": np.where(shapes.standing[ordinals], _STANDING_BONUS, 1.0),
        "dated": _UNDATED + (1 - _UNDATED) * fit,
    }


def _by_speaker(texts: Texts, ordinals: Selection, cue: Cue) -> npt.NDArray[np.bool_]:
    # Whom the cue names; else the user, or, if it asks what 'you' said, the others.
    named = [
        any(len(part) >= _SHORTEST_NAME and part in cue.words for part in name.split())
        for name in texts.shapes.names_of(texts.size)
    ]
    if any(named):
        return np.array([*named, False], np.bool_)[texts.shapes.speakers[ordinals]]
    by_user = texts.columns.user_stated(ordinals)
    return ~by_user if _ASKS_WHAT_WAS_SAID.search(cue.text.lower()) else by_user
