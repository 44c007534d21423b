"""Health of a space: growth, forgetting, conflicts and ticks, each checked against a limit."""

from collections import Counter
from datetime import datetime
from functools import partial
from statistics import fmean, median
from typing import Literal

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space, by_the_clock, last_ticked
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.ids import Position
from mnemolog.projections.lessons import rounds_between
from mnemolog.projections.lifecycle import deletions_as_of
from mnemolog.projections.memories import ConflictRow, conflicts_as_of, open_conflicts_as_of
from mnemolog.projections.memory_queries import counts, destroyed_as_of, first_recorded, statuses_of
from mnemolog.projections.spaces import Uses, uses_between
from mnemolog.projections.strengths import uses_as_of
from mnemolog.recall.answers import AsOf
from mnemolog.results import Listing, Value

_UNFADED = frozenset({"active", "contested", "pending"})
_ANSWERING = _UNFADED | {"archived", "summarized"}  # what recall can return: a space's size

_HOUR_US = 3_600_000_000
_WEEK_DAYS, _MONTH_DAYS = 7, 30
# A space that stores the same amount every day grows by 1/n on day n: it can only keep its
# weekly mean under 5 % a day from the fourth week on.
_YOUNG_DAYS = 28

Cause = Literal["redaction", "time"]
Side = Literal["under", "over"]

_LIMITS: dict[str, tuple[Side, float]] = {
    "growth_per_day": ("under", 0.05),
    "active_share": ("over", 0.7),
    "forgotten_too_soon": ("under", 0.05),
    "destroyed_after_use": ("under", 1),
    "settled_hours": ("under", 24),
    "open_hours": ("under", 24),
    "tick_hours": ("under", 48),
}
VITALS = tuple(_LIMITS)
"""Measures of health that have a limit."""


class Vital(Value, frozen=True):
    """Measure of health with the limit that it must stay under or over.

    `holds` is True if `value` keeps to the limit. Both are None if nothing can be measured yet.
    """

    value: float | None
    side: Side
    limit: float
    holds: bool | None


class Destroyed(Value, frozen=True):
    """Number of memories that one actor destroyed by one cause: a redaction, or time."""

    cause: Cause
    actor: str
    memories: int


class Health(Value, frozen=True):
    """Health of a space as of a moment; `holds` unless a measure is beyond its limit.

    `growth_per_day` is the mean daily growth over the last seven days of the memories that recall
    can return; None in the first four weeks. `active_share` is the share of these memories that
    have not faded. `forgotten_too_soon` is the share of memories deleted by fading that were stored
    again. `destroyed_after_use` is the number of memories deleted by fading although they had been
    recalled. `settled_hours` is the median time to settle the conflicts that were settled in the
    last 30 days, `open_hours` the age of the oldest open conflict. `tick_hours` is the time since
    the last tick, or since the first memory. `memories` are numbers by status; `deleted` (by
    fading) is separate from `redacted`. `destroyed` are numbers of destroyed memories by cause and
    actor. `uses` are those of the last seven days. `sessions` is the number of recall sessions of
    the last 30 days in which a memory was accepted, `rounds_per_session` their mean number of
    rounds of votes; the fewer, the better the first recall. It is None if there were no sessions.
    """

    space: str
    as_of: AsOf
    holds: bool
    growth_per_day: Vital
    active_share: Vital
    forgotten_too_soon: Vital
    destroyed_after_use: Vital
    settled_hours: Vital
    open_hours: Vital
    tick_hours: Vital
    conflicts_open: int
    destroyed: tuple[Destroyed, ...]
    deletions: int
    relearned: int
    last_tick: datetime | None
    uses: Uses
    uses_ever: Uses
    sessions: int
    rounds_per_session: float | None
    memories: dict[str, int]


def space_health(space: Space) -> Health:
    """Health of this space: growth, forgetting, conflicts and ticks, each with its limit."""
    return _health_of(space.home, space.name, space.cut())


