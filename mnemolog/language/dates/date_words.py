"""How dates are worded in English, as patterns over a text without capitals.

What a pattern calls `dated` are the words that name the date, without those that
only show that they do: 'may' is a month in 'in may', and a verb elsewhere. All
of a pattern is, if it calls nothing so.
"""

from __future__ import annotations

from mnemolog.language.dates.periods import HOLIDAYS, ORDINALS
from mnemolog.language.quantities.amounts import MONTHS, WEEKDAYS

COUNT = (
    r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:a )?(?:couple(?: of)?|few)|several)"
)
"""A pattern of numbers as `count_of` reads them."""

HINTS = (
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day|morning|night\b|week|month"
    r"|year|decade|quarter|spring|summer|autumn|fall|winter|hours?|christmas|halloween|\btomorrow"
)
"""A pattern of what at least one of stands in every date."""

_NAMES = rf"(?:{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_MONTH = rf"(?P<month>{_NAMES})"
_TO = r"(?:-|\u2013|to|and|or|until|through)"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_LAST_DAY = r"(?P<last>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)"
_MAYBE_YEAR = rf"(?:,? (?:of |in )?{_YEAR})?"
_WHICH = r"(?P<which>last|this|next)"
_UNIT = r"(?P<unit>hour|day|week|month|quarter|year|decade)s?\b"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_IN = r"(?:in|during|of|since|until|till|by|before|after|between|from|through|throughout|over)"

DATES: tuple[tuple[str, str], ...] = (
    ("iso", r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b"),
    (
        "numeric",
        r"\b(?P<first>\d\d?)(?P<mark>[./])(?P<second>\d\d?)(?P=mark)(?P<year>(?:19|20)\d\d)\b",
    ),
    ("day", rf"\b(?:the )?{_DAY} (?:of )?{_MONTH}{_MAYBE_YEAR}"),
    ("day", rf"\b{_MONTH} (?:the )?{_DAY}\b{_MAYBE_YEAR}"),
    ("days", rf"\b{_DAY} ?{_TO} ?{_LAST_DAY} (?:of )?{_MONTH}{_MAYBE_YEAR}"),
    ("days", rf"\b{_MONTH} {_DAY} ?{_TO} ?{_LAST_DAY}\b{_MAYBE_YEAR}"),
    ("month", rf"\b(?:(?P<part>early|mid|late)[- ](?:in )?|{_WHICH} ){_MONTH}{_MAYBE_YEAR}"),
    ("month", rf"\b(?P<part>)(?P<which>){_MONTH}(?:,? (?:of )?{_YEAR})"),
    # April and June are people as well, and 'may' and 'march' are verbs.
    ("month", rf"\b{_IN} (?:the )?(?P<part>)(?P<which>)(?P<dated>{_MONTH})(?P<year>)"),
    ("month", rf"\b{_NAMES} {_TO} (?P<part>)(?P<which>)(?P<dated>{_MONTH})(?P<year>)"),
    (
        "season",
        rf"\b{_IN} (?:the )?(?P<which>)(?P<dated>{_SEASON}\b{_MAYBE_YEAR})",
    ),
    ("season", rf"\b{_WHICH} {_SEASON}\b{_MAYBE_YEAR}"),
    ("season", rf"\b(?P<which>){_SEASON},? (?:of )?{_YEAR}"),
    (
        "quarter",
        (
            rf"\b(?:q(?P<quarter>[1-4])|the (?P<ordinal>{'|'.join(ORDINALS)}) quarter)"
            rf"\b{_MAYBE_YEAR}"
        ),
    ),
    ("year", rf"\b(?:{_IN}|to|and|around|year) (?P<dated>{_YEAR})"),
    ("decade", r"\b(?:the |')(?P<decade>(?:19|20)?\d0)'?s\b"),
    (
        "near",
        (
            r"\bthe day (?:before yesterday|after tomorrow)\b|\byesterday\b|\btoday\b|\btonight\b"
            r"|\btomorrow\b|\bthis (?:morning|afternoon|evening)\b|\blast night\b"
        ),
    ),
    ("ago", rf"\b{COUNT} {_UNIT} (?:ago|back|earlier)\b"),
    ("past", rf"\bthe (?:last|past|previous) (?:{COUNT} )?{_UNIT}(?! of\b)"),
    ("past", rf"\b(?:last|past|previous) {COUNT} {_UNIT}"),
    (
        "beside",
        (
            r"\b(?P<which>last|past|previous|this|next|coming) "
            r"(?P<unit>week|weekend|month|quarter|year|decade)\b"
        ),
    ),
    ("weekday", rf"\b(?:{_WHICH} )?(?P<weekday>{'|'.join(WEEKDAYS)})\b(?!s)"),
    ("holiday", rf"\b(?P<holiday>{'|'.join(HOLIDAYS)})\b{_MAYBE_YEAR}"),
)
"""Ways of naming a period, each with the pattern of its words; their groups are its parts."""
