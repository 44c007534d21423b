"""Passing corrections and restatements: their targets and their effects on stored memories."""

import sys
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mnemolog.application.commands.command import superseders_of
from mnemolog.application.home.space import Cut, Space, WritableSpace, events_of
from mnemolog.application.questions.browse import get_memory, list_memories
from mnemolog.application.questions.recall import recall
from mnemolog.application.storing.contradiction_check import StatementEffects
from mnemolog.application.storing.store import Recogniser, filed_as, memory_of_rest
from mnemolog.language.clauses.propositions import propositions
from mnemolog.language.lists import regex
from mnemolog.ledger.ids import EventId, MemoryId, parse_id
from mnemolog.policies.contradictions.disagreement import are_compatible, moved
from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.corrections import targets
from mnemolog.policies.corrections.corrections import beside, read_corrections
from mnemolog.policies.corrections.readings import CorrectionReading, TargetCandidate, TargetMatch
from mnemolog.policies.corrections.targets import Targeting
from mnemolog.policies.corrections.terms import keys, terms
from mnemolog.policies.memories import NewMemory, instant, remembered
from mnemolog.projections.memory_queries import MemoryRow, rows_as_of, sources_of
from mnemolog.recall.answers import Hit
from mnemolog.recall.items import Item, parts

# Extraction method of memories that `correct` stores: said when recorded, not at `valid_from`.
_CORRECTED = "correction"
_IN_FORCE = frozenset({"active", "superseded", "contested", "pending", "archived", "summarized"})


def statement_effects(
    space: WritableSpace, item: NewMemory, cut: Cut, actor: str
) -> StatementEffects:
    """Effects of a statement: a passing correction, or a restatement of a corrected fact.

    A statement that names memories it `supersedes`, or whose id is stored already, has none.
    """
    is_new = not item.supersedes and not _known_before(space, item)
    passing = _in_passing(space, item, cut, actor) if is_new else None
    return passing or restatement_effects(space, item, cut)


def restatement_effects(space: WritableSpace, item: NewMemory, cut: Cut) -> StatementEffects:
    """Effects of a statement that restates a corrected fact.

    The correction supersedes a statement made before it. A later one stays in force, and
    supersedes what it contradicts of the correction; the rest is kept.
    """
    if item.supersedes or _known_before(space, item):
        return StatementEffects(item)
    began = instant("valid_from", item.valid_from)
    said_at = cut.instant if began is None else began
    # Exclude memories redacted meanwhile: the cached text must not recognise them.
    near = space.retired.near(item.content, cut.position)
    same = [one for one, retired in near.items() if targets.same_meaning(item.content, retired)]
    restated = _in_force(space, same, cut)
    corrections = sorted({pair for old in restated for pair in _corrections(space, old, cut)})
    for at, one in corrections:
        if said_at < at:
            return StatementEffects(item, by=one)
    heads = dict.fromkeys(_head_of(space, one, cut) for _, one in corrections)
    rests = {head: _text_of_rest(space, item, head) for head in heads if head is not None}
    olds = tuple(head for head, rest in rests.items() if rest == "")
    moment = space.at(cut)
    rewritten = ((one, memory_of_rest(moment, one, rest)) for one, rest in rests.items() if rest)
    return StatementEffects(item, olds=olds, rewritten=tuple(rewritten))


