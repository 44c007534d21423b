"""Measuring recall and context on a labelled set, for one strategy or two side by side."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from indexes.analysis import Analyzer
from indexes.embedder import Embedder, MiniLM
from ledger.clock import SystemClock, parse_time
from ledger.errors import InvalidField, InvalidNumber, InvalidTime
from ledger.ids import MemoryId
from ledger.log import Durability
from mnemolog.evaluation.intervals import LEAST_RESAMPLES, RESAMPLES, Interval, interval
from mnemolog.evaluation.labelled import CORPUS, Grades, LabelledSet, Query, Text, read_set
from mnemolog.evaluation.measures import precision, ranked
from mnemolog.evaluation.support import SupportJudge, WordJudge, faithfulness
from mnemolog.memory import Memory
from policies.memories import NewMemory, checked_texts
from projections.folding import Progress
from recall.context import BUDGET, Part, checked_budget
from recall.questions import Strategy, checked_strategy

ALL = "all"
MEASURES = (
    "precision",
    "recall@5",
    "recall@10",
    "ndcg@10",
    "mrr@10",
    "honest_empty",
    "relevancy",
    "context_recall",
    "faithfulness",
)
"""What is measured, each a share in [0, 1]."""

_MOST_STRATEGIES = 2
# Of the scratch home alone. A name of two letters is no name that a query could mean.
_USER, _ASSISTANT = "user:me", "agent:assistant"
_USERS = frozenset({"user", "human"})
_ASSISTANTS = frozenset({"assistant", "agent", "ai", "bot", "model"})

Scores = dict[str, float]
"""The measures of one query under one strategy; those that do not apply are left out."""


class Evaluation(msgspec.Struct, frozen=True):
    """The measures of a set, with 95 % bootstrap intervals.

    `measures` are by category (`all` among them), strategy and measure;
    `differences`, where two strategies were compared, are the first's less the
    second's, query by query. A measure is left out where no query has it.
    `answers` tells whose answers faithfulness judged: `given`, or the set's own
    as `reference`.
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
    """Measure a labelled set with one strategy, or with two side by side.

    Every scope becomes a space of a scratch home, or of one that is kept under
    `work` for the next time. `answers`, by query id, are judged for faithfulness
    instead of the set's own. Raises `MalformedSet` with file and line, and
    `InvalidField` and its kin.
    """
    names = _checked_strategies(strategies)
    checked_budget(budget)
    _check_resamples(resamples, seed)
    labelled = read_set(Path(path))
    with ExitStack() as stack:
        if work is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mnemolog-")))
        else:
            folder = work / f"{labelled.name}-{_digest(Path(path) / CORPUS)}"
        asking = Asking(
            labelled,
            folder,
            embedder or MiniLM(),
            judge or WordJudge(Analyzer().cue),
            budget,
            answers,
        )
        found = asking.scores(names, progress)
    return Evaluation(
        name=labelled.name,
        scopes=len(labelled.texts),
        texts=sum(map(len, labelled.texts.values())),
        queries=sum(map(len, labelled.queries.values())),
        unanswerable=sum(map(len, labelled.queries.values())) - len(labelled.asked),
        strategies=names,
        measures={
            category: {
                name: {
                    measure: interval([s[measure] for s in scores if measure in s], resamples, seed)
                    for measure in MEASURES
                    if any(measure in s for s in scores)
                }
                for name in names
                for scores in [[found[name][query] for query in queries]]
            }
            for category, queries in _categories(labelled).items()
        },
        differences={
            category: _differences(found[first], found[second], queries, resamples, seed)
            for first, second in pairwise(names)
            for category, queries in _categories(labelled).items()
        },
        resamples=resamples,
        seed=seed,
        budget=budget,
        judge=asking.judge.name,
        answers="reference" if answers is None else "given",
    )


def _differences(
    first: Mapping[str, Scores],
    second: Mapping[str, Scores],
    queries: Sequence[str],
    resamples: int,
    seed: int,
) -> dict[str, Interval]:
    differences: dict[str, Interval] = {}
    for measure in MEASURES:
        both = [q for q in queries if measure in first[q] and measure in second[q]]
        if both:
            each = [first[query][measure] - second[query][measure] for query in both]
            differences[measure] = interval(each, resamples, seed)
    return differences


def _categories(labelled: LabelledSet) -> dict[str, list[str]]:
    """The queries of each category, `all` first."""
    categories: dict[str, list[str]] = defaultdict(list)
    for queries in labelled.queries.values():
        for query in queries:
            if query.category is not None and str(query.category) != ALL:
                categories[str(query.category)].append(query.id)
            categories[ALL].append(query.id)
    return {ALL: categories.pop(ALL), **dict(sorted(categories.items()))}


