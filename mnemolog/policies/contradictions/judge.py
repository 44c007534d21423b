"""Contradiction judge, the resolution that it suggests, and the settlement of conflicts."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.ledger import events
from mnemolog.ledger.events import ConflictType, Outcome, SourceType
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies import supersession
from mnemolog.policies.constraints.recognition import SAFETY
from mnemolog.policies.supersession import Decision, Replacement, Superseders, Target, why

CLEARLY_MORE_RELIABLE = 0.3
# Confidence from which a contradiction is resolved, and from which a settlement is offered: a
# needless offer costs a glance, a missed one a stale answer.
CERTAIN, OFFERED = 0.95, 0.05
_EQUAL = 1e-9


class Statement(msgspec.Struct, frozen=True):
    """Memory as the input of a judge.

    `confidence` is source confidence times extraction confidence, in [0, 1]. `said_at` is the
    start of the valid time, or else of recording; times are in microseconds since 1970 UTC.
    """

    text: str
    source: str | None = None
    source_type: SourceType = "user_stated"
    confidence: float = 0.9
    kind: events.MemoryKind = "semantic"
    category: str | None = None
    said_at: int = 0
    valid_from: int | None = None
    valid_until: int | None = None


class Contradiction(msgspec.Struct, frozen=True):
    """Contradiction between two memories.

    `attribute` describes the attribute in words; `time_sensitive` says whether it changes with
    time, as a home does and a date of birth does not. `condition`, stated by one memory, is one
    under which both may hold ('at work', 'in winter'). `reason` is a readable sentence.
    `confidence` is the probability of the contradiction. `kept` is a text with what of the old
    memory still holds, "" if nothing does, and None if the judge cannot tell.
    """

    type: ConflictType
    severity: events.Severity
    attribute: str | None
    time_sensitive: bool
    condition: str | None
    reason: str
    confidence: float = 1.0
    kept: str | None = None


class Choice(msgspec.Struct, frozen=True):
    """Resolution strategy, its outcome for these two memories, and the reason in a sentence."""

    resolution: events.Resolution
    outcome: Outcome
    reason: str


class Judge(Protocol):
    """Port: decides whether a new memory contradicts an old one.

    A contradiction of less confidence than `OFFERED` counts as none, except among the candidates
    of a correction.

    A judge may also have `prepare(new, olds)`, which makes several judgements ready at once,
    `at_once`, the number of memories that it compares with a new one at most, and `reads(text)`,
    False of a text that states nothing to judge.
    """

    @property
    def name(self) -> str:
        """Name of the judge, as stored in the event of a conflict."""

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""


def choose_resolution(found: Contradiction, new: Statement, old: Statement) -> Choice:
    """Resolution strategy for a contradiction, and its outcome.

    | contradiction | strategy |
    | --- | --- |
    | of less than certain confidence | escalate: a settlement is offered |
    | of minor severity | recency |
    | granularity, or a value where one memory states a condition | conditional: both stand |
    | of another value | recency if it changes with time, else authority |
    | other, and the confidences differ by more than 0.3 | authority |
    | other, and one memory states a condition | conditional |
    | other | escalate |

    Recency keeps the newer memory: the old one is `superseded`, or the new one `outdated` if it
    describes an earlier time. Authority keeps the more reliable one; see `more_reliable`. If
    neither is, the new one is `contested`.

    A memory that says more than the disputed point is retired only if the judge says what of it
    is kept, because the rest would be lost with it. Otherwise the new one is `contested`, not
    `both`: it is marked wherever it is shown and listed among the open conflicts, lest the stale
    half is read as true.
    """
    if found.confidence < CERTAIN:
        return Choice("escalate", "offered", f"{found.reason} It is not certain.")
    strategy = _strategy(found, new, old)
    if strategy == "conditional":
        return Choice(strategy, "both", f"{found.reason} Both stand: {found.condition}.")
    if strategy == "escalate":
        return Choice(strategy, "pending", f"{found.reason} Nothing says which of them is right.")
    newer: bool | None = True
    reason = "The newer one stands"
    if strategy == "authority":
        newer, reason = more_reliable(new, old)
    elif new.said_at < old.said_at:
        newer, reason = False, "The new one tells of an earlier time"
    outcome: Outcome = "superseded" if newer else "contested"
    if strategy == "recency" and not newer:
        outcome = "outdated"
    retired = old if newer else new
    known = newer and found.kept is not None
    if outcome != "contested" and not known and not says_one_thing(retired.text):
        more = f"{'the old one' if newer else 'it'} says more than that"
        outcome, reason = "contested", f"{reason}, but {more}"
    return Choice(strategy, outcome, f"{found.reason} {reason}.")


def _strategy(found: Contradiction, new: Statement, old: Statement) -> events.Resolution:
    if found.severity == "minor":
        return "recency"
    conditional = found.condition is not None
    if conditional and found.type in {"value", "granularity"}:
        return "conditional"
    if found.type == "value":
        return "recency" if found.time_sensitive else "authority"
    if abs(new.confidence - old.confidence) > CLEARLY_MORE_RELIABLE + _EQUAL:
        return "authority"
    return "conditional" if conditional else "escalate"


def more_reliable(new: Statement, old: Statement) -> tuple[bool | None, str]:
    """True if the new memory is the more reliable, None if neither is; and the reason.

    At equal confidence, a user's unprompted statement is, or the newer of one source.
    """
    if abs(new.confidence - old.confidence) > _EQUAL:
        wins, why = new.confidence > old.confidence, "The {} one is more reliable"
    elif (new.source_type == "user_stated") != (old.source_type == "user_stated"):
        wins, why = new.source_type == "user_stated", "The user said the {} one"
    elif (new.source, new.source_type) == (old.source, old.source_type):
        wins, why = new.said_at >= old.said_at, "The same source said the {} one later"
    else:
        return None, "Two sources are equally reliable"
    return wins, why.format("new" if wins else "old")


Policy = Literal["recency", "authority"]  # the newer stands, or the more reliable

CONTRADICTS = "CONTRADICTS"
_WEAKENED = 0.5
_OUT = frozenset({"superseded", "withdrawn", "redacted"})


class Party(msgspec.Struct, frozen=True):
    """One of the two memories of a conflict; `safety` says that it keeps somebody safe."""

    memory_id: MemoryId
    statement: Statement
    status: str = "active"
    immutable: bool = False
    safety: bool = False

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
    """Open conflict to settle.

    `joined` is True if a `contradicts` edge exists already, `offered` if the settlement was.
    """

    conflict: EventId
    new: Party
    old: Party
    joined: bool = False
    offered: bool = False


def statement(
    structure: events.Remembered, content: events.MemoryContent, recorded_at: int
) -> Statement:
    """Memory as the input of a judge."""
    began = structure.valid_from
    trust = structure.source_confidence * structure.extraction_confidence
    source = structure.source, structure.source_type, trust
    said_at = structure.stated_at(recorded_at) if began is None else began
    times = said_at, began, structure.valid_until
    return Statement(content.text, *source, structure.kind, structure.category, *times)


def party(memory_id: MemoryId, said: Statement, structure: events.Remembered) -> Party:
    """Active memory as one of the two of a conflict."""
    safety = structure.constraint == SAFETY
    return Party(memory_id, said, immutable=structure.immutable, safety=safety)


def tempered(choice: Choice, found: Contradiction, new: Party, old: Party) -> Choice:
    """Choice, changed if it would retire an immutable memory or, by a model, a safety constraint.

    Who is allergic to penicillin and was prescribed it is still allergic: only what is a safety
    constraint itself replaces one without being asked, or what a rule reads.
    """
    unasked = choice.outcome == "superseded" and found.confidence < 1
    if unasked and old.safety and not new.safety:
        return Choice("escalate", "offered", f"{found.reason} But the older one is about safety.")
    for outcome, retired, which in (("superseded", old, "older"), ("outdated", new, "newer")):
        if choice.outcome == outcome and retired.immutable:
            reason = f"{choice.reason} But the {which} one is immutable."
            return Choice(choice.resolution, "contested", reason)
    return choice


def counted(findings: Sequence[ContradictionFinding]) -> list[ContradictionFinding]:
    """Findings that apply together: a memory outdated from the start contests nothing else."""
    return [one for one in findings if one.choice.outcome == "outdated"] or list(findings)


def decide_outcomes(new: Party, findings: Sequence[ContradictionFinding]) -> list[Decision]:
    """Events of the conflicts of a memory that is being stored."""
    decisions: list[Decision] = []
    for finding in findings:
        old, found, choice = finding.old, finding.contradiction, finding.choice
        cosine = None if finding.similarity is None else round(finding.similarity, 4)
        what = found.type, found.severity, choice.resolution, choice.outcome
        conflict = events.Conflicted(old.memory_id, *what, finding.judge, cosine)
        content = events.ConflictContent(choice.reason, found.attribute)
        decisions.append(Decision(conflict, new.memory_id, content))
        if choice.outcome in {"superseded", "outdated"}:
            loses = choice.outcome == "superseded"
            loser, winner = (old, new) if loses else (new, old)
            by = events.Superseded(winner.memory_id, _ends(loser, winner, old_loses=loses))
            decisions.append(Decision(by, loser.memory_id))
            if loses and choice.resolution == "recency":
                decisions.append(Decision(events.Weakened(_WEAKENED), loser.memory_id))
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

    The winner supersedes the loser. If both win, an edge joins them unless one exists already;
    if neither wins, both are withdrawn. A memory that was removed meanwhile is not changed.
    Raises `ImmutableMemory` for one to remove that is not among `overrides`, and
    `SupersessionCycle`.
    """
    new, old = dispute.new, dispute.old
    settled = Decision(events.Settled(dispute.conflict, winner), new.memory_id, why(reason))
    if winner == "both":
        # That two memories hold which only might exclude each other is no contradiction.
        linked = dispute.joined or dispute.offered
        return [settled] if linked else [settled, _linked(new, old, None)]
    if winner == "neither":
        losers = [party for party in (new, old) if party.status not in {"withdrawn", "redacted"}]
        withdrawal = supersession.decide_withdrawal
        return [settled, *(withdrawal(one.target, overrides, None) for one in losers)]
    loser, stands = (old, new) if winner == "new" else (new, old)
    if loser.status in _OUT:
        return [settled]
    by = Replacement(stands.memory_id, _ends(loser, stands, old_loses=winner == "new"))
    decide = supersession.decide_supersession
    return [settled, *decide([loser.target], by, superseders, overrides, None)]


def decide_default(
    conflict: EventId, new: MemoryId, old: MemoryId, losers: Sequence[MemoryId]
) -> Decision:
    """Event that settles a conflict in which one side or both no longer hold."""
    winner: events.Winner = "neither" if new in losers else "new"
    return Decision(events.Settled(conflict, winner if old in losers else "old"), new)


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
