"""What the layers say to a prompt, as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.cli.output import Row, write_line, write_table

if TYPE_CHECKING:
    from mnemolog import Asked, Checked, Passage

NOT_RECALL = "This asks for nothing remembered: nothing was looked up. --layer looks all the same."


def write_asked(asked: Asked) -> None:
    """The sentences, the passages of the layer that answered, and what was checked."""
    if asked.layer is None:
        write_line(NOT_RECALL)
    for sentence in asked.said:
        write_line(sentence)
    if asked.passages:
        write_table(("relevance", "from", "text"), [_row(passage) for passage in asked.passages])
    write_line("looked at: " + ", ".join(_told(checked) for checked in asked.layers_checked))


def write_context(asked: Asked) -> None:
    """The text to put before the prompt, and nothing else."""
    if asked.context:
        write_line(asked.context)


def _row(passage: Passage) -> Row:
    title = "" if passage.title is None else f"{passage.title}: "
    below = () if passage.note is None else (passage.note,)
    source = passage.source or passage.layer
    return Row((f"{passage.relevance:.2f}", source, title + passage.text), below)


def _told(checked: Checked) -> str:
    note = "" if checked.note is None else f" ({checked.note})"
    return f"{checked.layer} {checked.outcome}{note}"
