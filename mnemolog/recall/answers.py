"""Recall results: hits with their texts, explanations, trails and support, and conflicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import asdict, replace

from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import (
    ConflictContent,
    ConflictType,
    Event,
    MemoryKind,
    Outcome,
    Resolution,
    Severity,
    Winner,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log, proven
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.constraints.recognition import SAFETY
from mnemolog.projections.memories import ConflictRow, conflicts_of, is_open
from mnemolog.projections.memory_queries import MemoryRow, Status, rows_as_of
from mnemolog.projections.views import Views
from mnemolog.recall.items import HitText, Item, Sources, moment, parts, read_items, summary_of
from mnemolog.recall.search.checks import Strategy
from mnemolog.results import Results, Value

if TYPE_CHECKING:
    # They bring numpy, which a command without a search does not need.
    from mnemolog.recall.search.question import Question
    from mnemolog.recall.search.search import SearchFinding
    from mnemolog.recall.search.space_search import Ranked, SpaceSearch

# Messages of an empty answer, of one to a question with filters, and of one without a search.
NOTHING = "The memory holds nothing on this."
NOTHING_SUCH = "Within these filters the memory holds nothing on this."
NOT_ASKED = "Nothing was looked up."

WAS_KNOWN = "Something was known here, and has faded."  # Text shown for a tombstone
_DAY = 86_400_000_000
_WAITING = frozenset({"contested", "pending"})
STRONG = 0.5  # Relevance above which a hit probably answers the question
Support = Literal["strong", "weak", "none"]  # Support of an answer by its best hit


class AsOf(Value, frozen=True):
    """Moment of a question: log position and instant."""

    position: Position
    instant: datetime


class Explanation(Value, frozen=True):
    """Explanation of a hit's rank: `ranks` from 1, by search; `scores` by component.

    `matched` are the cue's terms that it holds, `corrected` its misspelled words; `found` is the
    memory that matched the cue, if a successor is shown instead.
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
    """Hit: a memory that answers a cue; `relevance` is in [0, 1].

    `note` is a caution: it is contested, was superseded later, or its successor is not in force.
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

    `route` names the search that was used, and `why` gives the reason; `parts` are those of a
    compound cue. `weights` are of the components of relevance, drawn with the seed `exploration`
    if given. For a cue that asks for advice, `constraints` and standing `instructions` near it are
    added. `brought` are memories that a hit, `found` in their explanation, led to in two recall
    sessions or more. `unembedded` counts the memories that were searched by words alone, since
    their vectors are still being made in the background.
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
    instructions: tuple[Hit, ...] = ()
    conflicts: tuple[Hit, ...] = ()
    brought: tuple[Hit, ...] = ()
    empty: bool = False
    message: str | None = None
    unembedded: int = 0


def answer(
    found: SearchFinding, question: Question, searches: Sequence[SpaceSearch], log: Log
) -> Recall:
    """Recall made from the result of a search. Raises `CorruptLog` as `hits_of` does."""
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
        instructions=hits_of(found.instructions, searches, log),
        brought=hits_of(found.brought, searches, log),
        empty=not hits,
        message=None if hits else NOTHING_SUCH if question.narrowed else NOTHING,
        unembedded=sum(one.unembedded for one in searches),
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
    """Hits from ranked memories, with the cue's `corrected` words. Raises `CorruptLog`."""
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
        older = []
        for one in filter(None, map(events.get, trail)):
            old, at = MemoryId(one.event_id), to_datetime(one.recorded_at)
            older.append(TrailEntry(old, one.position, at, chain.status(one.position), _text(one)))
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
                note=_note(chain.note(item.memory), item),
                explanation=Explanation(item.ranks, scores, item.matched, corrected or {}, found),
                trail=tuple(older),
            )
        )
    return tuple(hits)


def _note(said: str | None, item: Ranked) -> str | None:
    if item.outdated_by is None:
        return said
    outdated = f"possibly outdated: @{item.outdated_by} is newer"
    return outdated if said is None else f"{said}; {outdated}"


def texts(log: Log, ranked: Sequence[Ranked]) -> list[HitText]:
    """Texts of ranked memories, in their order."""
    events = proven(log, {item.memory for item in ranked})
    found = []
    for item in ranked:
        event = events.get(item.memory)
        structure, content = (None, None) if event is None else parts(event)
        if event is None or structure is None or content is None:
            found.append(HitText(""))
            continue
        guarded = structure.immutable or structure.constraint == SAFETY
        times = structure.judged, structure.valid_from
        found.append(HitText(content.text, *times, event.memory_id, event.causation_id, guarded))
    return found


def _text(event: Event | None) -> str | None:
    content = None if event is None else parts(event)[1]
    return None if content is None else content.text


