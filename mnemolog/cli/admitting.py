"""Commands by which content enters that is not known to matter: admit and flush."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from mnemolog.cli.contexts import turns_of
from mnemolog.cli.exits import ExitCode, refuse
from mnemolog.cli.fields import fields_given, memory_fields, text_of
from mnemolog.cli.options import WRITING, acts, as_of, contradictions
from mnemolog.cli.output import Row, at, one_line, short_ids, when, write_line, write_table

if TYPE_CHECKING:
    from mnemolog import Admission, Decided, Waiting
    from mnemolog.cli.call import Call

attention = click.option(
    "--attention",
    metavar="TEXT",
    help="What is attended to; else, in talk, what the user said.",
)


@click.command()
@click.argument("words", metavar="[TEXT]...", nargs=-1)
@click.option(
    "--conversation",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help='Talk that leaves a context instead of TEXT: a JSON object {"role": …, "content": …} a '
    "line; - reads standard input.",
)
@attention
@memory_fields
@contradictions
@acts(*WRITING)
def admit(
    call: Call,
    words: tuple[str, ...],
    *,
    conversation: Path | None,
    attention: str | None,
    contradictions: Literal["check", "off"] | None,
    **options: object,
) -> None:
    """Let content in, if it is relevant and new.

    TEXT (a single - reads it from standard input), or each turn of a conversation, is
    persisted as a memory, reinforces the memory that says the same, waits in the
    buffer until `flush`, or is dropped: the setting `admission` is the table of it.
    """
    if (conversation is None) == (not words):
        refuse("give either a TEXT or --conversation FILE")
    with call.memory("create") as memory:
        told = memory.admit(
            text_of(words) if conversation is None else turns_of(conversation),
            attention=attention,
            contradictions=contradictions,
            **fields_given(options, memory),
        )
    call.answer(told, _write_admission)


@click.command()
@click.option("--show", is_flag=True, help="Show what waits instead, and leave it there.")
@attention
@contradictions
@acts(*WRITING, as_of)
def flush(
    call: Call,
    *,
    show: bool,
    attention: str | None,
    contradictions: Literal["check", "off"] | None,
) -> None:
    """Empty the buffer of what waits there.

    Each is scored again as of now: it is persisted, reinforces a memory, or is
    dropped. What it said is destroyed in the buffer, whatever becomes of it.
    """
    if show:
        if attention is not None or contradictions is not None:
            refuse("--show decides nothing: leave out --attention and --contradictions")
        with call.reading() as reader:
            found = reader.buffer()
        call.answer({"waiting": found}, lambda _: _write_waiting(found))
        return
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of, or give --show")
    with call.memory() as memory:
        told = memory.flush(attention=attention, contradictions=contradictions)
    call.answer(told, _write_admission)
    if not told.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _write_admission(told: Admission) -> None:
    if not told.decisions:
        write_line("nothing waits")
        return
    ids = short_ids([one.memory_id for one in told.decisions if one.memory_id is not None])
    write_table(("at", "what", "memory", "content"), [_decided(one, ids) for one in told.decisions])
    for found in told.conflicts:
        write_line(one_line(f"because: {found.reason} ({found.content or 'redacted'})"))
    for warning in told.warnings:
        click.echo(f"warning: {one_line(warning)}", err=True)
    if not told.complete:
        write_line(
            "what left the buffer is not gone everywhere yet: the next opening goes on with it"
        )


def _decided(one: Decided, ids: dict[str, str]) -> Row:
    memory = "" if one.memory_id is None else ids[one.memory_id]
    return Row((at(one.position), one.placement, memory, one_line(one.content)), (one.says,))


def _write_waiting(found: tuple[Waiting, ...]) -> None:
    if not found:
        write_line("nothing waits")
        return
    write_table(
        ("at", "when", "relevance", "novelty", "content"),
        [
            Row(
                (
                    at(one.position),
                    when(one.recorded_at),
                    one.relevance or "",
                    one.novelty or "",
                    one_line(one.content),
                )
            )
            for one in found
        ],
    )
