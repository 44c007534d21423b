"""Quantities: amounts of money, amounts with a unit, counts, bare numbers, dates and versions.

`quantities` reads a text once, from left to right. Each number is the first of these that
fits: money ('$5', '5 euros'), a version ('Python 3.11'), an amount with a unit ('5 km'), a
count ('5 boxes'), or a bare number. Amounts of one dimension that follow each other become one
('1 hour 30 minutes', '5 feet 3 inches'), and the ends of a range share a unit ('2 to 3 hours').

Decisions where a text is ambiguous: '5m' is five metres, but '$5m' and '5m users' are millions.
'1h30m', '7d' and '2w' are durations as Prometheus writes them; '3d' before a word is not.
'3,5 km' and '1.200 €' have decimal commas and thousands parted by points. A number in words
counts only with a unit or a noun. 'a day' is an amount after 'within' and the like.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Literal

import msgspec

from mnemolog.language.calendar import MONTHS, WEEKDAYS
from mnemolog.language.lists import before, english, plain_letters
from mnemolog.language.quantities.amounts import (
    Quantity,
    Unit,
    clocks,
    counted,
    dates,
    opens_range,
    rated,
    unit_named,
    units,
    version_parts,
    with_shared_units,
)
from mnemolog.language.quantities.numbers import (
    Number,
    as_continental,
    fraction_after,
    numbers,
)
from mnemolog.language.words.lexicon import is_plural

_LISTS = english("counting")
_PATTERNS = _LISTS.patterns_by_name

Bare = Literal["number", "money"]  # how a number without a unit is read

LONGEST = 20_000  # characters of a text that are read: what limits something is short
_NEAR = 20  # characters in front of an amount that may hold its sign, or say that it is an age
_REACH, _VERSION_REACH = 60, 200  # characters in front of a number, or a version, with its name
_LONGEST_SECONDS = 3
_CODE_LETTERS = 3
_CLOCK_UNITS = {"y": "year", "w": "week", "d": "day", "h": "hour", "m": "minute", "s": "second"}


def quantities(text: str, bare: Bare = "number") -> tuple[Quantity, ...]:
    """The quantities of a text in order; none overlap.

    A number without a unit is of the dimension `bare`: where a text is known to
    speak of prices, '180 a night' is money of no currency. A year stays a number.
    """
    return _read(plain_letters(text[:LONGEST]), bare)


# Recognition, constraints and corrections ask for the same few texts one after the other.
@lru_cache(maxsize=64)
def _read(text: str, bare: Bare) -> tuple[Quantity, ...]:
    taken = bytearray(len(text))
    found = []
    for one in chain(dates(text), clocks(text), _durations(text), _of_numbers(text, bare)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            found.append(one)
    found.sort(key=attrgetter("start"))
    return tuple(with_shared_units(text, _compounded(text, found)))


def _of_numbers(text: str, bare: Bare) -> Iterator[Quantity]:
    once = (
        Number(Fraction(1), *match.span("one" if match["one"] else "more"))
        for match in _PATTERNS.single_time.finditer(text)
    )
    found = sorted(chain(numbers(text), once), key=attrgetter("start"))
    if not found:
        return
    pound = units()["lb" if _PATTERNS.weighs.search(text) is not None else "gbp"]
    known = {one.start: one for one in versions(text)}
    end = 0
    for number in found:
        if number.start < end or number.ordinal:
            continue
        one = (
            _money_at(text, number, pound)
            or known.get(number.start)
            or _measured(text, number)
            or _bare(text, number, bare)
        )
        if one is not None and one.start >= end:
            end = one.end
            yield one


def _durations(text: str) -> Iterator[Quantity]:
    """Durations in the notation of Prometheus: '1h30m', '7d'."""
    for match in _PATTERNS.duration.finditer(text):
        parts = [
            (Fraction(amount), unit.factor)
            for amount, name in _PATTERNS.duration_part.findall(match[0])
            if (unit := unit_named(_CLOCK_UNITS.get(name, name))) is not None
        ]
        factors = [factor for _, factor in parts]
        if factors == sorted(set(factors), reverse=True):
            seconds = sum((amount * factor for amount, factor in parts), Fraction(0))
            yield rated(text, match.span(), Unit("duration", "second", factors[-1]), seconds)


def _compounded(text: str, found: list[Quantity]) -> list[Quantity]:
    """Amounts with those in smaller units behind them: '1 hour and 30 minutes'."""
    whole: list[Quantity] = []
    for one in found:
        last = whole[-1] if whole else one
        continues = (
            one.dimension in {"duration", "length", "mass", "money"}
            and (one.dimension, one.unit) == (last.dimension, last.unit)
            and (last.per, last.period) == (None, None)
            and max(one.factor, one.amount) < last.factor
            and _PATTERNS.between_parts.fullmatch(text, last.end, one.start) is not None
        )
        if not continues:
            whole.append(one)
            continue
        start, values = last.start, (last.amount + one.amount,)
        said = text[start : one.end]
        whole[-1] = msgspec.structs.replace(one, values=values, text=said, start=start)
    return whole


# -- money -------------------------------------------------------------------------------


@cache
def _currencies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = sorted((name for name, unit in units().items() if unit.dimension == "money"), key=len)
    signs = "|".join(re.escape(name) for name in reversed(names) if not name.isalpha())
    words = "|".join(name for name in reversed(names) if name.isalpha())
    codes = "|".join(name for name in names if name.isalpha() and len(name) == _CODE_LETTERS)
    return (
        re.compile(rf"(?:(?P<sign>{signs})|\b(?P<code>{codes}))[ ]?\Z", re.IGNORECASE),
        re.compile(rf"[ -]?(?:(?P<word>{words})s?\b|(?P<sign>[$€£¥₹₩]))", re.IGNORECASE),
    )


def _money_at(text: str, number: Number, pound: Unit) -> Quantity | None:
    """Amount of money: '$1,200.50', 'EUR 5k', '12,50 €'; `pound` is the unit of that name here."""
    in_front, behind = _currencies()
    sign = in_front.search(text, max(0, number.start - 4), number.start)
    named = sign[0].strip() if sign is not None else ""
    if not named.startswith(("$", "£")):
        number = as_continental(text, number, grouped=True)
    if text[number.end : number.end + 2].strip(",.")[:1].isdigit() and named:
        return None
    large = _PATTERNS.millions.match(text, number.end)
    value, end = number.value, number.end
    if large is not None and (named or behind.match(text, large.end()) is not None):
        value, end = value * (10**6 if large["million"] else 10**9), large.end()
    code = behind.match(text, end)
    if code is not None and not (named and code["sign"]):
        end, named = code.end(), code["word"] or code["sign"]
    unit = unit_named(named) if named else None
    weighs = pound.dimension == "mass" or text.startswith(" of ", end)
    if unit is None or (weighs and named.lower() == "pound"):
        return None
    start = number.start if sign is None else sign.start()
    return rated(text, (start, end), unit, value * unit.factor)


# -- amounts with a unit, and counts -----------------------------------------------------


@cache
def _unit_after() -> re.Pattern[str]:
    named = sorted((name for name, unit in units().items() if unit.dimension != "money"), key=len)
    names = "|".join(re.escape(name) for name in ("pound", *reversed(named)))
    return re.compile(
        rf"[ -]?(?P<unit>(?:{names}|feet|inches|halves)s?(?![A-Za-z/])|%)", re.IGNORECASE
    )


def _measured(text: str, number: Number) -> Quantity | None:
    if _PATTERNS.no_start.search(text, max(0, number.start - 1), number.start):
        return None
    millions = _PATTERNS.million_of.match(text, number.end)
    noun = "" if millions is None else millions["noun"]
    if millions is not None and noun.lower() not in _LISTS.words("not_counted") and is_plural(noun):
        number = Number(number.value * 10**6, number.start, millions.start("noun") - 1)
    longer = as_continental(text, number)
    match = _unit_after().match(text, longer.end)
    if match is None or _is_no_unit(text, match, number):
        if (found := _counted_noun(text, number)) is None:
            return None
        said, end = found
        return rated(text, (number.start, end), Unit("count", counted(said)), number.value)
    unit = unit_named("lb" if match["unit"].lower().startswith("pound") else match["unit"])
    if unit is None:
        return None
    whole = fraction_after(text, Number(Fraction(0), *match.span()))
    value, end = longer.value, match.end()
    if whole is not None:
        value, end = value + whole.value, whole.end
    start = number.start
    # Only temperatures are below zero.
    if unit.dimension == "temperature" and (
        sign := _PATTERNS.minus.search(text, max(0, start - _NEAR), start)
    ):
        start, value = sign.start(), -value
    return rated(text, (start, end), unit, value * unit.factor + unit.offset)


def _is_no_unit(text: str, match: re.Match[str], number: Number) -> bool:
    """True for letters that look like a unit: 'the 90s', '5G'."""
    unit = match["unit"]
    if unit == "s" and text[match.start("unit") - 1] != " ":
        in_front = max(0, number.start - _NEAR), number.start
        aged = _PATTERNS.ages.search(text, *in_front) is not None
        return aged or number.end - number.start > _LONGEST_SECONDS
    return unit in ("G", "M", "T", "H", "S")


def _counted_noun(text: str, number: Number) -> tuple[str, int] | None:
    """Noun that a number counts, and its end: the plural after it, or behind some adjectives.

    A singular is counted after one, a hyphen ('an 8-person tent') or a part ('half an avocado').
    """
    match = _PATTERNS.noun.match(text, number.end)
    if match is None or before(_PATTERNS.ratio, text, number.start) is not None:
        return None
    alone = (
        number.value == 1
        or match["joint"] == "-"
        or match["first"].lower() in _LISTS.words("counted_in_singular")
        or before(_PATTERNS.of_one, text, number.end) is not None
    )
    for name in ("first", "second", "third"):
        noun = match[name] or ""
        if not noun or noun.lower() in _LISTS.words("not_counted"):
            return None
        if is_plural(noun) or (alone and name == "first"):
            return noun, match.end(name)
    return None


# -- bare numbers ------------------------------------------------------------------------


def _bare(text: str, number: Number, bare: Bare) -> Quantity | None:
    """A number without unit or noun; one in words only at the beginning of a range."""
    span = start, end = number.start, number.end
    if _PATTERNS.no_bare_before.search(text, max(0, start - 2), start):
        return None
    written = text[start:end]
    in_words = written[0].isalpha()
    # '4K' is a resolution, '10K' a race.
    if _PATTERNS.no_bare_after.match(text, end) or written[-1] == "K":
        return None
    if _PATTERNS.fraction.fullmatch(written) or (in_words and not opens_range(text, number)):
        return None
    in_front = text[max(0, start - _REACH) : start]
    is_price = bare == "money" and _PATTERNS.year.fullmatch(written) is None
    if not in_words and (is_price or _PATTERNS.spends.search(in_front)):
        return rated(text, span, Unit("money", ""), number.value)
    word = _PATTERNS.last_word.search(_PATTERNS.between_name_and_number.sub(" ", in_front))
    name = word[1].lower() if word else ""
    return Quantity("number", "", (number.value,), written.strip(), start, end, name)


# -- versions ----------------------------------------------------------------------------


@cache
def _no_names() -> frozenset[str]:
    days = (f"{day}s" for day in WEEKDAYS)
    return _LISTS.words("not_versioned").union(MONTHS, WEEKDAYS, days)


def versions(text: str) -> Iterator[Quantity]:
    """The versions of a text, a name with a number behind it; the software's name is the unit."""
    for match in _PATTERNS.version.finditer(text):
        number, name = match["bare"] or match["version"], match["of"] or match["name"] or ""
        start = match.start("bare" if match["bare"] else "version")
        named = bool(name) and name.lower().rstrip(".") not in _no_names()
        if match["bare"] or _is_version(text, match, is_named=named):
            if not named:
                name = _subject(text[max(0, start - _VERSION_REACH) : start])
            low, parts, end = name.lower().rstrip("."), version_parts(number), match.end()
            yield Quantity("version", low, parts, text[start:end].strip(), start, end, low)


