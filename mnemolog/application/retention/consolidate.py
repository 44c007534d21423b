"""Consolidation of a space: what is worth it is read for relations, and merged with its likes."""

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
from mnemolog.policies.retention.consolidation import Standing, deserves_it, stated_edge, triggers
from mnemolog.policies.retention.merging import Merge, MergePart, decide_merge
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
"""Kinds of events after which other edges may have lost their ground, or have it still."""


class Consolidation(Results[Receipt], frozen=True):
    """What one run of consolidation did in a space.

    `steps` are the receipts of its commands, one a memory that was taken up; `dropped` is
    that of the edges that were ended or drawn anew, if there were any. `merged` counts the
    memories that were made of several, `linked` the edges that were drawn from texts.
    `left` is how much waits for the next run: memories, and one more for the edges.
    """

    _over = "steps"

    steps: tuple[Receipt, ...] = ()
    dropped: Receipt | None = None
    merged: int = 0
    linked: int = 0
    left: int = 0


class _Quiet:
    """That nothing that matters for a step is appended to a space while it is decided on.

    What others write of other memories does not: they may write without a pause. Where
    they do so of what the step is about, it is left for the next run.
    """

    def __init__(self, space: str) -> None:
        self._quiet = Quiet(space, Position(0))
        self._tries = 0

    def begin(self, what: str, cut: Cut) -> None:
        """Begin another try. Raises `InvalidState` after too many."""
        self._quiet = Quiet(self._quiet.space, cut.position)
        self._tries += 1
        if self.gave_up:
            raise InvalidState(what, "changing without a pause", "the next run tries again")

    @property
    def gave_up(self) -> bool:
        """Whether it was tried too often."""
        return self._tries > _TRIES

    def narrow(self, matters: Callable[[Event], bool]) -> None:
        """Say what matters for what was decided; all does until then."""
        self._quiet = msgspec.structs.replace(self._quiet, matters=matters)

    def guard(self) -> Quiet:
        """The space, where it was looked at, and what matters of what came since."""
        return self._quiet


def consolidate(space: WritableSpace, *, limit: int = _STEPS) -> Consolidation:
    """Consolidate the memories that are worth it, at most `limit`, the worthiest first.

    Each is a command of its own, which `undo` reverses; a memory is taken up once. It
    is read for relations, which become inferred edges between the things that it
    names, and merged with what says the same: the merged memory has the fullest of
    their texts, supersedes them and names them as evidence. Edges that nobody verified
    and nobody believes end. Safe while others write.
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
    """What consolidating one memory came to; None if others were first to change it."""

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
        # What is merged goes on from how strong its parts are.
        return command_in_turn(space, decide, quiet)[1]
    except InvalidState:
        return None


def _consolidation_events(
    space: WritableSpace, part: MergePart, standing: Standing, merge: Merge | None, cut: Cut
) -> builtins.list[Draft]:
    """The events of one step: that it was done, what was merged, and what was linked."""
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
        # In no run: it was not said in the talk of any of its parts, but in all of them.
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
    """The edges that a memory, or what it became, states and that are not there yet."""
    text = part.content.text if merge is None else merge.content.text
    stated_by = (part.memory_id,) if merge is None else merge.structure.evidence
    for relation in relations(text):
        edge = stated_edge((relation.source, relation.type, relation.target), part, stated_by)
        if not _edges_between(space, edge.source, edge.type, edge.target, cut):
            yield edge


def _mend_edges(space: WritableSpace, quiet: _Quiet) -> Receipt | None:
    """End what edges nobody verified and nobody believes; None if there are none.

    What is stated still, by others than it was drawn from, is drawn from those.
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
    """Tells of an event whether it matters for a step that these memories come to by a batch.

    What names one of them may have destroyed, disputed or replaced it. What may join them
    and is not among them is taken up by itself. An edge may be one that the batch draws.
    """
    names = naming(of)
    draws = any(event.kind == "linked" for event in batch)
    return lambda event: names(event) or (draws and event.kind == "linked")
