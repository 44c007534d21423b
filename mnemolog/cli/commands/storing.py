"""Commands that store and correct memories and edges, from remember to redact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click
import msgspec
from click.exceptions import Exit

from mnemolog.cli import options as opt, printing as out
from mnemolog.cli.call import confirm, given, text_of
from mnemolog.cli.exit_codes import ExitCode, refuse
from mnemolog.cli.memories import ask_about_offers, write_receipt
from mnemolog.cli.printing import at, known_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog import Conflict, Correction, Memory, Receipt, Redaction, Thing
    from mnemolog.application.questions.listings import Openness
    from mnemolog.cli.call import CommandCall

EDITED_FIELDS = (
    "kind", "category", "tags", "aliases", "source", "source_note", "source_type",
    "source_confidence", "place", "constraint", "evidence", "valid_from", "valid_until",
    "importance", "volatility", "marks", "lasting", "immutable",
)  # fmt: skip
"""Fields of a memory that its edited text keeps."""
ORIGINS = ("verified", "inferred", "speculative")
WINNERS = ("new", "old", "both", "neither")
POLICIES = ("recency", "authority")


@opt.command(opt.contradictions, *opt.WRITING)
@opt.text
@opt.memory_fields
@opt.repeated("--supersedes REFERENCE: A memory that this one replaces.")
@opt.flag("--pin pinned: Keep it in working memory too.")
def remember(call: CommandCall, words: tuple[str, ...], *, pinned: bool, **fields: object) -> None:
    """Store a memory.

    TEXT is what to remember: words need no quotes, and a single - reads it from standard input. If
    it may replace stored memories, the command asks on a terminal and lists them elsewhere.
    """
    with call.memory("create") as memory:
        store: Callable[..., Receipt] = memory.remember
        receipt = store(text_of(words), **given(fields, memory))
        if pinned and receipt.memory_id is not None:
            pin = memory.pin(receipt.memory_id)
            receipt = msgspec.structs.replace(
                pin,
                memory_id=receipt.memory_id,
                position=receipt.position,
                events=(*receipt.events, *pin.events),
                changed=(*receipt.changed, *pin.changed),
                conflicts=receipt.conflicts,
                may_replace=receipt.may_replace,
                warnings=(*receipt.warnings, *pin.warnings),
            )
        if not call.answered(receipt):
            write_receipt(memory, receipt)
            ask_about_offers(memory, receipt)


@opt.command(opt.memory_fields, opt.reason, opt.override, *opt.WRITING)
@opt.arguments("OLD")
@opt.text
@opt.option("--by REFERENCE: The stored memory that replaces it.")
@opt.repeated("--also REFERENCE: Another old memory that is replaced.")
def supersede(
    call: CommandCall, old: str, words: tuple[str, ...], *, also: tuple[str, ...], **fields: object
) -> None:
    """Replace a memory by a newer one.

    OLD is the memory that is no longer true. TEXT is the memory that replaces it (a single - reads
    it from standard input); --by names a stored memory instead.
    """
    if (fields["by"] is None) == (not words):
        refuse("give either the new TEXT or --by REFERENCE")
    with call.memory() as memory:
        replace: Callable[..., Receipt] = memory.supersede
        fields["content"] = text_of(words) if words else None
        receipt = replace((old, *also), **given(fields, memory))
        if not call.answered(receipt):
            write_receipt(memory, receipt)


@opt.command(opt.reference, opt.reason, opt.override, *opt.WRITING)
def edit(call: CommandCall, reference: str, **options: object) -> None:
    """Edit a memory's text in $EDITOR.

    REFERENCE is an id, the beginning of one, or @position. What you save supersedes the memory,
    with the same fields. If the text is unchanged or empty, nothing changes.
    """
    with call.memory() as memory:
        replace: Callable[..., Receipt] = memory.supersede
        item = memory.get(reference)
        if item.content is None:
            refuse("the text was redacted: there is nothing to edit")
        edited = _edited(item.content).strip()
        if edited in ("", item.content.strip()):
            call.say({"changed": ()}, "No changes found.")
            return
        kept = {name: getattr(item, name) for name in EDITED_FIELDS}
        receipt = replace(item.memory_id, edited, **options, **kept)
        if not call.answered(receipt):
            write_receipt(memory, receipt)


class EditorFailed(click.ClickException):
    """Error for an editor that does not start or ends with an error."""

    exit_code = ExitCode.UNAVAILABLE


def _edited(text: str) -> str:
    """A text as saved in the editor, "" if it was not saved. Raises `EditorFailed`."""
    try:
        return click.edit(text) or ""
    except click.ClickException as error:
        raise EditorFailed(error.message) from None


@opt.command(opt.reference, opt.reason, opt.override, *opt.WRITING)
def withdraw(call: CommandCall, **options: object) -> None:
    """Remove a memory from all answers.

    REFERENCE is an id, the beginning of one, or @position. The memory stays in the ledger for
    audit; `mnemolog undo` brings it back.
    """
    call.carry_out(lambda memory: memory.withdraw, options)


@opt.command(
    opt.reference, opt.time_option("--until: When to release it."), opt.reason, *opt.WRITING
)
def pin(call: CommandCall, **options: object) -> None:
    """Keep a memory in working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    call.carry_out(lambda memory: memory.pin, options)


