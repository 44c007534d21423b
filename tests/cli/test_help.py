"""Help: instant, complete, and the same everywhere."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard, get_args

import click
import pytest

from mnemolog.application.imports.readers import Format
from mnemolog.application.questions.browse import Order
from mnemolog.cli import exit_codes, options
from mnemolog.cli.commands import homes, questions
from mnemolog.cli.main import ALIASES, COMMANDS, catalog, mnemolog
from mnemolog.indexes.filters import STATUSES
from mnemolog.ledger import events
from mnemolog.recall.search.checks import Strategy

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"
SHARED_SECTIONS = ("Options that several commands share", "Fields of a memory", "Filters")


def _command(name: str) -> click.Command:
    found: click.Command | None = mnemolog
    for word in name.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word)
    assert found is not None
    return found


def _every_name() -> list[str]:
    """The commands, each group followed by those in it."""
    names = []
    for name in COMMANDS:
        command = _command(name)
        inner = command.list_commands(click.Context(command)) if _is_group(command) else []
        names += [name, *(f"{name} {one}" for one in inner)]
    return names


def _is_group(command: click.Command) -> TypeGuard[click.Group]:
    return isinstance(command, click.Group)


def _long(param: click.Parameter) -> str:
    return max(param.opts, key=len)


def _sections() -> dict[str, str]:
    """The text below each heading of the document, by heading."""
    parts = re.split(r"^#{2,3} (.+)$", DOCUMENT.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _documented(heading: str) -> str:
    """The command that a heading is about: its words in small letters."""
    words = heading.strip("`").split()[1:]
    return " ".join(takewhile(lambda word: word.isalpha() and word.islower(), words))


def _section_of(name: str) -> str:
    (text,) = (
        text
        for heading, text in _sections().items()
        if heading.startswith("`mnemolog ") and _documented(heading) == name
    )
    return text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_of_commands_agrees_with_the_commands(name: str) -> None:
    """The one-line help that the group shows is the command's own."""
    (text,) = (entries[name] for entries in catalog()[0].values() if name in entries)
    assert text == _command(name).get_short_help_str(limit=200)
    assert _command(name).name == name


