"""Storing of one memory: its events, or those of an earlier try under the same id."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import msgspec

from mnemolog.application.commands.command import row_of, superseding
from mnemolog.application.commands.command_history import command_events
from mnemolog.application.commands.drafts import draft
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, WritableSpace
from mnemolog.application.storing.contradiction_check import Check
from mnemolog.application.storing.passing_corrections import Heard
from mnemolog.application.storing.recognition import Recogniser
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.events import Draft, MemoryContent, Relearned, Remembered, Superseded
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.contradictions.settlement import (
    Party,
    decide_heard,
    decide_outcomes,
    statement,
)
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.policies.retention.weights import Weight
from mnemolog.policies.supersession import Decision, Replacement, why
from mnemolog.projections.deletions import deleted_as, fingerprint, has_deletions

_SAID_BEFORE = "it was said before what superseded the same"


class Entered(msgspec.Struct, frozen=True):
    """Initial depth weight and summary of an admitted memory."""

    weight: Weight
    summary: str | None


class ToStore(msgspec.Struct, frozen=True):
    """Memory to store that supersedes `olds`, or that `by` supersedes from the start."""

    item: NewMemory
    olds: Sequence[MemoryId]
    settings: Settings
    author: Author
    overrides: frozenset[MemoryId] = frozenset()
    reason: str | None = None
    origin: str | None = None
    check: Check | None = None
    heard: Heard | None = None
    entered: Entered | None = None

    @property
    def by(self) -> MemoryId | None:
        """Memory that supersedes this one from the start; None if there is none."""
        return None if self.heard is None else self.heard.by


def storing_events(space: WritableSpace, new: ToStore, cut: Cut) -> builtins.list[Draft]:
    """Events that store a memory."""
    (fresh,) = new_event_ids(1, cut.instant)
    event_id = fresh if new.item.id is None else EventId(parse_id("id", new.item.id))
    structure, content = remembered(new.item, new.settings.content_limit_bytes)
    structure = msgspec.structs.replace(structure, origin=new.origin)
    if new.entered is not None:
        structure = msgspec.structs.replace(structure, depth_weight=new.entered.weight)
        content = msgspec.structs.replace(content, summary=new.entered.summary)
    if new.item.id is not None:
        again = _stored_before(space, event_id, new.item, structure, content)
        if again:
            return again
    structure = recognised(space, new, structure, content)
    memory_id = MemoryId(event_id)
    found: builtins.list[Decision] = []
    replaced = [*new.olds]
    if new.check is not None:
        said = statement(structure, content, cut.instant)
        party = Party(memory_id, said, immutable=structure.immutable)
        if new.heard is not None:
            found = _contradicting(party, new.heard, new.check)
        if new.by is None:
            retired = [*new.olds, *(() if new.heard is None else new.heard.touched)]
            findings = new.check.findings(party, (structure, content), retired)
            found += decide_outcomes(party, findings)
            replaced += [
                finding.old.memory_id
                for finding in findings
                if finding.choice.outcome == "superseded"
            ]
    if replaced and structure.valid_from is None:
        # The replaced memory was valid until now, so the new one is valid from now on.
        structure = msgspec.structs.replace(structure, valid_from=cut.instant)
    if new.item.lasting is None and new.settings.recognise_lasting:
        lasting = structure.lasting or _any_lasting(space, replaced)
        structure = msgspec.structs.replace(structure, lasting=lasting)
    decisions = superseding(
        space,
        new.olds,
        Replacement(memory_id, structure.valid_from),
        new.overrides,
        new.reason,
        cut,
    )
    decisions += found
    if new.by is not None:
        row = row_of(space, new.by, cut)
        superseded = Superseded(new.by, valid_until=row.valid_from)
        decisions.append(Decision(superseded, memory_id, why(_SAID_BEFORE)))
    decisions += _relearning(space, memory_id, content.text, cut)
    ids = new_event_ids(len(decisions), cut.instant)
    return [
        draft(Decision(structure, memory_id, content), new.author, event_id, None),
        *(
            draft(decision, new.author, own_id, event_id)
            for decision, own_id in zip(decisions, ids, strict=True)
        ),
    ]


def recognised(
    space: WritableSpace, new: ToStore, structure: Remembered, content: MemoryContent
) -> Remembered:
    """Structure with the recognised constraint and lasting flag, where the caller gave none."""
    recogniser = Recogniser(structure, content, space.home.parts.embedder)
    constraint, lasting = structure.constraint, structure.lasting
    if new.settings.recognise_constraints and constraint is None:
        constraint = recogniser.constraint()
    if new.settings.recognise_lasting and new.item.lasting is None:
        lasting = recogniser.lasts(constraint)
    return msgspec.structs.replace(structure, constraint=constraint, lasting=lasting)


def _any_lasting(space: WritableSpace, memory_ids: Sequence[MemoryId]) -> bool:
    """True if any of these memories is a lasting fact; then its replacement is one too."""
    known = space.home.log.positions_of([EventId(one) for one in memory_ids])
    structures = VOCABULARY.structures(space.home.log.events_at(sorted(known.values())))
    return any(isinstance(one, Remembered) and one.lasting for one in structures)


def _relearning(
    space: WritableSpace, memory_id: MemoryId, text: str, cut: Cut
) -> builtins.list[Decision]:
    """Event for a memory that restates one that faded and was deleted; none if there is none."""
    if not space.home.views.read(lambda db: has_deletions(db, space.name)):
        return []
    kept = fingerprint(space.home.log.secret, text)
    of = space.home.views.read(lambda db: deleted_as(db, space.name, kept, cut.position))
    return [] if of is None else [Decision(Relearned(of), memory_id)]


def _contradicting(new: Party, heard: Heard, check: Check) -> builtins.list[Decision]:
    """Conflicts of a memory with those that it corrects, or with the one that corrects it."""
    if heard.by is not None:
        return decide_heard(new, check.heard(new, [heard.by], "outdated", None))
    return decide_heard(new, check.heard(new, heard.touched, "superseded", heard.retracted))


def _stored_before(
    space: WritableSpace,
    event_id: EventId,
    item: NewMemory,
    structure: Remembered,
    content: MemoryContent,
) -> builtins.list[Draft]:
    """Events of an earlier try under this id, to compare with; empty if there was none.

    Raises `EventIdTaken` if another memory has the id.
    """
    known = space.home.log.positions_of([event_id])
    if not known:
        return []
    (event,) = space.home.log.events_at([known[event_id]])
    stored = VOCABULARY.structure(event)
    if isinstance(stored, Remembered):
        structure = as_first_told(item, structure, stored)
    first = draft(Decision(structure, MemoryId(event_id), content), space.author, event_id, None)
    rest = [as_draft(other) for other in command_events(space.home.log, event)[1:]]
    return [first, *rest]


def as_first_told(item: NewMemory, structure: Remembered, stored: Remembered) -> Remembered:
    """Structure of a retry, with the values that the first try found and the caller left out."""
    # If the caller gave no start, the first try set one: it is not part of the retry.
    began = stored.valid_from if structure.valid_from is None else structure.valid_from
    # The same for what the first try recognised, or did not: settings may have changed.
    given = stored.constraint if item.constraint is None else item.constraint
    lasting = stored.lasting if item.lasting is None else structure.lasting
    structure = msgspec.structs.replace(
        structure, valid_from=began, constraint=given, lasting=lasting
    )
    if "corrects_error" in stored.marks:
        # The first try recognised it as a correction of what it superseded.
        structure = msgspec.structs.replace(structure, marks=stored.marks, category=stored.category)
    return structure
