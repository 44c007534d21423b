"""Commands that store content only if it matters: admit and flush."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from mnemolog.cli.exit_codes import ExitCode, refuse
from mnemolog.cli.inputs import conversation, turns_of
from mnemolog.cli.memory_options import fields_given, memory_fields, text_of
from mnemolog.cli.options import WRITING, as_of, contradictions, shared
from mnemolog.cli.output import printing as out

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from mnemolog import Admission, Decided, Waiting
    from mnemolog.cli.call import CommandCall

attention = click.option(
    "--attention",
    metavar="TEXT",
    help="The topic of attention; default: in a conversation, what the user said.",
)


@click.command()
@click.argument("words", metavar="[TEXT]...", nargs=-1)
@conversation
@attention
@memory_fields
@contradictions
@shared(*WRITING)
def admit(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    conversation: Path | None,
    attention: str | None,
    contradictions: Literal["check", "off"] | None,
    **options: object,
) -> None:
    """Store content if it is relevant and new.

    TEXT (a single - reads it from standard input), or each turn of a
    conversation, becomes a memory, reinforces the memory that says the same,
    waits in the buffer until `mnemolog flush`, or is dropped. The setting
    `admission` holds the rules.
    """
    if (conversation is None) == (not words):
        refuse("give either a TEXT or --conversation FILE")
    with call.memory("create") as memory:
        admission = memory.admit(
            text_of(words) if conversation is None else turns_of(conversation),
            attention=attention,
            contradictions=contradictions,
            **fields_given(options, memory),
        )
    call.answer(admission, _write_admission)


@click.command()
@click.option("--show", is_flag=True, help="Show the waiting content, and leave it there.")
@attention
@contradictions
@shared(*WRITING, as_of)
def flush(
    call: CommandCall,
    *,
    show: bool,
    attention: str | None,
    contradictions: Literal["check", "off"] | None,
) -> None:
    """Decide on the content that waits in the buffer.

    Each content is scored again as of now: it becomes a memory, reinforces one,
    or is dropped. Its copy in the buffer is destroyed in any case.
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
        admission = memory.flush(attention=attention, contradictions=contradictions)
    call.answer(admission, _write_admission)
    if not admission.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _write_admission(admission: Admission) -> None:
    ids = out.short_ids(one.memory_id for one in admission.decisions)
    columns: dict[str, Callable[[Decided], str]] = {
        "at": lambda one: out.at(one.position),
        "decision": lambda one: one.placement,
        "memory": lambda one: ids.get(one.memory_id or "", ""),
        "content": lambda one: one.content,
    }
    out.write_table("waiting contents", admission.decisions, columns, lambda one: (one.says,))
    out.write_conflicts_found(admission.conflicts)
    for warning in admission.warnings:
        out.write_error_line("warning", warning)
    if not admission.complete:
        out.write_line("some content of the buffer remains for now; the next command tries again")


def _write_waiting(found: tuple[Waiting, ...]) -> None:
    columns: dict[str, Callable[[Waiting], str | datetime]] = {
        "at": lambda one: out.at(one.position),
        "when": lambda one: one.recorded_at,
        "relevance": lambda one: one.relevance or "",
        "novelty": lambda one: one.novelty or "",
        "content": lambda one: one.content,
    }
    out.write_table("waiting contents", found, columns)
