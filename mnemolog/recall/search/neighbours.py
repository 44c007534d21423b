"""Candidates for contradiction with a new text: similar in meaning, or with the same subjects."""

from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.filters import STATUSES
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import Vector

NEAR = 0.85  # Least cosine at which two texts are compared, whatever words they have
# Number of nearest memories compared whatever their cosine: 'I live in Oslo' and
# 'My home is in Bergen' share no content word, and their cosine is below `NEAR`.
NEAREST = 8
MOST = 16  # Most memories that a text is compared with
_TERMS, _POOL, _SHORT = 12, 64, 8
_OUT = frozenset(STATUSES) - set(PLAIN_STATUSES)


class Neighbour(NamedTuple):
    """Memory, or text not stored yet, to compare with; the cosine to it if both are embedded."""

    ordinal: int
    similarity: float | None


class Neighbours:
    """Current memories of a space as of a position, and texts about to be added to it."""

    def __init__(self, state: State, position: Position, analyzer: Analyzer) -> None:
        self.size = state.columns.size(position)
        self._state, self._analyzer = state, analyzer
        self._embedded = len(state.vectors) >= self.size
        self._out = state.columns.changed_to(position, _OUT)
        self._added_out: set[int] = set()
        self._added: dict[str, list[int]] = {}
        self._words: list[int] = []
        self._vectors: dict[int, Vector] = {}

    def position(self, ordinal: int) -> Position:
        """Position of a stored memory."""
        return Position(int(self._state.columns.positions(np.array([ordinal]))[0]))

    def ordinal(self, position: Position) -> int:
        """Ordinal of the memory at a position."""
        return self._state.columns.ordinal(position)

    def add(self, text: str, vector: Vector | None) -> int:
        """Add a text that is not stored yet, so that it can be found; returns its ordinal."""
        ordinal = self.size + len(self._words)
        terms = self._analyzer.cue(text)
        for term in terms:
            self._added.setdefault(term, []).append(ordinal)
        self._words.append(max(1, len(terms)))
        if vector is not None:
            self._vectors[ordinal] = vector
        return ordinal

    def leave_out(self, ordinal: int) -> None:
        """Exclude a memory that was superseded."""
        if ordinal < self.size:
            self._out = np.union1d(self._out, [ordinal])
        else:
            self._added_out.add(ordinal)

    def of(self, text: str, vector: Vector | None) -> list[Neighbour]:
        """Memories to compare a text with, at most `MOST`, the likeliest first."""
        # Those nearest in meaning and those that share the text's rarest words take turns.
        by_words, cosines, near = self._sharing(text), dict[int, float](), dict[int, float]()
        if vector is not None:
            near, cosines = dict(self._near(vector)), self._cosines(vector, by_words)
            by_words.sort(key=lambda ordinal: -cosines.get(ordinal, -1.0))
        turns = (one for both in zip_longest(near, by_words) for one in both if one is not None)
        cosines |= near
        return [Neighbour(one, cosines.get(one)) for one in [*dict.fromkeys(turns)][:MOST]]

    def _sharing(self, text: str) -> list[int]:
        """Memories that share the rarest of a text's words, best first; of equals the shorter."""
        total = self.size + len(self._words)
        holders = {}
        for term in self._analyzer.cue(text):
            stored = self._state.postings.postings(term, self.size)[0]
            added = np.array(self._added.get(term, ()), np.int32)
            holders[term] = np.concatenate([stored, added]) if len(added) else stored
        known = sorted((len(held), term) for term, held in holders.items() if len(held))
        scores = np.zeros(total)
        for frequency, term in known[:_TERMS]:
            scores[holders[term]] += np.log1p((total - frequency + 0.5) / (frequency + 0.5))
        scores[self._out] = scores[[*self._added_out]] = 0.0
        touched = np.flatnonzero(scores)
        old = touched[touched < self.size]
        new = [self._words[one - self.size] for one in touched[len(old) :].tolist()]
        words = np.concatenate([self._state.shapes.words[old], np.array(new)])
        scores = scores[touched] / (_SHORT + words)
        found: list[int] = touched[np.lexsort((-touched, -scores))[:_POOL]].tolist()
        return found

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
            allowed = Allowed(None, self._out)
            ordinals, cosines = self._state.vectors.nearest(vector, self.size, MOST, allowed)
            found += zip(ordinals.tolist(), cosines.tolist(), strict=True)
        there = [one for one in found if one[0] not in self._added_out]
        there.sort(key=lambda item: (-item[1], -item[0]))
        close = [one for one in there[:MOST] if one[1] >= NEAR]
        return close if len(close) > NEAREST else there[:NEAREST]
