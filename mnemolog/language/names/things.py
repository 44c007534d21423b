"""Comparison keys of things' names: without case, article and plural."""

from __future__ import annotations

import re

from mnemolog.language.morphology import singular
from mnemolog.language.names.entities import normalised

ARTICLE = re.compile(
    r"\A(?:an?|the|my|our|your|his|her|their|its|this|that|some|all|any) ", re.IGNORECASE
)


def thing_name(name: str) -> str:
    """Comparison key of a thing's name: casefolded, singular, without article and possessive.

    A capitalised last word keeps its s: `James` is no plural.
    """
    name = ARTICLE.sub("", " ".join(name.split()), count=1)
    folded = normalised(name)
    if name.rpartition(" ")[2][:1].isupper():
        return folded
    first, blank, last = folded.rpartition(" ")
    return f"{first}{blank}{singular(last)}"
