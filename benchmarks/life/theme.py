"""What a theme of a made-up life is, and how its values are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec

from benchmarks.life import words
from mnemolog.ledger.events import Importance, MemoryKind, Volatility

Draw = Callable[[random.Random], str]


def one(choices: Sequence[str]) -> Draw:
    """One of these."""
    return lambda chance: chance.choice(choices)


def number(least: int, most: int) -> Draw:
    """A whole number."""
    return lambda chance: str(chance.randint(least, most))


def date(chance: random.Random) -> str:
    """A day of a year."""
    return f"{chance.randint(1, 28)} {chance.choice(words.MONTHS)}"


def hour(chance: random.Random) -> str:
    """A time of the day, at a quarter."""
    return f"{chance.randint(7, 20)}:{chance.choice(('00', '15', '30', '45'))}"


def person(chance: random.Random) -> str:
    """Somebody's whole name."""
    return f"{chance.choice(words.FIRST)} {chance.choice(words.LAST)}"


def finding(chance: random.Random) -> str:
    """What was found out about something."""
    return chance.choice(words.FINDINGS).format(n=chance.randint(2, 90))


class Theme(msgspec.Struct, frozen=True):
    """One thing that can be known: its wordings, in which {s} is the subject, and how it is filed.

    `values` draw what is said; those named in `asked` belong to the question and stay
    when the fact changes. `corrections` are sentences that correct it.
    """

    name: str
    statements: tuple[str, ...]
    questions: tuple[str, ...]
    values: dict[str, Draw]
    asked: frozenset[str] = frozenset()
    corrections: tuple[str, ...] = ()
    kind: MemoryKind = "semantic"
    category: str | None = None
    importance: Importance = "medium"
    volatility: Volatility = "stable"
