"""Search: ranked memories for a cue, from one space or several together."""

from collections.abc import Callable, Container, Sequence
from datetime import datetime, timedelta
from functools import reduce

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.indexes.postings import Statistics, inverse_frequencies
from mnemolog.language.analysis import Analyzer
from mnemolog.language.sentences import speaks_of_self
from mnemolog.language.told_times import day_number, told_day, told_times
from mnemolog.ledger.clock import EPOCH, to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.projections.memories import DisputeRow
from mnemolog.recall.cues import PLAIN, Anchor, span_from, subject_of, topic_of, when_was
from mnemolog.recall.items import HitText
from mnemolog.recall.search.checks import CALIBRATED, Strategy, decimals
from mnemolog.recall.search.ending import IN_NOTES, IN_TALK, Ending, calibrated, relevance_of
from mnemolog.recall.search.match import Cue, Terms
from mnemolog.recall.search.newest import AMONG, Disputes, newest_first
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.reading import READ, PairReader, in_time, read_again
from mnemolog.recall.search.reranking import CANDIDATES, Reranker, reranked
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

_MISTYPED_WEIGHT = 0.5
_PART_SHARE = 0.9  # Factor of the score of a memory that answers only a part of the cue
_MOST_BROUGHT = 3  # Most associated memories that are added to a recall
_LONGEST_PREFERENCE = 400  # Characters of a text in which somebody states a preference
_ANSWERED = 0.5  # Relevance of a note from which it answers a cue that seems to seek advice
_ANCHORED = 0.5  # Least chance that a memory tells of the event from which a cue counts


class Means(msgspec.Struct, frozen=True):
    """Resources of a search.

    `embed` embeds a cue, `read` reads the texts of hits, and `disputes` finds the judgements on
    memories that newer ones may replace. `reranker` reads the first hits of any cue, `reader` the
    first notes that may answer a question.
    """

    analyzer: Analyzer
    embed: Callable[[str], npt.NDArray[np.float32]]
    read: Callable[[Sequence[Ranked]], Sequence[HitText]]
    disputes: Callable[[Sequence[Ranked]], Sequence[DisputeRow]]
    reranker: Reranker | None = None
    reader: PairReader | None = None


class SearchFinding(msgspec.Struct, frozen=True):
    """Result of a search, best first; `evidence` is the best evidence for it, None if unknown.

    `best` is the best score without the learned part. `constraints` and `instructions` are added
    if the cue asks what to do, `brought` are memories that were reached through one of the hits
    before.
    """

    ranked: list[Ranked]
    terms: Terms
    evidence: float | None
    best: float = 0.0
    reranker: str | None = None
    constraints: Sequence[Ranked] = ()
    instructions: Sequence[Ranked] = ()
    brought: Sequence[Ranked] = ()


def search(spaces: Sequence[SpaceSearch], question: Question, means: Means) -> SearchFinding:
    """Ranked memories of one or several spaces that answer a question, best first."""
    if question.reading.anchor is not None:
        spaces, question = _anchored(spaces, question, question.reading.anchor, means)
    cues = (question.cue, *question.reading.parts)
    found = reduce(_joined_with, [_asked(spaces, question, cue, means) for cue in cues])
    stays = frozenset[Position]() if question.steering is None else question.steering.stays
    ranked, name = _in_order(found.ranked, question.strategy, stays), None
    if means.reranker is not None:
        name, first, rest = means.reranker.name, ranked[:CANDIDATES], ranked[CANDIDATES:]
        texts = [one.text for one in means.read(first)]
        ranked = [*reranked(first, spaces, question.cue, texts, means.reranker), *rest]
    ranked = _successors_first(ranked, spaces)
    if not question.reading.seeks_advice:
        ranked = ranked[: max(question.limit, AMONG)]
    # A single word names a topic rather than asks a question: all notes on it answer.
    asks = len(set(means.analyzer.cue(question.cue))) > 1 and _leads_with_note(ranked)
    # Who votes on hits has not found the answer yet.
    ending = IN_NOTES if asks and question.steering is None else IN_TALK
    ranked = _with_relevance(ranked, found.evidence, found.best, ending)
    voted = question.steering is not None and question.steering.voted
    if asks and not voted:
        ranked, question = _read(ranked, spaces, question, means)
    if not question.statuses and not voted and question.reading.place is None:
        among = ranked[:AMONG]
        disputes = Disputes(means.disputes(among))
        newest = newest_first(among, spaces, means.read(among), means.analyzer, disputes)
        brought = {(one.space, one.memory) for one in newest}
        others = (one for one in ranked[AMONG:] if (one.space, one.memory) not in brought)
        ranked = [*newest, *others]
    ranked = _relevant(ranked, question, means)[: question.limit]
    return replace(found, ranked=ranked, reranker=name)


