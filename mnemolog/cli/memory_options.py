"""Options for the fields of a new memory, and for the filters of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, cast

import click

from mnemolog.cli.inputs import standard_text
from mnemolog.cli.options import (
    KINDS,
    STATUSES,
    Command,
    choice,
    repeated,
    time_option,
    with_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemolog import Memory, MemoryFields
    from mnemolog.ledger.events import MemoryKind
    from mnemolog.projections.memory_queries import Status

SOURCE_TYPES = ("user_stated", "inferred", "external", "system")
IMPORTANCES = ("high", "medium", "low")
VOLATILITIES = ("stable", "normal", "volatile")
MARKS = ("emphasised", "corrects_error", "serves_goal")

text = click.argument("words", metavar="TEXT...", nargs=-1)
"""The text of a memory; words need no quotes, and a single - reads standard input."""

_SOURCE_HELP = "Where it comes from: user:NAME, agent:NAME, file:PATH, a URL."
_FIELDS = (
    choice("-k", "--kind", of=KINDS, help="What sort of memory; default: semantic."),
    click.option("--category", metavar="WORD", help="A free word, such as error_correction."),
    repeated("-t", "--tag", "tags", metavar="WORD", help="A tag to filter by."),
    repeated("--alias", "aliases", metavar="TEXT", help="Another name that people ask for it by."),
    click.option("--source", metavar="SOURCE", help=_SOURCE_HELP),
    click.option("--note", "source_note", metavar="TEXT", help="A note on the source."),
    choice("--source-type", of=SOURCE_TYPES, help="How the source knows; default: by its scheme."),
    click.option(
        "--source-confidence",
        type=float,
        metavar="SHARE",
        help="Trust in the source, 0 to 1; default: by its type.",
    ),
    click.option(
        "--extraction-method", metavar="WORD", help="How the text was extracted from the source."
    ),
    click.option(
        "--extraction-confidence",
        type=float,
        metavar="SHARE",
        help="Trust in the extraction, 0 to 1; default: 1.",
    ),
    click.option("--place", metavar="PATH", help="Where to file it: a path such as room/drawer."),
    click.option("--snippet", metavar="TEXT", help="The original words of the source."),
    click.option(
        "--constraint",
        metavar="CLASS",
        help="It limits what may be done: safety, cost, compatibility or a class of your own.",
    ),
    repeated("--evidence", metavar="REFERENCE", help="A memory that supports it."),
    time_option("--valid-from", "When it began to be true."),
    time_option("--valid-until", "When it ends being true."),
    choice("--importance", of=IMPORTANCES, help="How much it matters; default: medium."),
    choice("--volatility", of=VOLATILITIES, help="How fast it ages; default: normal."),
    repeated("--mark", "marks", type=click.Choice(MARKS), help="A reason to keep it."),
    click.option(
        "--lasting/--not-lasting",
        default=None,
        help="Whether it is a lasting fact, which never fades; default: decided from the text.",
    ),
    click.option(
        "--immutable",
        is_flag=True,
        default=None,
        help="Supersede, fade or redact it only with an explicit override.",
    ),
    click.option(
        "--id", metavar="ID", help="Its id, 32 hexadecimal digits: a retry then stores it once."
    ),
)
_FILTERS = (
    repeated("-k", "--kind", "kinds", type=click.Choice(KINDS), help="Only of this kind."),
    repeated("-t", "--tag", "tags", metavar="WORD", help="Only with this tag."),
    click.option("--source", metavar="SOURCE", help="Only from this source."),
    click.option("--place", metavar="PATH", help="Only from this place or below it."),
    repeated(
        "--status",
        "statuses",
        type=click.Choice(STATUSES),
        help="Only with this status; default: those that recall answers with.",
    ),
    time_option("--valid-at", "Only what was true at that time."),
)


class FilterValues(TypedDict):
    """The filters of a question, with the library's names."""

    kinds: tuple[MemoryKind, ...]
    tags: tuple[str, ...]
    source: str | None
    place: str | None
    statuses: tuple[Status, ...]
    valid_at: str | None


def memory_fields(command: Command) -> Command:
    """Give a command an option for every field of a memory except its text."""
    return with_options(_FIELDS, command)


def filters(command: Command) -> Command:
    """Give a command the options that narrow a question."""
    return with_options(_FILTERS, command)


def fields_given(options: Mapping[str, object], memory: Memory) -> MemoryFields:
    """The fields that were given on the command line; evidence is looked up in `memory`."""
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    fields = cast("MemoryFields", given)
    if "evidence" in fields:
        named = fields["evidence"]
        fields["evidence"] = tuple(memory.get(reference).memory_id for reference in named)
    return fields


def filters_given(options: dict[str, object]) -> FilterValues:
    """The filters among a command's options."""
    return cast("FilterValues", {name: options[name] for name in FilterValues.__annotations__})


def text_of(words: tuple[str, ...]) -> str:
    """The text that the words of a command line make, or standard input for a single -."""
    return standard_text().removesuffix("\n") if words == ("-",) else " ".join(words)
