"""Ticks: time said to have passed, and every memory let fall as far as it is due."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec

from ledger.clock import Micros, to_datetime
from ledger.errors import StaleExpectation
from ledger.events import Draft, Ticked, Tier
from ledger.falls import FALLS
from ledger.ids import MemoryId, Position
from ledger.log import Expected
from mnemolog.commands import Commands
from mnemolog.drafting import drafts
from mnemolog.erasure import erase, positions_of
from mnemolog.fading import fading_of, fall_events
from mnemolog.merged import reached_by
from mnemolog.naming import Cut
from policies.corrections import Decision
from policies.forgetting import falls_until
from projections.dues import due_by
from recall.questions import checked_limit

_AT_ONCE = 100
"""The most memories that fall by one command: others wait no longer than that takes."""
_ERASING_S = 10.0
_WHY_DELETED = "it had faded, and was not asked for"


class FallDue(msgspec.Struct, frozen=True):
    """A memory that a tick would let fall, through which tiers; `due_at` is when it fell due."""

    memory_id: MemoryId
    content: str | None
    tier: Tier
    to: tuple[Tier, ...]
    strength: float
    below_since: datetime
    due_at: datetime


class Tick(msgspec.Struct, frozen=True):
    """What a tick did: up to when it looked, and how many memories fell to each tier.

    A memory that fell through several is counted in each. `position` is that of the
    first `ticked` event. `complete` is False if readers kept pages of what was deleted
    in use until time was up: the rest follows at the next opening.
    """

    until: datetime
    position: Position
    falls: dict[Tier, int]
    deleted: tuple[MemoryId, ...] = ()
    complete: bool = True


class Ticking(Commands):
    """The commands with which time passes."""

    def tick(self) -> Tick:
        """Say that time has passed: every memory of this space falls as far as it is due.

        Costs what is due, not what is stored. However late it comes, the memories end
        where punctual ticks would have brought them; what has been of no use for so
        long that it reaches the last tier is redacted. Safe while others write, and from
        several processes at once.
        """
        pending = self._home.log.pending_erasures()
        complete = not pending or erase(self._home, pending, _ERASING_S)
        until = self._cut().instant
        steps: builtins.list[_Step] = []
        while not steps or steps[-1].memories == _AT_ONCE:
            steps.append(self._step(until))
            if steps[-1].erased:
                complete &= erase(self._home, steps[-1].erased, _ERASING_S)
        falls = Counter(tier for step in steps for tier in step.falls)
        return Tick(
            until=to_datetime(until),
            position=steps[0].position,
            falls={fall.tier: falls[fall.tier] for fall in FALLS if falls[fall.tier]},
            deleted=tuple(one for step in steps for one in step.deleted),
            complete=complete,
        )

    def falling_due(self, *, limit: int = 50) -> tuple[FallDue, ...]:
        """The memories that the next tick lets fall, the longest due first, at most `limit`."""
        cut, most = self._cut(), checked_limit(limit)
        views = self._home.views
        ids = views.read(lambda db: due_by(db, self.space, cut.instant, most))
        fading, pace = fading_of(self._home, self.space, ids, cut.position)
        texts = {one: self.find(one) for one in ids}
        found = []
        for one in fading:
            item, falls = texts[one.memory_id], falls_until(one, pace, cut.instant)
            if item is not None and falls:
                found.append(
                    FallDue(
                        memory_id=one.memory_id,
                        content=item.content,
                        tier=one.standing.tier,
                        to=tuple(due.tier for due in falls),
                        strength=item.strength,
                        below_since=to_datetime(falls[0].below_since),
                        due_at=to_datetime(falls[0].due_at),
                    )
                )
        return tuple(found)

    def _step(self, until: Micros) -> _Step:
        """One command of a tick: the fall of the longest due, a bounded number of them.

        Others take their turns between two of these. Where a text is to be destroyed,
        nobody may have quoted it meanwhile: fewer at once are then tried again.
        """
        most = _AT_ONCE
        while True:
            with self._taking_turns():
                cut = self._cut()
                ask = partial(due_by, space=self.space, instant=until, limit=most)
                ids = self._home.views.read(ask)
                batch, step = self._falling(ids, until, cut)
                last = {one: self._last_position(one, cut) for one in step.fallen}
                quiet = (self.space, cut.position) if step.erased else None
                expected = Expected(last, quiet=quiet)
                try:
                    appended = self._home.log.append(batch, expected, erase=step.erased)
                except StaleExpectation:
                    most = max(1, most // 2)
                    continue
                self._home.head()
            memories = _AT_ONCE if len(ids) == most else len(ids)
            return msgspec.structs.replace(
                step, position=min(appended.positions), memories=memories
            )

    def _falling(
        self, ids: Sequence[MemoryId], until: Micros, cut: Cut
    ) -> tuple[builtins.list[Draft], _Step]:
        """The events of the falls of these memories, and what they come to."""
        fading, pace = fading_of(self._home, self.space, ids, cut.position)
        falling = [(one, falls) for one in fading if (falls := falls_until(one, pace, until))]
        decisions = [
            decision
            for one, falls in falling
            for decision in fall_events(self._home, one, falls, pace)
        ]
        deleted = [one.memory_id for one, falls in falling if falls[-1].tier == "deleted"]
        positions, gone = self._deleting(deleted, cut)
        ticked = Decision(Ticked(until, len(decisions)), None)
        return drafts([ticked, *decisions, *gone], self._author, cut.instant), _Step(
            fallen=tuple(one.memory_id for one, _ in falling),
            falls=tuple(due.tier for _, falls in falling for due in falls),
            deleted=tuple(deleted),
            erased=tuple(positions),
        )

    def _deleting(
        self, deleted: Sequence[MemoryId], cut: Cut
    ) -> tuple[builtins.list[Position], builtins.list[Decision]]:
        """The positions whose content goes with these memories, and the events that say so."""
        if not deleted:
            return [], []
        # What it was merged from has its words, and what was merged from it and set apart.
        reached = reached_by(self._home, deleted, cut)
        events = self._still_there([*deleted, *reached.because])
        positions, decision = positions_of(self._home, events, cut, frozenset(), _WHY_DELETED)
        gone = [*deleted, *reached.because]
        return positions, [decision, *self._ending(gone, cut), *reached.decisions()]


class _Step(msgspec.Struct, frozen=True):
    """What one command of a tick did, to how many memories that were due."""

    fallen: tuple[MemoryId, ...]
    falls: tuple[Tier, ...]
    deleted: tuple[MemoryId, ...]
    erased: tuple[Position, ...]
    position: Position = Position(0)
    memories: int = 0
