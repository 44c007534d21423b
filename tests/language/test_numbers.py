"""Numbers are read exactly, in digits and in words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.quantities.numbers import number_at, number_in_words, numbers

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905


def _in_words(value: int, joint: str, hyphen: str) -> str:
    if value < 20:
        return _SMALL[value]
    if value < 100:
        tens, rest = divmod(value, 10)
        return _TENS[tens - 2] + (f"{hyphen}{_SMALL[rest]}" if rest else "")
    for size, name in ((10**6, "million"), (1_000, "thousand"), (100, "hundred")):
        if value >= size:
            many, rest = divmod(value, size)
            more = f"{joint}{_in_words(rest, joint, hyphen)}" if rest else ""
            return f"{_in_words(many, joint, hyphen)} {name}{more}"
    raise AssertionError(value)


@given(st.integers(0, 10**9 - 1), st.sampled_from([" ", " and "]), st.sampled_from([" ", "-"]))
def test_number_written_in_words_is_read_back(value: int, joint: str, hyphen: str) -> None:
    """A number in words, with 'and' and hyphens or without, is the number itself."""
    assert number_in_words(_in_words(value, joint, hyphen)) == value


@given(st.integers(0, 10**15), st.integers(0, 99))
def test_grouped_digits_are_read_back(whole: int, hundredths: int) -> None:
    """Thousands grouped by commas with decimals after a point, and the other way round."""
    written = f"{whole:,}.{hundredths:02}"
    exact = whole + Fraction(hundredths, 100)
    assert number_in_words(written) == exact
    if whole >= 1_000:
        assert number_in_words(written.translate(str.maketrans(",.", ".,"))) == exact


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4, 5, 8]), st.integers(1, 7))
def test_mixed_number_is_a_sum(whole: int, parts: int, many: int) -> None:
    """'1 1/2' is one and a half."""
    if many < parts:
        assert number_in_words(f"{whole} {many}/{parts}") == whole + Fraction(many, parts)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two and a half", "5/2"),
        ("3 dozen", "36"),
        ("half a dozen", "6"),
        ("three score and ten", None),
        ("half a", "1/2"),
        ("½", "1/2"),
        ("2½", "5/2"),
        ("2 ½", "5/2"),
        ("a couple of", "2"),
        ("three quarters of an", "3/4"),
        ("a quarter of an", "1/4"),
        ("two thirds", "2/3"),
        ("two-fifths", "2/5"),
        ("1.5k", "1500"),
        ("2 million", "2000000"),
        ("two and a half million", "2500000"),
        ("a million and a half", "1500000"),
        ("two million and a half", "2500000"),
        ("2 million and a half", "2500000"),
        ("a dozen and a half", "18"),
        ("half a million", "500000"),
        ("twelve hundred", "1200"),
        ("1.200,50", "2401/2"),
        ("1e6", "1000000"),
        ("24/7", None),
        ("3/11", None),
        ("twenty-first", None),
        ("21st", None),
        ("dozens", None),
        ("carrot", None),
        ("", None),
    ],
)
def test_whole_text_as_one_number(text: str, value: str | None) -> None:
    """Fractions, multiples and decimals in words are exact; ordinals are no amounts."""
    assert number_in_words(text) == (None if value is None else Fraction(value))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("one and two", [1, 2]),
        ("twenty and five", [20, 5]),
        ("the last three quarters", [3]),
        ("10\N{EN DASH}12", [10, 12]),
        ("nineteen eighty-four", [19, 84]),
        ("a score of 5", [5]),
        ("9" * 400, [10**30]),
    ],
)
def test_neighbouring_numbers_stay_apart(text: str, values: list[int]) -> None:
    """Words that do not go on from large to small are two numbers; endless digits are one."""
    assert [number.value for number in numbers(text)] == values


def test_ordinals_are_told_from_cardinals() -> None:
    """'The third' and '21st' say which, not how many; 'a thirty-second timeout' says how many."""
    found = {
        text: number.ordinal
        for text in ("third", "21st", "twenty-first", "thirty-second", "three")
        if (number := number_at(text, 0)) is not None
    }
    assert found == {
        "third": True,
        "21st": True,
        "twenty-first": True,
        "thirty-second": False,
        "three": False,
    }


@given(st.text(alphabet="one two and half a,. 1/2½-dozenmillionth", max_size=60))
def test_span_of_a_number_reads_as_the_same_number(text: str) -> None:
    """The characters of a number, cut from the text, are the same number."""
    for number in numbers(text):
        again = number_at(text[number.start : number.end], 0)
        assert again is not None
        assert (again.value, again.end) == (number.value, number.end - number.start)
