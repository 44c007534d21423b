"""A judge of plain sentences, for tests of what is done with what a judge says."""

from __future__ import annotations

import re

from mnemolog import Contradiction, Statement
from mnemolog.ledger.events import ConflictType

_SAYS = re.compile(r"the (\w+) (?:of \w+ )?is (\w+)", re.IGNORECASE)


def _said(
    type_: ConflictType, attribute: str, reason: str, condition: str | None = None
) -> Contradiction:
    return Contradiction(
        type=type_,
        severity="major",
        attribute=attribute,
        time_sensitive=attribute == "home",
        condition=condition,
        reason=reason,
    )


KINDS: dict[str, Contradiction] = {
    "home": _said("value", "home", "The homes differ."),
    "birthday": _said("value", "birthday", "The birthdays differ."),
    "truth": _said("direct", "truth", "One denies the other."),
    "diet": _said("value", "diet", "The diets differ.", "at work"),
}


class PlainJudge:
    """Two sentences 'the KEY is VALUE' contradict each other where their values differ."""

    name = "plain"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """What the key stands for in `KINDS`."""
        self.asked.append((new.text, old.text))
        ours, theirs = _SAYS.search(new.text), _SAYS.search(old.text)
        if ours is None or theirs is None or ours[1].lower() != theirs[1].lower():
            return None
        return None if ours[2] == theirs[2] else KINDS.get(ours[1].lower())


class ReadingJudge(PlainJudge):
    """The same, telling beforehand which texts state something."""

    def reads(self, text: str) -> bool:
        """Whether a text is such a sentence."""
        return _SAYS.search(text) is not None
