"""What a prompt names: numbers, hashes and paths."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

from mnemolog.recall.layers import MOST_NAMED, wanted_by

FORMS = ("#{}", "issue {}", "PR {}", "PR#{}", "pull request #{}", "MR !{}")
numbers = st.integers(1, 99_999)


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("What did PR 42 change?", (42,)),
        ("status of #12 and #13", (12, 13)),
        ("issues 12, 13 and 15?", (12, 13, 15)),
        ("is dana/boats#9 like pull request !5", (9, 5)),
        ("https://forge.example/dana/boats/pull/77", (77,)),
        ("colour #123abc, version 1.2.3, 40 items, issue 0, &#39;", ()),
        ("I have 3 questions about the 2 masts", ()),
    ],
)
def test_numbers_of_issues_and_pull_requests(prompt: str, found: tuple[int, ...]) -> None:
    """Marked or named numbers are those of issues; other numbers are not."""
    assert wanted_by(prompt).numbers == found


@given(
    numbers, st.sampled_from(["#{}", "issue {}", "PR {}", "PR#{}", "pull request #{}", "MR !{}"])
)
def test_a_number_is_found_in_every_form(number: int, form: str) -> None:
    """However an issue is named inside a sentence, it is the one that is looked up."""
    assert wanted_by(f"So what about {form.format(number)}, then?").numbers == (number,)


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("what's in recall/layers.py and README.md?", ("recall/layers.py", "README.md")),
        ("https://forge.example/dana/boats/blob/main/src/a.py", ("src/a.py",)),
        ("https://forge.example/dana/boats/src/branch/main/docs/x.md", ("docs/x.md",)),
        ("look at ./Makefile.in, e.g. line 3, or 1/2", ("Makefile.in",)),
        ("see https://example.org/page.html", ()),
        ("mail dana@example.org about foo.bar()", ()),
    ],
)
def test_paths_of_files(prompt: str, found: tuple[str, ...]) -> None:
    """Paths and names with a suffix are files; addresses and calls are not."""
    assert wanted_by(prompt).paths == found


def test_hashes_of_commits() -> None:
    """Seven or more hexadecimal digits with a letter and a number among them are a commit."""
    prompt = "e4a1dd8 or e4a1dd80962f, not defaced, not 1234567, not a1b2"
    assert wanted_by(prompt).hashes == ("e4a1dd8", "e4a1dd80962f")


@given(st.one_of(st.text(max_size=200), st.from_regex(r"[a#/.+\- 1]{1,80}", fullmatch=True)))
@example("." * 100_000)
@example("+a/" * 30_000)
@example("a." * 50_000)
@example("issue " * 20_000)
@example("f1" * 50_000)
def test_any_text_can_be_read(prompt: str) -> None:
    """Whatever the prompt holds, something comes of it, and never more than will be looked up."""
    wanted = wanted_by(prompt)
    for found in (wanted.numbers, wanted.hashes, wanted.paths):
        assert len(found) <= MOST_NAMED
        assert len(set(found)) == len(found)
    assert wanted.is_exact == bool(wanted.numbers or wanted.hashes)
