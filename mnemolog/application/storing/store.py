"""Storing of one memory: its events, or those of an earlier try under the same id."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mnemolog.application.commands.command import row_of, superseding
from mnemolog.application.commands.command_history import command_events
from mnemolog.application.commands.receipts import draft
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, Space, WritableSpace, events_of
from mnemolog.application.questions.browse import get_memory
from mnemolog.application.storing.contradiction_check import Check, Rest
from mnemolog.application.storing.recogniser import (
    Recognised,
    asked_of,
    reads_lasting,
    recognise,
    surely_lasts,
    with_recognised,
)
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.events import Draft, MemoryContent, Relearned, Remembered, Superseded
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.contradictions import judge
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.policies.retention.forgetting import Weight
from mnemolog.policies.supersession import Decision, Replacement, why
from mnemolog.projections.lifecycle import deleted_as, fingerprint
from mnemolog.recall.items import Item

_SAID_BEFORE = "it was said before what superseded the same"


class Entered(msgspec.Struct, frozen=True):
    """Initial depth weight and summary of an admitted memory."""

    weight: Weight
    summary: str | None


class ReadMemory(NamedTuple):
    """Parts of the event of a memory to store, and what was recognised in its text."""

    parts: tuple[Remembered, MemoryContent]
    recognised: Recognised


def read_memories(
    space: Space,
    items: Sequence[NewMemory],
    parts: Sequence[tuple[Remembered, MemoryContent]],
    settings: Settings,
) -> list[ReadMemory]:
    """Readings of memories to store, made once, however many races their command loses."""
    asked = [asked_of(item, own, settings) for item, own in zip(items, parts, strict=True)]
    return [*map(ReadMemory, parts, recognise(asked, space.home.parts.embedder))]


class ToStore(msgspec.Struct, frozen=True):
    """Memory to store: it supersedes `olds`, `by` supersedes it.

    `rests` are superseded memories, each with a text with what of it still holds. Without
    `read`, the memory is read when it is stored.
    """

    item: NewMemory
    olds: Sequence[MemoryId]
    settings: Settings
    author: Author
    overrides: frozenset[MemoryId] = frozenset()
    reason: str | None = None
    origin: str | None = None
    check: Check | None = None
    entered: Entered | None = None
    by: MemoryId | None = None
    rests: Sequence[Rest] = ()
    read: ReadMemory | None = None


def storing_events(space: WritableSpace, new: ToStore, cut: Cut) -> list[Draft]:
    """Events that store a memory."""
    item, by = new.item, new.by
    (fresh,) = new_event_ids(1, cut.instant)
    event_id = fresh if item.id is None else EventId(parse_id("id", item.id))
    limit = new.settings.content_limit_bytes
    structure, content = own = remembered(item, limit) if new.read is None else new.read.parts
    structure = replace(structure, origin=new.origin)
    if new.entered is not None:
        structure = replace(structure, depth_weight=new.entered.weight)
        content = replace(content, summary=new.entered.summary)
    if item.id is not None and (again := _stored_before(space, event_id, item, structure, content)):
        return again
    recognised = (new.read or read_memories(space, [item], [own], new.settings)[0]).recognised
    structure = with_recognised(structure, recognised)
    if reads_lasting(item, new.settings):
        structure = replace(structure, lasting=recognised.lasting or surely_lasts(structure))
    memory_id = MemoryId(event_id)
    found: list[Decision] = []
    rests: Sequence[Rest] = new.rests
    replaced = [*new.olds]
    if new.check is not None:
        said = judge.statement(structure, content, cut.instant)
        party = judge.party(memory_id, said, structure)
        payload = (structure, content)
        found, superseded, rests = new.check.outcomes(party, payload, by, new.olds)
        structure = replace(structure, judged=new.check.judged(memory_id))
        replaced += superseded
    if replaced and structure.valid_from is None:
        # The replaced memory was valid until now, so the new one is valid from now on.
        structure = replace(structure, valid_from=cut.instant)
    if replaced and reads_lasting(item, new.settings) and not structure.lasting:
        olds = VOCABULARY.structures(events_of(space.home, replaced))
        lasting = any(isinstance(old, Remembered) and old.lasting for old in olds)
        structure = replace(structure, lasting=lasting)
    replacement = Replacement(memory_id, structure.valid_from)
    decisions = superseding(space, new.olds, replacement, new.overrides, new.reason, cut)
    decisions += found
    if by is not None:
        until = row_of(space, by, cut).valid_from
        decisions.append(Decision(Superseded(by, valid_until=until), memory_id, why(_SAID_BEFORE)))
    decisions += _relearning(space, memory_id, content.text, cut)
    ids = new_event_ids(len(decisions), cut.instant)
    stored = draft(Decision(structure, memory_id, content), new.author, event_id, None)
    effects = zip(decisions, ids, strict=True)
    batch = [stored, *(draft(one, new.author, own_id, event_id) for one, own_id in effects)]
    for old, text in rests:
        kept = memory_of_rest(space.at(cut), old, text)
        storing = ToStore(kept, [old], new.settings, new.author, new.overrides, new.reason)
        rest = storing_events(space, storing, cut)
        batch += [replace(one, causation_id=event_id) for one in rest]
    return batch


def _relearning(space: WritableSpace, memory_id: MemoryId, text: str, cut: Cut) -> list[Decision]:
    """Event for a memory that restates one that faded and was deleted; none if there is none."""
    # Asked first, as few spaces have any: a long text takes time to hash.
    if not space.retired.any_deleted(cut.position):
        return []
    kept = fingerprint(space.home.log.secret, text)
    of = space.home.views.read(lambda db: deleted_as(db, space.name, kept, cut.position))
    return [] if of is None else [Decision(Relearned(of), memory_id)]


def _stored_before(
    space: WritableSpace,
    event_id: EventId,
    item: NewMemory,
    structure: Remembered,
    content: MemoryContent,
) -> list[Draft]:
    """Events of an earlier try under this id, to compare with; empty if there was none."""
    for event in events_of(space.home, [MemoryId(event_id)]):
        if isinstance(stored := VOCABULARY.structure(event), Remembered):
            structure = with_first_statement(item, structure, stored)
        decision = Decision(structure, MemoryId(event_id), content)
        first = draft(decision, space.author, event_id, None)
        return [first, *map(as_draft, command_events(space.home.log, event)[1:])]
    return []


def with_first_statement(item: NewMemory, structure: Remembered, stored: Remembered) -> Remembered:
    """Structure of a retry, with the values that the first try found and the caller left out."""
    # If the caller gave no start, the first try set one: it is not part of the retry.
    began = stored.valid_from if structure.valid_from is None else structure.valid_from
    # The same for what the first try recognised, or did not: settings may have changed.
    given = stored.constraint if item.constraint is None else item.constraint
    lasting = stored.lasting if item.lasting is None else structure.lasting
    found: dict[str, object] = {
        "valid_from": began,
        "constraint": given,
        "lasting": lasting,
        "judged": stored.judged,
    }
    if "instructs" in stored.marks:
        found["marks"] = stored.marks
    if "corrects_error" in stored.marks:
        # The first try recognised it as a correction of what it superseded.
        found |= {"marks": stored.marks, "category": stored.category}
    return replace(structure, **found)


def filed_as(original: Item, text: str) -> NewMemory:
    """Memory with another text, filed as the original is."""
    return NewMemory(
        text,
        kind=original.kind,
        category=original.category,
        place=original.place,
        tags=original.tags,
        importance=original.importance,
        volatility=original.volatility,
    )


def memory_of_rest(space: Space, original: MemoryId, text: str) -> NewMemory:
    """Memory that keeps the rest of another, its constraint recognised anew."""
    said = get_memory(space, original)
    return replace(
        filed_as(said, text),
        aliases=said.aliases,
        category=None if said.category == "error_correction" else said.category,
        source=said.source,
        extraction_method=said.extraction_method,
        snippet=said.content,
        marks=tuple(mark for mark in said.marks if mark != "corrects_error"),
    )
