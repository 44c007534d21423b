"""Correction in words: a sentence finds what it corrects and takes its place."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import msgspec

from ledger.clock import to_datetime
from ledger.errors import ContentTooLarge, EmptyContent
from ledger.events import Draft
from ledger.ids import MemoryId
from mnemolog.hearing import successor
from mnemolog.looking import Cut
from mnemolog.questions import Then
from mnemolog.receipts import Receipt
from mnemolog.remembering import Remembering, Storing
from mnemolog.targeting import targets_of
from policies.memories import checked_text, checked_texts, normalised_source
from policies.rectifying.correcting import read_correction, read_statement
from policies.rectifying.readings import CorrectionReading
from policies.rectifying.rewording import successor_text
from policies.rectifying.scoring import Match
from policies.rectifying.targets import Targeting
from policies.rectifying.time_words import since

_SHOWN = 5
NO_CORRECTION = (
    "This reads as no correction: say what no longer holds, or what holds instead. "
    "Questions, quotations, suppositions and what others do correct nothing."
)


class CorrectionCandidate(msgspec.Struct, frozen=True):
    """A memory that a correction might mean; `score` is in [0, 1], `why` what speaks for it."""

    memory_id: MemoryId
    content: str
    score: float
    why: str


class Correction(msgspec.Struct, frozen=True):
    """What a sentence corrected.

    `receipt` is None where nothing was changed; then `candidates` are the
    memories that may be meant, best first. `retired` were superseded by
    `memory_id`. `said` tells in a sentence what was done, or why nothing was.
    """

    said: str
    receipt: Receipt | None = None
    memory_id: MemoryId | None = None
    retired: tuple[MemoryId, ...] = ()
    candidates: tuple[CorrectionCandidate, ...] = ()


class Correcting(Remembering):
    """The command that corrects by a sentence."""

    def correct(
        self,
        sentence: str,
        *,
        reason: str | None = None,
        source: str | None = None,
        tags: Sequence[str] = (),
        override: bool = False,
    ) -> Correction:
        """Find what a sentence corrects, and put what it says in the place of that.

        It acts where one target is clear, be it in several wordings; otherwise
        it changes nothing and gives the candidates. `source` is who corrects,
        by default the actor; with `tags` only memories under one of them are
        meant. Raises `EmptyContent`, `ContentTooLarge`, `InvalidField`, and
        `ImmutableMemory` unless `override` is given.
        """
        text = checked_text("sentence", sentence) or ""
        if not text.strip():
            raise EmptyContent
        size, limit = len(text.encode()), self.settings().content_limit_bytes
        if size > limit:
            raise ContentTooLarge(size, limit)
        wanted = checked_texts("tags", tags)
        who = self._author.actor if source is None else normalised_source(source)
        reading = read_correction(text) or read_statement(text)
        if reading is None:
            return Correction(NO_CORRECTION)
        decided: builtins.list[Targeting] = []

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            moment = Then(self._home, self.space, cut)
            meant = targets_of(moment, reading, who, wanted)
            decided.append(meant)
            if not meant.chosen:
                return [], []
            olds = [MemoryId(one.candidate.memory_id) for one in meant.chosen]
            base = max(meant.chosen, key=lambda one: (len(one.candidate.text), one.score))
            new = successor(
                moment, successor_text(meant.reading, base), base, text, who, _since(reading, cut)
            )
            overrides = frozenset(olds) if override else frozenset()
            storing = Storing(new, olds, limit, self._author, overrides, reason)
            return self._storing(storing, cut), olds

        _, receipt = self._command(decide)
        return _told(decided[-1], receipt if receipt.events else None)


def _since(reading: CorrectionReading, cut: Cut) -> str | None:
    at = None if reading.when is None else since(reading.when, to_datetime(cut.instant))
    return None if at is None else at.isoformat()


def _told(meant: Targeting, receipt: Receipt | None) -> Correction:
    candidates = tuple(_candidate(one) for one in meant.considered[:_SHOWN] if one.cover > 0)
    if receipt is None:
        return Correction(f"Nothing was changed: {meant.why}.", candidates=candidates)
    retired = tuple(MemoryId(one.candidate.memory_id) for one in meant.chosen)
    texts = "; ".join(f"“{_short(one.candidate.text)}”" for one in meant.chosen)
    return Correction(
        f"Superseded {texts}.", receipt=receipt, memory_id=receipt.memory_id, retired=retired
    )


def _candidate(match: Match) -> CorrectionCandidate:
    one = match.candidate
    return CorrectionCandidate(MemoryId(one.memory_id), one.text, match.score, match.why)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"  # noqa: PLR2004 - a line
