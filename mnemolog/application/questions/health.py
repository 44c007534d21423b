"""Health of a space: growth, forgetting, conflicts and ticks, each checked against a limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from statistics import fmean, median
from typing import Literal

from mnemolog.application.home.elapsed import by_the_clock, last_ticked
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, Position
from mnemolog.projections.conflicts import ConflictRow, conflicts_as_of, open_conflicts_as_of
from mnemolog.projections.lessons import rounds_between
from mnemolog.projections.lifecycle import Deletion, deletions_as_of
from mnemolog.projections.memory_queries import counts, destroyed_as_of, first_recorded, statuses_of
from mnemolog.projections.strengths import uses_as_of
from mnemolog.projections.upkeep import Uses, uses_between
from mnemolog.recall.answers.answers import AsOf
from mnemolog.results import Listing, Value

ANSWERING = frozenset({"active", "contested", "pending", "archived", "summarized"})
"""Statuses of memories that recall can return; their number is the size of a space."""

UNFADED = frozenset({"active", "contested", "pending"})

_HOUR_US = 3_600_000_000
_WEEK_DAYS, _MONTH_DAYS = 7, 30
# A space that stores the same amount every day grows by 1/n on day n: it can only keep its
# weekly mean under 5 % a day from the fourth week on.
_YOUNG_DAYS = 28


Cause = Literal["redaction", "time"]


class Vital(Value, frozen=True):
    """Measure of health with the limit that it must stay under or over.

    `holds` is True if `value` keeps to the limit. Both are None if nothing can be measured yet.
    """

    value: float | None
    side: Literal["under", "over"]
    limit: float
    holds: bool | None


class Destroyed(Value, frozen=True):
    """Number of memories that one actor destroyed by one cause: a redaction, or time."""

    cause: Cause
    actor: str
    memories: int


class Health(Value, frozen=True):
    """Health of a space as of a moment; `holds` unless a measure is beyond its limit.

    `growth_per_day` is the mean daily growth over the last seven days of the memories that
    recall can return; None in the first four weeks. `active_share` is the share of these
    memories that have not faded. `forgotten_too_soon` is the share of memories deleted by
    fading that were stored again. `destroyed_after_use` is the number of memories deleted by
    fading although they had been recalled. `settled_hours` is the median time to settle the
    conflicts that were settled in the last 30 days, `open_hours` the age of the oldest open
    conflict. `tick_hours` is the time since the last tick, or since the first memory.
    `memories` are numbers by status; `deleted` (by fading) is separate from `redacted`.
    `destroyed` are numbers of destroyed memories by cause and actor. `uses` are those of the
    last seven days. `sessions` is the number of recall sessions of the last 30 days in which
    a memory was accepted, `rounds_per_session` their mean number of rounds of votes; the fewer,
    the better the first recall. It is None if there were no sessions.
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


VITALS = (
    "growth_per_day",
    "active_share",
    "forgotten_too_soon",
    "destroyed_after_use",
    "settled_hours",
    "open_hours",
    "tick_hours",
)
"""Measures of health that have a limit."""


def space_health(space: Space) -> Health:
    """Health of this space: growth, forgetting, conflicts and ticks, each with its limit."""
    return health_of(space.home, space.name, space.cut())


