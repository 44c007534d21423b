"""Commands that answer with memories: recall, list, show, plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.inputs import standard_text
from mnemolog.cli.memory_options import filters, filters_given
from mnemolog.cli.options import (
    READING,
    READING_SEVERAL,
    choice,
    exploration,
    limit,
    repeated,
    shared,
    strategy,
)
from mnemolog.cli.output import memories
from mnemolog.cli.output.printing import at, write_line, write_none, write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemolog import Plan, RankedOption
    from mnemolog.application.questions.browse import Order
    from mnemolog.cli.call import CommandCall
    from mnemolog.recall.search.checks import Strategy

ORDERS = ("recency", "oldest", "pinned", "strength", "weight", "review", "conflicts", "persistence")


@click.command()
@click.argument("words", metavar="CUE...", nargs=-1, required=True)
@limit(10)
@filters
@strategy
@click.option(
    "--min-relevance",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Where the list ends, 0 to 1; 0 gives --limit hits. Default: the space's setting.",
)
@exploration
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="How sure you are of the answer: above 0.9 a simple question is not looked up.",
)
@click.option("--explain", is_flag=True, help="Show each hit's ranks and scores.")
@shared(*READING_SEVERAL)
def recall(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    limit: int,
    strategy: Strategy | None,
    min_relevance: float | None,
    exploration: int | None,
    confidence: float | None,
    explain: bool,
    **options: object,
) -> None:
    """Find the memories that match a cue.

    CUE is what to look for: a question, a name, a few words. The best hits come
    first; a superseded memory is shown below the one that replaced it.
    """
    with call.reading() as reader:
        found = reader.recall(
            " ".join(words),
            limit=limit,
            spaces=call.spaces,
            strategy=strategy,
            min_relevance=min_relevance,
            exploration=exploration,
            confidence=confidence,
            **filters_given(options),
        )
        call.answer(found, memories.write_explained if explain else memories.write_recall)


@click.command("list")
@choice(
    "--by",
    of=ORDERS,
    default="recency",
    show_default=True,
    help="The order: newest or oldest first, strongest, heaviest or most worth keeping first; or "
    "only memories that are pinned, due for review or in an open conflict.",
)
@limit(50)
@filters
@shared(*READING)
def list_memories(call: CommandCall, *, by: Order, limit: int, **options: object) -> None:
    """List memories in a chosen order."""
    given = filters_given(options)
    call.show(
        lambda reader: reader.list(by=by, limit=limit, **given), memories.write_items, "memories"
    )


@click.command()
@click.argument("reference", metavar="REFERENCE")
@shared(*READING)
def show(call: CommandCall, reference: str) -> None:
    """Show everything about one memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    with call.reading() as reader:
        item = reader.get(reference)
        persistence = reader.persistence(item.memory_id)
        answer = {**msgspec.structs.asdict(item), "persistence": persistence}
        call.answer(answer, lambda _: memories.write_item(item, persistence))


@click.command()
@click.argument("words", metavar="GOAL...", nargs=-1, required=True)
@repeated(
    "--option",
    "options",
    metavar="TEXT",
    help="An option to rank; - reads one a line from standard input.",
)
@limit(20, help="How many constraints to consider at most.")
@shared(*READING_SEVERAL)
def plan(
    call: CommandCall, words: tuple[str, ...], *, options: tuple[str, ...], limit: int
) -> None:
    """Rank options by the known constraints.

    GOAL is the purpose of the options. For each option the answer says what it
    violates and why; an option that violates a constraint never ranks above one
    that violates none. Without options, the constraints that matter for the goal
    are shown.
    """
    with call.reading() as reader:
        found = reader.plan(
            " ".join(words), tuple(_given(options)), limit=limit, spaces=call.spaces
        )
        call.answer(found, _write_plan)


def _given(options: tuple[str, ...]) -> Iterator[str]:
    """The options, with the lines of standard input in place of a single -."""
    if options.count("-") > 1:
        refuse("standard input can be read once; give --option - only once")
    for option in options:
        if option != "-":
            yield option
            continue
        lines = standard_text().splitlines()
        yield from (line.strip() for line in lines if line.strip())


def _write_plan(found: Plan) -> None:
    columns: dict[str, Callable[[RankedOption], str]] = {
        "rank": lambda one: str(one.rank),
        "standing": lambda one: one.standing,
        "option": lambda one: one.option,
    }
    if found.options:
        write_table("options", found.options, columns, _reasons)
    if found.constraints:
        write_line("constraints:")
        memories.write_hits(found.constraints)
    elif not found.options:
        write_none("constraints")


def _reasons(one: RankedOption) -> Iterator[str]:
    for each in one.violations:
        yield f"violates “{each.constraint}”: {each.why}"
        yield from (
            f"  {link.source} {link.type} {link.target} {at(link.evidence)}"
            for link in each.chain
            if link.evidence is not None
        )
    for each in one.unknown:
        yield f"unknown for “{each.constraint}”: {each.why}"
