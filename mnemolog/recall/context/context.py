"""Context of a prompt: sections, their parts, and omissions with reasons."""

from __future__ import annotations

from typing import Literal

import msgspec

from mnemolog.ledger.errors import InvalidNumber
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.recall.answers.answers import AsOf, Hit
from mnemolog.results import Results, Value

SectionName = Literal["instructions", "preferences", "task", "memories", "conversation"]
Cause = Literal["no room", "repeats", "topic is full", "falls away", "shortened"]

SHARES: dict[SectionName, float] = {
    "instructions": 0.15, "preferences": 0.10, "task": 0.25, "memories": 0.35, "conversation": 0.15
}  # fmt: skip
"""Sections in order, with the initial share of the budget of each."""

BUDGET, _BUDGET_CEILING = 8_000, 10_000_000
STEPS, HITS_A_STEP = 3, 5


class Candidate(msgspec.Struct, frozen=True):
    """Candidate text for a section; `memory_id` is None for the caller's own texts.

    `note` is a caution for the reader, always shown. A `binding` candidate is a constraint
    that recall found for the action in the prompt: its relevance has a scale of its own, and
    is not compared with that of others.
    """

    text: str
    memory_id: MemoryId | None = None
    space: str = ""
    position: Position = Position(0)
    relevance: float = 1.0
    weight: float = 1.0
    pinned: bool = False
    binding: bool = False
    note: str | None = None

    @property
    def score(self) -> float:
        """Injection score: observed weight times relevance."""
        return self.weight * self.relevance


class Part(Value, frozen=True):
    """Part: one text in a section; `whole` is False if only some of its sentences are in.

    `score` is the injection score of a memory, `turn` the number of a turn of the
    conversation, from 0.
    """

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

    `memory_ids` are the memories injected together, `shown` those that a further step leaves
    out, `steps_left` the number of such steps left. `counter` names the token counter,
    `exploration` the seed of randomly drawn weights.
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
    whole = isinstance(budget, int) and not isinstance(budget, bool)
    if not whole or not 1 <= budget <= _BUDGET_CEILING:
        raise InvalidNumber("budget", f"{budget!r} is out of range", "give 1 to 10,000,000 tokens")
    return budget
