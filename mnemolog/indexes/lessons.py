"""Lessons of a space by context and by memory, as of any moment.

A context is the code of a query's vector: the signs of its numbers after a fixed rotation that
spreads whatever there is over all of them (three Walsh-Hadamard transforms after fixed changes
of sign: Andoni et al. 2015), so that vectors with few numbers have telling signs as well.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import shake_256
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import GrowingArray
from mnemolog.indexes.codes import differing_bits
from mnemolog.indexes.columns import NOBODY, Columns, Floats, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.vectors.hnsw import Vectors
from mnemolog.indexes.vectors.vector_index import sign_codes
from mnemolog.ledger.ids import Position
from mnemolog.projections.lessons import CoAccess, LearnedSession, LessonChanges

# -- contexts --------------------------------------------------------------------------
_WORD_BITS = 64
_ROTATIONS = 3
_ALIKE = 0.6  # cosine below which codes are not compared further: far under any that counts


def code_words(dimensions: int) -> int:
    """The 64-bit words of a code: bits for the next power of two, 64 at least."""
    return max(_WORD_BITS, 1 << (dimensions - 1).bit_length()) // _WORD_BITS


def code_of(vector: Vectors) -> bytes:
    """The signs of a turned vector, one bit each, set where it is positive."""
    return sign_codes(_turned(vector)).tobytes()


def alike(vector: Vectors, codes: npt.NDArray[np.uint64]) -> tuple[Selection, Floats]:
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


def _signs(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """The signs of bits, 1 or -1, of shape (..., 8 · bytes)."""
    return np.unpackbits(packed, axis=-1).astype(np.int8) * 2 - 1


def _turned(vector: Vectors) -> Floats:
    size = code_words(len(vector)) * _WORD_BITS
    turned = np.zeros(size)
    turned[: len(vector)] = vector
    flips = np.frombuffer(shake_256(b"mnemolog context").digest(_ROTATIONS * size // 8), np.uint8)
    for signs in _signs(flips).reshape(_ROTATIONS, size):
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


# -- lessons ---------------------------------------------------------------------------
HALF_LIFE_DAYS = 30.0  # after which a co-access counts half as much
HOOK_SESSIONS = 2  # in how many a spark has to have led to a memory to bring it along from then on
_SURE = 1 - 1e-9  # largest bearing and association: a product of many shares is rounded to 0
_BEGINS, _WHOLE = 0.78, 0.9
_LATEST = 64
_HOUR_US = 3_600_000_000


class _Taught(NamedTuple):
    """Lessons of one session, by ordinal."""

    since: Position
    entity: bytes | None
    ordinals: Selection
    bearings: Floats
    evidence: Mapping[str, float]


class LessonIndex:
    """Lessons of a space, in order of position."""

    def __init__(self, dimensions: int) -> None:
        self._words = code_words(dimensions)
        self._codes = GrowingArray(np.uint64, self._words)
        self._places = GrowingArray(np.int32)
        self._taught: list[_Taught] = []
        self.leads: dict[int, list[tuple[Position, int]]] = {}  # of each spark, when and to what
        # Memories by ordinal.
        self._together: dict[int, list[CoAccess]] = {}
        self._undone: dict[Position, dict[Position, Position | None]] = {}
        self._since = GrowingArray(np.int64)
        # Of so many sessions; as of a position if any was undone.
        self._summed: tuple[tuple[int, Position | None], dict[str, float]] | None = None
        self.named = False  # a session was about an entity or numbers: then its context is its own

    def follow(self, learned: LessonChanges, columns: Columns, embedder: str) -> None:
        """Note what was learned since, and what of it was undone."""
        if learned.undone:
            self._summed = None
        for undoing in learned.undone:
            # Another one, not the same changed: readers in other threads go through it.
            known = self._undone.get(undoing.since, {})
            self._undone[undoing.since] = {**known, undoing.start: undoing.end}
        for session in learned.sessions:
            self._taught.append(_taught(session, columns))
            # A context is a place among one embedder's vectors: those of another say nothing here.
            if session.embedder == embedder and len(session.code) == 8 * self._words:
                self._codes.extend(np.frombuffer(session.code, np.uint64))
                # Last: readers in other threads go by it.
                self._places.extend([len(self._taught) - 1])
            self.named |= session.entity is not None
            for spark, found in session.leads:
                led = (columns.ordinal(spark), columns.ordinal(found))
                if NOBODY not in led:
                    self.leads.setdefault(led[0], []).append((session.since, led[1]))
            self._since.extend([session.since])
        for together in _together(learned.together, columns):
            for ordinal in together.memories:
                self._together.setdefault(ordinal, []).append(together)

    def bearings(
        self, vector: Vectors, subjects: Collection[bytes], position: Position
    ) -> tuple[Selection, Floats]:
        """Memories that bore on queries near a unit vector, ascending, and how much they do.

        In (-1, 1): what was accepted for a query that is the same nearly 1 after some
        sessions, what misled below 0. Each session counts by how near its context is: in
        full from a cosine of 0.9 on, under 0.78 not at all. Where it was about an entity or
        named numbers, only if that is among `subjects`.
        """
        nothing = np.zeros(0, np.intp), np.zeros(0)
        if not (size := len(self._places)):
            return nothing
        found, cosines = alike(vector, self._codes[:size])
        near = np.clip((cosines - _BEGINS) / (_WHOLE - _BEGINS), 0.0, 1.0).tolist()
        sessions = [self._taught[place] for place in self._places[found].tolist()]
        said = [
            (taught.ordinals, share * taught.bearings)
            for taught, share in zip(sessions, near, strict=True)
            if share
            and self._counts(taught.since, position)
            and (taught.entity is None or taught.entity in subjects)
        ]
        if not said:
            return nothing
        every, shares = (np.concatenate(parts) for parts in zip(*said, strict=True))
        ordinals, places = np.unique(every, return_inverse=True)
        for_it, against = np.ones(len(ordinals)), np.ones(len(ordinals))
        np.multiply.at(for_it, places, 1 - np.maximum(0.0, shares))
        np.multiply.at(against, places, 1 - np.maximum(0.0, -shares))
        return ordinals, np.clip((1 - for_it) - (1 - against), -_SURE, _SURE)

    def associated(
        self, seeds: Sequence[tuple[int, float]], horizon: Horizon
    ) -> tuple[Selection, Floats]:
        """Memories that were accessed together with some, ascending, and how much, in (0, 1).

        `seeds` are ordinals with weights in [0, 1]. Each access together counts half as much after
        30 days, and what the latest 64 of a memory come to is 1 - Π (1 - gain · 2^(-days / 30)):
        Hebb's rule with decay, in closed form, so that no order and no replay makes a difference.
        """
        apart: dict[int, float] = {}
        for seed, weight in seeds:
            for other, share in self._partners(seed, horizon).items():
                apart[other] = min(apart.get(other, 1.0), 1 - weight * (1 - share))
        ordinals = sorted(apart)
        shares = np.array([1 - apart[one] for one in ordinals])
        return np.array(ordinals, np.intp), np.minimum(shares, _SURE)

    def _partners(self, seed: int, horizon: Horizon) -> dict[int, float]:
        """The distance of each memory from one that it was accessed together with."""
        # From the latest back: a memory may have been used a hundred thousand times.
        latest = reversed(self._together.get(seed, ()))
        counting = (one for one in latest if self._counts(one.since, horizon.position))
        apart: dict[int, float] = {}
        for one in islice(counting, _LATEST):
            # By whole hours, so that an answer does not change from one second to the next.
            hours = max(0, horizon.instant - one.at) // _HOUR_US
            left = one.gain * 2.0 ** (-hours / (24 * HALF_LIFE_DAYS))
            for ordinal in one.memories:
                if ordinal != seed:
                    apart[ordinal] = apart.get(ordinal, 1.0) * (1 - left)
        return apart

    def hooked(self, sparks: Collection[int], position: Position) -> list[tuple[int, int]]:
        """Pairs of a memory and one to which it led, as a spark, in two sessions or more."""
        hooks = []
        for spark in dict.fromkeys(sparks):
            leads = self.leads.get(spark, ())
            led = Counter(found for since, found in leads if self._counts(since, position))
            hooks += [(spark, one) for one, times in led.items() if times >= HOOK_SESSIONS]
        return hooks

    def evidence(self, position: Position) -> Mapping[str, float]:
        """The summed evidence for each component of relevance, from [-1, 1] a session."""
        sessions = int(self._since.rows.searchsorted(position, side="right"))
        known = self._summed
        # Lessons undone since may count as of another position.
        asked = (sessions, position if self._undone else None)
        if known is None or known[0] != asked:
            total: dict[str, float] = {}
            for taught in self._taught[:sessions]:
                if self._counts(taught.since, position):
                    for component, value in taught.evidence.items():
                        total[component] = total.get(component, 0.0) + value
            known = self._summed = (asked, total)
        return known[1]

    def _counts(self, since: Position, position: Position) -> bool:
        """True if what an event taught is known as of a position, and not undone."""
        return since <= position and not any(
            start <= position and (end is None or end > position)
            for start, end in self._undone.get(since, {}).items()
        )


def _taught(session: LearnedSession, columns: Columns) -> _Taught:
    ordinals = columns.ordinals(np.array([memory for memory, _ in session.bearings], np.int64))
    bearings, known = np.array([one for _, one in session.bearings]), ordinals != NOBODY
    return _Taught(
        session.since, session.entity, ordinals[known], bearings[known], session.evidence
    )


def _together(accesses: Sequence[CoAccess], columns: Columns) -> Iterator[CoAccess]:
    """The same by ordinal; looked up at once, since a space may have very many accesses."""
    known = [position for one in accesses for position in one.memories]
    ordinals = iter(columns.ordinals(np.array(known, np.int64)).tolist())
    for one in accesses:
        found = [each for each in islice(ordinals, len(one.memories)) if each != NOBODY]
        yield CoAccess(one.since, one.at, one.gain, found)
