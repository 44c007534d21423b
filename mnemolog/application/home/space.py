"""Space of an open home: where commands and questions act, by whom, and as of when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from mnemolog.application.home.home import Home
from mnemolog.application.home.retired import Retired
from mnemolog.application.home.uses import Gathering, Use
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidTime, UnknownPosition
from mnemolog.ledger.ids import Position
from mnemolog.ledger.rows import proven
from mnemolog.policies.memories import instant


class Cut(NamedTuple):
    """Moment of one question: the last position that was known, and the instant that is 'now'."""

    position: Position
    instant: Micros


class Author(msgspec.Struct, frozen=True):
    """Author of events: who writes, in which space, and in which run."""

    space: str
    actor: str
    run: str | None


class Space(msgspec.Struct, frozen=True):
    """Space that questions are asked of, now (`moment` is None) or as of one past moment."""

    home: Home
    name: str
    moment: Cut | None = None
    author: Author | None = None

    def cut(self) -> Cut:
        """Moment that the next question is asked of, with the views brought up to it."""
        if self.moment is None:
            return Cut(*self.home.present())
        # Up to today: what was redacted since is not to be found in the past either.
        head = self.home.log.head().position
        self.home.views.catch_up(head, self.moment.position)
        return self.moment

    def at(self, moment: Cut) -> Space:
        """Same space as of one moment, however many questions are asked of it."""
        return Space(self.home, self.name, moment)


class WritableSpace(Space, frozen=True, kw_only=True):
    """Space that commands write to, by one author.

    `uses` gathers uses that are not written yet; `retired` keeps superseded texts at hand.
    """

    author: Author
    uses: Gathering
    retired: Retired


def cut_at(home: Home, moment: int | datetime | str) -> Cut:
    """A moment of the log by position, by time, or by ISO 8601 text.

    Raises `UnknownPosition` for a position that the log does not hold,
    `InvalidTime` for a time that has not come yet.
    """
    if isinstance(moment, int):
        return _cut_at_position(home, moment)
    at = instant("as_of", moment)
    if at is None:
        raise InvalidTime("as_of", "is missing", "give a position, a datetime or ISO 8601")
    if at > max(home.clock.now(), home.log.head().recorded_at):
        raise InvalidTime("as_of", "has not come yet", "give a time up to now")
    return Cut(home.log.position_at(at), at)


def _cut_at_position(home: Home, position: int) -> Cut:
    head = home.log.head()
    if isinstance(position, bool) or not 0 <= position <= head.position:
        raise UnknownPosition(position, head.position)
    if position == 0:
        return Cut(Position(0), Micros(0))
    event = proven(home.log, [Position(position)]).get(Position(position))
    if event is None:
        raise UnknownPosition(position, head.position)
    return Cut(event.position, event.recorded_at)


def writable_space(
    home: Home, author: Author, record: Callable[[WritableSpace, Sequence[Use]], None]
) -> WritableSpace:
    """Space that commands of this author write to; `record` appends its gathered uses."""
    uses = Gathering(lambda some: record(space, some), home)
    space = WritableSpace(
        home, author.space, author=author, uses=uses, retired=Retired(home, author.space)
    )
    return space
