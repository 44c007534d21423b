"""Looking at a space: its memories and events, now and as of any past moment."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from mnemolog.application.history.entries import Entry, entry
from mnemolog.application.home.elapsed import by_the_clock, present
from mnemolog.application.home.references import Naming
from mnemolog.application.home.settings import Settings, settings_from
from mnemolog.application.home.space import Cut
from mnemolog.application.questions.persistence import standings
from mnemolog.application.questions.standing_orders import Order, checked_order, ordered
from mnemolog.indexes.columns import KINDS, STATUSES, Filter, begins
from mnemolog.ledger.errors import CorruptLog, InvalidField, UnknownMemory
from mnemolog.ledger.events import Event, MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.rows import proven
from mnemolog.policies.memories import (
    Time,
    checked_text,
    checked_texts,
    instant,
    normalised_place,
)
from mnemolog.policies.retention.persistence import Persistence
from mnemolog.projections.conflicts import conflicts_of
from mnemolog.projections.lessons import taught_at
from mnemolog.projections.memories import tag_key
from mnemolog.projections.memory_queries import (
    MemoryRow,
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
from mnemolog.recall.search.question import (
    PLAIN_STATUSES,
    checked_count,
    checked_limit,
    checked_statuses,
)

_PAGE = 1000


class Count(msgspec.Struct, frozen=True):
    """How many memories of one space, kind and status there are."""

    space: str
    kind: str
    status: str
    memories: int


class Looking(Naming):
    """Looking at one space of a home: memories and events, without a cue."""

    def get(self, reference: str) -> Item:
        """One memory, by its id, the beginning of it, or `@position`.

        Raises `UnknownMemory` or `AmbiguousId`.
        """
        cut = self._cut()
        memory_id = self._memory(reference, cut)
        rows = self._home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
        items = self._items([*rows.values()], cut)
        if not items:
            raise UnknownMemory(reference, self.space)
        return items[0]

    def find(self, memory_id: MemoryId | str) -> Item | None:
        """One memory by its whole id; None if this moment does not know it."""
        cut = self._cut()
        one = MemoryId(memory_id)
        rows = self._home.views.read(lambda db: rows_as_of(db, [one], cut.position))
        items = self._items([*rows.values()], cut)
        return items[0] if items else None

    def list(  # noqa: PLR0913 - as recall
        self,
        *,
        by: Order = "recency",
        limit: int = 50,
        kinds: Sequence[MemoryKind] = (),
        tags: Sequence[str] = (),
        source: str | None = None,
        place: str | None = None,
        statuses: Sequence[str] = (),
        valid_at: Time | None = None,
    ) -> tuple[Item, ...]:
        """Memories without a cue, in a standing order.

        By `recency` the newest first, `oldest` the oldest; by `strength` the strongest,
        by `weight` the heaviest;
        by `review` those that are important and due for review, the longest due first;
        by `persistence` what most deserves to be kept; by `pinned` those in working memory,
        by `conflicts` those in an open conflict.
        """
        cut, order = self._cut(), checked_order(by)
        wanted = checked_statuses(statuses) or PLAIN_STATUSES
        question = self._filter(self.space, kinds, tags, source, place)
        held_at = instant("valid_at", valid_at)
        rows = self._home.views.read(lambda db: listed(db, self.space, cut.position, wanted))
        tagged_ones = None if question.tagged is None else frozenset(question.tagged)
        chosen = [
            row
            for row in rows
            if _fits(row, question)
            and (tagged_ones is None or row.memory in tagged_ones)
            and (held_at is None or _holds(row, held_at))
        ]
        ranked = ordered(chosen, order, (self._home, self.space, cut), self._pins(cut))
        return self._items(ranked[: checked_limit(limit)], cut)

    def persistence(self, reference: str) -> Persistence:
        """How much a memory deserves to be kept, with the parts that make it so.

        Raises `UnknownMemory` or `AmbiguousId`.
        """
        cut = self._cut()
        memory_id = self._memory(reference, cut)
        rows = self._home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
        if memory_id not in rows:
            raise UnknownMemory(reference, self.space)
        found = standings(self._home, self.space, cut, [rows[memory_id]])
        return found[memory_id].persistence

    def history(self, reference: str) -> tuple[Entry, ...]:
        """Every event of a memory, and of all that it superseded or was superseded by, in order.

        With the conflicts in which one of them is the older side, the uses and ticks that
        changed them, and the recall sessions that taught something of them. Redacted events
        are there without their content.
        """
        cut = self._cut()
        family = self._family(self._memory(reference, cut), cut.position)
        log = self._home.log
        found = {
            event.position: event
            for one in family
            for event in log.concerning(one)
            if event.position <= cut.position
        }
        for event in log.events_at(
            [*self._conflicts_of(family, cut.position), *self._uses_of(family, cut.position)]
        ):
            found[event.position] = event
        roots = {event.causation_id for event in found.values() if event.causation_id is not None}
        # An undo's own event concerns no memory, but it is why what followed it was done.
        causes = log.events_at(builtins.list(log.positions_of(builtins.list(roots)).values()))
        for event in causes:
            # Of the votes of a round the first is the others' cause, whatever it is on.
            if event.space == self.space and event.kind != "voted":
                found[event.position] = event
        known = [position for position in found if position <= cut.position]
        origins = self._home.views.read(lambda db: origins_of(db, known))
        return tuple(
            entry(event, origins.get(event.position)) for event in proven(log, known).values()
        )

    def events(
        self,
        *,
        after: int = 0,
        limit: int | None = None,
        kinds: Sequence[str] = (),
        spaces: Sequence[str] | None = None,
    ) -> Iterator[Entry]:
        """The events of this space in order; `spaces=()` gives those of all spaces."""
        cut = self._cut()
        names = (self.space,) if spaces is None else checked_texts("spaces", spaces)
        only_kinds = checked_texts("kinds", kinds)
        position, left = Position(max(0, checked_count("after", after))), limit
        if limit is not None:
            checked_count("limit", limit)
        while left is None or left > 0:
            only = names[0] if len(names) == 1 else None
            page = self._page(position, min(_PAGE, left or _PAGE), only, only_kinds)
            positions = [event.position for event in page]
            origins = self._home.views.read(partial(origins_of, positions=positions))
            for event in page:
                if event.position > cut.position:
                    return
                position = event.position
                if not names or event.space in names:
                    left = None if left is None else left - 1
                    yield entry(event, origins.get(position))
            if not page:
                if position < cut.position and not (names or only_kinds):
                    raise CorruptLog(f"event {position + 1} is missing", position)
                return

    def _page(
        self, after: Position, limit: int, space: str | None, kinds: Sequence[str]
    ) -> builtins.list[Event]:
        """The next events, held against the chain; those before a damaged one come before it."""
        log = self._home.log
        try:
            page = log.read(after, limit, space, kinds)
            return builtins.list(proven(log, [event.position for event in page]).values())
        except CorruptLog:
            if limit == 1:
                raise
            return self._page(after, limit // 2, space, kinds)

    def everything(self) -> dict[MemoryId, Item]:
        """Every memory of this space in whatever state, by id: what a comparison needs."""
        cut = self._cut()
        rows = self._home.views.read(lambda db: listed(db, self.space, cut.position, STATUSES))
        return {item.memory_id: item for item in self._items(rows, cut)}

    def counts(self) -> tuple[Count, ...]:
        """How many memories the home holds, by space, kind and status."""
        cut = self._cut()
        rows = self._home.views.read(lambda db: counts(db, cut.position))
        return tuple(Count(*row) for row in rows)

    def settings(self) -> Settings:
        """The settings in force in this space."""
        return self._settings(self._cut())

    # -- shared by the questions -------------------------------------------------------

    def _filter(
        self,
        space: str,
        kinds: Sequence[str],
        tags: Sequence[str],
        source: str | None,
        place: str | None,
    ) -> Filter:
        wanted = checked_texts("kinds", kinds)
        for kind in wanted:
            if kind not in KINDS:
                raise InvalidField("kinds", f"{kind!r} is unknown", f"use {', '.join(KINDS)}")
        if checked_text("source", source) == "":
            raise InvalidField("source", "is empty", "give a source, or leave it out")
        keys = [
            tag_key(self._home.log.secret, tag)
            for tag in dict.fromkeys(checked_texts("tags", tags))
        ]
        return Filter(
            kinds=wanted,
            source=source,
            place=None if place is None else normalised_place(place),
            tagged=tuple(self._home.views.read(lambda db: tagged(db, keys, space)))
            if keys
            else None,
        )

    def _settings(self, cut: Cut) -> Settings:
        changed = self._home.views.read(lambda db: settings_as_of(db, self.space, cut.position))
        return settings_from(changed)

    def _pins(self, cut: Cut) -> dict[MemoryId, int | None]:
        pins = self._home.views.read(lambda db: pins_as_of(db, self.space, cut.position))
        return {
            memory_id: expires
            for memory_id, expires in pins.items()
            if expires is None or expires > present(self._home, cut)
        }

    def _items(self, rows: Sequence[MemoryRow], cut: Cut) -> tuple[Item, ...]:
        sources = (self._home.log, self._home.views)
        return read_items(rows, self.space, *by_the_clock(self._home, cut), sources)

    def _conflicts_of(
        self, memory_ids: Sequence[MemoryId], position: Position
    ) -> builtins.list[Position]:
        """Where conflicts of these memories were found or last settled, up to a position."""
        rows = self._home.views.read(lambda db: conflicts_of(db, memory_ids, position))
        return [at for row in rows for at in (row.at, row.until) if at is not None]

    def _uses_of(
        self, memory_ids: Sequence[MemoryId], position: Position
    ) -> builtins.list[Position]:
        """Where these memories were strengthened, weakened or learned of, up to a position."""
        views = self._home.views
        return [
            at
            for one in memory_ids
            for ask in (strength_changed_at, taught_at)
            for at in views.read(partial(ask, memory_id=one))
            if at <= position
        ]

    def _family(self, memory_id: MemoryId, position: Position) -> builtins.list[MemoryId]:
        """A memory with everything up and down its chain."""
        found = {memory_id}
        ahead = [memory_id]
        while ahead:
            one = ahead.pop()
            near = {
                *self._home.views.read(partial(superseded, memory_id=one, position=position)),
                *self._home.views.read(partial(superseders, memory_id=one, position=position)),
            }
            ahead += near - found
            found |= near
        return sorted(found)


def _fits(row: MemoryRow, question: Filter) -> bool:
    """Whether a memory is what a filter asks for, its tags aside."""
    return (
        (not question.kinds or row.kind in question.kinds)
        and (question.source is None or begins(row.source or "", question.source))
        and (question.place is None or begins(row.place or "", question.place))
    )


def _holds(row: MemoryRow, at: int) -> bool:
    return (row.valid_from is None or row.valid_from <= at) and (
        row.valid_until is None or row.valid_until > at
    )
