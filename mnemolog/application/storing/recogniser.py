"""Recognition of constraints, standing instructions and lasting facts in memories to store.

The sentences of a whole batch are read at once: their words say which of them need a vector.
A text of several sentences is embedded as a whole, as it is indexed, and its sentences are judged
by what the model makes of them in passing. Only where that leaves doubt, a sentence is embedded on
its own: of those that may make a text last the likeliest first, and others if that one passes.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.application.home.settings import Settings
from mnemolog.indexes.embedder import Embedder, Span, embedded_parts, enriched
from mnemolog.language.lists import plain_letters
from mnemolog.ledger.errors import EmbedderUnavailable
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.policies.constraints import instructions, likeness, recognition
from mnemolog.policies.constraints.batch_likeness import WordShares, meaning, sentence_words
from mnemolog.policies.constraints.likeness import Floats, LikenessWeights
from mnemolog.policies.memories import NewMemory

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_SENTENCES = 100  # as many of a long text are read


class SentenceQuestion(NamedTuple):
    """Questions about a text; `embedded` is the text as it will be indexed."""

    text: str
    embedded: str
    constraint: bool
    instructs: bool
    lasting: bool


class Recognised(NamedTuple):
    """Constraint class, and whether a text instructs and lasts; nothing that was not asked."""

    constraint: str | None
    instructs: bool
    lasting: bool


def asked_of(
    item: NewMemory, parts: tuple[Remembered, MemoryContent], settings: Settings
) -> SentenceQuestion:
    """Questions that settings and caller leave to recognition; `parts` are those of its event."""
    structure, content = parts
    reads = settings.recognise_constraints
    # An instruction is shown with every prompt: a web page must not get there by itself.
    trusted = structure.source_type in {"user_stated", "inferred"}
    return SentenceQuestion(
        content.text,
        enriched(content.text, structure.place, structure.category),
        constraint=reads and structure.constraint is None,
        instructs=reads and trusted and "instructs" not in structure.marks,
        lasting=reads_lasting(item, settings) and not surely_lasts(structure),
    )


def reads_lasting(item: NewMemory, settings: Settings) -> bool:
    """True if it is left to recognition whether a memory lasts."""
    return settings.recognise_lasting and item.lasting is None


def surely_lasts(structure: Remembered) -> bool:
    """True if a memory lasts by its category or constraint, whatever its text says."""
    return (
        structure.category in likeness.LASTING_CATEGORIES
        or structure.constraint in likeness.LASTING_CONSTRAINTS
    )


def with_recognised(structure: Remembered, found: Recognised) -> Remembered:
    """Structure with the class of its constraint, and marked if it instructs the agent."""
    if found.constraint is not None:
        structure = replace(structure, constraint=found.constraint)
    if found.instructs:
        structure = replace(structure, marks=(*structure.marks, "instructs"))
    return structure


def recognise(asked: Sequence[SentenceQuestion], embedder: Embedder) -> list[Recognised]:
    """Recognised constraints, instructions and lasting facts of each text, in order.

    Rules and words alone decide for any embedder but the built-in one, for an overlong text, and
    if the embedder is unavailable. Equal questions are asked once.
    """
    distinct = [*dict.fromkeys(asked)]
    found = dict(zip(distinct, _recognised(distinct, embedder), strict=True))
    return [found[one] for one in asked]


def _recognised(asked: Sequence[SentenceQuestion], embedder: Embedder) -> list[Recognised]:
    texts = [
        recognition.clause_texts(one.text)[:_SENTENCES] if any(one[2:]) else [] for one in asked
    ]
    fits = embedder.name == likeness.FITTED_TO
    fitting = [fits and len(one.text) <= recognition.LONGEST for one in asked]
    classes, lasting, instructs = _SentenceBatch(asked, texts, fitting, embedder).read()
    found = []
    for place, one in enumerate(asked):
        constraint = recognition.gravest(classes[place])
        if one.constraint and not fitting[place]:
            constraint = recognition.constraint_class(one.text)
        lasts = constraint in likeness.LASTING_CONSTRAINTS or place in lasting or place in instructs
        found.append(
            Recognised(constraint, one.instructs and place in instructs, one.lasting and lasts)
        )
    return found


class _Read(NamedTuple):
    """Classes of the constraints of each text, and the texts that last and that instruct."""

    classes: list[list[str]]
    lasting: set[int]
    instructs: set[int]


class _Kind(NamedTuple):
    """A kind of statement: shares of words, weights, and the likeness over which it is told."""

    words: WordShares
    weights: LikenessWeights
    threshold: float


class _SentenceBatch:
    """Sentences of texts, and what their words say: arrays have one value a sentence."""

    def __init__(
        self,
        asked: Sequence[SentenceQuestion],
        texts: Sequence[Sequence[str]],
        fitting: Sequence[bool],
        embedder: Embedder,
    ) -> None:
        """Read the words of all sentences; those of `fitting` texts may need a vector."""
        self._embedder = embedder
        self._sentences = [*chain.from_iterable(texts)]
        self._asked = asked
        self._texts = [one.embedded for one in asked]
        self._lengths = np.array([*map(len, texts)], np.intp)
        self._owners = np.repeat(np.arange(len(texts)), self._lengths)
        # A single sentence shares the vector under which the memory will be indexed.
        embedded = (
            [whole] if len(text) == 1 else text
            for whole, text in zip(self._texts, texts, strict=True)
        )
        self._embedded = [*chain.from_iterable(embedded)]
        self._fits = self._of_texts(fitting)
        words = sentence_words(self._sentences)
        self._limits = _Kind(words.limits, likeness.fitted_weights(), likeness.LIMITS)
        self._lasting = _Kind(words.lasting, likeness.lasting_weights(), likeness.LASTS)
        self._instructing = _Kind(
            words.instructions, instructions.instruction_weights(), instructions.INSTRUCTS
        )
        states = np.array([not one.endswith("?") for one in self._sentences], np.bool_)
        self._asks_lasting = states & self._of_texts([one.lasting for one in asked])
        self._asks_instructs = states & self._of_texts(
            [one.instructs or one.lasting for one in asked]
        )
        limits = self._fits & self._of_texts([one.constraint for one in asked])
        self._ruled = [
            recognition.constraint_class(one) if asks else None
            for one, asks in zip(self._sentences, limits, strict=True)
        ]
        likely = limits & states & (self._limits.words.alone > likeness.MAY_LIMIT)
        self._may_limit = np.array(
            [
                ruled is not None or (may and not recognition.denies_danger(one))
                for one, ruled, may in zip(self._sentences, self._ruled, likely, strict=True)
            ],
            np.bool_,
        )
        self._vectors = np.zeros((0, embedder.dimensions), np.float32)
        self._rows: dict[str, int] = {}
        self._passing = np.zeros((len(self._sentences), embedder.dimensions), np.float32)

    def read(self) -> _Read:
        """Statements of all texts; without an embedder, words alone decide."""
        # Memories are stored without vectors; the next question reports the problem.
        with suppress(EmbedderUnavailable):
            return self._read_by_vectors()
        everything = np.ones(len(self._sentences), np.bool_)
        lasting, instructs = self._by_words(everything)
        return _Read(self._by_text(self._ruled), self._having(lasting), self._having(instructs))

    def _read_by_vectors(self) -> _Read:
        lasting, instructs = self._by_words(~self._fits)
        lasting |= self._asks_lasting & (self._lasting.words.alone > likeness.SURELY_LASTS)
        may_instruct = self._instructing.words.alone > instructions.MAY_INSTRUCT
        may_instruct &= self._asks_instructs & self._fits
        may_last = self._lasting.words.alone > likeness.MAY_LAST
        may_last &= self._asks_lasting & self._fits & ~self._beside(lasting)
        several = self._of_texts(self._lengths > 1)
        self._read_in_passing(several & (self._may_limit | may_instruct | may_last))
        # The class of a constraint takes the sentence's own vector, however sure it is.
        ruled = np.array([one is not None for one in self._ruled], np.bool_)
        surely_limit, may_limit = self._in_passing(self._limits, self._may_limit & ~ruled)
        self._may_limit &= surely_limit | may_limit | ruled
        surely_instruct, may_instruct = self._in_passing(self._instructing, may_instruct)
        instructs |= surely_instruct
        asked = self._may_limit | may_instruct | (may_last & ~several)
        self._embed([self._embedded[place] for place in np.flatnonzero(asked)])
        instructs |= self._states(self._instructing, may_instruct)
        lasting |= self._states(self._lasting, may_last & ~several)
        near = self._likeness_of_texts(np.unique(self._owners[may_last & several]))
        lasting |= several & self._of_texts(near > likeness.TEXT_LASTS)
        doubtful = may_last & several & self._of_texts(near > likeness.TEXT_PASSES)
        surely_last, doubtful = self._in_passing(self._lasting, doubtful)
        lasting |= surely_last
        doubtful &= ~self._beside(lasting | instructs)
        first = self._likeliest(doubtful)
        lasting |= self._states(self._lasting, first)
        lasting |= self._states(self._lasting, doubtful & ~first & ~self._beside(lasting))
        return _Read(self._classes(), self._having(lasting), self._having(instructs))

    def _by_words(self, sentences: Flags) -> tuple[Flags, Flags]:
        """Flags of the sentences that last, and of those that instruct, by words alone."""
        lasting = self._lasting.words.alone > likeness.LASTS_BY_WORDS
        instructs = self._instructing.words.alone > instructions.INSTRUCTS_BY_WORDS
        return (
            sentences & self._asks_lasting & lasting,
            sentences & self._asks_instructs & instructs,
        )

    def _in_passing(self, kind: _Kind, sentences: Flags) -> tuple[Flags, Flags]:
        """Those of some sentences that surely are of a kind, and those that may be.

        A sentence that was not read in passing may be.
        """
        surely, perhaps = np.zeros_like(sentences), sentences.copy()
        read = np.flatnonzero(sentences & self._passing.any(axis=1))
        over = self._near(kind, read, self._passing[read])[:, 0] - kind.threshold
        surely[read] = over > likeness.FAR_OVER
        perhaps[read] = (over >= likeness.FAR_UNDER) & ~surely[read]
        return surely, perhaps

    def _states(self, kind: _Kind, sentences: Flags) -> Flags:
        """Those of some sentences that are of a kind by their own vectors."""
        found, places = np.zeros_like(sentences), np.flatnonzero(sentences)
        found[places] = self._own_near(kind, places)[:, 0] > kind.threshold
        return found

    def _classes(self) -> list[list[str]]:
        found, places = [*self._ruled], np.flatnonzero(self._may_limit)
        for place, near in zip(places, self._own_near(self._limits, places), strict=True):
            states = found[place] is not None or near[0] > self._limits.threshold
            classes = self._limits.weights.classes
            found[place] = classes[int(np.argmax(near[1:]))] if states else None
        return self._by_text(found)

    def _own_near(self, kind: _Kind, places: Places) -> Floats:
        vectors = self._vectors_of([self._embedded[place] for place in places])
        return self._near(kind, places, vectors)

    def _near(self, kind: _Kind, places: Places, vectors: Floats) -> Floats:
        """Likeness of sentences, of which these are vectors, to a kind: a row a sentence."""
        beside = kind.words.beside[places]
        # Another embedder's vectors, of which there are none, may have other dimensions.
        return beside + meaning(vectors, kind.weights) if len(places) else beside

    def _likeness_of_texts(self, places: Places) -> Floats:
        """Likeness of whole texts to lasting facts, -inf of all but some: shape (texts,)."""
        found = np.full(len(self._texts), -np.inf, np.float32)
        if len(places):
            vectors = self._vectors_of([self._texts[place] for place in places])
            beside = self._lasting.words.beside[:, 0]
            sums = np.bincount(self._owners, beside, len(self._texts))[places]
            lengths = self._lengths[places]
            near = meaning(vectors, self._lasting.weights)[:, 0] + sums / lengths
            found[places] = near + likeness.DILUTION * np.log(lengths)
        return found

    def _read_in_passing(self, sentences: Flags) -> None:
        """Embed the texts of some sentences, and these as the model reads them there."""
        places = np.unique(self._owners[sentences])
        if not len(places):
            return
        parts = [[*compress(*self._spans_of(place, sentences))] for place in places]
        texts = [self._texts[place] for place in places]
        vectors, self._passing[sentences] = embedded_parts(self._embedder, texts, parts)
        self._add(texts, vectors)

    def _spans_of(self, place: int, sentences: Flags) -> tuple[list[Span], Flags]:
        """Spans of all sentences of a text in what is embedded of it, and which of them count."""
        text, embedded, *_ = self._asked[place]
        plain, header = plain_letters(text), len(embedded) - len(text)
        those = slice(*self._owners.searchsorted([place, place + 1]))
        spans, end = [], 0
        for sentence in self._sentences[those]:
            begin = plain.index(sentence, end)
            end = begin + len(sentence)
            spans.append((header + begin, header + end))
        return spans, sentences[those]

    def _vectors_of(self, texts: Sequence[str]) -> Floats:
        self._embed(texts)
        return self._vectors[[self._rows[text] for text in texts]]

    def _embed(self, texts: Sequence[str]) -> None:
        """Embed those of some texts that have no vector yet, once each."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if new:
            self._add(new, self._embedder.embed(new))

    def _add(self, texts: Sequence[str], vectors: Floats) -> None:
        self._rows |= {text: row for row, text in enumerate(texts, len(self._vectors))}
        self._vectors = np.concatenate([self._vectors, vectors])

    def _likeliest(self, sentences: Flags) -> Flags:
        """The sentence of each text, among some, that lasts most likely by its words."""
        likely = np.where(sentences, self._lasting.words.alone, -np.inf)
        best = np.full(len(self._texts), -np.inf)
        np.maximum.at(best, self._owners, likely)
        found: Flags = sentences & (likely == best[self._owners])
        return found

    def _of_texts(self, values: Sequence[bool] | Flags) -> Flags:
        return np.asarray(values, np.bool_)[self._owners]

    def _beside(self, sentences: Flags) -> Flags:
        """All sentences of the texts that have one of these."""
        having = np.zeros(len(self._texts), np.bool_)
        having[self._owners[sentences]] = True
        return self._of_texts(having)

    def _having(self, sentences: Flags) -> set[int]:
        return {*self._owners[sentences].tolist()}

    def _by_text(self, found: Sequence[str | None]) -> list[list[str]]:
        classes: list[list[str]] = [[] for _ in self._texts]
        for owner, one in zip(self._owners, found, strict=True):
            if one is not None:
                classes[owner].append(one)
        return classes