def _anchored(
    spaces: Sequence[SpaceSearch], question: Question, anchor: Anchor, means: Means
) -> tuple[Sequence[SpaceSearch], Question]:
    """Question with the period that lies at a distance from an event, if the event is found."""
    plain = replace(question, cue=anchor.event, reading=PLAIN, vector=None, steering=None)
    found = _asked([one.asked(plain) for one in spaces], plain, anchor.event, means)
    if not found.ranked:
        return spaces, question
    first = _in_order(found.ranked, question.strategy)
    event = _event(first, anchor, means)
    if event is None and calibrated(found.evidence or 0.0) < _ANCHORED:
        return spaces, question
    event = event or first[0]
    (read,), said = means.read([event]), _said_on(event, spaces)
    told = told_times(read.text, said)
    begun = [days.first for days in told if days.first <= day_number(said)]
    day = (EPOCH + timedelta(days=max(begun, default=day_number(to_datetime(event.time))))).date()
    span = span_from(anchor, day, question.instant)
    question = replace(question, reading=replace(question.reading, span=span))
    return [one.asked(question) for one in spaces], question


def _event(ranked: list[Ranked], anchor: Anchor, means: Means) -> Ranked | None:
    """Hit that tells of an event by reading; None if none clearly does."""
    if means.reader is None:
        return None
    texts = _texts_of_notes(ranked, range(len(ranked)), means)
    if not texts:
        return None
    read = read_again(ranked, when_was(anchor.event), texts, means.reader)
    if read is None or (first := read[min(texts)]).relevance < _ANCHORED:
        return None
    return first


def _asked(
    spaces: Sequence[SpaceSearch], question: Question, cue: str, means: Means
) -> SearchFinding:
    timed = any(space.timely is not None for space in spaces)
    topic = topic_of(cue, question.reading.span) if timed else cue
    terms = _terms(spaces, question.strategy, topic, means)
    vector = None
    if question.strategy != "keyword" and any(space.size for space in spaces):
        given = question.vector if cue == question.cue else None
        vector = means.embed(cue) if given is None else given
    asked = Cue(cue, terms, vector, frozenset(means.analyzer.surface(cue)))
    answers = [space.answered(asked) for space in spaces]
    ranked = [item for items, _, _ in answers for item in items]
    evidence = max((one for _, one, _ in answers if one is not None), default=None)
    return SearchFinding(ranked, terms, evidence, max((one for _, _, one in answers), default=0.0))


def _joined_with(whole: SearchFinding, part: SearchFinding) -> SearchFinding:
    """Union of the answers to a cue and to a part of it; each memory keeps its better score."""
    better = {(item.space, item.memory): item for item in whole.ranked}
    for item in part.ranked:
        key = (item.space, item.memory)
        score, taught = _PART_SHARE * item.score, _PART_SHARE * item.taught
        if key not in better or better[key].score < score:
            better[key] = replace(item, score=score, taught=taught)
    known = [one for one in (whole.evidence, part.evidence) if one is not None]
    best = max(whole.best, _PART_SHARE * part.best)
    return SearchFinding([*better.values()], whole.terms, max(known, default=None), best)


def _in_order(
    ranked: Sequence[Ranked], strategy: Strategy, stays: Container[Position] = frozenset()
) -> list[Ranked]:
    """Sorted hits: kept ones first, then by score; ties by pin, then the newer first."""
    close = decimals(strategy)

    def place(item: Ranked) -> tuple[bool, float, bool, int, int]:
        # A kept memory that was superseded since is represented by its successor.
        kept = item.memory in stays or item.found in stays
        return not kept, -round(item.score, close), not item.pinned, -item.time, -item.memory

    return sorted(ranked, key=place)


