"""Index state of one space: its memories by ordinal, in every form.

A memory's ordinal is its place in the order of positions, redacted ones left out.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mnemolog.indexes.bases import Base
from mnemolog.indexes.columns import Columns
from mnemolog.indexes.embedder import enriched
from mnemolog.indexes.graph import EdgeIndex
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.indexes.near_words import NearWord, WordIndex, meant_words
from mnemolog.indexes.postings import (
    NO_ARRAYS,
    NO_SHAPES,
    Mentions,
    PostingArrays,
    Postings,
    Shapes,
    Statements,
    named_in,
    shape_of,
)
from mnemolog.indexes.strengths import StrengthIndex, WeightIndex
from mnemolog.indexes.vectors import VectorIndex
from mnemolog.language.analysis import Analyzer
from mnemolog.language.names.entities import entities, entity_terms
from mnemolog.language.names.stated_relations import relations
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import MemoryRow


class State:
    """A space's memories up to a position, by ordinal: columns, postings, vectors, words, names.

    Its edges, strengths and weights as well, and what was learned of it.
    """

    def __init__(self, dimensions: int, base: Base | None) -> None:
        if base is None:
            vectors = np.zeros((0, dimensions), np.float16)
            base = Base(np.zeros(0, np.int64), vectors, NO_SHAPES, NO_ARRAYS, {})
        self.columns = Columns()
        self.edges = EdgeIndex()
        self.strengths = StrengthIndex()
        self.weights = WeightIndex()
        self.lessons = LessonIndex(dimensions)
        self.vectors = VectorIndex(dimensions)
        self.vectors.extend(base.vectors)
        self.vectors.graph = base.graph
        self.shapes = Shapes(base.shapes)
        self.based = len(base.positions)
        self.replace_postings(base.postings, self.based)
        self.first_seen = dict(base.first_seen)
        self.base_words = base.words
        self.tail_words = WordIndex()
        self.waiting: list[tuple[Position, str]] = []
        """The last memories' positions and enriched texts, where they are not embedded yet."""
        self.reached = Position(0)
        """Up to where memories are in it."""
        self.purged = Position(0)
        """Up to where what was redacted is out of it; later where a damaged log was cut short."""
        self.digest: bytes | None = None
        self.generation: str | None = None

    def replace_postings(self, arrays: PostingArrays, size: int) -> None:
        """Take arrays over the first `size` memories in the place of all postings."""
        self.postings = Postings(arrays)
        self.mentions = Mentions(arrays, size)
        self.relations = Statements(arrays.terms)

    def meant(self, word: str, size: int) -> list[NearWord]:
        """The words that a cue's word, found in none of the first `size` memories, may mean."""
        indexes = [index for index in (self.base_words, self.tail_words) if index is not None]
        return meant_words(word, indexes, size)

    def add(
        self,
        rows: Sequence[MemoryRow],
        contents: Mapping[Position, MemoryContent],
        analyzer: Analyzer,
    ) -> None:
        """Add memories that have content; one whose content went just now is left out."""
        rows = [row for row in rows if row.memory in contents]
        shapes = []
        names: list[Sequence[str]] = []
        first = len(self.shapes)
        for ordinal, row in enumerate(rows, first):
            content = contents[row.memory]
            text = "\n".join([content.text, *content.aliases])
            words = analyzer.surface(text)
            stated = relations(content.text)
            named = entities(text, row.source)
            names.append(sorted({*named, *named_in(stated)}) if stated else named)
            drawn = [*entity_terms(names[-1]), *self.relations.add(stated)]
            self.postings.add(ordinal, [*map(analyzer.stem, words), *analyzer.exact(text), *drawn])
            shapes.append(shape_of(content.text, len(words), row.source))
            fresh = dict.fromkeys(sorted(set(words).difference(self.first_seen)), ordinal)
            self.first_seen |= fresh
            self.tail_words.add(fresh.items())
            self.waiting.append((row.memory, enriched(content.text, row.place, row.category)))
        self.shapes.add(shapes)
        self.mentions.add(first, names)
        self.track(rows)

    def track(self, rows: Sequence[MemoryRow]) -> None:
        """Add what filters and strengths go by, of memories that the rest holds already."""
        self.strengths.add(rows)
        # Last: readers in other threads go by the columns' size.
        self.columns.add(rows)

    def frozen(self) -> Base:
        """All of it as a base; postings are arrays from then on."""
        size = len(self.columns)
        postings = self.postings.frozen(size)
        # Arrays answer faster than the lists of a tail; questions under way keep the old ones.
        self.replace_postings(postings, size)
        return Base(
            self.columns.positions(np.arange(size)),
            self.vectors.vectors[:size].astype(np.float16),
            self.shapes.frozen(size),
            postings,
            dict(self.first_seen),
            self.vectors.graph,
        )
