"""Ticks: record that time has passed and downgrade each memory that is due."""

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
from mnemolog.ledger.decay import ARCHIVED, FALLS, TIERS, Due
from mnemolog.ledger.errors import CatchUpNotConfirmed, StaleExpectation, SummarizerFailed
from mnemolog.ledger.events import Draft, Ticked
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Appended, Quiet
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.retention.forgetting import Fading, falls_until
from mnemolog.policies.supersession import Decision
from mnemolog.projections.dues import due_by
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Listing, Results, Value

_AT_ONCE = 100
"""Maximum memories downgraded by one command; bounds how long other writers wait."""
_EXPECTED = 5_000
"""Maximum memories whose quotations are searched in one pass over the log."""
_ERASING_S = 10.0
_FEW = 5
"""Maximum memories that fall below `archived` without confirmation."""
_EXAMPLES = 5
_ALL = 1_000_000
_VISIBLE = frozenset(TIERS[: TIERS.index(ARCHIVED.tier) + 1])
_WHY_DELETED = "it had faded, and was not asked for"


class FallDue(Value, frozen=True):
    """Memory that the next tick will downgrade, with its next tiers in `to`.

    `due_at` is when the first downgrade became due.
    """

    memory_id: MemoryId
    content: str | None
    tier: Tier
    to: tuple[Tier, ...]
    strength: float
    below_since: datetime
    due_at: datetime


class Tick(Results[Position], frozen=True):
    """Tick result: the time up to which it looked, and the downgraded memories per tier.

    `falls` counts each memory once, under its final tier. `positions` are those of the tick's
    commands, each of at most a hundred memories; each is undone separately. `complete` is False
    if readers kept pages of deleted content in use until the timeout; the rest is erased when
    the home is next opened. `problems` lists the memories whose summarizer failed; they keep
    their tier and are due at the next tick.
    """

    _over = "positions"

    until: datetime
    positions: tuple[Position, ...]
    falls: dict[Tier, int]
    deleted: tuple[MemoryId, ...] = ()
    complete: bool = True
    problems: tuple[str, ...] = ()


def tick(space: WritableSpace, *, confirmed: bool = False) -> Tick:
    """Record that time has passed: downgrade every memory of this space that is due.

    The cost depends on the number of due memories, not of stored ones. A late tick gives the
    same tiers as punctual ticks. The setting `lowest_tier` limits the downgrade; a tick
    destroys content only if it is `deleted`. Time is that of the machine's clock. Safe with
    concurrent writers and from several processes.

    Raises `CatchUpNotConfirmed` and changes nothing, unless `confirmed` is set, if more than
    five memories would fall below `archived`, or if nothing was recorded for more than 90 days
    since the last tick. If no memory is due after such a gap, there is nothing to confirm: the
    tick appends no event.
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
        # Run once, even after an error: it reads every foreign file in the home.
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
    """True if the elapsed time is implausible and no memory is due.

    Raises `CatchUpNotConfirmed` if a tick now needs confirmation.
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
    """Memories that the next tick downgrades, longest due first, at most `limit`."""
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
    """One command of a tick: downgrade a bounded number of the longest-due memories.

    Other writers take their turns between two commands. If another writer names one of the
    memories meanwhile, it may have quoted a text that is to be destroyed; the command is then
    retried with half as many.
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
    """Downgrade of at most `most` memories; None if a conflicting event named them."""
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
    """Longest-due memories as of now, and the events that downgrade them."""
    cut = space.cut()
    ids = _longest_due(space, run, most)
    batch, step = _falling(space, ids, run, cut, consulted)
    return cut, ids, batch, step


def _longest_due(space: WritableSpace, run: _Run, most: int) -> builtins.list[MemoryId]:
    """Memories due and able to be downgraded, longest due first, at most `most`."""
    limit = most + len(run.left)
    ask = partial(due_by, space=space.name, instant=run.until, limit=limit)
    return [one for one in space.home.views.read(ask) if one not in run.left][:most]


def _appended(
    space: WritableSpace, batch: Sequence[Draft], step: _Step, cut: Cut
) -> Appended | None:
    """Append the events of a step; None if another writer named an affected memory.

    Events about other memories do not conflict: otherwise writers that never pause would
    prevent every deletion.
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
    """Events that downgrade these memories, and the resulting step."""
    fading, pace = fading_of(space.home, space.name, ids, cut.position)
    falling: builtins.list[tuple[Fading, builtins.list[Due]]] = []
    decisions: builtins.list[Decision] = []
    for one in fading:
        falls = falls_until(one, pace, run.until)
        try:
            decisions += fall_events(space.home, one, falls, pace, consulted)
        except SummarizerFailed as failed:
            # Otherwise one text that the summarizer rejects would block all downgrades forever.
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
    """Erasure of deleted memories: positions, events, and other memories that it destroys."""
    if not deleted:
        return [], [], ()
    # Its words are also in the memories that it was merged from, and in memories merged from
    # it whose merge was undone.
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
    """Number of memories that end in each tier, from the top tier down."""
    counts = Counter(tiers)
    return {fall.tier: counts[fall.tier] for fall in FALLS if counts[fall.tier]}


class _Run(NamedTuple):
    """State shared by the commands of one tick.

    `until` is the time up to which it looks. `left` maps each memory that cannot be downgraded
    to the reason; it grows during the tick.
    """

    until: Micros
    scan: QuotationScan
    left: dict[MemoryId, str]

    def rehearsed(self) -> _Run:
        """Copy for a rehearsal, whose failures do not enter `left` of the tick."""
        return self._replace(left=dict(self.left))


class _Step(msgspec.Struct, frozen=True):
    """Result of one command of a tick; `memories` is `_AT_ONCE` if more may be due."""

    fallen: tuple[MemoryId, ...]
    falls: tuple[Tier, ...]
    deleted: tuple[MemoryId, ...]
    erased: tuple[Position, ...]
    reached: tuple[MemoryId, ...]
    position: Position = Position(0)
    memories: int = 0
