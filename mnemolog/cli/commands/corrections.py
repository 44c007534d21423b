"""Commands that correct what is stored: correct, conflicts, undo, redact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click
from click.exceptions import Exit

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.call import confirm
from mnemolog.cli.calls.exit_codes import ExitCode, refuse
from mnemolog.cli.calls.inputs import text_of
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.memories import write_receipt
from mnemolog.cli.output.printing import at, known_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog import Conflict, Correction, Memory, Redaction
    from mnemolog.cli.calls.call import CommandCall

WINNERS = ("new", "old", "both", "neither")
POLICIES = ("recency", "authority")


@opt.command(opt.reason, opt.override, *opt.WRITING)
@opt.arguments("SENTENCE... words")
@opt.option("--source SOURCE: Who corrects: user:NAME, agent:NAME; default: the actor.")
@opt.repeated("-t --tag tags WORD: Only memories with this tag.")
def correct(call: CommandCall, words: tuple[str, ...], **options: object) -> None:
    """Correct a memory with a sentence.

    SENTENCE says what is no longer true, or what is true instead: "the record that the demo is on
    Friday is wrong", "we dropped the demo last month", "actually, the demo is on Monday". A single
    - reads it from standard input. If one memory is clearly meant, it is superseded. Otherwise
    nothing changes, and the candidates are shown.
    """
    options["sentence"] = text_of(words)
    done = call.act(lambda memory: memory.correct, _write_correction, options)
    if done.receipt is None:
        raise Exit(ExitCode.NOT_FOUND)


def _write_correction(memory: Memory, correction: Correction) -> None:
    out.write_line(correction.said)
    if correction.receipt is not None:
        write_receipt(memory, correction.receipt)
        return
    found = correction.candidates
    ids = out.short_ids(one.memory_id for one in found)
    rows = [(f"{one.score:.2f}", ids[one.memory_id], one.content) for one in found]
    out.write_table("candidates", "score, id, memory", rows, [(one.why,) for one in found])


@opt.command(opt.reason, opt.override, *opt.WRITING, opt.as_of)
@opt.action("list", "resolve")
@opt.arguments("[REFERENCE]")
@opt.flag("--all every: List settled conflicts too.")
@opt.option("--winner: Resolve it: which memory stays, or both, or neither.", WINNERS)
@opt.option(
    "--policy: Resolve all open conflicts: the newer memory stays, or the more reliable one.",
    POLICIES,
)
def conflicts(
    call: CommandCall,
    *,
    action: Literal["list", "resolve"],
    reference: str | None,
    every: bool,
    winner: Literal["new", "old", "both", "neither"] | None,
    policy: Literal["recency", "authority"] | None,
    **options: object,
) -> None:
    """List and resolve conflicts between memories.

    ACTION is list (the default) or resolve. REFERENCE names the conflict to resolve: its id, the
    beginning of one, @position, or a memory with only one open conflict. A policy resolves all open
    conflicts.
    """
    if action == "list":
        if reference is not None or winner is not None or policy is not None:
            refuse("to resolve conflicts write `mnemolog conflicts resolve`")
        with call.reading() as reader:
            found = reader.conflicts.list("all" if every else "open")
        if not call.answered({"conflicts": found}):
            _write_conflicts(found)
        return
    call.refuse_past()
    if (policy is None) == (winner is None) or (winner is None) != (reference is None):
        refuse("give a REFERENCE and its --winner, or a --policy alone")
    if policy is None:
        options |= {"conflict": reference, "winner": winner}
        call.carry_out(lambda memory: memory.conflicts.settle, options)
        return
    with call.memory() as memory:
        receipts = memory.conflicts.settle_all(policy)
        if call.answered({"receipts": receipts}):
            return
        for receipt in receipts:
            write_receipt(memory, receipt)
        if not receipts:
            out.write_none("changes")


def _write_conflicts(found: Sequence[Conflict]) -> None:
    ids = out.short_ids(one.conflict_id for one in found)
    rows = [
        (at(c.position), ids[c.conflict_id], c.found_at, _status(c), known_text(c.reason or None))
        for c in found
    ]
    below = [
        (
            f"new {at(one.new.position)}: {known_text(one.new.content)}",
            f"old {at(one.old.position)}: {known_text(one.old.content)}",
            f"{one.type}, {one.severity}; {one.resolution}, found by {one.judge}",
        )
        for one in found
    ]
    out.write_table("conflicts", "at, id, when, status, conflict", rows, below)


def _status(one: Conflict) -> str:
    if one.open:
        return f"{one.outcome} for {one.age_days:.1f} days"
    return f"{one.outcome}, settled: {one.winner}" if one.winner is not None else one.outcome


@opt.command(opt.arguments("[REFERENCE]"), opt.reason, opt.yes, *opt.WRITING)
def undo(call: CommandCall, reference: str | None, *, reason: str | None, yes: bool) -> None:
    """Reverse a command.

    REFERENCE is an event of the command: an id, the beginning of one, or @position. Without it, the
    last command of the space that is not undone yet is reversed. The command is shown first. Undo
    asks if the command is older than a day, if maintenance ran since, or if another actor gave the
    last command. Further events restore what it changed; nothing is erased.
    """
    with call.memory() as memory:
        preview = memory.preview_undo(reference)
        text = preview.summary if preview.content is None else f"“{preview.content}”"
        command = out.one_line(
            f"{at(preview.position)} {preview.kind}: {out.shortened(text)} "
            f"({out.when(preview.recorded_at)}, {preview.actor}, "
            f"{out.counted(preview.events, 'event')})"
        )
        call.notice(f"undoing {command}")
        if preview.reasons and not yes:
            because = ", and ".join(preview.reasons)
            doubt = f"the command at position {preview.position} may not be meant ({because})"
            confirm(f"Undo {command}, although {because}?", doubt)
        # By position: another process may have appended since the preview.
        receipt = memory.undo(at(preview.position), reason=reason)
        if not call.answered(receipt):
            write_receipt(memory, receipt)


@opt.command(*opt.WRITING)
@opt.references
@opt.together(opt.reason, opt.override, opt.yes)
@opt.option(
    "--timeout timeout_s SECONDS: How long to wait for readers of the content, and to search other "
    "files.",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
)
def redact(call: CommandCall, references: tuple[str, ...], *, yes: bool, **options: object) -> None:
    """Destroy the content of memories or events for good.

    REFERENCE is an id of a memory or event, the beginning of one, or @position. What happened, when
    and by whom stays in the log, and the log still verifies. The content cannot be restored. If a
    file cannot be cleaned, or a reader still holds it, the command names it and exits with 6; the
    next command on this home tries again.
    """
    if not yes:
        confirm(f"Destroy the content of {', '.join(references)} for good?")
    with call.memory() as memory:
        destroy: Callable[..., Redaction] = memory.redact
        done = destroy(*references, **options)
        if not call.answered(done):
            write_receipt(memory, done)
            out.write_line("erased: " + ", ".join(map(at, done.erased)))
            out.write_left(done.left)
    if not done.complete:
        raise Exit(ExitCode.INCOMPLETE)
