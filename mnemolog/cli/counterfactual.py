"""The command that tells a history again under other settings: counterfactual."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.exits import refuse
from mnemolog.cli.inputs import input_lines
from mnemolog.cli.options import LOOKING, Directory, acts, moment
from mnemolog.cli.output import (
    Row,
    one_line,
    short_ids,
    when,
    write_fields,
    write_line,
    write_table,
)
from mnemolog.cli.progress import progress_of
from mnemolog.cli.settings import SettingValue, scalar

if TYPE_CHECKING:
    from mnemolog import Counterfactual, LabelledQuestion
    from mnemolog.cli.call import Call


@click.command()
@click.argument("settings", metavar="NAME=VALUE...", nargs=-1, required=True)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help='Questions to ask of both, a line each: {"cue": TEXT, "memories": [REFERENCE, ...]}.',
)
@click.option(
    "--to", callback=moment, metavar="MOMENT", help="Stop at this moment, as for --as-of."
)
@click.option(
    "--into",
    type=Directory(),
    metavar="DIR",
    help="Keep the home that comes of it here; else it is thrown away.",
)
@acts(*LOOKING)
def counterfactual(
    call: Call,
    settings: tuple[str, ...],
    *,
    questions: Path | None,
    to: int | str | None,
    into: Path | None,
) -> None:
    """Tell the history of a space again under other settings.

    Each NAME=VALUE is a setting of `config` that holds from the beginning on. What was
    said and done stays, what time made of it is decided anew, in a scratch home; the
    present one is only read. Shown is which memories would be in another tier, which
    recalls whose cue was kept would have answered otherwise, and how questions fare.
    """
    from mnemolog import counterfactual, default_home  # noqa: PLC0415 - heavy, not for help

    given = dict(_setting(text) for text in settings)
    asked = [] if questions is None else _read(questions)
    with progress_of(call) as progress:
        found = counterfactual(
            call.home or default_home(),
            given,
            space=call.spaces[0] if call.spaces else "default",
            to=to,
            questions=asked,
            scratch=into,
            progress=progress,
        )
    call.answer(found, _write)


def _setting(text: str) -> tuple[str, SettingValue]:
    name, equals, value = text.partition("=")
    if not equals:
        refuse(f"{text!r} is no NAME=VALUE: write one such as forgetting_speed=0.5")
    return name.strip(), scalar(value.strip())


def _read(file: Path) -> list[LabelledQuestion]:
    from mnemolog import LabelledQuestion  # noqa: PLC0415 - heavy, not for help
    from mnemolog.ledger.json_text import decode_json  # noqa: PLC0415 - not for help

    decode = msgspec.json.Decoder(LabelledQuestion).decode
    found = []
    for number, line in input_lines(file):
        try:
            found.append(decode_json(decode, line))
        except msgspec.DecodeError as error:
            refuse(f"{file}, line {number}: {error}")
    return found


def _write(found: Counterfactual) -> None:
    write_fields(
        [
            ("told", f"{found.events:,} events up to @{found.position}"),
            ("in another tier", f"{len(found.tiers):,} memories"),
            ("answered otherwise", f"{len(found.answers):,} of {found.cues:,} kept cues"),
            ("unreadable", f"{found.unreadable:,} memories" if found.unreadable else None),
        ]
    )
    ids = short_ids([one.memory_id for one in found.tiers])
    write_table(
        ("memory", "is", "would be", "strength", "would be", "content"),
        [
            Row(
                (
                    ids[one.memory_id],
                    one.before,
                    one.after,
                    f"{one.strength_before:.2f}",
                    f"{one.strength_after:.2f}",
                    one_line(one.content or "(redacted)"),
                )
            )
            for one in found.tiers
        ],
    )
    for answer in found.answers:
        gone, came = (
            _differing(answer.before, answer.after),
            _differing(answer.after, answer.before),
        )
        write_line(
            one_line(f"{when(answer.at)}  “{answer.cue}”: without {gone}, with {came} of the ten")
        )
    if found.questions is not None:
        for name, measures in zip(("as it is", "as it would be"), found.questions, strict=True):
            write_line(
                f"{measures.queries} questions {name}: recall@10 {measures.recall_at_10:.3f}, "
                f"MRR@10 {measures.mrr_at_10:.3f}"
            )


def _differing(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    names = short_ids((*one, *other))
    return ", ".join(names[each] for each in one if each not in other) or "none"
