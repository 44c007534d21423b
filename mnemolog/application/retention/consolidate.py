"""Consolidation: infer edges from memories and merge near-duplicates."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

import msgspec

from mnemolog.application.commands.command import command, command_in_turn, row_of, superseding
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.drafts import draft, drafts
from mnemolog.application.commands.link import _edges_between
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.mentions import naming
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.application.retention.inferred_edges import Stated
from mnemolog.application.retention.near_duplicates import Likes
from mnemolog.application.retention.worth import worthy
from mnemolog.language.names.stated_relations import relations
from mnemolog.ledger.errors import InvalidState
from mnemolog.ledger.events import Consolidated, Draft, Event, Unlinked
from mnemolog.ledger.ids import MemoryId, Position, new_event_ids
from mnemolog.ledger.log import Quiet
from mnemolog.policies.linking import NewEdge, decide_link
from mnemolog.policies.retention.consolidation import (
    Merge,
    MergePart,
    Standing,
    decide_merge,
    deserves_it,
    stated_edge,
    triggers,
)
from mnemolog.policies.supersession import Decision, Replacement, why
from mnemolog.projections.edges import edges_as_of
from mnemolog.projections.upkeep import is_consolidated
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Results

_STEPS = 200
_DROPPED = 500
_TRIES = 16
_SAME = "it says the same"
_OF_EDGES = frozenset(
    {"linked", "unlinked", "consolidated", "superseded", "reinstated", "withdrawn", "restored"}
    | {"redacted"}
)
"""Kinds of events that can change which edges are still supported by a memory."""


class Consolidation(Results[Receipt], frozen=True):
    """Consolidation run in a space.

    `steps` are the receipts of its commands, one per memory processed. `dropped` is the receipt
    of the command that ended or redrew edges, if there was one. `merged` counts the merged
    memories created, `linked` the edges inferred from texts. `left` counts the memories that
    remain for the next run, plus one if edges remain.
    """

    _over = "steps"

    steps: tuple[Receipt, ...] = ()
    dropped: Receipt | None = None
    merged: int = 0
    linked: int = 0
    left: int = 0


class _Quiet:
    """Conflict guard of one step: no relevant event may be appended while it is decided.

    Events about other memories are ignored, so other writers may append without pause. After
    too many conflicts the step is left for the next run.
    """

    def __init__(self, space: str) -> None:
        self._quiet = Quiet(space, Position(0))
        self._tries = 0

    def begin(self, what: str, cut: Cut) -> None:
        """Begin another attempt. Raises `InvalidState` after too many."""
        self._quiet = Quiet(self._quiet.space, cut.position)
        self._tries += 1
        if self.gave_up:
            raise InvalidState(what, "changing without a pause", "the next run tries again")

    @property
    def gave_up(self) -> bool:
        """True if the maximum number of attempts is exceeded."""
        return self._tries > _TRIES

    def narrow(self, matters: Callable[[Event], bool]) -> None:
        """Restrict conflicts to events that satisfy `matters`; until then all events conflict."""
        self._quiet = msgspec.structs.replace(self._quiet, matters=matters)

    def guard(self) -> Quiet:
        """Guard for the append: the space, the position read, and the conflict predicate."""
        return self._quiet


def consolidate(space: WritableSpace, *, limit: int = _STEPS) -> Consolidation:
    """Consolidate at most `limit` memories that qualify, by descending persistence.

    Each memory is processed once, by its own command, which `undo` reverses. The text is parsed
    for relations, which become inferred edges between the things that it names. The memory is
    merged with its duplicates: the merged memory takes the fullest of their texts, supersedes
    them and lists them as evidence. Unverified edges of low confidence end. Safe with
    concurrent writers.
    """
    most = checked_limit(limit)
    waiting = worthy(space.home, space.name, space.cut())
    left = max(0, len(waiting) - most)
    steps: builtins.list[Receipt] = []
    for memory_id, standing in waiting[:most]:
        quiet = _Quiet(space.name)
        step = _consolidated(space, memory_id, standing, quiet)
        steps += [] if step is None else [step]
        left += quiet.gave_up
    quiet = _Quiet(space.name)
    dropped = _mend_edges(space, quiet)
    done = steps if dropped is None else [*steps, dropped]
    kinds = [event.kind for step in done for event in step.events]
    return Consolidation(
        steps=tuple(steps),
        dropped=dropped,
        merged=kinds.count("remembered"),
        linked=kinds.count("linked"),
        left=left + (quiet.gave_up or kinds.count("unlinked") >= _DROPPED),
    )


def _consolidated(
    space: WritableSpace, memory_id: MemoryId, standing: Standing, quiet: _Quiet
) -> Receipt | None:
    """Receipt of consolidating one memory; None if another writer changed it first."""

    def decide(
        consulted: Consulted, cut: Cut
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        quiet.begin(memory_id, cut)
        done = space.home.views.read(lambda db: is_consolidated(db, memory_id, cut.position))
        row = row_of(space, memory_id, cut)
        if row.status != "active" or done:
            raise InvalidState(memory_id, "changed by another", "there is nothing to do")
        likes = Likes(space.home, space.name, cut)
        part = likes.part(row)
        merge = decide_merge(part, likes.of(part), partial(likes.disagree, consulted))
        if merge is None and not deserves_it(standing):
            raise InvalidState(memory_id, "like no other", "there is nothing to do")
        of = [memory_id] if merge is None else [one.memory_id for one in merge.parts]
        batch = _consolidation_events(space, part, standing, merge, cut)
        quiet.narrow(_matters_for(of, batch))
        return batch, of

    try:
        # The merged memory's strength is computed from the strengths of its parts.
        return command_in_turn(space, decide, quiet)[1]
    except InvalidState:
        return None


def _consolidation_events(
    space: WritableSpace, part: MergePart, standing: Standing, merge: Merge | None, cut: Cut
) -> builtins.list[Draft]:
    """Events of one step: `Consolidated`, then the merge, then the new edges."""
    root, merged = new_event_ids(2, cut.instant)
    done = Consolidated(triggers(standing), round(standing.persistence.value, 4))
    decisions: builtins.list[Decision] = []
    if merge is not None:
        of = tuple(one.memory_id for one in merge.parts)
        done = msgspec.structs.replace(done, merged=MemoryId(merged), parts=of)
        new = Replacement(MemoryId(merged), merge.structure.valid_from)
        decisions = superseding(space, of, new, frozenset(), _SAME, cut)
        decisions.append(Decision(merge.vitality, MemoryId(merged)))
    decisions += [decide_link(edge, (), ()) for edge in _unknown_edges(space, part, merge, cut)]
    ids = new_event_ids(len(decisions), cut.instant)
    batch = [draft(Decision(done, part.memory_id), space.author, root, None)]
    if merge is not None:
        # No run: the merged memory comes from the conversations of all its parts.
        author = msgspec.structs.replace(space.author, run=None)
        whole = Decision(merge.structure, MemoryId(merged), merge.content)
        batch.append(draft(whole, author, merged, root))
    return batch + [
        draft(decision, space.author, own_id, root)
        for decision, own_id in zip(decisions, ids, strict=True)
    ]


def _unknown_edges(
    space: WritableSpace, part: MergePart, merge: Merge | None, cut: Cut
) -> Iterator[NewEdge]:
    """Edges that a memory, or the merged memory, states and that do not exist yet."""
    text = part.content.text if merge is None else merge.content.text
    stated_by = (part.memory_id,) if merge is None else merge.structure.evidence
    for relation in relations(text):
        edge = stated_edge((relation.source, relation.type, relation.target), part, stated_by)
        if not _edges_between(space, edge.source, edge.type, edge.target, cut):
            yield edge


def _mend_edges(space: WritableSpace, quiet: _Quiet) -> Receipt | None:
    """End unverified edges of low confidence; None if there are none.

    A relation that other memories still state is redrawn with those as evidence.
    """

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        quiet.begin(space.name, cut)
        quiet.narrow(lambda event: event.kind in _OF_EDGES)
        rows = space.home.views.read(lambda db: edges_as_of(db, space.name, cut.position))
        stated = Stated(space.home, space.name, cut)
        dropped = [*islice(stated.dropped(rows), _DROPPED)]
        again = [*islice(stated.drawn_again([row for row, _ in dropped]), 2 * _DROPPED)]
        if not dropped and not again:
            raise InvalidState(space.name, "without faint edges", "there is nothing to do")
        decisions = [Decision(Consolidated(), None)]
        decisions += [
            Decision(Unlinked(row.edge_id), row.source, why(reason)) for row, reason in dropped
        ]
        decisions += [decide_link(edge, (), ()) for edge in again]
        return drafts(decisions, space.author, cut.instant), []

    try:
        return command(space, decide, quiet)[1]
    except InvalidState:
        return None


def _matters_for(of: Sequence[MemoryId], batch: Sequence[Draft]) -> Callable[[Event], bool]:
    """Predicate for appended events that conflict with a step on these memories.

    An event that names one of them may have destroyed, disputed or replaced it. A new memory
    that could join the merge does not conflict: it is consolidated by its own step. A new edge
    conflicts if the batch draws edges, because it may be the same edge.
    """
    names = naming(of)
    draws = any(event.kind == "linked" for event in batch)
    return lambda event: names(event) or (draws and event.kind == "linked")
