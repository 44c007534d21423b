"""Strength of memories: its curve in the past and if they are not used, fading, depth weight."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from mnemolog.application.history.entries import TIER_WORDS, entry
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Space, events_of, memory_named, present
from mnemolog.ledger.clock import NEVER, Micros, to_datetime
from mnemolog.ledger.decay import DAY_US, Pace, strength_at
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.ledger.events import Event, Recalled, Remembered
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.retention.forgetting import Fading, Weight, falls_until
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.salience import weights_as_of
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
    ahead = ("ahead_days", 0 if ahead_days is None else ahead_days, 0, 36_500)
    for field, value, least, most in (("points", points, 2, 10_000), ahead):
        if not least <= checked_count(field, value) <= most:
            raise InvalidNumber(field, f"{value} is out of range", f"give {least} to {most:,}")
    cut, views = space.cut(), space.home.views
    memory_id = memory_named(space, reference, cut)
    changed = views.read(lambda db: strength_changed_at(db, memory_id))
    about = (event for event in space.home.log.concerning(memory_id) if event.kind in _KINDS)
    marking = {one.position: one for one in (*space.home.log.events_at(changed), *about)}
    events = [event for at, event in sorted(marking.items()) if at <= cut.position]
    now = present(space.home, cut)
    # If the clock was set back, the memory may have been stored in the future.
    begin = min(events[0].recorded_at, now)
    by_age = max(_LEAST_DAYS * DAY_US, now - begin)
    end = min(NEVER - 1, now + (by_age if ahead_days is None else ahead_days * DAY_US))
    instants = [Micros(begin + (end - begin) * step // (points - 1)) for step in range(points)]
    # Each point is the strength as known at its time; future ones use the cut.
    fading, pace = fading_of(space.home, space.name, [memory_id], cut.position)
    ask = partial(strengths_as_of, memory_ids=[memory_id])
    held = [views.read(partial(ask, position=one.position))[memory_id] for one in events]
    curve = []
    for instant in instants:
        past = [n for n, one in enumerate(events) if one.recorded_at <= instant or instant >= now]
        known = held[max(past, default=0)]
        strength = round(strength_at(known.decay, known.trace, pace, instant), 4)
        curve.append(StrengthPoint(to_datetime(instant), strength))
    to_come = tuple(
        StrengthMark(to_datetime(due.due_at), "degraded", f"falls due to be {TIER_WORDS[due.tier]}")
        for one in fading
        for due in falls_until(one, pace, Micros(end))
    )
    marks = tuple(map(_mark, events))
    return StrengthCurve(memory_id, to_datetime(now), tuple(curve), marks, to_come)


def _mark(event: Event) -> StrengthMark:
    structure = VOCABULARY.structure(event) if event.kind == "recalled" else None
    at = Micros(structure.at) if isinstance(structure, Recalled) else event.recorded_at
    said = "was of use" if event.kind == "recalled" else entry(event).summary
    return StrengthMark(to_datetime(at), event.kind, said)


def fading_of(
    home: Home, space: str, memory_ids: Sequence[MemoryId], position: Position
) -> tuple[list[Fading], Pace]:
    """Strengths of memories, redacted ones left out, in the given order, and the space's pace."""
    found = home.views.read(lambda db: fall_conditions(db, memory_ids, position))
    pace = home.views.read(lambda db: pace_as_of(db, space, position))
    return [Fading(one, held) for _, one, _, held in found if held is not None], pace


def depth_weight_of(home: Home, memory_id: MemoryId, position: Position) -> Weight:
    """Depth weight of a memory as of a position: its initial or its reinforced weight."""
    known = home.views.read(lambda db: weights_as_of(db, [memory_id], position))
    if memory_id in known:
        return known[memory_id]
    structure = VOCABULARY.structure(events_of(home, [memory_id])[0])
    return (structure if isinstance(structure, Remembered) else Remembered()).depth_weight
