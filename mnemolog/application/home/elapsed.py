"""Elapsed time of a space, and checks of whether the clock is plausible."""

from __future__ import annotations

from typing import NamedTuple

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import first_recorded
from mnemolog.projections.upkeep import last_tick_as_of

LONGEST_STEP_DAYS = 90
"""So many days may pass without any event; a longer step may be a clock that is wrong."""


_COUNTED_IN_DAYS = 2


class TimeStep(NamedTuple):
    """Period in which no event was recorded."""

    since: Micros
    until: Micros

    @property
    def days(self) -> float:
        """Length in days."""
        return (self.until - self.since) / DAY_US

    def doubt(self, home: Home) -> str:
        """Sentence that says why the clock may be wrong."""
        now, last = home.clock.now(), home.log.head().recorded_at
        silence = _days(self.until - self.since)
        if now < last:
            behind = f"the machine's clock stands {_days(last - now)} behind the log's last event"
            return f"{behind}, and no event is dated in the {silence} since {_date(self.since)}"
        if self.until > last:
            return f"the machine's clock stands {_days(now - last)} ahead of the log's last event"
        return f"no event is dated in the {silence} from {_date(self.since)} to {_date(self.until)}"


def present(home: Home, cut: Cut) -> Micros:
    """Current instant of a space, from the machine's clock.

    Events dated in the future, by a clock that was set back since, do not move it.
    """
    return min(cut.instant, home.clock.now())


def by_the_clock(home: Home, cut: Cut) -> Cut:
    """Cut at the same position with the instant of `present`, for fading, expiry and age."""
    return Cut(cut.position, present(home, cut))


def last_ticked(home: Home, space: str, cut: Cut) -> Micros | None:
    """Instant up to which a space was last ticked; None if it never was.

    Ticks dated after the present, by a clock that was ahead, do not count.
    """
    until = present(home, cut)
    return home.views.read(lambda db: last_tick_as_of(db, space, cut.position, until))


def implausible_step(home: Home, space: str, cut: Cut) -> TimeStep | None:
    """First period of over 90 days without events since the last tick, or else the first event.

    None if there is no such period.
    """
    views, until = home.views, present(home, cut)
    at = last_ticked(home, space, cut)
    if at is None:
        at = views.read(lambda db: first_recorded(db, space, cut.position))
    longest = LONGEST_STEP_DAYS * DAY_US
    while at is not None and until - at > longest:
        last = home.log.position_at(Micros(at + longest))
        events = home.log.events_at([last, Position(last + 1)])
        recorded = {event.position: event.recorded_at for event in events}
        if recorded.get(last, at) <= at:
            return TimeStep(at, min(until, recorded.get(Position(last + 1), until)))
        at = recorded[last]
    return None


def believed(home: Home, space: str, cut: Cut) -> Micros:
    """Instant up to which time has certainly passed: the start of an implausible step, or now."""
    step = implausible_step(home, space, cut)
    return present(home, cut) if step is None else step.since


def _days(micros: int) -> str:
    days = micros / DAY_US
    return f"{days:,.0f} days" if days >= _COUNTED_IN_DAYS else f"{24 * days:,.0f} hours"


def _date(instant: Micros) -> str:
    return f"{to_datetime(instant):%Y-%m-%d}"
