"""Selection of candidates for a context section, by worth, novelty, topic and room.

The score of a candidate is its observed weight times its relevance, reduced by its
similarity to candidates already chosen, so that one topic does not fill a section
(compare maximal marginal relevance, Carbonell & Goldstein 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.language.quantities.numbers import digit_groups
from mnemolog.recall.context.context import Candidate, Cause, LeftOut, Part, SectionName
from mnemolog.recall.context.excerpts import Count, excerpt

Similarities = npt.NDArray[np.float64]
Terms = Callable[[str], Iterable[str]]

_SAME_TOPIC = 0.6
_TOPIC_SHARE = 0.5
_REPEATS = 0.95
_OF_OTHER_NUMBERS = 0.9
_SHOWN = 80


class Pool(msgspec.Struct, frozen=True):
    """Pool of a section's candidates: their similarities, and the least relevance that counts.

    `alike` is in [0, 1], of shape (candidates, candidates).
    """

    candidates: Sequence[Candidate]
    alike: Similarities
    least: float = 0.0


class Purse:
    """Token budget of one section, and the cost of its lines."""

    def __init__(self, room: int, count: Count) -> None:
        self.room = max(0, room)
        self.left = self.room
        self._count = count

    def price(self, candidate: Candidate, text: str) -> int:
        """Cost in tokens of a text as a line of the section."""
        return self._count(f"{_line(candidate, text)}\n")

    def fitting(
        self, candidate: Candidate, most: int, wanted: Callable[[str], float]
    ) -> str | None:
        """Text of a candidate, whole or some sentences, of at most `most` tokens as a line.

        None if nothing fits.
        """
        if self.price(candidate, candidate.text) <= most:
            return candidate.text
        own = candidate.memory_id is None
        room = most - self.price(candidate, "")
        text = excerpt(candidate.text, room, self._count, (lambda _: 0.0) if own else wanted)
        return None if text is None or self.price(candidate, text) > most else text


class Choosing:
    """Selection of one section's candidates in progress."""

    def __init__(
        self,
        name: SectionName,
        pool: Pool,
        purse: Purse,
        left_out: list[LeftOut],
    ) -> None:
        self._name = name
        self._candidates = pool.candidates
        self._alike = pool.alike
        self._least = pool.least
        self._purse = purse
        self._left_out = left_out
        self._topics: list[tuple[int, int]] = []
        self._repeated = [0.0] * len(pool.candidates)

    def parts(self, wanted: Callable[[str], float]) -> list[Part]:
        """Chosen parts of the section, in order; the others are recorded as left out."""
        parts = []
        ahead = []
        for place, candidate in enumerate(self._candidates):
            stays = candidate.binding or self._comes_first(candidate)
            if stays or candidate.relevance >= self._least:
                ahead.append(place)
            else:
                self._leave(candidate, "falls away")
        while ahead:
            place = min(ahead, key=self._order)
            ahead.remove(place)
            candidate = self._candidates[place]
            if not self._comes_first(candidate) and self._repeated[place] >= _REPEATS:
                self._leave(candidate, "repeats")
                continue
            part = self._part(place, wanted)
            if part is not None:
                parts.append(part)
                row = self._alike[place].tolist()
                self._repeated = list(map(max, self._repeated, row))
        return parts

    def _order(self, place: int) -> tuple[bool, bool, float, int]:
        candidate = self._candidates[place]
        own = candidate.memory_id is None
        gain = 0.0 if self._comes_first(candidate) else candidate.score * self._new(place)
        return (not own, not candidate.pinned, -round(gain, 6), place)

    def _comes_first(self, candidate: Candidate) -> bool:
        return candidate.pinned or candidate.memory_id is None

    def _new(self, place: int) -> float:
        """Novelty of a candidate: lower if a similar candidate was chosen."""
        return 1.0 - max(0.0, self._repeated[place] - _SAME_TOPIC) / (1.0 - _SAME_TOPIC)

    def _part(self, place: int, wanted: Callable[[str], float]) -> Part | None:
        """Part from a candidate, whole or shortened; None if its topic or the section is full."""
        candidate = self._candidates[place]
        topic, spent = self._topic(place)
        most = self._purse.left
        reason: Cause = "no room"
        if not self._comes_first(candidate):
            cap = int(self._purse.room * _TOPIC_SHARE) - spent
            if topic != place and cap < most:
                most, reason = cap, "topic is full"
        text = self._purse.fitting(candidate, most, wanted)
        if text is None:
            self._leave(candidate, reason)
            return None
        if text != candidate.text:
            self._leave(candidate, "shortened")
        cost = self._purse.price(candidate, text)
        self._purse.left -= cost
        self._topics.append((topic, cost))
        return Part(
            text=_line(candidate, text),
            tokens=cost,
            whole=text == candidate.text,
            memory_id=candidate.memory_id,
            score=None if candidate.memory_id is None else round(candidate.score, 4),
            pinned=candidate.pinned,
        )

    def _topic(self, place: int) -> tuple[int, int]:
        """Topic of a candidate, identified by its first candidate, and the tokens spent on it."""
        begun = dict.fromkeys(topic for topic, _ in self._topics)
        near = [topic for topic in begun if self._alike[place, topic] >= _SAME_TOPIC]
        topic = max(near, key=lambda one: self._alike[place, one], default=place)
        return topic, sum(cost for one, cost in self._topics if one == topic)

    def _leave(self, candidate: Candidate, reason: Cause) -> None:
        self._left_out.append(
            LeftOut(
                self._name,
                reason,
                beginning(candidate.text),
                self._purse.price(candidate, candidate.text),
                candidate.memory_id,
            )
        )


def alike(
    candidates: Sequence[Candidate],
    vectors: npt.NDArray[np.float32] | None,
    terms: Terms,
) -> Similarities:
    """Similarity of candidates, in [0, 1]: the larger of cosine and shared words.

    `vectors` holds one unit vector per candidate, zeros if it has none; None compares words
    alone. Shared words are measured by Jaccard. Texts with different numbers share at most a
    topic: embeddings hardly distinguish one price or year from another.
    """
    count = len(candidates)
    likeness = np.zeros((count, count))
    if vectors is not None and count:
        # Sum row by row: results are bitwise equal, whatever other candidates are compared.
        likeness = np.einsum("id,jd->ij", vectors, vectors, optimize=False).astype(np.float64)
    words = [frozenset(terms(candidate.text)) for candidate in candidates]
    numbers = [digit_groups(candidate.text) for candidate in candidates]
    for one in range(count):
        for other in range(one, count):
            union = len(words[one] | words[other])
            shared = len(words[one] & words[other]) / union if union else 0.0
            most = 1.0 if numbers[one] == numbers[other] else _OF_OTHER_NUMBERS
            value = min(most, max(0.0, shared, likeness[one, other]))
            likeness[one, other] = likeness[other, one] = value
    return likeness


def _line(candidate: Candidate, text: str) -> str:
    """Line of a section with a candidate's text, or part of it."""
    if candidate.memory_id is None:
        return text
    return f"- {text}" if candidate.note is None else f"- {text} ({candidate.note})"


def beginning(text: str) -> str:
    """Beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
