"""Asking a person before a tick that would let much fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.cli.confirming import shown_and_agreed
from mnemolog.cli.output import one_line

if TYPE_CHECKING:
    from mnemolog import CatchUp, CatchUpNotConfirmed
    from mnemolog.cli.call import Call


def agreed(call: Call, asked: CatchUp | CatchUpNotConfirmed, *heading: str) -> bool:
    """Agreement of a person to a catch-up, shown what it would do; see `shown_and_agreed`."""
    return shown_and_agreed(call, [*heading, *_described(asked)], "let them fall?")


def _described(asked: CatchUp | CatchUpNotConfirmed) -> list[str]:
    lines = []
    if asked.doubt is not None:
        lines.append(f"{asked.doubt}: check that the clock is right")
    for tier, count in asked.falls.items():
        lost = ", which destroys their text" if tier == "deleted" else ""
        memories = "1 memory" if count == 1 else f"{count:,} memories"
        lines.append(f"{memories} would fall to {tier}{lost}")
    lines += [f"  to {tier}: {one_line(text or '(redacted)')}" for _, tier, text in asked.examples]
    return lines
