"""Contradiction settlement: the events that resolve a conflict, at once or later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from mnemolog.ledger.events import (
    ConflictContent,
    Conflicted,
    EdgeContent,
    Linked,
    MemoryContent,
    Remembered,
    Settled,
    Superseded,
    Weakened,
    Winner,
)
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.contradictions.judge import Contradiction, Statement
from mnemolog.policies.contradictions.resolution import Choice
from mnemolog.policies.supersession import (
    Decision,
    Replacement,
    Superseders,
    Target,
    decide_supersession,
    decide_withdrawal,
    why,
)

Policy = Literal["recency", "authority"]
"""By what open conflicts are settled together: the newer stands, or the more reliable."""

CONTRADICTS = "CONTRADICTS"
_WEAKENED = 0.5
_OUT = frozenset({"superseded", "withdrawn", "redacted"})
_EQUAL = 1e-9


class Party(msgspec.Struct, frozen=True):
    """One of the two memories of a conflict."""

    memory_id: MemoryId
    statement: Statement
    status: str = "active"
    immutable: bool = False

    @property
    def target(self) -> Target:
        """The memory as the target of a correction."""
        return Target(self.memory_id, self.status, self.immutable)


class ContradictionFinding(msgspec.Struct, frozen=True):
    """Contradiction that a judge found with an older memory, and its resolution."""

    old: Party
    contradiction: Contradiction
    choice: Choice
    judge: str
    similarity: float | None = None


def statement(structure: Remembered, content: MemoryContent, recorded_at: int) -> Statement:
    """Memory as the input of a judge."""
    began = structure.valid_from
    return Statement(
        text=content.text,
        source=structure.source,
        source_type=structure.source_type,
        confidence=structure.source_confidence * structure.extraction_confidence,
        kind=structure.kind,
        category=structure.category,
        said_at=structure.told_at(recorded_at) if began is None else began,
        valid_from=began,
        valid_until=structure.valid_until,
    )


def tempered(choice: Choice, new: Party, old: Party) -> Choice:
    """Choice, changed to a contest if it would retire an immutable memory."""
    retired = {"superseded": ("older", old), "outdated": ("newer", new)}.get(choice.outcome)
    if retired is None or not retired[1].immutable:
        return choice
    reason = f"{choice.reason} But the {retired[0]} one is immutable."
    return Choice(choice.resolution, "contested", reason)


def counted(findings: Sequence[ContradictionFinding]) -> list[ContradictionFinding]:
    """Findings that apply together: a memory outdated from the start contests nothing else."""
    outdated = [finding for finding in findings if finding.choice.outcome == "outdated"]
    return outdated or list(findings)


def decide_heard(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """Events of conflicts in which the same command supersedes one side anyway."""
    decisions = decide_outcomes(new, findings)
    return [one for one in decisions if not isinstance(one.structure, Superseded)]


def decide_outcomes(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """Events of the conflicts of a memory that is being stored."""
    return [decision for finding in findings for decision in _outcome(new, finding)]


def _outcome(new: Party, finding: ContradictionFinding) -> list[Decision]:
    old, found, choice = finding.old, finding.contradiction, finding.choice
    conflict = Conflicted(
        other=old.memory_id,
        type=found.type,
        severity=found.severity,
        resolution=choice.resolution,
        outcome=choice.outcome,
        judge=finding.judge,
        similarity=None if finding.similarity is None else round(finding.similarity, 4),
    )
    content = ConflictContent(choice.reason, found.attribute)
    decisions = [Decision(conflict, new.memory_id, content)]
    if choice.outcome == "superseded":
        decisions.append(Decision(Superseded(new.memory_id, _old_ends(new, old)), old.memory_id))
        if choice.resolution == "recency":
            decisions.append(Decision(Weakened(_WEAKENED), old.memory_id))
    elif choice.outcome == "outdated":
        decisions.append(Decision(Superseded(old.memory_id, _new_ends(new, old)), new.memory_id))
    elif choice.outcome == "both":
        decisions.append(_linked(new, old, found.condition))
    return decisions


def _old_ends(new: Party, old: Party) -> int:
    """End of the old memory's valid time if the new one wins: the start of the new one's.

    0, before all time, if the old memory describes a later time: it never held then, and no
    question about any time may return it.
    """
    began = new.statement.said_at
    return began if old.statement.said_at <= began else 0


def _new_ends(new: Party, old: Party) -> int:
    """End of the new memory's valid time if the old one wins; see `_old_ends`."""
    began = old.statement.said_at
    return began if new.statement.said_at < began else 0