class Asking:
    """A set's queries put to a home that holds its texts."""

    def __init__(  # noqa: PLR0913, PLR0917 - a set, a place, and the parts to ask with
        self,
        labelled: LabelledSet,
        folder: Path,
        embedder: Embedder,
        judge: SupportJudge,
        budget: int,
        answers: Mapping[str, str] | None,
    ) -> None:
        self.judge = judge
        self._labelled = labelled
        self._home = folder / "home"
        self._embedder = embedder
        self._budget = budget
        self._answers = answers

    def scores(
        self, strategies: Sequence[Strategy], progress: Progress | None
    ) -> dict[str, dict[str, Scores]]:
        """Every query's measures, by strategy and query id."""
        found: dict[str, dict[str, Scores]] = {name: {} for name in strategies}
        total = len(strategies) * sum(map(len, self._labelled.queries.values()))
        done = 0
        for scope, queries in self._labelled.queries.items():
            texts = self._labelled.texts.get(scope, [])
            with opened(self._home, scope, self._embedder) as memory:
                ids = held(memory, texts)
                memory.index(progress)
                for strategy in strategies:
                    if memory.settings().strategy != strategy:
                        memory.configure({"strategy": strategy})
                    for query, scores in self._asked(memory, queries, ids):
                        found[strategy][query] = scores
                        done += 1
                        if progress is not None:
                            progress("asking", done, total)
        return found

    def _asked(
        self, memory: Memory, queries: Sequence[Query], ids: Mapping[MemoryId, str]
    ) -> Iterator[tuple[str, Scores]]:
        for query in queries:
            hits = memory.recall(query.text).hits
            ranking = [ids[hit.memory_id] for hit in hits if hit.memory_id in ids]
            gold = self._labelled.gold.get(query.id, {})
            scores: Scores = {}
            if gold:
                recall_at_5, recall_at_10, ndcg, mrr = ranked(ranking, gold)
                scores = {
                    "precision": precision(ranking, gold),
                    "recall@5": recall_at_5,
                    "recall@10": recall_at_10,
                    "ndcg@10": ndcg,
                    "mrr@10": mrr,
                }
            else:
                scores = {"honest_empty": float(not hits)}
            yield query.id, scores | self._in_context(memory, query, ids, gold)

    def _in_context(
        self, memory: Memory, query: Query, ids: Mapping[MemoryId, str], gold: Grades
    ) -> Scores:
        """How much of the query's context bears on it, holds its gold, and supports its answer."""
        context = memory.context(query.text, budget=self._budget)
        parts = [part for section in context.sections for part in section.parts]
        injected = {ids.get(memory_id) for memory_id in context.memory_ids}
        scores: Scores = {}
        if gold:
            scores["context_recall"] = len(injected & gold.keys()) / len(gold)
            if parts:
                scores["relevancy"] = self._relevancy(query, parts, ids, gold)
        answer = self._answer(query, gold)
        faithful = None if answer is None else faithfulness(
            self.judge, [part.text for part in parts], answer
        )  # fmt: skip
        return scores if faithful is None else scores | {"faithfulness": faithful}

    def _relevancy(
        self, query: Query, parts: Sequence[Part], ids: Mapping[MemoryId, str], gold: Grades
    ) -> float:
        """The share of a context's tokens that are labelled or judged to bear on a query."""
        bearing = sum(
            part.tokens
            for part in parts
            if (part.memory_id is not None and ids.get(part.memory_id) in gold)
            or self.judge.bears(query.text, part.text)
        )
        return bearing / max(1, sum(part.tokens for part in parts))

    def _answer(self, query: Query, gold: Grades) -> str | None:
        """The answer to judge: the one given or, where there is gold, the set's own."""
        if self._answers is not None:
            return self._answers.get(query.id)
        return query.reference if gold else None


def opened(home: Path, scope: str, embedder: Embedder) -> Memory:
    """The space of a scope in a scratch home, whose texts count as one talk."""
    return Memory.open(
        home,
        scope,
        actor=_USER,
        run=scope,
        durability=Durability.MAY_LOSE_LAST_MOMENTS,
        embedder=embedder,
    )


def held(memory: Memory, texts: Sequence[Text]) -> dict[MemoryId, str]:
    """The texts' ids by those of the memories that hold them; what is not there is remembered."""

    def known() -> list[MemoryId]:
        entries = memory.events(kinds=("remembered",))
        return [entry.memory_id for entry in entries if entry.memory_id is not None]

    stored = known()
    if len(stored) < len(texts):
        memory.remember_many(map(_new, texts[len(stored) :]))
        stored = known()
    return dict(zip(stored, (text.id for text in texts), strict=True))


def _new(text: Text) -> NewMemory:
    return NewMemory(text.text, source=_source(text), valid_from=_since(text.date))


def _source(text: Text) -> str | None:
    """Who said a text, as the set tells."""
    role = (text.role or "").casefold()
    if role in _ASSISTANTS:
        return _ASSISTANT
    speaker = (text.speaker or "").strip()
    if speaker and speaker.isprintable():
        return f"user:{speaker}"
    return _USER if role in _USERS else None


def _since(date: str | float | None) -> str | None:
    """A date that is a moment of the past; in other forms it says nothing of when a text holds."""
    if not isinstance(date, str):
        return None
    try:
        instant = parse_time("date", date)
    except InvalidTime:
        return None
    return date if instant <= SystemClock().now() else None


def _checked_strategies(strategies: Sequence[str]) -> tuple[Strategy, ...]:
    named = checked_texts("strategies", strategies)
    if not 1 <= len(named) <= _MOST_STRATEGIES or len(set(named)) != len(named):
        raise InvalidField("strategies", "are none, one twice or over two", "give one, or two")
    return tuple(map(checked_strategy, named))


def _check_resamples(resamples: int, seed: int) -> None:
    for field, value, least in (("resamples", resamples, LEAST_RESAMPLES), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidNumber(field, f"{value!r} is out of range", f"give {least:,} or more")


def _digest(corpus: Path) -> str:
    return sha256(corpus.read_bytes()).hexdigest()[:12]
