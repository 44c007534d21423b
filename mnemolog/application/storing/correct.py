"""Correction by a sentence: find the memories that it corrects and supersede them."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mnemolog.application.commands.command import Drafted, command
from mnemolog.application.commands.consulting import Consulted, judge_of
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.storing.contradiction_check import StatementEffects
from mnemolog.application.storing.judged_targets import (
    JudgedTarget,
    clear_target,
    judged_targets,
)
from mnemolog.application.storing.passing_corrections import MOST_READINGS, successor, targets_of
from mnemolog.application.storing.store import ToStore, memory_of_rest, storing_events
from mnemolog.language.clauses.propositions import propositions
from mnemolog.language.dates import change_time
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import ContentTooLarge, EmptyContent, InvalidField
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.judge import OFFERED
from mnemolog.policies.contradictions.replacements import asks_only
from mnemolog.policies.corrections.corrections import read_corrections, read_statement
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.targets import Targeting, successor_text
from mnemolog.policies.memories import checked_text, checked_texts, normalised_source
from mnemolog.results import Results, Value

_SHOWN = 3
_UNFIT = "what it says does not fit into what is remembered; say it in full"
NO_CORRECTION = (
    "This reads as no correction: say what no longer holds, or what holds instead. "
    "Questions, quotations, suppositions and what others do correct nothing."
)
UNCLEAR = "Nothing was changed: it is not clear which memory is meant."
_LIKELY = "the sentence may correct it"


class CorrectionCandidate(Value, frozen=True):
    """Candidate target of a correction; `score` is in [0, 1], `why` is the evidence for it."""

    memory_id: MemoryId
    content: str
    score: float
    why: str


class Correction(Results[MemoryId], frozen=True):
    """Result of a correction by a sentence.

    `receipt` is None if nothing was changed. `candidates` are the possible targets of unclear
    corrections, best first. `retired` were superseded by `memory_id`, or by other memories of the
    receipt if a sentence corrects several things. `said` describes what was done, or why not.
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
    if (size := len(text.encode())) > (limit := settings.content_limit_bytes):
        raise ContentTooLarge(size, limit)
    wanted = checked_texts("tags", tags)
    who = space.author.actor if source is None else normalised_source(source)
    said = _Request(text, who, wanted, settings, reason, override)
    stated = read_statement(text)
    readings = read_corrections(text) or (() if stated is None else (stated,))
    if len(readings) > MOST_READINGS:
        problem = f"makes {len(readings)} corrections of {MOST_READINGS} allowed"
        raise InvalidField("sentence", problem, "give fewer at a time")
    decided: list[Targeting] = []
    found: list[JudgedTarget] = []
    consulted = Consulted(space.home, judge_of(space.home, settings))

    def decide(cut: Cut) -> Drafted:
        found.clear()
        batch, decided[:] = _by_rules(space, readings, said, cut)
        if batch:
            chosen = (one.candidate.memory_id for meant in decided for one in meant.chosen)
            return batch, [*map(MemoryId, chosen)]
        # The rules are certain of no target: search and the judge decide.
        found[:] = judged_targets(space.at(cut), consulted, text, who, wanted)
        return _by_judgement(space, found, said, cut)

    _, receipt = command(space, decide)
    done = receipt if receipt.events else None
    judged = any(one.found is not None for one in found)
    result = _judged_correction(found, done) if judged else _correction(decided, done)
    if done is None and not result.candidates and not asks_only(text):
        result = replace(result, candidates=_candidates(found))
    return result if consulted.fell_back is None else _noted(result, consulted.fell_back)


def _noted(result: Correction, note: str) -> Correction:
    """Correction with a note on its judge: a warning of the receipt, if there is one."""
    if result.receipt is None:
        return replace(result, said=f"{result.said} {note}.")
    warned = replace(result.receipt, warnings=(*result.receipt.warnings, note))
    return replace(result, receipt=warned)


class _Request(NamedTuple):
    """Sentence of a correction, who says it, and how it is stored."""

    text: str
    source: str
    tags: Sequence[str]
    settings: Settings
    reason: str | None
    override: bool

    def storing(
        self, space: WritableSpace, effects: StatementEffects, olds: Sequence[MemoryId]
    ) -> ToStore:
        overrides = frozenset(olds if self.override else ())
        return ToStore(effects, olds, self.settings, space.author, overrides, self.reason)


