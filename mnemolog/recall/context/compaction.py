"""Compaction of a conversation: the first turn, the last three, and the most important others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.recall.context.excerpts import ELLIPSIS, Count, excerpt

LAST_TURNS = 3
_REFERRED_TERMS, _REFERRED_SHARE = 2, 0.2
_SHORTEST_CODE = 3
_WORTH_SHORTENING = 0.05

# Phrases that mark corrections, decisions, goals and errors.
_MARKS = {
    "correction": regex(
        r"\b(actually|correction|scratch that|i meant|i misspoke|my mistake|i was (wrong|mistaken)"
        r"|(that|this|it)('s| is| was) (wrong|not right|incorrect|outdated)|no longer|not any ?more"
        r"|changed my mind|should (have been|be) .* not|instead of|rather than)\b|^no[,.]",
        re.IGNORECASE | re.MULTILINE,
    ),
    "decision": regex(
        r"\b(decid(e|ed|ing)|decision|agree(d|ment)?|settle(d)? on|cho(se|ose|sen)|go(ing)? with"
        r"|let'?s (use|go|do|keep|drop|take|make|start)|we('ll| will) (use|go|keep|drop|take)"
        r"|approved?|signed off|ruled out|rejected)\b",
        re.IGNORECASE,
    ),
    "goal": regex(
        r"\b(goals?|aim(s|ing)?|objective|purpose|deadline|due (by|on)|requirements?|must|need to"
        r"|(want|wants|trying|plan|plans|planning|hope|hoping|would like|'d like) to)\b",
        re.IGNORECASE,
    ),
    "error": regex(
        r"\b(\w*(error|exception)s?|traceback|fail(s|ed|ure|ures|ing)?|crash(es|ed|ing)?|bugs?"
        r"|broken|panic(ked)?|segfault|timed? ?out|exit code|(does|do|did|is|was)( not|n'?t) work"
        r"(ing)?)\b",
        re.IGNORECASE,
    ),
}


class Turn(msgspec.Struct, frozen=True):
    """Turn of a conversation: the speaker's role, such as `user` or `assistant`, and the text."""

    role: str
    content: str


class KeptTurn(msgspec.Struct, frozen=True):
    """Kept turn: its number from 0, its line, and the marks of its importance.

    `whole` is False if only some of its sentences are kept.
    """

    number: int
    line: str
    tokens: int
    whole: bool
    marks: tuple[str, ...]


class Compacted(msgspec.Struct, frozen=True):
    """Compacted conversation: kept turns in order, and the numbers of those left out."""

    turns: tuple[KeptTurn, ...]
    left_out: tuple[int, ...]
    tokens: int


def compact(
    turns: Sequence[Turn], room: int, count: Count, terms: Callable[[str], Iterable[str]]
) -> Compacted:
    """Turns that fit into `room` tokens, in order, with an ellipsis at each gap.

    The first turn and the last three have priority, then turns with a correction, decision,
    goal or error or a later reference to them, then the newest. An important turn that does not
    fit is shortened to whole sentences.
    """
    filling = _Filling(turns, room, count, important(turns, terms))
    ends = _ends(len(turns))
    if not filling.takes_all(ends):
        for number in ends:
            if not filling.takes(number):
                filling.takes_part(number)
    between = [number for number in range(len(turns)) if number not in ends]
    between.sort(key=lambda number: (-len(filling.marks[number]), -number))
    for number in between:
        if not filling.takes(number) and filling.marks[number] and filling.has_much_left():
            filling.takes_part(number)
    return filling.compacted()


def _ends(count: int) -> list[int]:
    """First turn and last three, most important first."""
    wanted = [count - 1, 0, *range(count - 2, count - LAST_TURNS - 1, -1)]
    return [number for number in dict.fromkeys(wanted) if 0 <= number < count]


