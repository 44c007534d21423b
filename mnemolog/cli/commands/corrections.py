"""Commands that correct what is stored: correct, conflicts, undo, redact."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import click
from click.exceptions import Exit

from mnemolog.cli.exit_codes import ExitCode, refuse
from mnemolog.cli.memory_options import text_of
from mnemolog.cli.options import WRITING, as_of, choice, override, reason, repeated, shared, yes
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.confirmation import confirm
from mnemolog.cli.output.receipts import write_receipt, write_receipts
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from mnemolog import Conflict, Correction, CorrectionCandidate, Memory, Redaction, UndoPreview
    from mnemolog.cli.call import CommandCall

WINNERS = ("new", "old", "both", "neither")
POLICIES = ("recency", "authority")


@click.command()
@click.argument("words", metavar="SENTENCE...", nargs=-1, required=True)
@click.option(
    "--source", metavar="SOURCE", help="Who corrects: user:NAME, agent:NAME; default: the actor."
)
@repeated("-t", "--tag", "tags", metavar="WORD", help="Only memories with this tag.")
@reason
@override
@shared(*WRITING)
def correct(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    source: str | None,
    tags: tuple[str, ...],
    reason: str | None,
    override: bool,
) -> None:
    """Correct a memory with a sentence.

    SENTENCE says what is no longer true, or what is true instead: "the record that
    the demo is on Friday is wrong", "we dropped the demo last month",
    "actually, the demo is on Monday". A single - reads it from standard input.
    If one memory is clearly meant, it is superseded. Otherwise nothing changes,
    and the candidates are shown.
    """
    with call.memory() as memory:
        correction = memory.correct(
            text_of(words), reason=reason, source=source, tags=tags, override=override
        )
        call.answer(correction, partial(_write_correction, memory))
        if correction.receipt is None:
            raise Exit(ExitCode.NOT_FOUND)


@click.command()
@click.argument(
    "action",
    metavar="[ACTION]",
    required=False,
    default="list",
    type=click.Choice(("list", "resolve")),
)
@click.argument("reference", metavar="[REFERENCE]", required=False)
@click.option("--all", "every", is_flag=True, help="List settled conflicts too.")
@choice("--winner", of=WINNERS, help="Resolve it: which memory stays, or both, or neither.")
@choice(
    "--policy",
    of=POLICIES,
    help="Resolve all open conflicts: the newer memory stays, or the more reliable one.",
)
@reason
@override
@shared(*WRITING, as_of)
def conflicts(
    call: CommandCall,
    *,
    action: Literal["list", "resolve"],
    reference: str | None,
    every: bool,
    winner: Literal["new", "old", "both", "neither"] | None,
    policy: Literal["recency", "authority"] | None,
    reason: str | None,
    override: bool,
) -> None:
    """List and resolve conflicts between memories.

    ACTION is list (the default) or resolve. REFERENCE names the conflict to
    resolve: its id, the beginning of one, @position, or a memory with only one
    open conflict. A policy resolves all open conflicts.
    """
    if action == "list":
        if reference is not None or winner is not None or policy is not None:
            refuse("to resolve conflicts write `mnemolog conflicts resolve`")
        which: Literal["all", "open"] = "all" if every else "open"
        call.show(lambda reader: reader.conflicts.list(which), _write_conflicts, "conflicts")
        return
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of")
    if (policy is None) == (winner is None) or (winner is None) != (reference is None):
        refuse("give a REFERENCE and its --winner, or a --policy alone")
    with call.memory() as memory:
        if policy is not None:
            receipts = memory.conflicts.settle_all(policy)
            call.answer({"receipts": receipts}, lambda _: write_receipts(memory, receipts))
        elif winner is not None:
            settled = memory.conflicts.settle(
                reference or "", winner, reason=reason, override=override
            )
            call.answer(settled, partial(write_receipt, memory))


@click.command()
@click.argument("reference", metavar="[REFERENCE]", required=False)
@reason
@yes
@shared(*WRITING)
def undo(call: CommandCall, reference: str | None, *, reason: str | None, yes: bool) -> None:
    """Reverse a command.

    REFERENCE is an event of the command: an id, the beginning of one, or
    @position. Without it, the last command of the space that is not undone yet
    is reversed. The command is shown first. Undo asks if the command is older
    than a day, if maintenance ran since, or if another actor gave the last
    command. Further events restore what it changed; nothing is erased.
    """
    with call.memory() as memory:
        preview = memory.preview_undo(reference)
        command = _command(preview)
        call.notice(f"undoing {command}")
        if preview.reasons and not yes:
            because = ", and ".join(preview.reasons)
            doubt = f"the command at position {preview.position} may not be meant ({because})"
            confirm(f"Undo {command}, although {because}?", doubt)
        # By position: another process may have appended since the preview.
        receipt = memory.undo(out.at(preview.position), reason=reason)
        call.answer(receipt, partial(write_receipt, memory))


@click.command()
@click.argument("references", metavar="REFERENCE...", nargs=-1, required=True)
@reason
@override
@yes
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for readers of the content, and to search other files.",
)
@shared(*WRITING)
def redact(
    call: CommandCall,
    references: tuple[str, ...],
    *,
    reason: str | None,
    override: bool,
    yes: bool,
    timeout_s: float,
) -> None:
    """Destroy the content of memories or events for good.

    REFERENCE is an id of a memory or event, the beginning of one, or @position.
    What happened, when and by whom stays in the log, and the log still verifies.
    The content cannot be restored. If a file cannot be cleaned, or a reader still
    holds it, the command names it and exits with 6; the next command on this home
    tries again.
    """
    if not yes:
        confirm(f"Destroy the content of {', '.join(references)} for good?")
    with call.memory() as memory:
        redaction = memory.redact(
            *references, reason=reason, override=override, timeout_s=timeout_s
        )
        call.answer(redaction, partial(_write_redaction, memory))
    if not redaction.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _write_correction(memory: Memory, correction: Correction) -> None:
    out.write_line(correction.said)
    if correction.receipt is not None:
        write_receipt(memory, correction.receipt)
        return
    ids = out.short_ids(one.memory_id for one in correction.candidates)
    columns: dict[str, Callable[[CorrectionCandidate], str]] = {
        "score": lambda one: f"{one.score:.2f}",
        "id": lambda one: ids[one.memory_id],
        "memory": lambda one: one.content,
    }
    out.write_table("candidates", correction.candidates, columns, lambda one: (one.why,))


def _write_conflicts(found: Sequence[Conflict]) -> None:
    ids = out.short_ids(one.conflict_id for one in found)
    columns: dict[str, Callable[[Conflict], str | datetime]] = {
        "at": lambda one: out.at(one.position),
        "id": lambda one: ids[one.conflict_id],
        "when": lambda one: one.found_at,
        "status": _status,
        "conflict": lambda one: out.known_text(one.reason or None),
    }
    out.write_table("conflicts", found, columns, _sides)


def _sides(one: Conflict) -> Iterator[str]:
    yield f"new {out.at(one.new.position)}: {out.known_text(one.new.content)}"
    yield f"old {out.at(one.old.position)}: {out.known_text(one.old.content)}"
    yield f"{one.type}, {one.severity}; {one.resolution}, found by {one.judge}"


def _status(one: Conflict) -> str:
    if one.open:
        return f"{one.outcome} for {one.age_days:.1f} days"
    return f"{one.outcome}, settled: {one.winner}" if one.winner is not None else one.outcome


def _command(preview: UndoPreview) -> str:
    """The command to undo: position, kind, text, time, actor, number of events."""
    text = preview.summary if preview.content is None else f"“{preview.content}”"
    return out.one_line(
        f"{out.at(preview.position)} {preview.kind}: {out.shortened(text)} "
        f"({when(preview.recorded_at)}, {preview.actor}, {out.counted(preview.events, 'event')})"
    )


def _write_redaction(memory: Memory, redaction: Redaction) -> None:
    write_receipt(memory, redaction)
    out.write_line("erased: " + ", ".join(out.at(position) for position in redaction.erased))
    out.write_left(redaction.left)
