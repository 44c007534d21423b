"""Tables on a terminal: they fit its width, and words stay whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from mnemolog.cli.printing import table_lines, wrapped

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=30), max_size=12)
COMMANDS = ("list", "recall ferrets", "log", "stats", "spaces", "health", "due", "doctor", "config")


@given(WORDS, st.integers(30, 120))
def test_words_of_a_wrapped_text_stay_whole(words: list[str], width: int) -> None:
    """Wrapped lines fit the width, and joined again they are the text."""
    lines = [*wrapped(" ".join(words), width)]
    assert " ".join(lines).split() == words
    assert all(len(line) <= width for line in lines)


@given(st.text(min_size=1).filter(lambda text: not text.isspace()), st.integers(4, 20))
def test_a_word_that_is_longer_than_a_line_is_broken(text: str, width: int) -> None:
    """No character is lost, whatever its width on the terminal."""
    assert "".join("".join(wrapped(text, width)).split()) == "".join(text.split())


def test_wide_characters_take_two_columns() -> None:
    """A line of Chinese text holds half as many characters."""
    assert [*wrapped("漢字漢字漢字", 8)] == ["漢字漢字", "漢字"]


@given(WORDS, WORDS, WORDS, st.integers(40, 120))
def test_a_table_fits_the_terminal(
    first: list[str], second: list[str], third: list[str], width: int
) -> None:
    """Whatever the cells are, each word is whole and each line fits."""
    rows = [(("a" * 20, *(" ".join(words) for words in (first, second, third))), ("below",))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.setenv("NO_COLOR", "1")
        lines = [*table_lines(("one", "two", "three", "four"), rows)]
    shown = " ".join(lines).split()
    assert all(word in shown for word in (*first, *second, *third))
    assert all(len(line) <= width for line in lines)


@pytest.mark.parametrize("columns", [60, 80, 132])
def test_answers_fit_the_terminal(cli: CommandLine, columns: int) -> None:
    """Every line of every command is at most as wide as the terminal, with whole words."""
    text = "Ferrets sleep eighteen hours a day and are awake at dawn and at dusk for the rest of it"
    cli("remember", text, "--tag", "zoo", "--source", "https://example.org/ferrets")
    cli("supersede", "@1", f"{text}, mostly")
    for words in COMMANDS:
        _, shown = cli.terminal(*words.split(), "-q", COLUMNS=str(columns), NO_COLOR="1")
        lines = shown.replace("\r", "").split("\n")
        assert max(map(len, lines)) <= columns, (words, lines)
    _, shown = cli.terminal("list", COLUMNS=str(columns), NO_COLOR="1")
    assert set(text.split()[:-1]) <= set(re.findall(r"\w+", shown))
