"""TOML: one table put in, replaced and taken out, the rest as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import MalformedConfig
from mnemolog.serve.documents import TomlDocument

FILE = Path("config.toml")
SECTION = "mcp_servers"
ENTRY = {"command": "/bin/mnemolog", "args": ["mcp", "stdio", "--space", 'tea\x7f "and" ☕']}

pairs = st.sampled_from(
    [
        'model = "o" # [mcp_servers.mnemolog]',
        'text = """\n[mcp_servers.mnemolog]\n"quoted" \\""" \\\\"""',
        "raw = '''\n[mcp_servers.mnemolog]\n'a''''",
        "nested = [\n  # [comment]\n  [1, 2],\n[3],\n]",
        "at = 1979-05-27T07:32:00Z",
        "number = nan",
        'inline = { a = "]", b = [ "[" ] }',
        "a.b.c = 1",
    ]
)
tables = st.sampled_from(
    [
        "[profile]",
        '["mcp_servers".other]\ncommand = "x"',
        "[mcp_servers.other.env]\nA = '[x]'",
        "[ mcp_servers . third ]",
        "[[rules]]\na = 1\n\n[[rules]]\nb = 2",
        "[mcp_servers.mnemolog2]",
    ]
)
gaps = st.sampled_from(["\n", "\n\n", "\n# note\n", " # at the end\n\n\n"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A client's file without the entry, ended or not, in lines of either kind."""
    parts = [
        *draw(st.lists(pairs, unique=True, max_size=3)),
        *draw(st.lists(tables, unique=True, max_size=3)),
    ]
    text = "".join(part + draw(gaps) for part in parts)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def _bare(value: object) -> object:
    assert isinstance(value, dict)
    return {key: said for key, said in value.items() if key != SECTION or said}


@given(documents())
def test_an_entry_is_added_at_the_end(text: str) -> None:
    """The file says the same and the entry, and begins with all that it was."""
    before = TomlDocument(FILE, text)
    after = before.with_entry(SECTION, "mnemolog", ENTRY)
    assert after.startswith(text)
    assert TomlDocument(FILE, after).value == {
        **before.value,
        SECTION: {**before.entries(SECTION), "mnemolog": ENTRY},
    }


@given(documents(), documents())
def test_taking_an_entry_out_undoes_adding_it(text: str, more: str) -> None:
    """The text is what it was, byte by byte, and so is what came after the entry since."""
    added = TomlDocument(FILE, text).with_entry(SECTION, "mnemolog", ENTRY)
    assert TomlDocument(FILE, added).without_entry(SECTION, "mnemolog") == text
    longer = f"{added}\n[later]\nb = 1\n"
    if text.endswith("\n"):
        after = TomlDocument(FILE, longer).without_entry(SECTION, "mnemolog")
        assert after == f"{text}\n[later]\nb = 1\n"


@given(documents())
def test_an_entry_with_tables_of_its_own_is_replaced_whole(text: str) -> None:
    """The new table stands where the old one was, and what was below that is gone."""
    old = (
        '[mcp_servers."mnemolog"] # ours\n# why\ncommand = "old" # where\nargs = [\n"[a]"\n]\n\n'
        "[mcp_servers.mnemolog.env]\nA = 1\n\n# the last\n[z]\n"
    )
    whole = f"{text}\n{old}"
    before = TomlDocument(FILE, whole)
    after = before.with_entry(SECTION, "mnemolog", ENTRY)
    assert TomlDocument(FILE, after).value == {
        **before.value,
        SECTION: {**before.entries(SECTION), "mnemolog": ENTRY},
    }
    assert after.endswith("\n# the last\n[z]\n")
    gone = TomlDocument(FILE, whole).without_entry(SECTION, "mnemolog")
    assert _bare(TomlDocument(FILE, gone).value) == _bare(
        {
            **before.value,
            SECTION: {
                key: value for key, value in before.entries(SECTION).items() if key != "mnemolog"
            },
        }
    )
    assert gone.endswith("\n# the last\n[z]\n")


def test_an_entry_alone_is_a_table() -> None:
    """In an empty file there is the table, as it is documented."""
    after = TomlDocument(FILE, "").with_entry(SECTION, "m", {"command": "x", "args": ["a", "b"]})
    assert after == '[mcp_servers.m]\ncommand = "x"\nargs = ["a", "b"]\n'
    assert tomllib.loads(after) == {SECTION: {"m": {"command": "x", "args": ["a", "b"]}}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb =\n", 2),
        ("a = 1\na = 2\n", None),
        ("[a\n", 1),
        ('x = """\n', None),
        (f"a = {'9' * 5000}\n", None),
        (f"a = {'[' * 5000}\n", None),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(text: str, line: int | None) -> None:
    """A broken file is named with the line where it breaks, if its reader tells."""
    with pytest.raises(MalformedConfig) as caught:
        TomlDocument(FILE, text)
    assert caught.value.file == FILE
    assert line is None or caught.value.line == line


def test_a_section_that_is_no_table_is_refused() -> None:
    """What is no table cannot take an entry."""
    with pytest.raises(MalformedConfig, match=r"mcp_servers is no table"):
        TomlDocument(FILE, "mcp_servers = 1").entries(SECTION)