def _in_passing(
    space: WritableSpace, item: NewMemory, cut: Cut, actor: str
) -> StatementEffects | None:
    """Passing correction of a clear target by a statement; None if there is none."""
    moment = space.at(cut)
    corrector = item.source or actor
    olds: list[MemoryId] = []
    rewritten: dict[MemoryId, NewMemory] = {}
    retracted: Contradiction | None = None
    lasts: bool | None = None
    readings = [one for one in read_corrections(item.content) if one.in_passing]
    for reading in readings[:MOST_READINGS]:
        targeting = targets_of(moment, reading, corrector, item.tags)
        said = item.content if len(readings) == 1 else reading.sentence
        if any(_stays_in_force(space, one, said, reading, cut) for one in targeting.chosen):
            continue
        if any(_is_unrelated_lasting_fact(space, one, item) for one in targeting.chosen):
            lasts = _is_lasting(space, item) if lasts is None else lasts
            if not lasts:
                # Only chat like a correction: what changes a lasting fact is itself lasting.
                continue
        known = {*olds, *rewritten}
        for match in targeting.chosen:
            one = MemoryId(match.candidate.memory_id)
            if one in known or _joins_statements(match):
                continue
            retracted = retracted or targets.retraction(targeting.reading, match.candidate.text)
            if not targets.says_more(match):
                olds.append(one)
            elif (text := targets.successor_text(targeting.reading, match)) is not None:
                rewritten[one] = successor(moment, text, one, item.content, corrector)
    if not olds and not rewritten:
        return None
    marks = item.marks if "corrects_error" in item.marks else (*item.marks, "corrects_error")
    corrected = replace(item, marks=marks, category=item.category or "error_correction")
    return StatementEffects(
        corrected, tuple(olds), rewritten=tuple(rewritten.items()), retracted=retracted
    )


def _joins_statements(match: TargetMatch) -> bool:
    """True if a target's only sentence joins statements: the judge finds those that still hold."""
    return not targets.says_more(match) and len(propositions(match.candidate.text)) > 1


def _stays_in_force(
    space: Space, match: TargetMatch, said: str, reading: CorrectionReading, cut: Cut
) -> bool:
    one, known = MemoryId(match.candidate.memory_id), match.candidate.text
    row = _rows(space, [one], cut).get(one)
    if row is None or row.immutable:
        return True
    if reading.form == "was-but-is" or (reading.new and moved(reading.new, known)):
        # The new value is clearer evidence than the sentence that announces it.
        return False
    return are_compatible(said, known)


def _is_unrelated_lasting_fact(space: Space, match: TargetMatch, item: NewMemory) -> bool:
    shared = keys(terms(match.candidate.text)) & keys(terms(item.content))
    # A key in angle brackets is a class of words: 'phone' and 'reach' share one.
    if any(not key.startswith("<") for key in shared):
        return False
    found = events_of(space.home, [MemoryId(match.candidate.memory_id)])
    return any(parts(event)[0].lasting for event in found)


def _is_lasting(space: Space, item: NewMemory) -> bool:
    if item.lasting is not None:
        return item.lasting
    structure, content = remembered(item, sys.maxsize)
    recogniser = Recogniser(structure, content, space.home.parts.embedder)
    return recogniser.lasts(structure.constraint or recogniser.constraint())


def _known_before(space: Space, item: NewMemory) -> bool:
    if item.id is None:
        return False
    return bool(space.home.log.positions_of([EventId(parse_id("id", item.id))]))


def _rows(space: Space, ids: Sequence[MemoryId], cut: Cut) -> dict[MemoryId, MemoryRow]:
    return space.home.views.read(lambda db: rows_as_of(db, ids, cut.position))


def _in_force(space: Space, ids: Sequence[MemoryId], cut: Cut) -> list[MemoryId]:
    rows = _rows(space, ids, cut)
    return [one for one in ids if one in rows and rows[one].status in _IN_FORCE]


def _corrections(space: Space, old: MemoryId, cut: Cut) -> Iterable[tuple[int, MemoryId]]:
    """Corrections in force that superseded a retired memory, each with its time of statement."""
    for event in events_of(space.home, _in_force(space, superseders_of(space, old, cut), cut)):
        structure, _ = parts(event)
        at = structure.valid_from
        if structure.extraction_method == _CORRECTED or at is None:
            at = structure.stated_at(event.recorded_at)
        yield at, MemoryId(event.event_id)


def _head_of(space: Space, correction: MemoryId, cut: Cut) -> MemoryId | None:
    """Newest memory of the chain above a correction; None unless it is active and mutable."""
    head = correction
    while above := superseders_of(space, head, cut):
        head = above[-1]
    row = _rows(space, [head], cut).get(head)
    return head if row is not None and row.status == "active" and not row.immutable else None


