"""Context of a prompt: sections, parts and omissions; compaction of turns, excerpts of texts."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from mnemolog.language.lists import Lists
from mnemolog.language.sentences import sentences
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.recall.answers import AsOf, Hit
from mnemolog.results import Results, Value

SectionName = Literal["instructions", "preferences", "task", "memories", "conversation"]
Cause = Literal["no room", "repeats", "topic is full", "falls away", "shortened"]

# Sections in order, with the initial share of the budget of each.
SHARES: dict[SectionName, float] = {
    "instructions": 0.15, "preferences": 0.10, "task": 0.25, "memories": 0.35, "conversation": 0.15
}  # fmt: skip
BUDGET, _MOST_TOKENS = 8_000, 10_000_000
STEPS, HITS_A_STEP = 3, 5
ELLIPSIS = "…"  # Mark for omitted sentences and turns
_LAST_TURNS, _WORTH_SHORTENING = 3, 0.05
_REFERRED_TERMS, _REFERRED_SHARE, _SHORTEST_CODE = 2, 0.2, 3

_LISTS = Lists("mnemolog.recall", "turns")
_MARKS = {name: _LISTS.pattern(name) for name in ("correction", "decision", "goal", "error")}

Count = Callable[[str], int]
Terms = Callable[[str], Iterable[str]]


class Candidate(msgspec.Struct, frozen=True):
    """Candidate text for a section; `memory_id` is None for the caller's own texts.

    `note` is a caution for the reader, always shown. A `binding` candidate is a constraint on
    the action in the prompt: its relevance has a scale of its own. An `unfailing` candidate comes
    before the others, in their order, and may take all that is left of the budget.
    """

    text: str
    memory_id: MemoryId | None = None
    space: str = ""
    position: Position = Position(0)
    relevance: float = 1.0
    weight: float = 1.0
    pinned: bool = False
    binding: bool = False
    unfailing: bool = False
    note: str | None = None

    @property
    def score(self) -> float:
        """Injection score: observed weight times relevance."""
        return self.weight * self.relevance


class Part(Value, frozen=True):
    """Part: one text in a section, `whole` or some of its sentences; `turn` counts from 0."""

    text: str
    tokens: int
    whole: bool = True
    memory_id: MemoryId | None = None
    turn: int | None = None
    score: float | None = None
    pinned: bool = False


class Section(Results[Part], frozen=True):
    """Section: `room` is its limit in tokens, `tokens` the number used."""

    _over = "parts"

    name: SectionName
    room: int
    tokens: int
    parts: tuple[Part, ...]


class LeftOut(Value, frozen=True):
    """Text that was left out or shortened, and why; `text` is its beginning."""

    section: SectionName
    reason: Cause
    text: str
    tokens: int
    memory_id: MemoryId | None = None
    turn: int | None = None


class Context(Results[Part], frozen=True):
    """Context for a prompt: `text` is put before the prompt, at most `budget` tokens.

    `memory_ids` are the memories injected together, `shown` those that one of `steps_left` further
    steps leaves out. `counter` names the token counter, `exploration` the seed of random weights.
    """

    _over = "parts"

    prompt: str
    text: str
    tokens: int
    budget: int
    counter: str
    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...]
    memory_ids: tuple[MemoryId, ...]
    as_of: AsOf
    spaces: tuple[str, ...]
    shown: tuple[MemoryId, ...]
    steps_left: int = STEPS
    message: str | None = None
    exploration: int | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """Parts of all sections, in order."""
        return tuple(part for section in self.sections for part in section)


class Exploration(Results[Hit], frozen=True):
    """Exploration step from a context: memories not seen yet, and the context to continue from."""

    _over = "hits"

    hits: tuple[Hit, ...]
    context: Context
    message: str | None = None


def checked_budget(budget: int) -> int:
    """Budget in tokens. Raises `InvalidNumber` unless it is from 1 to 10,000,000."""
    if isinstance(budget, bool) or not isinstance(budget, int) or not 1 <= budget <= _MOST_TOKENS:
        raise InvalidNumber("budget", f"{budget!r} is out of range", "give 1 to 10,000,000 tokens")
    return budget


class Turn(msgspec.Struct, frozen=True):
    """Turn of a conversation: the speaker's role, such as `user` or `assistant`, and the text."""

    role: str
    content: str


def compact(
    turns: Sequence[Turn], room: int, count: Count, terms: Terms
) -> tuple[dict[int, Part], int]:
    """Turns that fit into `room` tokens, by number, with an ellipsis at each gap; their tokens.

    First come the first turn and the last three, then turns with a correction, decision, goal,
    error or later reference, then the newest. Important turns are shortened if they do not fit.
    """
    marks, numbers = important(turns, terms), range(len(turns))
    fitting = _Fitting(turns, room, count, marks)
    ends = [*dict.fromkeys([*numbers[-1:], *numbers[:1], *reversed(numbers[-_LAST_TURNS:])])]
    if not fitting.takes(*ends):
        for number in ends:
            if not fitting.takes(number):
                fitting.takes_part(number)
    between = [number for number in numbers if number not in ends]
    for number in sorted(between, key=lambda number: (-len(marks[number]), -number)):
        if not fitting.takes(number) and marks[number] and fitting.left > room * _WORTH_SHORTENING:
            fitting.takes_part(number)
    return dict(sorted(fitting.kept.items())), room - fitting.left


