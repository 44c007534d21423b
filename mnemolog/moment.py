"""A past moment: the questions of a memory, answered with what was known then."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemolog import application
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.groups import (
    ConflictQuestions,
    GraphQuestions,
    LogQuestions,
    UpkeepQuestions,
)
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.methods import Face, method
from mnemolog.policies.memories import checked_space


class Questions(Face):
    """Questions that a memory answers, the same now and as of any past moment."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.home)!r}, space={self.space!r})"

    @property
    def space(self) -> str:
        """The name of the space."""
        return self._space.name

    @property
    def home(self) -> Path:
        """The directory of the ledger."""
        return self._space.home.path

    recall = method(lambda: application.recall)
    ask = method(lambda: application.ask)
    context = method(lambda: application.assemble_context)
    explore = method(lambda: application.explore)
    plan = method(lambda: application.plan)
    attend = method(lambda: application.attend)

    get = method(lambda: application.get_memory)
    find = method(lambda: application.find_memory)
    list = method(lambda: application.list_memories)
    everything = method(lambda: application.all_memories)
    history = method(lambda: application.history_of)
    counts = method(lambda: application.count_memories)
    buffer = method(lambda: application.list_buffer)
    persistence = method(lambda: application.persistence_of)
    strength_curve = method(lambda: application.strength_curve)
    settings = method(lambda: application.read_settings)
    gate = method(lambda: application.propose_operator)


class Moment(Questions):
    """What a memory knew at a position of its log; it answers, and never writes.

    'Now' is the recorded time of that position, or the time that was given. `log`, `graph`,
    `conflicts` and `upkeep` group rarer questions.
    """

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        super().__init__(Space(home, checked_space(space), cut))
        self._cut = cut
        self.log = LogQuestions(self._space)
        self.graph = GraphQuestions(self._space)
        self.conflicts = ConflictQuestions(self._space)
        self.upkeep = UpkeepQuestions(self._space)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, position={self.position})"

    @property
    def position(self) -> Position:
        """The last position that this moment knows."""
        return self._cut.position

    @property
    def instant(self) -> datetime:
        """What counts as now."""
        return to_datetime(self._cut.instant)
