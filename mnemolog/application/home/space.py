"""Space of an open home: where commands and questions act, by whom, and as of when."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from mnemolog.application.home.home import Home
from mnemolog.application.home.retired import Retired
from mnemolog.application.home.uses import Gathering
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import Position


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
