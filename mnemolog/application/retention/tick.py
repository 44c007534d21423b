"""Ticks: time said to have passed, and every memory moved to the tier that it has come to."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import NamedTuple

import msgspec

from mnemolog.application.commands.command import (
    ending_conflicts,
    expected_of,
    still_there,
    taking_turns,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.overdue_falls import fall_events
from mnemolog.application.commands.undone_merges import reached_by, standing_again
from mnemolog.application.home.elapsed import implausible_step, present
from mnemolog.application.home.mentions import naming
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.application.questions.browse import find_memory, get_memory, settings_of
from mnemolog.application.questions.fading import fading_of
from mnemolog.application.redaction.foreign_files import traces_of
from mnemolog.application.redaction.quotations import QuotationScan
from mnemolog.application.redaction.redact import erase_and_tell, erasing
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import CatchUpNotConfirmed, StaleExpectation, SummarizerFailed
from mnemolog.ledger.events import Draft, Ticked
from mnemolog.ledger.falls import ARCHIVED, FALLS, TIERS, Due
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Appended, Quiet
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.retention.forgetting import Fading, falls_until
from mnemolog.policies.supersession import Decision
from mnemolog.projections.dues import due_by
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Listing, Results, Value

_AT_ONCE = 100
"""The most memories that fall by one command: others wait no longer than that takes."""
_EXPECTED = 5_000
"""For so many memories what quotes them is looked for in one reading of the log."""
_ERASING_S = 10.0
_FEW = 5
"""So many memories fall below `archived` without being asked about."""
_EXAMPLES = 5
_ALL = 1_000_000
_VISIBLE = frozenset(TIERS[: TIERS.index(ARCHIVED.tier) + 1])
_WHY_DELETED = "it had faded, and was not asked for"


class FallDue(Value, frozen=True):
    """A memory that a tick would let fall, through which tiers; `due_at` is when it fell due."""

    memory_id: MemoryId
    content: str | None
    tier: Tier
    to: tuple[Tier, ...]
    strength: float
    below_since: datetime
    due_at: datetime


class Tick(Results[Position], frozen=True):
    """What a tick did: up to when it looked, and how many memories fell to each tier.

    Each memory is counted once, in the tier that it ended in. `positions` are those of its
    commands, each of a hundred memories at most, which are undone one by one. `complete`
    is False if readers kept pages of what was deleted in use until time was up: the rest
    follows at the next opening. `problems` say of which memories the summarizer failed:
    those stay as they are, and are due at the next tick.
    """

    _over = "positions"

    until: datetime
    positions: tuple[Position, ...]
    falls: dict[Tier, int]
    deleted: tuple[MemoryId, ...] = ()
    complete: bool = True
    problems: tuple[str, ...] = ()


def tick(space: WritableSpace, *, confirmed: bool = False) -> Tick:
    """Say that time has passed: every memory of this space falls as far as it is due.

    Costs what is due, not what is stored. However late it comes, the memories end
    where punctual ticks would have brought them. How far they fall says the setting
    `lowest_tier`; only where that is `deleted` does a tick destroy. Time is that of the
    machine's clock. Safe while others write, and from several processes at once.

    Raises `CatchUpNotConfirmed`, and changes nothing, unless it is `confirmed`: if
    more than five memories would fall below `archived`, or if nothing was recorded for
    more than 90 days since the last tick. Where nothing would fall after such a silence,
    there is nothing to confirm: it appends no event.
    """
    if not confirmed and _is_in_doubt(space):
        return Tick(to_datetime(present(space.home, space.cut())), (), {})
    pending = space.home.log.pending_erasures()
    scan = QuotationScan(space.home, space.name)
    run = _Run(present(space.home, space.cut()), scan, {})
    steps: builtins.list[_Step] = []
    try:
        while not steps or steps[-1].memories == _AT_ONCE:
            steps.append(_step_of(space, run))
    finally:
        # Once, whatever ends the steps: it reads every file of others in the home.
        erased = [position for step in steps for position in step.erased]
        unfinished = erased or pending
        complete = not unfinished or erase_and_tell(space.home, erased, _ERASING_S)
    return Tick(
        until=to_datetime(run.until),
        positions=tuple(step.position for step in steps),
        falls=_by_tier(tier for step in steps for tier in step.falls),
        deleted=tuple(one for step in steps for one in step.deleted),
        complete=complete,
        problems=tuple(run.left.values()),
    )


def _is_in_doubt(space: WritableSpace) -> bool:
    """Whether the time that has passed is in doubt, though nothing would fall by it.

    Raises `CatchUpNotConfirmed` if a tick now is one that somebody has to confirm.
    """
    cut = space.cut()
    step = implausible_step(space.home, space.name, cut)
    lowest = settings_of(space, cut).lowest_tier
    if step is None and lowest in _VISIBLE:
        return False
    until = present(space.home, cut)
    ids = space.home.views.read(lambda db: due_by(db, space.name, until, _ALL))
    fading, pace = fading_of(space.home, space.name, ids, cut.position)
    ends = {one.memory_id: falls_until(one, pace, until) for one in fading}
    tiers = {one: falls[-1].tier for one, falls in ends.items() if falls}
    if not tiers:
        return step is not None
    if step is None and sum(tier not in _VISIBLE for tier in tiers.values()) <= _FEW:
        return False
    deepest = sorted(tiers, key=lambda one: -TIERS.index(tiers[one]))[:_EXAMPLES]
    raise CatchUpNotConfirmed(
        space.name,
        _by_tier(tiers.values()),
        [(one, tiers[one], get_memory(space, one).content) for one in deepest],
        None if step is None else step.days,
        None if step is None else step.doubt(space.home),
    )


def falling_due(space: WritableSpace, *, limit: int = 50) -> Listing[FallDue]:
    """The memories that the next tick lets fall, the longest due first, at most `limit`."""
    cut, most = space.cut(), checked_limit(limit)
    until = present(space.home, cut)
    views = space.home.views
    ids = views.read(lambda db: due_by(db, space.name, until, most))
    fading, pace = fading_of(space.home, space.name, ids, cut.position)
    texts = {one: find_memory(space, one) for one in ids}
    found = []
    for one in fading:
        item, falls = texts[one.memory_id], falls_until(one, pace, until)
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
    return Listing(found)


def _step_of(space: WritableSpace, run: _Run) -> _Step:
    """One command of a tick: the fall of the longest due, a bounded number of them.

    Others take their turns between two of these. Where a text is to be destroyed,
    nobody may have quoted it meanwhile: fewer at once are then tried again.
    """
    most, consulted = _AT_ONCE, Consulted(space.home)
    while True:
        step = in_turn(
            consulted,
            partial(taking_turns, space),
            partial(partial(_due_falling, space), run.rehearsed(), most),
            partial(partial(_fallen, space), run, most),
        )
        if step is not None:
            return step
        most = max(1, most // 2)


def _fallen(space: WritableSpace, run: _Run, most: int, consulted: Consulted) -> _Step | None:
    """The fall of the longest due, at most so many; None if others came to name them."""
    cut, ids, batch, step = _due_falling(space, run, most, consulted)
    appended = _appended(space, batch, step, cut)
    if appended is None:
        return None
    for warning in space.home.follow():
        space.home.notify(warning)
    memories = _AT_ONCE if len(ids) == most else len(ids)
    return msgspec.structs.replace(step, position=min(appended.positions), memories=memories)


def _due_falling(
    space: WritableSpace, run: _Run, most: int, consulted: Consulted
) -> tuple[Cut, builtins.list[MemoryId], builtins.list[Draft], _Step]:
    """The longest due as of now, and the events of their falls."""
    cut = space.cut()
    ids = _longest_due(space, run, most)
    batch, step = _falling(space, ids, run, cut, consulted)
    return cut, ids, batch, step


def _longest_due(space: WritableSpace, run: _Run, most: int) -> builtins.list[MemoryId]:
    """The memories that are due and can fall, the longest due first, at most so many."""
    limit = most + len(run.left)
    ask = partial(due_by, space=space.name, instant=run.until, limit=limit)
    return [one for one in space.home.views.read(ask) if one not in run.left][:most]


def _appended(
    space: WritableSpace, batch: Sequence[Draft], step: _Step, cut: Cut
) -> Appended | None:
    """Append the events of a step; None if others came to name what falls by it.

    What they wrote of other memories changes nothing of what was decided: else
    writers who do not pause would keep everything from being destroyed.
    """
    quiet = Quiet(space.name, cut.position, naming((*step.fallen, *step.reached)))
    with suppress(StaleExpectation):
        expected = expected_of(space, step.fallen, cut, quiet)
        traces = traces_of(space.home.log, step.erased)
        return space.home.log.append(batch, expected, step.erased, traces)
    return None


def _falling(
    space: WritableSpace,
    ids: Sequence[MemoryId],
    run: _Run,
    cut: Cut,
    consulted: Consulted,
) -> tuple[builtins.list[Draft], _Step]:
    """The events of the falls of these memories, and what they come to."""
    fading, pace = fading_of(space.home, space.name, ids, cut.position)
    falling: builtins.list[tuple[Fading, builtins.list[Due]]] = []
    decisions: builtins.list[Decision] = []
    for one in fading:
        falls = falls_until(one, pace, run.until)
        try:
            decisions += fall_events(space.home, one, falls, pace, consulted)
        except SummarizerFailed as failed:
            # One text that it cannot read would else keep all others from falling, for good.
            run.left[one.memory_id] = str(failed)
        else:
            falling += [(one, falls)] if falls else []
    deleted = [one.memory_id for one, falls in falling if falls[-1].tier == "deleted"]
    positions, gone, reached = _deleting(space, deleted, run, cut, consulted)
    ticked = Decision(Ticked(run.until, len(decisions)), None)
    return drafts([ticked, *decisions, *gone], space.author, cut.instant), _Step(
        fallen=tuple(one.memory_id for one, _ in falling),
        falls=tuple(falls[-1].tier for _, falls in falling),
        deleted=tuple(deleted),
        erased=tuple(positions),
        reached=reached,
    )


def _deleting(
    space: WritableSpace, deleted: Sequence[MemoryId], run: _Run, cut: Cut, consulted: Consulted
) -> tuple[builtins.list[Position], builtins.list[Decision], tuple[MemoryId, ...]]:
    """The positions whose content goes with these memories, and the events that say so.

    And the memories that go with them.
    """
    if not deleted:
        return [], [], ()
    # What it was merged from has its words, and what was merged from it and set apart.
    reached = reached_by(space.home, deleted, cut)
    events = still_there(space, [*deleted, *reached.because])
    if not run.scan.expects(deleted):
        run.scan.expect(still_there(space, _longest_due(space, run, _EXPECTED)))
    scan = run.scan.quoting
    plan = erasing(space.home, events, cut, frozenset(), _WHY_DELETED, scan)
    gone = [*deleted, *reached.because]
    again = standing_again(space.home, space.name, reached.again, cut, consulted)
    told = [*plan.decisions, *ending_conflicts(space, gone, cut), *again]
    return plan.positions, told, tuple(reached.because)


def _by_tier(tiers: Iterable[Tier]) -> dict[Tier, int]:
    """How many memories end in each tier, from the top."""
    counts = Counter(tiers)
    return {fall.tier: counts[fall.tier] for fall in FALLS if counts[fall.tier]}


class _Run(NamedTuple):
    """What the commands of one tick share: up to when it looks, and what it found.

    `left` are the memories that cannot fall, each with why; it grows.
    """

    until: Micros
    scan: QuotationScan
    left: dict[MemoryId, str]

    def rehearsed(self) -> _Run:
        """The same for a rehearsal, which leaves nothing out of the tick."""
        return self._replace(left=dict(self.left))


class _Step(msgspec.Struct, frozen=True):
    """What one command of a tick did, to how many memories that were due."""

    fallen: tuple[MemoryId, ...]
    falls: tuple[Tier, ...]
    deleted: tuple[MemoryId, ...]
    erased: tuple[Position, ...]
    reached: tuple[MemoryId, ...]
    position: Position = Position(0)
    memories: int = 0
