"""Tool results: one structure per tool, the source of its output schema.

They contain only what a model needs, and leave out fields with ordinary values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

import mnemolog

EVENTS = 50
"""How many events of a history are told unless more are asked for."""

_DIGITS = 3


class Result(Struct, frozen=True, omit_defaults=True):
    """What any tool gives."""


class AsOf(Result, frozen=True):
    """The moment that a question was asked of."""

    position: int
    instant: datetime


class Explanation(Result, frozen=True):
    """Why a hit stands where it does."""

    ranks: Annotated[dict[str, int], Meta(description="In each search that found it, from 1.")]
    scores: Annotated[dict[str, float], Meta(description="Each component of its relevance.")]
    matched: Annotated[tuple[str, ...], Meta(description="The words of the cue that it has.")] = ()
    found: Annotated[
        str | None, Meta(description="What the cue had found, which this one replaced.")
    ] = None


class Replaced(Result, frozen=True):
    """A memory that a hit replaced; without content if that was redacted."""

    memory_id: str
    recorded_at: datetime
    status: str
    content: str | None = None


class Hit(Result, frozen=True):
    """A memory that answers."""

    memory_id: str
    content: str
    recorded_at: datetime
    relevance: Annotated[float | None, Meta(description="From 0 to 1.")] = None
    status: str = "active"
    kind: str = "semantic"
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    note: Annotated[str | None, Meta(description="What a reader must know of it.")] = None
    explanation: Explanation | None = None
    trail: Annotated[tuple[Replaced, ...], Meta(description="What it replaced.")] = ()


class Recalled(Result, frozen=True):
    """What a cue brings back, best first."""

    hits: tuple[Hit, ...]
    as_of: AsOf
    support: Annotated[str, Meta(description="How well it answers: strong, weak or none.")]
    constraints: Annotated[
        tuple[Hit, ...], Meta(description="What limits what may be done about it.")
    ] = ()
    conflicts: Annotated[
        tuple[Hit, ...], Meta(description="The other sides of contested hits.")
    ] = ()
    brought: Annotated[
        tuple[Hit, ...], Meta(description="What hits had led to in earlier sessions.")
    ] = ()
    message: str | None = None
    why: str | None = None


class Conflict(Result, frozen=True):
    """A contradiction that was found when something was stored."""

    memory_id: str
    outcome: Annotated[
        str, Meta(description="What became of it: superseded, outdated, contested, pending, both.")
    ]
    reason: str
    content: str | None = None


class Done(Result, frozen=True):
    """What a command did."""

    position: int
    changed: Annotated[tuple[str, ...], Meta(description="What it did, in words.")]
    memory_id: str | None = None
    conflicts: Annotated[
        tuple[Conflict, ...], Meta(description="What it contradicted, and what came of that.")
    ] = ()
    warnings: tuple[str, ...] = ()


class Judgement(Result, frozen=True):
    """What one constraint says of an option."""

    constraint: str
    why: str
    severity: Annotated[int, Meta(description="From 1 to 3.")]
    memory_id: str


class Option(Result, frozen=True):
    """An option in its place."""

    option: str
    rank: int
    standing: Annotated[str, Meta(description="clean, unknown or violates.")]
    violations: tuple[Judgement, ...] = ()
    unknown: Annotated[tuple[Judgement, ...], Meta(description="What cannot be told.")] = ()


class Branch(Result, frozen=True):
    """What a spark leads to."""

    spark: Annotated[str, Meta(description="The memory_id that was voted spark.")]
    memories: tuple[Hit, ...]


class Session(Result, frozen=True):
    """What a recall session shows in a round."""

    session_id: str
    round: int
    rounds_left: int
    memories: tuple[Hit, ...]
    expires_at: datetime
    converged: Annotated[bool, Meta(description="The last votes brought nothing new.")] = False
    spark_branches: tuple[Branch, ...] = ()


class Resolved(Result, frozen=True):
    """What resolving a session did."""

    position: int
    updated: Annotated[int, Meta(description="How many memories weigh otherwise for the like.")]
    learned: bool


class Planned(Result, frozen=True):
    """Options best first, and the constraints that were considered."""

    options: tuple[Option, ...]
    constraints: tuple[Hit, ...]


class Assembled(Result, frozen=True):
    """What to go by when answering a prompt."""

    text: str
    tokens: int
    memory_ids: tuple[str, ...] = ()
    left_out: Annotated[
        dict[str, int], Meta(description="How many did not fit, or not whole, by reason.")
    ] = {}
    message: str | None = None


class Event(Result, frozen=True):
    """One event of a memory's history."""

    position: int
    recorded_at: datetime
    actor: str
    kind: str
    summary: str
    memory_id: str | None = None


