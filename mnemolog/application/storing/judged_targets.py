"""Targets of a correction, found by the search and judged."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Failure, Verdict
from mnemolog.application.home.space import Space, events_of
from mnemolog.application.questions.recall import recall
from mnemolog.application.storing.contradiction_check import Rest
from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.language.dates import read_dates
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.fitted import shares
from mnemolog.policies.contradictions.judge import (
    OFFERED,
    Contradiction,
    Party,
    Statement,
    statement,
)
from mnemolog.policies.terms import content_words, same_meaning
from mnemolog.recall.answers import Hit
from mnemolog.recall.items import parts
from mnemolog.recall.search.checks import PLAIN_STATUSES

_SEARCHED = 10  # Hits of a search among which the target is
_CLEAR = 0.7  # Share from which a memory is clearly meant
_RIVAL = 0.9  # Confidence of another memory from which it may be meant as well
_LIKELY = 0.5  # Confidence from which another wording of the target goes with it


class JudgedTarget(NamedTuple):
    """Memory that a sentence may correct, the judgement, and its share in [0, 1].

    `found` is None if the judge finds none. The shares are the probabilities that this memory,
    and no other one or none, is corrected.
    """

    item: Hit
    old: ComparedMemory
    found: Contradiction | None
    share: float

    @property
    def text(self) -> str:
        """Text of the memory."""
        return self.old.party.statement.text


class TargetSearch(NamedTuple):
    """Sentence, memories that it may correct, the likeliest first, and why a judge failed."""

    new: ComparedMemory
    targets: list[JudgedTarget]
    failure: str | None


def judged_targets(
    space: Space, consulted: Consulted, sentence: str, source: str, tags: Sequence[str]
) -> TargetSearch:
    """Memories that recall finds for a sentence, judged.

    With `tags`, only those with one of them or without tags. A memory without a source counts as
    said by the corrector.
    """
    wanted = {tag.casefold() for tag in tags}
    said = Statement(sentence, source, said_at=space.cut().instant)
    # The sentence is not stored yet and has no id.
    new = ComparedMemory(Party(MemoryId(""), said), stored=False)
    hits = {
        hit.memory_id: hit
        for cue in dict.fromkeys((_without_dates(sentence, space), sentence))
        # With statuses, the same said twice is found twice.
        for hit in recall(
            space, cue, limit=_SEARCHED, min_relevance=0, statuses=PLAIN_STATUSES
        ).hits
        if not (wanted and hit.tags and wanted.isdisjoint(map(str.casefold, hit.tags)))
    }
    stored = {}
    for event in events_of(space.home, [*hits]):
        structure, content = parts(event)
        if content is not None:
            one = MemoryId(event.event_id)
            known = statement(structure, content, event.recorded_at)
            party = Party(one, replace(known, source=known.source or source))
            stored[one] = ComparedMemory(party, stored=True)
    olds = [stored[one] for one in hits if one in stored]
    consulted.prepare(new, olds)
    failure: str | None = None
    judged: list[tuple[Hit, ComparedMemory, Contradiction | None]] = []
    for old in olds:
        verdict = consulted.judged(new, old)
        if isinstance(verdict, Failure):
            failure = (
                f"not all was looked through: {consulted.judge_name} failed: {verdict.problem}"
            )
        found = verdict.found if isinstance(verdict, Verdict) else None
        judged.append((hits[old.party.memory_id], old, found))
    each = shares([0.0 if found is None else found.confidence for *_, found in judged])
    targets = [JudgedTarget(*one, share) for one, share in zip(judged, each, strict=True)]
    # Among equals the order of recall.
    return TargetSearch(new, sorted(targets, key=lambda one: -one.share), failure)


def _without_dates(sentence: str, space: Space) -> str:
    """Sentence without its dates, which are those of the change, not of what it changes."""
    rest = sentence
    for one in reversed(read_dates(sentence, to_datetime(space.cut().instant))):
        rest = f"{rest[: one.first]} {rest[one.last :]}"
    return rest if content_words(rest) else sentence


class ClearTarget(NamedTuple):
    """Memories that a sentence clearly corrects, and what of them still holds.

    They are several if the same was stored in several wordings. `rests` are texts that hold;
    `whole` are the texts of those that say more and cannot be taken apart.
    """

    retired: list[MemoryId]
    rests: list[Rest]
    whole: list[str]


def clear_target(consulted: Consulted, search: TargetSearch) -> ClearTarget | None:
    """Memories that a sentence clearly corrects; None if it is not clear which are meant.

    Wordings of one statement are one possibility: the likeliest of them counts.
    """
    found = search.targets
    if not found or (best := found[0]).found is None or best.found.confidence < OFFERED:
        return None
    least = min(_LIKELY, best.found.confidence)
    alike = {
        one.item.memory_id: (one, one.found)
        for one in found
        if one.found is not None
        and one.found.confidence >= least
        and same_meaning(best.text, one.text)
    }
    others = [
        one.found.confidence
        for one in found
        if one.found is not None and one.item.memory_id not in alike
    ]
    share = shares([best.found.confidence, *others])[0]
    rivalled = max(others, default=0.0) >= _RIVAL
    if not content_words(search.new.party.statement.text) or share < _CLEAR or rivalled:
        return None
    held = [
        (one, consulted.kept(search.new, one.old, contradiction))
        for one, contradiction in alike.values()
    ]
    rests = {kept: one.item.memory_id for one, kept in reversed(held) if kept}
    whole = [one.text for one, kept in held if kept is None and not says_one_thing(one.text)]
    return ClearTarget([*alike], [(one, kept) for kept, one in rests.items()], whole)
