"""Events of the ledger and their payloads: long, because it lists every kind.

Of a payload, structure is kept for good: ids, kinds, numbers, times (microseconds since 1970
UTC). Content can be destroyed: text and whatever quotes it. Both are JSON without fields that
hold their default. To change a default, raise the kind's version and add an upcaster.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.tiers import Tier

MemoryKind = Literal["episodic", "semantic", "procedural", "preference"]
SourceType = Literal["user_stated", "inferred", "external", "system"]
Importance = Literal["high", "medium", "low"]
Volatility = Literal["stable", "normal", "volatile"]
Mark = Literal["emphasised", "corrects_error", "serves_goal", "instructs"]
SettingValue = str | int | float | bool | None
EdgeOrigin = Literal["verified", "inferred", "speculative"]
ConflictType = Literal["direct", "value", "temporal", "granularity"]
Severity = Literal["minor", "major"]
Resolution = Literal["recency", "authority", "conditional", "escalate"]
Outcome = Literal["superseded", "outdated", "contested", "pending", "both", "offered"]
Winner = Literal["new", "old", "both", "neither"]
Job = Literal["recency", "decay", "archiving", "forgetting", "consolidation", "centrality"]
ConsolidationTrigger = Literal["recalled", "linked", "lasting", "confirmed", "helped", "repeated"]
Relevance = Literal["high", "medium", "low"]
Novelty = Literal["new", "related", "known"]
Vote = Literal["hot", "warm", "cold", "wrong", "spark"]

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
    """An appended event. Without `content` and `salt`, `content_hash` tells if it ever had any."""

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


Envelope = tuple[
    Position, bytes, str, str, int, Micros, str, bytes | None, str | None, bytes | None
]
Row = tuple[*Envelope, str, str | None, bytes | None, bytes | None, bytes]
"""The columns of `events`, in the order of the table."""

HashedRow = tuple[int, int, bytes | None, bytes | None, bytes | None, bytes]
"""Hash inputs of an event, joined by SQLite: position; time; leaf, NULL if a part is mistyped;
salted content, empty if one is there without the other; content hash; digest."""


class Payload(msgspec.Struct, frozen=True, gc=False):
    """One part of a known kind's payload, structure or content."""


class Remembered(Payload, frozen=True):
    """A memory was stored; the event's id is the memory's."""

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
    judged: bool = False  # It was compared with the stored memories like it.
    origin: str | None = None  # A later version of the same imported piece supersedes it.
    said_at: Instant | None = None  # When it was last said, if before it was recorded.
    lasting: bool = False  # It never fades.

    def stated_at(self, recorded_at: int) -> int:
        """The instant at which it was last said, never after it was recorded."""
        return recorded_at if self.said_at is None else min(self.said_at, recorded_at)


class MemoryContent(Payload, frozen=True):
    """Text of a memory, and texts that quote or name it; `summary` for a longer admitted one."""

    text: str
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    source_note: str | None = None
    snippet: str | None = None
    summary: str | None = None


class Superseded(Payload, frozen=True):
    """The event's memory was replaced, and holds until `valid_until` or, if None, until now."""

    by: MemoryId
    valid_until: Instant | None = None
    override: bool = False


class Reinstated(Payload, frozen=True):
    """The event's memory is no longer replaced by `by`; sheltered as `Restored` says."""

    by: MemoryId
    sheltered_until: Instant | None = None


class Withdrawn(Payload, frozen=True):
    """The event's memory was taken out of all answers."""

    override: bool = False


class Restored(Payload, frozen=True):
    """A withdrawal was reversed; the memory is sheltered until then or, if None, until now."""

    sheltered_until: Instant | None = None


class Pinned(Payload, frozen=True):
    """The event's memory is held in working memory, until `expires_at` if given."""

    expires_at: Instant | None = None


class Unpinned(Payload, frozen=True):
    """The event's memory was let go from working memory; sheltered as `Restored` says."""

    sheltered_until: Instant | None = None


class Redacted(Payload, frozen=True):
    """The content of these events was destroyed: ids, for an import changes positions."""

    events: tuple[EventId, ...]
    override: bool = False


class Undone(Payload, frozen=True):
    """The command whose first event is `command` was reversed."""

    command: EventId


class Configured(Payload, frozen=True):
    """Settings of the space that change outcomes; None is the default again."""

    settings: dict[str, SettingValue]


class Linked(Payload, frozen=True):
    """An edge began, from the event's memory to `target`; its id is the event's."""

    type: str
    target: MemoryId | None = None  # Where either is None, the content names a thing.
    confidence: Share = 1.0
    origin: EdgeOrigin = "verified"
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    evidence: tuple[MemoryId, ...] = ()  # Its text came from these.


class EdgeContent(Payload, frozen=True):
    """Names of what an edge joins, if no memories; when it holds, in words; why it was made."""

    source: str | None = None
    target: str | None = None
    condition: str | None = None
    reason: str | None = None


class Unlinked(Payload, frozen=True):
    """An edge ended."""

    edge: EventId


