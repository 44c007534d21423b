"""Commands for an agent's prompt: context, ask, hook."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from mnemolog.cli.inputs import conversation, turns_of
from mnemolog.cli.memory_options import text_of
from mnemolog.cli.options import (
    READING,
    READING_SEVERAL,
    exploration,
    home,
    limit,
    number,
    repeated,
    session as session_option,
    shared,
    space,
)
from mnemolog.cli.output.memories import write_hits
from mnemolog.cli.output.printing import safe, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemolog import Asked, Checked, Context, Exploration, LeftOut, Passage, Section
    from mnemolog.cli.call import CommandCall
    from mnemolog.recall.detector.detector import Layer
    from mnemolog.serve.prompt_hook import Form

LAYERS = ("palace", "scratchpad", "artifacts", "procedures")
FORMS = ("json", "text")
NOT_RECALL = "The prompt asks for nothing from memory, so nothing was searched; --layer does."


@click.command()
@click.argument("words", metavar="PROMPT...", nargs=-1, required=True)
@number("--budget", 8000, "How many tokens at most.")
@conversation
@repeated("--instructions", metavar="TEXT", help="A rule.")
@repeated("--task", metavar="TEXT", help="A task of the agent.")
@click.option(
    "--explore",
    "cues",
    multiple=True,
    metavar="CUE",
    help="Search on from the context: five more memories. Up to three times.",
)
@exploration
@click.option("--explain", is_flag=True, help="Show each section's share, and what was left out.")
@shared(*READING_SEVERAL)
def context(
    call: CommandCall,
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
    """Assemble a prompt's context within a token budget.

    PROMPT is what the agent is asked. The output is its context: rules,
    preferences, the task, relevant memories, and the recent conversation.
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
        write_hits(step.hits)
    if explain:
        _write_explanation(found)
    else:
        call.notice(*_notices(found))


@click.command()
@click.argument("words", metavar="PROMPT...", nargs=-1, required=True)
@repeated(
    "--layer",
    "layers",
    type=click.Choice(LAYERS),
    help="Search this layer, whatever the prompt asks for.",
)
@limit(10)
@click.option("--context", "as_context", is_flag=True, help="Print only the text for a prompt.")
@shared(*READING, session_option)
def ask(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    layers: tuple[Layer, ...],
    limit: int,
    as_context: bool,
) -> None:
    """Search the layers of memory for a prompt.

    PROMPT is what a user asks; a single - reads it from standard input. The order
    is: the memory, the notes of this session, the artifacts, the procedures. The
    first layer with an answer ends the search. A prompt that asks for nothing
    from memory starts no search.
    """
    prompt = text_of(words)
    with call.reading() as reader:
        asked = reader.ask(prompt, layers=layers or None, session=call.session, limit=limit)
        call.answer(asked, _write_context if as_context else _write_asked)


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
@home
@space
@number("--limit-ms", 3000, "Milliseconds it may take at most.", high=600_000)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="json",
    show_default=True,
    help="Print the hook's JSON object, or the context as plain text.",
)
def hook(home: Path | None, spaces: tuple[str, ...], limit_ms: int, form: Form) -> None:
    """Answer an agent client's prompt hook.

    Reads the JSON object of a UserPromptSubmit hook from standard input and
    prints the context to add to the prompt: nothing if the prompt asks for
    nothing from memory. Errors go to standard error, with empty output and exit
    code 0.
    """
    from mnemolog.serve.prompt_hook import run_prompt_hook

    run_prompt_hook(home, spaces[0] if spaces else "default", limit_ms, form)


def _notices(found: Context) -> tuple[str, ...]:
    messages = () if found.message is None else (found.message,)
    if not found.left_out:
        return messages
    reasons = Counter(one.reason for one in found.left_out)
    counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return (*messages, f"left out or shortened: {counts} (--explain shows them)")


def _write_explanation(found: Context) -> None:
    write_line()
    write_line(f"{found.tokens:,} of {found.budget:,} tokens ({found.counter})")
    sections: dict[str, Callable[[Section], str]] = {
        "section": lambda one: one.name,
        "tokens": lambda one: f"{one.tokens:,}",
        "room": lambda one: f"{one.room:,}",
        "parts": lambda one: str(len(one.parts)),
    }
    write_table("sections", found.sections, sections)
    left_out: dict[str, Callable[[LeftOut], str]] = {
        "section": lambda one: one.section,
        "why": lambda one: one.reason,
        "tokens": lambda one: f"{one.tokens:,}",
        "left out": lambda one: one.text,
    }
    if found.left_out:
        write_table("texts", found.left_out, left_out)


def _write_asked(asked: Asked) -> None:
    if asked.layer is None:
        write_line(NOT_RECALL)
    for sentence in asked.said:
        write_line(sentence)
    columns: dict[str, Callable[[Passage], str]] = {
        "relevance": lambda one: f"{one.relevance:.2f}",
        "from": lambda one: one.source or one.layer,
        "text": lambda one: ": ".join(filter(None, (one.title, one.text))),
    }
    if asked.passages:
        write_table("passages", asked.passages, columns, lambda one: filter(None, (one.note,)))
    write_line("searched: " + ", ".join(_outcome(checked) for checked in asked.layers_checked))


def _write_context(asked: Asked) -> None:
    if asked.context:
        write_line(asked.context)


def _outcome(checked: Checked) -> str:
    note = "" if checked.note is None else f" ({checked.note})"
    return f"{checked.layer} {checked.outcome}{note}"
