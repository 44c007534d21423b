"""Calendar dates and weekdays in a text, without an instant that they are relative to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import MONTHS, WEEKDAYS, Quantity, quantity_at

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATED = (
    regex(rf"\b{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", re.IGNORECASE),
    regex(rf"\b{_DAY}(?:[ ]of)?[ ]{_MONTH}(?:,?[ ]{_YEAR}\b)?", re.IGNORECASE),
    regex(rf"\b{_MONTH}[ ]{_DAY}\b(?![:.]\d)(?:,?[ ]{_YEAR}\b)?", re.IGNORECASE),
    regex(rf"\b{_MONTH}[ ]{_YEAR}\b", re.IGNORECASE),
)
# Capitalised and after such a word, since 'may' and 'march' are verbs as well.
_MONTH_ALONE = regex(
    r"\b(?:[Ii]n|[Bb]y|[Bb]efore|[Aa]fter|[Uu]ntil|[Tt]ill|[Ss]ince|[Ff]rom|[Dd]uring|[Oo]f)[ ]"
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b(?![ ]\d)"
)
_YEAR_ALONE = regex(
    rf"\b(?:in|by|before|after|until|till|since|from|during|year)[ ]{_YEAR}\b(?![-.\d])",
    re.IGNORECASE,
)
_WEEKDAY = regex(r"\b(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b", re.IGNORECASE)


def dates(text: str) -> Iterator[Quantity]:
    """The dates and weekdays of a text."""
    for pattern in (*_DATED, _MONTH_ALONE, _YEAR_ALONE):
        for match in pattern.finditer(text):
            given = match.groupdict()
            year = Fraction(given.get("year") or 0)
            month, day = given.get("month"), given.get("day")
            values = [year]
            if month is not None:
                values.append(Fraction(month) if month.isdigit() else _month(month))
            if day is not None:
                values.append(Fraction(day))
            if not _in_calendar(values):
                continue
            start = min(match.start(name) for name, value in given.items() if value is not None)
            yield quantity_at(text, (start, match.end()), "date", "day", tuple(values))
    for match in _WEEKDAY.finditer(text):
        value = Fraction(WEEKDAYS.index(match["weekday"].lower()))
        yield quantity_at(text, match.span(), "weekday", "day", (value,))


def _month(name: str) -> Fraction:
    start = name.lower()[:3]
    return Fraction(
        1 + next(index for index, month in enumerate(MONTHS) if month.startswith(start))
    )


def _in_calendar(values: list[Fraction]) -> bool:
    year, month, day = (*map(int, values), 1, 1)[:3]
    try:
        # A leap year where none is given, so that 29 February is a date.
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True
