"""The events of the ledger: envelope, vocabulary, and decoding of stored bytes.

The file is long because it lists every kind of event in one place.

An event's payload has two parts. Structure is kept for good: ids, kinds,
numbers, times. Content can be destroyed: text and whatever quotes it. Both are
JSON; the stored bytes are the hashed bytes and are never encoded again.

Times inside structures are integers, microseconds since 1970 UTC. Structures
are written without fields that hold their default, so a default is part of a
kind's schema: to change one is to raise the kind's version and add an upcaster.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import EventId, MemoryId, Position

MemoryKind = Literal["episodic", "semantic", "procedural", "preference"]
SourceType = Literal["user_stated", "inferred", "external", "system"]
Importance = Literal["high", "medium", "low"]
Volatility = Literal["stable", "normal", "volatile"]
Mark = Literal["emphasised", "corrects_error", "serves_goal"]
SettingValue = str | int | float | bool | None
EdgeOrigin = Literal["verified", "inferred", "speculative"]
ConflictType = Literal["direct", "value", "temporal", "granularity"]
Severity = Literal["minor", "major"]
Resolution = Literal["recency", "authority", "conditional", "escalate"]
Outcome = Literal["superseded", "outdated", "contested", "pending", "both"]
Winner = Literal["new", "old", "both", "neither"]
Job = Literal["recency", "decay", "archiving", "forgetting", "consolidation", "centrality"]
ConsolidationTrigger = Literal["recalled", "linked", "lasting", "confirmed", "helped", "repeated"]
Relevance = Literal["high", "medium", "low"]
Novelty = Literal["new", "related", "known"]
Vote = Literal["hot", "warm", "cold", "wrong", "spark"]
Tier = Literal["active", "archived", "summarized", "tombstone", "deleted"]
"""Tiers of forgetting, from what is answered as it is to what is destroyed."""

# Bounds of payload values, checked at every read: anybody can write a log that chains.
# Shares leave room for what rounding adds.
Instant = Annotated[int, Meta(ge=-(1 << 62), le=1 << 62)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
Place = Annotated[Position, Meta(ge=0, le=1 << 53)]
Share = Annotated[float, Meta(ge=0, le=1.000001)]
Gain = Annotated[float, Meta(ge=0, le=2)]
Signed = Annotated[float, Meta(ge=-1.000001, le=1.000001)]
Factor = Annotated[float, Meta(ge=0, le=1e6)]
Positive = Annotated[float, Meta(gt=0, le=1e9)]
Real = Annotated[float, Meta(ge=-1e9, le=1e9)]

# gc=False below: what they hold cannot lead back to them, and a fold makes many.


class Draft(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An event that is decided but not yet appended: it has no position and no time."""

    event_id: EventId
    space: str
    kind: str
    actor: str
    structure: bytes
    version: int = 1
    content: bytes | None = None
    memory_id: MemoryId | None = None
    correlation_id: str | None = None
    causation_id: EventId | None = None


class Event(msgspec.Struct, frozen=True, gc=False):
    """An appended event, as the log holds it.

    `content` and `salt` are None if the event never had content or if it was
    destroyed; `content_hash` tells the two apart.
    """

    position: Position
    event_id: EventId
    space: str
    kind: str
    version: int
    recorded_at: Micros
    actor: str
    memory_id: MemoryId | None
    correlation_id: str | None
    causation_id: EventId | None
    structure: bytes
    content: bytes | None
    salt: bytes | None
    content_hash: bytes | None
    digest: bytes

    @property
    def erased(self) -> bool:
        """True if the event had content that has been destroyed."""
        return self.content is None and self.content_hash is not None


class Payload(msgspec.Struct, frozen=True, gc=False):
    """One part of a known kind's payload, structure or content."""


