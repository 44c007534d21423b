"""Options that say which memories a question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, cast

import click

from mnemolog.cli.options import KINDS, STATUSES, TIME_HELP, Command

if TYPE_CHECKING:
    from mnemolog.ledger.events import MemoryKind


class FilterValues(TypedDict):
    """The filters of a question, under the names that the library gives them."""

    kinds: tuple[MemoryKind, ...]
    tags: tuple[str, ...]
    source: str | None
    place: str | None
    statuses: tuple[str, ...]
    valid_at: str | None


_OPTIONS = (
    click.option(
        "--kind",
        "kinds",
        type=click.Choice(KINDS),
        multiple=True,
        help="Only of this kind; may be repeated.",
    ),
    click.option(
        "--tag", "tags", multiple=True, metavar="WORD", help="Only with this tag; may be repeated."
    ),
    click.option("--source", metavar="SOURCE", help="Only from this source."),
    click.option("--place", metavar="PATH", help="Only from this place or below it."),
    click.option(
        "--status",
        "statuses",
        type=click.Choice(STATUSES),
        multiple=True,
        help="Only in this status; may be repeated. Else what a plain recall answers with.",
    ),
    click.option(
        "--valid-at", metavar="TIME", help=f"Only what held in the world then: {TIME_HELP}"
    ),
)


def filters(command: Command) -> Command:
    """Give a command the options that narrow a question."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def filters_given(options: dict[str, object]) -> FilterValues:
    """The filters among a command's options."""
    return cast("FilterValues", {name: options[name] for name in FilterValues.__annotations__})
