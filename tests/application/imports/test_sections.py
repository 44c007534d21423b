"""Markdown as sections and parts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.application.imports.markdown import (
    PART_CHARACTERS,
    parts,
    sections,
    split_front_matter,
)


def paths(text: str) -> list[str]:
    return ["/".join(section.path) for section in sections(text.splitlines())]


def test_a_section_stands_under_its_path_of_headings() -> None:
    """Each text knows all headings above it; a heading ends those of its level and deeper."""
    text = "lead\n# A\na\n### C\nc\n## B\nb\n# D\nd"
    assert paths(text) == ["", "A", "A/C", "A/B", "D"]


def test_a_heading_that_only_leads_to_deeper_ones_is_no_section() -> None:
    """It is in the path of what follows, and need not stand alone too."""
    assert paths("# A\n## B\nb") == ["A/B"]


def test_a_heading_with_nothing_below_it_is_kept() -> None:
    """A note may say all it has to say in a heading."""
    assert paths("# Use Postgres\n# Ship in May\n") == ["Use Postgres", "Ship in May"]


@pytest.mark.parametrize(
    "line",
    ["#hashtag", "####### seven", "    # indented code", r"\# escaped", "# not\\", "text # no"],
)
def test_what_only_looks_like_a_heading(line: str) -> None:
    """A hash begins a heading only where Markdown says so."""
    expected = ["not\\"] if line == "# not\\" else [""]
    assert paths(f"{line}\ntext") == expected


@pytest.mark.parametrize("line", ["# Setup", "  ## Setup", "# Setup ##", "#\tSetup", "# Setup #"])
def test_the_ways_to_write_a_heading_with_hashes(line: str) -> None:
    """Indent up to three blanks, and closing hashes, do not belong to the title."""
    assert paths(f"{line}\ntext") == ["Setup"]


def test_underlined_headings() -> None:
    """One line of text over `===` or `---` is a heading of the first or second level."""
    assert paths("Guide\n=====\na\n\nSetup\n---\nb") == ["Guide", "Guide/Setup"]


@pytest.mark.parametrize(
    "text", ["a\n\n---\nb", "two\nlines\n---\nb", "- item\n---\nb", "| a |\n---", "```\n\n```\n---"]
)
def test_a_rule_is_not_an_underline(text: str) -> None:
    """Three dashes after a blank line, a list, a table or a fence are text."""
    assert paths(text) == [""]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n# comment\n```\n# A\na",
        "~~~\n# comment\n```\n# still\n~~~\n# A\na",
        "````\n```\n# comment\n```\n````\n# A\na",
        "- ```sh\n  # comment\n  ```\n# A\na",
    ],
)
def test_headings_inside_a_fence_of_code_are_text(text: str) -> None:
    """Comments of shell and Python are no headings; the fence ends where Markdown ends it."""
    first, second = sections(text.splitlines())
    assert "# comment" in first.body
    assert second.path == ("A",)


def test_a_short_section_is_one_part() -> None:
    """Short paragraphs stay together."""
    assert list(parts("one\n\ntwo\n\n- a\n- b")) == ["one\n\ntwo\n\n- a\n- b"]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    """No paragraph is torn, and no part is much over its length."""
    paragraphs = [f"{number} " + "word " * 80 for number in range(12)]
    found = list(parts("\n\n".join(paragraphs)))
    assert len(found) > 2
    assert "\n\n".join(found).split("\n\n") == paragraphs
    assert max(map(len, found)) <= PART_CHARACTERS


def test_a_block_twice_as_long_is_cut_at_the_ends_of_its_lines() -> None:
    """A list of hundreds of items comes in parts of whole items."""
    entries = [f"- item {number}" for number in range(500)]
    found = list(parts("\n".join(entries)))
    assert max(map(len, found)) <= PART_CHARACTERS
    assert "\n".join(found).split("\n") == entries


@pytest.mark.parametrize("line", ["word " * 2_000, "x" * 10_000])
def test_an_endless_line_is_cut_at_its_blanks_if_it_has_any(line: str) -> None:
    """No part is endless, whatever the text."""
    found = list(parts(line))
    assert max(map(len, found)) <= 2 * PART_CHARACTERS
    assert " ".join(found).split() == line.split() or "".join(found) == line


def test_a_fence_of_code_stays_whole() -> None:
    """Blank lines inside code do not end it."""
    code = "```\n" + "\n\n".join("line" * 20 for _ in range(20)) + "\n```"
    assert code in list(parts("word " * 200 + "\n\n" + code))


markdown_lines = st.lists(
    st.one_of(
        st.sampled_from(["", "```", "~~~~", "---", "===", "# A", "## B", "### C #", "- item", "#"]),
        st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=12),
        st.integers(1, 40).map(lambda count: "word " * count * 10),
    ),
    max_size=40,
)


@given(lines=markdown_lines)
def test_no_word_is_lost_and_order_is_kept(lines: list[str]) -> None:
    """Whatever the Markdown, all its words come back in order, once, in a body or a path."""
    bodies = [section.body for section in sections(lines)]
    in_parts = [" ".join(parts(body)) for body in bodies]
    assert [body.split() for body in in_parts] == [body.split() for body in bodies]
    remaining = iter([word for body in bodies for word in body.split()])
    titles = {
        word for section in sections(lines) for title in section.path for word in title.split()
    }
    expected = next(remaining, None)
    for word in (word for line in lines for word in line.split()):
        if word == expected:
            expected = next(remaining, None)
        else:
            assert word in titles or set(word) <= set("#=-"), word
    assert expected is None


@given(body=st.text(st.sampled_from("a \n`-"), max_size=9_000))
def test_parts_hold_all_of_a_section(body: str) -> None:
    """However a text is made up, its parts join to it, blanks aside."""
    joined = "".join(parts(body))
    assert "".join(joined.split()) == "".join(body.split())


def test_front_matter_gives_fields_and_leaves_the_text() -> None:
    """One value, lists of both forms, quotes and comments are read."""
    lines = [
        "---",
        'title: "Notes: harbour"',
        "tags: [boats, '#blue']",
        "aliases:",
        "  - Port  # where",
        "date: 2024-05-01",
        "nested:",
        "  key: value",
        "---",
        "text",
    ]
    fields, rest = split_front_matter(iter(lines))
    assert fields == {
        "title": ("Notes: harbour",),
        "tags": ("boats", "#blue"),
        "aliases": ("Port",),
        "date": ("2024-05-01",),
        "nested": (),
    }
    assert list(rest) == ["text"]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["text"],
        ["---", "title: never closed"],
        ["---", "Prose between two rules.", "---", "more"],
        ["---", *["field: x"] * 300, "---"],
    ],
)
def test_what_is_not_front_matter_is_text(lines: list[str]) -> None:
    """A rule at the top of a note does not swallow what follows it."""
    fields, rest = split_front_matter(iter(lines))
    assert fields == {}
    assert list(rest) == lines
