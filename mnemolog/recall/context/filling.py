"""Filling of a context's sections to a token budget, from the first to the last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mnemolog.indexes.embedder import TokenCounter
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.recall.context.choosing import Choosing, Pool, Purse, Similarities, Terms, beginning
from mnemolog.recall.context.compaction import Turn, compact, lines
from mnemolog.recall.context.context import (
    SHARES,
    Candidate,
    Cause,
    LeftOut,
    Part,
    Section,
    SectionName,
)
from mnemolog.recall.context.excerpts import Count

# Least relevance as a share of the best in the section, and of the best of all: a preference
# need not match a prompt as closely as a fact, but an irrelevant one is left out like any other.
_OF_SECTION, _OF_ALL = 0.75, 0.5


class Filled(msgspec.Struct, frozen=True):
    """Filled sections of a context, with their text and omissions."""

    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...]
    text: str
    tokens: int


def counting(counter: TokenCounter) -> Count:
    """Token count function that counts each text once.

    It raises `InvalidNumber` if the counter returns no whole number from 0.
    """
    known: dict[str, int] = {}

    def count(text: str) -> int:
        if text not in known:
            tokens = counter.count(text)
            if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
                raise InvalidNumber("counter", f"counts {tokens!r}", "count whole tokens from 0")
            known[text] = tokens
        return known[text]

    return count


class Filling:
    """Context in progress, filled section by section."""

    def __init__(
        self, prompt: str, budget: int, count: Count, terms: Terms, best: float = 0.0
    ) -> None:
        """Begin a context; `best` is the highest relevance of all that may go in."""
        self._budget = budget
        self._least = _OF_ALL * best
        self._count = count
        self._terms = terms
        self._asked = frozenset(terms(prompt))
        self._room = 0
        self._sections: list[Section] = []
        self._left_out: list[LeftOut] = []

    def fill(self, name: SectionName, candidates: Sequence[Candidate], alike: Similarities) -> None:
        """Fill the next section with the caller's own texts and then with memories.

        `alike` is the similarity of each pair of candidates, in [0, 1], of shape (candidates,
        candidates).
        """
        room = self._begin(name)
        least = max(self._least, _OF_SECTION * most_relevant(candidates))
        purse = self._paying(room)
        choosing = Choosing(name, Pool(candidates, alike, least), purse, self._left_out)
        self._end(name, room, choosing.parts(self._wanted))

    def talk(self, turns: Sequence[Turn]) -> None:
        """Fill the last section, the conversation, with the rest of the budget."""
        room = self._begin("conversation")
        kept = compact(turns, room - self._heading("conversation"), self._count, self._terms)
        parts = [
            Part(turn.line, turn.tokens, whole=turn.whole, turn=turn.number) for turn in kept.turns
        ]
        for part in parts:
            if not part.whole and part.turn is not None:
                self._missed(part.turn, turns[part.turn], "shortened")
        for number in kept.left_out:
            self._missed(number, turns[number], "no room")
        tokens = kept.tokens + self._heading("conversation") if parts else 0
        self._sections.append(Section("conversation", max(0, room), tokens, tuple(parts)))

    def filled(self) -> Filled:
        """Filled sections, never over the budget, even if the joined text counts more."""
        sections = list(self._sections)
        text = rendered(sections)
        # A counter may count more tokens in the whole than in its parts: drop the last parts.
        while self._count(text) > self._budget:
            self._drop_last(sections)
            text = rendered(sections)
        return Filled(tuple(sections), tuple(self._left_out), text, self._count(text))

    def _drop_last(self, sections: list[Section]) -> None:
        place = max(place for place, section in enumerate(sections) if section.parts)
        section = sections[place]
        # Drop the beginning of a conversation first: the last turns matter most.
        at = 0 if section.name == "conversation" else len(section.parts) - 1
        part = section.parts[at]
        parts = section.parts[:at] + section.parts[at + 1 :]
        sections[place] = msgspec.structs.replace(
            section, parts=parts, tokens=section.tokens - part.tokens
        )
        text = beginning(part.text)
        self._left_out.append(
            LeftOut(section.name, "no room", text, part.tokens, part.memory_id, part.turn)
        )

    def _begin(self, name: SectionName) -> int:
        """Room of a section: its share, and tokens that the sections before it left."""
        self._room += int(self._budget * SHARES[name])
        if name == "conversation":
            # Shares are rounded down; the last section gets the rest of the budget.
            self._room = self._budget - sum(section.tokens for section in self._sections)
        return self._room

    def _end(self, name: SectionName, room: int, parts: Sequence[Part]) -> None:
        tokens = sum(part.tokens for part in parts) + (self._heading(name) if parts else 0)
        self._room -= tokens
        self._sections.append(Section(name, room, tokens, tuple(parts)))

    def _heading(self, name: SectionName) -> int:
        return self._count(f"\n{heading(name)}\n")

    def _paying(self, room: int) -> Purse:
        widest = max(self._heading(name) for name in SHARES)
        return Purse(room - widest, self._count)

    def _wanted(self, sentence: str) -> float:
        """Count of the prompt's terms in a sentence."""
        return len(self._asked.intersection(self._terms(sentence)))

    def _missed(self, number: int, turn: Turn, reason: Cause) -> None:
        tokens = self._count(f"{turn.role}: {turn.content}\n")
        text = beginning(turn.content)
        self._left_out.append(LeftOut("conversation", reason, text, tokens, turn=number))


def most_relevant(candidates: Iterable[Candidate]) -> float:
    """Highest relevance of memories among candidates; binding ones have another scale."""
    own = (one.relevance for one in candidates if one.memory_id is not None and not one.binding)
    return max(own, default=0.0)


def heading(name: SectionName) -> str:
    """Heading line of a section."""
    return f"## {name.capitalize()}"


def rendered(sections: Sequence[Section]) -> str:
    """Text of all sections that are not empty."""
    return "\n".join(
        f"{heading(section.name)}\n{_body(section)}" for section in sections if section.parts
    )


def _body(section: Section) -> str:
    return lines([(part.turn, part.text) for part in section.parts])
