"""A past moment: the questions of a memory, answered with what was known then."""

from __future__ import annotations

from concurrent.futures import Executor
from datetime import datetime
from pathlib import Path

from mnemolog.application.commands.report_failure import propose_operator
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.layers.ask import ask
from mnemolog.application.questions.browse import (
    all_memories,
    count_memories,
    find_memory,
    get_memory,
    history_of,
    list_memories,
    persistence_of,
    read_settings,
)
from mnemolog.application.questions.buffer import list_buffer
from mnemolog.application.questions.context import assemble_context, explore
from mnemolog.application.questions.plan import plan
from mnemolog.application.questions.recall import attend, recall
from mnemolog.application.questions.strength_curve import strength_curve
from mnemolog.groups import (
    AsyncConflictQuestions,
    AsyncGraphQuestions,
    AsyncLogQuestions,
    AsyncUpkeepQuestions,
    ConflictQuestions,
    GraphQuestions,
    LogQuestions,
    UpkeepQuestions,
)
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.methods import AsyncFace, Face, method
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

    recall = method(recall)
    ask = method(ask)
    context = method(assemble_context)
    explore = method(explore)
    plan = method(plan)
    attend = method(attend)

    get = method(get_memory)
    find = method(find_memory)
    list = method(list_memories)
    everything = method(all_memories)
    history = method(history_of)
    counts = method(count_memories)
    buffer = method(list_buffer)
    persistence = method(persistence_of)
    strength_curve = method(strength_curve)
    settings = method(read_settings)
    gate = method(propose_operator)


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


class AsyncMoment(AsyncFace, Questions):
    """`Moment` by coroutines."""

    def __init__(self, moment: Moment, threads: Executor) -> None:
        super().__init__(moment._space, threads)  # noqa: SLF001 - the same moment
        self.position = moment.position
        self.instant = moment.instant
        self.log = AsyncLogQuestions(self._space, threads)
        self.graph = AsyncGraphQuestions(self._space, threads)
        self.conflicts = AsyncConflictQuestions(self._space, threads)
        self.upkeep = AsyncUpkeepQuestions(self._space, threads)
