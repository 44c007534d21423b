"""Appending of a caller's own events: kinds of the vocabulary or custom kinds."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from mnemolog.application.commands.command import open_edge
from mnemolog.application.commands.drafts import NewEvent, own_draft
from mnemolog.application.commands.receipts import Receipt, as_event, receipt
from mnemolog.application.home.references import events_named, memory_named
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger.errors import (
    ContentTooLarge,
    InvalidField,
    UnknownConflict,
)
from mnemolog.ledger.events import (
    Conflicted,
    Draft,
    Linked,
    MemoryContent,
    Reinstated,
    Reopened,
    Settled,
    Superseded,
    Unlinked,
)
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Expected
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.supersession import (
    check_no_cycle,
)
from mnemolog.projections.memory_queries import superseders


def append_event(
    space: WritableSpace, events: Sequence[NewEvent], expected: Expected | None = None
) -> Receipt:
    """Receipt of a caller's events, of the vocabulary or of custom kinds, appended all or nothing.

    `expected` is the state that the caller decided on. Raises `StaleExpectation`,
    `EventIdTaken`, `InvalidField`, and `UnknownMemory` for an event of the
    vocabulary about a memory that does not exist.
    """
    if not isinstance(events, Sequence) or not all(isinstance(e, NewEvent) for e in events):
        raise InvalidField("events", "are no sequence of `NewEvent`", "give a list of them")
    if expected is not None and not isinstance(expected, Expected):
        raise InvalidField("expected", "is no `Expected`", "give one, or leave it out")
    cut = space.cut()
    batch = [own_draft(event, space.author, cut.instant) for event in events]
    if not batch:
        raise InvalidField("events", "are none", "give at least one")
    _check_concerned(space, batch, cut)
    appended = space.home.log.append(batch, expected)
    return receipt(batch, appended, space.home.follow())


def _check_concerned(space: WritableSpace, batch: Sequence[Draft], cut: Cut) -> None:
    """Check that a command could have produced these events of the vocabulary."""
    made = {item.memory_id for item in batch if item.kind == "remembered"}
    above: dict[MemoryId, builtins.list[MemoryId]] = {}

    def superseded_by(one: MemoryId) -> builtins.list[MemoryId]:
        known = space.home.views.read(lambda db: superseders(db, one, cut.position))
        return [*known, *above.get(one, ())]

    for item in batch:
        if item.memory_id is not None and item.memory_id not in made:
            memory_named(space, item.memory_id, cut)
        decoded = VOCABULARY.decode(as_event(item, cut.position))
        structure = decoded.structure
        if isinstance(structure, Superseded | Reinstated) and structure.by not in made:
            memory_named(space, structure.by, cut)
        _check_joined(space, structure, batch, cut)
        if isinstance(structure, Superseded) and item.memory_id is not None:
            above.setdefault(item.memory_id, []).append(structure.by)
            check_no_cycle([item.memory_id], structure.by, superseded_by)
        if isinstance(decoded.content, MemoryContent):
            size = len(decoded.content.text.encode())
            limit = settings_of(space, cut).content_limit_bytes
            if size > limit:
                raise ContentTooLarge(size, limit)


def _check_joined(
    space: WritableSpace, structure: object, batch: Sequence[Draft], cut: Cut
) -> None:
    """Check that edges and conflicts refer to existing memories, and that ended ones exist."""
    made = {item.memory_id for item in batch if item.kind == "remembered"}
    if isinstance(structure, Conflicted) and structure.other not in made:
        memory_named(space, structure.other, cut)
    if isinstance(structure, Linked) and structure.target not in {None, *made}:
        memory_named(space, structure.target or "", cut)
    if isinstance(structure, Unlinked):
        open_edge(space, structure.edge, cut)
    if isinstance(structure, Settled | Reopened):
        found = {item.event_id for item in batch if item.kind == "conflicted"}
        known = () if structure.conflict in found else events_named(space, structure.conflict)
        if structure.conflict not in found and not any(
            event.kind == "conflicted" and event.space == space.name for event in known
        ):
            raise UnknownConflict(structure.conflict, space.name)
