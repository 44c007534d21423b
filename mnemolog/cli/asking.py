"""Commands that answer with memories: recall, list, show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli import answers
from mnemolog.cli.filters import filters, filters_given
from mnemolog.cli.options import READING, READING_SEVERAL, acts

if TYPE_CHECKING:
    from mnemolog.application.questions.standing_orders import Order
    from mnemolog.cli.call import Call

ORDERS = (
    "recency",
    "oldest",
    "pinned",
    "strength",
    "weight",
    "review",
    "conflicts",
    "persistence",
)
STRATEGIES = ("hybrid", "rrf", "semantic", "keyword")


@click.command()
@click.argument("words", metavar="CUE...", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many at most."
)
@filters
@click.option(
    "--strategy", type=click.Choice(STRATEGIES), help="How to rank; else the space's setting."
)
@click.option(
    "--min-relevance",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Where the list ends, 0 to 1; 0 gives --limit hits. Else the space's setting.",
)
@click.option(
    "--exploration",
    type=click.IntRange(min=0),
    metavar="SEED",
    help="Draw the weights of relevance with this seed instead of taking their mean.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="How sure you are of the answer: over 0.9 a simple question is not looked up.",
)
@click.option("--explain", is_flag=True, help="Show each hit's ranks and scores.")
@acts(*READING_SEVERAL)
def recall(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    words: tuple[str, ...],
    *,
    limit: int,
    strategy: str | None,
    min_relevance: float | None,
    exploration: int | None,
    confidence: float | None,
    explain: bool,
    **options: object,
) -> None:
    """Find the memories that bear on a cue.

    CUE is what to look for: a question, a name, a few words. The best come
    first; a superseded memory stands below the one that replaced it. When
    nothing is known, a sentence says so.
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
        call.answer(found, answers.write_explained if explain else answers.write_recall)


@click.command("list")
@click.option(
    "--by",
    type=click.Choice(ORDERS),
    default="recency",
    show_default=True,
    help="The order: newest or oldest first, strongest, heaviest or most worth keeping first, or "
    "those that are pinned, due for review or in an open conflict.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="How many at most."
)
@filters
@acts(*READING)
def list_memories(call: Call, *, by: Order, limit: int, **options: object) -> None:
    """List memories in a standing order."""
    with call.reading() as reader:
        items = reader.list(by=by, limit=limit, **filters_given(options))
        call.answer({"memories": items}, lambda answer: answers.write_items(answer["memories"]))


@click.command()
@click.argument("reference", metavar="REFERENCE")
@acts(*READING)
def show(call: Call, reference: str) -> None:
    """Show everything about one memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    with call.reading() as reader:
        item = reader.get(reference)
        kept = reader.persistence(item.memory_id)
        answer = {**msgspec.structs.asdict(item), "persistence": kept}
        call.answer(answer, lambda _: answers.write_item(item, kept))
