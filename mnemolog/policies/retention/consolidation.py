"""Consolidation: how much memories deserve to be kept, which duplicates to merge, and edges."""

import math
from collections.abc import Callable, Iterable, Sequence

import msgspec

from mnemolog.language.sameness import opens_plainly, says_all, tells_of_an_occasion
from mnemolog.ledger import events
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Trace
from mnemolog.ledger.events import MemoryContent, Remembered, Strengthened
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.linking import NewEdge, Thing
from mnemolog.policies.retention.forgetting import centre
from mnemolog.results import Value

MERGED = "consolidation"  # the extraction method of a memory that was merged from others
WORTH = 0.4  # the persistence over which a memory is consolidated
MEANINGFUL = 0.5  # the confidence from which on an edge counts as one that means something
FAINT = 0.1  # the confidence under which an edge that nobody verified is dropped
ASSOCIATIVE = frozenset({"RELATED_TO", "SIMILAR_TO", "ASSOCIATED_WITH"})
GOAL_EDGES = frozenset({"GOAL_SUPPORTS", "APPLIED_IN"})
LASTING_DAYS = 7.0

_RECALLS, _EDGES, _LASTING = 3, 2, 0.3
_MOST_PARTS = 16
_IMPORTANCES = ("high", "medium", "low")
_VOLATILITIES = ("stable", "normal", "volatile")


class Signs(msgspec.Struct, frozen=True):
    """Evidence for a memory's persistence, as of one instant.

    - `accesses` counts its successful recalls.
    - `idle_days` are the days since the last recall, or else since it was remembered.
    - `emphasised`, `corrects_error` and `serves_goal` are its marks, or the equivalent in
      its category and edges.
    - `confirmed`: a conflict was settled in its favour, or a verified edge supports it.
    - `talk` counts the other memories of its run.
    - `degree` and `rank` are those of `indexes.centrality`, each relative to the largest of
      the space, in [0, 1].
    """

    accesses: int = 0
    idle_days: float = 0.0
    emphasised: bool = False
    corrects_error: bool = False
    serves_goal: bool = False
    confirmed: bool = False
    talk: int = 0
    degree: float = 0.0
    rank: float = 0.0
    pinned: bool = False


class Persistence(Value, frozen=True):
    """Persistence of a memory in [0, 1], and its five components, each in [0, 1].

    `value` is 0.25 frequency + 0.20 emphasis + 0.25 centrality + 0.15 recency + 0.15 importance.
    """

    value: float
    frequency: float
    emphasis: float
    centrality: float
    recency: float
    importance: float


class Standing(msgspec.Struct, frozen=True):
    """State of a memory at one instant, as consolidation needs it.

    `edges` counts those that carry meaning. `helped`: it relates to a goal and was used, or an
    edge says so. `lasted` is the minimum persistence over the last seven days; None for a
    younger memory, or one of no worth anyway. `repeats`: it restates a consolidated one.
    """

    signs: Signs
    persistence: Persistence
    edges: int = 0
    helped: bool = False
    lasted: float | None = None
    repeats: bool = False


class WeighedEdge(msgspec.Struct, frozen=True):
    """Edge that may be dropped; `unfounded` if no memory that stated it is valid any more."""

    edge_id: EventId
    memory_id: MemoryId | None
    type: str
    confidence: float
    origin: events.EdgeOrigin
    unfounded: bool = False


class MergePart(msgspec.Struct, frozen=True):
    """Memory that may become part of a merged one.

    It was last said at `said_at`, and last used at `accessed_at`. `status` is contested also
    if a newer memory is in open conflict with it. `strength` is its strength at the instant,
    and `trace` the trace it fades from. `set_apart`: a merge of it was undone.
    """

    memory_id: MemoryId
    structure: Remembered
    content: MemoryContent
    actor: str
    position: int
    said_at: int
    status: str = "active"
    pinned: bool = False
    strength: float = 1.0
    trace: Trace = Trace(1.0, Micros(0))
    accesses: int = 0
    accessed_at: int | None = None
    set_apart: bool = False


