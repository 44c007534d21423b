"""The commands of a space: each decides on the present state and appends events."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Unpack

import msgspec

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
    Remembered,
    Reopened,
    SettingValue,
    Settled,
    Superseded,
    Unlinked,
)
from ledger.ids import EventId, MemoryId, Position, new_event_ids, parse_id
from ledger.log import Expected
from ledger.rows import as_draft
from mnemolog.checking import Check, Checking, checked_checking
from mnemolog.drafting import Author, NewEvent, draft, drafts, own_draft
from mnemolog.erasure import erase, positions_of
from mnemolog.hearing import Heard, Hearing
from mnemolog.home import Home
from mnemolog.importing import Arrival, Importing, ImportReport
from mnemolog.imports.items import ImportItem, Problem
from mnemolog.looking import Cut
from mnemolog.questions import Questions
from mnemolog.receipts import Receipt, Redaction, as_event, receipt, with_findings
from mnemolog.settings import Settings, checked_settings
from mnemolog.undo import (
    BeforeCommand,
    check_not_undone,
    command_events,
    dependents,
    last_command,
)
from policies.conflicts import decide_default, decide_outcomes
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
from policies.limits.classes import constraint_class
from policies.memories import (
    MemoryFields,
    NewMemory,
    Time,
    checked_texts,
    instant,
    remembered,
)
from policies.undoing import decide_undo
from projections.conflicts import conflicts_of, is_open
from projections.edges import EdgeRow, edge_at
from projections.folding import Progress
from projections.memory_queries import MemoryRow, rows_as_of, superseders

_BATCH = 1000
_SAID_BEFORE = "it was said before what superseded the same"
Decide = Callable[[Cut], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""Decides a command as of a moment: its events, and the memories that it was decided on."""


class Storing(msgspec.Struct, frozen=True):
    """A memory to be stored in the place of `olds`, or superseded `by` one from the start."""

    item: NewMemory
    olds: Sequence[MemoryId]
    limit_bytes: int
    author: Author
    overrides: frozenset[MemoryId] = frozenset()
    reason: str | None = None
    origin: str | None = None
    recognises: bool = True
    check: Check | None = None
    by: MemoryId | None = None


