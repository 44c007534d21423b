"""Commands that measure recall and compare settings: eval, counterfactual."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.exit_codes import refuse
from mnemolog.cli.calls.inputs import decoded_lines, scalar
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.printing import known_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import Counterfactual, Evaluation, Interval
    from mnemolog.cli.calls.call import CommandCall

_BY_CATEGORY = ("precision", "recall@10", "ndcg@10", "honest_empty", "relevancy")
_MEASURES = {
    "precision": "precision of the list",
    "honest_empty": "honest empty answers",
    "relevancy": "relevancy of the context",
    "context_recall": "recall of the context",
    "faithfulness": "faithfulness of answers",
}


@opt.command(opt.as_json, opt.quiet, name="eval")
@opt.arguments("PATH", type=click.Path(file_okay=False, path_type=Path))
@opt.option("--strategy: How to rank.", opt.STRATEGIES, default="hybrid", show_default=True)
@opt.option("--against: Another strategy to compare with.", opt.STRATEGIES)
@opt.option(
    "--answers FILE: Answers to judge by their context: a JSON object with _id and answer a line."
)
@opt.number("--budget: Tokens of a query's context.", 8000)
@opt.number("--resamples: How often to resample the queries for the intervals.", 2000, 1000)
@opt.number("--seed: Seed of the resampling.", 0, 0)
@opt.option("--work DIR: Keep the home with the set's texts here, for the next run.")
def evaluate(
    call: CommandCall,
    path: Path,
    *,
    strategy: str,
    against: str | None,
    answers: Path | None,
    **options: object,
) -> None:
    """Measure recall on a labelled set.

    PATH is a directory with corpus.jsonl, queries.jsonl and qrels.tsv. Each scope of it becomes a
    space of a scratch home; your own homes are not used.
    """
    from mnemolog import evaluate, read_answers

    measure: Callable[..., Evaluation] = evaluate
    strategies = (strategy,) if against is None else (strategy, against)
    known = None if answers is None else read_answers(answers)
    with call.progress() as progress:
        found = measure(path, strategies, answers=known, progress=progress, **options)
    if not call.answered(found):
        _write_evaluation(found)


def _write_evaluation(found: Evaluation) -> None:
    out.write_line(
        f"{found.name}, {' against '.join(found.strategies)}: {found.queries:,} queries, "
        f"{found.unanswerable:,} without an answer, on {found.texts:,} texts in "
        f"{found.scopes:,} scopes"
    )
    everything = found.measures["all"]
    differences = found.differences.get("all", {})
    names = dict.fromkeys(name for measures in everything.values() for name in measures)
    rows = [
        [
            _MEASURES.get(name, name),
            *(_shown(measures.get(name)) for measures in everything.values()),
            *([_shown(differences.get(name), "+")] if found.differences else []),
        ]
        for name in names
    ]
    columns = ["measure", *everything, *(["difference"] if found.differences else [])]
    out.write_table("measures", ", ".join(columns), rows)
    rows = [
        [category, strategy, *(_shown(measures.get(name)) for name in _BY_CATEGORY)]
        for category, strategies in found.measures.items()
        for strategy, measures in strategies.items()
        if category != "all"
    ]
    if rows:
        out.write_line()
        out.write_table("categories", ", ".join(("category", "strategy", *_BY_CATEGORY)), rows)
    out.write_line()
    out.write_line(
        f"95 % intervals of {found.resamples:,} resamples; judged by {found.judge}, "
        f"{found.answers} answers, contexts of {found.budget:,} tokens"
    )


def _shown(interval: Interval | None, sign: str = "") -> str:
    """A value with its interval; a difference, with a sign, has a star if that excludes zero."""
    if interval is None:
        return "-"
    mean, low, high = (f"{each:{sign}.3f}" for each in (interval.mean, interval.low, interval.high))
    star = " *" if sign and (interval.low > 0 or interval.high < 0) else ""
    return f"{mean} [{low}, {high}]{star}"


@opt.command(opt.to_moment, opt.into, *opt.PRESENT)
@opt.arguments("NAME=VALUE... settings")
@opt.option(
    '--questions FILE: Questions for both, one a line: {"cue": TEXT, "memories": [REFERENCE, ...]}.'
)
def counterfactual(
    call: CommandCall, settings: tuple[str, ...], *, questions: Path | None, **options: object
) -> None:
    """Replay a space's history under other settings.

    Each NAME=VALUE is a setting of `mnemolog config` that applies from the beginning. Statements
    and commands stay the same; the effects of time are decided again, in a scratch home. Your home
    is only read. The answer shows which memories would be in another tier, which recalls with a
    stored cue would have answered differently, and the scores of your questions.
    """
    from mnemolog import LabelledQuestion, counterfactual, default_home

    given = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            refuse(f"{text!r} is not NAME=VALUE: write for example forgetting_speed=0.5")
        given[name.strip()] = scalar(value.strip())
    example = '{"cue": "…", "memories": ["…"]}'
    asked = questions and decoded_lines(questions, LabelledQuestion, "questions", example)
    options |= {"space": call.space, "questions": asked or []}
    replay: Callable[..., Counterfactual] = counterfactual
    with call.progress() as progress:
        found = replay(call.home or default_home(), given, progress=progress, **options)
    if not call.answered(found):
        _write_counterfactual(found)


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
    rows = []
    for one in found.tiers:
        strengths = (f"{one.strength_before:.2f}", f"{one.strength_after:.2f}")
        text = known_text(one.content)
        rows.append((ids[one.memory_id], one.before, one.after, *strengths, text))
    if rows:
        headings = "memory, tier, would be, strength, would be , content"
        out.write_table("memories", headings, rows)
    for answer in found.answers:
        gone = _only_in(answer.before, answer.after)
        came = _only_in(answer.after, answer.before)
        change = f"“{answer.cue}”: without {gone}, with {came} in the top ten"
        out.write_line(out.one_line(f"{out.when(answer.at)}  {change}"))
    for name, measures in zip(("as it is", "as it would be"), found.questions or (), strict=False):
        out.write_line(
            f"{measures.queries} questions {name}: recall@10 {measures.recall_at_10:.3f}, "
            f"MRR@10 {measures.mrr_at_10:.3f}"
        )


def _only_in(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    names = out.short_ids((*one, *other))
    return ", ".join(names[each] for each in one if each not in other) or "none"
