"""Differing bits are counted as numpy counts them, and arrays that do not fit are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.codes import differing_bits, portable_differing_bits

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
    codes, query = np.zeros((4, 2), np.uint64), np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match="contiguous"):
        differing_bits(codes[:, :1], query[:1], np.zeros(4, np.uint16))
    constant = np.zeros(4, np.uint16)
    constant.flags.writeable = False
    with pytest.raises(TypeError, match="read-write"):
        differing_bits(codes, query, constant)
