"""Whether what is about to be stored states a constraint, by rules and by likeness."""

from __future__ import annotations

from indexes.embedder import Embedder
from indexes.enrichment import enriched
from ledger.errors import EmbedderUnavailable
from ledger.events import MemoryContent, Remembered
from policies.limits.classes import LONGEST, constraint_class, gravest, sentences
from policies.limits.likeness import FITTED_TO, fitted_weights, likely_class, may_limit


def recognised_class(
    structure: Remembered, content: MemoryContent, embedder: Embedder
) -> str | None:
    """The class of the constraint that a memory states; None if it states none.

    By rules alone where the embedder is another than the built-in one, or cannot
    be had. A sentence is embedded only where its words leave it open.
    """
    text = content.text
    if embedder.name != FITTED_TO or len(text) > LONGEST:
        return constraint_class(text)
    said = sentences(text)
    if len(said) != 1:
        return gravest(_class_of(each, each, embedder) for each in said)
    # The vector of one sentence alone is the one under which the memory will be indexed.
    return _class_of(said[0], enriched(text, structure.place, structure.category), embedder)


def _class_of(sentence: str, embedded: str, embedder: Embedder) -> str | None:
    weights = fitted_weights()
    ruled = constraint_class(sentence)
    if ruled is None and (sentence.endswith("?") or not may_limit(sentence, weights)):
        return None
    try:
        (vector,) = embedder.embed([embedded])
    except EmbedderUnavailable:
        # What is stored is kept all the same; the next question tells what is wrong.
        return ruled
    return likely_class(sentence, vector, ruled, weights)
