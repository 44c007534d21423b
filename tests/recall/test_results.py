"""Results: iteration, length, truth, plain dicts, short forms and tables for notebooks."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, get_type_hints

import msgspec
import pytest

import mnemolog
from mnemolog import Listing, Memory, Results, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLIC = [getattr(mnemolog, name) for name in mnemolog.__all__]
SEQUENCES = [one for one in PUBLIC if isinstance(one, type) and issubclass(one, Results)]
HOSTILE = "<script>alert('tea')</script><img src=https://example.org/x onerror=y> & \"tea\""


class Table(HTMLParser):
    """The elements, attributes and rows of a table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.opened: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.add(tag)
        self.attributes += attrs
        self.opened.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element, which must be this one."""
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        """Add to the open cell."""
        if self.opened[-1] in {"td", "th"}:
            self.rows[-1][-1] += data


def table(value: Value | Listing[Value]) -> Table:
    found = Table(value._repr_html_())
    assert found.opened == []
    assert found.elements <= {"table", "caption", "tr", "th", "td", "p"}
    assert found.attributes == []
    return found


def remember(memory: Memory, texts: Iterable[str]) -> Listing[mnemolog.Receipt]:
    return memory.remember_many(texts, contradictions="off")


def test_a_recall_iterates_over_its_hits_and_is_false_when_empty(memory: Memory) -> None:
    """A recall is its hits: they can be iterated and counted, and none makes it false."""
    remember(memory, ["The kettle boils", "The kettle leaks"])
    found = memory.recall("kettle", min_relevance=0)
    assert found
    assert tuple(found) == found.hits
    assert len(found) == len(found.hits) == 2
    nothing = memory.as_of(0).recall("kettle")
    assert not nothing
    assert list(nothing) == []


def test_a_command_that_changed_nothing_is_false(memory: Memory) -> None:
    """A receipt is its events; a correction of nothing and a tick of nothing are false."""
    receipt = memory.remember("The kettle boils")
    assert [event.position for event in receipt] == [1]
    assert not memory.correct("What colour is the kettle?")
    assert not memory.diff(1, 1)
    assert memory.diff(0, 1)


def test_a_context_iterates_over_the_texts_of_its_sections(memory: Memory) -> None:
    """A context without a text is false, although its five sections are there."""
    assert not memory.context("kettle")
    found = memory.context("kettle", instructions="Be brief.", task="Mend it.")
    assert [part.text for part in found] == ["Be brief.", "Mend it."]
    assert [len(section) for section in found.sections] == [1, 0, 1, 0, 0]


@pytest.mark.parametrize("kind", SEQUENCES, ids=lambda kind: kind.__name__)
def test_a_result_iterates_over_what_its_type_says(kind: type[Results[object]]) -> None:
    """The field or property that is iterated over has the elements that a type checker shows."""
    if kind is Results:
        return
    bases = [base for one in kind.__mro__ for base in getattr(one, "__orig_bases__", ())]
    (element,) = next(base.__args__ for base in bases if base.__origin__ is Results)
    held = getattr(kind, kind._over)
    hints = get_type_hints(held.fget if isinstance(held, property) else kind)
    found = hints["return" if isinstance(held, property) else kind._over]
    assert found == tuple[element, ...]


def test_a_result_converts_to_what_its_json_says(memory: Memory) -> None:
    """`to_dict` gives plain values under the names of JSON, with times as texts."""
    receipt = memory.remember("The kettle boils", tags=["kitchen"])
    for value in (receipt, memory.recall("kettle"), memory.get("@1"), memory.settings()):
        assert value.to_dict() == json.loads(msgspec.json.encode(value))
    assert memory.get("@1").to_dict()["recorded_at"] == "2026-03-01T12:00:00Z"


def test_listings_are_tuples(memory: Memory) -> None:
    """What a method lists is a tuple, equal to any other of the same values."""
    receipts = remember(memory, ["The kettle boils", "The lantern hangs"])
    listed = memory.list(by="oldest")
    assert isinstance(listed, tuple)
    assert listed == (memory.get("@1"), memory.get("@2"))
    assert listed.to_dicts() == [memory.get("@1").to_dict(), memory.get("@2").to_dict()]
    assert json.loads(msgspec.json.encode(listed)) == listed.to_dicts()
    assert [receipt.position for receipt in receipts] == [1, 2]
    assert repr(memory.graph.links()) == "<Listing len=0>"


def test_short_forms_stay_on_one_line(memory: Memory) -> None:
    """A short form says the type, how many there are, and how the first of them begin."""
    memory.remember("Tea")
    assert repr(memory.recall("tea")) == "<Recall hits=1: 'Tea'>"
    assert repr(memory.get("@1")).startswith("Item(content='Tea', kind='semantic', memory_id='")
    assert repr(memory.as_of(0).recall("tea")) == "<Recall hits=0>"
    remember(memory, [f"kettle\n{number} {'boils ' * 300}" for number in range(200)])
    found = memory.recall("kettle", limit=200, min_relevance=0)
    values = (found, found.hits[0], memory.list(), memory.history("@2"), memory.context("kettle"))
    for value in values:
        assert "\n" not in repr(value)
        assert len(repr(value)) < 250
    assert repr(found).startswith(f"<Recall hits={len(found)}: ")
    assert repr(found).endswith("boils boils boils boils boil…', …>")


def test_tables_show_text_as_text(memory: Memory) -> None:
    """A notebook shows hostile content as text: no element or attribute comes from it."""
    memory.remember(HOSTILE, source="user:<b>")
    values = (memory.recall("tea"), memory.get("@1"), memory.list(), memory.history("@1"))
    for value in values:
        cells = [cell for row in table(value).rows for cell in row]
        assert any(HOSTILE in cell for cell in cells)


def test_tables_show_fifty_rows_and_count_the_rest(memory: Memory) -> None:
    """A long list shows its first rows, cut texts and no column without a value."""
    remember(memory, [f"kettle {number} {'boils ' * 100}" for number in range(60)])
    listed = memory.list(limit=60)
    head, *rows = table(listed).rows
    assert head[0] == "content"
    assert "category" not in head
    assert len(head) == len(rows[0]) == 8
    assert len(rows) == 50
    assert len(rows[0][0]) == 200
    assert listed._repr_html_().endswith("<p>… and 10 more</p>")


def test_a_table_of_one_value_names_its_fields(memory: Memory) -> None:
    """A single value shows every field in a row; an empty result shows its caption alone."""
    memory.remember("The kettle boils")
    shown = dict(table(memory.get("@1")).rows)
    assert shown["content"] == "The kettle boils"
    assert shown["recorded_at"] == "2026-03-01 12:00:00+00:00"
    assert shown.keys() == set(memory.get("@1").to_dict())
    assert table(memory.as_of(0).recall("kettle")).rows == []
