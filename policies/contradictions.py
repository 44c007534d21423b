"""Whether two memories contradict each other: what a judge is asked, and what it answers."""

from __future__ import annotations

from typing import Protocol

import msgspec

from ledger.events import ConflictType, MemoryKind, Severity, SourceType


class Statement(msgspec.Struct, frozen=True):
    """One memory as a judge sees it.

    `confidence` is that of its source times that of its extraction, in [0, 1].
    `said_at` is when it began to hold or else when it was recorded; times are in
    microseconds since 1970 UTC.
    """

    text: str
    source: str | None = None
    source_type: SourceType = "user_stated"
    confidence: float = 0.9
    kind: MemoryKind = "semantic"
    category: str | None = None
    said_at: int = 0
    valid_from: int | None = None
    valid_until: int | None = None


class Contradiction(msgspec.Struct, frozen=True):
    """What two memories disagree on.

    `attribute` says it in words. `time_sensitive` tells an attribute that changes
    with time (a job, a home, a price, a schedule) from one that does not (a date of
    birth). `condition` is that under which both may stand ('at work', 'in winter'),
    where one of them states one. `reason` is a readable sentence.
    """

    type: ConflictType
    severity: Severity
    attribute: str | None
    time_sensitive: bool
    condition: str | None
    reason: str


class Judge(Protocol):
    """Says whether a new memory contradicts an old one."""

    @property
    def name(self) -> str:
        """Who judges, as the event of a conflict names it."""
        ...

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """What the two disagree on, or None where both may hold."""
        ...


class RuleJudge:
    """The built-in judge: rules over English statements, no model."""

    name = "rules-1"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """What the two disagree on, or None where both may hold."""
        return None
