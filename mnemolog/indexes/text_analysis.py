"""Analysis of memories' texts for the index: what they are found by, tell and look like."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mnemolog.indexes.postings import named_in, period_terms
from mnemolog.indexes.shapes import Shape, shape_of
from mnemolog.language.analysis import Analyzer
from mnemolog.language.dates import may_name_dates
from mnemolog.language.entities import ENTITY_PREFIX, entities
from mnemolog.language.relations import Relation, relations
from mnemolog.language.told_times import day_number, told_times
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import MemoryContent
from mnemolog.projections.memory_queries import MemoryRow


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


def analyses_of(
    found: Sequence[tuple[MemoryRow, MemoryContent]], analyzer: Analyzer
) -> list[TextAnalysis]:
    """The analyses of memories' texts with their aliases."""
    # Step by step, not text by text: the patterns of one step stay in the processor's cache,
    # which makes all of it half again as fast.
    sources = [row.source for row, _ in found]
    own = [content.text for _, content in found]
    texts = ["\n".join([content.text, *content.aliases]) for _, content in found]
    words = list(map(analyzer.surface, texts))
    exact = list(map(analyzer.exact, texts))
    named = list(map(entities, texts, sources))
    stated = list(map(relations, own))
    periods = [
        _periods(content.text, row) if may_name_dates(content.text, words_of) else []
        for words_of, (row, content) in zip(words, found, strict=True)
    ]
    shapes = list(map(shape_of, own, map(len, words), sources))
    stems = analyzer.stems(words)
    analyses = []
    for words_of, stems_, exact_, named_, stated_, periods_, shape in zip(
        words, stems, exact, named, stated, periods, shapes, strict=True
    ):
        names = sorted({*named_, *named_in(stated_)}) if stated_ else named_
        marked = [ENTITY_PREFIX + name for name in names]
        terms = [*stems_, *exact_, *marked, *periods_]
        analyses.append(TextAnalysis(words_of, terms, names, stated_, periods_, shape))
    return analyses


def _periods(text: str, row: MemoryRow) -> list[str]:
    said = to_datetime(row.said_at)
    told = told_times(text, said)
    return period_terms(told, day_number(said)) if told else []
