"""Codes of queries among an embedder's vectors, in few bits, and nearness to a code.

A code has the sign of each number of a vector that was turned first, by a fixed
rotation that spreads whatever there is over all numbers (Walsh-Hadamard
transforms after fixed changes of sign, three times: Andoni et al. 2015). So vectors with
few numbers that are not 0 have telling signs as well.
"""

from __future__ import annotations

from hashlib import shake_256

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.codes import differing_bits
from mnemolog.indexes.vectors import sign_codes

Vector = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint64]
Signs = npt.NDArray[np.int8]

_WORD_BITS = 64
_ROUNDS = 3
_ALIKE = 0.6
"""Cosine below which codes are not compared further: far under any that counts."""


def words(dimensions: int) -> int:
    """The 64-bit words of a code: bits for the next power of two, 64 at least."""
    return max(_WORD_BITS, 1 << (dimensions - 1).bit_length()) // _WORD_BITS


def code_of(vector: Vector) -> bytes:
    """The signs of a turned vector, one bit each, set where it is positive."""
    return sign_codes(_turned(vector)).tobytes()


def alike(vector: Vector, codes: Codes) -> tuple[npt.NDArray[np.intp], Floats]:
    """The codes of vectors like a unit vector, ascending, and about the cosine of each.

    `codes` have the shape (codes, words). Of 512 bits the error has a standard deviation of
    about 0.03, and a vector's own code has none. The cosine is estimated as the share of
    the largest possible product with signs, which is right for normally distributed numbers.
    """
    turned = _turned(vector)
    most, distances = float(np.abs(turned).sum()), np.zeros(len(codes), np.uint16)
    differing_bits(codes, sign_codes(turned), distances)
    near = np.flatnonzero(distances <= len(turned) * np.arccos(_ALIKE) / np.pi)
    if not len(near) or not most:
        return np.zeros(0, np.intp), np.zeros(0)
    # Row by row, not by matrix product: a sum is then the same however many rows there are.
    signs = _signs(codes[near].view(np.uint8))
    return near, np.einsum("ij,j->i", signs, turned, optimize=False) / most


def _signs(packed: npt.NDArray[np.uint8]) -> Signs:
    """The signs of bits, 1 or -1, of shape (..., 8 · bytes)."""
    return np.unpackbits(packed, axis=-1).astype(np.int8) * 2 - 1


def _turned(vector: Vector) -> Floats:
    size = words(len(vector)) * _WORD_BITS
    turned = np.zeros(size)
    turned[: len(vector)] = vector
    flips = np.frombuffer(shake_256(b"mnemolog context").digest(_ROUNDS * size // 8), np.uint8)
    for signs in _signs(flips).reshape(_ROUNDS, size):
        turned = _transformed(turned * signs)
    return turned


def _transformed(numbers: Floats) -> Floats:
    """The Walsh-Hadamard transform of as many numbers as a power of two, to the same length."""
    step = 1
    while step < len(numbers):
        pairs = numbers.reshape(-1, 2, step)
        sums: Floats = np.empty_like(pairs)
        np.add(pairs[:, 0], pairs[:, 1], out=sums[:, 0])
        np.subtract(pairs[:, 0], pairs[:, 1], out=sums[:, 1])
        numbers, step = sums.ravel(), 2 * step
    unit: Floats = numbers / np.sqrt(len(numbers))
    return unit