def _is_version(text: str, match: re.Match[str], *, is_named: bool) -> bool:
    """True for a number that is the version of the word before it: 'Python 3.11'."""
    name, dotted = match["name"], match["version"].count(".")
    if match["sign"] or " version" in match[0].lower() or re.search(r"\bv\d", match[0]):
        return True
    # 'Windows 11' is a name with a whole number.
    in_front = text[max(0, match.start() - _VERSION_REACH) : match.start()].rstrip()
    begins = not in_front or in_front[-1] in ".!?:;\n"
    after = text[match.end() : match.end() + _VERSION_REACH]
    whole = not begins and not re.match(r"[ ][a-z]+s\b", after)
    numbered = whole and match.end("name") < match.start("version")
    likely = dotted > 1 or (name[0].isupper() and (dotted > 0 or numbered))
    unit = re.match(r"[ -]?([A-Za-z°%µ]+)", after)
    return is_named and likely and (unit is None or unit_named(unit[1]) is None)


def _subject(before: str) -> str:
    """The last name before a version that follows none directly: 'Postgres must be version 14'."""
    clause = re.split(r"[.;!?](?:\s|$)", before)[-1]
    names = re.findall(r"\b[A-Z][\w+#-]*", clause)
    return next((name.lower() for name in names[::-1] if name.lower() not in _no_names()), "")
