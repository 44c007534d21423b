"""Texts that nobody means well with are read, at a cost in proportion to their length."""

from __future__ import annotations

import random
import sys

import pytest

from mnemolog.language.entities import Known
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.sameness import sentence_words
from mnemolog.language.sentences import main_clauses, sentence_texts
from mnemolog.policies.constraints.constraint import read_constraint
from mnemolog.policies.constraints.option_ranking import findings_of
from mnemolog.policies.constraints.option_reading import OptionReading
from mnemolog.policies.constraints.recognition import CLASSES
from mnemolog.policies.terms import same_meaning
from tests.seeds import SEED

_LONG_S = "\N{LATIN SMALL LETTER LONG S}"
_NO_DOT = "\N{LATIN SMALL LETTER DOTLESS I}"
_PIECES = [
    *("allergic to", "peanuts", "must be", "at most", "under", "no", "never", "between", "and"),
    *("22:00", "6:00", "3 June", "30 February 2024", "Monday", "$500", "€", "£20 a night"),
    *("per person", "9e999", "-5 °C", "the 90s", "two dozen", "Python 3.11.4", ">= 3", "~=1.2"),
    *("or newer", "budget", "due", "only", "except", "makes Sam ill", "without", "from", "Our gym"),
    *("(", "))", ",", ".", "!", "?", ":", "\N{EM DASH}", "'", "\N{ZERO WIDTH SPACE}", "vegan"),
    *("nuts-free", "-free", "monthly limit", "midnight", "100 kg", "../..", "5/day"),
    *(f"{_LONG_S}unday", f"5 thou{_LONG_S}and", f"3 {_LONG_S}ep", f"da{_NO_DOT}ly"),
    *(f"vegetar{_NO_DOT}an", "wee\N{KELVIN SIGN}ly", "5 \N{KELVIN SIGN}"),
    *("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "\N{ARABIC-INDIC DIGIT ONE}"),
]


class _Nothing:
    """Knowledge of nothing."""

    def stem(self, word: str) -> str:
        """The word as it is."""
        return word

    def kinds_of(self, name: str) -> tuple[Known, ...]:
        """No kinds."""
        return ()


def test_any_text_is_read_as_a_constraint_and_as_an_option_and_always_alike() -> None:
    """No string of words, numbers and marks raises, and each is read in one way."""
    sys.stdout.write(f"MNEMOLOG_SEED={SEED}\n")
    rng = random.Random(SEED)
    for _ in range(300):
        text, option = (
            rng.choice(["", " ", ", "]).join(rng.choices(_PIECES, k=rng.randint(0, 10)))
            for _ in range(2)
        )
        given = rng.choice([*CLASSES, None])
        read = read_constraint(text, (), "user:dana", given)
        assert read == read_constraint(text, (), "user:dana", given)
        if read is not None:
            readings = OptionReading(option, _Nothing()), OptionReading(text, _Nothing())
            assert findings_of(read, *readings, "same") == findings_of(read, *readings, "same")


@pytest.mark.parametrize("piece", ["1", "1 ", "one ", "no x ", "2-", "word ", "a, ", " ", "$1"])
def test_a_long_text_of_one_piece_is_read(piece: str) -> None:
    """A text of one piece a thousand times over is read, as a constraint and as an option."""
    text = f"no nuts {piece * 1_000}"
    read = read_constraint(text, (), None, "safety")
    assert read is not None
    assert findings_of(
        read, OptionReading(text, _Nothing()), OptionReading("dinner", _Nothing()), "same"
    )


def test_a_long_text_of_abbreviations_or_blanks_is_parted() -> None:
    """Whose length squared would take minutes."""
    text = "e.g. " * 40_000
    assert list(main_clauses(text)) == [(0, len(text) - 1)]
    assert sentence_texts(f"a{' ' * 200_000}b") == [f"a{' ' * 200_000}b"]
    assert sentence_texts(f"a{' ' * 200_000}\n\n b") == ["a", "b"]
    assert sentence_words(f"a{chr(10) * 3_990}b") == [("a",), ("b",)]


@pytest.mark.parametrize("piece", ["1", "1 ", "1:", "2-", "ab-", "Ab ", ". ", "in Oslo ", "x\n"])
def test_long_texts_are_compared(piece: str) -> None:
    """Whose length squared would take minutes."""
    long = f"Anna lives in {piece * (40_000 // len(piece))}"
    assert not same_meaning("Anna's home is in Lyon", long)


def test_letters_that_look_like_others_are_read_as_those() -> None:
    """A long s and a dotless i are an s and an i to the tables as they are to the patterns."""
    (day,) = quantities(f"on {_LONG_S}unday")
    assert (day.dimension, day.amount) == ("weekday", 6.0)
    (limit,) = bounds(f"at most 5 thou{_LONG_S}and euros")
    assert limit.quantity.amount == 5_000
    diet = read_constraint(f"Tom is vegetar{_NO_DOT}an")
    assert diet is not None
    assert "meat" in {one.thing for one in diet.exclusions}


def test_a_number_of_thousands_of_digits_is_one_quantity() -> None:
    """A text that is one long number holds one quantity."""
    (number,) = quantities("1" * 5_000)
    assert number.text == "1" * 5_000
