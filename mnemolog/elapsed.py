"""How much time has passed for a space, and whether the clock can be believed about it."""

from __future__ import annotations

from typing import NamedTuple

from ledger.clock import Micros
from ledger.decay import DAY_US
from ledger.ids import Position
from mnemolog.home import Home
from mnemolog.naming import Cut
from projections.activity import last_tick_as_of
from projections.census import first_recorded

LONGEST_STEP_DAYS = 90
"""So many days may pass without any event; a longer step may be a clock that is wrong."""


class Step(NamedTuple):
    """A stretch of time in which nothing was recorded."""

    since: Micros
    until: Micros

    @property
    def days(self) -> float:
        """How long it is."""
        return (self.until - self.since) / DAY_US


def present(home: Home, cut: Cut) -> Micros:
    """The instant up to which time has passed: that of the machine's clock.

    Events that a clock recorded in the future, before it was set back, do not count.
    """
    return min(cut.instant, home.clock.now())


def implausible_step(home: Home, space: str, cut: Cut) -> Step | None:
    """The first step of over 90 days since a space was last ticked, or began; None if none."""
    views, until = home.views, present(home, cut)
    at = views.read(lambda db: last_tick_as_of(db, space, cut.position))
    if at is None:
        at = views.read(lambda db: first_recorded(db, space, cut.position))
    longest = LONGEST_STEP_DAYS * DAY_US
    while at is not None and until - at > longest:
        last = home.log.position_at(Micros(at + longest))
        events = home.log.events_at([last, Position(last + 1)])
        recorded = {event.position: event.recorded_at for event in events}
        if recorded.get(last, at) <= at:
            return Step(at, min(until, recorded.get(Position(last + 1), until)))
        at = recorded[last]
    return None


def believed(home: Home, space: str, cut: Cut) -> Micros:
    """The instant up to which time has passed for sure: not beyond an implausible step."""
    step = implausible_step(home, space, cut)
    return present(home, cut) if step is None else step.since
