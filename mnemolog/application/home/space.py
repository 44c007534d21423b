"""Space of an open home: the target of commands and questions, its author and its as-of cut."""

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
from mnemolog.ledger.log import proven
from mnemolog.policies.memories import instant


class Cut(NamedTuple):
    """As-of cut of one question: the last visible position, and the instant that counts as now."""

    position: Position
    instant: Micros


class Author(msgspec.Struct, frozen=True):
    """Author of events: who writes, in which space, and in which run."""

    space: str
    actor: str
    run: str | None


class Space(msgspec.Struct, frozen=True):
    """Space that questions read, at present (`moment` is None) or at one past cut."""

    home: Home
    name: str
    moment: Cut | None = None
    author: Author | None = None

    def cut(self) -> Cut:
        """Cut of the next question, after the views have caught up with it."""
        if self.moment is None:
            return Cut(*self.home.present())
        # Catch up to today's head: content redacted since must be gone from past answers too.
        head = self.home.log.head().position
        self.home.views.catch_up(head, self.moment.position)
        return self.moment

    def at(self, moment: Cut) -> Space:
        """Same space at one fixed cut, for any number of questions."""
        return Space(self.home, self.name, moment)


class WritableSpace(Space, frozen=True, kw_only=True):
    """Space that commands of one author write to.

    `uses` buffers uses that are not written yet; `retired` caches superseded texts.
    """

    author: Author
    uses: Gathering
    retired: Retired


def cut_at(home: Home, moment: int | datetime | str) -> Cut:
    """Cut of the log by position, by time, or by ISO 8601 text.

    Raises `UnknownPosition` for a position beyond the log, `InvalidTime` for a future time.
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
    """Space that commands of this author write to; `record` appends its buffered uses."""
    uses = Gathering(lambda some: record(space, some), home)
    space = WritableSpace(
        home, author.space, author=author, uses=uses, retired=Retired(home, author.space)
    )
    return space
