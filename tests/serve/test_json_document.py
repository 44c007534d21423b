"""JSON with comments: read as editors read it, changed in one place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import MalformedConfig
from mnemolog.serve.documents import JsonDocument

FILE = Path("mcp.json")
SECTION = "mcpServers"
ENTRY = {"command": "/bin/mnemolog", "args": ["mcp", "stdio", "--space", 'tea "and" ☕']}


class Written(NamedTuple):
    """A text of JSON with what it says."""

    text: str
    value: object


gaps = st.lists(
    st.sampled_from(
        [" ", "  ", "\t", "\n", "\r\n", "\n  ", "// a, {\n", "//\r\n", '/* "b": */', "/*\n]*/"]
    ),
    max_size=2,
).map("".join)
keys = st.sampled_from(["a", "b", "", "//", "/*", "{", 'c"', "\\", "é", "d"])
strings = st.one_of(st.sampled_from(["//", "/* */", ",]", "}", '"', "\\"]), st.text(max_size=4))
leaves = st.one_of(
    strings.map(lambda text: Written(json.dumps(text), text)),
    st.sampled_from(["true", "null", "[]"]).map(lambda text: Written(text, json.loads(text))),
    st.sampled_from(["0", "-1", "1.50", "1e400", "9" * 5000]).map(
        lambda digits: Written(digits, (digits,))
    ),
)


def _joined(draw: st.DrawFn, items: list[str], brackets: str) -> str:
    inside = ",".join(draw(gaps) + item + draw(gaps) for item in items)
    comma = "," + draw(gaps) if items and draw(st.booleans()) else ""
    return brackets[0] + (inside or draw(gaps)) + comma + brackets[1]


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Written]) -> Written:
    items = draw(st.lists(inner, max_size=3))
    return Written(_joined(draw, [one.text for one in items], "[]"), [one.value for one in items])


@st.composite
def objects(
    draw: st.DrawFn, inner: st.SearchStrategy[Written], section: Written | None = None
) -> Written:
    members = draw(st.dictionaries(keys, inner, max_size=3))
    if section is not None:
        members = dict(draw(st.permutations([*members.items(), (SECTION, section)])))
    written = [
        f"{json.dumps(key)}{draw(gaps)}:{draw(gaps)}{one.text}" for key, one in members.items()
    ]
    value = {key: one.value for key, one in members.items()}
    return Written(_joined(draw, written, "{}"), value)


values = st.recursive(leaves, lambda inner: st.one_of(arrays(inner), objects(inner)), max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> Written:
    """A client's file: an object that may have the section, between comments."""
    section = draw(st.one_of(st.none(), objects(values)))
    root = draw(objects(values, section))
    bom = draw(st.sampled_from(["", "", "\ufeff"]))
    return Written(bom + draw(gaps) + root.text + draw(gaps), root.value)


def _said(written: Written) -> dict[str, object]:
    assert isinstance(written.value, dict)
    return written.value


@given(documents())
def test_an_entry_is_added_and_all_else_is_as_it_was(written: Written) -> None:
    """The file says the same and the entry; its text is there but for what was put in."""
    after = JsonDocument(FILE, written.text).with_entry(SECTION, "mnemolog", ENTRY)
    said = _said(written)
    entries = said.get(SECTION, {})
    assert isinstance(entries, dict)
    assert JsonDocument(FILE, after).value == {**said, SECTION: {**entries, "mnemolog": ENTRY}}
    left = iter(after)
    assert all(character in left for character in written.text)


@given(documents())
def test_taking_an_entry_out_undoes_adding_it(written: Written) -> None:
    """The text is what it was, byte by byte, unless its section or all of it was empty."""
    added = JsonDocument(FILE, written.text).with_entry(SECTION, "mnemolog", ENTRY)
    after = JsonDocument(FILE, added).without_entry(SECTION, "mnemolog")
    said = _said(written)
    if said and said.get(SECTION) != {}:
        assert after == written.text
    rest = {key: value for key, value in said.items() if key != SECTION or value}
    left = dict(JsonDocument(FILE, after).value)
    if left.get(SECTION) == {}:
        del left[SECTION]
    assert left == rest


