"""Quantities in a text, and the bounds that words put on them.

Money, amounts with a unit, counts, shares, dates, times of day and versions are
read by patterns of English and compared in one base unit per dimension. What
cannot be compared (other currencies, a price a month with a price in all) is
never guessed at.
"""

from policies.amounts import MONTHS, WEEKDAYS, Bound, Quantity, comparable, compare, meets
from policies.bounds import bounds
from policies.measures import quantities

__all__ = [
    "MONTHS",
    "WEEKDAYS",
    "Bound",
    "Quantity",
    "bounds",
    "comparable",
    "compare",
    "meets",
    "quantities",
]
