"""Ticks: time said to have passed, and every memory let fall as far as it is due."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec

from ledger.clock import Micros, to_datetime
from ledger.decay import Pace
from ledger.errors import StaleExpectation
from ledger.events import Summary, Ticked, Tier
from ledger.falls import FALLS, Due
from ledger.ids import EventId, MemoryId, Position
from ledger.log import Expected
from mnemolog.commands import Commands
from mnemolog.drafting import drafts
from mnemolog.erasure import erase, positions_of
from mnemolog.fading import fading_of, strengths_locked
from mnemolog.home import Home
from mnemolog.merged import reached_by
from mnemolog.naming import Cut
from policies.corrections import Decision
from policies.forgetting import Fading, decide_fall, falls_until
from projections.deletions import fingerprint
from projections.dues import due_by
from recall.items import parts
from recall.questions import checked_limit

_AT_ONCE = 200
"""The most memories that fall by one command: each waits for others no longer than that takes."""
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
        with strengths_locked(self._home):
            until = self._cut().instant
            steps = [self._step(until)]
            while steps[-1].memories == _AT_ONCE:
                steps.append(self._step(until))
        erased = [position for step in steps for position in step.erased]
        falls = Counter(tier for step in steps for tier in step.falls)
        return Tick(
            until=to_datetime(until),
            position=steps[0].position,
            falls={fall.tier: falls[fall.tier] for fall in FALLS if falls[fall.tier]},
            deleted=tuple(one for step in steps for one in step.deleted),
            complete=not erased or erase(self._home, erased, _ERASING_S),
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
        """One command of a tick: the fall of the longest due, a bounded number of them."""
        while True:
            cut = self._cut()
            ids = self._home.views.read(lambda db: due_by(db, self.space, until, _AT_ONCE))
            fading, pace = fading_of(self._home, self.space, ids, cut.position)
            falling = [(one, falls_until(one, pace, until)) for one in fading]
            falling = [(one, falls) for one, falls in falling if falls]
            decisions = [
                self._fall(one, due, falls[-1], pace) for one, falls in falling for due in falls
            ]
            deleted = [one.memory_id for one, falls in falling if falls[-1].tier == "deleted"]
            positions, gone = self._deleting(deleted, cut)
            ticked = Decision(Ticked(until, len(decisions)), None)
            batch = drafts([ticked, *decisions, *gone], self._author, cut.instant)
            last = {one.memory_id: self._last_position(one.memory_id, cut) for one, _ in falling}
            try:
                appended = self._home.log.append(batch, Expected(last), erase=positions)
            except StaleExpectation:
                continue
            self._home.head()
            tiers = tuple(due.tier for _, falls in falling for due in falls)
            position = min(appended.positions)
            return _Step(position, len(ids), tiers, tuple(deleted), tuple(positions))

    def _fall(self, fading: Fading, due: Due, last: Due, pace: Pace) -> Decision:
        """The event of one fall, with what is kept of the text where it is the last one."""
        if due is last and due.tier == "summarized":
            text = _text(self._home, fading.memory_id)
            return decide_fall(fading, due, pace, Summary(self._home.summarizer.summary(text)))
        if due.tier == "deleted":
            kept = fingerprint(self._home.log.secret, _text(self._home, fading.memory_id))
            return decide_fall(fading, due, pace, fingerprint=kept)
        return decide_fall(fading, due, pace)

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

    position: Position
    memories: int
    falls: tuple[Tier, ...]
    deleted: tuple[MemoryId, ...]
    erased: tuple[Position, ...]


def _text(home: Home, memory_id: MemoryId) -> str:
    (event,) = home.log.events_at([*home.log.positions_of([EventId(memory_id)]).values()])
    _, content = parts(event)
    return "" if content is None else content.text
