"""Correction by a sentence: find the memories that it corrects and supersede them."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mnemolog.application.commands.command import command
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.storing.correction_targets import MOST_READINGS, targets_of
from mnemolog.application.storing.passing_corrections import successor
from mnemolog.application.storing.store import ToStore, storing_events
from mnemolog.language.dates.clause_times import change_time
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import ContentTooLarge, EmptyContent, InvalidField
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.corrections.candidates import TargetMatch
from mnemolog.policies.corrections.corrections import read_corrections, read_statement
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.targets import Targeting, successor_text
from mnemolog.policies.memories import checked_text, checked_texts, normalised_source
from mnemolog.results import Results, Value

_SHOWN = 5
NO_CORRECTION = (
    "This reads as no correction: say what no longer holds, or what holds instead. "
    "Questions, quotations, suppositions and what others do correct nothing."
)


class CorrectionCandidate(Value, frozen=True):
    """Candidate target of a correction; `score` is in [0, 1], `why` is the evidence for it."""

    memory_id: MemoryId
    content: str
    score: float
    why: str


class Correction(Results[MemoryId], frozen=True):
    """Result of a correction by a sentence.

    `receipt` is None if nothing was changed. `candidates` are the possible targets of
    unclear corrections, best first. `retired` were superseded by `memory_id`, or by
    the other memories of the receipt if a sentence corrects several things. `said`
    describes what was done, and why something was not.
    """

    _over = "retired"

    said: str
    receipt: Receipt | None = None
    memory_id: MemoryId | None = None
    retired: tuple[MemoryId, ...] = ()
    candidates: tuple[CorrectionCandidate, ...] = ()


def correct(  # noqa: PLR0913 - the correction, all else optional and by name
    space: WritableSpace,
    sentence: str,
    *,
    reason: str | None = None,
    source: str | None = None,
    tags: Sequence[str] = (),
    override: bool = False,
) -> Correction:
    """Correction by a sentence: finds the memories that it corrects and supersedes them.

    If one target is clear, in one wording or several, it is superseded; otherwise nothing
    changes and the candidates are returned. A sentence about several subjects makes several
    corrections in one command. `source` is the corrector, by default the actor. With `tags`,
    only memories with one of them, or without tags, are targets. Raises `EmptyContent`,
    `ContentTooLarge`, `InvalidField`, and `ImmutableMemory` unless `override` is given.
    """
    text = checked_text("sentence", sentence) or ""
    if not text.strip():
        raise EmptyContent
    settings = read_settings(space)
    size, limit = len(text.encode()), settings.content_limit_bytes
    if size > limit:
        raise ContentTooLarge(size, limit)
    wanted = checked_texts("tags", tags)
    who = space.author.actor if source is None else normalised_source(source)
    stated = read_statement(text)
    readings = read_corrections(text) or (() if stated is None else (stated,))
    if not readings:
        return Correction(NO_CORRECTION)
    if len(readings) > MOST_READINGS:
        raise InvalidField(
            "sentence",
            f"makes {len(readings)} corrections of {MOST_READINGS} allowed",
            "give fewer at a time",
        )
    decided: builtins.list[Targeting] = []

    def replacing(put: _Put, moment: Space, cut: Cut) -> ToStore:
        meant, base = put.meant, put.base
        olds = [MemoryId(one.candidate.memory_id) for one in meant.chosen]
        began = _since(meant.reading, cut)
        new = successor(moment, put.text, base, text, who, began)
        overrides = frozenset(olds) if override else frozenset()
        return ToStore(new, olds, settings, space.author, overrides, reason)

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        moment = space.at(cut)
        found = _each_once(
            targets_of(moment, space.home.views, one, who, wanted) for one in readings
        )
        decided[:] = []
        batch: builtins.list[Draft] = []
        retired: builtins.list[MemoryId] = []
        for meant in found:
            put = _put(meant)
            if put is None:
                decided.append(_unsaid(meant))
                continue
            decided.append(meant)
            storing = replacing(put, moment, cut)
            one = storing_events(space, storing, cut)
            batch += one if not batch else _caused_by(batch[0], one)
            retired += storing.olds
        return batch, retired

    _, receipt = command(space, decide)
    return _told(decided, receipt if receipt.events else None)


class _Put(msgspec.Struct, frozen=True):
    """Correction with a clear target: the new text, and `base`, the longest memory it replaces."""

    meant: Targeting
    base: TargetMatch
    text: str


def _put(meant: Targeting) -> _Put | None:
    """Replacement for the chosen targets; None without a target, or without a successor text."""
    if not meant.chosen:
        return None
    base = max(meant.chosen, key=lambda one: (len(one.candidate.text), one.score))
    text = successor_text(meant.reading, base)
    return None if text is None else _Put(meant, base, text)


def _unsaid(meant: Targeting) -> Targeting:
    """Targeting without targets, for a correction that yields no successor text."""
    if not meant.chosen:
        return meant
    return msgspec.structs.replace(
        meant, chosen=(), why="what it says does not fit into what is remembered; say it in full"
    )


def _since(reading: CorrectionReading, cut: Cut) -> str | None:
    at = None if reading.when is None else change_time(reading.when, to_datetime(cut.instant))
    return None if at is None else at.isoformat()


def _caused_by(first: Draft, drafts: Sequence[Draft]) -> builtins.list[Draft]:
    """Drafts as part of the command that another draft begins."""
    return [msgspec.structs.replace(one, causation_id=first.event_id) for one in drafts]


def _each_once(found: Iterable[Targeting]) -> Iterator[Targeting]:
    """Targetings of the readings, each without targets that an earlier one has."""
    taken: set[str] = set()
    for meant in found:
        chosen = [one for one in meant.chosen if one.candidate.memory_id not in taken]
        taken |= {one.candidate.memory_id for one in chosen}
        yield msgspec.structs.replace(meant, chosen=tuple(chosen))


def _told(decided: Sequence[Targeting], receipt: Receipt | None) -> Correction:
    unclear = [meant for meant in decided if not meant.chosen]
    candidates = tuple(
        _candidate(one) for meant in unclear for one in meant.considered[:_SHOWN] if one.cover > 0
    )
    if receipt is None:
        return Correction(f"Nothing was changed: {unclear[0].why}.", candidates=candidates)
    chosen = [one for meant in decided for one in meant.chosen]
    texts = "; ".join(f"“{_short(one.candidate.text)}”" for one in chosen)
    rest = "".join(
        f" “{_short(one.reading.sentence)}” changed nothing: {one.why}." for one in unclear
    )
    return Correction(
        f"Superseded {texts}.{rest}",
        receipt=receipt,
        memory_id=receipt.memory_id,
        retired=tuple(MemoryId(one.candidate.memory_id) for one in chosen),
        candidates=candidates,
    )


def _candidate(match: TargetMatch) -> CorrectionCandidate:
    one = match.candidate
    return CorrectionCandidate(MemoryId(one.memory_id), one.text, match.score, match.why)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"  # noqa: PLR2004 - a line