class Side(Value, frozen=True):
    """Side of a conflict; `content` is None once it is redacted."""

    memory_id: MemoryId
    position: Position
    recorded_at: datetime
    content: str | None
    status: Status
    source: str | None


class Conflict(Value, frozen=True):
    """Conflict of two memories; `winner` is set once it is settled.

    `outcome` is the decision at detection: `contested` and `pending` leave the conflict open.
    `age_days` is how long it has been, or was, open; `reason` is None if its quote was redacted.
    """

    conflict_id: EventId
    position: Position
    found_at: datetime
    new: Side
    old: Side
    type: ConflictType
    severity: Severity
    resolution: Resolution
    outcome: Outcome
    judge: str
    similarity: float | None
    attribute: str | None
    reason: str | None
    open: bool
    age_days: float
    settled_at: datetime | None
    winner: Winner | None


def read_conflicts(
    rows: Sequence[ConflictRow], space: str, position: Position, instant: int, sources: Sources
) -> tuple[Conflict, ...]:
    """Conflicts of these rows, completed from the log, in their order."""
    log, views = sources
    ids = [*dict.fromkeys(one for row in rows for one in (row.new, row.other))]
    states = views.read(lambda db: rows_as_of(db, ids, position))
    read = read_items([*states.values()], space, position, instant, sources)
    items = {item.memory_id: item for item in read}
    wanted = {at for row in rows for at in (row.at, row.since, row.until) if at is not None}
    events = proven(log, sorted(wanted))
    found = []
    for row in rows:
        if row.at not in events or not {row.new, row.other} <= items.keys():
            continue
        new, old = (
            Side(**{name: getattr(items[one], name) for name in Side.__struct_fields__})
            for one in (row.new, row.other)
        )
        said = VOCABULARY.decode(events[row.at]).content
        began = None if row.since is None else events[row.since].recorded_at
        ended = None if row.until is None else events[row.until].recorded_at
        lasted = 0 if began is None else (instant if ended is None else ended) - began
        known = asdict(row) | {
            "conflict_id": row.conflict,
            "position": row.at,
            "found_at": to_datetime(events[row.at].recorded_at),
            "new": new,
            "old": old,
            "attribute": said.attribute if isinstance(said, ConflictContent) else None,
            "reason": said.reason if isinstance(said, ConflictContent) else None,
            "open": is_open(row) and (new.status in _WAITING or row.outcome == "offered"),
            "age_days": round(max(0, lasted) / _DAY, 4),
            "settled_at": moment(ended),
        }
        found.append(Conflict(**{name: known[name] for name in Conflict.__struct_fields__}))
    return tuple(found)


def marked(found: Recall, instant: Micros, log: Log, views: Views) -> Recall:
    """Recall with open conflicts marked: notes on hits, and their other sides, hits or not."""
    at, ids = found.as_of.position, [hit.memory_id for hit in found.hits]
    rows = [row for row in views.read(lambda db: conflicts_of(db, ids, at)) if is_open(row)]
    if not rows:
        return found
    sides = [one for row in rows for one in (row.new, row.other)]
    states = views.read(lambda db: rows_as_of(db, sides, at))
    notes = defaultdict[MemoryId, list[str]](list)
    notes |= {hit.memory_id: [hit.note] for hit in found.hits if hit.note}
    beside = defaultdict[MemoryId, dict[MemoryId, MemoryRow]](dict)
    for row in rows:
        new, old = states.get(row.new), states.get(row.other)
        if new is not None and old is not None and new.status in _WAITING:
            notes[row.new].append(f"contradicts @{old.memory}")
            notes[row.other].append(f"contradicted by @{new.memory}, {new.status}")
            beside[row.new][row.other], beside[row.other][row.new] = old, new
    if not beside:
        return found
    hits = {
        hit.memory_id: replace(hit, note="; ".join(notes[hit.memory_id]) or None)
        for hit in found.hits
    }
    others: dict[MemoryId, Hit] = {}
    for hit in found.hits:
        if not (against := [*beside[hit.memory_id].values()]):
            continue
        for item in read_items(against, hit.space, at, instant, (log, views)):
            if item.content is not None:
                known = hits.get(item.memory_id)
                others[item.memory_id] = known or _beside(item, notes[item.memory_id])
    return replace(found, hits=tuple(hits.values()), conflicts=tuple(others.values()))


def _beside(item: Item, notes: Sequence[str]) -> Hit:
    status = [item.status] if item.status in _WAITING else []
    return Hit(
        **{name: getattr(item, name) for name in _OF_BOTH},
        relevance=0.0,
        note="; ".join([*status, *notes]),
        explanation=Explanation({}, {}),
    )


_OF_BOTH = tuple(name for name in Hit.__struct_fields__ if name in Item.__struct_fields__)
