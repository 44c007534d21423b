"""What a made-up life consists of: what is told, changed, held on to and asked, day by day."""

from __future__ import annotations

from typing import Literal

import msgspec

from mnemolog import NewMemory

DAYS = 365

Way = Literal["supersede", "correct", "plain"]
"""How a change is told: as a replacement, as a correction in words, or as if it were new."""


class ToolHistory(msgspec.Struct, frozen=True):
    """Something is told; `key` stands for the memory that it becomes."""

    key: int
    memory: NewMemory


class Changed(msgspec.Struct, frozen=True):
    """What was told as `old` is so no longer; `sentence` corrects it in words."""

    key: int
    old: int
    way: Way
    memory: NewMemory
    sentence: str


class Pinned(msgspec.Struct, frozen=True):
    """A memory is pinned, for so many days or for good."""

    key: int
    days: int | None


class Asked(msgspec.Struct, frozen=True):
    """A question, and the memory that answers it on that day."""

    question: str
    gold: int


class Day(msgspec.Struct, frozen=True):
    """One day's acts, in the order in which they happen."""

    told: tuple[ToolHistory, ...]
    changed: tuple[Changed, ...]
    pinned: tuple[Pinned, ...]
    asked: tuple[Asked, ...]


class Life(msgspec.Struct, frozen=True):
    """The days, what is still asked for at their end, and what must never be lost.

    `once` are questions that were asked a single time.
    """

    days: tuple[Day, ...]
    still_asked: tuple[Asked, ...]
    once: tuple[Asked, ...]
    pinned: tuple[int, ...]
    immutable: tuple[int, ...]

    @property
    def memories(self) -> int:
        """How many memories it comes to."""
        return sum(len(day.told) + len(day.changed) for day in self.days)
