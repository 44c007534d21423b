"""Calendar dates and weekdays of a text as quantities."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mnemolog.language.dates.calendar_dates import calendar_dates
from mnemolog.language.quantities.amounts import Quantity, quantity_at


def dates(text: str) -> Iterator[Quantity]:
    """The dates and weekdays of a text."""
    for one in calendar_dates(text):
        dimension = "date" if one.weekday is None else "weekday"
        parts = one.parts if one.weekday is None else (one.weekday,)
        yield quantity_at(text, (one.start, one.end), dimension, "day", tuple(map(Fraction, parts)))