class Merge(msgspec.Struct, frozen=True):
    """Merged memory, its parts, oldest first, the one whose words it has, and how it fades."""

    structure: Remembered
    content: MemoryContent
    parts: tuple[MergePart, ...]
    worded: MemoryId
    vitality: Strengthened


def persistence(signs: Signs) -> Persistence:
    """Persistence of a memory from its evidence.

    - frequency: 1 - e^(-0.3 accesses)
    - emphasis: 0.3 emphasised + 0.2 corrects an error + 0.25 serves a goal + 0.15 length of
      talk + 0.1 confirmed, where n other memories of the run give a length of 1 - e^(-n/10)
    - centrality: min(1, 0.4 degree + 0.6 rank)
    - recency: e^(-idle days / 30)
    - importance: 1 if pinned, 0.8 if it serves a goal, else 0
    """
    frequency = -math.expm1(-0.3 * signs.accesses)
    talk = -math.expm1(-signs.talk / 10.0)
    emphasis = 0.3 * signs.emphasised + 0.2 * signs.corrects_error + 0.25 * signs.serves_goal
    emphasis = emphasis + 0.15 * talk + 0.1 * signs.confirmed
    centrality = min(1.0, 0.4 * signs.degree + 0.6 * signs.rank)
    # A clock that was set back must not make a memory more recent than now.
    recency = math.exp(-max(0.0, signs.idle_days) / 30.0)
    importance = 1.0 if signs.pinned else 0.8 if signs.serves_goal else 0.0
    value = 0.25 * frequency + 0.20 * emphasis + 0.25 * centrality
    value = value + 0.15 * recency + 0.15 * importance
    return Persistence(value, frequency, emphasis, centrality, recency, importance)


def triggers(standing: Standing) -> tuple[events.ConsolidationTrigger, ...]:
    """Triggers for consolidating a memory; without one it is not consolidated."""
    called: dict[events.ConsolidationTrigger, bool] = {
        "recalled": standing.signs.accesses >= _RECALLS,
        "linked": standing.edges >= _EDGES,
        "lasting": standing.lasted is not None and standing.lasted > _LASTING,
        "confirmed": standing.signs.confirmed,
        "helped": standing.helped,
        "repeated": standing.repeats,
    }
    return tuple(name for name, holds in called.items() if holds)


def deserves_it(standing: Standing) -> bool:
    """True if a memory has a trigger and its persistence is above the threshold."""
    return standing.persistence.value > WORTH and bool(triggers(standing))


def stated_edge(
    stated: tuple[str, str, str], by: MergePart, evidence: tuple[MemoryId, ...]
) -> NewEdge:
    """Edge between things that a memory states, with its confidence and valid time."""
    (source, relation, target), structure = stated, by.structure
    trust = structure.source_confidence * structure.extraction_confidence
    times = structure.valid_from, structure.valid_until
    ends = Thing(source), relation, Thing(target)
    return NewEdge(*ends, trust, "inferred", *times, evidence=evidence)


def reason_to_drop(edge: WeighedEdge) -> str | None:
    """Reason to drop an unverified edge or plain association, in words; None to keep it."""
    if edge.origin == "verified" and edge.type not in ASSOCIATIVE:
        return None
    if edge.confidence < FAINT:
        return f"its confidence, {edge.confidence:.2f}, is under {FAINT:g}"
    if edge.unfounded and edge.origin == "inferred":
        return "what stated it does not stand any more"
    return None


def may_merge(part: MergePart) -> bool:
    """True if a memory may be merged at all: valid, unpinned, of no import and no occasion."""
    structure = part.structure
    kept = part.status != "active" or part.pinned or part.set_apart or structure.immutable
    tracked = structure.origin is not None or structure.kind == "episodic"
    return not kept and not tracked and not tells_of_an_occasion(part.content.text)


