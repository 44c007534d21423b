"""Search: ranked memories for a cue, from one space or several together."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import reduce

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.postings import Statistics, inverse_frequencies
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.ids_and_times import Position
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.match import Cue, Terms
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import calibrated, relevance_of
from mnemolog.recall.search.reranking import CANDIDATES, KEPT, RERANK_SHARE, Reranker
from mnemolog.recall.search.space_search import TOO_CLOSE, Chains, Ranked, SpaceSearch

_Read = Callable[[Sequence[Ranked]], Sequence[str]]

_MISTYPED_WEIGHT = 0.5
_PART_SHARE = 0.9  # Factor of the score of a memory that answers only a part of the cue
_MOST_BROUGHT = 3  # Most associated memories that are added to a recall


class Means(msgspec.Struct, frozen=True):
    """Resources of a search: `embed` embeds a cue, and `read` reads the texts of hits."""

    analyzer: Analyzer
    embed: Callable[[str], npt.NDArray[np.float32]]
    read: _Read
    reranker: Reranker | None = None


class SearchFinding(msgspec.Struct, frozen=True):
    """Result of a search, best first; `evidence` is the best evidence for it, None if unknown.

    `best` is the best score without the learned part; `reranker` is the name of the reranker
    that was used. `constraints` are added if the cue asks what to do, `brought` are memories
    that were reached through one of the hits before.
    """

    ranked: list[Ranked]
    terms: Terms
    evidence: float | None
    best: float = 0.0
    reranker: str | None = None
    constraints: Sequence[Ranked] = ()
    brought: Sequence[Ranked] = ()


def search(spaces: Sequence[SpaceSearch], question: Question, means: Means) -> SearchFinding:
    """Ranked memories of one or several spaces that answer a question, best first."""
    asked = [
        _asked(spaces, question, cue, means) for cue in (question.cue, *question.reading.parts)
    ]
    found = reduce(_joined_with, asked)
    stays = frozenset[Position]() if question.steering is None else question.steering.stays
    ranked, best, name = _in_order(found.ranked, stays), found.best, None
    if means.reranker is not None:
        name = means.reranker.name
        ranked = _in_order(_reranked(ranked, question, means.reranker, means.read), stays)
        best = max((item.score - item.taught for item in ranked), default=0.0)
    ranked = _successors_first(ranked, {space.space: space.chains for space in spaces})
    ranked = _with_relevance(ranked[: question.limit], found.evidence, best)
    ranked = [item for item in ranked if item.relevance >= question.min_relevance]
    return msgspec.structs.replace(found, ranked=ranked, reranker=name)


def _asked(
    spaces: Sequence[SpaceSearch], question: Question, cue: str, means: Means
) -> SearchFinding:
    terms = _terms(spaces, question.strategy, cue, means)
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
            better[key] = msgspec.structs.replace(item, score=score, taught=taught)
    known = [one for one in (whole.evidence, part.evidence) if one is not None]
    best = max(whole.best, _PART_SHARE * part.best)
    return SearchFinding([*better.values()], whole.terms, max(known, default=None), best)


def _in_order(ranked: Sequence[Ranked], stays: Container[Position] = frozenset()) -> list[Ranked]:
    """Sorted hits: kept ones first, then by score; ties by pin, then the newer first."""

    def place(item: Ranked) -> tuple[bool, float, bool, int, int]:
        # A kept memory that was superseded since is represented by its successor.
        kept = item.memory in stays or item.found in stays
        return not kept, -round(item.score, TOO_CLOSE), not item.pinned, -item.time, -item.memory

    return sorted(ranked, key=place)


def _reranked(
    ranked: Sequence[Ranked], question: Question, reranker: Reranker, read: _Read
) -> list[Ranked]:
    """Reranked hits: the best 50 are scored again, and the best 20 (or `limit`) are kept."""
    chosen = ranked[: max(CANDIDATES, question.limit)]
    scores = reranker.scores(question.cue, read(chosen))
    judged = [
        msgspec.structs.replace(
            item,
            score=RERANK_SHARE * score + (1 - RERANK_SHARE) * item.score,
            taught=(1 - RERANK_SHARE) * item.taught,
            scores={**item.scores, "rerank": score},
        )
        for item, score in zip(chosen, scores, strict=True)
    ]
    return _in_order(judged)[: max(KEPT, question.limit)]


def _with_relevance(
    found: Sequence[Ranked], best_evidence: float | None, best: float
) -> list[Ranked]:
    """Hits with their relevance: the evidence for the answer, and each hit's share of it."""
    # Only its own memory gets the learned part of a score, because `best` is without it. If the
    # evidence is unknown, relevance is the score itself.
    if best_evidence is None:
        return [msgspec.structs.replace(item, relevance=min(1.0, item.score)) for item in found]
    answered = calibrated(best_evidence)
    first = max((item.score for item in found), default=0.0)

    def relevance(item: Ranked) -> float:
        matching = relevance_of(item.score, best, answered)
        if item.taught <= 0:
            return matching
        return max(matching, relevance_of(item.score, first, calibrated(item.scores["learned"])))

    return [msgspec.structs.replace(item, relevance=relevance(item)) for item in found]


def _terms(spaces: Sequence[SpaceSearch], strategy: Strategy, cue: str, means: Means) -> Terms:
    """Terms of the cue, weighted over all searched spaces, with misspelled words corrected."""
    analyzer = means.analyzer
    terms = [] if strategy == "semantic" else analyzer.cue(cue)
    statistics = _joined(spaces, terms)
    missing = {term for term in terms if not statistics.frequencies[term]}
    corrected: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(analyzer.surface(cue)):
        if missing.isdisjoint(analyzer.words(word)):
            continue
        near = [one for space in spaces for one in space.state.meant(word, space.size)]
        if near:
            corrected[word] = tuple(sorted({one.word for one in near}))
    meant = (
        term for words in corrected.values() for word in words for term in analyzer.words(word)
    )
    extra = set(meant).difference(terms)
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
    joined = Statistics(0, dict.fromkeys(terms, 0))
    for space in spaces:
        joined = joined.joined(space.statistics(terms))
    return joined


def _successors_first(ranked: Sequence[Ranked], chains: Mapping[str, Chains]) -> list[Ranked]:
    """Order of hits in which no memory precedes one that supersedes it, directly or indirectly."""
    # It matters if the question names the status superseded, or if a contested successor is a
    # hit. A successor that moves ahead of a memory gets at least its score.
    found = {(item.space, item.memory): item for item in ranked}
    met: dict[str, set[Position]] = {space: set() for space in chains}
    placed: list[Ranked] = []
    for item in ranked:
        for memory in chains[item.space].upwards(item.memory, met[item.space]):
            one = found.get((item.space, memory))
            if one is not None:
                placed.append(msgspec.structs.replace(one, score=max(one.score, item.score)))
    return placed


def brought_along(searches: Sequence[SpaceSearch], ranked: Sequence[Ranked]) -> list[Ranked]:
    """Memories that hits, or what they supersede, led to in two earlier sessions or more.

    `found` of each is the hit that led to it; its relevance is that of the hit.
    """
    by_space = {search.space: search for search in searches}
    recalled = {(one.space, one.memory) for one in ranked}
    brought: list[Ranked] = []
    for one in ranked:
        search = by_space[one.space]
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
