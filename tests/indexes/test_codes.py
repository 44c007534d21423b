"""Codes and vectors are compared as numpy does it, and arrays that do not fit are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.codes import (
    differing_bits,
    nearest_codes,
    portable_differing_bits,
    portable_nearest_codes,
    portable_products,
    products,
)
from mnemolog.indexes.vectors.vector_index import weighted_code

Codes = npt.NDArray[np.uint64]
Count = Callable[[Codes, Codes, npt.NDArray[np.uint16]], None]
_WAYS: tuple[Count, ...] = (differing_bits, portable_differing_bits)


@given(count=st.integers(0, 70), words=st.integers(1, 9), seed=st.integers(0, 2**32 - 1))
def test_bits_are_counted_as_numpy_counts_them(count: int, words: int, seed: int) -> None:
    """Of codes of any length and number, with the processor's instruction and without."""
    chance = np.random.default_rng(seed)
    codes = chance.integers(0, 2**64, (count, words), dtype=np.uint64)
    query = chance.integers(0, 2**64, words, dtype=np.uint64)
    for way in _WAYS:
        differing = np.full(count + 2, 9_999, np.uint16)
        way(codes, query, differing[1:-1])
        expected = np.bitwise_count(codes ^ query).sum(axis=1)
        assert differing.tolist() == [9_999, *expected.tolist(), 9_999]


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    ("codes", "query", "differing"),
    [((3, 2), (2,), (4,)), ((3, 2), (2,), (2,)), ((3, 2), (3,), (3,)), ((0, 2), (2,), (1,))],
)
def test_sizes_that_do_not_fit_are_refused(
    way: Count, codes: tuple[int, int], query: tuple[int], differing: tuple[int]
) -> None:
    """Nothing is read or written beyond an array."""
    counts = np.full(differing, 9_999, np.uint16)
    with pytest.raises(ValueError, match="codes are whole words"):
        way(np.zeros(codes, np.uint64), np.zeros(query, np.uint64), counts)
    assert (counts == 9_999).all()


def test_arrays_with_gaps_or_that_cannot_be_written_are_refused() -> None:
    """What is read as one stretch of memory must be one."""
    codes, query = np.zeros((3, 2), np.uint64), np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match="contiguous"):
        differing_bits(codes[:, :1], query[:1], np.zeros(4, np.uint16))
    constant = np.zeros(4, np.uint16)
    constant.flags.writeable = False
    with pytest.raises(TypeError, match="read-write"):
        differing_bits(codes, query, constant)


_NEAREST = (nearest_codes, portable_nearest_codes)
_PRODUCTS = (products, portable_products)


@given(
    count=st.integers(0, 90),
    words=st.integers(1, 10),
    few=st.booleans(),
    wanted=st.integers(0, 100),
    masked=st.booleans(),
    out=st.sets(st.integers(0, 89)),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_nearest_codes_are_those_that_numpy_finds(  # noqa: PLR0913 - each drawn
    *, count: int, words: int, few: bool, wanted: int, masked: bool, out: set[int], seed: int
) -> None:
    """By weighted bits, the last of equals first, without what is masked or excluded."""
    chance = np.random.default_rng(seed)
    # Few values, so that many distances are equal, or bits everywhere.
    values = 4 if few else 2**64
    codes = chance.integers(0, values, (count, words), dtype=np.uint64)
    query = chance.integers(0, values, (3, words), dtype=np.uint64)
    mask = chance.random(count) < 0.7 if masked else np.zeros(0, np.bool_)
    excluded = np.array(sorted(one for one in out if one < count), np.int64)
    differing = codes ^ query[0]
    weights = [np.bitwise_count(differing & query[1 + plane]) << plane for plane in range(2)]
    distances = sum(plane.sum(axis=1, dtype=np.int64) for plane in weights)
    rows = np.flatnonzero(mask) if masked else np.arange(count)
    rows = np.setdiff1d(rows, excluded)
    nearest = rows[np.lexsort((-rows, distances[rows]))][:wanted]
    for way in _NEAREST:
        found = np.full(wanted, -1, np.int64)
        kept = way(codes, query, mask, excluded, found)
        assert found[:kept].tolist() == sorted(nearest.tolist())


def test_many_codes_are_searched_by_several_threads() -> None:
    """The result is the same, and of many equal ones the last are taken."""
    chance = np.random.default_rng(4)
    codes = chance.integers(0, 2**64, (400_000, 2), dtype=np.uint64)
    query = weighted_code(chance.standard_normal(128).astype(np.float32))
    found = np.empty((2, 1_000), np.int64)
    for way, into in zip(_NEAREST, found, strict=True):
        assert way(codes, query, np.zeros(0, np.bool_), np.zeros(0, np.int64), into) == 1_000
    assert (found[0] == found[1]).all()
    codes[:] = 7
    nearest_codes(codes, query, np.zeros(0, np.bool_), np.zeros(0, np.int64), found[0])
    assert found[0].tolist() == list(range(399_000, 400_000))


@given(
    rows=st.lists(st.integers(0, 19), max_size=30),
    dimensions=st.integers(1, 70),
    seed=st.integers(0, 2**32 - 1),
)
def test_products_are_those_of_numpy(rows: list[int], dimensions: int, seed: int) -> None:
    """Of any rows in any order, subnormal numbers included, each by itself."""
    chance = np.random.default_rng(seed)
    scale = 10.0 ** chance.integers(-7, 2)
    vectors = (chance.standard_normal((20, dimensions)) * scale).astype(np.float16)
    query = chance.standard_normal(dimensions).astype(np.float32)
    expected = vectors[rows].astype(np.float64) @ query.astype(np.float64)
    for way in _PRODUCTS:
        found = np.empty(len(rows), np.float32)
        way(vectors, np.array(rows, np.int64), query, found)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * scale)
        alone = np.empty(1, np.float32)
        for row, product in zip(rows, found.tolist(), strict=True):
            way(vectors, np.array([row]), query, alone)
            assert alone[0] == product


@pytest.mark.parametrize("way", _NEAREST)
def test_codes_that_do_not_fit_a_search_are_refused(way: Callable[..., int]) -> None:
    """A query without its planes, a mask of another size, and rows that are not there."""
    codes, query = np.zeros((3, 2), np.uint64), np.zeros((3, 2), np.uint64)
    nothing, nobody, found = np.zeros(0, np.bool_), np.zeros(0, np.int64), np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="three rows"):
        way(codes, query[:2], nothing, nobody, found)
    with pytest.raises(ValueError, match="mask"):
        way(codes, query, np.ones(2, np.bool_), nobody, found)
    for row in (-1, 3):
        with pytest.raises(ValueError, match="none of the codes"):
            way(codes, query, nothing, np.array([row]), found)


@pytest.mark.parametrize("way", _PRODUCTS)
def test_rows_that_are_not_there_are_refused(way: Callable[..., None]) -> None:
    """Nothing is read beyond the vectors, and nothing written beyond the products."""
    vectors, query = np.zeros((3, 8), np.float16), np.zeros(8, np.float32)
    for row in (-1, 3):
        with pytest.raises(ValueError, match="none of the vectors"):
            way(vectors, np.array([row]), query, np.zeros(1, np.float32))
    with pytest.raises(ValueError, match="a product for each row"):
        way(vectors, np.array([1, 2]), query, np.zeros(1, np.float32))
