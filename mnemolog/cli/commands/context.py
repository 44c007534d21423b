"""Commands for an agent's prompt: context, ask, hook."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click
import msgspec
from click.exceptions import Exit

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.inputs import conversation, text_of, turns_of
from mnemolog.cli.output.memories import write_hits
from mnemolog.cli.output.printing import safe, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemolog import Context, Exploration
    from mnemolog.cli.calls.call import CommandCall
    from mnemolog.serve.prompt_hook import Form

LAYERS = ("palace", "scratchpad", "artifacts", "procedures")
FORMS = ("json", "text")
NOT_RECALL = "The prompt asks for nothing from memory, so nothing was searched; --layer does."


@opt.command(*opt.READING_SEVERAL)
@opt.sentence("PROMPT...")
@opt.number("--budget: How many tokens at most.", 8000)
@conversation
@opt.repeated("--instructions TEXT: A rule.")
@opt.repeated("--task TEXT: A task of the agent.")
@opt.option(
    "--explore cues CUE: Search on from the context: five more memories. Up to three times.",
    multiple=True,
)
@opt.exploration
@opt.flag("--explain: Show each section's share, and what was left out.")
def context(
    call: CommandCall,
    *,
    conversation: Path | None,
    cues: tuple[str, ...],
    explain: bool,
    **options: object,
) -> None:
    """Assemble a prompt's context within a token budget.

    PROMPT is what the agent is asked. The output is its context: rules, preferences, the task,
    relevant memories, and the recent conversation.
    """
    turns = () if conversation is None else turns_of(conversation)
    with call.reading() as reader:
        assemble: Callable[..., Context] = reader.context
        found = assemble(conversation=turns, spaces=call.spaces, **options)
        steps: list[Exploration] = []
        for cue in cues:
            steps.append(reader.explore(steps[-1].context if steps else found, cue))
    explored = [{"cue": cue, "hits": step.hits} for cue, step in zip(cues, steps, strict=True)]
    if call.answered({**msgspec.structs.asdict(found), "explored": explored}):
        return
    click.echo(safe(found.text), nl=False)
    for step in steps:
        write_line()
        write_hits(step.hits)
    if explain:
        _write_explanation(found)
        return
    if found.message is not None:
        call.notice(found.message)
    if found.left_out:
        reasons = Counter(one.reason for one in found.left_out)
        counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        call.notice(f"left out or shortened: {counts} (--explain shows them)")


def _write_explanation(found: Context) -> None:
    write_line()
    write_line(f"{found.tokens:,} of {found.budget:,} tokens ({found.counter})")
    rows = [(s.name, f"{s.tokens:,}", f"{s.room:,}", str(len(s.parts))) for s in found.sections]
    write_table("sections", "section, tokens, room, parts", rows)
    left = [(one.section, one.reason, f"{one.tokens:,}", one.text) for one in found.left_out]
    if left:
        write_table("texts", "section, why, tokens, left out", left)


@opt.command(*opt.READING, opt.session)
@opt.arguments("PROMPT... words")
@opt.repeated("--layer layers: Search this layer, whatever the prompt asks for.", of=LAYERS)
@opt.limit(10)
@opt.flag("--context as_context: Print only the text for a prompt.")
def ask(call: CommandCall, words: tuple[str, ...], *, as_context: bool, **options: object) -> None:
    """Search the layers of memory for a prompt.

    PROMPT is what a user asks; a single - reads it from standard input. The order is: the memory,
    the notes of this session, the artifacts, the procedures. The first layer with an answer ends
    the search. A prompt that asks for nothing from memory starts no search.
    """
    options |= {"layers": options["layers"] or None, "session": call.session}
    asked = call.ask(lambda reader: reader.ask, {"prompt": text_of(words), **options})
    if call.answered(asked):
        return
    if as_context:
        if asked.context:
            write_line(asked.context)
        return
    if asked.layer is None:
        write_line(NOT_RECALL)
    for sentence in asked.said:
        write_line(sentence)
    if asked.passages:
        rows = [
            (f"{p.relevance:.2f}", p.source or p.layer, ": ".join(filter(None, (p.title, p.text))))
            for p in asked.passages
        ]
        below = [filter(None, (passage.note,)) for passage in asked.passages]
        write_table("passages", "relevance, from, text", rows, below)
    outcomes = (
        f"{one.layer} {one.outcome}{'' if one.note is None else f' ({one.note})'}"
        for one in asked.layers_checked
    )
    write_line("searched: " + ", ".join(outcomes))


class HarmlessCommand(click.Command):
    """A command whose usage errors exit with 0.

    An agent client takes any other code for a problem with the prompt.
    """

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        """The context of a call; a usage error is shown, and ends the call."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            error.show()
            raise Exit(0) from None


@click.command(cls=HarmlessCommand)
@opt.home
@opt.space
@opt.number("--limit-ms: Milliseconds it may take at most.", 3000, high=600_000)
@opt.option(
    "--format form: Print the hook's JSON object, or the context as plain text.",
    FORMS,
    default="json",
    show_default=True,
)
def hook(home: Path | None, spaces: tuple[str, ...], limit_ms: int, form: Form) -> None:
    """Answer an agent client's prompt hook.

    Reads the JSON object of a UserPromptSubmit hook from standard input and prints the context to
    add to the prompt: nothing if the prompt asks for nothing from memory. Errors go to standard
    error, with empty output and exit code 0.
    """
    from mnemolog.serve.prompt_hook import run_prompt_hook

    run_prompt_hook(home, spaces[0] if spaces else "default", limit_ms, form)
