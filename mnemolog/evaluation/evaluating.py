"""Evaluation of recall and context on a labelled set: measures, intervals, judges of support."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from hashlib import file_digest
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from mnemolog.evaluation.labelled import CORPUS, Grades, LabelledSet, LabelledText, Query, read_set
from mnemolog.indexes.embedder import Embedder, MiniLM
from mnemolog.language.analysis import Analyzer
from mnemolog.language.sentences import sentence_texts
from mnemolog.ledger.clock import SystemClock, parse_time
from mnemolog.ledger.errors import InvalidField, InvalidNumber, InvalidTime
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Durability
from mnemolog.ledger.scratch import temporary_directory
from mnemolog.memory import Memory
from mnemolog.policies.memories import NewMemory, checked_texts
from mnemolog.projections.folding import Progress
from mnemolog.recall.context import BUDGET, checked_budget
from mnemolog.recall.search.checks import Strategy, checked_strategy
from mnemolog.results import Value

ALL = "all"
# What is measured, each a share in [0, 1].
MEASURES = (
    "precision", "recall@5", "recall@10", "ndcg@10", "mrr@10", "honest_empty",
    "relevancy", "context_recall", "faithfulness",
)  # fmt: skip
_MOST_STRATEGIES = 2
DEPTH = 10
RESAMPLES, LEAST_RESAMPLES = 2_000, 1_000
_CONFIDENCE, _AT_ONCE = 0.95, 1 << 20
_SUPPORTED, _BEARS = 0.75, 0.5
_NEGATED = re.compile(
    r"\b(not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b"
    "|n['\N{RIGHT SINGLE QUOTATION MARK}]t\\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")

# Used in the scratch home only. No query can mean a name of two letters.
_USER, _ASSISTANT = "user:me", "agent:assistant"
_USERS = frozenset({"user", "human"})
_ASSISTANTS = frozenset({"assistant", "agent", "ai", "bot", "model"})

Scores = dict[str, float]  # Measures of one query under one strategy, those that apply


class Measures(Value, frozen=True):
    """Ranking measures, each a mean over queries in [0, 1]."""

    queries: int
    recall_at_5: float
    recall_at_10: float
    ndcg_at_10: float
    mrr_at_10: float


def measured(rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Grades]) -> Measures:
    """Mean measures over the ranked queries; every one of them must have gold."""
    each = np.array([ranked(ranking, gold[query]) for query, ranking in rankings.items()])
    means = each.mean(axis=0) if len(each) else np.zeros(4)
    return Measures(len(each), *means.tolist())


def ranked(ranking: Sequence[str], gold: Grades) -> tuple[float, float, float, float]:
    """recall@5, recall@10, nDCG@10 and the reciprocal rank of the first answer in a ranking."""
    gains = [gold.get(found, 0) for found in ranking[:DEPTH]]
    ideal = sorted(gold.values(), reverse=True)[:DEPTH]
    return (
        sum(gain > 0 for gain in gains[:5]) / len(gold),
        sum(gain > 0 for gain in gains) / len(gold),
        _discounted(gains) / _discounted(ideal),
        next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0),
    )


def precision(ranking: Sequence[str], gold: Grades) -> float:
    """Precision of a list: the share of it that answers; 0 for an empty list."""
    return sum(found in gold for found in ranking) / max(1, len(ranking))


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class Interval(Value, frozen=True):
    """Mean over a number of queries, with the 95 % interval of the resampled means."""

    mean: float
    low: float
    high: float
    queries: int


def interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Mean of values with its percentile bootstrap interval (Efron 1979); zeros if empty."""
    given = np.asarray(values, np.float64)
    if not len(given):
        return Interval(0.0, 0.0, 0.0, 0)
    chance, means = np.random.default_rng(seed), list[float]()
    step = max(1, _AT_ONCE // len(given))
    for start in range(0, resamples, step):
        drawn = chance.integers(0, len(given), (min(step, resamples - start), len(given)))
        means += given[drawn].mean(axis=1).tolist()
    tail = 100 * (1 - _CONFIDENCE) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(given.mean()), float(low), float(high), len(given))


class SupportJudge(Protocol):
    """Judge of an assembled context, and of an answer given from that context."""

    @property
    def name(self) -> str:
        """Name of the judge."""
        ...

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage is relevant to a question."""
        ...

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if the passages support a statement."""
        ...


