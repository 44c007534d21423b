"""Numbers in digits and words: '1,200.50', '1 1/2', 'two and a half million', 'a dozen'.

Numbers are exact. Vague words ('several', 'dozens of') are not numbers, 'a couple' is two.

A point parts decimals and a comma thousands; a comma parts decimals behind grouped thousands
('1.200,50'). `as_continental` reads '3,5' and '1.200', which only amounts with a unit and
amounts of money are taken for. '1/2' is a fraction if the part is smaller than the whole and the
whole is a usual one (2 to 10, 12, 16, 32, 64, 100): '24/7' and '3/11' are not.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from unicodedata import numeric

import msgspec

from mnemolog.language.lists import english

_LISTS = english("numbers")
_PATTERNS = _LISTS.patterns_by_name

MOST_DIGITS = 30  # a longer whole number counts as the largest of so many digits
_LARGEST = Fraction(10**MOST_DIGITS)
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_WHOLES = frozenset({*range(2, 11), 12, 16, 32, 64, 100})
_QUARTERS = 4
_HUNDRED, _THOUSAND, _TEN, _DOZEN = 100, 1_000, 10, 12


class Number(msgspec.Struct, frozen=True):
    """A number in a text: its exact value and its characters; `ordinal` for 'third', '21st'."""

    value: Fraction
    start: int
    end: int
    ordinal: bool = False


def numbers(text: str) -> Iterator[Number]:
    """The numbers of a text from left to right, ordinals among them; none overlap."""
    end = 0
    for match in _starts().finditer(text):
        if match.start() >= end and (found := number_at(text, match.start())) is not None:
            end = found.end
            yield found


def number_at(text: str, start: int) -> Number | None:
    """The longest number that begins at a character; None if none does."""
    before = text[start - 1 : start]
    if before.isdigit() or (before.isalpha() and not text[start : start + 1].isdigit()):
        return None
    found = _in_digits(text, start) or _in_words(text, start)
    if found is None or found.ordinal:
        return found
    found = _multiplied(text, fraction_after(text, found) or found)
    return fraction_after(text, found) or found


def number_in_words(words: str) -> Fraction | None:
    """The number that a whole text is: 'twenty-five', 'half a', 'two hundred'."""
    stripped = words.strip()
    found = number_at(stripped, 0)
    return None if found is None or found.end < len(stripped) or found.ordinal else found.value


def fraction_after(text: str, number: Number) -> Number | None:
    """A number with the part that is added behind it: 'two and a half', '2 and three quarters'.

    Of 'a year and a half' the part follows the unit: ask with the number 1 that ends there.
    """
    match = _PATTERNS.and_part.match(text, number.end)
    whole = None if match is None else _words("parts").get(match["part"].lower().removesuffix("s"))
    if match is None or whole is None:
        return None
    many = _words("cardinals")[match["many"].lower()] if match["many"] else 1
    # 'Two million and a half' is half a million more, not half of one.
    last = text[number.start : number.end].split()[-1:]
    one = _words("multiples").get("".join(last).lower(), 1)
    added = number.value + one * Fraction(many, whole)
    return Number(added, number.start, match.end()) if many < whole else None


# -- in digits ---------------------------------------------------------------------------


def as_continental(text: str, number: Number, *, grouped: bool = False) -> Number:
    """A number read with a comma for decimals ('3,5'), or points for thousands too ('1.200')."""
    for written in (_PATTERNS.decimal_comma, _PATTERNS.grouping_points)[: 1 + grouped]:
        if (match := written.match(text, number.start)) is not None:
            value = Fraction(match[0].replace(".", "").replace(",", "."))
            number = Number(value, number.start, match.end())
    return number


def _in_digits(text: str, start: int) -> Number | None:
    if (part := _fraction_at(text, start)) is not None:
        return part
    match = _PATTERNS.digits.match(text, start)
    if match is None:
        return None
    end = match.end()
    written = re.sub(r"[\u00a0\u202f\u2009]", "", match[0])
    continental = "," in written and ("." not in written or written.index(".") < written.index(","))
    if continental and re.search(r"\.\d{3}|,\d{1,2}$", written):
        written = written.replace(".", "").replace(",", ".")
    written = written.replace(",", "")
    if len(written) > MOST_DIGITS and "." not in written[:MOST_DIGITS]:
        return Number(_LARGEST, start, end)
    value = Fraction(written[:MOST_DIGITS])
    if (th := _PATTERNS.ordinal_end.match(text, end)) is not None:
        return Number(value, start, th.end(), ordinal=True)
    at = end + (text[end : end + 1] == " ")
    part = _fraction_at(text, at) if value.denominator == 1 else None
    if part is not None and (at > end or text[at] in _VULGAR):
        return Number(value + part.value, start, part.end)
    return Number(value, start, end)


def _fraction_at(text: str, start: int) -> Number | None:
    match = _PATTERNS.fraction.match(text, start)
    if match is None:
        return None
    if match["sign"]:
        return Number(Fraction(numeric(match["sign"])).limit_denominator(8), start, match.end())
    part, whole = int(match["part"]), int(match["whole"])
    fits = 0 < part < whole and whole in _WHOLES
    return Number(Fraction(part, whole), start, match.end()) if fits else None


def digit_groups(text: str) -> frozenset[str]:
    """Groups of digits of a text, without leading zeros: of numbers, dates, versions and prices."""
    return frozenset(digits.lstrip("0") or "0" for digits in _PATTERNS.digit_group.findall(text))


# -- in words ----------------------------------------------------------------------------


@cache
def _words(name: str) -> dict[str, int]:
    words = _LISTS.text(name).split()
    values = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    if name == "ordinals":
        values |= {f"{word}th": value for word, value in _words("cardinals").items()}
    return values


@cache
def number_words() -> frozenset[str]:
    """The words that are a cardinal by themselves, with 'dozen', 'couple' and 'half'."""
    words = {*_words("cardinals"), *_words("multiples"), "couple", "half"}
    return frozenset(words - {"grand", "score"})


@cache
def _starts() -> re.Pattern[str]:
    after_article = "|".join(["couple", *_words("multiples"), *_words("parts")])
    alone = "|".join([*number_words(), "quarter", *_words("ordinals")])
    return re.compile(
        rf"(?<!\d)\d|[{_VULGAR}]|\b(?:an?[ ](?=(?:{after_article})\b)|(?:{alone})\b)",
        re.ASCII | re.IGNORECASE,
    )


def _in_words(text: str, start: int) -> Number | None:
    if (part := _part(text, start)) is not None:
        return part
    found = _cardinal(text, start)
    if found is None:
        match = _PATTERNS.word.match(text, start)
        nth = None if match is None else _words("ordinals").get(match["word"].lower())
        return Number(Fraction(nth), start, match.end(), ordinal=True) if match and nth else None
    return _in_parts(text, found)


def _part(text: str, start: int) -> Number | None:
    """A part or a pair that begins without a cardinal: 'half an', 'a third of', 'a couple of'."""
    match = _PATTERNS.part.match(text, start)
    if match is None or match["couple"]:
        return match and Number(Fraction(2), start, match.end())
    whole = _words("parts").get((match["part"] or match.lastgroup or "").lower())
    return None if whole is None else Number(Fraction(1, whole), start, match.end())


def _in_parts(text: str, many: Number) -> Number:
    """A cardinal, so many parts or an ordinal: 'two thirds', 'twenty-first'."""
    match = _PATTERNS.word.match(text, many.end)
    if match is None or match["and"]:
        return many
    word = match["word"].lower()
    whole = _words("parts").get(word.removesuffix("s"))
    plural = word.endswith("s") == (many.value > 1)
    if whole is not None and many.value < whole and plural:
        of = _PATTERNS.of.match(text, match.end())
        # The quarters of a year are counted: 'the last three quarters'.
        if whole != _QUARTERS or of is not None or text[many.end] == "-":
            return Number(many.value / whole, many.start, (of or match).end())
    nth = _words("ordinals").get(word)
    tens = many.value >= 2 * _TEN and not many.value % _TEN and text[many.end] == "-"
    # 'A thirty-second timeout' is one of 30 seconds.
    if tens and nth is not None and nth < _TEN and word != "second":
        return Number(many.value + nth, many.start, match.end(), ordinal=True)
    return many


def _cardinal(text: str, start: int) -> Number | None:
    """A cardinal in words, which run from large to small: 'two thousand three hundred and five'."""
    article = _PATTERNS.article.match(text, start)
    begin = end = start if article is None else article.end()
    # The group is what was read below the last scale; the next word must be below the room.
    total, group, room, scale = 0, 0, _HUNDRED, 10**15
    while (match := _PATTERNS.word.match(text, end)) is not None:
        word, is_first = match["word"].lower(), end == begin
        value, times = _words("cardinals").get(word), _words("multiples").get(word)
        many = max(group, 1)
        if (match.start("word") == end) != is_first:
            break
        if value is not None and value < room and (value or is_first):
            further = total, group + value, _TEN if value >= 2 * _TEN else 0, scale
        elif value is not None or times is None or times >= scale or not (is_first or group):
            break
        elif times >= _THOUSAND:
            further = total + many * times, 0, _HUNDRED, times
        elif many >= _HUNDRED or (many == 1 and times > _DOZEN and times < _HUNDRED):
            # A score alone is a result: 'a score of five'.
            break
        else:
            further = total, many * times, *((_HUNDRED, scale) if times == _HUNDRED else (0, 0))
        if match["and"] and not (room == _HUNDRED and further[2] < _HUNDRED):
            break
        (total, group, room, scale), end = further, match.end()
    return None if end == begin else Number(Fraction(total + group), start, end)


def _multiplied(text: str, number: Number) -> Number:
    """A number with the multiple behind it: '2 million', '1.5k', 'half a dozen', '3 dozen'."""
    match = _PATTERNS.multiple.match(text, number.end)
    if match is None:
        return number
    word, joined = match["word"].lower(), match.start("word") == number.end
    in_digits = text[number.end - 1].isdigit()
    times = _words("multiples_after_digits").get(word) if in_digits else None
    if times is None and not joined and word != "score":
        times = _words("multiples").get(word)
    if times is None:
        return number
    value, end = number.value * times, match.end()
    more = _PATTERNS.multiple.match(text, end)
    # 'Two hundred thousand' was read as words; '5 hundred thousand' is left to here.
    if more is not None and more["word"].lower() == "thousand" and times == _HUNDRED:
        value, end = value * _THOUSAND, more.end()
    return Number(value, number.start, end)
