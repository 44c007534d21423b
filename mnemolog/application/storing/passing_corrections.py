"""Passing corrections and restatements: effects of a new memory on stored ones."""

from __future__ import annotations

import sys

import msgspec

from mnemolog.application.home.retired import events_of
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import get_memory
from mnemolog.application.storing.correction_targets import MOST_READINGS, targets_of
from mnemolog.application.storing.recognition import Recogniser
from mnemolog.ledger.events import Event, Remembered
from mnemolog.ledger.ids import EventId, MemoryId, parse_id
from mnemolog.policies.contradictions.disagreement import both_hold, moved
from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.corrections.candidates import TargetMatch
from mnemolog.policies.corrections.corrections import beside, read_corrections
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.targets import (
    retraction,
    same_meaning,
    says_more,
    successor_text,
)
from mnemolog.policies.corrections.terms import keys, terms
from mnemolog.policies.memories import NewMemory, instant, remembered
from mnemolog.projections.memory_queries import rows_as_of, superseders
from mnemolog.recall.answers.items import parts

CORRECTED = "correction"
"""The extraction method of what `correct` stores: its own time is when it was said."""

IN_FORCE = frozenset({"active", "superseded", "contested", "pending", "archived", "summarized"})


class Heard(msgspec.Struct, frozen=True):
    """Effects of a memory to store on stored memories.

    It supersedes `olds`; `by` supersedes it. `rewritten` are superseded memories that say
    more than what is in dispute, each with the new memory that keeps the rest. `retracted`
    is the contradiction that a passing correction states in its own words.
    """

    item: NewMemory
    olds: tuple[MemoryId, ...] = ()
    by: MemoryId | None = None
    rewritten: tuple[tuple[MemoryId, NewMemory], ...] = ()
    retracted: Contradiction | None = None

    @property
    def touched(self) -> tuple[MemoryId, ...]:
        """Memories that this was decided on."""
        named = (*self.olds, *(old for old, _ in self.rewritten))
        return named if self.by is None else (*named, self.by)


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
