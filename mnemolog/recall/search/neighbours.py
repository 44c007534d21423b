"""Neighbours of a new text: the memories to compare it with, by words and by meaning."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.arrays import Ordinals
from mnemolog.indexes.columns import Floats, Mask, Selection
from mnemolog.indexes.filters import STATUSES
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors.vector_index import Allowed
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import Vector, in_both

NEAR = 0.85  # Least cosine at which two texts are compared, whatever words they have
# Number of nearest memories compared whatever their cosine: 'I live in Oslo' and
# 'My home is in Bergen' share no content word, and their cosine is below `NEAR`.
NEAREST = 8
MOST = 16  # Most memories that a text is compared with
_TERMS, _POOL, _SHORT, _FUSION_RANK = 12, 64, 8, 5
_READ = 4_096  # Most holders of the rarest words together that are looked at
_RESCORED = 256  # Best memories by the rarest words, of which the other words count as well
_OUT = frozenset(STATUSES) - set(PLAIN_STATUSES)


class Neighbour(NamedTuple):
    """Memory, or text not stored yet, to compare with; the cosine to it if both are embedded."""

    ordinal: int
    similarity: float | None


class Neighbours:
    """Current memories of a space as of a position, and texts about to be added to it."""

    def __init__(self, state: State, position: Position, analyzer: Analyzer) -> None:
        self.size = state.columns.size(position)
        self._state = state
        self._embedded = len(state.vectors) >= self.size
        self._out = state.columns.changed_to(position, _OUT)
        self._left_out: set[int] = set()
        self._terms = lru_cache(maxsize=1)(analyzer.cue)
        self._postings = cache(partial(state.postings.postings, size=self.size))
        self._added: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        self._words = array("i")
        self._vectors: dict[int, Vector] = {}

    def positions(self, ordinals: Sequence[int]) -> list[Position]:
        """Positions of stored memories."""
        return [*map(Position, self._state.columns.positions(np.array(ordinals, np.intp)).tolist())]

    def ordinal(self, position: Position) -> int:
        """Ordinal of the memory at a position."""
        return self._state.columns.ordinal(position)

    def add(self, text: str, vector: Vector | None) -> int:
        """Add a text that is not stored yet, so that it can be found; returns its ordinal."""
        ordinal = self.size + len(self._words)
        terms = self._terms(text)
        for term in terms:
            self._added[term].append(ordinal)
        self._words.append(max(1, len(terms)))
        if vector is not None:
            self._vectors[ordinal] = vector
        return ordinal

    def leave_out(self, ordinal: int) -> None:
        """Exclude a memory that was superseded."""
        self._left_out.add(ordinal)

    def of(self, text: str, vector: Vector | None) -> list[Neighbour]:
        """Memories to compare a text with, at most `MOST`, the likeliest first."""
        if vector is None:
            return [Neighbour(one, None) for one in self._sharing(text, MOST)]
        # Those nearest in meaning and those that share the text's rarest words take turns; of the
        # latter those first that rank high in both: a model knows no rare names.
        by_words, near = self._sharing(text, _POOL), dict(self._near(vector))
        cosines = self._cosines(vector, by_words)
        nearest = sorted(by_words, key=lambda ordinal: -cosines.get(ordinal, -1.0))
        ranks = [{one: rank for rank, one in enumerate(of)} for of in (by_words, nearest)]
        by_words.sort(key=lambda one: -sum(1 / (_FUSION_RANK + of[one]) for of in ranks))
        turns = (one for both in zip_longest(near, by_words) for one in both if one is not None)
        cosines |= near
        return [Neighbour(one, cosines.get(one)) for one in [*dict.fromkeys(turns)][:MOST]]

    def _sharing(self, text: str, most: int) -> list[int]:
        """Memories that share the rarest of a text's words, best first; of equals the shorter.

        They hold one of the rarest words, with at most `_READ` holders together; of the best by
        these the other words count as well.
        """
        counts = {term: self._frequency(term) for term in self._terms(text)}
        known = sorted((held, term) for term, held in counts.items() if held)[:_TERMS]
        if not known:
            return []
        frequencies = np.array([frequency for frequency, _ in known])
        total = self.size + len(self._words)
        weights = np.log1p((total - frequencies + 0.5) / (frequencies + 0.5))
        rare = max(1, int(frequencies.cumsum().searchsorted(_READ, side="right")))
        lists = [self._holders(term) for _, term in known]
        touched, scores = _summed(lists[:rare], weights)
        there = self._there(touched)
        touched, scores = touched[there], scores[there]
        words = _SHORT + self._lengths(touched)
        if rare < len(known):
            best = _best(scores / words, touched, _RESCORED)
            best.sort()
            touched, scores, words = touched[best], scores[best], words[best]
            for held, weight in zip(lists[rare:], weights[rare:].tolist(), strict=True):
                for part in held:
                    scores[in_both(touched, part)[0]] += weight
        found: list[int] = touched[_best(scores / words, touched, most)].tolist()
        return found

    def _frequency(self, term: str) -> int:
        """Number of stored and added memories that hold a term."""
        return len(self._postings(term)[0]) + len(self._added.get(term, ()))

    def _holders(self, term: str) -> tuple[Ordinals, ...]:
        """Stored and added memories that hold a term, each ascending."""
        stored, added = self._postings(term)[0], self._added.get(term)
        return (stored,) if added is None else (stored, np.array(added, np.int32))

    def _there(self, ordinals: Ordinals) -> Mask:
        """Mask of the memories that were not superseded, among these, which ascend."""
        there = np.ones(len(ordinals), np.bool_)
        if len(self._out):
            there &= ~in_both(ordinals, self._out)[0]
        if self._left_out:
            left_out = np.array([*self._left_out])
            there[ordinals.searchsorted(left_out[in_both(left_out, ordinals)[0]])] = False
        return there

    def _lengths(self, ordinals: Ordinals) -> Ordinals:
        """Numbers of words of memories, which ascend."""
        stored = int(ordinals.searchsorted(self.size))
        added = np.array(self._words, np.int32)[ordinals[stored:] - self.size]
        return np.concatenate([self._state.shapes.words[ordinals[:stored]], added])

    def _cosines(self, vector: Vector, ordinals: list[int]) -> dict[int, float]:
        new = [one for one in ordinals if one in self._vectors]
        found = {one: float(self._vectors[one] @ vector) for one in new}
        if self._embedded:
            stored = [one for one in ordinals if one < self.size]
            cosines = self._state.vectors.cosines(vector, np.array(stored, np.intp))
            found.update(zip(stored, cosines.tolist(), strict=True))
        return found

    def _near(self, vector: Vector) -> list[tuple[int, float]]:
        """Nearest memories with their cosines: those of `NEAR` or more, at least eight."""
        found = list(self._cosines(vector, [*self._vectors]).items())
        if self._embedded and self.size:
            stored = [one for one in self._left_out if one < self.size]
            allowed = Allowed(None, np.union1d(self._out, stored) if stored else self._out)
            ordinals, cosines = self._state.vectors.nearest(vector, self.size, MOST, allowed)
            found += zip(ordinals.tolist(), cosines.tolist(), strict=True)
        there = [one for one in found if one[0] not in self._left_out]
        there.sort(key=lambda item: (-item[1], -item[0]))
        close = [one for one in there[:MOST] if one[1] >= NEAR]
        return close if len(close) > NEAREST else there[:NEAREST]


def _summed(lists: Sequence[Sequence[Ordinals]], weights: Floats) -> tuple[Ordinals, Floats]:
    """Distinct ordinals of lists, ascending, and the sums of the weights of those that hold each.

    Of a list, the last `_READ` ordinals count.
    """
    every = [np.concatenate(parts)[-_READ:] for parts in lists]
    together = np.concatenate(every)
    order = together.argsort(kind="stable")
    ordered = together[order]
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    each = np.repeat(weights[: len(every)], [*map(len, every)])
    sums = np.bincount(first.cumsum() - 1, each[order]).astype(np.float64)
    return ordered[first], sums


def _best(scores: Floats, ordinals: Ordinals, most: int) -> Selection:
    """Places of the `most` best scores, best first; of equals that of the newer memory."""
    places = np.arange(len(scores))
    if len(scores) > most:
        places = np.flatnonzero(scores >= np.partition(scores, -most)[-most])
    return places[np.lexsort((-ordinals[places], -scores[places]))[:most]]