def _by_rules(
    space: WritableSpace, readings: Sequence[CorrectionReading], said: _Request, cut: Cut
) -> tuple[list[Draft], list[Targeting]]:
    """Events of the corrections whose targets the rules are certain of, and all targets."""
    moment, decided = space.at(cut), list[Targeting]()
    taken: set[str] = set()
    batch: list[Draft] = []
    for reading in readings:
        meant = targets_of(moment, reading, said.source, said.tags)
        # No target twice: an earlier reading has it.
        chosen = [one for one in meant.chosen if one.candidate.memory_id not in taken]
        olds = [MemoryId(one.candidate.memory_id) for one in chosen]
        taken.update(olds)
        base = max(chosen, key=lambda one: (len(one.candidate.text), one.score), default=None)
        words = None if base is None else successor_text(meant.reading, base)
        if base is not None and words is not None and _loses_part(base.candidate.text, words):
            words = None
        if base is None or words is None:
            why = meant.why if base is None else _UNFIT
            decided.append(replace(meant, chosen=(), why=why))
            continue
        decided.append(replace(meant, chosen=tuple(chosen)))
        when, now = meant.reading.when, to_datetime(cut.instant)
        at = None if when is None else change_time(when, now)
        since = None if at is None else at.isoformat()
        of = base.candidate.memory_id
        new = successor(moment, words, of, said.text, said.source, since)
        events = storing_events(space, said.storing(space, StatementEffects(new), olds), cut)
        if batch:
            events = [replace(one, causation_id=batch[0].event_id) for one in events]
        batch += events
    return batch, decided


def _loses_part(old: str, new: str) -> bool:
    """True if a text joins fewer statements than the one that it replaces."""
    return len(propositions(new)) < len(propositions(old))


def _by_judgement(
    space: WritableSpace, found: Sequence[JudgedTarget], said: _Request, cut: Cut
) -> Drafted:
    """Events of the correction of a clear target, and the target; none if there is none."""
    target, moment = clear_target(found), space.at(cut)
    if target is None:
        return [], []
    item, kept = target
    old = item.memory_id
    rest = ((old, memory_of_rest(moment, old, kept)),) if kept else ()
    new = successor(moment, said.text, old, said.text, said.source)
    effects = StatementEffects(new, rewritten=rest)
    return storing_events(space, said.storing(space, effects, [old]), cut), [old]


def _candidates(found: Sequence[JudgedTarget]) -> tuple[CorrectionCandidate, ...]:
    return tuple(
        CorrectionCandidate(one.item.memory_id, one.item.content, round(one.share, 3), _LIKELY)
        for one in found[:_SHOWN]
    )


def _judged_correction(found: Sequence[JudgedTarget], receipt: Receipt | None) -> Correction:
    if receipt is None:
        likeliest = found[0].found
        unclear = likeliest is not None and likeliest.confidence >= OFFERED
        return Correction(UNCLEAR if unclear else NO_CORRECTION, candidates=_candidates(found))
    best = found[0].item
    said = f"Superseded “{_cut(best.content)}”."
    return Correction(said, receipt, receipt.memory_id, (best.memory_id,))


def _correction(decided: Sequence[Targeting], receipt: Receipt | None) -> Correction:
    vague = [meant for meant in decided if not meant.chosen]
    candidates = tuple(
        CorrectionCandidate(
            MemoryId(one.candidate.memory_id), one.candidate.text, one.score, one.why
        )
        for meant in vague
        for one in meant.considered[:_SHOWN]
        if one.cover > 0
    )
    if receipt is None:
        why = f"Nothing was changed: {vague[0].why}." if vague else NO_CORRECTION
        return Correction(why, candidates=candidates)
    chosen = [one.candidate for meant in decided for one in meant.chosen]
    texts = "; ".join(f"“{_cut(one.text)}”" for one in chosen)
    rest = "".join(f" “{_cut(one.reading.sentence)}” changed nothing: {one.why}." for one in vague)
    retired = tuple(MemoryId(one.memory_id) for one in chosen)
    said = f"Superseded {texts}.{rest}"
    return Correction(said, receipt, receipt.memory_id, retired, candidates)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"  # noqa: PLR2004 - a line
