"""From a cue to ranked memories, over one space or several asked together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

import msgspec

from indexes.analysis import Analyzer
from indexes.near_words import KnownWords
from indexes.postings import Statistics, inverse_frequencies
from ledger.ids import Position
from recall.chains import Chains
from recall.match import Terms
from recall.questions import Question
from recall.relevance import calibrated, relevance_of
from recall.space_search import TOO_CLOSE, Ranked, SpaceSearch, Vector

_MISTYPED_WEIGHT = 0.5


def search(
    spaces: Sequence[SpaceSearch],
    question: Question,
    analyzer: Analyzer,
    known: KnownWords,
    embed: Callable[[str], Vector],
) -> tuple[list[Ranked], Terms]:
    """The memories of one space, or of several together, that answer; best first."""
    terms = _terms(spaces, question, analyzer, known)
    vector = None
    if question.strategy != "keyword" and any(space.size for space in spaces):
        vector = question.vector if question.vector is not None else embed(question.cue)
    words = set(analyzer.surface(question.cue))
    answers = [space.answered(terms, vector, words) for space in spaces]
    ranked = [item for answer in answers for item in answer.ranked]
    # Scores that differ by less than a thousandth say nothing: what is pinned wins, then what
    # is newer.
    ranked.sort(
        key=lambda item: (
            -round(item.score, TOO_CLOSE),
            not item.pinned,
            -item.time,
            -item.memory,
        )
    )
    by_space = {space.space: space.chains for space in spaces}
    found = _successors_first(ranked, by_space)[: question.limit]
    if any(answer.evidence is not None for answer in answers):
        found = _calibrated(found, max(answer.evidence or 0.0 for answer in answers))
    return _enough(found, question.min_relevance), terms


def _calibrated(found: Sequence[Ranked], best_evidence: float) -> list[Ranked]:
    """The same memories with their relevance: what speaks for the answer, and their share of it."""
    answered = calibrated(best_evidence)
    best = max((item.score for item in found), default=0.0)
    return [
        msgspec.structs.replace(item, relevance=relevance_of(item.score, best, answered))
        for item in found
    ]


def _enough(found: Sequence[Ranked], least: float) -> list[Ranked]:
    """The list up to where relevance falls below what is wanted."""
    return list(takewhile(lambda item: item.relevance >= least, found))


def _terms(
    spaces: Sequence[SpaceSearch], question: Question, analyzer: Analyzer, known: KnownWords
) -> Terms:
    """The cue's terms with their weights over all spaces asked, mistyped words corrected."""
    terms = [] if question.strategy == "semantic" else analyzer.cue(question.cue)
    statistics = _joined(spaces, terms)
    missing = {term for term in terms if not statistics.frequencies[term]}
    corrected: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(analyzer.surface(question.cue)):
        if missing.isdisjoint(analyzer.words(word)):
            continue
        meant = {
            near.word for space in spaces for near in space.state.meant(word, known, space.size)
        }
        if meant:
            corrected[word] = tuple(sorted(meant))
    wanted = inverse_frequencies(statistics)
    extra = {
        term for words in corrected.values() for word in words for term in analyzer.words(word)
    } - set(terms)
    present = [term for term in terms if term not in missing]
    weights = inverse_frequencies(_joined(spaces, [*present, *sorted(extra)]))
    for term in extra:
        weights[term] *= _MISTYPED_WEIGHT
    # Terms that are nowhere are left out: they would lower every score alike.
    all_of_it = sum(wanted.values())
    share = sum(weights.values()) / all_of_it if all_of_it else 1.0
    return Terms(weights, corrected, min(1.0, share))


def _joined(spaces: Sequence[SpaceSearch], terms: Sequence[str]) -> Statistics:
    joined = Statistics(0, dict.fromkeys(terms, 0))
    for space in spaces:
        joined = joined.joined(space.statistics(terms))
    return joined


def _successors_first(ranked: Sequence[Ranked], chains: Mapping[str, Chains]) -> list[Ranked]:
    """The same order, but nothing before what supersedes it.

    Matters where superseded memories are asked for by name, or where a
    contested successor stands beside what it would replace.
    """
    place = {(item.space, item.memory): item for item in ranked}
    placed: dict[tuple[str, Position], Ranked] = {}

    def put(item: Ranked, above: frozenset[Position]) -> None:
        if (item.space, item.memory) in placed:
            return
        for newer in chains[item.space].above(item.memory):
            successor = place.get((item.space, newer))
            if successor is not None and newer not in above:
                put(successor, above | {item.memory})
        placed.setdefault((item.space, item.memory), item)

    for item in ranked:
        put(item, frozenset())
    return list(placed.values())
