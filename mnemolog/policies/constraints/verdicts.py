"""What is found of an option, and what is known of the names in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

Named = Literal["nothing", "attribute", "thing"]
"""What of a constraint an option names: the thing that is ruled out, or an attribute of which
another value is asked for."""

Verdict = Literal["violated", "suspected", "doubtful", "silent", "met"]
"""What an option does to one demand: `suspected` where it would violate it if that is about
the same, `doubtful` where it speaks of it, but not clearly."""


class Link(msgspec.Struct, frozen=True):
    """One step from a name to what it is: `satay IS_A peanut dish`.

    `evidence` is the log position that says so; None for what anybody knows.
    """

    source: str
    type: str
    target: str
    evidence: int | None = None


class Known(msgspec.Struct, frozen=True):
    """Something that a name is known to be, and the steps there."""

    name: str
    path: tuple[Link, ...]


class Knows(Protocol):
    """What is known of words and names."""

    def stem(self, word: str) -> str:
        """The term that a lowercase word comes to."""
        ...

    def kinds_of(self, name: str) -> Sequence[Known]:
        """What a lowercase name is known to be, directly or through others, nearest first."""
        ...


class Finding(msgspec.Struct, frozen=True):
    """What an option does to one demand of a constraint.

    `found` are the option's words, `why` is a sentence, `chain` what links the words to the thing
    that is ruled out. `severity` is 1 to 3. `named` is what of the constraint
    the option names.
    """

    verdict: Verdict
    found: str
    why: str
    severity: int
    chain: tuple[Link, ...] = ()
    named: Named = "nothing"
