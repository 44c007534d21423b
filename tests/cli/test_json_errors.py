"""With --json every error is one JSON object, and nothing but JSON is on standard error."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from mnemolog import Memory
from mnemolog.cli.main import COMMANDS
from tests.cli.test_missing_home import ELSEWHERE, STORING, WORDS

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

EVERY = {
    **WORDS,
    "remember": "remember tea",
    "admit": "admit tea",
    "link": "link thing:tea IS_A thing:leaf",
    "import": "import kept.jsonl",
    "config": "config",
    "gate": "gate",
    "eval": "eval kept.jsonl",
    "restore": "restore kept.db --yes",
}
"""Words that are right for each command, but for those that speak no JSON."""
UNKNOWN_ID = """supersede @99 tea|withdraw @99|pin @99|unpin @99|unlink @99|undo @99
redact @99 --yes|use @99|strength @99|associations @99|show @99|history @99
audit @99|conflicts resolve @99 --winner new|link @99 IS_A @1|session vote {id} --hot @1
session resolve {id}|recall tea --as-of 99|log --as-of 99|diff 0 99|list --as-of @99"""
UNCONFIRMED = "redact @1|restore kept.db|replay --step"
BAD_USAGE = """recall tea --limit many|recall tea --limit 0|list --limit -1|log --limit x
show|withdraw|show @1 --foo|nonsense|export|import /nowhere|restore /nowhere
verify --checkpoint /nowhere|redact @1 --yes --timeout x
redact @1 --yes --timeout nan|redact @1 --yes --timeout inf
context tea --budget x
config nonsense|config nonsense 1|config --unset|counterfactual nonsense|mcp install nobody
conflicts resolve|session|recall tea --kind odd|remember tea --importance vast
list --home ""|gate tea|flush --show --attention tea|health --prometheus"""
BAD_VALUES = """recall ""|remember ""|recall tea --as-of yesterday-ish|pin @1 --until never
remember tea --source-confidence 2|remember tea --source-confidence nan|config content_limit_bytes x
config min_relevance 7|remember tea --id 12|recall tea --actor nobody --space ""
remember tea --actor nobody|link thing:tea is_a thing:leaf|restore kept.jsonl --yes
import kept.jsonl --format events|eval kept.jsonl|vote tea --hot @99"""


def _table(lines: str) -> list[str]:
    return [words for line in lines.splitlines() for words in line.split("|")]


def _error(cli: CommandLine, words: str, code: int) -> dict[str, object]:
    """The error that a command ends with; whatever else is on standard error is a note."""
    done = cli(*shlex.split(words.format(id="0" * 32)), "--json", code=code)
    *notes, told = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(set(note) == {"note"} for note in notes), notes
    error = told["error"]
    assert error["exit_code"] == code
    assert error["class"]
    assert error["message"]
    assert done.stdout == ""
    assert isinstance(error, dict)
    return error


@pytest.fixture
def filled(cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A home with two memories, beside files that hold something else."""
    with Memory.open(cli.home, actor="user:dana") as memory:
        memory.remember_many(["Tea is a leaf", "Coffee is a bean"], contradictions="off")
    monkeypatch.chdir(tmp_path)
    Path("kept.jsonl").write_text("nothing of ours\n")
    Path("kept.db").write_text("nothing of ours\n")
    return cli


def test_every_command_is_in_the_table() -> None:
    """A new command is tried with a home that is damaged and with one that is missing."""
    assert set(EVERY) == set(COMMANDS) - {"completion", "hook", "mcp"}
    assert set(COMMANDS) == STORING | ELSEWHERE | set(WORDS)


@pytest.mark.parametrize("words", _table(UNKNOWN_ID))
def test_an_unknown_id_or_position(filled: CommandLine, words: str) -> None:
    """Exit code 3."""
    _error(filled, words, 3)


@pytest.mark.parametrize("words", _table(UNCONFIRMED))
def test_a_missing_confirmation(filled: CommandLine, words: str) -> None:
    """Exit code 2, and the message says what is to be given."""
    assert _error(filled, words, 2)["class"] == "UsageError"


@pytest.mark.parametrize("words", _table(BAD_USAGE + "\n" + BAD_VALUES))
def test_bad_input(filled: CommandLine, words: str) -> None:
    """Exit code 2."""
    _error(filled, words, 2)


@pytest.mark.parametrize("words", WORDS.values())
def test_a_missing_home(cli: CommandLine, words: str) -> None:
    """Exit code 3, and the home is named."""
    assert str(cli.home) in str(_error(cli, words, 3)["message"])


@pytest.mark.parametrize("words", EVERY.values())
def test_an_option_that_there_is_not(cli: CommandLine, words: str) -> None:
    """Exit code 2, from before the home is looked for."""
    assert _error(cli, f"{words} --nonsense", 2)["class"] == "NoSuchOption"


@pytest.mark.parametrize("words", EVERY.values())
def test_a_log_that_cannot_be_read(filled: CommandLine, words: str) -> None:
    """Exit code 5; 2 where another file that is wrong is read first."""
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (filled.home / name).unlink(missing_ok=True)
    (filled.home / "ledger.db").write_bytes(b"")
    _error(filled, words, 2 if words.startswith(("eval", "import", "restore")) else 5)


def test_an_undo_that_may_not_be_meant(filled: CommandLine) -> None:
    """With nobody to ask about another actor's command, the reason is in the error."""
    filled("remember", "Milk is white", "--actor", "agent:other")
    assert "agent:other" in str(_error(filled, "undo", 2)["message"])


def test_json_is_text_behind_a_double_dash(filled: CommandLine) -> None:
    """Who did not ask for JSON gets text."""
    assert filled("show", "--", "@1", "--json", code=2).stderr.startswith("Usage: ")


def test_a_changed_event_is_named(filled: CommandLine) -> None:
    """Exit code 5, from whatever reads the event."""
    raw = apsw.Connection(str(filled.home / "ledger.db"))
    raw.execute("DROP TRIGGER content_is_only_destroyed").fetchall()
    raw.execute("UPDATE events SET content = replace(content, 'Tea', 'Tee')").fetchall()
    raw.close()
    for words in ("verify", "show @1", "list", "audit @1"):
        assert _error(filled, words, 5)["class"] == "CorruptLog"
