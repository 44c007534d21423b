"""Names drawn from texts: what counts as one, and how it is written."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.entities import entities


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("yesterday I met Melanie in New York", {"melanie", "new york"}),
        ("we visited the University of Oxford", {"university of oxford"}),
        ("she read a book by Vincent van Gogh", {"vincent van gogh"}),
        ("I asked O'Brien, not Dana's sister", {"o'brien", "dana"}),
        ("Dana: see you soon", {"dana"}),
        ("ask @ben or @dana.smith", {"ben", "dana.smith"}),
        ("fixed in #123, see PROJ-17", {"#123", "proj-17"}),
        ("look at src/app.py and parse_config", {"src/app.py", "parse_config"}),
        ("the call is getUserName in node.js", {"getusername", "node.js"}),
        ("see https://example.org/manual first", {"https://example.org/manual"}),
        ('I just finished "The Left Hand of Darkness"', {"the left hand of darkness"}),
    ],
)
def test_names_of_all_kinds_are_found(text: str, names: set[str]) -> None:
    """People, places, titles, handles, numbers, paths and identifiers, without their case."""
    assert names <= set(entities(text))


@pytest.mark.parametrize(
    "text",
    [
        "the deploy key rotates on the first of the month",
        "Running costs are high",
        "Everything was fine. However, it rained. Thanks!",
        "Sounds like fun! You've no idea. Bye",
        "## Final Thoughts\n\n1. **Seek Feedback**: ask\n- Next Steps: rest",
        "it goes:\n```\napp.run(Debug=True)\n```\nlike that",
        "On Monday I was there, and in May as well. I'm fine",
        "he/she and/or we, e.g. at 10:30, version 1.2.3, 50% off",
        "WHY DID NOBODY TELL ME ABOUT THIS",
        "",
    ],
)
def test_ordinary_words_are_no_names(text: str) -> None:
    """What opens a sentence, days, prose with slashes, numbers and shouting name nothing."""
    assert entities(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Melanie is on her way",
        "Melanie's car broke down",
        "Melanie and Dana came",
        "When we called Melanie, she was out. Melanie answered later",
    ],
)
def test_a_name_that_opens_a_sentence_needs_a_sign(text: str) -> None:
    """What follows, or the same name elsewhere, shows that a first word is a name."""
    assert "melanie" in entities(text)


def test_who_speaks_is_named_by_the_source() -> None:
    """A `user:` source is a name, another one is not; roles are none."""
    assert entities("it rains", "user:Dana") == ("dana",)
    assert entities("it rains", "agent:coder") == ()
    assert entities("User: it rains", "user:assistant") == ()


@given(
    text=st.text(
        st.sampled_from("aAbZ .'\N{RIGHT SINGLE QUOTATION MARK}\"@#/_-:\n1é"), max_size=300
    )
)
def test_names_are_in_order_and_in_the_text(text: str) -> None:
    """Whatever the text, its names are sorted, each once, without case, and the same each time."""
    found = entities(text)
    assert list(found) == sorted(set(found))
    assert all(name and name == name.casefold() for name in found)
    assert found == entities(text)
    folded = " ".join(text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    assert all(name in folded or name.startswith("#") for name in found)


def test_a_long_text_gives_some_of_its_names() -> None:
    """A megabyte is read in a moment, and gives 64 names at most."""
    names = " ".join(
        f"we met Q{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}x in" for n in range(50_000)
    )
    assert len(entities(names)) == 64
    for piece in ("A", "a_", "a.", "aA", '"A ', "A-", "a/"):
        assert len(entities(piece * 200_000)) <= 64
