"""The command that puts a prompt's context together: context."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.answers import write_hits
from mnemolog.cli.inputs import input_lines
from mnemolog.cli.options import READING_SEVERAL, acts
from mnemolog.cli.output import Row, safe, write_line, write_table

if TYPE_CHECKING:
    from mnemolog import Context, Exploration, Turn
    from mnemolog.cli.call import Call


@click.command()
@click.argument("words", metavar="PROMPT...", nargs=-1, required=True)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=8000,
    show_default=True,
    help="How many tokens at most.",
)
@click.option(
    "--conversation",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help='The talk so far: a JSON object {"role": …, "content": …} a line; - reads standard input.',
)
@click.option("--instructions", multiple=True, metavar="TEXT", help="A rule; may be repeated.")
@click.option("--task", multiple=True, metavar="TEXT", help="What is to be done; may be repeated.")
@click.option(
    "--explore",
    "cues",
    multiple=True,
    metavar="CUE",
    help="Look further from the context: five memories more; up to three times.",
)
@click.option(
    "--exploration",
    type=click.IntRange(min=0),
    metavar="SEED",
    help="Draw what memories weigh with this seed instead of taking the mean.",
)
@click.option("--explain", is_flag=True, help="Show what each section took, and what was left out.")
@acts(*READING_SEVERAL)
def context(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    words: tuple[str, ...],
    *,
    budget: int,
    conversation: Path | None,
    instructions: tuple[str, ...],
    task: tuple[str, ...],
    cues: tuple[str, ...],
    exploration: int | None,
    explain: bool,
) -> None:
    """Put together what goes with a prompt, to a budget of tokens.

    PROMPT is what an agent is asked. Its context is printed: rules,
    preferences, the task, memories that bear on it, and the talk so far.
    """
    turns = () if conversation is None else turns_of(conversation)
    with call.reading() as reader:
        found = reader.context(
            " ".join(words),
            budget=budget,
            conversation=turns,
            instructions=instructions,
            task=task,
            spaces=call.spaces,
            exploration=exploration,
        )
        steps: list[Exploration] = []
        for cue in cues:
            steps.append(reader.explore(steps[-1].context if steps else found, cue))
        if call.as_json:
            explored = [{"cue": cue, "hits": s.hits} for cue, s in zip(cues, steps, strict=True)]
            fields = {name: getattr(found, name) for name in found.__struct_fields__}
            call.answer({**fields, "explored": explored}, lambda _: None)
            return
        click.echo(safe(found.text), nl=False)
        for step in steps:
            write_line()
            if step.message is not None:
                write_line(step.message)
            write_hits(step.hits)
        if explain:
            _write_explanation(found)
        else:
            call.notice(*_notices(found))


def _notices(found: Context) -> tuple[str, ...]:
    said = () if found.message is None else (found.message,)
    if not found.left_out:
        return said
    reasons = Counter(one.reason for one in found.left_out)
    told = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return (*said, f"left out or shortened: {told} (--explain shows them)")


def _write_explanation(found: Context) -> None:
    write_line()
    write_line(f"{found.tokens:,} of {found.budget:,} tokens ({found.counter})")
    write_table(
        ("section", "tokens", "room", "parts"),
        [
            Row((section.name, f"{section.tokens:,}", f"{section.room:,}", str(len(section.parts))))
            for section in found.sections
        ],
    )
    write_table(
        ("section", "why", "tokens", "left out"),
        [Row((one.section, one.reason, f"{one.tokens:,}", one.text)) for one in found.left_out],
    )


def turns_of(file: Path) -> list[Turn]:
    """The turns of a file. Raises `InvalidField` for a line that holds none."""
    from mnemolog import Turn  # noqa: PLC0415 - heavy, and not needed for --help
    from mnemolog.ledger.errors import InvalidField  # noqa: PLC0415 - not needed for --help
    from mnemolog.ledger.json_text import decode_json  # noqa: PLC0415 - as above

    decode = msgspec.json.Decoder(Turn).decode
    turns = []
    for number, line in input_lines(file):
        try:
            turns.append(decode_json(decode, line))
        except msgspec.DecodeError as error:
            raise InvalidField(
                "conversation",
                f"line {number} of {file} holds no turn ({error})",
                'write one {"role": …, "content": …} a line',
            ) from None
    return turns