class _Filling:
    """Selection of turns in progress."""

    def __init__(
        self,
        turns: Sequence[Turn],
        room: int,
        count: Count,
        marks: Sequence[tuple[str, ...]],
    ) -> None:
        self.marks = marks
        self._turns = turns
        self._room = room
        self._count = count
        self._gap = count(f"{ELLIPSIS}\n")
        self._kept: dict[int, KeptTurn] = {}

    def takes_all(self, numbers: Sequence[int]) -> bool:
        """Keep all of these turns whole if they fit together; False otherwise."""
        wanted = [self._whole(number) for number in numbers]
        together = {turn.number: turn for turn in wanted}
        if self._tokens(together) > self._room:
            return False
        self._kept |= together
        return True

    def takes(self, number: int) -> bool:
        """Keep a turn whole if it fits; False otherwise."""
        return self._put(self._whole(number))

    def has_much_left(self) -> bool:
        """True if enough room is left to shorten turns."""
        return self._room - self._tokens(self._kept) > self._room * _WORTH_SHORTENING

    def takes_part(self, number: int) -> bool:
        """Keep the sentences of a turn that fit, important ones first; False if none fits."""
        turn = self._turns[number]
        lead = f"{turn.role}: "
        room = self._room - self._tokens(self._kept) - self._count(f"{lead}\n") - 2 * self._gap
        patterns = [_MARKS[mark] for mark in self.marks[number] if mark in _MARKS]
        part = excerpt(
            turn.content,
            room,
            self._count,
            lambda sentence: sum(bool(pattern.search(sentence)) for pattern in patterns),
        )
        if part is None:
            return False
        line = f"{lead}{part}"
        tokens = self._count(f"{line}\n")
        return self._put(KeptTurn(number, line, tokens, False, self.marks[number]))  # noqa: FBT003

    def _whole(self, number: int) -> KeptTurn:
        turn = self._turns[number]
        line = f"{turn.role}: {turn.content}"
        tokens = self._count(f"{line}\n")
        return KeptTurn(number, line, tokens, True, self.marks[number])  # noqa: FBT003 - a field

    def _put(self, turn: KeptTurn) -> bool:
        if self._tokens({**self._kept, turn.number: turn}) > self._room:
            return False
        self._kept[turn.number] = turn
        return True

    def _tokens(self, kept: dict[int, KeptTurn]) -> int:
        gaps = sum(after - before > 1 for before, after in pairwise(sorted(kept)))
        return sum(turn.tokens for turn in kept.values()) + gaps * self._gap

    def compacted(self) -> Compacted:
        """Kept turns, in order, as the result."""
        left_out = [number for number in range(len(self._turns)) if number not in self._kept]
        kept = tuple(self._kept[number] for number in sorted(self._kept))
        return Compacted(kept, tuple(left_out), self._tokens(self._kept))


def lines(numbered: Sequence[tuple[int | None, str]]) -> str:
    """Text of numbered lines, with an ellipsis at each gap between numbers."""
    text = ""
    before: int | None = None
    for number, line in numbered:
        gap = before is not None and number is not None and number - before > 1
        text += f"{ELLIPSIS}\n{line}\n" if gap else f"{line}\n"
        before = number
    return text


def important(
    turns: Sequence[Turn], terms: Callable[[str], Iterable[str]]
) -> list[tuple[str, ...]]:
    """Marks of importance of each turn: those of its words, and `referred`.

    A turn is referred to if a fifth of its terms, and at least two, first occur in it and
    recur later than in the next turn; one term is enough if it is a code, with a letter and a
    digit.
    """
    words = [frozenset(terms(turn.content)) for turn in turns]
    first: dict[str, int] = {}
    taken_up: dict[str, int] = {}
    for number, held in enumerate(words):
        for term in held:
            first.setdefault(term, number)
            taken_up[term] = number
    often = Counter(term for held in words for term in held)
    usual = max(2.0, len(turns) / 4)
    found = []
    for number, turn in enumerate(turns):
        again = [
            term
            for term in words[number]
            if first[term] == number and taken_up[term] > number + 1 and often[term] <= usual
        ]
        marks = [name for name, pattern in _MARKS.items() if pattern.search(turn.content)]
        least = max(_REFERRED_TERMS, _REFERRED_SHARE * len(words[number]))
        if len(again) >= least or any(map(_is_code, again)):
            marks.append("referred")
        found.append(tuple(marks))
    return found


def _is_code(term: str) -> bool:
    """True if a term names one thing, such as a ticket or a version."""
    letters = any(character.isalpha() for character in term)
    digits = any(character.isdigit() for character in term)
    return letters and digits and len(term) >= _SHORTEST_CODE
