"""Commands that answer a prompt through the layers of memory: ask, and the hook for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from mnemolog.cli import layers
from mnemolog.cli.fields import text_of
from mnemolog.cli.options import READING, acts, home, session, space

if TYPE_CHECKING:
    from pathlib import Path

    from mnemolog.cli.call import Call
    from mnemolog.recall.detector.detector import Layer
    from mnemolog.serve.prompt_hook import Form

LAYERS = ("palace", "scratchpad", "artifacts", "procedures")
FORMS = ("json", "text")


@click.command()
@click.argument("words", metavar="PROMPT...", nargs=-1, required=True)
@click.option(
    "--layer",
    "named",
    type=click.Choice(LAYERS),
    multiple=True,
    help="Look into this layer, whatever the prompt asks for; may be repeated.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many at most."
)
@click.option("--context", "as_context", is_flag=True, help="Print the text for a prompt alone.")
@acts(*READING, session)
def ask(
    call: Call, words: tuple[str, ...], *, named: tuple[Layer, ...], limit: int, as_context: bool
) -> None:
    """Ask the layers of memory, in order, about a prompt.

    PROMPT is what a user asks; a single - reads it from standard input. The
    memory is asked first, then the notes of this session, the artifacts and the
    procedures; the first that answers ends it. A prompt that asks for nothing
    remembered is looked up nowhere.
    """
    prompt = text_of(words)
    with call.reading() as reader:
        asked = reader.ask(prompt, layers=named or None, session=call.session, limit=limit)
        call.answer(asked, layers.write_context if as_context else layers.write_asked)


class HarmlessCommand(click.Command):
    """A command that ends with 0 even if it was called in a way that it does not know.

    To an agent client, another code means that something is wrong with the prompt.
    """

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        """The context of a call; a usage error is told, and ends the call."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            error.show()
            raise Exit(0) from None


@click.command(cls=HarmlessCommand)
@home
@space
@click.option(
    "--limit-ms",
    type=click.IntRange(1, 600_000),
    default=3000,
    show_default=True,
    help="How long it may take at most, in milliseconds.",
)
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
    nothing remembered. Whatever goes wrong is told on standard error, with
    empty output and exit code 0.
    """
    from mnemolog.serve.prompt_hook import run_prompt_hook  # noqa: PLC0415 - not needed for --help

    run_prompt_hook(home, spaces[0] if spaces else "default", limit_ms, form)
