"""Correction by a sentence: find the memory that it corrects and supersede it."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from mnemolog.application.commands.command import Drafted, command
from mnemolog.application.commands.consulting import Consulted, judge_of
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import get_memory, read_settings
from mnemolog.application.storing.judged_targets import (
    JudgedTarget,
    clear_target,
    judged_targets,
)
from mnemolog.application.storing.restatements import CORRECTED
from mnemolog.application.storing.store import ToStore, filed_as, storing_events
from mnemolog.language.dates import since_when
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import ContentTooLarge, EmptyContent
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.judge import OFFERED
from mnemolog.policies.contradictions.replacements import asks_only
from mnemolog.policies.corrections import quoting
from mnemolog.policies.memories import NewMemory, checked_text, checked_texts, normalised_source
from mnemolog.recall.search.checks import checked_cue
from mnemolog.results import Results, Value

_SHOWN = 3
_APART = frozenset(",;()")  # Marks between clauses
NO_CORRECTION = (
    "This reads as no correction: say what no longer holds, or what holds instead. "
    "Questions and suppositions correct nothing."
)
UNCLEAR = "Nothing was changed: it is not clear which memory is meant."
_LIKELY, _ALIKE = "the sentence may correct it", "it is like the sentence"


class CorrectionCandidate(Value, frozen=True):
    """Candidate target of a correction; `score` is in [0, 1], `why` is the evidence for it."""

    memory_id: MemoryId
    content: str
    score: float
    why: str


class Correction(Results[MemoryId], frozen=True):
    """Result of a correction by a sentence.

    `receipt` is None if nothing was changed. `candidates` are the possible targets of unclear
    corrections, best first. `retired` were superseded by `memory_id`. `said` describes what was
    done, or why not.
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
    """Correction by a sentence: finds the memory that it corrects and supersedes it.

    Search finds the memories that may be meant, and the judge reads the sentence with each. If
    one is clear, the sentence takes its place, filed as it is; what else the target says is stored
    as a memory of its own, or quoted behind the sentence if it cannot be taken apart. Otherwise
    nothing changes and the candidates are returned. Other memories that say the same as the target
    go with it. `source` is the corrector, by default the actor. With `tags`, only memories with one
    of them, or without tags, are targets. Raises `EmptyContent`, `ContentTooLarge`,
    `InvalidField`, and `ImmutableMemory` unless `override` is given.
    """
    text = checked_text("sentence", sentence) or ""
    if not text.strip():
        raise EmptyContent("sentence", "say what no longer holds, or what holds instead")
    settings = read_settings(space)
    if (size := len(text.encode())) > (limit := settings.content_limit_bytes):
        raise ContentTooLarge(size, limit)
    checked_cue(text, "sentence")
    wanted = checked_texts("tags", tags)
    who = space.author.actor if source is None else normalised_source(source)
    found: list[JudgedTarget] = []
    retired: list[MemoryId] = []
    notes: list[str | None] = []
    consulted = Consulted(space.home, judge_of(space.home, settings))

    def decide(cut: Cut) -> Drafted:
        moment = space.at(cut)
        search = judged_targets(moment, consulted, text, who, wanted)
        found[:], notes[:] = search.targets, [search.failure]
        target = clear_target(consulted, search)
        content = text if target is None else quoting(text, target.whole)
        if target is None or len(content.encode()) > limit:
            return [], []
        retired[:] = target.retired
        storing = ToStore(
            _successor(moment, content, target.retired[0], who, _since(text, cut)),
            target.retired,
            settings,
            space.author,
            overrides=frozenset(target.retired if override else ()),
            reason=reason,
            rests=target.rests,
        )
        return storing_events(space, storing, cut), target.retired

    _, receipt = command(space, decide)
    result = _correction(found, receipt, retired) if receipt.events else _unclear(found, text)
    for note in filter(None, (*notes, consulted.fell_back)):
        result = _noted(result, note)
    return result


def _since(sentence: str, cut: Cut) -> datetime | None:
    """Instant since which a sentence of one clause holds.

    "Marta, a vegetarian since 2015, lives in Gouda now" does not say since when she does.
    """
    return since_when(sentence, to_datetime(cut.instant)) if _APART.isdisjoint(sentence) else None


def _successor(
    space: Space, text: str, old: MemoryId, source: str, since: datetime | None
) -> NewMemory:
    """Memory that supersedes `old`, with its kind, place, tags and constraint."""
    target = get_memory(space, old)
    if since is not None and target.valid_from is not None and since < target.valid_from:
        since = None
    return replace(
        filed_as(target, text),
        category=target.category or "error_correction",
        source=source,
        extraction_method=CORRECTED,
        constraint=target.constraint,
        marks=tuple(dict.fromkeys((*target.marks, "corrects_error"))),
        valid_from=None if since is None else since.isoformat(),
    )


def _correction(
    found: Sequence[JudgedTarget], receipt: Receipt, retired: Sequence[MemoryId]
) -> Correction:
    texts = {one.item.memory_id: one.item.content for one in found}
    said = "; ".join(f"“{_cut(texts[one])}”" for one in retired)
    return Correction(f"Superseded {said}.", receipt, receipt.memory_id, tuple(retired))


def _unclear(found: Sequence[JudgedTarget], text: str) -> Correction:
    likeliest = found[0].found if found else None
    if asks_only(text):
        return Correction(NO_CORRECTION)
    unclear = likeliest is not None and likeliest.confidence >= OFFERED
    candidates = tuple(
        CorrectionCandidate(
            one.item.memory_id,
            one.item.content,
            round(one.share, 3),
            _ALIKE if one.found is None else _LIKELY,
        )
        for one in found[:_SHOWN]
    )
    return Correction(UNCLEAR if unclear else NO_CORRECTION, candidates=candidates)


def _noted(result: Correction, note: str) -> Correction:
    """Correction with a note on its judge: a warning of the receipt, if there is one."""
    if result.receipt is None:
        return replace(result, said=f"{result.said} {note}.")
    warned = replace(result.receipt, warnings=(*result.receipt.warnings, note))
    return replace(result, receipt=warned)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"  # noqa: PLR2004 - a line