class Commands(Questions):
    """Commands to one space of a home, beside the questions to it."""

    def __init__(self, home: Home, author: Author) -> None:
        super().__init__(home, author.space)
        self._author = author
        self._hearing = Hearing(home, author.space)

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

    def remember(
        self,
        content: str | NewMemory,
        *,
        contradictions: Checking | None = None,
        **fields: Unpack[MemoryFields],
    ) -> Receipt:
        """Store one memory; the fields are those of `NewMemory`.

        What it contradicts is resolved, and told by the receipt's `conflicts`. Where
        the text corrects something in passing and one target is clear, it supersedes
        that; where it says again what was corrected after it was first said, it is
        superseded by the correction. `contradictions="off"` stores it as it is; None
        goes by the space's setting. Raises `EmptyContent`, `ContentTooLarge`,
        `InvalidField`, `InvalidTime`, `InvalidNumber`; and what `supersede` raises
        for `supersedes`.
        """
        checked_checking("contradictions", contradictions)
        new, settings = _new(content, fields), self.settings()
        remembered(new, settings.content_limit_bytes)
        (only,) = self._remember([new], settings, contradictions, self._hearing.heard)
        return only

    def remember_many(
        self,
        items: Iterable[NewMemory | str],
        *,
        contradictions: Checking | None = None,
        progress: Progress | None = None,
    ) -> builtins.list[Receipt]:
        """Store memories in the order given, a transaction for each thousand.

        Everything is checked before anything is stored. Each is held against what
        is there and the items before it, as in `remember`.
        """
        checked_checking("contradictions", contradictions)
        new = [_new(item, {}) for item in items]
        settings = self.settings()
        for item in new:
            remembered(item, settings.content_limit_bytes)
        receipts: builtins.list[Receipt] = []
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            receipts += self._remember(part, settings, contradictions, self._hearing.heard_again)
            if progress is not None:
                progress("remembering", start + len(part), len(new))
        return receipts

    def _remember(
        self,
        items: Sequence[NewMemory],
        settings: Settings,
        contradictions: Checking | None,
        hear: Callable[[NewMemory, Cut, Author], Heard],
    ) -> builtins.list[Receipt]:
        """Store one batch; a receipt for each memory, its supersessions included."""
        sizes: builtins.list[int] = []
        check = self._check(contradictions, len(items))

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            sizes.clear()
            if check is not None:
                check.begin(cut.position)
            batch: builtins.list[Draft] = []
            touched: builtins.list[MemoryId] = []
            for item in items:
                heard = Heard(item) if check is None else hear(item, cut, self._author)
                one, decided_on = self._storing_heard(heard, settings, check, cut)
                sizes.append(len(one))
                batch += one
                touched += decided_on
            return batch, [*touched, *([] if check is None else check.touched)]

        batch, whole = self._command(decide, check)
        receipts = _split(batch, whole, sizes)
        told = {} if check is None else check.warnings
        return [with_findings(one, batch, told, self._home.log) for one in receipts]

    def _check(self, contradictions: Checking | None, count: int) -> Check | None:
        """The contradiction check of so many memories; None where it is off."""
        if (contradictions or self.settings().contradictions) == "off":
            return None
        return Check(self._home, self.space, count)

    def _storing_heard(
        self, heard: Heard, settings: Settings, check: Check | None, cut: Cut
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        """The events that storing what was heard comes to, and the memories concerned."""
        named = self._memories(heard.item.supersedes, cut)
        limit = settings.content_limit_bytes
        storing = Storing(
            heard.item,
            [*named, *heard.olds],
            limit,
            self._author,
            recognises=settings.recognise_constraints,
            check=check,
            by=heard.by,
        )
        batch = self._storing(storing, cut)
        for old, item in heard.rewritten:
            more = self._storing(Storing(item, [old], limit, self._author), cut)
            first = batch[0].event_id
            batch += [msgspec.structs.replace(one, causation_id=first) for one in more]
        return batch, [*named, *heard.touched]

    def _storing(self, new: Storing, cut: Cut) -> builtins.list[Draft]:
        """The events that storing a memory comes to."""
        (fresh,) = new_event_ids(1, cut.instant)
        event_id = fresh if new.item.id is None else EventId(parse_id("id", new.item.id))
        structure, content = remembered(new.item, new.limit_bytes)
        structure = msgspec.structs.replace(structure, origin=new.origin)
        if new.recognises and structure.constraint is None:
            structure = msgspec.structs.replace(
                structure, constraint=constraint_class(content.text)
            )
        if new.item.id is not None:
            again = self._stored_before(event_id, new.item, structure, content)
            if again:
                return again
        memory_id = MemoryId(event_id)
        found: builtins.list[Decision] = []
        replaces = bool(new.olds)
        if new.check is not None and new.by is None:
            payload = (structure, content)
            party, findings = new.check.findings(memory_id, payload, cut.instant, new.olds)
            found = decide_outcomes(party, findings)
            replaces |= any(finding.choice.outcome == "superseded" for finding in findings)
        if replaces and structure.valid_from is None:
            # What it replaces held until now, so it is what holds from now on.
            structure = msgspec.structs.replace(structure, valid_from=cut.instant)
        decisions = self._superseding(
            new.olds, Replacement(memory_id, structure.valid_from), new.overrides, new.reason, cut
        )
        decisions += found
        if new.by is not None:
            row = self._row(new.by, cut)
            superseded = Superseded(new.by, valid_until=row.valid_from)
            decisions.append(Decision(superseded, memory_id, why(_SAID_BEFORE)))
        ids = new_event_ids(len(decisions), cut.instant)
        return [
            draft(Decision(structure, memory_id, content), new.author, event_id, None),
            *(
                draft(decision, new.author, own_id, event_id)
                for decision, own_id in zip(decisions, ids, strict=True)
            ),
        ]

    def _stored_before(
        self, event_id: EventId, item: NewMemory, structure: Remembered, content: MemoryContent
    ) -> builtins.list[Draft]:
        """The events of an earlier try under this id, to be met again; none if there was none.

        Raises `EventIdTaken` if another memory has the id.
        """
        known = self._home.log.positions_of([event_id])
        if not known:
            return []
        (event,) = self._home.log.events_at([known[event_id]])
        stored = VOCABULARY.structure(event)
        if isinstance(stored, Remembered):
            # Where the caller gave no start, the first try set one: it is not part of the retry.
            began = stored.valid_from if structure.valid_from is None else structure.valid_from
            # Nor is a class that the first try recognised, or did not: settings may have changed.
            given = stored.constraint if item.constraint is None else item.constraint
            structure = msgspec.structs.replace(structure, valid_from=began, constraint=given)
            if "corrects_error" in stored.marks:
                # As the first try found it to be: a correction of what it superseded.
                structure = msgspec.structs.replace(
                    structure, marks=stored.marks, category=stored.category
                )
        first = draft(
            Decision(structure, MemoryId(event_id), content), self._author, event_id, None
        )
        rest = [as_draft(other) for other in command_events(self._home.log, event)[1:]]
        return [first, *rest]

    def supersede(
        self,
        old: str | Sequence[str],
        content: str | NewMemory | None = None,
        *,
        by: str | None = None,
        reason: str | None = None,
        override: bool = False,
        **fields: Unpack[MemoryFields],
    ) -> Receipt:
        """Say that a newer memory replaces older ones: a new one, or `by` one that is there.

        A new one without `valid_from` holds from now on. Raises `UnknownMemory`,
        `SupersessionCycle`, `InvalidState`, and `ImmutableMemory` unless
        `override` is given, which the ledger records.
        """
        references = [old] if isinstance(old, str) else [*checked_texts("old", old)]
        if not references:
            raise InvalidField("old", "names nothing", "name the memory to supersede")
        if (content is None) == (by is None):
            raise InvalidField("content", "or `by` is needed, not both", "give one of them")

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            olds = self._memories(references, cut)
            overrides = frozenset(olds) if override else frozenset()
            if by is not None:
                new = self._memory(by, cut)
                row = self._row(new, cut)
                replacement = Replacement(new, row.valid_from)
                decisions = self._superseding(olds, replacement, overrides, reason, cut)
                return drafts(decisions, self._author, cut.instant), [*olds, new]
            settings = self._settings(cut)
            new_item = _new(content or "", fields)
            storing = Storing(
                new_item,
                olds,
                settings.content_limit_bytes,
                self._author,
                overrides,
                reason,
                recognises=settings.recognise_constraints,
            )
            return self._storing(storing, cut), olds

        return self._command(decide)[1]

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
            return drafts([decision], self._author, cut.instant), [target.memory_id]

        return self._command(decide)[1]

    def unpin(self, reference: str, *, reason: str | None = None) -> Receipt:
        """Let a memory go from working memory. Raises `InvalidState` if it is not pinned."""

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            target = self._target(reference, cut)
            decision = decide_unpin(target, reason)
            return drafts([decision], self._author, cut.instant), [target.memory_id]

        return self._command(decide)[1]

    def configure(
        self, settings: Mapping[str, SettingValue], *, reason: str | None = None
    ) -> Receipt:
        """Change settings of this space; None sets one back to its default."""
        changes = dict(sorted(checked_settings(settings).items()))

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            decision = Decision(Configured(changes), None, why(reason))
            return drafts([decision], self._author, cut.instant), []

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
            before = BeforeCommand(self._home, self.space, command[0].position)
            decisions = decide_undo(command, later, before, reason)
            touched = [d.memory_id for d in decisions if d.memory_id is not None]
            return drafts(decisions, self._author, cut.instant), touched

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
        event for that event. Envelope, structure and digest stay, so the log
        still verifies. Waits up to `timeout_s` for readers of old pages. Raises
        `UnknownMemory`, `UnknownEvent`, `ImmutableMemory`.
        """
        cut = self._cut()
        if not references:
            raise InvalidField("reference", "is missing", "name what to redact")
        events = [self._event_or_memory(reference, cut) for reference in references]
        overrides = frozenset(event.event_id for event in events if override)
        positions, decision = positions_of(self._home, events, cut, overrides, reason)
        gone = [MemoryId(event.event_id) for event in events if event.kind == "remembered"]
        decisions = [decision, *self._ending(gone, cut)]
        batch = drafts(decisions, self._author, cut.instant)
        appended = self._home.log.append(batch, erase=positions)
        complete = erase(self._home, positions, timeout_s)
        whole = receipt(batch, appended)
        return Redaction(
            memory_id=whole.memory_id,
            position=whole.position,
            recorded_at=whole.recorded_at,
            events=whole.events,
            erased=tuple(positions),
            complete=complete,
            changed=(f"events whose content is destroyed: {len(positions)}",),
            warnings=whole.warnings,
        )

    def import_memories(
        self,
        items: Iterable[ImportItem | Problem],
        progress: Progress | None = None,
        *,
        contradictions: Checking | None = None,
    ) -> ImportReport:
        """Store what an import reads: what is known is passed over, a new version supersedes.

        What is new is held against what is there, as in `remember_many`.
        """
        checked_checking("contradictions", contradictions)
        store = partial(self._store_imported, contradictions)
        report = Importing(self._home, self.space, store).run(items, progress)
        index = self._home.index(self.space)
        index.at(self._home.head(), progress)
        index.grow_graph()
        return report

    def _store_imported(self, contradictions: Checking | None, batch: Sequence[Arrival]) -> int:
        """Store imported memories, each in its own run, in the place of what it supersedes.

        How many conflicts were found.
        """
        check = self._check(contradictions, len(batch))

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            if check is not None:
                check.begin(cut.position)
            settings = self._settings(cut)
            limit, recognises = settings.content_limit_bytes, settings.recognise_constraints
            found: builtins.list[Draft] = []
            touched: builtins.list[MemoryId] = []
            for item, olds in batch:
                author = msgspec.structs.replace(self._author, run=item.run or self._author.run)
                origin = item.origin if item.revisable else None
                by = None
                if check is not None and not olds:
                    by = self._hearing.heard_again(item.memory, cut, author).by
                storing = Storing(
                    item.memory,
                    olds,
                    limit,
                    author,
                    origin=origin,
                    recognises=recognises,
                    check=check,
                    by=by,
                )
                found += self._storing(storing, cut)
                touched += olds if by is None else [by]
            return found, [*touched, *([] if check is None else check.touched)]

        _, whole = self._command(decide, check)
        return sum(event.kind == "conflicted" for event in whole.events)

    # -- how commands are carried out --------------------------------------------------

    def _command(
        self, decide: Decide, check: Check | None = None
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

    def _last_position(self, memory_id: MemoryId, cut: Cut) -> Position:
        events = self._home.log.concerning(memory_id)
        return max(event.position for event in events if event.position <= cut.position)

    def _memories(self, references: Iterable[str], cut: Cut) -> builtins.list[MemoryId]:
        """The memories that references name, each once."""
        return builtins.list(dict.fromkeys(self._memory(one, cut) for one in references))

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


def _new(content: str | NewMemory, fields: MemoryFields) -> NewMemory:
    if isinstance(content, NewMemory):
        return msgspec.structs.replace(content, **fields) if fields else content
    try:
        return NewMemory(content, **fields)
    except TypeError as error:
        raise InvalidField("fields", str(error), "see NewMemory for what there is") from None


def _split(batch: Sequence[Draft], whole: Receipt, sizes: Sequence[int]) -> builtins.list[Receipt]:
    """The receipt of a batch as one for each memory of it."""
    receipts = []
    start = 0
    for size in sizes:
        events = whole.events[start : start + size]
        receipts.append(
            msgspec.structs.replace(
                whole,
                memory_id=batch[start].memory_id,
                position=events[0].position,
                events=events,
                changed=whole.changed[start : start + size],
            )
        )
        start += size
    return receipts
