"""How a command is carried out: decided on the present state, and appended all at once."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.overdue_falls import overdue_falls, strengths_locked
from mnemolog.application.commands.receipts import Receipt, receipt
from mnemolog.application.home.home import Home
from mnemolog.application.home.mentions import naming
from mnemolog.application.home.space import Author, Cut
from mnemolog.application.questions.recall import Questions
from mnemolog.ledger.errors import (
    StaleExpectation,
    UnknownEdge,
    UnknownMemory,
)
from mnemolog.ledger.events import (
    Draft,
    Event,
)
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId, Position
from mnemolog.ledger.log import Expected, Quiet
from mnemolog.policies.contradictions.settlement import decide_default
from mnemolog.policies.supersession import (
    Decision,
    Replacement,
    Target,
    all_above,
    decide_supersession,
)
from mnemolog.projections.conflicts import conflicts_of, is_open
from mnemolog.projections.edges import EdgeRow, edge_at
from mnemolog.projections.memory_queries import MemoryRow, known_of, rows_as_of, superseders
from mnemolog.recall.search.question import PLAIN_STATUSES

Decide = Callable[[Cut], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""Decides a command as of a moment: its events, and the memories that it was decided on."""

Consulting = Callable[[Consulted, Cut], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""The same, with a judge and a summarizer to consult."""


class Guard(Protocol):
    """What a command was decided on beside single memories."""

    def guard(self) -> Quiet | None:
        """What may not be appended meanwhile, beside what names one of those memories."""
        ...


class Commanding(Questions):
    """What the commands of a space are made with, beside the questions to it."""

    def __init__(self, home: Home, author: Author) -> None:
        super().__init__(home, author.space)
        self._author = author

    def _cut(self) -> Cut:
        return Cut(*self._home.present())

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        """Hold what ticks, uses and all that keeps a memory from falling take turns by."""
        with strengths_locked(self._home):
            yield

    def _command_in_turn(
        self, decide: Consulting, check: Guard | None = None
    ) -> tuple[builtins.list[Draft], Receipt]:
        """Decide and append as `_command` does, while nothing fades, is of use or is destroyed."""
        return in_turn(
            Consulted(self._home),
            self._taking_turns,
            lambda consulted: decide(consulted, self._cut()),
            lambda consulted: self._command(partial(decide, consulted), check),
        )

    def _command(
        self, decide: Decide, check: Guard | None = None
    ) -> tuple[builtins.list[Draft], Receipt]:
        """Decide and append; decide again whenever another writer was first."""
        while True:
            cut = self._cut()
            batch, touched = decide(cut)
            quiet = None if check is None else check.guard()
            if quiet is None and touched:
                # A redaction of several memories at once concerns no single one.
                quiet = Quiet(self.space, cut.position, naming(touched))
            try:
                appended = self._home.log.append(batch, self._expected(touched, cut, quiet))
            except StaleExpectation:
                continue
            return batch, receipt(batch, appended, self._home.follow())

    def _overdue(
        self, memory_ids: Sequence[MemoryId], cut: Cut, consulted: Consulted
    ) -> builtins.list[Decision]:
        return overdue_falls(self._home, self.space, memory_ids, cut, consulted)

    def _expected(
        self, memory_ids: Iterable[MemoryId], cut: Cut, quiet: Quiet | None = None
    ) -> Expected:
        """What was decided on: the last positions of memories, and what else stays quiet."""
        last = {one: self._last_position(one, cut) for one in dict.fromkeys(memory_ids)}
        return Expected(last, quiet=quiet)

    def _last_position(self, memory_id: MemoryId, cut: Cut) -> Position:
        events = self._home.log.concerning(memory_id)
        return max(event.position for event in events if event.position <= cut.position)

    def _memories(self, references: Iterable[str], cut: Cut) -> builtins.list[MemoryId]:
        """The memories that references name, each once."""
        named = builtins.list(references)
        # Whole ids together: what was of use is reported by the ten, at every answer.
        whole = [one for one in named if isinstance(one, str) and len(one) == ID_DIGITS]
        ask = partial(known_of, space=self.space, references=whole, position=cut.position)
        known = self._home.views.read(ask) if whole else frozenset()
        return builtins.list(
            dict.fromkeys(
                MemoryId(one) if isinstance(one, str) and one in known else self._memory(one, cut)
                for one in named
            )
        )

    def _row(self, memory_id: MemoryId, cut: Cut) -> MemoryRow:
        rows = self._home.views.read(lambda db: rows_as_of(db, [memory_id], cut.position))
        if memory_id not in rows:
            raise UnknownMemory(memory_id, self.space)
        return rows[memory_id]

    def _target(self, reference: str, cut: Cut) -> Target:
        row = self._row(self._memory(reference, cut), cut)
        return Target(row.memory_id, row.status, row.immutable, row.memory_id in self._pins(cut))

    def _superseding(
        self,
        olds: Sequence[MemoryId],
        new: Replacement,
        overrides: frozenset[MemoryId],
        reason: str | None,
        cut: Cut,
    ) -> builtins.list[Decision]:
        if not olds:
            return []
        rows = [self._row(old, cut) for old in olds]
        decisions = decide_supersession(
            [Target(row.memory_id, row.status, row.immutable) for row in rows],
            new,
            lambda memory_id: self._superseders(memory_id, cut),
            overrides,
            reason,
        )
        return decisions + self._ending(olds, cut, by=new.memory_id)

    def _superseders(self, memory_id: MemoryId, cut: Cut) -> tuple[MemoryId, ...]:
        return self._home.views.read(lambda db: superseders(db, memory_id, cut.position))

    def _rivals(
        self, olds: Sequence[MemoryId], new: MemoryId | None, cut: Cut
    ) -> dict[MemoryId, str]:
        """What took the place of memories before `new` and is left standing, with a warning."""
        return {
            one: f"{old} was superseded by {one} before, which still stands; supersede that as "
            "well if it no longer holds"
            for old in olds
            for one in sorted(all_above(old, lambda memory: self._superseders(memory, cut)))
            if one not in {new, *olds} and self._row(one, cut).status in PLAIN_STATUSES
        }

    def _ending(
        self, losers: Sequence[MemoryId], cut: Cut, by: MemoryId | None = None
    ) -> builtins.list[Decision]:
        """What settles the open conflicts of memories that no longer stand.

        With all others, or with the one alone that takes their place.
        """
        rows = self._home.views.read(lambda db: conflicts_of(db, losers, cut.position))
        return [
            decide_default(row.conflict, row.new, row.other, losers)
            for row in rows
            if is_open(row) and (by is None or by in {row.new, row.other})
        ]

    def _still_there(self, memory_ids: Iterable[MemoryId]) -> builtins.list[Event]:
        """The events of those of these memories that still have their content."""
        known = self._home.log.positions_of([EventId(one) for one in memory_ids])
        events = self._home.log.events_at(sorted(known.values()))
        return [event for event in events if event.content is not None]

    def _open_edge(self, edge_id: EventId, cut: Cut) -> EdgeRow:
        row = self._home.views.read(lambda db: edge_at(db, self.space, edge_id, cut.position))
        if row is None:
            raise UnknownEdge(edge_id)
        return row
