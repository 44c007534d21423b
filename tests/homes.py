"""A clock set by hand, an embedder of few sums, and drafts: what tests of homes are made of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mnemolog import Memory, Receipt
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Draft, SettingValue
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids
from mnemolog.policies.contradictions.rules import RuleJudge

START = Micros(1_750_000_000_000_000)
SECOND = 1_000_000
DAY = 86_400 * SECOND

ALL_TIERS: dict[str, SettingValue] = {"lowest_tier": "deleted", "recognise_lasting": False}
"""Settings of a space whose memories all fade, through every tier."""


class HandClock:
    """A clock that stands still until it is moved, forwards or back."""

    def __init__(self, now: int = START) -> None:
        self.time = now

    def now(self) -> Micros:
        """The present instant."""
        return Micros(self.time)

    def move(self, micros: int) -> None:
        """Let time pass, or step back."""
        self.time += micros


class BagOfWords:
    """Texts as signed counts of their words in 64 numbers: the same on every machine."""

    name = "bag-of-words-64"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or [text]:
                code = int.from_bytes(hashlib.blake2s(word.encode(), digest_size=4).digest())
                vectors[row, code % self.dimensions] += 1.0 if code & 0x10000 else -1.0
            if not vectors[row].any():
                vectors[row, 0] = 1.0
        unit: npt.NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def open_home(
    home: Path, space: str = "default", clock: HandClock | None = None, run: str | None = None
) -> Memory:
    """A space of a home with the parts above; every handle's run is named, so that it repeats."""
    return Memory.open(
        home,
        space,
        actor="user:dana",
        run=run or "talk",
        clock=clock or HandClock(),
        embedder=BagOfWords(),
        judge=RuleJudge(),
    )


def undo_last(memory: Memory) -> Receipt:
    """Undo the last command, confirmed, however long ago it was and whatever ran since."""
    return memory.undo(f"@{memory.preview_undo().position}")


def draft(  # noqa: PLR0913 - an event's columns, all optional and by name
    text: str = "tea",
    *,
    space: str = "default",
    kind: str = "remembered",
    event_id: EventId | None = None,
    memory_id: MemoryId | None = None,
    content: bytes | None = b"",
    causation_id: EventId | None = None,
) -> Draft:
    """A draft of a memory, or of another kind about `memory_id`; content None for none."""
    event_id = event_id or new_event_ids(1, START)[0]
    about = MemoryId(event_id) if kind == "remembered" else memory_id
    return Draft(
        event_id=event_id,
        space=space,
        kind=kind,
        actor="user:dana",
        structure=b"{}",
        content=b'{"text":"%s"}' % text.encode() if content == b"" else content,
        memory_id=about,
        correlation_id="talk",
        causation_id=causation_id,
    )