class Remembered(Payload, frozen=True):
    """A memory was stored; the event's id is the memory's.

    `origin` is where an import found it, so that a later version of the same
    piece supersedes it. `said_at` is when it was last said, where that was before it
    was recorded, in microseconds since 1970 UTC. A `lasting` memory never fades.
    """

    kind: MemoryKind = "semantic"
    category: str | None = None
    source: str | None = None
    source_type: SourceType = "user_stated"
    source_confidence: Share = 0.9
    extraction_method: str | None = None
    extraction_confidence: Share = 1.0
    place: str | None = None
    constraint: str | None = None
    evidence: tuple[MemoryId, ...] = ()
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    importance: Importance = "medium"
    volatility: Volatility = "normal"
    marks: tuple[Mark, ...] = ()
    depth_weight: tuple[Positive, Positive] = (2.0, 2.0)
    initial_strength: Share = 1.0
    immutable: bool = False
    origin: str | None = None
    said_at: Instant | None = None
    lasting: bool = False

    def told_at(self, recorded_at: int) -> int:
        """The instant at which it was last said, never after it was recorded."""
        return recorded_at if self.said_at is None else min(self.said_at, recorded_at)


class MemoryContent(Payload, frozen=True):
    """Text of a memory, as given, and the texts that quote or name it.

    `summary` says it in short, where it was admitted and is longer than that.
    """

    text: str
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    source_note: str | None = None
    snippet: str | None = None
    summary: str | None = None


class Superseded(Payload, frozen=True):
    """The event's memory was replaced by a newer one.

    Its valid time ends at `valid_until` or, where that is None, when this event
    was recorded.
    """

    by: MemoryId
    valid_until: Instant | None = None
    override: bool = False


class Reinstated(Payload, frozen=True):
    """The event's memory is no longer replaced by `by`.

    It is sheltered from falling as `Restored` says.
    """

    by: MemoryId
    sheltered_until: Instant | None = None


class Withdrawn(Payload, frozen=True):
    """The event's memory was taken out of all answers."""

    override: bool = False


class Restored(Payload, frozen=True):
    """A withdrawal was reversed.

    The memory is sheltered from falling until now or, where it falls as if nothing had
    happened, until `sheltered_until`, as it was before.
    """

    sheltered_until: Instant | None = None


class Pinned(Payload, frozen=True):
    """The event's memory is held in working memory, until `expires_at` if given."""

    expires_at: Instant | None = None


class Unpinned(Payload, frozen=True):
    """The event's memory was let go from working memory.

    It is sheltered from falling until now or, where a pin was undone, until
    `sheltered_until`, as it was before.
    """

    sheltered_until: Instant | None = None


class Redacted(Payload, frozen=True):
    """The content of these events was destroyed.

    They are named by id: their positions are other ones in a log that imports them.
    """

    events: tuple[EventId, ...]
    override: bool = False


class Undone(Payload, frozen=True):
    """The command whose first event is `command` was reversed."""

    command: EventId


class Configured(Payload, frozen=True):
    """Settings of the space that change outcomes; None is the default again."""

    settings: dict[str, SettingValue]


class Linked(Payload, frozen=True):
    """A typed, directed edge began; the event's id is the edge's.

    It goes from the event's memory or, where it has none, from the thing that the
    content names, to `target` or, where that is None, to the thing that the content
    names. `confidence` is in [0, 1]. `evidence` are the memories whose text it was drawn
    from.
    """

    type: str
    target: MemoryId | None = None
    confidence: Share = 1.0
    origin: EdgeOrigin = "verified"
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    evidence: tuple[MemoryId, ...] = ()


class EdgeContent(Payload, frozen=True):
    """The names of what an edge joins, where those are no memories, and its condition.

    `condition` says when the edge holds, in words; `reason` why it was made.
    """

    source: str | None = None
    target: str | None = None
    condition: str | None = None
    reason: str | None = None


class Unlinked(Payload, frozen=True):
    """An edge ended."""

    edge: EventId


class Conflicted(Payload, frozen=True):
    """The event's memory was found to disagree with an older one; the event's id is the conflict's.

    `outcome` is what was done: the new memory superseded the old one, it was stored
    as `outdated` (superseded by the old one from the start), both stay with the
    new one `contested` or `pending` until someone settles it, or `both` stay for
    good. `similarity` is the cosine of the two texts, `judge` who found it.
    """

    other: MemoryId
    type: ConflictType
    severity: Severity
    resolution: Resolution
    outcome: Outcome
    judge: str
    similarity: Signed | None = None


