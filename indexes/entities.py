"""Names and simple relations drawn from a text by rule: a function of the text, like its stems."""

from __future__ import annotations

import msgspec


class Relation(msgspec.Struct, frozen=True, order=True):
    """That a text says of one thing to another: `almond` `IS_A` `nut`."""

    source: str
    type: str
    target: str


def entities(text: str, source: str | None = None) -> tuple[str, ...]:
    """The names in a text, normalised, each once, sorted."""
    del text, source
    return ()


def relations(text: str) -> tuple[Relation, ...]:
    """The relations that a text states, each once, in order."""
    del text
    return ()


def thing_name(name: str) -> str:
    """A thing's name as it is compared: casefolded, without article and possessive, singular.

    A last word written with a capital keeps its s: `James` is no plural.
    """
    return " ".join(name.casefold().split())
