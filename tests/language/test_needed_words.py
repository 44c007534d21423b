"""Patterns that are tried only on texts with a word that they need."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DataObject, data, from_regex, one_of

from mnemolog.language.clauses import assertions, clauses, frames, readings
from mnemolog.language.clauses.needs import Alternatives, Rewordings, lowercase_words
from mnemolog.language.lists import Lists, word_set

# Some patterns begin or end with a condition on what stands beside, which few texts meet.
FEW = settings(
    max_examples=5, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
ROWS = [
    pytest.param(str(row["needs"]), pattern, id=f"{name}-{at}")
    for lists in (assertions.LISTS, clauses.LISTS)
    for name, rows in lists.file.rows.items()
    for at, (row, pattern) in enumerate(zip(rows, lists.patterns(name), strict=True))
]
BEGINNINGS = [
    *((readings.LISTS, name) for name in ("same", "implied", "begun")),
    (frames.LISTS, "relations"),
]


def compiled(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern itself, as hypothesis takes no placeholder."""
    return re.compile(str(pattern.pattern), int(pattern.flags))


@pytest.mark.parametrize(("needs", "pattern"), ROWS)
@FEW
@given(drawn=data())
def test_a_match_holds_a_needed_word(
    needs: str, pattern: re.Pattern[str], drawn: DataObject
) -> None:
    """No text that a pattern matches is passed over for want of a word."""
    # With what must stand behind a match as a part of it: few texts have that by chance.
    longer = re.compile(str(pattern.pattern).replace("(?=", "(?:"), int(pattern.flags))
    text = drawn.draw(from_regex(longer))
    if pattern.search(text):
        assert not word_set(needs).isdisjoint(lowercase_words(text))


@pytest.mark.parametrize(("lists", "name"), BEGINNINGS)
@FEW
@given(drawn=data())
def test_alternatives_find_what_each_row_finds(lists: Lists, name: str, drawn: DataObject) -> None:
    """Joined rows match where a single one does, in the same order and with the same groups."""
    rows = [(compiled(pattern), gives) for pattern, gives in lists.pairs(name)]
    text = drawn.draw(one_of([from_regex(pattern) for pattern, _ in rows]))
    single = [(match, gives) for pattern, gives in rows if (match := pattern.match(text))]
    joined = [*Alternatives(lists, name).matches(text)]
    assert [(match.groups(), gives) for match, gives in joined] == [
        (match.groups(), gives) for match, gives in single
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("contractions", "They can't, he's been and I'd rather"),
        ("wordings", "please do not ask before"),
        ("wordings", "Dana has a nut allergy"),
        ("wordings", "\N{LATIN SMALL LETTER LONG S}he is unable to swim"),
        ("wordings", "Dana is not able to \N{KELVIN SIGN}now how to dance"),
        ("wordings", "nothing to reword"),
    ],
)
def test_rewordings_read_like_all_rows_in_turn(name: str, text: str) -> None:
    """Rows that are passed over change nothing, also behind one that gave new words."""
    lists = assertions.LISTS
    reworded = Rewordings(lists, name).rewritten(text, lowercase_words(text))
    assert reworded == lists.rewritten(name, text)
