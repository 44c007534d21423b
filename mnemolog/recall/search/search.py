"""From a cue to ranked memories, over one space or several asked together."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import msgspec

from mnemolog.indexes.near_words import KnownWords
from mnemolog.indexes.postings import Statistics, inverse_frequencies
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.chains import Chains
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.match import Cue, Terms, Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import calibrated, relevance_of
from mnemolog.recall.search.reranking import CANDIDATES, KEPT, RERANK_SHARE, Reranker
from mnemolog.recall.search.space_search import TOO_CLOSE, Ranked, SpaceSearch

_MISTYPED_WEIGHT = 0.5
_PART_SHARE = 0.9
"""What a memory that answers a part of a cue counts, of one that answers the whole as well."""


class Means(msgspec.Struct, frozen=True):
    """What a search works with: `embed` a cue, and `read` the texts of what was found."""

    analyzer: Analyzer
    known: KnownWords
    embed: Callable[[str], Vector]
    read: Callable[[Sequence[Ranked]], Sequence[str]]
    reranker: Reranker | None = None


class SearchFinding(msgspec.Struct, frozen=True):
    """What a search found, best first; `evidence` is the best that speaks for it, None if unknown.

    `best` is the best score of it, had nothing been learned; `reranker` is the name of the
    one that read the best once more, `constraints` what comes along with a cue that asks what
    to do, `brought` what comes along because it was found through one of these before.
    """

    ranked: list[Ranked]
    terms: Terms
    evidence: float | None
    best: float = 0.0
    reranker: str | None = None
    constraints: Sequence[Ranked] = ()
    brought: Sequence[Ranked] = ()


def search(spaces: Sequence[SpaceSearch], question: Question, means: Means) -> SearchFinding:
    """The memories of one space, or of several together, that answer; best first."""
    found = _asked(spaces, question, question.cue, means)
    for part in question.reading.parts:
        found = _joined_with(found, _asked(spaces, question, part, means))
    stays = frozenset[Position]() if question.steering is None else question.steering.stays
    ranked = _in_order(found.ranked, stays)
    name, best = None, found.best
    if means.reranker is not None:
        name = means.reranker.name
        ranked = _in_order(_reranked(ranked, question, means.reranker, means.read), stays)
        best = max((item.score - item.taught for item in ranked), default=0.0)
    by_space = {space.space: space.chains for space in spaces}
    ranked = _successors_first(ranked, by_space)[: question.limit]
    ranked = _with_relevance(ranked, found.evidence, best)
    ranked = [item for item in ranked if item.relevance >= question.min_relevance]
    return msgspec.structs.replace(found, ranked=ranked, reranker=name)


def _asked(
    spaces: Sequence[SpaceSearch], question: Question, cue: str, means: Means
) -> SearchFinding:
    """The memories that answer one cue, space by space."""
    terms = _terms(spaces, question.strategy, cue, means)
    vector = None
    if question.strategy != "keyword" and any(space.size for space in spaces):
        given = question.vector if cue == question.cue else None
        vector = means.embed(cue) if given is None else given
    asked = Cue(cue, terms, vector, frozenset(means.analyzer.surface(cue)))
    answers = [space.answered(asked) for space in spaces]
    evidence = [answer.evidence for answer in answers if answer.evidence is not None]
    ranked = [item for answer in answers for item in answer.ranked]
    best = max((answer.best for answer in answers), default=0.0)
    return SearchFinding(ranked, terms, max(evidence, default=None), best)


def _joined_with(whole: SearchFinding, part: SearchFinding) -> SearchFinding:
    """What answers a cue and what answers a part of it, each memory once, with its better score."""
    better = {(item.space, item.memory): item for item in whole.ranked}
    for item in part.ranked:
        key = (item.space, item.memory)
        lesser = msgspec.structs.replace(
            item, score=_PART_SHARE * item.score, taught=_PART_SHARE * item.taught
        )
        if key not in better or better[key].score < lesser.score:
            better[key] = lesser
    known = [one for one in (whole.evidence, part.evidence) if one is not None]
    best = max(whole.best, _PART_SHARE * part.best)
    return SearchFinding([*better.values()], whole.terms, max(known, default=None), best)


def _in_order(ranked: Sequence[Ranked], stays: Container[Position] = frozenset()) -> list[Ranked]:
    """What stays, then best first; of scores too close to tell apart the pinned, then the newer."""
    return sorted(
        ranked,
        key=lambda item: (
            # Superseded meanwhile, it stays as what stands in its place.
            item.memory not in stays and item.found not in stays,
            -round(item.score, TOO_CLOSE),
            not item.pinned,
            -item.time,
            -item.memory,
        ),
    )


def _reranked(
    ranked: Sequence[Ranked],
    question: Question,
    reranker: Reranker,
    read: Callable[[Sequence[Ranked]], Sequence[str]],
) -> list[Ranked]:
    """The best 50 read once more, and the best 20 of these (or as many as are asked for)."""
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
    """The same memories with their relevance: what speaks for the answer, and their share of it.

    What was learned of a memory speaks for or against that one alone: the others are as
    relevant as without it, since `best` is the best score had nothing been learned. Where
    nothing is known to speak for it, relevance is the score as it is.
    """
    if best_evidence is None:
        return [msgspec.structs.replace(item, relevance=min(1.0, item.score)) for item in found]
    answered = calibrated(best_evidence)
    first = max((item.score for item in found), default=0.0)

    def relevance(item: Ranked) -> float:
        matching = relevance_of(item.score, best, answered)
        if item.taught <= 0:
            return matching
        taught = calibrated(item.scores["learned"])
        return max(matching, relevance_of(item.score, first, taught))

    return [msgspec.structs.replace(item, relevance=relevance(item)) for item in found]


def _terms(spaces: Sequence[SpaceSearch], strategy: Strategy, cue: str, means: Means) -> Terms:
    """The cue's terms with their weights over all spaces asked, mistyped words corrected."""
    analyzer = means.analyzer
    terms = [] if strategy == "semantic" else analyzer.cue(cue)
    statistics = _joined(spaces, terms)
    missing = {term for term in terms if not statistics.frequencies[term]}
    corrected: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(analyzer.surface(cue)):
        if missing.isdisjoint(analyzer.words(word)):
            continue
        meant = {
            near.word
            for space in spaces
            for near in space.state.meant(word, means.known, space.size)
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
    read = missing.difference(term for word in corrected for term in analyzer.words(word))
    unread = sum(wanted[term] for term in sorted(read))
    share = 1 - unread / all_of_it if all_of_it else 1.0
    return Terms(weights, corrected, share)


def _joined(spaces: Sequence[SpaceSearch], terms: Sequence[str]) -> Statistics:
    joined = Statistics(0, dict.fromkeys(terms, 0))
    for space in spaces:
        joined = joined.joined(space.statistics(terms))
    return joined


def _successors_first(ranked: Sequence[Ranked], chains: Mapping[str, Chains]) -> list[Ranked]:
    """The same order, but nothing before what supersedes it, directly or through others.

    Matters where superseded memories are asked for by name, or where a
    contested successor stands beside what it would replace. What is put before
    another has at least its score: it takes the place of the best of its chain.
    """
    found = {(item.space, item.memory): item for item in ranked}
    met: dict[str, set[Position]] = {space: set() for space in chains}
    placed: list[Ranked] = []
    for item in ranked:
        for memory in chains[item.space].upwards(item.memory, met[item.space]):
            one = found.get((item.space, memory))
            if one is not None:
                score = max(one.score, item.score)
                placed.append(msgspec.structs.replace(one, score=score))
    return placed
