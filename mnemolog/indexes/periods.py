"""Periods that the memories of a space tell of, as terms of its postings."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import GrowingArray
from mnemolog.language.told_times import Days

PERIOD_PREFIX = "~"  # begins a period among the terms of a text, which no stemmed word does
BEGUN = PERIOD_PREFIX  # Term of each memory that tells of a day before the one on which it was said
_AFTER_PREFIX = chr(ord(PERIOD_PREFIX) + 1)

DayNumbers = npt.NDArray[np.int64]


def period_terms(told: Sequence[Days], said_on: int) -> list[str]:
    """Terms of the periods that a text tells of; `said_on` is its day, counted from 1970."""
    terms = [f"{PERIOD_PREFIX}{days.first}:{days.end}" for days in told]
    return [*terms, BEGUN] if any(days.end <= said_on for days in told) else terms


class Periods:
    """Distinct periods that the memories of a space tell of, each with its term."""

    def __init__(self, terms: Sequence[str] = ()) -> None:
        """A base's sorted terms, of which the periods are some."""
        self._terms: list[str] = []
        self._known = set[str]()
        self._days = GrowingArray(np.int64, width=2)
        first, last = bisect_right(terms, BEGUN), bisect_left(terms, _AFTER_PREFIX)
        self.add(terms[first:last])

    def add(self, terms: Iterable[str]) -> None:
        """Note the periods of the next memory."""
        fresh = [term for term in dict.fromkeys(terms) if term not in self._known and term != BEGUN]
        if fresh:
            self._known.update(fresh)
            self._terms += fresh
            # Last: readers in other threads go by the number of days.
            self._days.extend([int(day) for term in fresh for day in term[1:].split(":")])

    def days(self) -> tuple[DayNumbers, DayNumbers]:
        """First days of the periods, and the days after their last, counted from 1970."""
        days = self._days.rows
        return days[:, 0], days[:, 1]

    def term(self, number: int) -> str:
        """Term of a period by its place in `days`."""
        return self._terms[number]
