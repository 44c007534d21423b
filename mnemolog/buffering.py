"""What waits in the buffer: the question, now or as of a moment."""

from __future__ import annotations

import builtins

from ledger.events import Event
from ledger.ids import Position
from ledger.rows import proven
from mnemolog.admissions import Waiting, waiting
from mnemolog.home import Home
from mnemolog.naming import Cut
from mnemolog.questions import Questions
from projections.buffers import buffered_as_of


class BufferQuestions(Questions):
    """What waits in the buffer, as a question."""

    def buffer(self) -> tuple[Waiting, ...]:
        """What waits in the buffer until it is emptied, the longest waiting first."""
        events = buffered(self._home, self.space, self._cut())
        return tuple(one for one in map(waiting, events) if one is not None)


def buffered(home: Home, space: str, cut: Cut) -> builtins.list[Event]:
    """The events whose content waits in the buffer of a space, the longest waiting first.

    Raises `CorruptLog` rather than give content that was never stored.
    """
    ids = home.views.read(lambda db: buffered_as_of(db, space, cut.position))
    known = home.log.positions_of(ids)
    positions: builtins.list[Position] = [known[one] for one in ids if one in known]
    events = proven(home.log, positions)
    return [events[one] for one in positions if one in events and events[one].content is not None]
