"""Targets of a correction, found by the search and judged."""

from collections.abc import Sequence
from typing import NamedTuple

from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Verdict
from mnemolog.application.home.space import Space, events_of
from mnemolog.application.questions.recall import recall
from mnemolog.application.storing.contradiction_check import Rest
from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.fitted import shares
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
_CLEAR = 0.7  # Share from which a memory is clearly meant
_LIKELY = 0.5  # Confidence from which another wording of the target goes with it


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
    """Memories that a sentence clearly corrects, and what of them still holds.

    They are several if the same was stored in several wordings. `rests` are texts that hold;
    `whole` is the text of a target that says more and cannot be taken apart, else empty.
    """

    retired: list[MemoryId]
    rests: list[Rest]
    whole: str


def clear_target(found: Sequence[JudgedTarget]) -> ClearTarget | None:
    """Memories that a sentence clearly corrects; None if it is not clear which are meant."""
    if not found or (best := found[0]).found is None or best.found.confidence < OFFERED:
        return None
    text, least = best.item.content, min(_LIKELY, best.found.confidence)
    alike = [
        one
        for one in found
        if one is best
        or (one.found and one.found.confidence >= least and same_meaning(text, one.item.content))
    ]
    if sum(one.share for one in alike) < _CLEAR:
        return None
    kept = best.found.kept
    return ClearTarget(
        [one.item.memory_id for one in alike],
        [(best.item.memory_id, kept)] if kept else [],
        text if kept is None and not says_one_thing(text) else "",
    )