@pytest.mark.parametrize("name", _every_name())
def test_every_option_has_help(name: str) -> None:
    """No option of any command goes without an explanation."""
    silent = [
        param.name
        for param in _command(name).params
        if isinstance(param, click.Option) and not param.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", _every_name())
def test_every_argument_is_explained(name: str) -> None:
    """A command's help names every argument that it takes."""
    context = click.Context(_command(name), info_name=name)
    text = _command(name).help or ""
    for param in _command(name).params:
        if isinstance(param, click.Argument):
            word = param.make_metavar(context).strip("[].")
            assert word in text


@pytest.mark.parametrize("name", _every_name())
def test_every_command_and_option_is_documented(name: str) -> None:
    """docs/cli.md has a section with an example for each command, and a row for each option."""
    text = _section_of(name)
    assert f"$ mnemolog {name}" in text or f"mnemolog {name}" in text.partition("```console")[2]
    known = text + "".join(_sections()[heading] for heading in SHARED_SECTIONS)
    for param in _command(name).params:
        if isinstance(param, click.Option):
            assert re.search(rf"`{_long(param)}[ `]", known), _long(param)


def test_every_section_is_about_a_command() -> None:
    """docs/cli.md documents no command that is not there."""
    documented = {
        _documented(heading) for heading in _sections() if heading.startswith("`mnemolog ")
    }
    assert documented == set(_every_name())


def test_exit_codes_are_documented(cli: CommandLine) -> None:
    """The help and docs/cli.md say of every exit code what it means."""
    helped = " ".join(cli("--help").stdout.split())
    for code in exit_codes.ExitCode:
        assert f"{code.value} {code.meaning}" in helped
        assert f"| {code.value} | {code.meaning} |" in _sections()["Exit codes"]


def test_choices_are_the_vocabulary_of_the_ledger() -> None:
    """The words that options accept are those that the library knows."""
    assert set(options.STATUSES) == set(STATUSES)
    assert set(questions.ORDERS) == set(get_args(Order))
    assert set(options.STRATEGIES) == set(get_args(Strategy))
    assert set(homes.FORMATS) == {*get_args(Format), "events"}
    assert set(options.KINDS) == set(get_args(events.MemoryKind))
    assert set(options.SOURCE_TYPES) == set(get_args(events.SourceType))
    assert set(options.IMPORTANCES) == set(get_args(events.Importance))
    assert set(options.VOLATILITIES) == set(get_args(events.Volatility))
    assert set(options.MARKS) == set(get_args(events.Mark))


def test_no_command_prints_the_help(cli: CommandLine) -> None:
    """Called without a command, mnemolog explains itself."""
    assert "Remember and correct" in cli(code=2).output


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        ("recal x", "'recall'"),
        ("serch x", "'search'"),
        ("delete @1", "'withdraw'"),
        ("session strat tea", "'start'"),
        ("mcp instal", "'install'"),
        ("recall tea --limt 3", "'--limit'"),
        ("config stratgy", "'strategy'"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(
    cli: CommandLine, words: str, suggestion: str
) -> None:
    """An unknown command, option or setting is refused, and the probable one is suggested."""
    cli("remember", "tea", "--contradictions", "off")
    refused = cli(*words.split(), code=2).stderr
    assert "Did you mean" in refused
    assert suggestion in refused


def test_an_alias_is_its_command(cli: CommandLine) -> None:
    """`add`, `search`, `ls`, `forget` and `rm` do what their commands do, and help shows them."""
    cli("add", "The moon is cheese", "--contradictions", "off")
    cli("add", "The sun is hot", "--contradictions", "off")
    assert cli("search", "moon").stdout == cli("recall", "moon").stdout
    assert cli("ls").stdout == cli("list").stdout
    cli("forget", "@1")
    cli("rm", "@2")
    assert cli.json("ls")["memories"] == []
    helped = cli("--help").stdout
    assert "recall, search" in helped
    assert "Aliases: forget, rm" in cli("withdraw", "--help").stdout
    assert not ALIASES.keys() & COMMANDS.keys()
    sections, synonyms = catalog()
    assert {name for entries in sections.values() for name in entries} == COMMANDS.keys()
    assert not synonyms.keys() & (ALIASES.keys() | COMMANDS.keys())
    assert set(synonyms.values()) <= COMMANDS.keys()


def test_a_short_option_means_the_same_everywhere(cli: CommandLine) -> None:
    """Each letter stands for one option, and an option that has a letter has it everywhere."""
    pairs: dict[str, set[str]] = {}
    letters: dict[str, set[str]] = {}
    commands = [mnemolog, *map(_command, _every_name())]
    for param in (param for command in commands for param in command.params):
        if not isinstance(param, click.Option) or param.name in {"version", "help"}:
            continue
        short = "".join(opt[1:] for opt in param.opts if len(opt) == 2)
        letters.setdefault(_long(param), set()).add(short)
        if short:
            pairs.setdefault(short, set()).add(_long(param))
    assert all(len(longs) == 1 for longs in pairs.values()), pairs
    # The kind of an event is another thing than the kind of a memory.
    mixed = {name for name, found in letters.items() if len(found) > 1} - {"--kind"}
    assert not mixed
    assert pairs.keys() >= {"n", "q", "s", "y"}
    assert cli("list", "-h").stdout == cli("list", "--help").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(cli: CommandLine, shell: str) -> None:
    """Each shell gets a script that asks mnemolog for completions."""
    assert "_MNEMOLOG_COMPLETE" in cli("completion", shell).stdout


def test_a_shell_completes_commands_options_and_words(cli: CommandLine) -> None:
    """What the script asks for is answered with commands, options and the words of an option."""

    def completed(line: str) -> str:
        cli.variables |= {
            "_MNEMOLOG_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split()) - 1),
        }
        return cli.process().stdout.decode()

    assert "plain,recall" in completed("mnemolog rec")
    assert "plain,--explain" in completed("mnemolog recall --exp")
    assert "plain,superseded" in completed("mnemolog list --status super")
