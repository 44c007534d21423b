"""A past moment: the questions of a memory, answered with what was known then."""

from __future__ import annotations

from datetime import datetime

from mnemolog.application.commands.report_failure import propose_operator
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.layers.ask import ask
from mnemolog.application.questions.associations import associations
from mnemolog.application.questions.browse import (
    all_memories,
    count_memories,
    find_memory,
    get_memory,
    history_of,
    list_events,
    list_memories,
    persistence_of,
    read_settings,
)
from mnemolog.application.questions.buffer import list_buffer
from mnemolog.application.questions.conflicts import list_conflicts
from mnemolog.application.questions.context import assemble_context, explore
from mnemolog.application.questions.edges import list_links
from mnemolog.application.questions.health import health_of_spaces, space_health
from mnemolog.application.questions.plan import plan
from mnemolog.application.questions.recall import attend, recall
from mnemolog.application.questions.strength_curve import strength_curve
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.methods import method
from mnemolog.policies.memories import checked_space


class Questions:
    """Questions that a memory answers, the same now and as of any past moment."""

    def __init__(self, space: Space) -> None:
        self._space = space

    @property
    def space(self) -> str:
        """The name of the space."""
        return self._space.name

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
    events = method(list_events)
    counts = method(count_memories)
    settings = method(read_settings)

    links = method(list_links)
    associations = method(associations)
    conflicts = method(list_conflicts)
    buffer = method(list_buffer)
    persistence = method(persistence_of)
    strength_curve = method(strength_curve)
    health = method(space_health)
    healths = method(health_of_spaces)
    gate = method(propose_operator)


class Moment(Questions):
    """What a memory knew at a position of its log; it answers, and never writes.

    'Now' is the recorded time of that position, or the time that was given.
    """

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        super().__init__(Space(home, checked_space(space), cut))
        self._cut = cut

    @property
    def position(self) -> Position:
        """The last position that this moment knows."""
        return self._cut.position

    @property
    def instant(self) -> datetime:
        """What counts as now."""
        return to_datetime(self._cut.instant)