class ConflictContent(Payload, frozen=True):
    """Subject of a conflict, and the reason for its resolution."""

    reason: str
    attribute: str | None = None


class Settled(Payload, frozen=True):
    """An open conflict was settled in favour of one of the two memories, both, or neither."""

    conflict: EventId
    winner: Winner


class Reopened(Payload, frozen=True):
    """A conflict is no longer settled."""

    conflict: EventId


class Weakened(Payload, frozen=True):
    """The strength of the event's memory was multiplied by `factor`, in [0, 1]."""

    factor: Share


class Strengthened(Payload, frozen=True):
    """The event's memory has the strength `strength`, in [0, 1], and fades from there.

    From `since` on if that is given, else from when this was recorded; `slowing`
    multiplies its rate. `accesses`, if given, and `accessed_at` are the number of its uses
    and the last one.
    """

    strength: Share
    since: Instant | None = None
    slowing: Factor = 1.0
    accesses: Count | None = None
    accessed_at: Instant | None = None


class Recalled(Payload, frozen=True):
    """Memories were used at the instant `at`, which strengthens them.

    Each gains `gain` (its strength stays at most 1), and its rate is multiplied by
    `slowing`.
    """

    memories: tuple[MemoryId, ...]
    at: Instant
    gain: Gain = 0.15
    slowing: Factor = 0.8


class RecalledContent(Payload, frozen=True):
    """The cue that brought memories back, where the space keeps cues."""

    cue: str


class Ticked(Payload, frozen=True):
    """Time was seen to have passed, up to the instant `until`; what fell due follows.

    `falls` is how many memories fell to a lower tier, counted once a tier.
    """

    until: Instant
    falls: Count = 0


class Degraded(Payload, frozen=True):
    """The event's memory fell to a lower tier.

    Its strength was below the tier's limit from `below_since` on, long enough for it
    to fall due at `due_at`, when it was `strength`. `fingerprint` is a keyed hash of
    a text that goes with it, in hexadecimal: it tells equality, nothing else.
    """

    tier: Tier
    strength: Share
    below_since: Instant
    due_at: Instant
    fingerprint: str | None = None


class Summary(Payload, frozen=True):
    """Summary that recall shows in the place of a memory's text."""

    summary: str


class Revived(Payload, frozen=True):
    """The event's memory came back up to a tier; its strength is `strength`."""

    tier: Tier
    strength: Share


class Relearned(Payload, frozen=True):
    """The event's memory says what `of` said, which had faded until it was deleted."""

    of: MemoryId


class Unlearned(Payload, frozen=True):
    """A relearning was undone: the event's memory no longer counts as saying what `of` said."""

    of: MemoryId


class Failed(Payload, frozen=True):
    """A failure of the memory was reported: of what class, and with what in place against it."""

    failure: str
    mitigated: bool = False


class FailureContent(Payload, frozen=True):
    """The cue that failed, as the reporter gives it, and what went wrong."""

    cue: str
    note: str | None = None


class Consolidated(Payload, frozen=True):
    """The event's memory was consolidated: what called for it, and its persistence then.

    `parts`, itself among them, became the memory `merged`, which supersedes them; None
    where it was merged with nothing. Without a memory, the edges of the space were
    consolidated: those that end are in the events that follow.
    """

    triggers: tuple[ConsolidationTrigger, ...] = ()
    persistence: Real = 0.0
    merged: MemoryId | None = None
    parts: tuple[MemoryId, ...] = ()


class Maintained(Payload, frozen=True):
    """These jobs of keeping the space up were done.

    `through` is the position up to which they looked, None in older logs: what was
    appended before this event and after that was not looked at. `at` is when, by a clock
    that is behind the log; None where that is when this was recorded.
    """

    jobs: tuple[Job, ...]
    through: Place | None = None
    at: Instant | None = None


class Scores(msgspec.Struct, frozen=True, gc=False):
    """Scores of submitted content, and the place that they gave it.

    The parts of its activation, with the noise that was drawn; how relevant that made
    it, and how new it was: the cosine to the `nearest` memory, None where there is none.
    """

    base_level: Real
    spreading: Real | None
    partial_match: Real
    noise: Real
    relevance: Relevance
    novelty: Novelty
    nearest: MemoryId | None = None
    similarity: Signed | None = None