@opt.command(opt.reference, opt.reason, *opt.WRITING)
def unpin(call: CommandCall, **options: object) -> None:
    """Release a memory from working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    call.carry_out(lambda memory: memory.unpin, options)


@opt.command(opt.reason, *opt.WRITING)
@opt.arguments("SOURCE", "TYPE relation", "TARGET")
@opt.option("--confidence SHARE: How certain it is, 0 to 1; default: 1.", default=1.0)
@opt.option("--origin: How it is known; default: verified.", ORIGINS, default="verified")
@opt.time_option("--valid-from: When it began to be true.")
@opt.time_option("--valid-until: When it ends being true.")
@opt.option("--condition TEXT: The condition under which it holds, in words.")
def link(call: CommandCall, **edge: object) -> None:
    """Link memories or things by an edge.

    SOURCE and TARGET are each a memory (an id, the beginning of one, or @position) or a thing,
    written thing:NAME. TYPE is the relation of SOURCE to TARGET: IS_A, PART_OF, CAUSED_BY,
    DEPENDS_ON, SUPPORTS … or a word of your own in capitals.
    """
    call.carry_out(lambda memory: memory.graph.link, edge, "create")


@opt.command(opt.arguments("SOURCE", "[TYPE] relation", "[TARGET]"), opt.reason, *opt.WRITING)
def unlink(call: CommandCall, **options: object) -> None:
    """End an edge.

    Give SOURCE, TYPE and TARGET as you gave them to `mnemolog link`, or SOURCE alone: the edge's
    own id, the beginning of one, or @position.
    """
    if options["relation"] is not None and options["target"] is None:
        refuse("give SOURCE, TYPE and TARGET, or the edge's id alone")
    call.carry_out(lambda memory: memory.graph.unlink, options)


@opt.command(opt.arguments("[END]"), *opt.READING)
def links(call: CommandCall, **options: object) -> None:
    """List edges, oldest first.

    END is a memory or thing:NAME; then only its edges are shown, in either direction.
    """
    edges = call.ask(lambda reader: reader.graph.links, options)
    if call.answered({"edges": edges}):
        return
    ends = [end for edge in edges for end in (edge.source, edge.target) if isinstance(end, str)]
    ids = out.short_ids([*ends, *(edge.edge_id for edge in edges)])

    def shown(end: str | Thing | None) -> str:
        if end is None:
            return "(redacted)"
        return ids[end] if isinstance(end, str) else f"thing:{end.name}"

    rows, below = [], []
    for edge in edges:
        line = f"{shown(edge.source)} {edge.type} {shown(edge.target)}"
        certainty = (f"{edge.confidence:.2f}", edge.origin)
        rows.append((at(edge.position), ids[edge.edge_id], *certainty, line))
        facts: dict[str, str | None] = {"where": edge.condition, "because": edge.reason}
        for name, instant in (("since", edge.valid_from), ("until", edge.valid_until)):
            facts[name] = None if instant is None else out.when(instant)
        below.append([f"{name} {value}" for name, value in facts.items() if value is not None])
    out.write_table("edges", "at, id, confidence, origin, edge", rows, below)


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
@opt.flag("--offered: List memories that newer ones may replace.")
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
    offered: bool,
    winner: Literal["new", "old", "both", "neither"] | None,
    policy: Literal["recency", "authority"] | None,
    **options: object,
) -> None:
    """List and resolve conflicts between memories.

    ACTION is list (the default) or resolve. REFERENCE names the conflict to resolve: its id, the
    beginning of one, @position, or a memory with only one open conflict. A policy resolves all open
    conflicts. What a new memory may replace is settled in the same way.
    """
    if action == "list":
        if reference is not None or winner is not None or policy is not None:
            refuse("to resolve conflicts write `mnemolog conflicts resolve`")
        with call.reading() as reader:
            which: Openness = "all" if every else "offered" if offered else "open"
            found = reader.conflicts.list(which)
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
    rows, below = [], []
    for one in found:
        status: str = one.outcome
        if one.open:
            status += f" for {one.age_days:.1f} days"
        elif one.winner is not None:
            status += f", settled: {one.winner}"
        reason = known_text(one.reason or None)
        rows.append((at(one.position), ids[one.conflict_id], one.found_at, status, reason))
        sides = [
            f"{age} {at(side.position)}: {known_text(side.content)}"
            for age, side in (("new", one.new), ("old", one.old))
        ]
        origin = f"{one.type}, {one.severity}; {one.resolution}, found by {one.judge}"
        below.append((*sides, origin))
    out.write_table("conflicts", "at, id, when, status, conflict", rows, below)


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
