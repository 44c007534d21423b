"""The command that measures recall on a labelled set: eval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli.asking import STRATEGIES
from mnemolog.cli.options import Directory, acts, as_json, quiet
from mnemolog.cli.output import Row, write_line, write_table
from mnemolog.cli.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mnemolog import Evaluation, Interval
    from mnemolog.cli.call import Call

_BY_CATEGORY = ("precision", "recall@10", "ndcg@10", "honest_empty", "relevancy")
_WORDS = {
    "precision": "precision of the list",
    "honest_empty": "honest empty answers",
    "relevancy": "relevancy of the context",
    "context_recall": "recall of the context",
    "faithfulness": "faithfulness of answers",
}


@click.command("eval")
@click.argument("path", metavar="PATH", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default="hybrid",
    show_default=True,
    help="How to rank.",
)
@click.option("--against", type=click.Choice(STRATEGIES), help="Another way, to stand beside it.")
@click.option(
    "--answers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Answers to judge by their context: a JSON object with _id and answer a line.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=8000,
    show_default=True,
    help="Tokens of a query's context.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1000),
    default=2000,
    show_default=True,
    help="How often queries are drawn anew for the intervals.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of that drawing."
)
@click.option(
    "--work",
    type=Directory(),
    metavar="DIR",
    help="Keep the home that the set is remembered in here, for the next time.",
)
@acts(as_json, quiet)
def evaluate(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    path: Path,
    *,
    strategy: str,
    against: str | None,
    answers: Path | None,
    budget: int,
    resamples: int,
    seed: int,
    work: Path | None,
) -> None:
    """Measure how well recall answers a labelled set.

    PATH is a directory with corpus.jsonl, queries.jsonl and qrels.tsv. Each
    scope of it becomes a space of a scratch home; your own homes are not touched.
    """
    from mnemolog import evaluate, read_answers  # noqa: PLC0415 - heavy, and not needed for help

    with progress_of(call) as progress:
        found = evaluate(
            path,
            (strategy,) if against is None else (strategy, against),
            answers=None if answers is None else read_answers(answers),
            work=work,
            budget=budget,
            resamples=resamples,
            seed=seed,
            progress=progress,
        )
    call.answer(found, _write_evaluation)


def _write_evaluation(found: Evaluation) -> None:
    write_line(
        f"{found.name}, {' against '.join(found.strategies)}: {found.queries:,} queries, "
        f"{found.unanswerable:,} without an answer, on {found.texts:,} texts in "
        f"{found.scopes:,} scopes"
    )
    write_table(("measure", *found.strategies, *_beside(found)), _overall(found))
    categories = [name for name in found.measures if name != "all"]
    if categories:
        write_line()
        write_table(("category", "strategy", *_BY_CATEGORY), _by_category(found, categories))
    write_line()
    write_line(
        f"95 % intervals of {found.resamples:,} resamples; judged by {found.judge}, "
        f"{found.answers} answers, contexts of {found.budget:,} tokens"
    )


def _beside(found: Evaluation) -> tuple[str, ...]:
    return ("difference",) if found.differences else ()


def _overall(found: Evaluation) -> Iterator[Row]:
    everything = found.measures["all"]
    differences = found.differences.get("all", {})
    for measure in dict.fromkeys(name for one in everything.values() for name in one):
        cells = [_shown(everything[way].get(measure)) for way in found.strategies]
        beside = [_difference(differences.get(measure))] if found.differences else []
        yield Row((_WORDS.get(measure, measure), *cells, *beside))


def _by_category(found: Evaluation, categories: list[str]) -> Iterator[Row]:
    for category in categories:
        for way, measures in found.measures[category].items():
            yield Row((category, way, *_cells(measures)))


def _cells(measures: Mapping[str, Interval]) -> Iterator[str]:
    for name in _BY_CATEGORY:
        yield _shown(measures.get(name))


def _shown(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _difference(interval: Interval | None) -> str:
    """A difference, with a star where its interval leaves zero out."""
    if interval is None:
        return "-"
    told = f"{interval.mean:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]"
    return f"{told} *" if interval.low > 0 or interval.high < 0 else told
