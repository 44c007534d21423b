"""Commands that append to a space: remember, supersede, withdraw, pin, unpin, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from mnemolog.cli.confirming import confirm
from mnemolog.cli.exits import refuse
from mnemolog.cli.fields import fields_given, memory_fields, text, text_of
from mnemolog.cli.options import TIME_HELP, WRITING, acts, contradictions, override, reason, yes
from mnemolog.cli.output import at, one_line, shortened, when
from mnemolog.cli.receipts import joined, write_receipt

if TYPE_CHECKING:
    from mnemolog import UndoPreview
    from mnemolog.cli.call import Call

reference = click.argument("reference", metavar="REFERENCE")


@click.command()
@text
@memory_fields
@click.option(
    "--supersedes",
    multiple=True,
    metavar="REFERENCE",
    help="A memory that this one replaces; may be repeated.",
)
@click.option("--pin", "pinned", is_flag=True, help="Hold it in working memory as well.")
@contradictions
@acts(*WRITING)
def remember(
    call: Call,
    words: tuple[str, ...],
    *,
    pinned: bool,
    contradictions: Literal["check", "off"] | None,
    **options: object,
) -> None:
    """Store a memory.

    TEXT is what to remember: words need no quotes, and a single - reads it from
    standard input.
    """
    with call.memory("create") as memory:
        receipt = memory.remember(
            text_of(words), contradictions=contradictions, **fields_given(options, memory)
        )
        if pinned and receipt.memory_id is not None:
            receipt = joined(receipt, memory.pin(receipt.memory_id))
        call.answer(receipt, write_receipt)


@click.command()
@click.argument("old", metavar="OLD")
@text
@click.option("--by", metavar="REFERENCE", help="The memory that replaces it, instead of TEXT.")
@click.option(
    "--also",
    multiple=True,
    metavar="REFERENCE",
    help="Another old memory that is replaced with it; may be repeated.",
)
@memory_fields
@reason
@override
@acts(*WRITING)
def supersede(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    old: str,
    words: tuple[str, ...],
    *,
    by: str | None,
    also: tuple[str, ...],
    reason: str | None,
    override: bool,
    **options: object,
) -> None:
    """Replace a memory by a newer one.

    OLD is the memory that no longer holds. TEXT is the memory that replaces it
    (a single - reads it from standard input); --by names one that is there
    already.
    """
    if (by is None) == (not words):
        refuse("give either the new TEXT or --by REFERENCE")
    with call.memory() as memory:
        receipt = memory.supersede(
            (old, *also),
            text_of(words) if words else None,
            by=by,
            reason=reason,
            override=override,
            **fields_given(options, memory),
        )
        call.answer(receipt, write_receipt)


@click.command()
@reference
@reason
@override
@acts(*WRITING)
def withdraw(call: Call, reference: str, *, reason: str | None, override: bool) -> None:
    """Take a memory out of all answers.

    REFERENCE is an id, the beginning of one, or @position. The memory is kept
    for audit; `undo` brings it back.
    """
    with call.memory() as memory:
        receipt = memory.withdraw(reference, reason=reason, override=override)
        call.answer(receipt, write_receipt)


@click.command()
@reference
@click.option("--until", metavar="TIME", help=f"When to let it go: {TIME_HELP}")
@reason
@acts(*WRITING)
def pin(call: Call, reference: str, *, until: str | None, reason: str | None) -> None:
    """Hold a memory in working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    with call.memory() as memory:
        call.answer(memory.pin(reference, until=until, reason=reason), write_receipt)


@click.command()
@reference
@reason
@acts(*WRITING)
def unpin(call: Call, reference: str, *, reason: str | None) -> None:
    """Let a memory go from working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    with call.memory() as memory:
        call.answer(memory.unpin(reference, reason=reason), write_receipt)


@click.command()
@click.argument("reference", metavar="[REFERENCE]", required=False)
@reason
@yes
@acts(*WRITING)
def undo(call: Call, reference: str | None, *, reason: str | None, yes: bool) -> None:
    """Reverse a command.

    REFERENCE is an event of the command: an id, the beginning of one, or
    @position. Without it, the last command of the space that is not undone yet
    is meant. The command is shown first. It asks if the command is older than a
    day, if upkeep ran since, or if another actor gave the last one. What was
    changed is restored by further events; nothing is erased.
    """
    with call.memory() as memory:
        preview = memory.preview_undo(reference)
        shown = _command(preview)
        call.notice(f"undoing {shown}")
        if preview.reasons and not yes:
            because = ", and ".join(preview.reasons)
            doubt = f"the command at position {preview.position} may not be meant ({because})"
            confirm(f"Undo {shown}, although {because}?", doubt)
        # By its position: what others append meanwhile is not what was shown.
        call.answer(memory.undo(at(preview.position), reason=reason), write_receipt)


def _command(preview: UndoPreview) -> str:
    """A command for a person: position, kind, text, time, actor, how many events."""
    text = preview.summary if preview.content is None else f"“{preview.content}”"
    events = "1 event" if preview.events == 1 else f"{preview.events:,} events"
    return one_line(
        f"{at(preview.position)} {preview.kind}: {shortened(text)} "
        f"({when(preview.recorded_at)}, {preview.actor}, {events})"
    )