def _read(
    ranked: list[Ranked], spaces: Sequence[SpaceSearch], question: Question, means: Means
) -> tuple[list[Ranked], Question]:
    """Hits in the order of reading, and the question, which seeks no advice if a hit answers it.

    Only reading tells a question from a cue that seeks advice, which no single hit answers.
    """
    if means.reader is None or not _may_be_read(ranked[:READ], question):
        return ranked, question
    subject, inside = subject_of(question.cue, question.reading.span), _of_period(ranked, spaces)
    texts = _texts_of_notes(ranked, inside, means)
    if not subject or not texts:
        return ranked, question
    read = read_again(ranked, subject, texts, means.reader)
    if read is None:
        return ranked, question
    if question.reading.place is not None:
        days = {ranked[at].memory: _day_of(ranked[at], texts[at][0], spaces) for at in texts}
        today = day_number(to_datetime(question.instant))
        read = in_time(read, days, question.reading.place, today)
    if len(inside) < len(ranked):
        # What is of the period that a cue names is found: only its order is changed.
        pairs = zip(read, ranked, strict=True)
        read = [replace(one, relevance=before.relevance) for one, before in pairs]
    elif question.reading.seeks_advice:
        if read[0].relevance < _ANSWERED:
            return ranked, question
        question = replace(question, reading=replace(question.reading, seeks_advice=False))
    return _successors_first(read, spaces), question


def _day_of(note: Ranked, text: str, spaces: Sequence[SpaceSearch]) -> int:
    """Day of which a note tells, else that on which it was stored or became valid, from 1970."""
    told = told_day(text, _said_on(note, spaces))
    return day_number(to_datetime(note.time)) if told is None else told


def _said_on(item: Ranked, spaces: Sequence[SpaceSearch]) -> datetime:
    return next(one.said_on(item.memory) for one in spaces if one.space == item.space)


def _of_period(ranked: Sequence[Ranked], spaces: Sequence[SpaceSearch]) -> list[int]:
    """Places of the hits of the period that the cue names; all if nothing is of one."""
    timed = {search.space: search for search in spaces if search.timely is not None}
    if not timed:
        return [*range(len(ranked))]
    return [
        place
        for place, one in enumerate(ranked)
        if one.space in timed and timed[one.space].is_of_period(one.memory)
    ]


def _texts_of_notes(
    ranked: Sequence[Ranked], places: Sequence[int], means: Means
) -> dict[int, list[str]]:
    """Texts of the notes among the first hits at some places, and of what they were found by."""
    notes = [place for place in places[:READ] if ranked[place].is_note]
    read = [
        (place, replace(ranked[place], memory=memory))
        for place in notes
        for memory in dict.fromkeys((ranked[place].memory, ranked[place].found))
    ]
    texts: dict[int, list[str]] = {place: [] for place in notes}
    for (place, _), one in zip(read, means.read([item for _, item in read]), strict=True):
        texts[place].append(one.text)
    return texts


def _leads_with_note(found: Sequence[Ranked]) -> bool:
    best = max(found, key=lambda item: item.score, default=None)
    return best is not None and best.is_note


def _may_be_read(first: Sequence[Ranked], question: Question) -> bool:
    """True if one of the first hits can answer the question by what it says."""
    reading = question.reading
    if reading.parts or reading.sought == "overview":
        return False
    if question.statuses or question.strategy not in CALIBRATED:
        return False
    # Votes said what answers.
    told = any(item.taught for item in first)
    return not told and any(item.is_note for item in first)


def _with_relevance(
    found: Sequence[Ranked], best_evidence: float | None, best: float, ending: Ending
) -> list[Ranked]:
    """Hits with their relevance: the evidence for the answer, and each hit's share of it."""
    # Only its own memory gets the learned part of a score, because `best` is without it. If the
    # evidence is unknown, relevance is the score itself.
    if best_evidence is None:
        return [replace(item, relevance=min(1.0, item.score)) for item in found]
    answered = calibrated(best_evidence, ending)
    first = max((item.score for item in found), default=0.0)

    def relevance(item: Ranked) -> float:
        matching = relevance_of(item.score, best, answered, ending)
        if item.taught <= 0:
            return matching
        learned = calibrated(item.scores["learned"])
        return max(matching, relevance_of(item.score, first, learned))

    return [replace(item, relevance=relevance(item)) for item in found]


