"""Memories and events of a space, as of now or any past moment."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from mnemolog.application.history.entries import Entry, entry
from mnemolog.application.home.elapsed import by_the_clock, present
from mnemolog.application.home.references import memory_named
from mnemolog.application.home.settings import Settings, settings_from
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.questions.standing_orders import Order, checked_order, ordered
from mnemolog.indexes.filters import KINDS, STATUSES, Filter, begins
from mnemolog.ledger.errors import InvalidField, UnknownMemory
from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import PAGE, LogRange, proven, proven_pages_in
from mnemolog.policies.memories import (
    Time,
    checked_text,
    checked_texts,
    instant,
    normalised_place,
)
from mnemolog.projections.conflicts import conflicts_of
from mnemolog.projections.lessons import taught_at
from mnemolog.projections.memories import tag_key
from mnemolog.projections.memory_queries import (
    MemoryRow,
    Status,
    counts,
    listed,
    rows_as_of,
    superseded,
    superseders,
    tagged,
)
from mnemolog.projections.origins import origins_of
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.settings import settings_as_of
from mnemolog.projections.strengths import strength_changed_at
from mnemolog.recall.answers.items import Item, read_items
from mnemolog.recall.search.checks import (
    PLAIN_STATUSES,
    checked_count,
    checked_limit,
    checked_statuses,
)
from mnemolog.results import Listing, Value


class Count(Value, frozen=True):
    """Number of memories of one space, kind and status."""

    space: str
    kind: str
    status: str
    memories: int


def get_memory(space: Space, reference: str) -> Item:
    """Memory with a given id, unique prefix of an id, or `@position`.

    Raises `UnknownMemory` or `AmbiguousId`.
    """
    cut = space.cut()
    memory_id = memory_named(space, reference, cut)
    rows = space.home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
    items = items_of(space, [*rows.values()], cut)
    if not items:
        raise UnknownMemory(reference, space.name)
    return items[0]


def find_memory(space: Space, memory_id: MemoryId | str) -> Item | None:
    """Memory with a given full id; None if it does not exist as of this moment."""
    cut = space.cut()
    one = MemoryId(memory_id)
    rows = space.home.views.read(lambda db: rows_as_of(db, [one], cut.position))
    items = items_of(space, [*rows.values()], cut)
    return items[0] if items else None


def list_memories(  # noqa: PLR0913 - as recall
    space: Space,
    *,
    by: Order = "recency",
    limit: int = 50,
    kinds: Sequence[MemoryKind] = (),
    tags: Sequence[str] = (),
    source: str | None = None,
    place: str | None = None,
    statuses: Sequence[Status] = (),
    valid_at: Time | None = None,
) -> Listing[Item]:
    """Memories without a cue, in a given order, at most `limit`.

    `by` is the order:

    - `recency` (newest first) or `oldest` (oldest first);
    - `strength` (strongest first) or `weight` (heaviest first);
    - `review`: important memories whose review is due, longest overdue first;
    - `persistence`: memories that most deserve to be kept first;
    - `pinned`: only memories in working memory;
    - `conflicts`: only memories in an open conflict.
    """
    cut, order = space.cut(), checked_order(by)
    wanted = checked_statuses(statuses) or PLAIN_STATUSES
    question = filter_of(space, space.name, kinds, tags, source, place)
    held_at = instant("valid_at", valid_at)
    rows = space.home.views.read(lambda db: listed(db, space.name, cut.position, wanted))
    tagged_ones = None if question.tagged is None else frozenset(question.tagged)
    chosen = [
        row
        for row in rows
        if _fits(row, question)
        and (tagged_ones is None or row.memory in tagged_ones)
        and (held_at is None or _holds(row, held_at))
    ]
    ranked = ordered(chosen, order, (space.home, space.name, cut), pins_of(space, cut))
    return Listing(items_of(space, ranked[: checked_limit(limit)], cut))


def history_of(space: Space, reference: str) -> Listing[Entry]:
    """Events of a memory and of all memories in its supersession chain, in log order.

    Includes conflicts in which one of these memories is the older side, the uses and ticks
    that changed them, and the recall sessions that taught something about them. Redacted
    events are listed without their content.
    """
    cut = space.cut()
    family = _family_of(space, memory_named(space, reference, cut), cut.position)
    log = space.home.log
    found = {
        event.position: event
        for one in family
        for event in log.concerning(one)
        if event.position <= cut.position
    }
    for event in log.events_at(
        [
            *_conflict_positions(space, family, cut.position),
            *_use_positions(space, family, cut.position),
        ]
    ):
        found[event.position] = event
    roots = {event.causation_id for event in found.values() if event.causation_id is not None}
    # An undo event concerns no memory, but it is the cause of the events after it.
    causes = log.events_at(builtins.list(log.positions_of(builtins.list(roots)).values()))
    for event in causes:
        # The first vote of a round is the cause of the others, whichever memory it is on.
        if event.space == space.name and event.kind != "voted":
            found[event.position] = event
    known = [position for position in found if position <= cut.position]
    origins = space.home.views.read(lambda db: origins_of(db, known))
    return Listing(
        entry(event, origins.get(event.position)) for event in proven(log, known).values()
    )


def list_events(
    space: Space,
    *,
    after: int = 0,
    limit: int | None = None,
    kinds: Sequence[str] = (),
    spaces: Sequence[str] | None = None,
) -> Iterator[Entry]:
    """Events of this space in log order; `spaces=()` gives the events of all spaces."""
    cut = space.cut()
    names = (space.name,) if spaces is None else checked_texts("spaces", spaces)
    only_kinds = checked_texts("kinds", kinds)
    start = Position(max(0, checked_count("after", after)))
    if limit is not None:
        checked_count("limit", limit)
    only = names[0] if len(names) == 1 else None
    within = LogRange(start, cut.position, only, only_kinds)
    return islice(_entries_in(space, within, names, min(PAGE, limit or PAGE)), limit)


def _entries_in(
    space: Space, within: LogRange, names: Sequence[str], page_size: int
) -> Iterator[Entry]:
    """Entries for the events of a log range in the named spaces; no names mean all spaces."""
    for page in proven_pages_in(space.home.log, within, page_size):
        positions = [event.position for event in page]
        origins = space.home.views.read(partial(origins_of, positions=positions))
        for event in page:
            if not names or event.space in names:
                yield entry(event, origins.get(event.position))


def all_memories(space: Space) -> dict[MemoryId, Item]:
    """Memories of this space in every status, by id; used to compare two moments."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: listed(db, space.name, cut.position, STATUSES))
    return {item.memory_id: item for item in items_of(space, rows, cut)}