def _text_of_rest(space: Space, item: NewMemory, correction: MemoryId) -> str | None:
    """Text of a correction without the part that a restatement takes back; "" if none is left.

    None if the memory is no correction, says the same, or cannot be split.
    """
    for event in events_of(space.home, [correction]):
        structure, content = parts(event)
        if content is not None and "corrects_error" in structure.marks:
            same = targets.same_meaning(item.content, content.text)
            return None if same else beside(content.text, item.content)
    return None


def successor(  # noqa: PLR0913, PLR0917 - what it says, instead of what, and by whom
    space: Space,
    text: str,
    old: str,
    said: str,
    source: str,
    valid_from: str | None = None,
) -> NewMemory:
    """Memory that supersedes `old`, with its kind, place, tags and constraint."""
    target = get_memory(space, old)
    return replace(
        filed_as(target, text),
        category=target.category or "error_correction",
        source=source,
        extraction_method=_CORRECTED,
        snippet=said,
        constraint=target.constraint,
        marks=tuple(dict.fromkeys((*target.marks, "corrects_error"))),
        valid_from=valid_from,
    )


_WORD = regex(r"\w+")
MOST_READINGS = 24  # in one text; each is compared with every candidate target
_LONGEST = 20_000  # characters of a memory that a sentence may correct
_MOST_CHARACTERS = 200_000  # compared with one correction, sentence by sentence
_SEARCHED = 16  # hits of a search among which the target is
_LISTED = 50  # latest memories compared with a correction that names only a value


def targets_of(
    space: Space, reading: CorrectionReading, corrector: str, tags: Sequence[str] = ()
) -> Targeting:
    """Targets of a reading by `corrector`; with `tags`, those with one of them or without tags."""
    wanted = {tag.casefold() for tag in tags}
    remaining, candidates = _MOST_CHARACTERS, []
    for one in _found(space, reading):
        if wanted and one.tags and wanted.isdisjoint(map(str.casefold, one.tags)):
            continue
        text = one.content or ""
        if len(text) <= min(remaining, _LONGEST):
            remaining -= len(text)
            candidate = TargetCandidate(
                one.memory_id,
                text,
                labels=(*one.tags, *(one.place or "").split("/")),
                speaker=_person(one.source),
                cosine=one.explanation.scores.get("semantic", 0.0) if isinstance(one, Hit) else 0.0,
                order=one.position,
            )
            candidates.append(candidate)
    name = _person(corrector)
    known = {one.speaker.casefold() for one in candidates if one.speaker is not None}
    # A corrector who is not a source here cannot be distinguished from the known speakers.
    person = name if name and name.casefold() in known else None
    return targets.find_targets(reading, candidates, person)


def _found(space: Space, reading: CorrectionReading) -> Iterable[Hit | Item]:
    new = reading.new if reading.new_kind == "statement" else None
    if not any((reading.old, reading.about, reading.agent, reading.scope, new)):
        return list_memories(space, limit=_LISTED)
    # A memory whose source is Dana may be about Dana without naming her.
    said = reading.sentence
    found: dict[str, Hit | Item] = {}
    for source in (None, *_sources_named(space, said)):
        for hit in recall(space, said, limit=_SEARCHED, min_relevance=0, source=source).hits:
            found.setdefault(hit.memory_id, hit)
    return found.values()


def _sources_named(space: Space, sentence: str) -> list[str]:
    if not any(word[:1].isupper() for word in sentence.split()):
        return []
    words, position = set(_WORD.findall(sentence.casefold())), space.cut().position
    sources = space.home.views.read(lambda db: sources_of(db, space.name, position))
    return sorted(one for one in sources if (_person(one) or "").casefold() in words)[:3]


def _person(source: str | None) -> str | None:
    """Name of the person or agent of a source; None for a file or another kind of source."""
    scheme, _, name = (source or "").partition(":")
    return name if scheme in {"user", "agent"} and name else None
