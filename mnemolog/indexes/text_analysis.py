"""Analysis of one memory's text for the index: what it is found by, tells and looks like."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mnemolog.indexes.periods import period_terms
from mnemolog.indexes.postings import named_in
from mnemolog.indexes.shapes import Shape, shape_of
from mnemolog.language.analysis import Analyzer
from mnemolog.language.entities import ENTITY_PREFIX, Relation, entities, relations
from mnemolog.language.told_times import day_number, told_times
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import MemoryContent


class TextAnalysis(msgspec.Struct, frozen=True):
    """What the index takes from a text: its words in order, and what it is found by.

    `terms` are repeated as in the text and lack those of `relations`; `names` are sorted, and
    `periods` are terms as well.
    """

    words: list[str]
    terms: list[str]
    names: Sequence[str]
    relations: tuple[Relation, ...]
    periods: list[str]
    shape: Shape


def analysis_of(
    content: MemoryContent, source: str | None, said_at: int, analyzer: Analyzer
) -> TextAnalysis:
    """The analysis of a memory's text with its aliases; `said_at` is in µs since 1970."""
    own = content.text
    text = "\n".join([own, *content.aliases]) if content.aliases else own
    words = analyzer.surface(text)
    stated = relations(own)
    names: Sequence[str] = entities(text, source)
    if stated:
        names = sorted({*names, *named_in(stated)})
    said = to_datetime(said_at)
    told = told_times(own, said)
    periods = period_terms(told, day_number(said)) if told else []
    marked = [ENTITY_PREFIX + name for name in names]
    terms = [*analyzer.stems(words), *analyzer.exact(text), *marked, *periods]
    return TextAnalysis(words, terms, names, stated, periods, shape_of(own, len(words), source))
