"""What a contradiction comes to: the events that resolve it, at once or when it is settled."""

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
        """The memory as what a correction is about."""
        return Target(self.memory_id, self.status, self.immutable)


class ContradictionFinding(msgspec.Struct, frozen=True):
    """A contradiction that a judge found with an older memory, and what is done about it."""

    old: Party
    contradiction: Contradiction
    choice: Choice
    judge: str
    similarity: float | None = None


def statement(structure: Remembered, content: MemoryContent, recorded_at: int) -> Statement:
    """A memory as a judge sees it."""
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
    """The choice, or a contest where it would retire a memory that is immutable."""
    retired = {"superseded": ("older", old), "outdated": ("newer", new)}.get(choice.outcome)
    if retired is None or not retired[1].immutable:
        return choice
    reason = f"{choice.reason} But the {retired[0]} one is immutable."
    return Choice(choice.resolution, "contested", reason)


def counted(findings: Sequence[ContradictionFinding]) -> list[ContradictionFinding]:
    """The findings that stand together: what is outdated from the start contests nothing else."""
    outdated = [finding for finding in findings if finding.choice.outcome == "outdated"]
    return outdated or list(findings)


def decide_heard(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """The events of conflicts of which one side is superseded by the same command anyway."""
    decisions = decide_outcomes(new, findings)
    return [one for one in decisions if not isinstance(one.structure, Superseded)]


def decide_outcomes(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """The events of the conflicts of a memory that is being stored."""
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
    """Where the old memory's valid time ends if the new one stands: where that began.

    Before all time if the old one tells of a later time: it never held then, and no
    question about any time is to find it in the other's place.
    """
    began = new.statement.said_at
    return began if old.statement.said_at <= began else 0


def _new_ends(new: Party, old: Party) -> int:
    """Where the new memory's valid time ends if the old one stands; likewise."""
    began = old.statement.said_at
    return began if new.statement.said_at < began else 0


def _linked(new: Party, old: Party, condition: str | None) -> Decision:
    edge = Linked(CONTRADICTS, target=old.memory_id, origin="inferred")
    content = None if condition is None else EdgeContent(condition=condition)
    return Decision(edge, new.memory_id, content)


class Dispute(msgspec.Struct, frozen=True):
    """An open conflict that is to be settled; `joined` if an edge says already that they differ."""

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
    """The events that settle a conflict.

    The memory that loses is superseded by the one that wins; where both stand they
    are joined by an edge, unless they are already, and where neither does both are
    withdrawn. What was taken out by other means meanwhile is left as it is. Raises
    `ImmutableMemory` for one to be taken out that is not among `overrides`,
    `SupersessionCycle`.
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
    """The event that settles a conflict of which one side, or both, no longer stand."""
    winner: Winner = "new" if old in losers else "old"
    if new in losers and old in losers:
        winner = "neither"
    return Decision(Settled(conflict, winner), new)


def decide_by_policy(dispute: Dispute, policy: Policy, superseders: Superseders) -> list[Decision]:
    """The events that settle a conflict by a policy; none where it does not tell.

    By recency the loser's strength halves besides. An immutable memory never loses.
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
