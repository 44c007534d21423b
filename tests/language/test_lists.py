"""Word lists and patterns in data files, and the files of the package itself."""

from __future__ import annotations

import gc
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import mnemolog
from mnemolog.language.lists import Lists, english

SOURCES = Path(mnemolog.__file__).parent


class Named(msgspec.Struct, frozen=True):
    """A row with a name."""

    name: str


class Anything(msgspec.Struct, frozen=True):
    """A row whose values do not matter."""


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lists:
    """Lists of a package with one file."""
    package = tmp_path / "teas"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "teas.toml").write_text(
        "[words]\n"
        'green = """\n    sencha\n    matcha"""\n'
        "[tables.kinds]\n"
        'tea = "green tea, black tea"\n'
        'drink = "green tea"\n'
        "[parts]\n"
        "cup = '(?:cups?|pots?) of'\n"
        "[any_case]\n"
        "order = '''\n    {cup} (?:{green})\n    |a{2,3}h'''\n"
        "[as_written]\n"
        "name = ' [A-Z]'\n"
        "[[rows.orders]]\n"
        "name = 'large'\n"
        "as_written = 'pot'\n"
        "[[rows.contractions]]\n"
        "as_written = ' pot of '\n"
        "gives = ' pot: '\n"
        "[[rows.contractions]]\n"
        "any_case = 'pot: (tea)'\n"
        "gives = '\\1pot'\n"
        "[[rows.limits]]\n"
        "needs = 'only never'\n"
        "any_case = 'only|never more than'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "teas", raising=False)
    return Lists("teas", "teas")


def test_a_list_is_the_words_between_blanks(lists: Lists) -> None:
    """Line breaks part words as blanks do, and the set cannot be changed."""
    assert lists.words("green") == frozenset({"sencha", "matcha"})


def test_members_of_a_table_may_have_blanks(lists: Lists) -> None:
    """Commas part them."""
    assert lists.table("kinds") == {"tea": ("green tea", "black tea"), "drink": ("green tea",)}


def test_members_of_a_table_know_their_keys(lists: Lists) -> None:
    """A member may stand under several keys; `key_of` gives the last."""
    assert lists.keys_of("kinds") == {"green tea": ("tea", "drink"), "black tea": ("tea",)}
    assert lists.key_of("kinds", "green tea") == "drink"
    assert lists.key_of("kinds", "cocoa") is None


def test_a_pattern_goes_over_lines_and_names_parts_and_lists(lists: Lists) -> None:
    """Breaks and indentation are left out, a list stands for its words; counts stay counts."""
    assert lists.pattern("order").pattern == "(?:cups?|pots?) of (?:matcha|sencha)|a{2,3}h"


def test_capitals_count_where_a_pattern_is_as_written(lists: Lists) -> None:
    """A blank at the beginning of a pattern is part of it."""
    assert lists.pattern("order").search("Two CUPS of Sencha")
    assert lists.pattern("name").search("by Omar")
    assert not lists.pattern("name").search("by omar")


def test_rows_keep_their_order_and_values(lists: Lists) -> None:
    """A row is its values and its pattern."""
    ((row, pattern),) = lists.rows("orders", Named)
    assert row == Named("large")
    assert pattern.search("a pot")


def test_rows_that_give_something_rewrite_a_text_in_order(lists: Lists) -> None:
    """What one row gives, a later row may match."""
    assert lists.rewritten("contractions", "a pot of Tea") == "a Teapot"


def test_patterns_are_attributes(lists: Lists) -> None:
    """Each is compiled at its first use; an unknown one is no attribute."""
    assert lists.patterns_by_name.order.search("Two CUPS of Sencha")
    assert not hasattr(lists.patterns_by_name, "oder")


def test_a_rule_searches_only_texts_with_a_word_that_it_needs(lists: Lists) -> None:
    """Most texts are done with by their words alone."""
    (rule,) = lists.rules("limits")
    assert rule.search("never more than two", frozenset({"never", "two"}))
    assert rule.search("never more than two", frozenset({"two"})) is None


def test_an_unknown_name_fails_at_first_use(lists: Lists) -> None:
    """Nothing is read before."""
    wrong = lists.pattern("oder")
    with pytest.raises(KeyError, match="oder"):
        wrong.search("a pot of sencha")


@pytest.fixture(scope="module")
def all_lists() -> list[Lists]:
    """The lists of every data file in the package."""
    words = SOURCES / "language" / "words"
    for file in words.glob("*.toml"):
        english(file.stem)
    for module in pkgutil.walk_packages(mnemolog.__path__, "mnemolog."):
        import_module(module.name)
    gc.unfreeze()
    found = [one for one in gc.get_objects() if type(one) is Lists]
    return [one for one in found if one.package.startswith("mnemolog.")]


def test_importing_the_package_reads_no_file() -> None:
    """A command that reads no English waits for no list of it."""
    program = (
        "import gc, importlib, pkgutil, mnemolog\n"
        "for found in pkgutil.walk_packages(mnemolog.__path__, 'mnemolog.'):\n"
        "    if not found.name.endswith('__main__'):\n"
        "        importlib.import_module(found.name)\n"
        "from mnemolog.language.lists import Lists\n"
        "lists = [one for one in gc.get_objects() if type(one) is Lists]\n"
        "print([one.name for one in lists if 'file' in vars(one)])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert run.stdout.strip() == b"[]"


def test_every_data_file_is_read_by_the_code(all_lists: list[Lists]) -> None:
    """No file is left without a reader; one reads a file of its own shape by its name."""
    read = {SOURCES.parent / one.package.replace(".", "/") / one.name for one in all_lists}
    code = "".join(module.read_text() for module in SOURCES.rglob("*.py"))
    for file in SOURCES.rglob("*.toml"):
        assert file.with_suffix("") in read or f'"{file.name}"' in code


def test_every_pattern_in_a_file_can_be_compiled(all_lists: list[Lists]) -> None:
    """No pattern waits for its first use with a mistake or an unknown name in it."""
    for one in all_lists:
        for name in (*one.file.any_case, *one.file.as_written):
            assert one.pattern(name).pattern
        for name in one.file.rows:
            assert all(pattern.pattern for _, pattern in one.rows(name, Anything))


def test_every_name_in_a_file_is_used(all_lists: list[Lists]) -> None:
    """What the code, or a pattern of some file, does not name is left over."""
    code = "".join(module.read_text() for module in SOURCES.rglob("*.py"))
    said = frozenset(re.findall(r"\w+", code))
    data = "".join(file.read_text() for file in SOURCES.rglob("*.toml"))
    for one in all_lists:
        tables = one.file.words, one.file.tables, one.file.rows, one.file.any_case
        named = {name for table in (*tables, one.file.as_written) for name in table}
        assert {name for name in named - said if f"{{{name}}}" not in data} == set()
        assert all(f"{{{name}}}" in data for name in one.file.parts)


def test_every_list_and_pattern_that_the_code_names_is_in_a_file() -> None:
    """A name with a mistake in it would fail only when it is first used."""
    for path in SOURCES.rglob("*.py"):
        code, name = path.read_text(), ".".join(path.relative_to(SOURCES.parent).parts)
        module = import_module(name.removesuffix(".py").removesuffix(".__init__"))
        for holder, pattern in re.findall(r"\b(_?PATTERNS)\.(\w+)", code):
            assert getattr(getattr(module, holder), pattern).pattern
        named = r"\b(_?LISTS|LEXICON|PLACES|SOFTWARE)\.(\w+)\(\"(\w+)\""
        for holder, kind, name in re.findall(named, code):
            file = getattr(module, holder).file
            tables = {"words": file.words, "text": file.words, "table": file.tables}
            tables |= {"keys_of": file.tables, "key_of": file.tables}
            patterns = {**file.any_case, **file.as_written}
            assert name in tables.get(kind, patterns if kind == "pattern" else file.rows)
