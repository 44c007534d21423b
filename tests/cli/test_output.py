"""How answers look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, strategies as st

from mnemolog.cli.printing import SHORTEST_ID, one_line, safe, short_ids, write_table

if TYPE_CHECKING:
    import pytest

IDS = st.text("0123456789abcdef", min_size=32, max_size=32)


@given(st.lists(IDS, unique=True))
def test_shown_ids_tell_their_memories_apart(ids: list[str]) -> None:
    """An id is shown with 13 digits or as many as keep it apart from all that is shown."""
    shown = short_ids(ids)
    assert set(shown) == set(ids)
    for full, short in shown.items():
        assert full.startswith(short)
        assert len(short) >= SHORTEST_ID
        assert [other for other in ids if other.startswith(short)] == [full]


def test_ids_of_one_millisecond_grow() -> None:
    """Ids that begin alike are shown as far as their first difference."""
    first, second = "0" * 15 + "a" * 17, "0" * 15 + "b" * 17
    assert short_ids([first, second, first]) == {first: first[:16], second: second[:16]}


@given(st.text())
def test_no_text_steers_the_terminal(text: str) -> None:
    """Escapes, bells and changes of direction are written out; lines and tabs stay."""
    shown = safe(text)
    assert not set(shown) & {"\x1b", "\x07", "\x08", "\r", "\x9b", "\u202e"}
    assert one_line(text).count("\n") == 0


def test_rows_are_plain_lines_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Cells stand between tabs, one row a line, with what belongs to it indented below."""
    rows = [("1", "two\nlines"), ("2", "three")]
    write_table("numbers", "a, b", rows, [["below"], []])
    assert capsys.readouterr().out == "1\ttwo lines\n\tbelow\n2\tthree\n"
