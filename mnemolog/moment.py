"""Moment: the questions of a memory, answered as of a past moment."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemolog import application
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.groups import ConflictQuestions, GraphQuestions, LogQuestions, UpkeepQuestions
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.methods import Face, method
from mnemolog.policies.memories import checked_space


class Questions(Face):
    """Questions that a memory answers, as of now or any past moment."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.home)!r}, space={self.space!r})"

    @property
    def space(self) -> str:
        """Name of the space."""
        return self._space.name

    @property
    def home(self) -> Path:
        """Directory of the ledger."""
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
    """State of a memory at a position of its log; read-only.

    "Now" is the recorded time of that position, or the time that was given. `log`, `graph`,
    `conflicts` and `upkeep` group the less common questions.
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
        """Last log position that this moment includes."""
        return self._cut.position

    @property
    def instant(self) -> datetime:
        """Time that counts as now."""
        return to_datetime(self._cut.instant)
