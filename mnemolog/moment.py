"""A past moment: the questions of a memory, answered with what was known then."""

from __future__ import annotations

from datetime import datetime

from mnemolog.application.commands.report_failure import Gates
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.application.layers.ask import Asking
from mnemolog.application.questions.associations import AssociationQuestions
from mnemolog.application.questions.buffer import BufferQuestions
from mnemolog.application.questions.conflicts import ConflictQuestions
from mnemolog.application.questions.context import Contexts
from mnemolog.application.questions.edges import EdgeQuestions
from mnemolog.application.questions.health import HealthQuestions
from mnemolog.application.questions.plan import Planning
from mnemolog.application.questions.strength_curve import Curves
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import InvalidTime, UnknownPosition
from mnemolog.ledger.ids import Position
from mnemolog.ledger.rows import proven
from mnemolog.policies.memories import instant


class Moment(
    BufferQuestions,
    EdgeQuestions,
    ConflictQuestions,
    Gates,
    Contexts,
    Planning,
    Asking,
    Curves,
    AssociationQuestions,
    HealthQuestions,
):
    """What a memory knew at a position of its log; it answers, and never writes.

    'Now' is the recorded time of that position, or the time that was given.
    """

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        super().__init__(home, space)
        self._fixed = cut

    @property
    def position(self) -> Position:
        """The last position that this moment knows."""
        return self._fixed.position

    @property
    def instant(self) -> datetime:
        """What counts as now."""
        return to_datetime(self._fixed.instant)

    def _cut(self) -> Cut:
        # Up to today: what was redacted since is not to be found in the past either.
        self._home.views.catch_up(self._home.log.head().position, self._fixed.position)
        return self._fixed


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