@given(documents(), st.integers(0, 2))
def test_an_entry_is_replaced_in_its_place(written: Written, place: int) -> None:
    """Replacing changes the value of the entry alone."""
    entries = _said(written).get(SECTION)
    if not isinstance(entries, dict) or not entries:
        return
    name = list(entries)[place % len(entries)]
    after = JsonDocument(FILE, written.text).with_entry(SECTION, name, ENTRY)
    assert JsonDocument(FILE, after).value == {**_said(written), SECTION: {**entries, name: ENTRY}}


@given(documents())
def test_any_entry_can_be_taken_out(written: Written) -> None:
    """First, middle or last: the file says the same without it."""
    entries = _said(written).get(SECTION)
    for name in entries if isinstance(entries, dict) else ():
        assert isinstance(entries, dict)
        after = JsonDocument(FILE, written.text).without_entry(SECTION, name)
        rest = {key: value for key, value in entries.items() if key != name}
        assert JsonDocument(FILE, after).entries(SECTION) == rest


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '{\n  "s": {\n    "m": {\n      "k": "v"\n    }\n  }\n}\n'),
        ("// mine", '// mine\n{\n  "s": {\n    "m": {\n      "k": "v"\n    }\n  }\n}\n'),
        ("{}\n", '{\n  "s": {\n    "m": {\n      "k": "v"\n    }\n  }\n}\n'),
        ('{"a": 1}', '{"a": 1, "s": {"m": {"k": "v"}}}'),
        (
            '{\n\t"a": 1 // one\n}\n',
            '{\n\t"a": 1, // one\n\t"s": {\n\t\t"m": {\n\t\t\t"k": "v"\n\t\t}\n\t}\n}\n',
        ),
        (
            '{\r\n "s": {\r\n  "b": {},\r\n },\r\n}\r\n',
            '{\r\n "s": {\r\n  "b": {},\r\n  "m": {\r\n   "k": "v"\r\n  },\r\n },\r\n}\r\n',
        ),
    ],
)
def test_what_is_added_looks_like_the_rest(text: str, after: str) -> None:
    """Indentation, ends of lines and trailing commas are those of the file."""
    assert JsonDocument(FILE, text).with_entry("s", "m", {"k": "v"}) == after


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3),
        ('{\n  "a": 1,,\n}', 2),
        ("{,}", 1),
        ('{"a": 01}', 1),
        ('{"a": NaN}', None),
        ('{\n\n"a": "b\n"}', 3),
        ("{ /* no end", 1),
        ("{'a': 1}", 1),
        ("{} {}", 1),
        ("[1]", None),
        ('"{}"', None),
        ("[" * 100_000, None),
        ("{" * 5 + "\n", 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int | None) -> None:
    """A broken file is named with the line where it breaks."""
    with pytest.raises(MalformedConfig) as caught:
        JsonDocument(FILE, text)
    assert (caught.value.file, caught.value.line) == (FILE, line)


def test_a_section_that_holds_no_entries_is_refused() -> None:
    """What is no object cannot take an entry; the line is that of the section."""
    with pytest.raises(MalformedConfig, match=r"mcp\.json, line 3: mcpServers is no object"):
        JsonDocument(FILE, '{\n"a": 1,\n"mcpServers": []}').entries(SECTION)


def test_of_a_section_given_twice_the_last_counts() -> None:
    """An entry goes where programs read it."""
    text = '{"s": {"a": 1}, "s": {}}'
    after = JsonDocument(FILE, text).with_entry("s", "m", {})
    assert json.loads(after) == {"s": {"m": {}}}


@pytest.mark.parametrize("text", ["", "{}", '{"s": {"a": {}}}'])
def test_an_entry_that_is_not_there_leaves_the_text_as_it_is(text: str) -> None:
    """Neither without the section nor within it is anything taken out."""
    assert JsonDocument(FILE, text).without_entry("s", "m") == text