class WordJudge:
    """Judge by `terms`, stems without stop words: a lower bound, as it knows no paraphrase."""

    name = "words"

    def __init__(self, terms: Callable[[str], Iterable[str]]) -> None:
        self._terms = terms

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage holds half of the question's terms."""
        return self._share(question, passage) >= _BEARS

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if a passage holds 3/4 of a statement's terms and its numbers, negated alike."""
        numbers, negated = {*_NUMBER.findall(statement)}, bool(_NEGATED.search(statement))
        share = partial(self._share, statement)
        return any(
            share(passage) >= _SUPPORTED
            and numbers <= {*_NUMBER.findall(passage)}
            and negated == bool(_NEGATED.search(max(sentence_texts(passage), key=share)))
            for passage in passages
        )

    def _share(self, wanted: str, passage: str) -> float:
        terms = frozenset(self._terms(wanted))
        return len(terms.intersection(self._terms(passage))) / max(1, len(terms))


def faithfulness(judge: SupportJudge, passages: Sequence[str], answer: str) -> float | None:
    """Share of an answer's statements, not its questions, that passages support; None if none."""
    stated = [sentence for sentence in sentence_texts(answer) if not sentence.endswith("?")]
    if not stated:
        return None
    return sum(judge.supports(passages, statement) for statement in stated) / len(stated)


class Evaluation(Value, frozen=True):
    """Measures of a set, with 95 % bootstrap intervals.

    `measures` are keyed by category (including `all`), strategy and measure, without those
    that no query has. `differences` are the first strategy's values less the second's, query by
    query. `answers` are those judged for faithfulness: `given`, or `reference` for the set's own.
    """

    name: str
    scopes: int
    texts: int
    queries: int
    unanswerable: int
    strategies: tuple[Strategy, ...]
    measures: dict[str, dict[str, dict[str, Interval]]]
    differences: dict[str, dict[str, Interval]]
    resamples: int
    seed: int
    budget: int
    judge: str
    answers: str


