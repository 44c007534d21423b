"""Summaries that pick whole sentences: what they hold, how long they are, and what they cost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.sentences import sentences
from mnemolog.policies.retention.summaries import MOST_WORDS, ExtractiveSummarizer, Summarizer

SUMMARIZER: Summarizer = ExtractiveSummarizer()
MOVE = (
    "Hi! I moved to Lisbon in May 2024 with my sister Ana. The flat is in Alfama, on Rua dos "
    "Remédios 14. We pay 1,200 euros. It is sunny. Do you like it? My old flat in Berlin was "
    "colder and cost 900 euros a month. I miss the bakery there. Anyway, Ana starts at the "
    "hospital in June, and I keep working for Initech from home. Thanks!"
)

_words = st.sampled_from(
    ["tea", "port", "Dana", "the", "deploy", "42", "v1.2", "is", "red", "don't", "Rome", "你好"]
)
_sentences = st.builds(
    lambda words, mark: " ".join(words) + mark,
    st.lists(_words, min_size=1, max_size=70),
    st.sampled_from([".", "!", "?", "…", "。", ".\n\n", "\n- "]),
)
_texts = st.lists(_sentences, min_size=1, max_size=30).map(" ".join)


def length(text: str) -> int:
    """How many words a text has, by blanks."""
    return len(text.split())


@given(_texts)
def test_a_summary_is_made_of_whole_sentences_in_their_order(text: str) -> None:
    """Each of its sentences is one of the text's, and none stands before an earlier one."""
    summary = SUMMARIZER.summary(text)
    written = [text[start:end] for start, end in sentences(text)]
    rests = {summary}
    for one in written:
        rests |= {
            rest.removeprefix(one).removeprefix(" ") for rest in rests if rest.startswith(one)
        }
    beginning = " ".join(summary[:-1].split())
    cut = any(" ".join(one.split()).startswith(beginning) for one in written)
    assert "" in rests or (summary.endswith("…") and cut)


@given(_texts)
def test_a_summary_is_a_third_of_its_text_or_one_sentence(text: str) -> None:
    """It has at most 50 words, and at most a third of the text's unless one sentence has more."""
    summary = SUMMARIZER.summary(text)
    assert summary.strip()
    assert length(summary) <= MOST_WORDS
    written = {text[start:end] for start, end in sentences(text)}
    assert length(summary) <= length(text) / 3 or summary in written or summary.endswith("…")


@given(st.text(max_size=400))
def test_any_text_has_a_summary_and_always_the_same(text: str) -> None:
    """No text raises; a text that says something has a summary, no longer than itself."""
    summary = SUMMARIZER.summary(text)
    assert summary == SUMMARIZER.summary(text)
    assert bool(summary) == bool(text.strip())
    assert len(summary) <= len(text) + 1


@pytest.mark.parametrize("text", ["Ana is allergic to peanuts.", "tea", "We ship on 3 June!"])
def test_one_short_sentence_is_its_own_summary(text: str) -> None:
    """There is nothing to leave out."""
    assert SUMMARIZER.summary(text) == text


def test_what_names_and_numbers_tell_is_kept_and_pleasantries_are_not() -> None:
    """Of a letter the facts are kept, not the greeting, the question or the thanks."""
    summary = SUMMARIZER.summary(MOVE)
    assert "I moved to Lisbon in May 2024 with my sister Ana." in summary
    assert not re.search("Hi|Thanks|Do you", summary)


def test_what_is_told_twice_is_shown_once() -> None:
    """A sentence that says nothing new takes no room from one that does."""
    same = "The backup of the database runs at 4 on the old server. "
    summary = SUMMARIZER.summary(same * 3 + "Dana has the key. Noise is all around, they said.")
    assert summary.count("backup") == 1


def test_a_sentence_without_end_is_cut_between_two_words() -> None:
    """50 words and an ellipsis; where there are no blanks, 400 characters."""
    text = " ".join(f"word{number}" for number in range(80))
    assert SUMMARIZER.summary(text) == text.partition(" word50")[0] + "…"
    assert SUMMARIZER.summary("x" * 1000) == "x" * 400 + "…"


def test_code_stands_for_a_text_only_where_there_is_nothing_else() -> None:
    """A block of code is passed over beside prose."""
    code = "```\ndeploy(staging, v2)\n```"
    summary = SUMMARIZER.summary(f"{code}\n\nThat is how Dana deploys to staging.\n\nIt works.")
    assert summary == "That is how Dana deploys to staging."
    assert SUMMARIZER.summary(code) == code


@pytest.mark.parametrize(
    "piece", [".", "a. A. ", "?!\"' ", '."', "\n", "```\n", "你好。", "x", ".. ", "a-", "'"]
)
def test_a_megabyte_that_nobody_means_well_with_has_a_summary(piece: str) -> None:
    """What a text repeats costs no more than in proportion to its length."""
    text = f"{piece * (2**20 // len(piece))} The end is near."
    assert len(SUMMARIZER.summary(text)) <= 8 * MOST_WORDS + 1
