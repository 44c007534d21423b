"""Contradiction settlement: the events that resolve a conflict, at once or later."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from mnemolog.ledger import events
from mnemolog.ledger.ids_and_times import EventId, MemoryId
from mnemolog.policies.contradictions.judge import Choice, Contradiction, Statement, more_reliable
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


class Dispute(msgspec.Struct, frozen=True):
    """Open conflict to settle; `joined` is True if a `contradicts` edge exists already."""

    conflict: EventId
    new: Party
    old: Party
    joined: bool = False


def statement(
    structure: events.Remembered, content: events.MemoryContent, recorded_at: int
) -> Statement:
    """Memory as the input of a judge."""
    began = structure.valid_from
    return Statement(
        content.text,
        structure.source,
        structure.source_type,
        structure.source_confidence * structure.extraction_confidence,
        structure.kind,
        structure.category,
        structure.told_at(recorded_at) if began is None else began,
        began,
        structure.valid_until,
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
    return [one for one in decisions if not isinstance(one.structure, events.Superseded)]


def decide_outcomes(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """Events of the conflicts of a memory that is being stored."""
    decisions: list[Decision] = []
    for finding in findings:
        old, found, choice = finding.old, finding.contradiction, finding.choice
        conflict = events.Conflicted(
            other=old.memory_id,
            type=found.type,
            severity=found.severity,
            resolution=choice.resolution,
            outcome=choice.outcome,
            judge=finding.judge,
            similarity=None if finding.similarity is None else round(finding.similarity, 4),
        )
        content = events.ConflictContent(choice.reason, found.attribute)
        decisions.append(Decision(conflict, new.memory_id, content))
        if choice.outcome == "superseded":
            by = events.Superseded(new.memory_id, _ends(old, new, old_loses=True))
            decisions.append(Decision(by, old.memory_id))
            if choice.resolution == "recency":
                decisions.append(Decision(events.Weakened(_WEAKENED), old.memory_id))
        elif choice.outcome == "outdated":
            by = events.Superseded(old.memory_id, _ends(new, old, old_loses=False))
            decisions.append(Decision(by, new.memory_id))
        elif choice.outcome == "both":
            decisions.append(_linked(new, old, found.condition))
    return decisions


def _ends(loser: Party, winner: Party, *, old_loses: bool) -> int:
    """End of the loser's valid time: where the winner's starts, or 0, never, if it began later."""
    began, said = winner.statement.said_at, loser.statement.said_at
    return began if said < began or (old_loses and said == began) else 0


def _linked(new: Party, old: Party, condition: str | None) -> Decision:
    edge = events.Linked(CONTRADICTS, target=old.memory_id, origin="inferred")
    content = None if condition is None else events.EdgeContent(condition=condition)
    return Decision(edge, new.memory_id, content)


def decide_settlement(
    dispute: Dispute,
    winner: events.Winner,
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
    settled = Decision(events.Settled(dispute.conflict, winner), new.memory_id, why(reason))
    if winner == "both":
        return [settled] if dispute.joined else [settled, _linked(new, old, None)]
    if winner == "neither":
        losers = [party for party in (new, old) if party.status not in {"withdrawn", "redacted"}]
        return [settled, *(decide_withdrawal(one.target, overrides, None) for one in losers)]
    loser, stands = (old, new) if winner == "new" else (new, old)
    if loser.status in _OUT:
        return [settled]
    by = Replacement(stands.memory_id, _ends(loser, stands, old_loses=winner == "new"))
    return [settled, *decide_supersession([loser.target], by, superseders, overrides, None)]


def decide_default(
    conflict: EventId, new: MemoryId, old: MemoryId, losers: Sequence[MemoryId]
) -> Decision:
    """Event that settles a conflict in which one side, or both, no longer hold."""
    winner: events.Winner = "new" if old in losers else "old"
    if new in losers and old in losers:
        winner = "neither"
    return Decision(events.Settled(conflict, winner), new)


def decide_by_policy(dispute: Dispute, policy: Policy, superseders: Superseders) -> list[Decision]:
    """Events that settle a conflict by a policy; none if it does not: an immutable never loses."""
    new, old = dispute.new.statement, dispute.old.statement
    newer = new.said_at >= old.said_at if policy == "recency" else more_reliable(new, old)[0]
    loser = dispute.old if newer else dispute.new
    if newer is None or loser.immutable:
        return []
    winner: events.Winner = "new" if newer else "old"
    decisions = decide_settlement(dispute, winner, superseders, frozenset(), f"by {policy}")
    if policy == "recency" and loser.status not in _OUT:
        decisions.append(Decision(events.Weakened(_WEAKENED), loser.memory_id))
    return decisions