def are_duplicates(one: MergePart, other: MergePart) -> bool:
    """True if two mergeable memories say the same about the same subject, from one source.

    Neither may say more: an additional sentence may retract the other, or state its scope.
    """
    first, second = one.structure, other.structure
    texts = one.content.text, other.content.text
    return (
        (first.source is not None or one.actor == other.actor)
        and len({first.valid_from, second.valid_from} - {None}) <= 1
        and _scope(one) == _scope(other)
        and says_all(*texts)
        and says_all(*reversed(texts))
    )


def _scope(part: MergePart) -> tuple[object, ...]:
    known = part.structure
    kept = known.kind, known.category, known.place, known.constraint, known.valid_until
    # Tags are scopes: a fact true in one scope may be false in another.
    return (*kept, known.source, known.source_type, frozenset(part.content.tags))


def decide_merge(
    first: MergePart, others: Iterable[MergePart], disagree: Callable[[MergePart, MergePart], bool]
) -> Merge | None:
    """Merge of a memory with its duplicates among `others`; None if it has none.

    All are duplicates of each other, and no pair may `disagree`. The merged memory has the
    words of the fullest one; among equals, of the newest that opens with its statement.
    """
    if not may_merge(first):
        return None
    group = [first]
    for other in others:
        if len(group) == _MOST_PARTS:
            break
        if other.memory_id not in {part.memory_id for part in group} and may_merge(other):
            alike = all(are_duplicates(part, other) for part in group)
            if alike and not any(disagree(part, other) for part in group):
                group.append(other)
    if len(group) == 1:
        return None
    parts = sorted(group, key=lambda part: part.position)
    texts = [part.content.text for part in parts]
    # Compare by sentences: 'by the way' makes a text longer, not fuller.
    full = [(sum(says_all(one, other) for other in texts), opens_plainly(one)) for one in texts]
    worded = parts[max(range(len(parts)), key=lambda place: (full[place], place))]
    structure, content = _structure(worded, parts), _content(worded, parts)
    return Merge(structure, content, tuple(parts), worded.memory_id, _vitality(parts))


def _structure(worded: MergePart, parts: Sequence[MergePart]) -> Remembered:
    structures = [part.structure for part in parts]
    # A fact known without a time is not limited to the time of another one.
    began = {one.valid_from for one in structures}
    heaviest = max(structures, key=lambda one: (centre(one.depth_weight), one.depth_weight))
    return msgspec.structs.replace(
        worded.structure,
        source_confidence=max(one.source_confidence for one in structures),
        extraction_method=MERGED,
        evidence=tuple(part.memory_id for part in parts),
        valid_from=None if None in began else worded.structure.valid_from,
        said_at=max(part.said_at for part in parts),
        importance=min((one.importance for one in structures), key=_IMPORTANCES.index),
        volatility=min((one.volatility for one in structures), key=_VOLATILITIES.index),
        marks=tuple(dict.fromkeys(mark for one in structures for mark in one.marks)),
        depth_weight=heaviest.depth_weight,
        lasting=any(one.lasting for one in structures),
    )


def _vitality(parts: Sequence[MergePart]) -> Strengthened:
    """Strength of a merged memory: that of its strongest part, with the uses of all of them."""
    strongest = max(parts, key=lambda part: (part.strength, part.trace.since))
    # A procedure keeps its strength for a while; the part of it that has passed counts.
    procedure = strongest.structure.kind == "procedural"
    used = [part.accessed_at for part in parts if part.accessed_at is not None]
    return Strengthened(
        strongest.trace.strength if procedure else strongest.strength,
        since=strongest.trace.since if procedure else None,
        slowing=min(part.trace.slowing for part in parts),
        accesses=sum(part.accesses for part in parts),
        accessed_at=max(used, default=None),
    )


def _content(worded: MergePart, parts: Sequence[MergePart]) -> MemoryContent:
    contents = [worded.content, *(part.content for part in reversed(parts))]
    tags = dict.fromkeys(tag for one in contents for tag in one.tags)
    aliases = dict.fromkeys(alias for one in contents for alias in one.aliases)
    note = next((one.source_note for one in contents if one.source_note), None)
    snippet = next((one.snippet for one in contents if one.snippet), None)
    return MemoryContent(worded.content.text, tuple(tags), tuple(aliases), note, snippet)
