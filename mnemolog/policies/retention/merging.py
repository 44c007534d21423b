"""Merge decisions: which memories are duplicates, and the memory that replaces them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from mnemolog.language.sameness.near_identical import opens_plainly, says_all, tells_of_an_occasion
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Trace
from mnemolog.ledger.events import (
    Importance,
    MemoryContent,
    Remembered,
    Strengthened,
    Volatility,
)
from mnemolog.ledger.ids import MemoryId

MERGED = "consolidation"
"""The extraction method of a memory that was merged from others."""

_MOST_PARTS = 16
_IMPORTANCES: tuple[Importance, ...] = ("high", "medium", "low")
_VOLATILITIES: tuple[Volatility, ...] = ("stable", "normal", "volatile")


class MergePart(msgspec.Struct, frozen=True):
    """Memory that may become part of a merged one.

    - `said_at` is when it was last said, in microseconds since 1970 UTC.
    - `status` is contested also if a newer memory is in open conflict with this one.
    - `strength` is its strength at the instant, and `trace` the trace it fades from.
    - `accesses` and `accessed_at` describe its uses.
    - `set_apart` is True if a merge of it was undone: the user wants it kept separate.
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


def may_merge(part: MergePart) -> bool:
    """True if a memory may be merged with any other at all.

    False for a memory that is pinned, immutable or not simply valid, that an import tracks,
    or that may describe another occasion each time it is said.
    """
    structure = part.structure
    return (
        part.status == "active"
        and not part.pinned
        and not structure.immutable
        and not part.set_apart
        and structure.origin is None
        and structure.kind != "episodic"
        and not tells_of_an_occasion(part.content.text)
    )


def are_duplicates(one: MergePart, other: MergePart) -> bool:
    """True if two mergeable memories say the same about the same subject, from one source.

    Neither may say more: an additional sentence may retract the other, or state its scope.
    """
    texts = one.content.text, other.content.text
    return _alike(one, other) and says_all(*texts) and says_all(*reversed(texts))


def _alike(one: MergePart, other: MergePart) -> bool:
    """True if everything known about two memories except their words is the same."""
    first, second = one.structure, other.structure
    spoken = first.source is not None or one.actor == other.actor
    began = {first.valid_from, second.valid_from} - {None}
    return (
        spoken
        and len(began) <= 1
        and (first.kind, first.category, first.place, first.constraint, first.valid_until)
        == (second.kind, second.category, second.place, second.constraint, second.valid_until)
        and (first.source, first.source_type) == (second.source, second.source_type)
        # Tags are scopes: a fact true in one scope may be false in another.
        and {*one.content.tags} == {*other.content.tags}
    )


class Merge(msgspec.Struct, frozen=True):
    """Merged memory: structure and content, and its original memories, oldest first.

    `worded` is the original whose words it has; `vitality` is how it fades.
    """

    structure: Remembered
    content: MemoryContent
    parts: tuple[MergePart, ...]
    worded: MemoryId
    vitality: Strengthened


def decide_merge(
    first: MergePart, others: Iterable[MergePart], disagree: Callable[[MergePart, MergePart], bool]
) -> Merge | None:
    """Merge of a memory with its duplicates among `others`; None if it has none.

    The merged memory takes the unchanged words of the fullest one; among equals, of the
    newest that opens with its statement. All must be duplicates of each other, and
    `disagree` must be False for every pair.
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
    # Compare by sentences: 'by the way' makes a text longer, not fuller.
    worded = max(
        parts,
        key=lambda part: (
            _fullness(part, parts),
            opens_plainly(part.content.text),
            part.position,
        ),
    )
    return Merge(
        _structure(worded, parts),
        _content(worded, parts),
        tuple(parts),
        worded.memory_id,
        _vitality(parts),
    )


def _fullness(part: MergePart, parts: Sequence[MergePart]) -> int:
    """Number of the other texts whose statements a text contains in full."""
    return sum(says_all(part.content.text, other.content.text) for other in parts)


def _structure(worded: MergePart, parts: Sequence[MergePart]) -> Remembered:
    structures = [part.structure for part in parts]
    # A fact known without a time is not limited to the time of another one.
    began = {one.valid_from for one in structures}
    marks = dict.fromkeys(mark for one in structures for mark in one.marks)
    heaviest = max(structures, key=lambda one: (_centre(one.depth_weight), one.depth_weight))
    return msgspec.structs.replace(
        worded.structure,
        source_confidence=max(one.source_confidence for one in structures),
        extraction_method=MERGED,
        evidence=tuple(part.memory_id for part in parts),
        valid_from=None if None in began else worded.structure.valid_from,
        said_at=max(part.said_at for part in parts),
        importance=min((one.importance for one in structures), key=_IMPORTANCES.index),
        volatility=min((one.volatility for one in structures), key=_VOLATILITIES.index),
        marks=tuple(marks),
        depth_weight=heaviest.depth_weight,
        lasting=any(one.lasting for one in structures),
    )


def _vitality(parts: Sequence[MergePart]) -> Strengthened:
    """Strength state of a merged memory: as strong, and as slow to fade, as its strongest part.

    It takes over the uses of all parts.
    """
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


def _centre(depth_weight: tuple[float, float]) -> float:
    alpha, beta = depth_weight
    return alpha / (alpha + beta) if alpha > 0 and beta > 0 else 0.5


def _content(worded: MergePart, parts: Sequence[MergePart]) -> MemoryContent:
    contents = [worded.content, *(part.content for part in reversed(parts))]
    return MemoryContent(
        text=worded.content.text,
        tags=tuple(dict.fromkeys(tag for one in contents for tag in one.tags)),
        aliases=tuple(dict.fromkeys(alias for one in contents for alias in one.aliases)),
        source_note=next((one.source_note for one in contents if one.source_note), None),
        snippet=next((one.snippet for one in contents if one.snippet), None),
    )
