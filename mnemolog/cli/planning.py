"""The command that ranks options: plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.answers import write_constraints
from mnemolog.cli.exits import refuse
from mnemolog.cli.inputs import standard_text
from mnemolog.cli.options import READING_SEVERAL, acts
from mnemolog.cli.output import Row, at, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog import Plan, RankedOption
    from mnemolog.cli.call import Call


@click.command()
@click.argument("words", metavar="GOAL...", nargs=-1, required=True)
@click.option(
    "--option",
    "options",
    metavar="TEXT",
    multiple=True,
    help="Something that may be chosen; may be repeated, and - reads one a line from standard "
    "input.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many constraints to consider at most.",
)
@acts(*READING_SEVERAL)
def plan(call: Call, words: tuple[str, ...], *, options: tuple[str, ...], limit: int) -> None:
    """Rank options by the constraints that are known.

    GOAL is what the options are for. Each option is told what it violates and
    why; none that violates a constraint stands above one that violates none.
    Without options, the constraints that matter for the goal are shown.
    """
    with call.reading() as reader:
        found = reader.plan(
            " ".join(words), tuple(_given(options)), limit=limit, spaces=call.spaces
        )
        call.answer(found, _write_plan)


def _given(options: tuple[str, ...]) -> Iterator[str]:
    """The options, with those of standard input in the place of a single -."""
    if options.count("-") > 1:
        refuse("standard input can be read once; give --option - a single time")
    for option in options:
        if option != "-":
            yield option
            continue
        lines = standard_text().splitlines()
        yield from (line.strip() for line in lines if line.strip())


def _write_plan(found: Plan) -> None:
    write_table(
        ("rank", "standing", "option"),
        [
            Row((str(one.rank), one.standing, one.option), tuple(_reasons(one)))
            for one in found.options
        ],
    )
    if found.constraints:
        write_line("constraints:")
        write_constraints(found.constraints)
    elif not found.options:
        write_line("The memory holds no constraint on this.")


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
