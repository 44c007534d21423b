"""Command execution: retries after lost races, and tier changes that a command triggers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

from mnemolog.application.commands.consulting import Consulted, Failure, in_turn
from mnemolog.application.commands.receipts import Receipt, receipt
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import (
    Cut,
    Space,
    WritableSpace,
    believed,
    events_of,
    memory_named,
    naming,
    present,
)
from mnemolog.application.questions.browse import fading_of, pins_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Due, FallConditions, Pace, Trace
from mnemolog.ledger.errors import StaleExpectation, SummarizerFailed, UnknownEdge, UnknownMemory
from mnemolog.ledger.events import Degraded, Draft, Event, Revived, Strengthened, Summary
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Expected, Quiet
from mnemolog.policies.contradictions.judge import decide_default
from mnemolog.policies.retention.forgetting import Fading, decide_fall, decide_rise, overdue
from mnemolog.policies.supersession import Decision, Replacement, Target, decide_supersession
from mnemolog.projections.edges import EdgeRow, edge_at
from mnemolog.projections.lifecycle import fingerprint
from mnemolog.projections.memories import conflicts_of, is_open
from mnemolog.projections.memory_queries import MemoryRow, known_of, rows_as_of, superseders
from mnemolog.recall.items import parts

Drafted = tuple[list[Draft], list[MemoryId]]
"""Events of a command, and the memories whose state it was decided on."""

Guard = Callable[[], Quiet | None]
"""Gives the events that other writers must not append meanwhile; None if any may be appended."""

_T = TypeVar("_T")
_MOST_RACES = 1000


@contextmanager
def taking_turns(space: WritableSpace) -> Iterator[None]:
    """Lock of the home's strengths; pending use reports are written before it is taken."""
    # A tick must not delete a memory whose use was reported.
    space.uses.write()
    with strengths_locked(space.home):
        yield


def command_in_turn(
    space: WritableSpace, decide: Callable[[Consulted, Cut], Drafted], check: Guard | None = None
) -> tuple[list[Draft], Receipt]:
    """Events and receipt of `command`; no memory fades, is used or is destroyed meanwhile."""
    return in_turn(
        Consulted(space.home),
        partial(taking_turns, space),
        lambda consulted: decide(consulted, space.cut()),
        lambda consulted: command(space, partial(decide, consulted), check),
    )


class PlannedAppend(NamedTuple):
    """Append plan: events, the state that they were decided on, and the content to destroy."""

    batch: Sequence[Draft]
    expected: Expected | None
    erase: Sequence[Position] = ()
    traces: Sequence[tuple[Position, bytes]] = ()


def append_planned(
    space: WritableSpace, plan: Callable[[], tuple[PlannedAppend, _T]]
) -> tuple[_T, Appended]:
    """Value and positions of a planned append; plans again after each of a thousand lost races."""
    lost = 0
    while True:
        try:
            planned, value = plan()
            if not planned.batch:
                return value, Appended((), space.cut().instant)
            return value, space.home.log.append(*planned)
        except StaleExpectation:
            lost += 1
            if lost > _MOST_RACES:
                raise


def command(
    space: WritableSpace, decide: Callable[[Cut], Drafted], check: Guard | None = None
) -> tuple[list[Draft], Receipt]:
    """Events and receipt of a command; decides again after each lost race."""

    def plan() -> tuple[PlannedAppend, list[Draft]]:
        cut = space.cut()
        batch, touched = decide(cut)
        quiet = None if check is None else check()
        if quiet is None and touched:
            # Positions miss a redaction of several memories: its event has no single memory id.
            quiet = Quiet(space.name, cut.position, naming(touched))
        return PlannedAppend(batch, expected_of(space, touched, cut, quiet)), batch

    batch, appended = append_planned(space, plan)
    return batch, receipt(batch, appended, space.home.follow(appended.positions))


def expected_of(
    space: Space, memory_ids: Iterable[MemoryId], cut: Cut, quiet: Quiet | None = None
) -> Expected | None:
    """Expected state of an append: last positions of memories, and a condition on other events.

    None if neither is given: such appends of several threads are written together.
    """
    concerning = {one: space.home.log.concerning(one) for one in dict.fromkeys(memory_ids)}
    last = {
        one: max(event.position for event in found if event.position <= cut.position)
        for one, found in concerning.items()
    }
    return Expected(last, quiet=quiet) if last or quiet is not None else None


def memories_named(space: Space, references: Iterable[str], cut: Cut) -> list[MemoryId]:
    """Memories that references name, without duplicates."""
    if not (named := list(references)):
        return []
    # Look up full ids in one query; `use` reports about ten per answer.
    full = [one for one in named if isinstance(one, str) and len(one) == ID_DIGITS]
    known = {*space.home.views.read(lambda db: known_of(db, space.name, full, cut.position))}
    found = (
        MemoryId(one) if isinstance(one, str) and one in known else memory_named(space, one, cut)
        for one in named
    )
    return list(dict.fromkeys(found))


def row_of(space: Space, memory_id: MemoryId, cut: Cut) -> MemoryRow:
    """Row of a memory as of a moment. Raises `UnknownMemory`."""
    rows = space.home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
    if memory_id not in rows:
        raise UnknownMemory(memory_id, space.name)
    return rows[memory_id]


