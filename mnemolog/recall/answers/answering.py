"""Hits from ranked memories: their texts read from the log, with explanations."""

from __future__ import annotations

from collections.abc import Sequence

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Log, proven
from mnemolog.projections.memory_queries import Status
from mnemolog.recall.answers.answers import (
    NOT_ASKED,
    NOTHING,
    NOTHING_SUCH,
    WAS_KNOWN,
    AsOf,
    Explanation,
    Hit,
    Recall,
    TrailEntry,
    support_of,
)
from mnemolog.recall.answers.items import moment, parts, summary_of
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import COMPONENTS
from mnemolog.recall.search.search import SearchFinding
from mnemolog.recall.search.space_search import Ranked, SpaceSearch


def answer(
    found: SearchFinding,
    question: Question,
    searches: Sequence[SpaceSearch],
    log: Log,
) -> Recall:
    """Recall made from the result of a search.

    Raises `CorruptLog` if content in the log does not match its hash.
    """
    hits = hits_of(found.ranked, searches, log, found.terms.corrected)
    return Recall(
        hits=hits,
        strategy=question.strategy,
        as_of=AsOf(question.position, to_datetime(question.instant)),
        route=question.reading.route,
        why=question.reading.why,
        parts=question.reading.parts,
        support=support_of(hits[0].relevance if hits else None),
        weights=dict(zip(COMPONENTS, question.blend.weights, strict=True)),
        exploration=question.blend.seed,
        reranker=found.reranker,
        constraints=hits_of(found.constraints, searches, log),
        brought=hits_of(found.brought, searches, log),
        empty=not hits,
        message=None if hits else NOTHING_SUCH if question.narrowed else NOTHING,
    )


def hits_of(
    ranked: Sequence[Ranked],
    searches: Sequence[SpaceSearch],
    log: Log,
    corrected: dict[str, tuple[str, ...]] | None = None,
) -> tuple[Hit, ...]:
    """Hits from ranked memories, in their order; `corrected` are the cue's corrected words.

    Raises `CorruptLog` if content in the log does not match its hash.
    """
    if not ranked:
        return ()
    wanted = {item.memory for item in ranked}
    wanted.update(position for item in ranked for position in item.trail)
    wanted.update(item.found for item in ranked)
    events = proven(log, wanted)
    missing = [one for item in ranked for one in (item.memory, item.found) if one not in events]
    if missing:
        raise CorruptLog(f"event {min(missing)} is missing", min(missing) - 1)
    chains = {search.space: search.chains for search in searches}
    position = max(search.position for search in searches)
    hits = []
    for item in ranked:
        structure, content = parts(events[item.memory])
        if content is None:
            # Redacted between the search and the read.
            continue
        event = events[item.memory]
        status = chains[item.space].status(item.memory)
        hits.append(
            Hit(
                memory_id=_memory_id(event),
                content=_shown(content.text, status, log, _memory_id(event), position),
                status=status,
                relevance=round(item.relevance, 4),
                position=item.memory,
                recorded_at=to_datetime(event.recorded_at),
                space=item.space,
                kind=structure.kind,
                source=structure.source,
                place=structure.place,
                tags=content.tags,
                valid_from=moment(structure.valid_from),
                valid_until=moment(structure.valid_until),
                note=item.note,
                explanation=Explanation(
                    ranks=item.ranks,
                    scores={name: round(score, 4) for name, score in item.scores.items()},
                    matched=item.matched,
                    corrected=corrected or {},
                    found=_memory_id(events[item.found]) if item.found != item.memory else None,
                ),
                trail=tuple(
                    _trail_entry(events[position], chains[item.space].status(position))
                    for position in item.trail
                    if position in events
                ),
            )
        )
    return tuple(hits)


def _shown(text: str, status: Status, log: Log, memory_id: MemoryId, position: Position) -> str:
    """Text of a memory in an answer: whole, its summary, or a placeholder for a tombstone."""
    if status == "tombstone":
        return WAS_KNOWN
    return summary_of(log, memory_id, position) or text if status == "summarized" else text


def not_asked(strategy: Strategy, why: str, position: Position, instant: Micros) -> Recall:
    """Recall for a cue that needs no search: empty, with the reason."""
    as_of = AsOf(position, to_datetime(instant))
    return Recall((), strategy, as_of, route="none", why=why, empty=True, message=NOT_ASKED)


def texts(log: Log, ranked: Sequence[Ranked]) -> list[str]:
    """Texts of ranked memories, in their order; empty for one redacted in the meantime."""
    events = proven(log, {item.memory for item in ranked})
    contents = [parts(events[item.memory])[1] if item.memory in events else None for item in ranked]
    return ["" if content is None else content.text for content in contents]


def _memory_id(event: Event) -> MemoryId:
    return MemoryId(event.event_id)


def _trail_entry(event: Event, status: Status) -> TrailEntry:
    _, content = parts(event)
    return TrailEntry(
        memory_id=_memory_id(event),
        position=event.position,
        recorded_at=to_datetime(event.recorded_at),
        status=status,
        content=None if content is None else content.text,
    )