class Conflicted(Payload, frozen=True):
    """The event's memory disagrees with the older one `other`; the event's id is the conflict's."""

    other: MemoryId
    type: ConflictType
    severity: Severity
    resolution: Resolution
    # The new memory superseded the old one, was `outdated` from the start, stays `contested` or
    # `pending` until someone settles it, `both` stay, or both stay and a settlement is `offered`.
    outcome: Outcome
    judge: str
    similarity: Signed | None = None  # Cosine of the two texts.


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
    """The strength of the event's memory was multiplied by `factor`."""

    factor: Share


class Strengthened(Payload, frozen=True):
    """The event's memory fades from a strength, at `since` or now, its rate times `slowing`."""

    strength: Share
    since: Instant | None = None
    slowing: Factor = 1.0
    accesses: Count | None = None
    accessed_at: Instant | None = None


class Recalled(Payload, frozen=True):
    """Memories were used: each gains `gain` of strength, up to 1; `slowing` multiplies its rate."""

    memories: tuple[MemoryId, ...]
    at: Instant
    gain: Gain = 0.15
    slowing: Factor = 0.8


class RecalledContent(Payload, frozen=True):
    """The cue that brought memories back, where the space keeps cues."""

    cue: str


class Ticked(Payload, frozen=True):
    """Time passed up to `until`; what fell due follows: `falls` memories, counted once a tier."""

    until: Instant
    falls: Count = 0


class Degraded(Payload, frozen=True):
    """The event's memory fell to a lower tier."""

    tier: Tier
    strength: Share  # When it fell due.
    below_since: Instant
    due_at: Instant
    fingerprint: str | None = None  # Keyed hash, in hexadecimal, of a text that goes with it.


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
    """The event's memory or, without one, the edges of the space were consolidated."""

    triggers: tuple[ConsolidationTrigger, ...] = ()
    persistence: Real = 0.0
    merged: MemoryId | None = None  # It supersedes `parts`, the event's memory among them.
    parts: tuple[MemoryId, ...] = ()


class Maintained(Payload, frozen=True):
    """Jobs of upkeep were done."""

    jobs: tuple[Job, ...]
    through: Place | None = None  # Position up to which they looked; None in older logs.
    at: Instant | None = None  # When, by a clock that is behind the log; else None.


class Scores(msgspec.Struct, frozen=True, gc=False):
    """Scores of submitted content: parts of its activation, with the noise that was drawn."""

    base_level: Real
    spreading: Real | None
    partial_match: Real
    noise: Real
    relevance: Relevance
    novelty: Novelty
    nearest: MemoryId | None = None
    similarity: Signed | None = None  # Cosine to the `nearest` memory.


class Admitted(Payload, frozen=True):
    """The event's memory was stored because of its scores; `of` had put it into the buffer."""

    scores: Scores
    of: EventId | None = None


class Reinforced(Payload, frozen=True):
    """Depth weight of the event's memory after its content was met again; `of` as above."""

    depth_weight: tuple[Positive, Positive]
    scores: Scores | None = None
    of: EventId | None = None


class Met(Payload, frozen=True):
    """A keyed hash, in hexadecimal, of what was submitted; it goes with the memory's own."""

    digest: str


class Buffered(Payload, frozen=True):
    """Content waits in the buffer as `memory` would be; with `of` alone, that event's again."""

    memory: Remembered | None = None
    scores: Scores | None = None
    of: EventId | None = None


class Dropped(Payload, frozen=True):
    """Content was not let in, or not any longer; only a keyed hash is kept; `of` as above."""

    scores: Scores | None = None
    digest: str | None = None
    of: EventId | None = None


class Neighbourhood(msgspec.Struct, frozen=True, gc=False):
    """Place of a query in embedding space: the context that votes on its hits belong to."""

    code: str  # Signs of the vector's numbers after a fixed rotation, in hexadecimal.
    embedder: str
    entity: str | None = None  # Keyed hash, in hexadecimal, of the name and numbers in it.


class Voted(Payload, frozen=True):
    """A vote on the event's memory in a round (from 1); `session` does not reveal its id."""

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
    """A recall session was resolved after some rounds and votes of each kind: what it taught."""

    session: str
    rounds: Count
    context: Neighbourhood
    votes: dict[Vote, Count] = {}
    accepted: tuple[MemoryId, ...] = ()
    lessons: tuple[Lesson, ...] = ()  # For this context alone.
    together: tuple[MemoryId, ...] = ()
    gain: Share = 0.3  # By so much, memories in `together` are associated.
    leads: tuple[Lead, ...] = ()
    evidence: dict[str, Signed] = {}  # By component: how much higher it ranked what was accepted.


class Imported(Payload, frozen=True):
    """Events of another log were taken over; that one ended at `position` with `digest`."""

    digest: str
    position: Place
    after: Place = Position(0)  # Adopted events are those after it, up to `through`.
    through: Place = Position(0)
    settings: tuple[str, ...] = ()  # Of their settings, only these hold.
    positions: tuple[Place, ...] = ()  # There, of events appended anew before this one.
    recorded_at: tuple[Instant, ...] = ()


class Note(Payload, frozen=True):
    """Remark of a command's author."""

    note: str


class Reason(Payload, frozen=True):
    """Why a command was given, in its author's words."""

    reason: str


MOST_PAYLOAD_BYTES = 14 << 20  # Escaped once more, it fits into an export's line.
