"""Targets of a correction, found by the search and judged."""

from collections.abc import Sequence
from typing import NamedTuple

from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Verdict
from mnemolog.application.home.space import Space, events_of
from mnemolog.application.questions.recall import recall
from mnemolog.application.storing.contradiction_check import Rest
from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.fitted import CLEAR, shares
from mnemolog.policies.contradictions.judge import (
    OFFERED,
    Contradiction,
    Party,
    Statement,
    statement,
)
from mnemolog.policies.terms import same_meaning
from mnemolog.recall.answers import Hit
from mnemolog.recall.items import parts

_SEARCHED = 10  # Hits of a search among which the target is


class JudgedTarget(NamedTuple):
    """Memory that a sentence may correct, with the judgement, and its share in [0, 1].

    `found` is None if the judge finds none. The shares are the probabilities that this memory,
    and no other one or none, is corrected.
    """

    item: Hit
    found: Contradiction | None
    share: float


def judged_targets(
    space: Space, consulted: Consulted, sentence: str, source: str, tags: Sequence[str]
) -> list[JudgedTarget]:
    """Memories that recall finds for a sentence, the likeliest to be corrected first.

    With `tags`, only those with one of them or without tags.
    """
    wanted = {tag.casefold() for tag in tags}
    said = Statement(sentence, source, said_at=space.cut().instant)
    # The sentence is not stored yet and has no id.
    new = ComparedMemory(Party(MemoryId(""), said), stored=False)
    hits = {
        hit.memory_id: hit
        for hit in recall(space, sentence, limit=_SEARCHED, min_relevance=0).hits
        if not (wanted and hit.tags and wanted.isdisjoint(map(str.casefold, hit.tags)))
    }
    olds = {}
    for event in events_of(space.home, [*hits]):
        structure, content = parts(event)
        if content is not None:
            one = MemoryId(event.event_id)
            old = Party(one, statement(structure, content, event.recorded_at))
            olds[one] = ComparedMemory(old, stored=True)
    consulted.prepare(new, [*olds.values()])
    judged: list[tuple[Hit, Contradiction | None]] = []
    for one, compared in olds.items():
        verdict = consulted.judged(new, compared)
        judged.append((hits[one], verdict.found if isinstance(verdict, Verdict) else None))
    each = shares([0.0 if found is None else found.confidence for _, found in judged])
    targets = [JudgedTarget(*one, share) for one, share in zip(judged, each, strict=True)]
    return sorted(targets, key=lambda one: -one.share)  # Among equals the order of recall


class ClearTarget(NamedTuple):
    """Memories that a sentence clearly corrects, and texts with what of them still holds.

    They are several if the same was stored in several wordings.
    """

    retired: list[MemoryId]
    rests: list[Rest]


def clear_target(found: Sequence[JudgedTarget]) -> ClearTarget | None:
    """Memories that a sentence clearly corrects; None if it is not clear which are meant.

    None too if what they say beyond the correction cannot be kept.
    """
    if not found or (best := found[0]).found is None or best.found.confidence < OFFERED:
        return None
    text, target, share = best.item.content, ClearTarget([], []), 0.0
    for one in found:
        if one.found is None or (one is not best and not same_meaning(text, one.item.content)):
            continue
        if one.found.kept is None and not says_one_thing(one.item.content):
            return None
        share += one.share
        target.retired.append(one.item.memory_id)
        if one.found.kept and not target.rests:
            target.rests.append((one.item.memory_id, one.found.kept))
    return target if share >= CLEAR else None
