"""Recall results: hits, explanations, trails and support."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.memory_queries import Status
from mnemolog.results import Results, Value

NOTHING = "The memory holds nothing on this."
"""Message of an empty answer."""

NOTHING_SUCH = "Within these filters the memory holds nothing on this."
"""Message of an empty answer to a question with filters."""

WAS_KNOWN = "Something was known here, and has faded."
"""Text shown for a memory that is a tombstone."""

NOT_ASKED = "Nothing was looked up."
"""Message of an answer without a search."""

Support = Literal["strong", "weak", "none"]
"""Support of an answer by its best hit: strong above a relevance of a half."""

STRONG = 0.5
"""Relevance above which a hit probably answers the question."""


def support_of(relevance: float | None) -> Support:
    """Support by a best hit of this relevance; None means no hit."""
    if relevance is None:
        return "none"
    return "strong" if relevance > STRONG else "weak"


class AsOf(Value, frozen=True):
    """Moment of a question: log position and instant."""

    position: Position
    instant: datetime


class Explanation(Value, frozen=True):
    """Explanation of a hit's rank.

    `ranks` from 1, for each search that found it; `scores` by component; `matched` are the
    cue's terms that it holds, `corrected` the misspelled words and their corrections; `found`
    is the memory that matched the cue, if a successor is shown instead.
    """

    ranks: dict[str, int]
    scores: dict[str, float]
    matched: tuple[str, ...] = ()
    corrected: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    found: MemoryId | None = None


class TrailEntry(Value, frozen=True):
    """Memory that a hit superseded, directly or indirectly; content is None if redacted."""

    memory_id: MemoryId
    position: Position
    recorded_at: datetime
    status: Status
    content: str | None


class Hit(Value, frozen=True):
    """Hit: a memory that answers a cue.

    `relevance` is in [0, 1]. `note` is a caution for the reader: the memory is contested, was
    superseded later, or its successor is not in force.
    """

    memory_id: MemoryId
    content: str
    status: Status
    relevance: float
    position: Position
    recorded_at: datetime
    space: str
    kind: MemoryKind
    source: str | None
    place: str | None
    tags: tuple[str, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    note: str | None
    explanation: Explanation
    trail: tuple[TrailEntry, ...] = ()


class Recall(Results[Hit], frozen=True):
    """Answer to a cue, best hit first; `message` gives the reason if it is empty.

    `route` names the search that was used, and `why` is a sentence with the reason; `parts`
    are the cues that a compound cue was split into. `weights` are those of the components of
    relevance, drawn with the seed `exploration` if that is given. `brought` are memories that
    a hit led to in two recall sessions or more; `found` in their explanation is that hit.
    """

    _over = "hits"

    hits: tuple[Hit, ...]
    strategy: str
    as_of: AsOf
    route: str = "hybrid"
    why: str = ""
    parts: tuple[str, ...] = ()
    support: Support = "none"
    weights: dict[str, float] = msgspec.field(default_factory=dict)
    exploration: int | None = None
    reranker: str | None = None
    constraints: tuple[Hit, ...] = ()
    conflicts: tuple[Hit, ...] = ()
    brought: tuple[Hit, ...] = ()
    empty: bool = False
    message: str | None = None
