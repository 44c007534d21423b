"""Filling of a context's sections to a token budget, from the first to the last.

The score of a candidate is its observed weight times its relevance, reduced by its
similarity to candidates already chosen, so that one topic does not fill a section
(compare maximal marginal relevance, Carbonell & Goldstein 1998).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.embedder import TokenCounter
from mnemolog.language.quantities.numbers import digit_groups
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.recall.context import (
    SHARES,
    Candidate,
    Cause,
    Count,
    LeftOut,
    Part,
    Section,
    SectionName,
    Terms,
    Turn,
    compact,
    excerpt,
    lines,
)

# Similarity of each pair of candidates, in [0, 1], of shape (candidates, candidates).
Similarities = npt.NDArray[np.float64]
# Least relevance as a share of the best in the section, and of the best of all: a preference
# need not match a prompt as closely as a fact, but an irrelevant one is left out like any other.
_OF_SECTION, _OF_ALL = 0.75, 0.5
_SAME_TOPIC, _TOPIC_SHARE = 0.6, 0.5
_REPEATS, _OF_OTHER_NUMBERS = 0.95, 0.9
_SHOWN = 80


class Filled(msgspec.Struct, frozen=True):
    """Filled sections of a context, with their text and omissions."""

    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...]
    text: str
    tokens: int


def counting(counter: TokenCounter) -> Count:
    """Token count function, each text once. Raises `InvalidNumber` for other than whole numbers."""

    @cache
    def count(text: str) -> int:
        tokens = counter.count(text)
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise InvalidNumber("counter", f"counts {tokens!r}", "count whole tokens from 0")
        return tokens

    return count


class Filling:
    """Context in progress, filled section by section; `best` is the highest relevance of all."""

    def __init__(
        self, prompt: str, budget: int, count: Count, terms: Terms, best: float = 0.0
    ) -> None:
        self._budget, self._count, self._terms = budget, count, terms
        self._least, self._asked, self._room = _OF_ALL * best, frozenset(terms(prompt)), 0
        self._sections: list[Section] = []
        self._left_out: list[LeftOut] = []

    def fill(self, name: SectionName, candidates: Sequence[Candidate], alike: Similarities) -> None:
        """Fill the next section with the caller's own texts and then with memories."""
        # The room of a section is its share, and the tokens that the sections before it left.
        self._room += int(self._budget * SHARES[name])
        least = max(self._least, _OF_SECTION * most_relevant(candidates))
        heading = max(map(self._heading, SHARES))
        rest = self._budget - sum(section.tokens for section in self._sections) - heading
        rooms = (self._room - heading, rest)
        choosing = _Choosing(candidates, alike, rooms, self._count, self._wanted)
        parts = tuple(choosing.parts(least))
        tokens = sum(part.tokens for part in parts) + (self._heading(name) if parts else 0)
        # Unfailing candidates may have taken more; the next sections have that much less.
        self._sections.append(Section(name, max(self._room, tokens), tokens, parts))
        self._left_out += [
            LeftOut(name, reason, _beginning(one.text), cost, one.memory_id)
            for one, reason, cost in choosing.left_out
        ]
        self._room -= tokens

    def talk(self, turns: Sequence[Turn]) -> None:
        """Fill the last section, the conversation, with the rest of the budget."""
        room = self._budget - sum(section.tokens for section in self._sections)
        heading_cost = self._heading("conversation")
        kept, tokens = compact(turns, room - heading_cost, self._count, self._terms)
        missed: list[tuple[int, Cause]] = [
            (number, "shortened") for number, part in kept.items() if not part.whole
        ]
        missed += [(number, "no room") for number in range(len(turns)) if number not in kept]
        for number, reason in missed:
            turn = turns[number]
            cost, text = self._count(f"{turn.role}: {turn.content}\n"), _beginning(turn.content)
            self._left_out.append(LeftOut("conversation", reason, text, cost, turn=number))
        tokens = tokens + heading_cost if kept else 0
        self._sections.append(Section("conversation", max(0, room), tokens, tuple(kept.values())))

    def filled(self) -> Filled:
        """Filled sections, never over the budget, even if the joined text counts more."""
        sections = list(self._sections)
        # A counter may count more tokens in the whole than in its parts: drop the last parts.
        while self._count(text := _rendered(sections)) > self._budget:
            place = max(place for place, section in enumerate(sections) if section.parts)
            section, parts = sections[place], list(sections[place].parts)
            # Drop the beginning of a conversation first: the last turns matter most.
            part = parts.pop(0 if section.name == "conversation" else -1)
            tokens = section.tokens - part.tokens
            sections[place] = msgspec.structs.replace(section, parts=tuple(parts), tokens=tokens)
            left = (_beginning(part.text), part.tokens, part.memory_id, part.turn)
            self._left_out.append(LeftOut(section.name, "no room", *left))
        return Filled(tuple(sections), tuple(self._left_out), text, self._count(text))

    def _heading(self, name: SectionName) -> int:
        return self._count(f"\n## {name.capitalize()}\n")

    def _wanted(self, sentence: str) -> float:
        return len(self._asked.intersection(self._terms(sentence)))


