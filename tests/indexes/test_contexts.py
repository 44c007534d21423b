"""Contexts: codes of vectors, and how near a query is to them."""

from __future__ import annotations

import numpy as np
import pytest

from mnemolog.indexes.lessons import alike, code_of, code_words
from tests.homes import BagOfWords
from tests.seeds import SEED


def _codes(vectors: np.ndarray) -> np.ndarray:
    return np.stack([np.frombuffer(code_of(vector), np.uint64) for vector in vectors])


def _units(count: int, dimensions: int) -> np.ndarray:
    vectors = np.random.default_rng(int(SEED)).normal(size=(count, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("dimensions", [5, 64, 100, 384, 1024])
def test_a_code_knows_its_own_vector(dimensions: int) -> None:
    """Of its own vector the cosine is 1, and random others are not alike."""
    vectors = _units(20, dimensions)
    codes = _codes(vectors)
    assert codes.shape == (20, code_words(dimensions))
    for place, vector in enumerate(vectors):
        found, cosines = alike(vector, codes)
        assert cosines[found.tolist().index(place)] == pytest.approx(1.0)


def test_a_cosine_is_told_from_few_bits() -> None:
    """The error is a few hundredths, over all cosines that count."""
    one, *others = _units(200, 384)
    errors = []
    for share in (0.05, 0.15, 0.25):
        for other in others:
            mixed = (1 - share) * one + share * other
            mixed /= np.linalg.norm(mixed)
            _, (cosine,) = alike(mixed.astype(np.float32), _codes(one[np.newaxis]))
            errors.append(cosine - float(mixed @ one))
    assert abs(np.mean(errors)) < 0.02
    assert np.std(errors) < 0.03


def test_vectors_of_few_numbers_are_told_apart() -> None:
    """An embedder whose vectors are mostly 0 is served as well: the rotation spreads them."""
    texts = [f"word{number} thing{number} place{number}" for number in range(60)]
    vectors = BagOfWords().embed(texts)
    codes = _codes(vectors)
    exact = vectors @ vectors.T
    for place, vector in enumerate(vectors):
        for found, cosine in zip(*alike(vector, codes), strict=True):
            assert abs(cosine - exact[place, found]) < 0.35
        assert place in alike(vector, codes)[0]
