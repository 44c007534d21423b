"""Targets of a correction: the memories that a reading means, found by recall as of a moment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import list_memories
from mnemolog.application.questions.recall import recall
from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.candidates import TargetCandidate
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.targets import Targeting, find_targets
from mnemolog.projections.memory_queries import sources_of
from mnemolog.projections.views import Views
from mnemolog.recall.answers.answers import Hit
from mnemolog.recall.answers.items import Item

_HITS = 32
_SOURCES = 3
_WORD = regex(r"\w+")
MOST_READINGS = 24
"""Corrections that one text may make; each is compared with all that it may mean."""
_LONGEST = 20_000
"""Characters of a memory that a sentence may correct."""
_MOST_CHARACTERS = 200_000
"""Characters that are compared with one correction, sentence by sentence."""
_LISTED = 200
"""Memories that are looked at for a correction which names nothing but a value."""


def targets_of(
    space: Space,
    views: Views,
    reading: CorrectionReading,
    corrector: str,
    tags: Sequence[str] = (),
) -> Targeting:
    """Targets of a reading as of a moment, if `corrector` (such as `user:dana`) said it.

    With tags, only memories that have one of them, or have none at all, are targets.
    """
    found = candidates_of(space, views, reading)
    if tags:
        wanted = {tag.casefold() for tag in tags}
        found = [
            (one, labels)
            for one, labels in found
            if not labels or wanted & {label.casefold() for label in labels}
        ]
    candidates = _readable([one for one, _ in found])
    name = _person(corrector)
    known = {one.speaker.casefold() for one in candidates if one.speaker is not None}
    # A corrector who is not a source here cannot be distinguished from the known speakers.
    return find_targets(reading, candidates, name if name and name.casefold() in known else None)


def _readable(found: Sequence[TargetCandidate]) -> list[TargetCandidate]:
    """Candidates in order, without overlong ones, up to the number of characters to compare."""
    left, kept = _MOST_CHARACTERS, []
    for one in found:
        if len(one.text) <= min(left, _LONGEST):
            left -= len(one.text)
            kept.append(one)
    return kept


def candidates_of(
    space: Space, views: Views, reading: CorrectionReading
) -> list[tuple[TargetCandidate, tuple[str, ...]]]:
    """Candidates of a reading with their tags, without duplicates."""
    cues = [
        " ".join(
            part for part in (reading.old, reading.about, reading.agent, reading.scope) if part
        ),
        reading.new if reading.new is not None and reading.new_kind == "statement" else "",
    ]
    found: dict[str, tuple[TargetCandidate, tuple[str, ...]]] = {}
    for cue in cues:
        if cue.strip():
            # A memory whose source is Dana may be about Dana without naming her.
            for source in (None, *_sources_named(space, views, reading.sentence)):
                for hit in recall(space, cue, limit=_HITS, min_relevance=0, source=source).hits:
                    found.setdefault(hit.memory_id, (_from_hit(hit), hit.tags))
    if not any(cue.strip() for cue in cues):
        items = list_memories(space, limit=_LISTED)
        found = {item.memory_id: (_from_item(item), item.tags) for item in items}
    return list(found.values())


def _sources_named(space: Space, views: Views, sentence: str) -> list[str]:
    """Sources of a space whose name occurs in a sentence, at most three."""
    if not any(word[:1].isupper() for word in sentence.split()):
        return []
    words = set(_WORD.findall(sentence.casefold()))
    sources = views.read(partial(sources_of, space=space.name, position=space.cut().position))
    named = [one for one in sources if (_person(one) or "").casefold() in words]
    return sorted(named)[:_SOURCES]


def _from_hit(hit: Hit) -> TargetCandidate:
    return TargetCandidate(
        hit.memory_id,
        hit.content,
        labels=(*hit.tags, *(hit.place or "").split("/")),
        speaker=_person(hit.source),
        cosine=hit.explanation.scores.get("semantic", 0.0),
        order=hit.position,
    )


def _from_item(item: Item) -> TargetCandidate:
    return TargetCandidate(
        item.memory_id,
        item.content or "",
        labels=(*item.tags, *(item.place or "").split("/")),
        speaker=_person(item.source),
        order=item.position,
    )


def _person(source: str | None) -> str | None:
    """Name of the person or agent of a source; None for a file or another kind of source."""
    scheme, _, name = (source or "").partition(":")
    return name if scheme in {"user", "agent"} and name else None