class _Fitting:
    def __init__(
        self, turns: Sequence[Turn], room: int, count: Count, marks: Sequence[tuple[str, ...]]
    ) -> None:
        self._turns, self._count, self._marks = turns, count, marks
        self._room = self.left = room
        self._gap = count(f"{ELLIPSIS}\n")
        self.kept: dict[int, Part] = {}

    def takes(self, *numbers: int) -> bool:
        return self._put({one: self._kept(one, self._turns[one].content) for one in numbers})

    def takes_part(self, number: int) -> None:
        """Keep the sentences of a turn that fit, if any, important ones first."""
        turn = self._turns[number]
        room = self.left - self._count(f"{turn.role}: \n") - 2 * self._gap
        patterns = [_MARKS[mark] for mark in self._marks[number] if mark in _MARKS]

        def wanted(sentence: str) -> float:
            return sum(bool(pattern.search(sentence)) for pattern in patterns)

        if part := excerpt(turn.content, room, self._count, wanted):
            self._put({number: self._kept(number, part, whole=False)})

    def _kept(self, number: int, text: str, *, whole: bool = True) -> Part:
        line = f"{self._turns[number].role}: {text}"
        return Part(line, self._count(f"{line}\n"), whole=whole, turn=number)

    def _put(self, parts: dict[int, Part]) -> bool:
        kept = self.kept | parts
        gaps = sum(after - before > 1 for before, after in pairwise(sorted(kept)))
        left = self._room - sum(part.tokens for part in kept.values()) - gaps * self._gap
        if left >= 0:
            self.kept, self.left = kept, left
        return left >= 0


def lines(parts: Sequence[Part]) -> str:
    """Text of parts, with an ellipsis at each gap between turns."""
    text = ""
    before: int | None = None
    for part in parts:
        gap = before is not None and part.turn is not None and part.turn - before > 1
        text += f"{ELLIPSIS}\n{part.text}\n" if gap else f"{part.text}\n"
        before = part.turn
    return text


def important(turns: Sequence[Turn], terms: Terms) -> list[tuple[str, ...]]:
    """Marks of importance of each turn: those of its words, and `referred`.

    A turn is referred to if a fifth of its terms, and at least two, first occur in it and recur
    later than in the next turn; one term is enough if it is a code, with a letter and a digit.
    """
    words = [frozenset(terms(turn.content)) for turn in turns]
    last = {term: at for at, held in enumerate(words) for term in held}
    often = Counter(term for held in words for term in held)
    usual = max(2.0, len(turns) / 4)
    found = []
    seen: set[str] = set()
    for number, (turn, held) in enumerate(zip(turns, words, strict=True)):
        first = held - seen
        seen |= held
        again = [term for term in first if last[term] > number + 1 and often[term] <= usual]
        marks = [name for name, pattern in _MARKS.items() if pattern.search(turn.content)]
        least = max(_REFERRED_TERMS, _REFERRED_SHARE * len(held))
        if len(again) >= least or any(map(_is_code, again)):
            marks.append("referred")
        found.append(tuple(marks))
    return found


def _is_code(term: str) -> bool:
    mixed = any(map(str.isalpha, term)) and any(map(str.isdigit, term))
    return mixed and len(term) >= _SHORTEST_CODE


def excerpt(text: str, room: int, count: Count, wanted: Callable[[str], float]) -> str | None:
    """Excerpt of the most wanted sentences that fit into `room`, in order; None if nothing fits."""
    # Sentences with score 0 are used only if all have it. An ellipsis marks omissions.
    spans = sentences(text)
    scores = [wanted(text[start:end]) for start, end in spans]
    places = [place for place, score in enumerate(scores) if score > 0] or range(len(spans))
    chosen: list[int] = []
    left = room
    for place in sorted(places, key=lambda place: (-scores[place], place)):
        cost = count(text[slice(*spans[place])])
        if cost <= left:
            chosen.append(place)
            left -= cost
        elif chosen and left < room // 4:
            # Stop early: trying many sentences for the last few tokens is slow.
            break
    # Ellipses cost as well.
    while chosen and count(_joined(text, spans, chosen)) > room:
        chosen.pop()
    return _joined(text, spans, chosen) if chosen else None


def cut_at_sentence(text: str, fits: Callable[[str], bool]) -> str:
    """Longest beginning of a text that fits and ends with a sentence or a line.

    If a text fits, each beginning of it must fit too. If not even the first sentence fits, the
    cut is at a blank; if no word does, the result is empty.
    """
    if fits(text):
        return text
    blanks = [match.start() for match in re.finditer(r"\s", text)]
    stops = {end for _, end in sentences(text)}.union(at for at in blanks if text[at] == "\n")
    for ends in (sorted(stops), blanks):
        fitting = bisect_left(ends, 1, key=lambda end: int(not fits(text[:end].rstrip())))
        if fitting and (kept := text[: ends[fitting - 1]].rstrip()):
            return kept
    return ""


def _joined(text: str, spans: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    kept = sorted(chosen)
    pieces = [] if kept[0] == 0 else [f"{ELLIPSIS} "]
    for before, place in zip([None, *kept], kept, strict=False):
        start, end = spans[place]
        if before is not None:
            beside = before == place - 1
            pieces.append(text[spans[before][1] : start] if beside else f" {ELLIPSIS} ")
        pieces.append(text[start:end])
    if kept[-1] != len(spans) - 1:
        pieces.append(f" {ELLIPSIS}")
    return "".join(pieces)
