"""What a new memory may be given, as options of `remember` and `supersede`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from mnemolog.cli.inputs import standard_text
from mnemolog.cli.options import KINDS, TIME_HELP, Command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemolog import Memory, MemoryFields

SOURCE_TYPES = ("user_stated", "inferred", "external", "system")
IMPORTANCES = ("high", "medium", "low")
VOLATILITIES = ("stable", "normal", "volatile")
MARKS = ("emphasised", "corrects_error", "serves_goal")

text = click.argument("words", metavar="TEXT...", nargs=-1)
"""The text to remember; words need no quotes, and a single - reads standard input."""

_OPTIONS = (
    click.option("--kind", type=click.Choice(KINDS), help="What sort of memory; else semantic."),
    click.option("--category", metavar="WORD", help="A free word, such as error_correction."),
    click.option(
        "--tag", "tags", multiple=True, metavar="WORD", help="A tag to ask by; may be repeated."
    ),
    click.option(
        "--alias",
        "aliases",
        multiple=True,
        metavar="TEXT",
        help="Another name by which it is asked for; may be repeated.",
    ),
    click.option(
        "--source",
        metavar="SOURCE",
        help="Where it is from: user:NAME, agent:NAME, file:PATH, a URL.",
    ),
    click.option("--note", "source_note", metavar="TEXT", help="A note on the source."),
    click.option(
        "--source-type",
        type=click.Choice(SOURCE_TYPES),
        help="How the source knows; else by its scheme.",
    ),
    click.option(
        "--source-confidence",
        type=float,
        metavar="SHARE",
        help="How far the source is trusted, 0 to 1; else by its type.",
    ),
    click.option("--extraction-method", metavar="WORD", help="How it was drawn from the source."),
    click.option(
        "--extraction-confidence",
        type=float,
        metavar="SHARE",
        help="How far the drawing is trusted, 0 to 1; else 1.",
    ),
    click.option("--place", metavar="PATH", help="Where it is kept: a path such as room/drawer."),
    click.option("--snippet", metavar="TEXT", help="The original words that it came from."),
    click.option(
        "--constraint",
        metavar="CLASS",
        help="It limits what may be done: safety, cost, compatibility or a class of your own.",
    ),
    click.option(
        "--evidence",
        multiple=True,
        metavar="REFERENCE",
        help="A memory that supports it; may be repeated.",
    ),
    click.option("--valid-from", metavar="TIME", help=f"Since when it is true: {TIME_HELP}"),
    click.option("--valid-until", metavar="TIME", help=f"Until when it is true: {TIME_HELP}"),
    click.option(
        "--importance", type=click.Choice(IMPORTANCES), help="How much it matters; else medium."
    ),
    click.option(
        "--volatility", type=click.Choice(VOLATILITIES), help="How fast it ages; else normal."
    ),
    click.option(
        "--mark",
        "marks",
        type=click.Choice(MARKS),
        multiple=True,
        help="Why it should be kept; may be repeated.",
    ),
    click.option(
        "--lasting/--not-lasting",
        default=None,
        help="Whether it is a lasting fact, which never fades; else the text decides.",
    ),
    click.option(
        "--immutable",
        is_flag=True,
        default=None,
        help="Never supersede, decay or redact it without an explicit override.",
    ),
    click.option(
        "--id", metavar="ID", help="Its id, 32 hexadecimal digits: a retry then stores it once."
    ),
)


def memory_fields(command: Command) -> Command:
    """Give a command an option for every field of a memory but its content."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def fields_given(options: Mapping[str, object], memory: Memory) -> MemoryFields:
    """The fields that were given on the command line, without those left to their defaults.

    What is named as evidence is looked up in `memory`.
    """
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    fields = cast("MemoryFields", given)
    if "evidence" in fields:
        named = fields["evidence"]
        fields["evidence"] = tuple(memory.get(reference).memory_id for reference in named)
    return fields


def text_of(words: tuple[str, ...]) -> str:
    """The text that the words of a command line make, or that standard input holds."""
    return standard_text().removesuffix("\n") if words == ("-",) else " ".join(words)
