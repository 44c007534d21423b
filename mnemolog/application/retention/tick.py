"""Ticks: record that time has passed and downgrade each memory that is due."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import NamedTuple

from mnemolog.application.commands.command import (
    ending_conflicts,
    expected_of,
    fall_events,
    still_there,
    taking_turns,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.receipts import drafts
from mnemolog.application.commands.undo import reached_by, reinstated_parts
from mnemolog.application.home.space import Cut, WritableSpace, implausible_step, naming, present
from mnemolog.application.questions.browse import fading_of, find_memory, get_memory, settings_of
from mnemolog.application.redaction.quotations import QuotationScan
from mnemolog.application.redaction.redact import erase_with_notices, erasing, traces_of
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import ARCHIVED, DAY_US, FALLS, TIERS, Due
from mnemolog.ledger.errors import CatchUpNotConfirmed, StaleExpectation, SummarizerFailed
from mnemolog.ledger.events import Draft, Ticked
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Quiet
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.retention.forgetting import Fading, falls_until
from mnemolog.policies.supersession import Decision
from mnemolog.projections.lifecycle import due_by
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Listing, Results, Value

_AT_ONCE = 100  # maximum memories downgraded by one command; bounds how long other writers wait
_EXPECTED = 5_000  # maximum memories whose quotations are searched in one pass over the log
_FEW = 5  # maximum memories that fall below `archived` without confirmation
_EXAMPLES, _ALL, _ERASING_S = 5, 1_000_000, 10.0
_VISIBLE = frozenset(TIERS[: TIERS.index(ARCHIVED.tier) + 1])
_WHY_DELETED = "it had faded, and was not asked for"


class FallDue(Value, frozen=True):
    """Memory that the next tick will downgrade to the tiers `to`, the first due at `due_at`."""

    memory_id: MemoryId
    content: str | None
    tier: Tier
    to: tuple[Tier, ...]
    strength: float
    below_since: datetime
    due_at: datetime


class Tick(Results[Position], frozen=True):
    """Tick result: the time `until` which falls were due, and downgraded memories per tier.

    `falls` counts each memory under its final tier. `positions` are those of the tick's commands,
    each of at most a hundred memories and undone separately. `complete` is False if readers used
    pages of deleted content until the timeout; the next opening of the home erases the rest.
    `problems` lists memories whose summarizer failed; they keep their tier and stay due.
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
    same tiers as punctual ticks. The setting `lowest_tier` limits the downgrade; only `deleted`
    destroys content. Time is that of the machine's clock. Safe with concurrent writers.

    Unless `confirmed`, raises `CatchUpNotConfirmed` and changes nothing if more than five memories
    would fall below `archived`, or if nothing was recorded for more than 90 days since the last
    tick. If no memory is due after such a gap, the tick appends no event.
    """
    if not confirmed and _is_in_doubt(space):
        return Tick(to_datetime(present(space.home, space.cut())), (), {})
    pending, run, is_more = space.home.log.pending_erasures(), _Run(space), True
    try:
        while is_more:
            is_more = run.step()
    finally:
        # Run once, even after an error: it reads every foreign file in the home.
        left = run.erased or pending
        complete = not left or erase_with_notices(space.home, run.erased, _ERASING_S)
    return Tick(
        until=to_datetime(run.until),
        positions=tuple(run.positions),
        falls=_by_tier(run.falls.values()),
        deleted=tuple(one for one, tier in run.falls.items() if tier == "deleted"),
        complete=complete,
        problems=tuple(run.left.values()),
    )


def _is_in_doubt(space: WritableSpace) -> bool:
    """True if time is implausible but no memory is due; may raise `CatchUpNotConfirmed`."""
    cut = space.cut()
    step = implausible_step(space.home, space.name, cut)
    if step is None and settings_of(space, cut).lowest_tier in _VISIBLE:
        return False
    tiers = {one.memory_id: falls[-1].tier for one, falls in _due_falls(space, cut, _ALL)}
    if not tiers:
        return step is not None
    if step is None and sum(tier not in _VISIBLE for tier in tiers.values()) <= _FEW:
        return False
    deepest = sorted(tiers, key=lambda one: -TIERS.index(tiers[one]))[:_EXAMPLES]
    examples = [(one, tiers[one], get_memory(space, one).content) for one in deepest]
    days = None if step is None else (step.until - step.since) / DAY_US
    doubt = None if step is None else step.doubt(space.home)
    raise CatchUpNotConfirmed(space.name, _by_tier(tiers.values()), examples, days, doubt)


def falling_due(space: WritableSpace, *, limit: int = 50) -> Listing[FallDue]:
    """Memories that the next tick downgrades, longest due first, at most `limit`."""
    cut, most = space.cut(), checked_limit(limit)
    return Listing(
        FallDue(
            memory_id=one.memory_id,
            content=item.content,
            tier=one.standing.tier,
            to=tuple(due.tier for due in falls),
            strength=item.strength,
            below_since=to_datetime(falls[0].below_since),
            due_at=to_datetime(falls[0].due_at),
        )
        for one, falls in _due_falls(space, cut, most)
        if (item := find_memory(space, one.memory_id)) is not None
    )


def _due_falls(space: WritableSpace, cut: Cut, limit: int) -> list[tuple[Fading, list[Due]]]:
    until = present(space.home, cut)
    ids = space.home.views.read(lambda db: due_by(db, space.name, until, limit))
    fading, pace = fading_of(space.home, space.name, ids, cut.position)
    falling = ((one, falls_until(one, pace, until)) for one in fading)
    return [(one, falls) for one, falls in falling if falls]


class _Step(NamedTuple):
    """One command of a tick; `full` is True if more memories may be due."""

    cut: Cut
    batch: list[Draft]
    falls: dict[MemoryId, Tier]
    erased: list[Position]
    gone: list[MemoryId]
    full: bool


class _Run:
    """One tick up to the time of its start; `left` maps memories not downgraded to the reasons."""

    def __init__(self, space: WritableSpace) -> None:
        self._space, self._home = space, space.home
        self.until = present(space.home, space.cut())
        self.left: dict[MemoryId, str] = {}
        self.falls: dict[MemoryId, Tier] = {}
        self.erased, self.positions = list[Position](), list[Position]()
        self._scan = QuotationScan(space.home, space.name)

    def step(self) -> bool:
        """One command: downgrade the longest-due memories; True if more may be due."""
        most, consulted = _AT_ONCE, Consulted(self._home)
        turns = partial(taking_turns, self._space)
        while True:
            # A copy of `left`: failures of a rehearsal must not count.
            rehearse = partial(self._plan_step, most, dict(self.left))
            is_full = in_turn(consulted, turns, rehearse, partial(self._append_step, most))
            if is_full is not None:
                return is_full
            # Another writer named an affected memory, and may have quoted it.
            most = max(1, most // 2)

    def _append_step(self, most: int, consulted: Consulted) -> bool | None:
        """Downgrade at most `most` memories; None if another writer named an affected one."""
        step = self._plan_step(most, self.left, consulted)
        # Other memories do not matter: writers that never pause would prevent every deletion.
        quiet = Quiet(self._space.name, step.cut.position, naming((*step.falls, *step.gone)))
        try:
            expected = expected_of(self._space, step.falls, step.cut, quiet)
            traces = traces_of(self._home.log, step.erased)
            appended = self._home.log.append(step.batch, expected, step.erased, traces)
        except StaleExpectation:
            return None
        self.falls |= step.falls
        self.erased += step.erased
        self.positions.append(min(appended.positions))
        for warning in self._home.follow():
            self._home.notify(warning)
        return step.full

    def _longest_due(self, most: int, left: dict[MemoryId, str]) -> list[MemoryId]:
        name, limit = self._space.name, most + len(left)
        due = self._home.views.read(lambda db: due_by(db, name, self.until, limit))
        return [one for one in due if one not in left][:most]

    def _plan_step(self, most: int, left: dict[MemoryId, str], consulted: Consulted) -> _Step:
        space = self._space
        cut, ids = space.cut(), self._longest_due(most, left)
        fading, pace = fading_of(self._home, space.name, ids, cut.position)
        tiers: dict[MemoryId, Tier] = {}
        decisions: list[Decision] = []
        for one in fading:
            falls = falls_until(one, pace, self.until)
            try:
                decisions += fall_events(self._home, one, falls, pace, consulted)
            except SummarizerFailed as failed:
                # Otherwise one text that the summarizer rejects would block all downgrades.
                left[one.memory_id] = str(failed)
            else:
                tiers |= {one.memory_id: falls[-1].tier} if falls else {}
        ticked = Decision(Ticked(self.until, len(decisions)), None)
        gone, erased = [one for one, tier in tiers.items() if tier == "deleted"], list[Position]()
        if gone:
            if not self._scan.expects(gone):
                self._scan.expect(still_there(space, self._longest_due(_EXPECTED, left)))
            # A deleted memory's words are also in the memories that it was merged from, and in
            # memories merged from it whose merge was undone.
            reached = reached_by(self._home, gone, cut)
            rows = self._home.views.read(
                lambda db: rows_as_of(db, [*reached.because], cut.position)
            )
            gone += [one for one in reached.because if not rows[one].immutable]
            events, quoting = still_there(space, gone), self._scan.quoting
            plan = erasing(self._home, events, cut, frozenset(), _WHY_DELETED, quoting)
            again = reinstated_parts(self._home, space.name, reached.again, cut, consulted)
            decisions += [*plan.decisions, *ending_conflicts(space, gone, cut), *again]
            erased = plan.positions
        batch = drafts([ticked, *decisions], space.author, cut.instant)
        return _Step(cut, batch, tiers, erased, gone, full=len(ids) == most)


def _by_tier(tiers: Iterable[Tier]) -> dict[Tier, int]:
    counts = Counter(tiers)
    return {fall.tier: counts[fall.tier] for fall in FALLS if counts[fall.tier]}
