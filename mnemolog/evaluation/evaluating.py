"""Evaluation of recall and context on a labelled set, for one strategy or two compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from hashlib import file_digest
from itertools import pairwise
from pathlib import Path

from mnemolog.evaluation.asking import Asking, Scores
from mnemolog.evaluation.intervals import LEAST_RESAMPLES, RESAMPLES, Interval, interval
from mnemolog.evaluation.labelled import CORPUS, LabelledSet, read_set
from mnemolog.evaluation.support import SupportJudge, WordJudge
from mnemolog.indexes.embedder import Embedder, MiniLM
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.ledger.scratch import temporary_directory
from mnemolog.policies.memories import checked_texts
from mnemolog.projections.folding import Progress
from mnemolog.recall.context.context import BUDGET, checked_budget
from mnemolog.recall.search.checks import Strategy, checked_strategy
from mnemolog.results import Value

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


class Evaluation(Value, frozen=True):
    """Measures of a set, with 95 % bootstrap intervals.

    `measures` are keyed by category (including `all`), strategy and measure. `differences`
    compare two strategies: the first's value less the second's, query by query. A measure
    that no query has is left out. `answers` names the answers judged for faithfulness:
    `given`, or `reference` for the set's own.
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

    Every scope becomes a space of a scratch home; `work` is a folder that keeps this home
    for the next run. `answers`, by query id, are judged for faithfulness instead of the
    set's own. Raises `MalformedSet` with file and line, and `InvalidField` and its
    subclasses.
    """
    names = _checked_strategies(strategies)
    checked_budget(budget)
    _check_resamples(resamples, seed)
    labelled = read_set(Path(path))
    with ExitStack() as stack:
        if work is None:
            folder = stack.enter_context(temporary_directory("mnemolog-eval-"))
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
    categories = _categories(labelled)
    return Evaluation(
        name=labelled.name,
        scopes=len(labelled.texts),
        texts=sum(map(len, labelled.texts.values())),
        queries=sum(map(len, labelled.queries.values())),
        unanswerable=sum(map(len, labelled.queries.values())) - len(labelled.asked),
        strategies=names,
        measures={
            category: {
                name: _intervals([found[name][query] for query in queries], resamples, seed)
                for name in names
            }
            for category, queries in categories.items()
        },
        differences={
            category: _intervals(
                [_less(found[first][query], found[second][query]) for query in queries],
                resamples,
                seed,
            )
            for first, second in pairwise(names)
            for category, queries in categories.items()
        },
        resamples=resamples,
        seed=seed,
        budget=budget,
        judge=asking.judge.name,
        answers="reference" if answers is None else "given",
    )


def _intervals(scores: Sequence[Scores], resamples: int, seed: int) -> dict[str, Interval]:
    """Interval of each measure over the queries that have it; one seed draws the same queries."""
    return {
        measure: interval([one[measure] for one in scores if measure in one], resamples, seed)
        for measure in MEASURES
        if any(measure in one for one in scores)
    }


def _less(first: Scores, second: Scores) -> Scores:
    """Difference between two strategies' scores of a query."""
    return {name: first[name] - second[name] for name in first if name in second}


def _categories(labelled: LabelledSet) -> dict[str, list[str]]:
    """Query ids of each category, `all` first."""
    categories: dict[str, list[str]] = defaultdict(list)
    for queries in labelled.queries.values():
        for query in queries:
            if query.category is not None and str(query.category) != ALL:
                categories[str(query.category)].append(query.id)
            categories[ALL].append(query.id)
    return {ALL: categories.pop(ALL), **dict(sorted(categories.items()))}


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
    with corpus.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()[:12]