def target_of(space: Space, reference: str, cut: Cut) -> Target:
    """Target of a command: the state of the memory that a reference names."""
    row = row_of(space, memory_named(space, reference, cut), cut)
    return Target(row.memory_id, row.status, row.immutable, row.memory_id in pins_of(space, cut))


def superseding(  # noqa: PLR0913, PLR0917 - which, by what, why, and as of when
    space: Space,
    olds: Sequence[MemoryId],
    new: Replacement,
    overrides: frozenset[MemoryId],
    reason: str | None,
    cut: Cut,
) -> list[Decision]:
    """Decisions by which one memory supersedes older ones and settles their mutual conflicts."""
    if not olds:
        return []
    rows = (row_of(space, old, cut) for old in olds)
    targets = [Target(row.memory_id, row.status, row.immutable) for row in rows]
    above = partial(superseders_of, space, cut=cut)
    return [
        *decide_supersession(targets, new, above, overrides, reason),
        *ending_conflicts(space, olds, cut, by=new.memory_id),
    ]


def superseders_of(space: Space, memory_id: MemoryId, cut: Cut) -> tuple[MemoryId, ...]:
    """Memories that superseded a memory directly, as of a moment."""
    return space.home.views.read(lambda db: superseders(db, memory_id, cut.position))


def ending_conflicts(
    space: Space, losers: Sequence[MemoryId], cut: Cut, by: MemoryId | None = None
) -> list[Decision]:
    """Settlements of the open conflicts of retired memories, with `by` only those with it."""
    rows = space.home.views.read(lambda db: conflicts_of(db, losers, cut.position))
    return [
        decide_default(row.conflict, row.new, row.other, losers)
        for row in rows
        if is_open(row) and (by is None or by in {row.new, row.other})
    ]


def still_there(space: Space, memory_ids: Iterable[MemoryId]) -> list[Event]:
    """Events of the given memories that still have their content."""
    events = events_of(space.home, [*memory_ids])
    return [event for event in events if event.content is not None]


def open_edge(space: Space, edge_id: EventId, cut: Cut) -> EdgeRow:
    """Row of an edge that has not ended. Raises `UnknownEdge`."""
    row = space.home.views.read(lambda db: edge_at(db, space.name, edge_id, cut.position))
    if row is None:
        raise UnknownEdge(edge_id)
    return row


@contextmanager
def strengths_locked(home: Home) -> Iterator[None]:
    """Lock of a home's strengths across processes, for ticks and uses."""
    # An append condition is not enough: a tick's events do not name every memory that it read.
    with closing(FileLock(home.path / "strengths.lock")) as lock, lock.held():
        yield


def overdue_falls(
    home: Home, space: str, memory_ids: Sequence[MemoryId], cut: Cut, consulted: Consulted
) -> list[Decision]:
    """Events of the overdue falls of memories to a lower tier, deletion excluded."""
    fading, pace = fading_of(home, space, memory_ids, cut.position)
    until = believed(home, space, cut)
    falls = (fall_events(home, one, overdue(one, pace, until), pace, consulted) for one in fading)
    return [*chain.from_iterable(falls)]


def fall_events(
    home: Home, fading: Fading, falls: Sequence[Due], pace: Pace, consulted: Consulted
) -> list[Decision]:
    """Events of falls, the last with its summary or fingerprint. Raises `SummarizerFailed`."""
    found = []
    for due in falls:
        summary, kept = None, None
        if due is falls[-1] and due.tier == "summarized":
            reply = consulted.summary(_text(home, fading.memory_id))
            if isinstance(reply, Failure):
                raise SummarizerFailed(fading.memory_id, consulted.summarizer_name, reply.problem)
            summary = Summary(reply)
        if due.tier == "deleted":
            kept = fingerprint(home.log.secret, _text(home, fading.memory_id))
        found.append(decide_fall(fading, due, pace, summary, kept))
    return found


def falls_before_use(
    home: Home, consulted: Consulted, fading: Fading, falls: Sequence[Due], pace: Pace
) -> list[Decision]:
    """Events of a memory's overdue falls before a use."""
    try:
        return fall_events(home, fading, falls, pace, consulted)
    except SummarizerFailed:
        # The use raises the tier again, so that the summary would not be shown.
        return [decide_fall(fading, due, pace) for due in falls]


def _text(home: Home, memory_id: MemoryId) -> str:
    _, content = parts(events_of(home, [memory_id])[0])
    return "" if content is None else content.text


def raised(home: Home, space: str, decisions: Sequence[Decision], cut: Cut) -> list[Decision]:
    """Events that raise the tier of memories whose strength these decisions restore."""
    restored = {
        one.memory_id: one.structure
        for one in decisions
        if one.memory_id is not None and isinstance(one.structure, Strengthened)
    }
    tiers = {
        one.memory_id: one.structure.tier
        for one in decisions
        if isinstance(one.structure, Degraded | Revived)
    }
    fading, pace = fading_of(home, space, [*restored], cut.position)
    found = []
    for one in fading:
        change, standing = restored[one.memory_id], one.standing
        since = cut.instant if change.since is None else Micros(change.since)
        trace = Trace(change.strength, since, change.slowing)
        tier = tiers.get(one.memory_id, standing.tier)
        risen = Fading(one.memory_id, FallConditions(standing.decay, trace, tier))
        found += decide_rise(risen, pace, present(home, cut))
    return found
