"""Recall results: hits with their texts, explanations, trails and support."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event, MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.rows import proven
from mnemolog.projections.memory_queries import Status
from mnemolog.recall.answers.items import moment, parts, summary_of
from mnemolog.recall.search.checks import Strategy
from mnemolog.results import Results, Value

if TYPE_CHECKING:
    # They bring numpy, which a command without a search does not need.
    from mnemolog.recall.search.question import Question
    from mnemolog.recall.search.search import SearchFinding
    from mnemolog.recall.search.space_search import Ranked, SpaceSearch

NOTHING = "The memory holds nothing on this."  # Message of an empty answer
NOTHING_SUCH = "Within these filters the memory holds nothing on this."
"""Message of an empty answer to a question with filters."""

WAS_KNOWN = "Something was known here, and has faded."
"""Text shown for a memory that is a tombstone."""

NOT_ASKED = "Nothing was looked up."  # Message of an answer without a search
Support = Literal["strong", "weak", "none"]
"""Support of an answer by its best hit: strong above a relevance of a half."""

STRONG = 0.5  # Relevance above which a hit probably answers the question


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


def answer(
    found: SearchFinding, question: Question, searches: Sequence[SpaceSearch], log: Log
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
        support="none" if not hits else "strong" if hits[0].relevance > STRONG else "weak",
        weights=question.blend.by_component,
        exploration=question.blend.seed,
        reranker=found.reranker,
        constraints=hits_of(found.constraints, searches, log),
        brought=hits_of(found.brought, searches, log),
        empty=not hits,
        message=None if hits else NOTHING_SUCH if question.narrowed else NOTHING,
    )


def not_asked(strategy: Strategy, why: str, position: Position, instant: Micros) -> Recall:
    """Recall for a cue that needs no search: empty, with the reason."""
    as_of = AsOf(position, to_datetime(instant))
    return Recall((), strategy, as_of, route="none", why=why, empty=True, message=NOT_ASKED)


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
    chains = {search.space: search.chains for search in searches}
    trails = [chains[item.space].trail(item.memory) for item in ranked]
    shown = {one for item in ranked for one in (item.memory, item.found)}
    events = proven(log, shown.union(*trails))
    if missing := shown - events.keys():
        raise CorruptLog(f"event {min(missing)} is missing", min(missing) - 1)
    position = max(search.position for search in searches)
    hits = []
    for item, trail in zip(ranked, trails, strict=True):
        event, chain = events[item.memory], chains[item.space]
        structure, content = parts(event)
        if content is None:
            # Redacted between the search and the read.
            continue
        memory_id, status, text = MemoryId(event.event_id), chain.status(item.memory), content.text
        if status == "tombstone":
            text = WAS_KNOWN
        elif status == "summarized":
            text = summary_of(log, memory_id, position) or text
        scores = {name: round(score, 4) for name, score in item.scores.items()}
        found = MemoryId(events[item.found].event_id) if item.found != item.memory else None
        older = [
            TrailEntry(
                MemoryId(events[one].event_id),
                one,
                to_datetime(events[one].recorded_at),
                chain.status(one),
                _text(events[one]),
            )
            for one in trail
            if one in events
        ]
        hits.append(
            Hit(
                memory_id=memory_id,
                content=text,
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
                note=chain.note(item.memory),
                explanation=Explanation(item.ranks, scores, item.matched, corrected or {}, found),
                trail=tuple(older),
            )
        )
    return tuple(hits)


def texts(log: Log, ranked: Sequence[Ranked]) -> list[str]:
    """Texts of ranked memories, in their order; empty for one redacted in the meantime."""
    events = proven(log, {item.memory for item in ranked})
    return [_text(events.get(item.memory)) or "" for item in ranked]


def _text(event: Event | None) -> str | None:
    content = None if event is None else parts(event)[1]
    return None if content is None else content.text