def _relevant(ranked: Sequence[Ranked], question: Question, means: Means) -> list[Ranked]:
    own = _firsthand(ranked, means) if question.reading.seeks_advice else ()
    least = question.min_relevance
    return [item for item in ranked if item.relevance >= least or item.memory in own]


def _firsthand(ranked: Sequence[Ranked], means: Means) -> frozenset[Position]:
    """Hits in which somebody speaks of themselves.

    What is sought for advice seldom shares words with the preference that bears on it, so these
    are kept however little they seem to match.
    """
    read = zip(ranked, means.read(ranked), strict=True)
    return frozenset(item.memory for item, one in read if _may_prefer(one.text))


def _may_prefer(text: str) -> bool:
    short = len(text) <= _LONGEST_PREFERENCE
    return short and speaks_of_self(text) and not text.rstrip().endswith("?")


def _terms(spaces: Sequence[SpaceSearch], strategy: Strategy, cue: str, means: Means) -> Terms:
    analyzer = means.analyzer
    terms = [] if strategy == "semantic" else analyzer.cue(cue)
    statistics = _joined(spaces, terms)
    missing = {term for term in terms if not statistics.frequencies[term]}
    corrected: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(analyzer.surface(cue)):
        if not missing.isdisjoint(analyzer.words(word)) and (
            near := {one.word for space in spaces for one in space.state.meant(word, space.size)}
        ):
            corrected[word] = tuple(sorted(near))
    meant = {term for near in corrected.values() for word in near for term in analyzer.words(word)}
    extra = meant.difference(terms)
    present = [term for term in terms if term not in missing]
    weights = inverse_frequencies(_joined(spaces, [*present, *sorted(extra)]))
    for term in extra:
        weights[term] *= _MISTYPED_WEIGHT
    # Terms that occur nowhere are left out: they would lower every score alike.
    wanted = inverse_frequencies(statistics)
    read = missing.difference(term for word in corrected for term in analyzer.words(word))
    unread, whole = sum(wanted[term] for term in sorted(read)), sum(wanted.values())
    return Terms(weights, corrected, 1 - unread / whole if whole else 1.0)


def _joined(spaces: Sequence[SpaceSearch], terms: Sequence[str]) -> Statistics:
    nothing = Statistics(0, dict.fromkeys(terms, 0))
    return reduce(Statistics.joined, (space.statistics(terms) for space in spaces), nothing)


def _successors_first(ranked: Sequence[Ranked], spaces: Sequence[SpaceSearch]) -> list[Ranked]:
    """Order of hits in which no memory precedes one that supersedes it, directly or indirectly."""
    # It matters if the question names the status superseded, or if a contested successor is a
    # hit. A successor that moves ahead of a memory gets at least its score and relevance.
    found = {(item.space, item.memory): item for item in ranked}
    met = {space.space: (space.chains, set[Position]()) for space in spaces}
    placed: list[Ranked] = []
    for item in ranked:
        chains, before = met[item.space]
        for memory in chains.upwards(item.memory, before):
            one = found.get((item.space, memory))
            if one is not None:
                score, relevance = max(one.score, item.score), max(one.relevance, item.relevance)
                placed.append(replace(one, score=score, relevance=relevance))
    return placed


def brought_along(searches: Sequence[SpaceSearch], ranked: Sequence[Ranked]) -> list[Ranked]:
    """Memories that hits, or what they supersede, led to in two earlier sessions or more.

    `found` of each is the hit that led to it; its relevance is that of the hit.
    """
    leading = {search.space: search for search in searches if search.state.lessons.leads}
    recalled = {(one.space, one.memory) for one in ranked}
    brought: list[Ranked] = []
    for one in ranked:
        if (search := leading.get(one.space)) is None:
            continue
        sparks = [one.memory, *search.chains.trail(one.memory)]
        ordinals = [search.state.columns.ordinal(spark) for spark in sparks]
        for _, ordinal in search.state.lessons.hooked(ordinals, search.position):
            if len(brought) == _MOST_BROUGHT:
                return brought
            memory = search.answer_at(ordinal)
            if memory is not None and (one.space, memory) not in recalled:
                recalled.add((one.space, memory))
                brought.append(Ranked(one.space, memory, one.memory, one.score, one.relevance))
    return brought