def health_of_spaces(space: Space) -> Listing[Health]:
    """Health of every space of the home that has memories, by name."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: counts(db, cut.position))
    return Listing(health_of(space.home, name, cut) for name in sorted({row[0] for row in rows}))


def health_of(home: Home, space: str, cut: Cut) -> Health:
    """Health of a space as of a moment."""
    ask, position = home.views.read, cut.position
    statuses = ask(lambda db: statuses_of(db, space, position))
    deleted = ask(lambda db: deletions_as_of(db, space, position))
    relearned = sum(one.relearned_at is not None for one in deleted)
    began = ask(lambda db: first_recorded(db, space, position))
    ticked = last_ticked(home, space, cut)
    waiting = ask(lambda db: open_conflicts_as_of(db, space, position))
    now = by_the_clock(home, cut)
    opened, settled = _conflict_hours(home, space, now, waiting)
    week = _days_before(home, now, _WEEK_DAYS)
    month = _days_before(home, now, _MONTH_DAYS)
    rounds = ask(partial(rounds_between, space=space, after=month, position=position))
    size = sum(statuses.get(one, 0) for one in ANSWERING)
    vitals = {
        "growth_per_day": _under(0.05, _growth(home, space, (week, now), size, began)),
        "active_share": _over(0.7, _share(sum(statuses.get(one, 0) for one in UNFADED), size)),
        "forgotten_too_soon": _under(0.05, _share(relearned, len(deleted))),
        "destroyed_after_use": _under(1, _recalled_before(home, space, position, deleted)),
        "settled_hours": _under(24, None if not settled else median(settled)),
        "open_hours": _under(24, max(opened, default=None)),
        "tick_hours": _under(48, _hours_since(ticked or began, now.instant)),
    }
    return Health(
        space=space,
        as_of=AsOf(position, to_datetime(cut.instant)),
        holds=all(vital.holds is not False for vital in vitals.values()),
        **vitals,
        conflicts_open=len(waiting),
        destroyed=_destroyed(home, space, position),
        deletions=len(deleted),
        relearned=relearned,
        last_tick=None if ticked is None else to_datetime(ticked),
        uses=ask(partial(uses_between, space=space, after=week, position=position)),
        uses_ever=ask(partial(uses_between, space=space, after=Position(0), position=position)),
        sessions=len(rounds),
        rounds_per_session=_rounded(fmean(rounds)) if rounds else None,
        memories=_by_status(statuses, len(deleted)),
    )


def _recalled_before(
    home: Home, space: str, position: Position, deleted: Sequence[Deletion]
) -> int | None:
    """Number of memories deleted by fading that had been recalled; None if none was deleted."""
    if not deleted:
        return None
    uses = home.views.read(lambda db: uses_as_of(db, space, position))
    return sum(one.memory_id in uses for one in deleted)


def _destroyed(home: Home, space: str, position: Position) -> tuple[Destroyed, ...]:
    """Numbers of destroyed memories of a space by cause and actor, largest first."""
    counted = dict(home.views.read(lambda db: destroyed_as_of(db, space, position)))
    redactions = home.log.events_at([*counted])
    causes = [event.causation_id for event in redactions if event.causation_id is not None]
    known = home.log.positions_of(causes)
    ticks = {
        event.event_id for event in home.log.events_at([*known.values()]) if event.kind == "ticked"
    }
    found: Counter[tuple[Cause, str]] = Counter()
    for event in redactions:
        found[_cause(event, ticks), event.actor] += counted[event.position]
    return tuple(
        Destroyed(cause, actor, number)
        for (cause, actor), number in sorted(found.items(), key=lambda one: (-one[1], one[0]))
    )


def _cause(redaction: Event, ticks: set[EventId]) -> Cause:
    """Cause of a redaction: `time` if a tick caused it, else `redaction`."""
    return "time" if redaction.causation_id in ticks else "redaction"


def _growth(
    home: Home, space: str, between: tuple[Position, Cut], size: int, began: Micros | None
) -> float | None:
    """Mean daily growth over the last week; None if the space is too young to measure it."""
    before, cut = between
    if began is None or cut.instant - began < _YOUNG_DAYS * DAY_US:
        return None
    then = home.views.read(lambda db: statuses_of(db, space, before))
    held = sum(then.get(one, 0) for one in ANSWERING)
    return (size / held) ** (1 / _WEEK_DAYS) - 1 if held else None


def _conflict_hours(
    home: Home, space: str, cut: Cut, waiting: list[ConflictRow]
) -> tuple[list[float], list[float]]:
    """Ages of open conflicts, and durations of recently settled ones, in hours."""
    found = home.views.read(lambda db: conflicts_as_of(db, space, cut.position))
    lately = _days_before(home, cut, _MONTH_DAYS)
    settled = [row for row in found if row.until is not None and row.until > lately]
    wanted = {at for row in (*waiting, *settled) for at in (row.since, row.until) if at is not None}
    times = {event.position: event.recorded_at for event in home.log.events_at(sorted(wanted))}
    opened = [_hours(times[row.since], cut.instant) for row in waiting if row.since in times]
    lasted = [
        _hours(times[row.since], times[row.until])
        for row in settled
        if row.since in times and row.until in times
    ]
    return opened, lasted


def _days_before(home: Home, cut: Cut, days: int) -> Position:
    """Last log position that existed this many days before a moment."""
    at = home.log.position_at(Micros(cut.instant - days * DAY_US))
    return min(at, cut.position)


def _hours_since(instant: Micros | None, now: Micros) -> float | None:
    return None if instant is None else _hours(instant, now)


def _hours(begin: int, end: int) -> float:
    return max(0, end - begin) / _HOUR_US


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _under(limit: float, value: float | None) -> Vital:
    return Vital(_rounded(value), "under", limit, None if value is None else value < limit)


def _over(limit: float, value: float | None) -> Vital:
    return Vital(_rounded(value), "over", limit, None if value is None else value > limit)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _by_status(statuses: dict[str, int], deleted: int) -> dict[str, int]:
    """Numbers of memories by status, with `deleted` (by fading) separate from `redacted`."""
    found = {**statuses, "redacted": statuses.get("redacted", 0) - deleted, "deleted": deleted}
    return {status: count for status, count in found.items() if count > 0}