class Admitted(Payload, frozen=True):
    """The event's memory was stored because of what its content scored.

    `of` is the event that had put it into the buffer, if it waited there.
    """

    scores: Scores
    of: EventId | None = None


class Reinforced(Payload, frozen=True):
    """The event's memory has this depth weight from here on: what it says was met again.

    `of` as above.
    """

    depth_weight: tuple[Positive, Positive]
    scores: Scores | None = None
    of: EventId | None = None


class Met(Payload, frozen=True):
    """A keyed hash, in hexadecimal, of what was submitted; it goes with the memory's own."""

    digest: str


class Buffered(Payload, frozen=True):
    """Content waits in the buffer; the event's id is that of what waits.

    `memory` is what its memory would be. With `of`, what that event put there waits
    there again, and the rest is left out.
    """

    memory: Remembered | None = None
    scores: Scores | None = None
    of: EventId | None = None


class Dropped(Payload, frozen=True):
    """Content was not let in, or not any longer; nothing of it is kept.

    `digest` is a keyed hash of it, in hexadecimal; `of` as above.
    """

    scores: Scores | None = None
    digest: str | None = None
    of: EventId | None = None


class Neighbourhood(msgspec.Struct, frozen=True, gc=False):
    """Place of a query in embedding space: the context that votes on its hits belong to.

    `code` has one bit a number of the query's vector after a fixed rotation, whether it is
    positive, in hexadecimal; `embedder` made that vector. `entity` is a keyed hash of the
    name of whom or what the query was about, if it was given, and of the numbers in the
    query, if there are any, in hexadecimal.
    """

    code: str
    embedder: str
    entity: str | None = None


class Voted(Payload, frozen=True):
    """The event's memory was voted on in a round (from 1) of a recall session.

    `session` names the session in the log and does not reveal its id.
    """

    session: str
    round: Count
    vote: Vote
    context: Neighbourhood


class Lesson(msgspec.Struct, frozen=True, gc=False):
    """Relevance of a memory to queries of a context: up to 1, below 0 where it misleads."""

    memory: MemoryId
    bearing: Signed


class Lead(msgspec.Struct, frozen=True, gc=False):
    """A memory that reminded of something, and the one that was found through it."""

    spark: MemoryId
    found: MemoryId


class Resolved(Payload, frozen=True):
    """A recall session was resolved: what was learned in it.

    `rounds` is how often was voted, `votes` how many votes there were of each kind.
    `lessons` bear on this context alone. `together` were what was sought, all of them: they
    are associated by `gain`, in [0, 1], from here on. `evidence` is, for each component of
    relevance by name, how far it had ranked what was accepted above the rest, in [-1, 1].
    """

    session: str
    rounds: Count
    context: Neighbourhood
    votes: dict[Vote, Count] = {}
    accepted: tuple[MemoryId, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    together: tuple[MemoryId, ...] = ()
    gain: Share = 0.3
    leads: tuple[Lead, ...] = ()
    evidence: dict[str, Signed] = {}


class Imported(Payload, frozen=True):
    """Events of another log were taken over; that one ended at `position` with `digest`.

    Where they were adopted as they are, they stand after position `after` up to `through`, and
    of the settings in them only those named in `settings` ever hold here. Where they were
    appended anew, they stand just before this event: `positions` and `recorded_at` say where
    and when each of them was recorded there.
    """

    digest: str
    position: Place
    after: Place = Position(0)
    through: Place = Position(0)
    settings: tuple[str, ...] = ()
    positions: tuple[Place, ...] = ()
    recorded_at: tuple[Instant, ...] = ()


class Note(Payload, frozen=True):
    """Remark of a command's author."""

    note: str


class Reason(Payload, frozen=True):
    """Why a command was given, in its author's words."""

    reason: str


MOST_PAYLOAD_BYTES = 14 << 20
"""The most that an event's payload may take: escaped once more, it fits into an export's line."""