class Told(Result, frozen=True):
    """A memory's history, or the end of it, the oldest first."""

    events: tuple[Event, ...]
    earlier: Annotated[int, Meta(description="How many more there are before them.")] = 0


class Destroyed(Result, frozen=True):
    """What a redaction destroyed."""

    position: int
    erased: Annotated[
        tuple[int, ...], Meta(description="The positions whose content is destroyed.")
    ]
    complete: Annotated[
        bool, Meta(description="False: the rest follows when the home is next opened.")
    ]
    changed: tuple[str, ...] = ()
    left: Annotated[
        tuple[str, ...], Meta(description="Where some of it is left for now, and why.")
    ] = ()


def hit_of(hit: mnemolog.Hit) -> Hit:
    """Short form of a hit."""
    return Hit(
        memory_id=hit.memory_id,
        content=hit.content,
        recorded_at=hit.recorded_at,
        relevance=round(hit.relevance, _DIGITS),
        status=hit.status,
        kind=hit.kind,
        source=hit.source,
        tags=hit.tags,
        valid_from=hit.valid_from,
        valid_until=hit.valid_until,
        note=hit.note,
    )


def explained(hit: mnemolog.Hit) -> Hit:
    """Hit with the reasons for its rank, and the memories it replaced."""
    why = hit.explanation
    scores = {name: round(score, _DIGITS) for name, score in why.scores.items()}
    return replace(
        hit_of(hit),
        explanation=Explanation(why.ranks, scores, why.matched, why.found),
        trail=tuple(
            Replaced(one.memory_id, one.recorded_at, one.status, one.content) for one in hit.trail
        ),
    )


def session_of(session: mnemolog.Session) -> Session:
    """Short form of a session's round."""
    return Session(
        session_id=session.session_id,
        round=session.round,
        rounds_left=session.rounds_left,
        memories=tuple(map(hit_of, session.memories)),
        expires_at=session.expires_at,
        converged=session.converged,
        spark_branches=tuple(
            Branch(one.spark, tuple(map(hit_of, one.memories))) for one in session.spark_branches
        ),
    )


def done(receipt: mnemolog.Receipt) -> Done:
    """Short form of a receipt."""
    return Done(
        position=receipt.position,
        changed=receipt.changed,
        memory_id=receipt.memory_id,
        conflicts=tuple(
            Conflict(one.memory_id, one.outcome, one.reason, one.content)
            for one in receipt.conflicts
        ),
        warnings=receipt.warnings,
    )


def option_of(ranked: mnemolog.RankedOption) -> Option:
    """Short form of a ranked option."""
    return Option(
        ranked.option,
        ranked.rank,
        ranked.standing,
        _judgements(ranked.violations),
        _judgements(ranked.unknown),
    )


def _judgements(given: Iterable[mnemolog.Judgement]) -> tuple[Judgement, ...]:
    return tuple(Judgement(one.constraint, one.why, one.severity, one.memory_id) for one in given)


def told(entries: Sequence[mnemolog.Entry], limit: int) -> Told:
    """Latest events of a memory, at most `limit`: a memory used often has thousands."""
    latest = entries[-limit:]
    return Told(tuple(map(event_of, latest)), len(entries) - len(latest))


def event_of(entry: mnemolog.Entry) -> Event:
    """Short form of an event."""
    return Event(
        entry.position, entry.recorded_at, entry.actor, entry.kind, entry.summary, entry.memory_id
    )
