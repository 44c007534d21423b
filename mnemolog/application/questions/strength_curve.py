"""Strength curve of a memory: its past strength, and its future strength if it is not used."""

from __future__ import annotations

import builtins
from datetime import datetime
from functools import partial

from mnemolog.application.history.entries import entry
from mnemolog.application.history.strength_words import TIER_WORDS
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.references import memory_named
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.questions.fading import fading_of
from mnemolog.ledger.clock import NEVER, Micros, to_datetime
from mnemolog.ledger.decay import DAY_US, strength_at
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.ledger.events import Event, Recalled
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.retention.forgetting import falls_until
from mnemolog.projections.strengths import pace_as_of, strength_changed_at, strengths_as_of
from mnemolog.recall.search.checks import checked_count
from mnemolog.results import Results, Value

_KINDS = frozenset(
    {
        "remembered", "superseded", "reinstated", "withdrawn", "restored", "pinned", "unpinned",
        "weakened", "strengthened", "degraded", "revived",
    }
)  # fmt: skip
_LEAST_DAYS = 90


class StrengthPoint(Value, frozen=True):
    """Strength of a memory at an instant, in [0, 1]."""

    at: datetime
    strength: float


class StrengthMark(Value, frozen=True):
    """Event that changed a memory's strength, or a future tier change if it is not used."""

    at: datetime
    kind: str
    text: str


class StrengthCurve(Results[StrengthPoint], frozen=True):
    """Strength of a memory from its creation to some days from now, at even intervals.

    `marks` are the events that changed it, in order; `to_come` are future tier changes.
    """

    _over = "points"

    memory_id: MemoryId
    now: datetime
    points: tuple[StrengthPoint, ...]
    marks: tuple[StrengthMark, ...]
    to_come: tuple[StrengthMark, ...]


def strength_curve(
    space: Space, reference: str, *, points: int = 60, ahead_days: int | None = None
) -> StrengthCurve:
    """Strength curve of one memory, with the given number of points (2 to 10,000).

    `ahead_days` is the forecast in days (0 to 36,500); default: the age of the memory, at
    least 90 days. Raises `UnknownMemory`, `AmbiguousId` or `InvalidNumber`.
    """
    _check_between("points", points, 2, 10_000)
    if ahead_days is not None:
        _check_between("ahead_days", ahead_days, 0, 36_500)
    cut = space.cut()
    memory_id = memory_named(space, reference, cut)
    events = _strength_events(space, memory_id, cut)
    now = present(space.home, cut)
    # If the clock was set back, the memory may have been stored in the future.
    begin = min(events[0].recorded_at, now)
    ahead = max(_LEAST_DAYS * DAY_US, now - begin)
    ahead = ahead if ahead_days is None else ahead_days * DAY_US
    end = min(NEVER - 1, now + ahead)
    instants = [begin + (end - begin) * step // (points - 1) for step in range(points)]
    return StrengthCurve(
        memory_id,
        to_datetime(now),
        tuple(_points(space, memory_id, events, [Micros(one) for one in instants], cut)),
        tuple(_mark(event) for event in events),
        _to_come(space, memory_id, Micros(end), cut),
    )


def _strength_events(space: Space, memory_id: MemoryId, cut: Cut) -> builtins.list[Event]:
    """Events that affect the strength of a memory, in log order."""
    log = space.home.log
    found = [event for event in log.concerning(memory_id) if event.kind in _KINDS]
    changed = space.home.views.read(lambda db: strength_changed_at(db, memory_id))
    known = {event.position for event in found}
    uses = log.events_at([one for one in changed if one not in known])
    every = sorted([*found, *uses], key=lambda event: event.position)
    return [event for event in every if event.position <= cut.position]


def _points(
    space: Space,
    memory_id: MemoryId,
    events: builtins.list[Event],
    instants: builtins.list[Micros],
    cut: Cut,
) -> builtins.list[StrengthPoint]:
    """Strength at each instant, as known at that time; future instants use the cut."""
    views, now = space.home.views, present(space.home, cut)
    pace = views.read(lambda db: pace_as_of(db, space.name, cut.position))
    moments = [Position(event.position) for event in events]
    held = {}
    for one in moments:
        ask = partial(strengths_as_of, memory_ids=[memory_id], position=one)
        held[one] = views.read(ask)[memory_id]
    found = []
    for instant in instants:
        last = max(
            (one.position for one in events if one.recorded_at <= instant or instant >= now),
            default=moments[0],
        )
        known = held[last]
        strength = strength_at(known.decay, known.trace, pace, instant)
        found.append(StrengthPoint(to_datetime(instant), round(strength, 4)))
    return found


def _to_come(space: Space, memory_id: MemoryId, end: Micros, cut: Cut) -> tuple[StrengthMark, ...]:
    fading, pace = fading_of(space.home, space.name, [memory_id], cut.position)
    return tuple(
        StrengthMark(to_datetime(due.due_at), "degraded", f"falls due to be {TIER_WORDS[due.tier]}")
        for one in fading
        for due in falls_until(one, pace, end)
    )


def _mark(event: Event) -> StrengthMark:
    structure = VOCABULARY.structure(event) if event.kind == "recalled" else None
    at = Micros(structure.at) if isinstance(structure, Recalled) else event.recorded_at
    said = "was of use" if event.kind == "recalled" else entry(event).summary
    return StrengthMark(to_datetime(at), event.kind, said)


def _check_between(field: str, value: int, least: int, most: int) -> None:
    if not least <= checked_count(field, value) <= most:
        raise InvalidNumber(field, f"{value} is out of range", f"give {least} to {most:,}")