def count_memories(space: Space) -> Listing[Count]:
    """Numbers of memories in the home, by space, kind and status."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: counts(db, cut.position))
    return Listing(Count(*row) for row in rows)


def read_settings(space: Space) -> Settings:
    """Settings in force in this space."""
    return settings_of(space, space.cut())


def filter_of(  # noqa: PLR0913, PLR0917 - the filters of a question
    space: Space,
    name: str,
    kinds: Sequence[str],
    tags: Sequence[str],
    source: str | None,
    place: str | None,
) -> Filter:
    """Filter of a question for the space `name`. Raises `InvalidField`."""
    wanted = checked_texts("kinds", kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise InvalidField("kinds", f"{kind!r} is unknown", f"use {', '.join(KINDS)}")
    if checked_text("source", source) == "":
        raise InvalidField("source", "is empty", "give a source, or leave it out")
    keys = [
        tag_key(space.home.log.secret, tag) for tag in dict.fromkeys(checked_texts("tags", tags))
    ]
    return Filter(
        kinds=wanted,
        source=source,
        place=None if place is None else normalised_place(place),
        tagged=tuple(space.home.views.read(lambda db: tagged(db, keys, name))) if keys else None,
    )


def settings_of(space: Space, cut: Cut) -> Settings:
    """Settings in force in a space as of a moment."""
    changed = space.home.views.read(lambda db: settings_as_of(db, space.name, cut.position))
    return settings_from(changed)


def pins_of(space: Space, cut: Cut) -> dict[MemoryId, int | None]:
    """Memories in working memory as of a moment, each with its expiry time or None."""
    pins = space.home.views.read(lambda db: pins_as_of(db, space.name, cut.position))
    return {
        memory_id: expires
        for memory_id, expires in pins.items()
        if expires is None or expires > present(space.home, cut)
    }


def items_of(space: Space, rows: Sequence[MemoryRow], cut: Cut) -> tuple[Item, ...]:
    """Items with content for memory rows, in the same order."""
    sources = (space.home.log, space.home.views)
    return read_items(rows, space.name, *by_the_clock(space.home, cut), sources)


def _conflict_positions(
    space: Space, memory_ids: Sequence[MemoryId], position: Position
) -> builtins.list[Position]:
    """Positions at which conflicts of these memories were found or last settled."""
    rows = space.home.views.read(lambda db: conflicts_of(db, memory_ids, position))
    return [at for row in rows for at in (row.at, row.until) if at is not None]


def _use_positions(
    space: Space, memory_ids: Sequence[MemoryId], position: Position
) -> builtins.list[Position]:
    """Positions at which these memories were strengthened, weakened or learned from."""
    views = space.home.views
    return [
        at
        for one in memory_ids
        for ask in (strength_changed_at, taught_at)
        for at in views.read(partial(ask, memory_id=one))
        if at <= position
    ]


def _family_of(space: Space, memory_id: MemoryId, position: Position) -> builtins.list[MemoryId]:
    """Ids of all memories in the supersession chain of a memory, including its own."""
    found = {memory_id}
    ahead = [memory_id]
    while ahead:
        one = ahead.pop()
        near = {
            *space.home.views.read(partial(superseded, memory_id=one, position=position)),
            *space.home.views.read(partial(superseders, memory_id=one, position=position)),
        }
        ahead += near - found
        found |= near
    return sorted(found)


def _fits(row: MemoryRow, question: Filter) -> bool:
    """True if a memory matches a filter, ignoring tags."""
    return (
        (not question.kinds or row.kind in question.kinds)
        and (question.source is None or begins(row.source or "", question.source))
        and (question.place is None or begins(row.place or "", question.place))
    )


def _holds(row: MemoryRow, at: int) -> bool:
    return (row.valid_from is None or row.valid_from <= at) and (
        row.valid_until is None or row.valid_until > at
    )
