"""Vectors that follow from texts, and the measure of a large space."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.million import SHAPES, HashedVectors, built, exact_top, measure, near_cues
from benchmarks.recalling import opened
from benchmarks.talk import Language

TEXTS = [f"text {number}" for number in range(1_000)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_text_has_one_vector(shape: str) -> None:
    """A unit vector of the text alone, whatever stands in the same batch or in its header."""
    vectors = HashedVectors(shape).embed(TEXTS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(HashedVectors(shape).embed(["a room\ntext 7", TEXTS[3]]), vectors[[7, 3]])


def test_random_vectors_lie_in_all_directions() -> None:
    """Cosines between them have the mean and the spread of independent directions."""
    vectors = HashedVectors("random").embed(TEXTS)
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    assert abs(cosines.mean()) < 0.001
    assert cosines.std() == pytest.approx(384**-0.5, rel=0.02)


def test_clustered_vectors_lie_about_centres() -> None:
    """Two texts of one centre have a cosine of about 0.5, the square of that to the centre."""
    vectors = HashedVectors("clustered").embed(TEXTS)
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    same = cosines[cosines > 0.3]
    # 1,000 texts in 2,000 clusters: 250 pairs share one.
    assert 150 < len(same) < 350
    assert same.mean() == pytest.approx(0.49, abs=0.02)


def test_the_exact_scan_finds_the_nearest_over_all_batches() -> None:
    """The ten nearest of a scan in parts are those of one product."""
    vectors = HashedVectors("random").embed(TEXTS)
    found = exact_top(vectors[:5], iter(np.split(vectors, 4)))
    whole = np.argsort(-(vectors[:5] @ vectors.T), axis=1)[:, :10]
    assert np.array_equal(np.sort(found, axis=1), np.sort(whole, axis=1))


def test_near_cues_are_near_a_memory() -> None:
    """The nearest memory of such a cue is the one that its words are from."""
    language, embedder = Language(), HashedVectors("clustered")
    texts = [said.text for number in range(2) for said in language.talk(number)]
    vectors = embedder.embed(texts)
    for words, vector in near_cues(language, embedder, 200):
        nearest = int(np.argmax(vectors @ vector))
        assert texts[nearest].startswith(words)
        assert float(vectors[nearest] @ vector) == pytest.approx(0.9, abs=0.05)


def test_a_small_run_agrees_with_the_exact_scan(tmp_path: Path) -> None:
    """The whole measure over a few memories: what it finds by meaning is what is nearest."""
    figures = {one.name: one for one in measure(tmp_path, "clustered", 300, 1).figures}
    for sort in ("random cues", "cues near a memory"):
        measured = figures[f"top ten by meaning as by an exact scan, {sort}"].measured
        assert float(measured.split()[0]) > 95
    assert sum(figure.met is not None for figure in figures.values()) == 10


def test_a_kept_home_is_not_built_again(tmp_path: Path) -> None:
    """The times that a home took are kept with it."""
    home, building = built(tmp_path, Language(), "random", 100)
    assert built(tmp_path, Language(), "random", 100) == (home, building)
    with opened(home, HashedVectors("random")) as memory:
        assert len(memory.list(limit=200)) == 100
