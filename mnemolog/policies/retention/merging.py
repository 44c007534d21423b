"""Deciding merges: which memories say the same, and what they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from mnemolog.language.sameness.near_identical import opens_plainly, says_all, tells_of_an_occasion
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import (
    Importance,
    MemoryContent,
    Remembered,
    Strengthened,
    Volatility,
)
from mnemolog.ledger.falls import Trace
from mnemolog.ledger.ids import MemoryId

MERGED = "consolidation"
"""The extraction method of a memory that was merged from others."""

_MOST_PARTS = 16
_IMPORTANCES: tuple[Importance, ...] = ("high", "medium", "low")
_VOLATILITIES: tuple[Volatility, ...] = ("stable", "normal", "volatile")


class MergePart(msgspec.Struct, frozen=True):
    """A memory that may become part of a merged one.

    `said_at` is when it was last said, in microseconds since 1970 UTC.
    `status` is contested too where a newer memory is in open conflict with this one.
    `strength` is what is left of it at the instant and `trace` what it fades from;
    `accesses` and `accessed_at` are its uses. `set_apart` says that it was merged
    before and the merge undone: whoever undid it wants it as it is.
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
    """Whether a memory may be merged with any other at all.

    Not one that is pinned, immutable, or does not simply stand; not one that an import
    follows, nor what may tell of another occasion each time that it is said.
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
    """Whether two memories that may be merged say the same, of the same, by the same source.

    Neither says more: a sentence beside another may take it back, or say of what it holds.
    """
    texts = one.content.text, other.content.text
    return _alike(one, other) and says_all(*texts) and says_all(*reversed(texts))


def _alike(one: MergePart, other: MergePart) -> bool:
    """Whether all that is known of two memories beside their words is the same."""
    first, second = one.structure, other.structure
    spoken = first.source is not None or one.actor == other.actor
    began = {first.valid_from, second.valid_from} - {None}
    return (
        spoken
        and len(began) <= 1
        and (first.kind, first.category, first.place, first.constraint, first.valid_until)
        == (second.kind, second.category, second.place, second.constraint, second.valid_until)
        and (first.source, first.source_type) == (second.source, second.source_type)
        # Tags are scopes: what is so of the one need not be of the other.
        and {*one.content.tags} == {*other.content.tags}
    )


class Merge(msgspec.Struct, frozen=True):
    """The memory that others become: its two parts, and who they are, oldest first.

    `worded` is the one whose words it has, `vitality` how it fades.
    """

    structure: Remembered
    content: MemoryContent
    parts: tuple[MergePart, ...]
    worded: MemoryId
    vitality: Strengthened


def decide_merge(
    first: MergePart, others: Iterable[MergePart], disagree: Callable[[MergePart, MergePart], bool]
) -> Merge | None:
    """What a memory and its duplicates among `others` become; None where it has none.

    The words are those of the fullest of them, as they stand; of equals, the newest that
    opens with what it says.
    Everyone must be a duplicate of everyone else, and `disagree` on nothing.
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
    # By sentences: 'by the way' makes a text longer, not fuller.
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
    """How many of the others a text says all of."""
    return sum(says_all(part.content.text, other.content.text) for other in parts)


def _structure(worded: MergePart, parts: Sequence[MergePart]) -> Remembered:
    structures = [part.structure for part in parts]
    # What is known without a time is not bound to the one at which another is known to hold.
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
    """How what is merged fades: as strong as the strongest of its parts, and as slowly.

    All of their uses were its own.
    """
    strongest = max(parts, key=lambda part: (part.strength, part.trace.since))
    # A procedure keeps its strength for a while: the while that has passed counts.
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
