"""The commands of a space: each decides on the present state and appends events."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Protocol

from ledger.errors import (
    ContentTooLarge,
    InvalidField,
    StaleExpectation,
    UnknownConflict,
    UnknownEdge,
    UnknownMemory,
)
from ledger.events import (
    VOCABULARY,
    Configured,
    Conflicted,
    Draft,
    Event,
    Linked,
    MemoryContent,
    Reinstated,
    Reopened,
    SettingValue,
    Settled,
    Superseded,
    Unlinked,
)
from ledger.ids import ID_DIGITS, EventId, MemoryId, Position
from ledger.log import Appended, Expected
from mnemolog.drafting import Author, NewEvent, drafts, own_draft
from mnemolog.erasure import erase, positions_of
from mnemolog.fading import overdue_falls, raised, strengths_locked
from mnemolog.home import Home
from mnemolog.merged import reached_by
from mnemolog.naming import Cut
from mnemolog.questions import Questions
from mnemolog.receipts import Receipt, Redaction, as_event, receipt
from mnemolog.settings import checked_settings
from mnemolog.undo import (
    BeforeCommand,
    check_not_undone,
    command_events,
    dependents,
    last_command,
)
from policies.conflicts import decide_default
from policies.corrections import (
    Decision,
    Replacement,
    Target,
    check_no_cycle,
    decide_pin,
    decide_supersession,
    decide_unpin,
    decide_withdrawal,
    why,
)
from policies.memories import (
    Time,
    instant,
)
from policies.undoing import decide_undo
from projections.conflicts import conflicts_of, is_open
from projections.edges import EdgeRow, edge_at
from projections.memory_queries import MemoryRow, known_of, rows_as_of, superseders

Decide = Callable[[Cut], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""Decides a command as of a moment: its events, and the memories that it was decided on."""


class Guard(Protocol):
    """What a command was decided on beside single memories."""

    def guard(self) -> tuple[str, Position] | None:
        """The space to which nothing may be appended after a position; None if anything may."""
        ...