def evaluate(  # noqa: PLR0913 - what is measured and with what parts, all optional and by name
    path: Path | str,
    strategies: Sequence[str] = ("hybrid",),
    *,
    answers: Mapping[str, str] | None = None,
    work: Path | None = None,
    judge: SupportJudge | None = None,
    embedder: Embedder | None = None,
    budget: int = BUDGET,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluation of a labelled set with one strategy, or with two compared.

    Every scope becomes a space of a scratch home, kept in the folder `work` for the next run.
    `answers`, by query id, are judged instead of the set's own. Raises `MalformedSet`, with file
    and line, and `InvalidField`.
    """
    named = checked_texts("strategies", strategies)
    if not 1 <= len(named) <= _MOST_STRATEGIES or len(set(named)) != len(named):
        raise InvalidField("strategies", "are none, one twice or over two", "give one, or two")
    names = tuple(map(checked_strategy, named))
    checked_budget(budget)
    for field, value, least in (("resamples", resamples, LEAST_RESAMPLES), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidNumber(field, f"{value!r} is out of range", f"give {least:,} or more")
    labelled = read_set(Path(path))
    judge = judge or WordJudge(Analyzer().cue)
    with ExitStack() as stack:
        if work is None:
            folder = stack.enter_context(temporary_directory("mnemolog-eval-"))
        else:
            with (Path(path) / CORPUS).open("rb") as file:
                folder = work / f"{labelled.name}-{file_digest(file, 'sha256').hexdigest()[:12]}"
        asking = _Asking(labelled, judge, budget, answers, progress)
        found = asking.scores(folder / "home", embedder or MiniLM(), names)

    def intervals(scores: Sequence[Scores]) -> dict[str, Interval]:
        """Interval of each measure over the queries that have it; one seed draws the same ones."""
        each = {name: [one[name] for one in scores if name in one] for name in MEASURES}
        return {name: interval(ones, resamples, seed) for name, ones in each.items() if ones}

    every = [query for queries in labelled.queries.values() for query in queries]
    kinds = {str(query.category) for query in every if query.category is not None} - {ALL}
    categories = {ALL: [query.id for query in every]}
    for kind in sorted(kinds):
        categories[kind] = [query.id for query in every if str(query.category) == kind]
    return Evaluation(
        name=labelled.name,
        scopes=len(labelled.texts),
        texts=sum(map(len, labelled.texts.values())),
        queries=len(every),
        unanswerable=len(every) - len(labelled.asked),
        strategies=names,
        measures={
            category: {name: intervals([found[name][one] for one in ids]) for name in names}
            for category, ids in categories.items()
        },
        differences={
            category: intervals([_less(found[first][one], found[second][one]) for one in ids])
            for first, second in pairwise(names)
            for category, ids in categories.items()
        },
        resamples=resamples,
        seed=seed,
        budget=budget,
        judge=judge.name,
        answers="reference" if answers is None else "given",
    )


def _less(first: Scores, second: Scores) -> Scores:
    return {name: first[name] - second[name] for name in first if name in second}


class _Asking(msgspec.Struct, frozen=True):
    labelled: LabelledSet
    judge: SupportJudge
    budget: int
    answers: Mapping[str, str] | None
    progress: Progress | None

    def scores(
        self, home: Path, embedder: Embedder, strategies: Sequence[Strategy]
    ) -> dict[str, dict[str, Scores]]:
        found: dict[str, dict[str, Scores]] = {name: {} for name in strategies}
        total = len(strategies) * sum(map(len, self.labelled.queries.values()))
        for scope, queries in self.labelled.queries.items():
            with opened(home, scope, embedder) as memory:
                ids = held(memory, self.labelled.texts.get(scope, []), self.progress)
                memory.upkeep.index(self.progress)
                for strategy in strategies:
                    if memory.settings().strategy != strategy:
                        memory.configure({"strategy": strategy})
                    for query in queries:
                        found[strategy][query.id] = self._asked(memory, query, ids)
                        if self.progress is not None:
                            self.progress("asking", sum(map(len, found.values())), total)
        return found

    def _asked(self, memory: Memory, query: Query, ids: Mapping[MemoryId, str]) -> Scores:
        # Relevancy is the share of a context's tokens that are labelled or judged relevant. The
        # answer to judge is the given one or, where the query has gold, the set's own.
        hits, gold = memory.recall(query.text).hits, self.labelled.gold.get(query.id, {})
        context = memory.context(query.text, budget=self.budget)
        scores = {"honest_empty": float(not hits)}
        if gold:
            ranking = [ids[hit.memory_id] for hit in hits if hit.memory_id in ids]
            each = (precision(ranking, gold), *ranked(ranking, gold))
            scores = dict(zip(MEASURES, each, strict=False))
            injected = {ids.get(memory_id) for memory_id in context.memory_ids}
            scores["context_recall"] = len(injected & gold.keys()) / len(gold)
        if gold and context.parts:
            bearing = sum(
                part.tokens
                for part in context.parts
                if (part.memory_id and ids.get(part.memory_id) in gold)
                or self.judge.bears(query.text, part.text)
            )
            scores["relevancy"] = bearing / max(1, sum(part.tokens for part in context.parts))
        own = query.reference if gold else None
        answer = own if self.answers is None else self.answers.get(query.id)
        texts = [part.text for part in context.parts]
        faithful = None if answer is None else faithfulness(self.judge, texts, answer)
        return scores if faithful is None else scores | {"faithfulness": faithful}


def opened(home: Path, scope: str, embedder: Embedder) -> Memory:
    """Memory on the space of a scope in a scratch home; its texts count as one conversation."""
    weak = Durability.MAY_LOSE_LAST_MOMENTS
    return Memory.open(home, scope, actor=_USER, run=scope, durability=weak, embedder=embedder)


def held(
    memory: Memory, texts: Sequence[LabelledText], progress: Progress | None = None
) -> dict[MemoryId, str]:
    """Ids of the texts by those of their memories; missing texts are remembered first.

    Raises `InvalidField` for a kept home that was written to after it was filled.
    """

    def known() -> list[MemoryId]:
        entries = memory.log.events(kinds=("remembered",))
        return [entry.memory_id for entry in entries if entry.memory_id is not None]

    stored = known()
    if len(stored) < len(texts):
        memory.remember_many(map(_new, texts[len(stored) :]), progress=progress)
        stored = known()
    if len(stored) > len(texts):
        fix = "delete it, or name another directory"
        raise InvalidField("work", f"{memory.home} holds more than the set", fix)
    return dict(zip(stored, (text.id for text in texts), strict=True))


def _new(text: LabelledText) -> NewMemory:
    """Memory of a text: its source is its speaker or role, if the set names one."""
    role, speaker = (text.role or "").casefold(), (text.speaker or "").strip()
    source = _USER if role in _USERS else None
    if role in _ASSISTANTS:
        source = _ASSISTANT
    elif speaker and speaker.isprintable():
        source = f"user:{speaker}"
    # A date in another form, or in the future, says nothing of validity.
    since = None
    with suppress(InvalidTime):
        if isinstance(text.date, str) and parse_time("date", text.date) <= SystemClock().now():
            since = text.date
    return NewMemory(text.text, source=source, valid_from=since)
