"""Passing corrections and restatements: effects of a new memory on stored ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

import msgspec

from mnemolog.application.home.retired import events_of
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import get_memory, list_memories
from mnemolog.application.questions.recall import recall
from mnemolog.application.storing.contradiction_check import Heard
from mnemolog.application.storing.store import Recogniser
from mnemolog.language.patterns import regex
from mnemolog.ledger.events import Event, Remembered
from mnemolog.ledger.ids import EventId, MemoryId, parse_id
from mnemolog.policies.contradictions.agreement import both_hold, moved
from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading
from mnemolog.policies.corrections.reading.corrections import read_corrections
from mnemolog.policies.corrections.reading.rest_of_text import beside
from mnemolog.policies.corrections.retraction import retraction
from mnemolog.policies.corrections.successor_text import says_more, successor_text
from mnemolog.policies.corrections.target.demands import TargetCandidate
from mnemolog.policies.corrections.target.scoring import TargetMatch
from mnemolog.policies.corrections.target.targets import Targeting, find_targets, same_meaning
from mnemolog.policies.corrections.terms import keys, terms
from mnemolog.policies.memories import NewMemory, instant, remembered
from mnemolog.projections.memory_queries import rows_as_of, sources_of, superseders
from mnemolog.projections.views import Views
from mnemolog.recall.answers.answers import Hit
from mnemolog.recall.answers.items import Item, parts

CORRECTED = "correction"
"""The extraction method of what `correct` stores: its own time is when it was said."""

IN_FORCE = frozenset({"active", "superseded", "contested", "pending", "archived", "summarized"})


def heard(space: WritableSpace, item: NewMemory, cut: Cut, actor: str) -> Heard:
    """Effects of a statement: a passing correction, or a restatement of a corrected fact.

    A statement with its own `supersedes` has no effects here, nor has one that was
    stored before under its id.
    """
    if item.supersedes or _known_before(space, item):
        return Heard(item)
    corrected = _in_passing(space, item, cut, actor)
    return heard_again(space, item, cut) if corrected is None else corrected


def heard_again(space: WritableSpace, item: NewMemory, cut: Cut) -> Heard:
    """Effects of a statement that restates a corrected fact.

    A statement made before the correction is superseded by it. One made after it stays in
    force, and supersedes the correction if it contradicts it; the rest of what the
    correction says is kept.
    """
    if item.supersedes or _known_before(space, item):
        return Heard(item)
    began = instant("valid_from", item.valid_from)
    said_at = cut.instant if began is None else began
    corrections: list[tuple[int, MemoryId]] = []
    for retired in _same_retired(space, item.content, cut):
        corrections += _corrections(space, retired, cut)
    later = [one for one in sorted(set(corrections)) if said_at < one[0]]
    if later:
        return Heard(item, by=later[0][1])
    heads = dict.fromkeys(
        head
        for _, one in sorted(set(corrections))
        if (head := _head_of(space, one, cut)) is not None
    )
    olds: list[MemoryId] = []
    more: list[tuple[MemoryId, NewMemory]] = []
    for head in heads:
        rest = _beside(space, item, head)
        if rest == "":
            olds.append(head)
        elif rest is not None:
            more.append((head, rest_of(space.at(cut), head, rest)))
    return Heard(item, olds=tuple(olds), rewritten=tuple(more))


def _in_passing(space: WritableSpace, item: NewMemory, cut: Cut, actor: str) -> Heard | None:
    """Passing correction that a statement makes of a clear target; None if it makes none."""
    moment = space.at(cut)
    who = item.source or actor
    olds: list[MemoryId] = []
    more: list[tuple[MemoryId, NewMemory]] = []
    retracted: Contradiction | None = None
    lasts: bool | None = None
    readings = [one for one in read_corrections(item.content) if one.in_passing]
    for reading in readings[:MOST_READINGS]:
        meant = targets_of(moment, space.home.views, reading, who, item.tags)
        said = item.content if len(readings) == 1 else reading.sentence
        if any(_is_left(space, one, said, reading, cut) for one in meant.chosen):
            continue
        if any(_lasts_apart(space, one, item) for one in meant.chosen):
            lasts = _is_lasting(space, item) if lasts is None else lasts
            if not lasts:
                # Chat that resembles a correction: the change of a lasting fact is itself lasting.
                continue
        known = {*olds, *(old for old, _ in more)}
        for match in meant.chosen:
            one = MemoryId(match.candidate.memory_id)
            if one in known:
                continue
            retracted = retracted or retraction(meant.reading, match.candidate.text)
            if says_more(match):
                text = successor_text(meant.reading, match)
                if text is not None:
                    more.append((one, successor(moment, text, match, item.content, who)))
            else:
                olds.append(one)
    if not olds and not more:
        return None
    marks = item.marks if "corrects_error" in item.marks else (*item.marks, "corrects_error")
    category = item.category or "error_correction"
    corrected = msgspec.structs.replace(item, marks=marks, category=category)
    return Heard(corrected, olds=tuple(olds), rewritten=tuple(more), retracted=retracted)


def _is_left(
    space: WritableSpace, match: TargetMatch, said: str, reading: CorrectionReading, cut: Cut
) -> bool:
    """True if a memory is immutable, or can hold together with the statement."""
    if _immutable(space, match, cut):
        return True
    known = match.candidate.text
    if reading.form == "was-but-is" or (reading.new and moved(reading.new, known)):
        # The new value is clearer evidence than the sentence that announces it.
        return False
    return both_hold(said, known)


def _lasts_apart(space: WritableSpace, match: TargetMatch, item: NewMemory) -> bool:
    """True if a memory is a lasting fact that shares no word with a new one."""
    shared = keys(terms(match.candidate.text)) & keys(terms(item.content))
    # A key in angle brackets is a class of words: 'phone' and 'reach' share one.
    if any(not key.startswith("<") for key in shared):
        return False
    found = events_of(space.home, [MemoryId(match.candidate.memory_id)])
    return any(parts(event)[0].lasting for event in found)


def _is_lasting(space: WritableSpace, item: NewMemory) -> bool:
    """True if a memory to store is a lasting fact."""
    if item.lasting is not None:
        return item.lasting
    structure, content = remembered(item, sys.maxsize)
    recogniser = Recogniser(structure, content, space.home.parts.embedder)
    return recogniser.lasts(structure.constraint or recogniser.constraint())


def _immutable(space: WritableSpace, match: TargetMatch, cut: Cut) -> bool:
    one = MemoryId(match.candidate.memory_id)
    rows = space.home.views.read(lambda db: rows_as_of(db, [one], cut.position))
    return one not in rows or rows[one].immutable


def _known_before(space: WritableSpace, item: NewMemory) -> bool:
    if item.id is None:
        return False
    return bool(space.home.log.positions_of([EventId(parse_id("id", item.id))]))


def _same_retired(space: WritableSpace, text: str, cut: Cut) -> list[MemoryId]:
    """Retired memories with the same meaning as a text."""
    near = space.retired.near(text, cut.position)
    said = [one for one, retired in near.items() if same_meaning(text, retired)]
    # Exclude memories redacted meanwhile: the cached text must not recognise them.
    rows = space.home.views.read(lambda db: rows_as_of(db, said, cut.position))
    return [one for one in said if one in rows and rows[one].status in IN_FORCE]


def _corrections(space: WritableSpace, retired: MemoryId, cut: Cut) -> list[tuple[int, MemoryId]]:
    """Corrections in force that superseded a retired memory, each with its time of statement."""
    directly = space.home.views.read(lambda db: superseders(db, retired, cut.position))
    rows = space.home.views.read(lambda db: rows_as_of(db, directly, cut.position))
    found = []
    for event in events_of(
        space.home, [one for one in directly if one in rows and rows[one].status in IN_FORCE]
    ):
        structure, _ = parts(event)
        found.append((_said_at(structure, event), MemoryId(event.event_id)))
    return found


def _head_of(space: WritableSpace, correction: MemoryId, cut: Cut) -> MemoryId | None:
    """Newest memory of the chain above a correction; None unless it is active and mutable."""
    head, above = correction, [correction]
    while above:
        head = above[-1]
        above = list(space.home.views.read(lambda db: superseders(db, head, cut.position)))  # noqa: B023
    rows = space.home.views.read(lambda db: rows_as_of(db, [head], cut.position))
    return (
        head
        if head in rows and rows[head].status == "active" and not rows[head].immutable
        else None
    )


def _beside(space: WritableSpace, item: NewMemory, correction: MemoryId) -> str | None:
    """Rest of a correction besides what a restatement takes back; "" if there is none.

    None if it is no correction of that, or if the two cannot be separated.
    """
    for event in events_of(space.home, [correction]):
        structure, content = parts(event)
        if content is None or "corrects_error" not in structure.marks:
            return None
        if same_meaning(item.content, content.text):
            return None
        return beside(content.text, item.content)
    return None


def _said_at(structure: Remembered, event: Event) -> int:
    if structure.extraction_method == CORRECTED or structure.valid_from is None:
        return structure.told_at(event.recorded_at)
    return structure.valid_from


def rest_of(space: Space, correction: MemoryId, text: str) -> NewMemory:
    """Memory that keeps the rest of a correction, with the correction's filing and source.

    Its constraint is recognised from the new text.
    """
    said = get_memory(space, correction)
    return NewMemory(
        text,
        kind=said.kind,
        category=None if said.category == "error_correction" else said.category,
        source=said.source,
        extraction_method=said.extraction_method,
        place=said.place,
        tags=said.tags,
        aliases=said.aliases,
        snippet=said.content,
        importance=said.importance,
        volatility=said.volatility,
        marks=tuple(mark for mark in said.marks if mark != "corrects_error"),
    )


def successor(  # noqa: PLR0913, PLR0917 - what it says, instead of what, and by whom
    space: Space,
    text: str,
    base: TargetMatch,
    said: str,
    source: str,
    valid_from: str | None = None,
) -> NewMemory:
    """Memory that supersedes a target, with the target's filing."""
    target = get_memory(space, base.candidate.memory_id)
    return NewMemory(
        text,
        kind=target.kind,
        category=target.category or "error_correction",
        source=source,
        extraction_method=CORRECTED,
        place=target.place,
        tags=target.tags,
        aliases=target.aliases,
        snippet=said,
        constraint=target.constraint,
        importance=target.importance,
        volatility=target.volatility,
        marks=tuple(dict.fromkeys((*target.marks, "corrects_error"))),
        valid_from=valid_from,
    )


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
    space: Space, views: Views, reading: CorrectionReading, corrector: str, tags: Sequence[str] = ()
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
