"""Commands that measure: eval, counterfactual, health, stats, gate."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli import options as opt, printing as out
from mnemolog.cli.call import decoded_lines, scalar
from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.printing import at, known_text, when, write_fields, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mnemolog import Count, Counterfactual, Evaluation, Health, Interval
    from mnemolog.cli.call import CommandCall

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
    if call.answered(found):
        return
    write_line(
        f"{found.name}, {' against '.join(found.strategies)}: {found.queries:,} queries, "
        f"{found.unanswerable:,} without an answer, on {found.texts:,} texts in "
        f"{found.scopes:,} scopes"
    )
    everything, differences = found.measures["all"], found.differences.get("all", {})
    columns, rows = ["measure", *everything], []
    for name in dict.fromkeys(name for measures in everything.values() for name in measures):
        shown = [_shown(measures.get(name)) for measures in everything.values()]
        shown += [_shown(differences.get(name), "+")] if found.differences else []
        rows.append([_MEASURES.get(name, name), *shown])
    columns += ["difference"] if found.differences else []
    write_table("measures", ", ".join(columns), rows)
    rows = [
        [category, strategy, *(_shown(measures.get(name)) for name in _BY_CATEGORY)]
        for category, strategies in found.measures.items()
        for strategy, measures in strategies.items()
        if category != "all"
    ]
    if rows:
        write_line()
        write_table("categories", ", ".join(("category", "strategy", *_BY_CATEGORY)), rows)
    write_line()
    write_line(
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
    write_fields(
        ("replayed", f"{found.events:,} events up to @{found.position}"),
        ("in another tier", f"{len(found.tiers):,} memories"),
        ("other answers", f"{len(found.answers):,} of {found.cues:,} stored cues"),
        ("unreadable", f"{found.unreadable:,} memories" if found.unreadable else None),
    )
    ids = out.short_ids(one.memory_id for one in found.tiers)
    rows = []
    for one in found.tiers:
        strengths = (f"{one.strength_before:.2f}", f"{one.strength_after:.2f}")
        text = known_text(one.content)
        rows.append((ids[one.memory_id], one.before, one.after, *strengths, text))
    if rows:
        headings = "memory, tier, would be, strength, would be , content"
        write_table("memories", headings, rows)
    for answer in found.answers:
        ids = out.short_ids((*answer.before, *answer.after))
        gone, came = (
            ", ".join(ids[each] for each in one if each not in other) or "none"
            for one, other in ((answer.before, answer.after), (answer.after, answer.before))
        )
        change = f"“{answer.cue}”: without {gone}, with {came} in the top ten"
        write_line(out.one_line(f"{when(answer.at)}  {change}"))
    for name, measures in zip(("as it is", "as it would be"), found.questions or (), strict=False):
        write_line(
            f"{measures.queries} questions {name}: recall@10 {measures.recall_at_10:.3f}, "
            f"MRR@10 {measures.mrr_at_10:.3f}"
        )


@opt.command(*opt.READING)
@opt.flag("--all-spaces: The health of every space of the home.")
@opt.flag("--prometheus: Print Prometheus' text format, for a textfile collector.")
def health(call: CommandCall, *, all_spaces: bool, prometheus: bool) -> None:
    """Check a memory's health against limits.

    Growth, the share that has faded, memories forgotten too soon, open conflicts, and ticks: each
    with its limit, and whether it is within it.
    """
    from mnemolog import prometheus_text

    if prometheus and call.as_json:
        refuse("choose one format: leave out --json or --prometheus")
    with call.reading() as reader:
        found = reader.upkeep.healths() if all_spaces else (reader.upkeep.health(),)
    if prometheus:
        click.echo(prometheus_text(found), nl=False)
    elif not call.answered({"spaces": found} if all_spaces else found[0]):
        for place, one in enumerate(found):
            if place:
                write_line()
            _write_health(one)


def _write_health(found: Health) -> None:
    held = "within its limits" if found.holds else "beyond a limit"
    write_fields(("space", found.space), ("health", held))
    vitals = [
        ("growth a day", found.growth_per_day, "{:.2%}"),
        ("share active", found.active_share, "{:.1%}"),
        ("forgotten too soon", found.forgotten_too_soon, "{:.1%}"),
        ("destroyed after use", found.destroyed_after_use, "{:,.0f}"),
        ("conflicts settled after", found.settled_hours, "{:.1f} h"),
        ("oldest open conflict", found.open_hours, "{:.1f} h"),
        ("since the last tick", found.tick_hours, "{:.1f} h"),
    ]
    within = {None: "-", True: "yes", False: "NO"}
    rows = []
    for name, vital, form in vitals:
        value = "unknown" if vital.value is None else form.format(vital.value)
        rows.append((name, value, f"{vital.side} {form.format(vital.limit)}", within[vital.holds]))
    write_table("measures", "measure, value, limit, within", rows)
    by = {"redaction": "redacted by", "time": "by time, in a tick of"}
    destroyed = [f"{one.memories:,} {by[one.cause]} {one.actor}" for one in found.destroyed]
    rounds, sessions = found.rounds_per_session, "none in 30 days"
    if rounds is not None:
        sessions = f"{found.sessions:,} in 30 days, {rounds:.1f} rounds each"
    write_fields(
        *((status, f"{count:,}") for status, count in found.memories.items()),
        ("conflicts open", f"{found.conflicts_open:,}"),
        ("stored again", f"{found.relearned:,} of {found.deletions:,} deleted"),
        ("destroyed", "; ".join(destroyed) or "none"),
        ("last tick", "never" if found.last_tick is None else when(found.last_tick)),
        ("uses", f"{found.uses.recalls:,} in seven days, {found.uses_ever.recalls:,} ever"),
        ("sessions", sessions),
    )


@opt.command(*opt.READING)
def stats(call: CommandCall) -> None:
    """Count memories, events and bytes."""
    with call.memory() as memory:
        if call.as_of is None:
            found = memory.upkeep.stats()
            if not call.answered(found):
                _write_counts(found.position, found.recorded_at, found.counts)
                write_fields(
                    ("events", f"{found.position:,}"),
                    ("vectors", f"{found.vectors:,}"),
                    *((f"bytes of {name}", f"{size:,}") for name, size in found.bytes.items()),
                    ("bytes in total", f"{sum(found.bytes.values()):,}"),
                )
            return
        moment = memory.as_of(call.as_of)
        counts = moment.inspect.counts()
        past = {
            "position": moment.position,
            "recorded_at": moment.instant,
            "memories": sum(count.memories for count in counts),
            "counts": counts,
        }
        if not call.answered(past):
            _write_counts(moment.position, moment.instant, counts)


def _write_counts(position: int, instant: datetime, counts: Sequence[Count]) -> None:
    totals: Counter[str] = Counter()
    for one in counts:
        totals[one.space] += one.memories
    write_fields(
        ("head", f"{at(position)} ({when(instant)})"),
        *((f"{one.space}, {one.kind}, {one.status}", f"{one.memories:,}") for one in counts),
        *((f"{space}, total", f"{total:,}") for space, total in totals.items()),
        ("memories", f"{totals.total():,}"),
    )


@opt.command(*opt.WRITING, opt.as_of)
@opt.arguments("[CUE]... words")
@opt.option(
    "--report FAILURE: Report that the memory failed on CUE: missed_correction, bad_trade_off, "
    "lost_focus or a word of your own."
)
@opt.flag("--mitigated: A mitigation was in place.")
@opt.option("--note TEXT: A note on the failure, stored with the report.")
def gate(call: CommandCall, words: tuple[str, ...], *, report: str | None, **facts: object) -> None:
    """Report failures, and see what they call for.

    With --report, a failure on CUE is recorded. If the same failure occurs on two different cues
    despite a mitigation, an operator is proposed: revision for a missed correction, evaluation for
    a bad trade-off, attention for lost focus.
    """
    if report is not None:
        call.refuse_past()
        facts |= {"failure": report, "cue": " ".join(words)}
        call.carry_out(lambda memory: memory.upkeep.report_failure, facts, "create")
        return
    if words or facts != {"mitigated": False, "note": None}:
        refuse("a CUE, --mitigated and --note belong to a report: add --report FAILURE")
    found = call.ask(lambda reader: reader.upkeep.gate)
    if call.answered(found):
        return
    write_line(found.message)
    if found.classes:
        rows = [(one.failure, str(len(one.reports)), one.says) for one in found.classes]
        state = {True: "mitigated", False: "not mitigated"}
        below = [
            [f"{at(r.position)} {state[r.mitigated]}: {known_text(r.cue)}" for r in one.reports]
            for one in found.classes
        ]
        write_table("failures", "failure, reports, conclusion", rows, below)