def health_of_spaces(space: Space) -> Listing[Health]:
    """Health of every space of the home that has memories, by name."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: counts(db, cut.position))
    return Listing(_health_of(space.home, name, cut) for name in sorted({row[0] for row in rows}))


def _health_of(home: Home, space: str, cut: Cut) -> Health:
    ask, position = home.views.read, cut.position
    statuses = ask(lambda db: statuses_of(db, space, position))
    deleted = ask(lambda db: deletions_as_of(db, space, position))
    relearned = sum(one.relearned_at is not None for one in deleted)
    used = ask(lambda db: uses_as_of(db, space, position)) if deleted else {}
    began = ask(lambda db: first_recorded(db, space, position))
    ticked = last_ticked(home, space, cut)
    waiting = ask(lambda db: open_conflicts_as_of(db, space, position))
    now = by_the_clock(home, cut)
    ago = (Micros(now.instant - days * DAY_US) for days in (_WEEK_DAYS, _MONTH_DAYS))
    week, month = (min(home.log.position_at(at), position) for at in ago)
    opened, settled = _conflict_hours(home, space, now, waiting, month)
    rounds = ask(partial(rounds_between, space=space, after=month, position=position))
    size, unfaded = (sum(statuses.get(one, 0) for one in some) for some in (_ANSWERING, _UNFADED))
    growth = None
    if began is not None and now.instant - began >= _YOUNG_DAYS * DAY_US:
        then = ask(lambda db: statuses_of(db, space, week))
        held = sum(then.get(one, 0) for one in _ANSWERING)
        growth = (size / held) ** (1 / _WEEK_DAYS) - 1 if held else None
    since = ticked or began
    measured = {
        "growth_per_day": growth,
        "active_share": unfaded / size if size else None,
        "forgotten_too_soon": relearned / len(deleted) if deleted else None,
        "destroyed_after_use": sum(one.memory_id in used for one in deleted) if deleted else None,
        "settled_hours": median(settled) if settled else None,
        "open_hours": max(opened, default=None),
        "tick_hours": None if since is None else _hours(since, now.instant),
    }
    vitals = {}
    for name, value in measured.items():
        side, limit = _LIMITS[name]
        if value is None:
            vitals[name] = Vital(None, side, limit, None)
        else:
            within = value < limit if side == "under" else value > limit
            vitals[name] = Vital(round(value, 6), side, limit, within)
    gone = len(deleted)
    memories = {**statuses, "redacted": statuses.get("redacted", 0) - gone, "deleted": gone}
    return Health(
        space=space,
        as_of=AsOf(position, to_datetime(cut.instant)),
        holds=all(vital.holds is not False for vital in vitals.values()),
        **vitals,
        conflicts_open=len(waiting),
        destroyed=_destroyed(home, space, position),
        deletions=gone,
        relearned=relearned,
        last_tick=None if ticked is None else to_datetime(ticked),
        uses=ask(partial(uses_between, space=space, after=week, position=position)),
        uses_ever=ask(partial(uses_between, space=space, after=Position(0), position=position)),
        sessions=len(rounds),
        rounds_per_session=round(fmean(rounds), 6) if rounds else None,
        memories={status: number for status, number in memories.items() if number > 0},
    )


def _destroyed(home: Home, space: str, position: Position) -> tuple[Destroyed, ...]:
    counted = dict(home.views.read(lambda db: destroyed_as_of(db, space, position)))
    redactions = home.log.events_at([*counted])
    causes = [event.causation_id for event in redactions if event.causation_id is not None]
    events = home.log.events_at([*home.log.positions_of(causes).values()])
    ticks = {event.event_id for event in events if event.kind == "ticked"}
    found: Counter[tuple[Cause, str]] = Counter()
    for event in redactions:
        cause: Cause = "time" if event.causation_id in ticks else "redaction"
        found[cause, event.actor] += counted[event.position]
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Destroyed(cause, actor, number) for (cause, actor), number in ranked)


def _conflict_hours(
    home: Home, space: str, cut: Cut, waiting: list[ConflictRow], lately: Position
) -> tuple[list[float], list[float]]:
    """Ages of open conflicts, and durations of conflicts settled after a position, in hours."""
    found = home.views.read(lambda db: conflicts_as_of(db, space, cut.position))
    settled = [row for row in found if row.until is not None and row.until > lately]
    wanted = {at for row in (*waiting, *settled) for at in (row.since, row.until) if at is not None}
    times = {event.position: event.recorded_at for event in home.log.events_at(sorted(wanted))}
    opened = [_hours(times[row.since], cut.instant) for row in waiting if row.since in times]
    ends = ((row.since, row.until) for row in settled)
    lasted = [_hours(times[one], times[end]) for one, end in ends if one in times and end in times]
    return opened, lasted


def _hours(begin: int, end: int) -> float:
    return max(0, end - begin) / _HOUR_US
