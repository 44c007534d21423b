"""Settlement of open conflicts: one by hand, or all by a policy."""

from __future__ import annotations

import builtins
from typing import get_args

from mnemolog.application.commands.command import command, row_of, superseders_of
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.space import Cut, WritableSpace, events_named
from mnemolog.ledger.errors import AmbiguousId, CorruptLog, InvalidField, UnknownConflict
from mnemolog.ledger.events import Draft, MemoryContent, Winner
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.contradictions.settlement import (
    CONTRADICTS,
    Dispute,
    Party,
    Policy,
    decide_by_policy,
    decide_settlement,
    statement,
)
from mnemolog.projections.conflicts import ConflictRow, conflicts_of, is_open, open_conflicts_as_of
from mnemolog.projections.edges import edges_at
from mnemolog.recall.answers.items import parts
from mnemolog.results import Listing


def settle_conflict(
    space: WritableSpace,
    conflict: str,
    winner: Winner,
    *,
    reason: str | None = None,
    override: bool = False,
) -> Receipt:
    """Receipt of a settled conflict: the winning memory supersedes the losing one.

    `conflict` is its id, a prefix of one, `@position`, or a memory with exactly one
    open conflict. With `both`, an edge joins the memories; with `neither`, both are
    withdrawn. Raises `UnknownConflict`, `AmbiguousId`, `InvalidField`, and
    `ImmutableMemory` if the loser is immutable, unless `override` is given.
    """
    if winner not in get_args(Winner):
        known = ", ".join(get_args(Winner))
        raise InvalidField("winner", f"{winner!r} is unknown", f"use one of {known}")

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        dispute = _dispute(space, _open_conflict(space, conflict, cut), cut)
        both = [dispute.new.memory_id, dispute.old.memory_id]
        overrides = frozenset(both) if override else frozenset()
        decisions = decide_settlement(
            dispute, winner, lambda one: superseders_of(space, one, cut), overrides, reason
        )
        return drafts(decisions, space.author, cut.instant), both

    return command(space, decide)[1]


def settle_conflicts(space: WritableSpace, policy: Policy) -> Listing[Receipt]:
    """Receipts of open conflicts settled by a policy, one command each.

    By `recency` the newer memory wins. By `authority` the more reliable one wins; of two
    equally reliable ones, a user's own statement, or the newer of two by the same source.
    A conflict stays open if the policy does not decide it, or if an immutable memory
    would lose.
    """
    if policy not in get_args(Policy):
        raise InvalidField("policy", f"{policy!r} is unknown", "use recency or authority")
    cut = space.cut()
    rows = space.home.views.read(lambda db: open_conflicts_as_of(db, space.name, cut.position))
    receipts = [_settled_by(space, policy, row.conflict) for row in rows]
    return Listing(one for one in receipts if one is not None)


def _settled_by(space: WritableSpace, policy: Policy, conflict: EventId) -> Receipt | None:
    """Receipt of one settled conflict; None if it was settled before, or stays open."""

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        dispute = _dispute(space, _open_conflict(space, conflict, cut), cut)
        decisions = decide_by_policy(dispute, policy, lambda one: superseders_of(space, one, cut))
        if not decisions:
            raise UnknownConflict(conflict, space.name)
        both = [dispute.new.memory_id, dispute.old.memory_id]
        return drafts(decisions, space.author, cut.instant), both

    try:
        return command(space, decide)[1]
    except UnknownConflict:
        return None


def _open_conflict(space: WritableSpace, reference: str, cut: Cut) -> ConflictRow:
    """Open conflict that a reference names."""
    events = [event for event in events_named(space, reference) if event.space == space.name]
    named = {event.event_id for event in events if event.kind == "conflicted"}
    memories = {event.memory_id for event in events if event.memory_id is not None}
    rows = space.home.views.read(lambda db: conflicts_of(db, sorted(memories), cut.position))
    found = [row for row in rows if is_open(row) and (not named or row.conflict in named)]
    if not found:
        raise UnknownConflict(reference, space.name)
    if len(found) > 1:
        raise AmbiguousId(reference, [row.conflict for row in found])
    return found[0]


def _dispute(space: WritableSpace, row: ConflictRow, cut: Cut) -> Dispute:
    edges = space.home.views.read(lambda db: edges_at(db, space.name, row.new, cut.position))
    joined = any(
        edge.type == CONTRADICTS and row.other in {edge.source, edge.target} for edge in edges
    )
    return Dispute(row.conflict, _party(space, row.new, cut), _party(space, row.other, cut), joined)


def _party(space: WritableSpace, memory_id: MemoryId, cut: Cut) -> Party:
    """Memory as a side of a conflict; without content, only its structure is used."""
    row = row_of(space, memory_id, cut)
    event = next(iter(space.home.log.events_at([row.memory])), None)
    if event is None:
        raise CorruptLog(f"event {row.memory} is missing", row.memory - 1)
    structure, content = parts(event)
    said = statement(structure, content or MemoryContent(""), event.recorded_at)
    return Party(memory_id, said, row.status, row.immutable)
