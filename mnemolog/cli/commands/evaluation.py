"""Commands that measure recall and compare settings: eval, counterfactual."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli.commands.spaces import SettingValue, scalar
from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.inputs import decoded_lines
from mnemolog.cli.options import (
    PRESENT,
    STRATEGIES,
    Directory,
    as_json,
    choice,
    into,
    number,
    quiet,
    shared,
    to_moment,
)
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.progress import progress_of
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mnemolog import Counterfactual, Evaluation, Interval, OtherTier
    from mnemolog.cli.call import CommandCall

    _CategoryRow = tuple[str, str, Mapping[str, Interval]]

_BY_CATEGORY = ("precision", "recall@10", "ndcg@10", "honest_empty", "relevancy")
_MEASURES = {
    "precision": "precision of the list",
    "honest_empty": "honest empty answers",
    "relevancy": "relevancy of the context",
    "context_recall": "recall of the context",
    "faithfulness": "faithfulness of answers",
}
_existing_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("eval")
@click.argument("path", metavar="PATH", type=click.Path(file_okay=False, path_type=Path))
@choice("--strategy", of=STRATEGIES, default="hybrid", show_default=True, help="How to rank.")
@choice("--against", of=STRATEGIES, help="Another strategy to compare with.")
@click.option(
    "--answers",
    type=_existing_file,
    metavar="FILE",
    help="Answers to judge by their context: a JSON object with _id and answer a line.",
)
@number("--budget", 8000, "Tokens of a query's context.")
@number("--resamples", 2000, "How often to resample the queries for the intervals.", 1000)
@number("--seed", 0, "Seed of the resampling.", 0)
@click.option(
    "--work",
    type=Directory(),
    metavar="DIR",
    help="Keep the home with the set's texts here, for the next run.",
)
@shared(as_json, quiet)
def evaluate(
    call: CommandCall,
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
    """Measure recall on a labelled set.

    PATH is a directory with corpus.jsonl, queries.jsonl and qrels.tsv. Each
    scope of it becomes a space of a scratch home; your own homes are not used.
    """
    from mnemolog import evaluate, read_answers

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


@click.command()
@click.argument("settings", metavar="NAME=VALUE...", nargs=-1, required=True)
@click.option(
    "--questions",
    type=_existing_file,
    metavar="FILE",
    help='Questions for both, one a line: {"cue": TEXT, "memories": [REFERENCE, ...]}.',
)
@to_moment
@into
@shared(*PRESENT)
def counterfactual(
    call: CommandCall,
    settings: tuple[str, ...],
    *,
    questions: Path | None,
    to: int | str | None,
    into: Path | None,
) -> None:
    """Replay a space's history under other settings.

    Each NAME=VALUE is a setting of `mnemolog config` that applies from the
    beginning. Statements and commands stay the same; the effects of time are
    decided again, in a scratch home. Your home is only read. The answer shows
    which memories would be in another tier, which recalls with a stored cue would
    have answered differently, and the scores of your questions.
    """
    from mnemolog import LabelledQuestion, counterfactual, default_home

    given = dict(_setting(text) for text in settings)
    example = '{"cue": "…", "memories": ["…"]}'
    asked = (
        []
        if questions is None
        else decoded_lines(questions, LabelledQuestion, "questions", example)
    )
    with progress_of(call) as progress:
        found = counterfactual(
            call.home or default_home(),
            given,
            space=call.space,
            to=to,
            questions=asked,
            scratch=into,
            progress=progress,
        )
    call.answer(found, _write_counterfactual)


def _write_evaluation(found: Evaluation) -> None:
    out.write_line(
        f"{found.name}, {' against '.join(found.strategies)}: {found.queries:,} queries, "
        f"{found.unanswerable:,} without an answer, on {found.texts:,} texts in "
        f"{found.scopes:,} scopes"
    )
    everything = found.measures["all"]
    differences = found.differences.get("all", {})
    columns: dict[str, Callable[[str], str]] = {
        "measure": lambda name: _MEASURES.get(name, name),
        **{strategy: partial(_measure_cell, everything[strategy]) for strategy in found.strategies},
    }
    if found.differences:
        columns["difference"] = lambda name: _difference(differences.get(name))
    names = dict.fromkeys(name for measures in everything.values() for name in measures)
    out.write_table("measures", names, columns)
    categories = [
        (category, strategy, measures)
        for category, strategies in found.measures.items()
        for strategy, measures in strategies.items()
        if category != "all"
    ]
    if categories:
        out.write_line()
        out.write_table("categories", categories, _category_columns())
    out.write_line()
    out.write_line(
        f"95 % intervals of {found.resamples:,} resamples; judged by {found.judge}, "
        f"{found.answers} answers, contexts of {found.budget:,} tokens"
    )


def _category_columns() -> dict[str, Callable[[_CategoryRow], str]]:
    return {
        "category": lambda row: row[0],
        "strategy": lambda row: row[1],
        **{name: partial(_category_cell, name) for name in _BY_CATEGORY},
    }


def _category_cell(name: str, row: _CategoryRow) -> str:
    return _measure_cell(row[2], name)


def _measure_cell(measures: Mapping[str, Interval], name: str) -> str:
    return _shown(measures.get(name))


def _shown(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _difference(interval: Interval | None) -> str:
    """A difference, with a star if its interval excludes zero."""
    if interval is None:
        return "-"
    text = f"{interval.mean:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]"
    return f"{text} *" if interval.low > 0 or interval.high < 0 else text


def _setting(text: str) -> tuple[str, SettingValue]:
    name, equals, value = text.partition("=")
    if not equals:
        refuse(f"{text!r} is not NAME=VALUE: write for example forgetting_speed=0.5")
    return name.strip(), scalar(value.strip())


def _write_counterfactual(found: Counterfactual) -> None:
    out.write_fields(
        [
            ("replayed", f"{found.events:,} events up to @{found.position}"),
            ("in another tier", f"{len(found.tiers):,} memories"),
            ("other answers", f"{len(found.answers):,} of {found.cues:,} stored cues"),
            ("unreadable", f"{found.unreadable:,} memories" if found.unreadable else None),
        ]
    )
    ids = out.short_ids(one.memory_id for one in found.tiers)
    columns: dict[str, Callable[[OtherTier], str]] = {
        "memory": lambda one: ids[one.memory_id],
        "tier": lambda one: one.before,
        "would be": lambda one: one.after,
        "strength": lambda one: f"{one.strength_before:.2f}",
        "would be ": lambda one: f"{one.strength_after:.2f}",
        "content": lambda one: out.known_text(one.content),
    }
    if found.tiers:
        out.write_table("memories", found.tiers, columns)
    for answer in found.answers:
        gone = _only_in(answer.before, answer.after)
        came = _only_in(answer.after, answer.before)
        out.write_line(
            out.one_line(
                f"{when(answer.at)}  “{answer.cue}”: without {gone}, with {came} in the top ten"
            )
        )
    for name, measures in zip(("as it is", "as it would be"), found.questions or (), strict=False):
        out.write_line(
            f"{measures.queries} questions {name}: recall@10 {measures.recall_at_10:.3f}, "
            f"MRR@10 {measures.mrr_at_10:.3f}"
        )


def _only_in(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    names = out.short_ids((*one, *other))
    return ", ".join(names[each] for each in one if each not in other) or "none"