class Commands(Questions):
    """Commands to one space of a home, beside the questions to it."""

    def __init__(self, home: Home, author: Author) -> None:
        super().__init__(home, author.space)
        self._author = author

    def _cut(self) -> Cut:
        return Cut(*self._home.present())

    # -- commands ----------------------------------------------------------------------

    def append(self, events: Sequence[NewEvent], expected: Expected | None = None) -> Receipt:
        """Append events of the vocabulary or of kinds of your own, all or nothing.

        `expected` is what they were decided on. Raises `StaleExpectation`,
        `EventIdTaken`, `InvalidField`, and `UnknownMemory` for events of the
        vocabulary about a memory that is not there.
        """
        if not isinstance(events, Sequence) or not all(isinstance(e, NewEvent) for e in events):
            raise InvalidField("events", "are no sequence of `NewEvent`", "give a list of them")
        if expected is not None and not isinstance(expected, Expected):
            raise InvalidField("expected", "is no `Expected`", "give one, or leave it out")
        cut = self._cut()
        batch = [own_draft(event, self._author, cut.instant) for event in events]
        if not batch:
            raise InvalidField("events", "are none", "give at least one")
        self._check_concerned(batch, cut)
        appended = self._home.log.append(batch, expected)
        self._home.head()
        return receipt(batch, appended)

    def withdraw(
        self, reference: str, *, reason: str | None = None, override: bool = False
    ) -> Receipt:
        """Take a memory out of all answers; it stays for audit, and `undo` brings it back."""

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            target = self._target(reference, cut)
            overrides = frozenset({target.memory_id}) if override else frozenset()
            decisions = [decide_withdrawal(target, overrides, reason)]
            decisions += self._ending([target.memory_id], cut)
            return drafts(decisions, self._author, cut.instant), [target.memory_id]

        return self._command(decide)[1]

    def pin(
        self, reference: str, *, until: Time | None = None, reason: str | None = None
    ) -> Receipt:
        """Hold a memory in working memory, for good or until a time."""
        expires_at = instant("until", until)

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            target = self._target(reference, cut)
            decision = decide_pin(target, expires_at, cut.instant, reason)
            decisions = [decision, *self._overdue([target.memory_id], cut)]
            return drafts(decisions, self._author, cut.instant), [target.memory_id]

        with self._taking_turns():
            return self._command(decide)[1]

    def unpin(self, reference: str, *, reason: str | None = None) -> Receipt:
        """Let a memory go from working memory. Raises `InvalidState` if it is not pinned."""

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            target = self._target(reference, cut)
            decision = decide_unpin(target, reason)
            decisions = [decision, *self._overdue([target.memory_id], cut)]
            return drafts(decisions, self._author, cut.instant), [target.memory_id]

        with self._taking_turns():
            return self._command(decide)[1]

    def configure(
        self, settings: Mapping[str, SettingValue], *, reason: str | None = None
    ) -> Receipt:
        """Change settings of this space; None sets one back to its default."""
        changes = dict(sorted(checked_settings(settings).items()))

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            decision = Decision(Configured(changes), None, why(reason))
            return drafts([decision], self._author, cut.instant), []

        with self._taking_turns():
            return self._command(decide)[1]

    def undo(self, reference: str | None = None, *, reason: str | None = None) -> Receipt:
        """Reverse a command, named by any of its events, or the last one not undone yet.

        Raises `CannotUndo` for redactions, for events of a caller's own kind,
        and, naming them, where later events depend on the command.
        """

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            event = (
                last_command(self._home, self.space, cut)
                if reference is None
                else (self._event(reference))
            )
            command = command_events(self._home.log, event)
            check_not_undone(self._home, command, cut)
            later = dependents(self._home, command, cut)
            before = BeforeCommand(self._home, self.space, command[0].position, cut.instant)
            decisions = decide_undo(command, later, before, reason)
            touched = [d.memory_id for d in decisions if d.memory_id is not None]
            if command[0].kind != "ticked":
                decisions += self._overdue(builtins.list(dict.fromkeys(touched)), cut)
                decisions += raised(self._home, self.space, decisions, cut)
            return drafts(decisions, self._author, cut.instant), touched

        with self._taking_turns():
            return self._command(decide)[1]

    def redact(
        self,
        *references: str,
        reason: str | None = None,
        override: bool = False,
        timeout_s: float = 10.0,
    ) -> Redaction:
        """Destroy the content of memories, or of single events, for good.

        A memory's id stands for all that was said of it; `@position` of another
        event for that event. What was merged from a memory goes with it, and with a
        merged one its parts; `changed` names them. Envelope, structure and digest stay, so the log
        still verifies. Waits up to `timeout_s` for readers of old pages. Raises
        `UnknownMemory`, `UnknownEvent`, `ImmutableMemory`.
        """
        if not references:
            raise InvalidField("reference", "is missing", "name what to redact")
        with self._taking_turns():
            batch, positions, appended, told = self._redacted(references, reason, override=override)
        complete = erase(self._home, positions, timeout_s)
        whole = receipt(batch, appended)
        return Redaction(
            memory_id=whole.memory_id,
            position=whole.position,
            recorded_at=whole.recorded_at,
            events=whole.events,
            erased=tuple(positions),
            complete=complete,
            changed=(f"events whose content is destroyed: {len(positions)}", *told),
            warnings=whole.warnings,
        )

    # -- how commands are carried out --------------------------------------------------

    def _redacted(
        self, references: Sequence[str], reason: str | None, *, override: bool
    ) -> tuple[builtins.list[Draft], builtins.list[Position], Appended, tuple[str, ...]]:
        """The events of a redaction, the positions whose content went, and what else it reached."""
        while True:
            cut = self._cut()
            named = [self._event_or_memory(reference, cut) for reference in references]
            memories = [MemoryId(one.event_id) for one in named if one.kind == "remembered"]
            reached = reached_by(self._home, memories, cut)
            events = [*named, *self._still_there(reached.because)]
            overrides = frozenset(event.event_id for event in events if override)
            positions, decision = positions_of(self._home, events, cut, overrides, reason)
            gone = [MemoryId(event.event_id) for event in events if event.kind == "remembered"]
            decisions = [decision, *self._ending(gone, cut), *reached.decisions()]
            batch = drafts(decisions, self._author, cut.instant)
            # Merged with others meanwhile, their words would stand on in the merged one.
            expected = Expected({one: self._last_position(one, cut) for one in gone})
            with suppress(StaleExpectation):
                appended = self._home.log.append(batch, expected, erase=positions)
                return batch, positions, appended, reached.told()

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        """Hold what ticks, uses and all that keeps a memory from falling take turns by."""
        with strengths_locked(self._home):
            yield

    def _command(
        self, decide: Decide, check: Guard | None = None
    ) -> tuple[builtins.list[Draft], Receipt]:
        """Decide and append; decide again whenever another writer was first."""
        while True:
            cut = self._cut()
            batch, touched = decide(cut)
            quiet = None if check is None else check.guard()
            expected = Expected(
                {one: self._last_position(one, cut) for one in dict.fromkeys(touched)},
                quiet=quiet,
            )
            try:
                appended = self._home.log.append(batch, expected if touched or quiet else None)
            except StaleExpectation:
                continue
            self._home.head()
            return batch, receipt(batch, appended)

    def _overdue(self, memory_ids: Sequence[MemoryId], cut: Cut) -> builtins.list[Decision]:
        return overdue_falls(self._home, self.space, memory_ids, cut)

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
                MemoryId(one) if one in known else self._memory(one, cut) for one in named
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

    def _event_or_memory(self, reference: str, cut: Cut) -> Event:
        if reference.startswith("@"):
            return self._event(reference)
        memory_id = self._memory(reference, cut)
        return self._home.log.concerning(memory_id)[0]

    def _open_edge(self, edge_id: EventId, cut: Cut) -> EdgeRow:
        row = self._home.views.read(lambda db: edge_at(db, self.space, edge_id, cut.position))
        if row is None:
            raise UnknownEdge(edge_id)
        return row

    def _check_concerned(self, batch: Sequence[Draft], cut: Cut) -> None:
        """Refuse events of the vocabulary that no command would have come to."""
        made = {item.memory_id for item in batch if item.kind == "remembered"}
        above: dict[MemoryId, builtins.list[MemoryId]] = {}

        def superseded_by(one: MemoryId) -> builtins.list[MemoryId]:
            known = self._home.views.read(lambda db: superseders(db, one, cut.position))
            return [*known, *above.get(one, ())]

        for item in batch:
            if item.memory_id is not None and item.memory_id not in made:
                self._memory(item.memory_id, cut)
            decoded = VOCABULARY.decode(as_event(item, cut.position))
            structure = decoded.structure
            if isinstance(structure, Superseded | Reinstated) and structure.by not in made:
                self._memory(structure.by, cut)
            self._check_joined(structure, batch, cut)
            if isinstance(structure, Superseded) and item.memory_id is not None:
                above.setdefault(item.memory_id, []).append(structure.by)
                check_no_cycle([item.memory_id], structure.by, superseded_by)
            if isinstance(decoded.content, MemoryContent):
                size = len(decoded.content.text.encode())
                limit = self._settings(cut).content_limit_bytes
                if size > limit:
                    raise ContentTooLarge(size, limit)

    def _check_joined(self, structure: object, batch: Sequence[Draft], cut: Cut) -> None:
        """Refuse an edge or a conflict with what is not there, or the end of none."""
        made = {item.memory_id for item in batch if item.kind == "remembered"}
        if isinstance(structure, Conflicted) and structure.other not in made:
            self._memory(structure.other, cut)
        if isinstance(structure, Linked) and structure.target not in {None, *made}:
            self._memory(structure.target or "", cut)
        if isinstance(structure, Unlinked):
            self._open_edge(structure.edge, cut)
        if isinstance(structure, Settled | Reopened):
            found = {item.event_id for item in batch if item.kind == "conflicted"}
            known = () if structure.conflict in found else self._referenced(structure.conflict)
            if structure.conflict not in found and not any(
                event.kind == "conflicted" and event.space == self.space for event in known
            ):
                raise UnknownConflict(structure.conflict, self.space)
