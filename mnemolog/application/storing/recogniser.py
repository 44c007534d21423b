"""Recognition of constraints, standing instructions and lasting facts in memories to store.

The sentences of a whole batch are read at once: their words say which of them need a vector, and
these are embedded by one call. A text of a single sentence shares the vector that it is indexed by.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.application.home.settings import Settings
from mnemolog.indexes.embedder import Embedder, enriched
from mnemolog.ledger.errors import EmbedderUnavailable
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.policies.constraints import instructions, likeness, recognition
from mnemolog.policies.constraints.batch_likeness import WordShares, meaning, sentence_words
from mnemolog.policies.constraints.likeness import Floats, LikenessWeights
from mnemolog.policies.memories import NewMemory

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_SENTENCES = 100  # as many of a long text are read


class Asked(NamedTuple):
    """What is asked of a text; `embedded` is the text as it will be indexed."""

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


def asked_of(item: NewMemory, parts: tuple[Remembered, MemoryContent], settings: Settings) -> Asked:
    """What the settings and the caller leave to recognition; `parts` are those of its event."""
    structure, content = parts
    reads = settings.recognise_constraints
    # An instruction is shown with every prompt: a web page must not get there by itself.
    trusted = structure.source_type in {"user_stated", "inferred"}
    return Asked(
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


def recognise(asked: Sequence[Asked], embedder: Embedder) -> list[Recognised]:
    """What is recognised in each of some texts, in order.

    Rules and words alone decide for any embedder but the built-in one, for an overlong text, and
    if the embedder is unavailable.
    """
    texts = [
        recognition.clause_texts(one.text)[:_SENTENCES] if any(one[2:]) else [] for one in asked
    ]
    fits = embedder.name == likeness.FITTED_TO
    fitting = [fits and len(one.text) <= recognition.LONGEST for one in asked]
    batch = _Batch(asked, texts, fitting)
    batch.embed(embedder)
    classes, lasting, instructs = batch.classes(), batch.lasting(), batch.instructs()
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


class _Batch:
    """Sentences of texts, and what their words say: arrays have one value a sentence."""

    def __init__(
        self, asked: Sequence[Asked], texts: Sequence[Sequence[str]], fitting: Sequence[bool]
    ) -> None:
        """Read the words of all sentences; those of `fitting` texts may need a vector."""
        self._sentences = [*chain.from_iterable(texts)]
        self._owners = np.repeat(np.arange(len(texts)), [*map(len, texts)])
        # A single sentence shares the vector under which the memory will be indexed.
        embedded = (
            [one.embedded] if len(text) == 1 else text
            for one, text in zip(asked, texts, strict=True)
        )
        self._embedded = [*chain.from_iterable(embedded)]
        self._texts = len(texts)
        self._fits = self._of_texts(fitting)
        self._words = sentence_words(self._sentences)
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
        likely = limits & states & (self._words.limits.alone > likeness.MAY_LIMIT)
        self._may_limit = np.array(
            [
                ruled is not None or (may and not recognition.denies_danger(one))
                for one, ruled, may in zip(self._sentences, self._ruled, likely, strict=True)
            ],
            np.bool_,
        )
        self._may_last = self._asks_lasting & self._fits
        self._may_last &= self._words.lasting.alone > likeness.MAY_LAST
        self._may_instruct = self._asks_instructs & self._fits
        self._may_instruct &= self._words.instructions.alone > instructions.MAY_INSTRUCT
        self._vectors: Floats | None = None

    def _of_texts(self, values: Sequence[bool]) -> Flags:
        return np.array(values, np.bool_)[self._owners]

    def embed(self, embedder: Embedder) -> None:
        """Embed the sentences whose words do not decide; without an embedder, words alone do."""
        places = np.flatnonzero(self._may_limit | self._may_last | self._may_instruct)
        texts = [self._embedded[place] for place in places]
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._rows = np.zeros(len(self._sentences), np.intp)
        self._rows[places] = [rows[text] for text in texts]
        # Memories are stored without vectors; the next question reports the problem.
        with suppress(EmbedderUnavailable):
            self._vectors = embedder.embed([*rows]) if rows else None

    def classes(self) -> list[list[str]]:
        """Classes of the constraints that the sentences of each text state."""
        found = [*self._ruled]
        if self._vectors is not None:
            weights = likeness.fitted_weights()
            places = np.flatnonzero(self._may_limit)
            likely = self._likeness(self._vectors, places, self._words.limits, weights)
            for place, near in zip(places, likely, strict=True):
                states = found[place] is not None or near[0] > likeness.LIMITS
                found[place] = weights.classes[int(np.argmax(near[1:]))] if states else None
        classes: list[list[str]] = [[] for _ in range(self._texts)]
        for owner, one in zip(self._owners, found, strict=True):
            if one is not None:
                classes[owner].append(one)
        return classes

    def lasting(self) -> set[int]:
        """Texts with a sentence that states a lasting fact."""
        words, weights = self._words.lasting, likeness.lasting_weights()
        by_words = self._asks_lasting & (words.alone > likeness.LASTS_BY_WORDS)
        return self._decided(self._may_last, by_words, words, weights, likeness.LASTS)

    def instructs(self) -> set[int]:
        """Texts with a sentence that is a standing instruction."""
        words, weights = self._words.instructions, instructions.instruction_weights()
        by_words = self._asks_instructs & (words.alone > instructions.INSTRUCTS_BY_WORDS)
        return self._decided(self._may_instruct, by_words, words, weights, instructions.INSTRUCTS)

    def _decided(
        self, may: Flags, by_words: Flags, words: WordShares, weights: LikenessWeights, over: float
    ) -> set[int]:
        """Texts with a sentence over a threshold, by words alone where vectors do not fit."""
        found = by_words
        if self._vectors is not None:
            found = by_words & ~self._fits
            places = np.flatnonzero(may)
            found[places] = self._likeness(self._vectors, places, words, weights)[:, 0] > over
        return {*self._owners[found].tolist()}

    def _likeness(
        self, vectors: Floats, places: Places, words: WordShares, weights: LikenessWeights
    ) -> Floats:
        near = meaning(vectors[self._rows[places]], weights)
        return near + words.beside[places]