def _linked(new: Party, old: Party, condition: str | None) -> Decision:
    edge = Linked(CONTRADICTS, target=old.memory_id, origin="inferred")
    content = None if condition is None else EdgeContent(condition=condition)
    return Decision(edge, new.memory_id, content)


class Dispute(msgspec.Struct, frozen=True):
    """Open conflict to settle; `joined` is True if a `contradicts` edge exists already."""

    conflict: EventId
    new: Party
    old: Party
    joined: bool = False


def decide_settlement(
    dispute: Dispute,
    winner: Winner,
    superseders: Superseders,
    overrides: frozenset[MemoryId],
    reason: str | None,
) -> list[Decision]:
    """Events that settle a conflict.

    The winner supersedes the loser. If both win, an edge joins them unless one exists
    already; if neither wins, both are withdrawn. A memory that was removed by other means
    in the meantime is not changed. Raises `ImmutableMemory` if a memory to be removed is
    immutable and not among `overrides`, and `SupersessionCycle`.
    """
    new, old = dispute.new, dispute.old
    settled = Decision(Settled(dispute.conflict, winner), new.memory_id, why(reason))
    if winner == "both":
        return [settled] if dispute.joined else [settled, _linked(new, old, None)]
    if winner == "neither":
        losers = [party for party in (new, old) if party.status not in {"withdrawn", "redacted"}]
        return [settled, *(_withdrawn(loser, overrides) for loser in losers)]
    loser, stands = (old, new) if winner == "new" else (new, old)
    if loser.status in _OUT:
        return [settled]
    ends = _old_ends(new, old) if winner == "new" else _new_ends(new, old)
    by = Replacement(stands.memory_id, ends)
    return [settled, *decide_supersession([loser.target], by, superseders, overrides, None)]


def _withdrawn(loser: Party, overrides: frozenset[MemoryId]) -> Decision:
    return decide_withdrawal(loser.target, overrides, None)


def decide_default(
    conflict: EventId, new: MemoryId, old: MemoryId, losers: Sequence[MemoryId]
) -> Decision:
    """Event that settles a conflict in which one side, or both, no longer hold."""
    winner: Winner = "new" if old in losers else "old"
    if new in losers and old in losers:
        winner = "neither"
    return Decision(Settled(conflict, winner), new)


def decide_by_policy(dispute: Dispute, policy: Policy, superseders: Superseders) -> list[Decision]:
    """Events that settle a conflict by a policy; none if the policy does not decide it.

    Recency also halves the loser's strength. An immutable memory never loses.
    """
    winner = _winner(policy, dispute.new.statement, dispute.old.statement)
    if winner is None:
        return []
    loser = dispute.old if winner == "new" else dispute.new
    if loser.immutable:
        return []
    decisions = decide_settlement(dispute, winner, superseders, frozenset(), f"by {policy}")
    if policy == "recency" and loser.status not in _OUT:
        decisions.append(Decision(Weakened(_WEAKENED), loser.memory_id))
    return decisions


def _winner(policy: Policy, new: Statement, old: Statement) -> Literal["new", "old"] | None:
    newer: Literal["new", "old"] = "new" if new.said_at >= old.said_at else "old"
    if policy == "recency":
        return newer
    difference = new.confidence - old.confidence
    if abs(difference) > _EQUAL:
        return "new" if difference > 0 else "old"
    users = [one.source_type == "user_stated" for one in (new, old)]
    if users[0] != users[1]:
        return "new" if users[0] else "old"
    same = (new.source, new.source_type) == (old.source, old.source_type)
    return newer if same else None
