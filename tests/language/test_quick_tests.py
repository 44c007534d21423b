"""Quick tests before patterns: they skip no text in which the patterns find something."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given, strategies as st

from mnemolog.language import analysis, dates, relations
from mnemolog.language.analysis import Analyzer
from mnemolog.language.calendar import LISTS
from mnemolog.language.dates import _forms_in, lowered, may_name_dates, read_dates
from mnemolog.language.entities import LISTS as NAMES
from mnemolog.language.lists import before, word_set
from mnemolog.language.sentences import main_clauses

NOW = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)
_TABLES = ("counts", "vague_counts", "holidays", "days_from_easter", "days_of_year", "festivals")
_DATE_WORDS = sorted(
    {word for groups in LISTS.needs("forms") for group in groups for word in group}
    | {word for name in (*_TABLES, "seasons", "years_beside") for word in LISTS.table(name)}
    | word_set("the a an of in on by until since between from to and mid early late 1st 3rd")
    | {"first half of", "q3", "h1 2024", "2024-05-17", "03/04/2024", "12", "2023", "'23", "1990s"}
)
_ODD = [
    "\u0903",
    "\u0130",
    "\u017f",
    "\u2019s",
    "\u0663",
    "_",
    "-",
    ".",
    ",",
    "\r\n",
    "\u200d",
    "é",
]
_SAYING = word_set(
    """
you and Ann they it Rex is a an the are were was kind of part also known as called contains requires
because due to led happened works for at almonds nuts dogs Dana's not if , . ; ( "
"""
)


def texts(*words: Iterable[str]) -> st.SearchStrategy[str]:
    """Texts of some of these words, with blanks between them or not."""
    pieces = st.lists(st.sampled_from([one for some in words for one in sorted(some)]), max_size=12)
    return st.builds(str.join, st.sampled_from([" ", " ", " ", "", "\n"]), pieces)


@given(texts(_DATE_WORDS, _ODD))
def test_a_form_of_dates_is_looked_for_wherever_its_pattern_matches(text: str) -> None:
    """The words that a form needs are in every text in which its pattern finds something."""
    low = lowered(text)
    matching = [form for form in LISTS.pairs("forms") if form[0].search(low)]
    assert [form for form in matching if form not in _forms_in(low)] == []


@given(texts(_DATE_WORDS, _ODD))
def test_a_text_is_read_for_dates_wherever_its_words_may_name_one(text: str) -> None:
    """No form is looked for in a text that is skipped by its words."""
    if not may_name_dates(text, Analyzer().surface(text)):
        assert _forms_in(lowered(text)) == []


@pytest.mark.parametrize(
    ("pattern", "ends"),
    [(dates._PATTERNS.part, dates._PART_ENDS), (dates._PATTERNS.relation, dates._RELATION_ENDS)],
)
def test_what_leads_to_a_date_is_looked_for_behind_each_of_its_words(
    pattern: re.Pattern[str], ends: tuple[str, ...]
) -> None:
    """A word that the pattern may end with is among those that it is tried behind."""
    words = sorted({*re.findall(r"[a-z]{2,}", pattern.pattern)})
    leads = [*words, *map(" ".join, product(words, repeat=2))]
    texts = [f"{lead}{mark}" for lead in leads for mark in (" ", "-", "")]
    matching = [text for text in texts if before(pattern, text, len(text))]
    assert matching
    assert [text for text in matching if not dates._lead(pattern, ends, text, len(text))] == []


@pytest.mark.parametrize("name", [*_TABLES[2:], "seasons"])
def test_each_named_day_is_read(name: str) -> None:
    """A holiday and a season are found by the words that they need."""
    unread = [day for day in LISTS.table(name) if not read_dates(f"it was in {day} 2024", NOW)]
    assert unread == []


@given(texts(_SAYING, _ODD))
def test_a_text_without_names_beside_its_verbs_states_nothing(text: str) -> None:
    """Where sentences are not read for relations, they state none."""
    if not relations._may_state(text):
        clauses = (text[start:end] for start, end in main_clauses(text))
        assert [one for one in clauses if list(relations._stated(one))] == []


def test_signs_of_relations_are_found_behind_blanks() -> None:
    """The pattern of a statement begins with the blank before its words."""
    found = NAMES.compiled("said").search("almonds are nuts")
    assert found is not None
    assert found[0] == " are"


@given(st.one_of(st.text(max_size=80), texts(_DATE_WORDS, _ODD, ["x" * 59, "y" * 60, "Z" * 61])))
def test_words_are_split_as_by_tantivy(text: str) -> None:
    """A text of ASCII is split without Tantivy into the same words."""
    analyzer = Analyzer()
    plain = analysis._with_plain_marks(text)
    slow = analyzer._splitting.analyze(analysis._POSSESSIVE.sub("", plain))
    assert analyzer.surface(text) == slow
    assert analyzer.stems([slow]) == [[analyzer.stem(word) for word in slow]]


@given(st.text("ab_.- /@\n'", max_size=30))
def test_exact_terms_are_looked_for_wherever_a_mark_stands_inside(text: str) -> None:
    """A text is skipped only if no mark stands between letters or digits."""
    inside = analysis._INNER_MARK.search(text) is not None
    assert (analysis._MARK_INSIDE.search(text) is not None) == inside
