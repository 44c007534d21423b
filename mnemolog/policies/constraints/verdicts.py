"""Verdicts on an option, and findings that give their reasons."""

from __future__ import annotations

from typing import Literal

import msgspec

from mnemolog.language.names.kinds import Link

Named = Literal["nothing", "attribute", "thing"]
"""Part of a constraint that an option names: the thing ruled out, or an attribute of which
another value is asked for."""

Verdict = Literal["violated", "suspected", "doubtful", "silent", "met"]
"""Verdict on one demand: `suspected` where the option would violate it if that is about
the same, `doubtful` where it speaks of it, but not clearly."""


class OptionFinding(msgspec.Struct, frozen=True):
    """Finding on what an option does to one demand of a constraint.

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