class _Choosing:
    def __init__(
        self,
        candidates: Sequence[Candidate],
        alike: Similarities,
        rooms: tuple[int, int],
        count: Count,
        wanted: Callable[[str], float],
    ) -> None:
        # The rooms are those of the section and of unfailing candidates.
        self._candidates, self._alike, self._count, self._wanted = candidates, alike, count, wanted
        self._room = self._left = max(0, rooms[0])
        self._rest = max(0, rooms[1])
        self._spent = Counter[int]()
        self._repeated = [0.0] * len(candidates)
        self.left_out: list[tuple[Candidate, Cause, int]] = []

    def parts(self, least: float) -> list[Part]:
        """Chosen parts of the section, in order; the others are recorded as left out."""
        # A memory needs the relevance `least` unless it is pinned or binding.
        parts, ahead = [], []
        for place, one in enumerate(self._candidates):
            if one.binding or _comes_first(one) or one.relevance >= least:
                ahead.append(place)
            else:
                self._leave(one, "falls away")
        while ahead:
            place = min(ahead, key=self._order)
            ahead.remove(place)
            candidate = self._candidates[place]
            if not _comes_first(candidate) and self._repeated[place] >= _REPEATS:
                self._leave(candidate, "repeats")
            elif part := self._part(place):
                parts.append(part)
                self._repeated = list(map(max, self._repeated, self._alike[place].tolist()))
        return parts

    def _order(self, place: int) -> tuple[bool, bool, bool, float, int]:
        candidate = self._candidates[place]
        # A candidate counts less if a similar one was chosen.
        new = 1.0 - max(0.0, self._repeated[place] - _SAME_TOPIC) / (1.0 - _SAME_TOPIC)
        gain = 0.0 if _comes_first(candidate) else candidate.score * new
        later = not (candidate.unfailing or candidate.pinned)
        return (
            candidate.memory_id is not None,
            not candidate.unfailing,
            later,
            -round(gain, 6),
            place,
        )

    def _part(self, place: int) -> Part | None:
        candidate = self._candidates[place]
        # A topic is identified by its first candidate.
        near = [topic for topic in self._spent if self._alike[place, topic] >= _SAME_TOPIC]
        topic = max(near, key=lambda one: self._alike[place, one], default=place)
        most = self._rest if candidate.unfailing else self._left
        reason: Cause = "no room"
        if topic != place and not _comes_first(candidate):
            cap = int(self._room * _TOPIC_SHARE) - self._spent[topic]
            if cap < most:
                most, reason = cap, "topic is full"
        text: str | None = candidate.text
        whole = self._price(candidate, candidate.text) <= most
        if not whole:
            # The caller's own text is cut at its end.
            wanted = (lambda _: 0.0) if candidate.memory_id is None else self._wanted
            room = most - self._price(candidate, "")
            text = excerpt(candidate.text, room, self._count, wanted)
        if text is None or (cost := self._price(candidate, text)) > most:
            self._leave(candidate, reason)
            return None
        if not whole:
            self._leave(candidate, "shortened")
        self._left, self._rest = self._left - cost, self._rest - cost
        self._spent[topic] += cost
        known, pinned = candidate.memory_id, candidate.pinned
        score = None if known is None else round(candidate.score, 4)
        return Part(_line(candidate, text), cost, whole, known, score=score, pinned=pinned)

    def _price(self, candidate: Candidate, text: str) -> int:
        return self._count(f"{_line(candidate, text)}\n")

    def _leave(self, candidate: Candidate, reason: Cause) -> None:
        self.left_out.append((candidate, reason, self._price(candidate, candidate.text)))


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _comes_first(candidate: Candidate) -> bool:
    return candidate.pinned or candidate.unfailing or candidate.memory_id is None


def _line(candidate: Candidate, text: str) -> str:
    if candidate.memory_id is None:
        return text
    return f"- {text}" if candidate.note is None else f"- {text} ({candidate.note})"


def _rendered(sections: Sequence[Section]) -> str:
    return "\n".join(
        f"## {section.name.capitalize()}\n{lines(section.parts)}"
        for section in sections
        if section.parts
    )


def most_relevant(candidates: Iterable[Candidate]) -> float:
    """Highest relevance of memories among candidates; binding ones have another scale."""
    own = (one.relevance for one in candidates if one.memory_id is not None and not one.binding)
    return max(own, default=0.0)


def alike(
    candidates: Sequence[Candidate], vectors: npt.NDArray[np.float32] | None, terms: Terms
) -> Similarities:
    """Similarity of candidates: the larger of cosine and shared words (Jaccard).

    `vectors` holds one unit vector per candidate, or zeros; None compares words alone. Texts with
    different numbers share at most a topic: embeddings hardly distinguish prices or years.
    """
    count = len(candidates)
    likeness = np.zeros((count, count))
    if vectors is not None and count:
        # Sum row by row: results are bitwise equal, whatever other candidates are compared.
        likeness = np.einsum("id,jd->ij", vectors, vectors, optimize=False).astype(np.float64)
    words = [frozenset(terms(candidate.text)) for candidate in candidates]
    numbers = [digit_groups(candidate.text) for candidate in candidates]
    for one, other in combinations_with_replacement(range(count), 2):
        shared = len(words[one] & words[other]) / max(1, len(words[one] | words[other]))
        most = 1.0 if numbers[one] == numbers[other] else _OF_OTHER_NUMBERS
        value = min(most, max(0.0, shared, likeness[one, other]))
        likeness[one, other] = likeness[other, one] = value
    return likeness
