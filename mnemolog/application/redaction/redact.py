"""Redaction: destroy content in the log, then in everything derived from it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import NamedTuple

from mnemolog.application.home.home import Home, remove_for_erasure
from mnemolog.application.home.space import Cut
from mnemolog.application.redaction.foreign_files import search
from mnemolog.indexes.vector_store import FILE as STORE
from mnemolog.ledger.errors import ImmutableMemory, InvalidField, InvalidState, LedgerError
from mnemolog.ledger.events import Event, Redacted, Remembered, Reopened, Settled
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.supersession import Decision, command_of, why
from mnemolog.projections.conflicts import conflicts_of
from mnemolog.projections.edges import edge_events_of
from mnemolog.projections.strengths import strength_changed_at
from mnemolog.projections.upkeep import undone_at

_INDEXED = frozenset({"remembered", "linked"})  # kinds of events whose content is indexed
_LONGEST_S = 86_400.0
_SEARCHING_S = 0.5
"""Minimum search time of foreign files, in seconds, regardless of the other steps."""
_READER = "a reader in another process holds on to old pages"


class Erasing(NamedTuple):
    """Erasure plan: positions to destroy, ones that may remain in a file, and the event, if any."""

    positions: list[Position]
    again: list[Position]
    decisions: list[Decision]


def erasing(  # noqa: PLR0913, PLR0917 - events, state and options
    home: Home,
    events: Sequence[Event],
    cut: Cut,
    overrides: frozenset[str],
    reason: str | None,
    scan: Callable[[Sequence[Event], Cut], list[Event]],
) -> Erasing:
    """Erasure plan for a redaction of events.

    Redacting a memory's own event covers everything said about the memory. `scan` finds other
    events that name or quote memories, as `quoting` does. Raises `InvalidState` if no content
    is left, and `ImmutableMemory` for an immutable memory that is not in `overrides`.
    """
    unfinished = {*home.log.pending_erasures(), *home.finished}
    concerned: dict[Position, Event] = {}
    again: set[Position] = set()
    immutable = False
    for event in events:
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Remembered) and structure.immutable and event.memory_id:
            immutable = True
            if event.memory_id not in overrides:
                raise ImmutableMemory(event.memory_id, "redact")
        family = _family(home, event, cut)
        with_content = {one.position: one for one in family if one.content is not None}
        retried = {one.position for one in family} & unfinished
        if not with_content and not retried:
            raise _nothing_left(event)
        concerned |= with_content
        again |= retried
    stored = [event for event in events if event.kind == "remembered"]
    concerned |= {one.position: one for one in scan(stored, cut)}
    positions = sorted(position for position in concerned if position <= cut.position)
    redacted = Redacted(tuple(concerned[at].event_id for at in positions), override=immutable)
    memories = {event.memory_id for event in events}
    decision = Decision(redacted, memories.pop() if len(memories) == 1 else None, why(reason))
    return Erasing(positions, sorted(again), [decision] if positions else [])


def _family(home: Home, event: Event, cut: Cut) -> list[Event]:
    """Events that a redaction of one covers: for a memory, all that were said about it."""
    memory_id = event.memory_id
    if event.kind != "remembered" or memory_id is None:
        return [event]
    places = home.views.read(lambda db: edge_events_of(db, memory_id))
    changes = home.views.read(lambda db: strength_changed_at(db, memory_id))
    family = [
        *home.log.concerning(memory_id),
        # The content of its edges is about it too.
        *home.log.events_at(places),
        *_conflicts_with(home, memory_id, cut),
        # A cue that is kept with a use may quote it.
        *(one for one in home.log.events_at(changes) if one.kind == "recalled"),
    ]
    # The reason of an earlier redaction stays, unless it quotes the memory.
    return [one for one in (*family, *_undoing(home, family)) if one.kind != "redacted"]


def _nothing_left(event: Event) -> InvalidState:
    if event.kind == "remembered":
        return InvalidState(event.event_id, "redacted already", "there is nothing left to redact")
    state = "redacted already" if event.erased else "without content"
    subject = f"the {event.kind!r} event"
    return InvalidState(event.event_id, state, "there is nothing to redact", subject)


def words_of_others(events: Sequence[Event], named: Sequence[Event]) -> tuple[str, ...]:
    """Receipt lines for events that lose content in addition to the named events."""
    known = {event.event_id for event in named}
    by_kind: dict[str, list[str]] = {}
    for event in events:
        if event.event_id not in known and event.kind != "remembered":
            by_kind.setdefault(event.kind, []).append(f"@{event.position}")
    return tuple(
        f"redacted with it, being about it or quoting it: {kind} {', '.join(positions)}"
        for kind, positions in sorted(by_kind.items())
    )


def _undoing(home: Home, events: Sequence[Event]) -> list[Event]:
    """Events that undid the commands of these events, and undos of those; they hold reasons."""
    found, ahead, seen = list[Event](), [*events], set[EventId]()
    while ahead:
        commands = [one for one in dict.fromkeys(map(command_of, ahead)) if one not in seen]
        seen.update(commands)
        positions = home.views.read(partial(undone_at, commands=commands))
        ahead = home.log.events_at(positions)
        found += ahead
    return found


def _conflicts_with(home: Home, memory_id: MemoryId, cut: Cut) -> list[Event]:
    """Events on conflicts of newer memories with this one; they may quote it."""
    rows = home.views.read(lambda db: conflicts_of(db, [memory_id], cut.position))
    newer = {row.conflict: row.new for row in rows if row.other == memory_id}
    found = []
    for event in chain.from_iterable(map(home.log.concerning, dict.fromkeys(newer.values()))):
        structure = VOCABULARY.structure(event)
        on = structure.conflict if isinstance(structure, Settled | Reopened) else event.event_id
        found += [event] if on in newer else []
    return found


def checked_timeout(timeout_s: float) -> None:
    """Raise `InvalidField` for an invalid timeout, before anything is destroyed."""
    if not isinstance(timeout_s, int | float) or not 0 <= timeout_s <= _LONGEST_S:
        problem = f"{timeout_s!r} is no time to wait"
        raise InvalidField("timeout_s", problem, "give seconds, 0 to 86,400")


def erase(home: Home, positions: Sequence[Position], timeout_s: float) -> tuple[str, ...]:
    """Remove data derived from content that the log has destroyed; return the failures.

    `positions` were destroyed just now; unfinished earlier erasures are retried. mnemolog's own
    files are cleaned once; foreign files are searched each time, until none holds the content.
    Each failure names the file and the reason.
    """
    deadline = time.monotonic() + timeout_s
    left, held = list[str](), list[str]()
    pending, unclean = [*positions], [*positions]
    with _noted(left):
        # Retry earlier erasures that are incomplete.
        pending = home.log.pending_erasures()
        unclean = sorted({*positions, *home.log.uncleaned_erasures()})
    if unclean:
        left += _cleaned(home, unclean, deadline)
    with _noted(held):
        found = search(home.path, home.log, max(deadline, time.monotonic() + _SEARCHING_S))
        for one in found.unsearched:
            home.notify(f"not searched for what was redacted: {one}")
        held += [f"{path} holds it, and is not ours: remove it yourself" for path in found.holding]
        held += found.late
    finish, done = home.log.finish_erasure, pending
    if left or held:
        # Always clean the log's pages; record an erasure as done only if nothing is left.
        finish, done = home.log.clean_erasure, [] if left else unclean
    left += held
    with _noted(left):
        if (unclean or not held) and not finish(done, _until(deadline)):
            left.append(f"{home.log.path}-wal: {_READER}")
    home.unerased = tuple(dict.fromkeys(left))
    return home.unerased


def _cleaned(home: Home, positions: Sequence[Position], deadline: float) -> list[str]:
    """Remove content from every file of mnemolog except the log; return the failures."""
    left: list[str] = []
    with _noted(left):
        home.head()
    with _noted(left):
        home.parts.store.forget(positions)
    events: list[Event] = []
    with _noted(left):
        events = home.log.events_at(positions)
    for space in {event.space for event in events if event.kind in _INDEXED}:
        with _noted(left):
            home.index(space).forget()
    with _noted(left):
        left += remove_for_erasure(home.path, home.views, home.parts.bases)
    with _noted(left):
        if not home.parts.store.truncate_wal(_until(deadline)):
            left.append(f"{home.path / STORE}-wal: {_READER}")
    return left


def _until(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def erase_and_tell(home: Home, positions: Sequence[Position], timeout_s: float) -> bool:
    """True if `erase` completes; sends a notice for each file that still holds content."""
    left = erase(home, positions, timeout_s)
    for where in left:
        home.notify(f"a redaction is incomplete: {where}")
    return not left


@contextmanager
def _noted(left: list[str]) -> Iterator[None]:
    try:
        yield
    except (LedgerError, OSError) as error:
        left.append(str(error))
